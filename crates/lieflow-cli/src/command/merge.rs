//! `lieflow merge`: the shards of an ensemble become one.
use crate::error::Failure;
use crate::options::Show;
use crate::output::{print, print_json};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Put the shards of an ensemble together: the same bytes as one run of the whole.
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

impl Merge {
    /// Carries it out.
    pub fn execute(self) -> Result<(), Failure> {
        let merged = lieflow_ensemble::store::merge(&self.shards, &self.out)?;
        let files: Vec<String> = merged.files.iter().map(|p| p.display().to_string()).collect();
        if self.show.json {
            print_json(&json!({
                "count": merged.manifest.count,
                "failed": merged.failures,
                "statistics": merged.statistics.to_json(),
                "files": files,
            }))
        } else if self.show.quiet {
            Ok(())
        } else {
            let mut text = format!(
                "{} trajectories of {} shards, {} failed\n",
                merged.manifest.count,
                self.shards.len(),
                merged.failures
            );
            files.iter().for_each(|file| text += &format!("wrote {file}\n"));
            print(&text)
        }
    }
}
