//! `lieflow merge`: the shards of an ensemble become one.
use crate::command::ensemble::result;
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::Show;
use crate::output::number::counted;
use crate::output::written::written;
use clap::Args;
use lieflow_ensemble::run::Outcome;
use lieflow_ensemble::store::{self, Merged};
use lieflow_files::{MOST_AT_ONCE, read_plain};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

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
    fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
        let (merged, mut results) = store::merge_held(&self.shards, &self.out)?;
        let (document, design) = store::design_of(&merged.manifest, &self.out, context.systems)?;
        let told: Vec<Json> = self.shards.iter().map(|dir| summary_of(dir)).collect();
        let outcome = outcome(&merged, &told, &self.out)?;
        let mut json = result::to_json(&outcome, &design);
        json["shards"] = json!(self.shards.len());
        if !told.iter().all(|shard| shard["steps"].is_u64()) {
            // Shards that were not made by the tool do not tell.
            json["steps"] = Json::Null;
            json["trajectory_steps_per_second"] = Json::Null;
        }
        let name = self.out.display().to_string();
        result::write(&mut results, &name, &document, &design, &outcome, &mut json)?;
        self.show.print(&json, || {
            let text = format!(
                "{} of {}, {} failed\n",
                counted(merged.manifest.count, "trajectory"),
                counted(self.shards.len() as u64, "shard"),
                merged.failures
            );
            let files = json["files"].as_array().into_iter().flatten();
            text + &written(files.filter_map(Json::as_str))
        })?;
        match merged.failures == merged.manifest.count {
            true => Err(Failure::AllFailed { count: merged.failures }),
            false => Ok(()),
        }
    }
}

/// What a shard has told of itself, if it has.
fn summary_of(dir: &Path) -> Json {
    let text = read_plain(&dir.join("summary.json"), MOST_AT_ONCE).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// The outcome of the whole: what the shards took is added up.
fn outcome(merged: &Merged, told: &[Json], out: &Path) -> Result<Outcome, Failure> {
    let sum = |key: &str| told.iter().filter_map(|shard| shard[key].as_f64()).sum::<f64>();
    let most = |key: &str| told.iter().filter_map(|shard| shard[key].as_u64()).max();
    let count = |key: &str| most(key).map_or(1, |n| n as usize);
    Ok(Outcome {
        range: (0, merged.manifest.count),
        resumed: 0,
        done: merged.manifest.count,
        interrupted: false,
        steps: told.iter().filter_map(|shard| shard["steps"].as_u64()).sum(),
        seconds: sum("seconds"),
        integration_seconds: sum("integration_seconds"),
        threads: count("threads"),
        device: None,
        lanes: count("lanes"),
        statistics: merged.statistics.clone(),
        failed: merged.failures,
        failures: store::first_failures(out, &merged.manifest)?,
        files: merged.files.clone(),
    })
}
