//! Results of experiments on disk: believed only as they were written, by the same build.
use crate::experiment::Source;
use crate::finished::Finished;
use crate::gallery;
use crate::study::DataTable;
use lieflow_files::{
    BUILD, FileError, Hash, Hasher, Kind, MOST_AT_ONCE, ResultFolder, SUMS, Sums, Written,
    read_plain,
};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// What turns runs into measurements; the build does not know it.
const SOURCES: [&str; 14] = [
    include_str!("claim.rs"),
    include_str!("experiment.rs"),
    include_str!("measure.rs"),
    include_str!("run.rs"),
    include_str!("study/adaptive.rs"),
    include_str!("study/component.rs"),
    include_str!("study/convergence.rs"),
    include_str!("study/ensemble.rs"),
    include_str!("study/landscape.rs"),
    include_str!("study/mod.rs"),
    include_str!("study/path.rs"),
    include_str!("study/roundings.rs"),
    include_str!("study/series.rs"),
    include_str!("study/timing.rs"),
];

/// A short name for what determines a result: the file, the mode and the build.
pub(crate) fn fingerprint(source: &Source, quick: bool) -> String {
    let mut hasher = Hasher::default();
    for text in [source.text, if quick { "quick" } else { "full" }, BUILD].iter().chain(&SOURCES) {
        hasher.add(&(text.len() as u64).to_le_bytes());
        hasher.add(text.as_bytes());
    }
    hasher.hash().to_string()
}

/// The text of a file that is there.
fn read(path: &Path) -> Option<String> {
    String::from_utf8(read_plain(path, MOST_AT_ONCE).ok()?).ok()
}

/// The result that is there, if it has this mark, is complete, and is what was written.
pub(crate) fn resume(source: &Source, folder: &Path, mark: &str) -> Option<Finished> {
    let sums = Sums::load(folder, SUMS).ok()??;
    if !sums.0.contains_key("result.json") || sums.damage(folder).ok()?.is_some() {
        return None;
    }
    let text = read(&folder.join("result.json"))?;
    let json: Json = serde_json::from_str(&text).ok()?;
    if json.get("fingerprint")?.as_str()? != mark || !json.get("failure")?.is_null() {
        return None;
    }
    let figures = (1..).map(|k| format!("figure-{k}.svg"));
    let figures = figures.take_while(|name| sums.0.contains_key(name));
    let figures = figures.map(|name| read(&folder.join(name)));
    Finished::from_json(source, &json, figures.collect::<Option<_>>()?)
}

/// Writes the files of an experiment into its folder below `out`, all at once.
pub(crate) fn write(
    out: &Path,
    folder: &Path,
    finished: &mut Finished,
    data: &[DataTable],
    mark: &str,
) -> Result<(), FileError> {
    let mut results = ResultFolder::inside(folder, Kind::Experiment)?;
    let mut files = Vec::new();
    let mut put = |name: String, text: &str| -> Result<(), FileError> {
        let path = results.write(&name, text.as_bytes())?;
        files.push(path.strip_prefix(out).unwrap_or(&path).to_string_lossy().into_owned());
        Ok(())
    };
    for (k, figure) in finished.figures.iter().enumerate() {
        put(format!("figure-{}.svg", k + 1), figure)?;
    }
    for table in data {
        let mut text = table.head.join(",");
        for row in &table.rows {
            text.push('\n');
            let cell =
                |c: &String| if c.contains([',', '"']) { format!("{c:?}") } else { c.clone() };
            text.push_str(&row.iter().map(cell).collect::<Vec<_>>().join(","));
        }
        text.push('\n');
        put(format!("{}.csv", table.name), &text)?;
    }
    finished.files = files;
    let mut json = finished.to_json();
    json["fingerprint"] = mark.into();
    let text = serde_json::to_string_pretty(&json).unwrap_or_default();
    results.write("result.json", text.as_bytes())?;
    results.commit()
}

/// Writes the page of these experiments, and the checksums of all that are in the folder.
pub fn write_gallery(
    results: &mut ResultFolder,
    finished: &[Finished],
    quick: bool,
) -> Result<PathBuf, FileError> {
    let page = results.write("index.html", gallery::render(finished, quick).as_bytes())?;
    let earlier = results.before().0.keys().filter(|name| name.ends_with(SUMS)).cloned();
    let now = finished.iter().map(|e| format!("{}/{}/{SUMS}", e.folder, e.id));
    for name in earlier.chain(now).collect::<Vec<_>>() {
        let path = results.dir().join(&name);
        if path.exists() {
            let hash = Hash::of_file(&path).map_err(FileError::read(&path))?;
            results.keep(Written { name, hash });
        }
    }
    results.commit()?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::SOURCES;
    use std::path::Path;

    /// A file that is forgotten in the list would let old results pass for new ones.
    #[test]
    fn all_sources_count() {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let others = ["finished.rs", "gallery.rs", "lib.rs", "stored.rs"];
        for dir in [src.clone(), src.join("study")] {
            for entry in std::fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap().to_string();
                if path.is_dir() || others.contains(&name.as_str()) {
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(SOURCES.contains(&text.as_str()), "{name} is not among the sources");
            }
        }
    }
}
