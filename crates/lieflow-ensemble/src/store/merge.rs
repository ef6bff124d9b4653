//! Putting shards together.
use super::manifest::difference;
use super::{GROWING, Manifest, StoreError, read};
use crate::statistics::Statistics;
use serde_json::Value as Json;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What a merge made.
#[derive(Clone, Debug)]
pub struct Merged {
    /// What the files have in common.
    pub manifest: Manifest,
    /// The statistics of all.
    pub statistics: Statistics,
    /// Trajectories that did not reach the end.
    pub failures: u64,
    /// The files.
    pub files: Vec<PathBuf>,
}

/// Merges the folders of complete shards into one: the bytes of a run of the whole.
pub fn merge(shards: &[PathBuf], out: &Path) -> Result<Merged, StoreError> {
    let mut parts = Vec::new();
    for dir in shards {
        let manifest = load(dir)?;
        let done = read::progress(dir)?.map_or(manifest.range.0, |(done, _)| done);
        if done < manifest.range.1 {
            return Err(StoreError::Shards(format!(
                "{}: the shard is not complete: it has come to trajectory {done} of {} to {}; run it again to go on",
                dir.display(),
                manifest.range.0,
                manifest.range.1
            )));
        }
        parts.push((dir, manifest));
    }
    parts.sort_by_key(|(_, manifest)| manifest.range);
    let Some((_, first)) = parts.first() else {
        return Err(StoreError::Shards("no shards were given".into()));
    };
    let whole = Manifest { range: (0, first.count), ..first.clone() };
    let mut next = 0;
    for (dir, part) in &parts {
        let other = Manifest { range: whole.range, ..part.clone() };
        if other != whole {
            let path = dir.join("ensemble.json");
            let what = difference(&other.to_json().to_string(), &whole.to_json().to_string());
            return Err(StoreError::Other { path, what });
        }
        if part.range.0 != next {
            return Err(StoreError::Shards(format!(
                "{}: the shard begins at trajectory {}, expected {next}: a shard is missing or given twice",
                dir.display(),
                part.range.0
            )));
        }
        next = part.range.1;
    }
    if next != whole.count {
        return Err(StoreError::Shards(format!(
            "the shards end at trajectory {next}, expected {}: the last ones are missing",
            whole.count
        )));
    }
    std::fs::create_dir_all(out).map_err(StoreError::at(out))?;
    let write = |name: &str, text: String| -> Result<PathBuf, StoreError> {
        let path = out.join(name);
        std::fs::write(&path, text).map_err(StoreError::at(&path))?;
        Ok(path)
    };
    let mut files = vec![write("ensemble.json", format!("{:#}\n", whole.to_json()))?];
    let (mut lengths, mut failures) = ([0; 3], 0);
    for (k, name) in GROWING.iter().enumerate() {
        let path = out.join(name);
        let (rows, length) = join(&parts, name, &whole.headers()[k], &path)?;
        lengths[k] = length;
        if *name == "failures.csv" {
            failures = rows;
        }
        if k > 0 && rows == 0 {
            std::fs::remove_file(&path).map_err(StoreError::at(&path))?;
        } else {
            files.push(path);
        }
    }
    let note = serde_json::json!({ "done": whole.count, "lengths": lengths });
    write("progress.json", format!("{note}\n"))?;
    let statistics = read::statistics(out, &whole)?;
    files.push(write("statistics.csv", statistics.to_csv())?);
    Ok(Merged { manifest: whole, statistics, failures, files })
}

/// One file out of those of the shards, with one header line; its rows and its length.
fn join(
    parts: &[(&PathBuf, Manifest)],
    name: &str,
    header: &str,
    path: &Path,
) -> Result<(u64, u64), StoreError> {
    let file = File::create(path).map_err(StoreError::at(path))?;
    let mut out = BufWriter::new(file);
    let (mut rows, mut length) = (0, header.len() as u64);
    out.write_all(header.as_bytes()).map_err(StoreError::at(path))?;
    for (dir, _) in parts {
        let from = dir.join(name);
        let file = match File::open(&from) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(StoreError::at(&from)(error)),
        };
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        let mut first = true;
        while reader.read_until(b'\n', &mut line).map_err(StoreError::at(&from))? > 0 {
            if !first {
                out.write_all(&line).map_err(StoreError::at(path))?;
                rows += 1;
                length += line.len() as u64;
            }
            first = false;
            line.clear();
        }
    }
    out.flush().map_err(StoreError::at(path))?;
    Ok((rows, length))
}

/// The manifest of a folder.
fn load(dir: &Path) -> Result<Manifest, StoreError> {
    let path = dir.join("ensemble.json");
    let text = std::fs::read_to_string(&path).map_err(StoreError::at(&path))?;
    let json: Json = serde_json::from_str(&text).unwrap_or(Json::Null);
    Manifest::from_json(&json).ok_or_else(|| StoreError::Damaged {
        path,
        line: 1,
        found: text.chars().take(60).collect(),
        expected: "the manifest of an ensemble".into(),
    })
}
