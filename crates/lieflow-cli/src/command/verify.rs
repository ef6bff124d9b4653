//! `lieflow verify`: calls a result to account.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::Show;
use clap::Args;
use lieflow_ensemble::store::{self, StoreError};
use lieflow_files::{SUMS, UNFINISHED};
use serde_json::json;
use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::path::PathBuf;

/// Check a result: the checksums of all its files, and rows of an ensemble computed again
#[derive(Args, Debug)]
pub struct Verify {
    /// A folder that `--out` of run, ensemble, merge, reproduce or a study has written
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// So many trajectories of an ensemble, drawn at random, are computed again, bit for bit
    #[arg(long, value_name = "K", default_value_t = 16)]
    rows: u64,
    #[command(flatten)]
    show: Show,
}

impl Execute for Verify {
    /// Status 0 if everything is what was written, 1 if not, 2 if there is no result.
    fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
        let dir = &self.folder;
        let is_ensemble = dir.join("ensemble.json").exists();
        if !is_ensemble && ![SUMS, UNFINISHED].iter().any(|name| dir.join(name).exists()) {
            return Err(Failure::NoResult { path: dir.clone() });
        }
        let found = self.check(context, is_ensemble);
        let (files, rows, damage) = match &found {
            Ok((files, rows)) => (*files, rows.clone(), None),
            Err(damage) => (0, Vec::new(), Some(damage.to_string())),
        };
        let json =
            json!({ "right": found.is_ok(), "files": files, "rows": rows, "damage": damage });
        self.show.print(&json, || match &found {
            Ok(_) if is_ensemble => {
                let n = rows.len();
                format!(
                    "right: {files} files as they were written, {n} trajectories computed again\n"
                )
            }
            Ok(_) => format!("right: {files} files as they were written\n"),
            Err(_) => String::new(),
        })?;
        found.map(|_| ())
    }
}

impl Verify {
    /// How many files are right, and which trajectories were computed again.
    fn check(
        &self,
        context: &Context<'_>,
        is_ensemble: bool,
    ) -> Result<(usize, Vec<u64>), Failure> {
        let dir = &self.folder;
        // An ensemble knows best which of its rows are wrong.
        let checked = is_ensemble.then(|| store::check(dir)).transpose().map_err(damaged)?;
        let files =
            lieflow_files::check(dir).map_err(|damage| Failure::Damaged(damage.to_string()))?;
        let Some(checked) = checked else { return Ok((files, Vec::new())) };
        let (begin, end) = checked.manifest.range;
        let rows: Vec<u64> = choose(begin..end, self.rows).into_iter().collect();
        store::compute_again(dir, &checked, context.systems, &rows)
            .map_err(|error| Failure::Damaged(error.to_string()))?;
        Ok((files, rows))
    }
}

fn damaged(error: StoreError) -> Failure {
    Failure::Damaged(error.to_string())
}

/// So many different numbers of a range, drawn anew each time.
fn choose(range: Range<u64>, count: u64) -> BTreeSet<u64> {
    let length = range.end - range.start;
    if count >= length {
        return range.collect();
    }
    let random = RandomState::new();
    let mut chosen = BTreeSet::new();
    let mut draws: u64 = 0;
    while (chosen.len() as u64) < count {
        chosen.insert(range.start + random.hash_one(draws) % length);
        draws += 1;
    }
    chosen
}
