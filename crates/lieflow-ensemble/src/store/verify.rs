//! Calling results to account: checksums, and rows computed again.
use super::merge::load_checked;
use super::read::{Table, feed};
use super::rows::Rows;
use super::tables::{FAILURES, Tables};
use super::{Manifest, StoreError};
use crate::design::Design;
use crate::keeper::Keeper;
use crate::run::{Block, EnsembleError, Job, Settings};
use lieflow_files::is_plain;
use lieflow_models::problem_file::{Document, SpecError};
use lieflow_models::system::Registry;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;

/// A complete ensemble whose tables are what was written.
#[derive(Debug)]
pub struct Checked {
    /// What it is.
    pub manifest: Manifest,
    mark: super::mark::Mark,
}

/// Checks the manifest, the note of progress, the tables and the statistics of a folder: every
/// checksum, and that every trajectory has its rows, in the order of the index.
pub fn check(dir: &Path) -> Result<Checked, StoreError> {
    let (manifest, mark) = load_checked(dir)?;
    let mut statistics = manifest.statistics();
    feed(dir, &manifest, &mark, &mut statistics)?;
    if mark.end < manifest.range.1 {
        let (path, range) = (dir.into(), manifest.range);
        return Err(StoreError::Incomplete { path, done: mark.end, range });
    }
    let path = dir.join("statistics.csv");
    let text = statistics.to_csv();
    if !is_plain(&path, text.as_bytes()).map_err(StoreError::at(&path))? {
        return Err(StoreError::changed(&path, "it is"));
    }
    Ok(Checked { manifest, mark })
}

/// Computes trajectories again, alone, from the problem, the seed and their indices: each must have
/// the rows that it has in the folder, to the last bit. Numbers that came from a file are taken from
/// the rows.
pub fn compute_again(
    dir: &Path,
    checked: &Checked,
    systems: &Registry,
    indices: &[u64],
) -> Result<(), EnsembleError> {
    let manifest = &checked.manifest;
    let mut wanted: BTreeMap<u64, [Vec<u8>; 3]> =
        indices.iter().map(|index| (*index, Default::default())).collect();
    let tables = Tables::of(manifest);
    for k in 0..tables.names.len() {
        let mut table = Table::open(dir, k, &tables, manifest, &checked.mark)?;
        while let Some((index, row)) = table.row()? {
            if let Some(rows) = wanted.get_mut(&index) {
                rows[k].extend(row);
            }
        }
    }
    let texts = wanted.iter().map(|(index, rows)| (*index, varied(rows, &tables))).collect();
    let (_, design) = design_for(manifest, dir, systems, &texts)?;
    for (index, rows) in &wanted {
        let mut again = Again { tables: &tables, rows: Rows::default() };
        let settings = Settings { threads: 1, lanes: Some(1), shard: None };
        let job = Job::new(&design, manifest.problem.clone(), settings);
        job.range(*index..*index + 1).run(&mut again)?;
        for (k, name) in tables.names.iter().enumerate() {
            if numbers(&rows[k], k) != numbers(again.rows.bytes(k), k) {
                let what = format!(
                    "trajectory {index}, computed again by build {} (the ensemble is of build {}), is",
                    lieflow_files::BUILD,
                    manifest.build
                );
                return Err(StoreError::Again { path: dir.join(name), what }.into());
            }
        }
    }
    Ok(())
}

/// The problem and the design of an ensemble in a folder. Numbers that came from a file are not in it.
pub fn design_of(
    manifest: &Manifest,
    dir: &Path,
    systems: &Registry,
) -> Result<(Document, Design), SpecError> {
    design_for(manifest, dir, systems, &BTreeMap::new())
}

/// The same, with the numbers of these rows.
fn design_for(
    manifest: &Manifest,
    dir: &Path,
    systems: &Registry,
    wanted: &BTreeMap<u64, String>,
) -> Result<(Document, Design), SpecError> {
    let origin = dir.join("ensemble.json").display().to_string();
    let document = Document::parse_with(systems, &to_toml(&manifest.problem), &origin, &[])?;
    let design = Design::read(&document, &|name| Ok(file_of_rows(name, manifest, wanted)))?;
    Ok((document, design))
}

/// A row that begins with the index and the varied numbers, as text.
fn varied(rows: &[Vec<u8>; 3], tables: &Tables) -> String {
    let mut text = String::new();
    match tables.record(0) {
        Some(record) => record.push_text(&mut text, &rows[0]),
        None => text += &String::from_utf8_lossy(&rows[0]),
    }
    if text.is_empty() { String::from_utf8_lossy(&rows[FAILURES]).into_owned() } else { text }
}

/// Rows without the reasons of failures: these name the problem by the file that it was read from.
fn numbers(rows: &[u8], k: usize) -> &[u8] {
    let reason = |rows: &[u8]| rows.windows(2).position(|bytes| bytes == b",\"");
    let end = if k == FAILURES { reason(rows) } else { None };
    &rows[..end.unwrap_or(rows.len())]
}

/// Keeps the rows of one trajectory.
struct Again<'a> {
    tables: &'a Tables,
    rows: Rows,
}

impl Keeper for Again<'_> {
    fn blocks(&mut self, blocks: &[Block]) -> Result<(), StoreError> {
        blocks.iter().for_each(|block| self.rows.fill(block, self.tables));
        Ok(())
    }
}

/// A file of varied numbers as it must have been: these trajectories have the numbers of their rows,
/// and nobody asks for the others.
fn file_of_rows(name: &str, manifest: &Manifest, wanted: &BTreeMap<u64, String>) -> String {
    // Of all keys that this file varies: the names of its columns, and their places in a row.
    let mut columns: Vec<(String, usize)> = Vec::new();
    let mut place = 1;
    for vary in manifest.problem["ensemble"]["vary"].as_array().into_iter().flatten() {
        let key = vary["key"].as_str().unwrap_or_default();
        let of_key = |input: &&String| {
            input.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
        };
        let width = manifest.inputs[place - 1..].iter().take_while(of_key).count();
        if vary["csv"].as_str() == Some(name) {
            let names: Vec<&str> = match &vary["columns"] {
                Json::String(name) => vec![name],
                names => names.as_array().into_iter().flatten().filter_map(Json::as_str).collect(),
            };
            columns.extend(names.iter().zip(place..).map(|(name, k)| (name.to_string(), k)));
        }
        place += width;
    }
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    let nothing = vec!["0"; columns.len()].join(",");
    let mut text = names.join(",");
    for index in 0..manifest.count {
        text.push('\n');
        let Some(row) = wanted.get(&index) else {
            text += &nothing;
            continue;
        };
        let cells: Vec<&str> = row.split(',').collect();
        let numbers: Vec<&str> =
            columns.iter().map(|(_, k)| cells.get(*k).copied().unwrap_or("0")).collect();
        text += &numbers.join(",");
    }
    text
}

/// A problem that was written as JSON, as a problem file: every value of it is one of TOML too.
fn to_toml(problem: &Json) -> String {
    fn value(json: &Json) -> String {
        match json {
            Json::Array(items) => {
                let items: Vec<String> = items.iter().map(value).collect();
                format!("[{}]", items.join(", "))
            }
            Json::Object(map) => {
                let pair = |(key, entry): (&String, &Json)| {
                    format!("{} = {}", Json::from(key.as_str()), value(entry))
                };
                let pairs: Vec<String> = map.iter().map(pair).collect();
                format!("{{ {} }}", pairs.join(", "))
            }
            other => other.to_string(),
        }
    }
    let entries = problem.as_object().into_iter().flatten();
    entries
        .map(|(key, entry)| format!("{} = {}\n", Json::from(key.as_str()), value(entry)))
        .collect()
}
