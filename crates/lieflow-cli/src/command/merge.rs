//! `lieflow merge`: the shards of an ensemble become one.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::Show;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Put the shards of an ensemble together: the same bytes as one run of the whole
#[derive(Args, Debug)]
pub struct Merge {
    /// The folders of the shards, in any order
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// Write the whole ensemble into this folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    show: Show,
}

impl Execute for Merge {
    fn execute(self, _: &Context<'_>) -> Result<(), Failure> {
        let merged = lieflow_ensemble::store::merge(&self.shards, &self.out)?;
        let files: Vec<String> = merged.files.iter().map(|p| p.display().to_string()).collect();
        let json = json!({
            "count": merged.manifest.count,
            "failed": merged.failures,
            "statistics": merged.statistics.to_json(),
            "files": files,
        });
        self.show.print(&json, || {
            let mut text = format!(
                "{} trajectories of {} shards, {} failed\n",
                merged.manifest.count,
                self.shards.len(),
                merged.failures
            );
            files.iter().for_each(|file| text += &format!("wrote {file}\n"));
            text
        })?;
        match merged.failures == merged.manifest.count {
            true => Err(Failure::AllFailed { count: merged.failures }),
            false => Ok(()),
        }
    }
}
