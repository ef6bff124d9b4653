//! The problems of `tools/gpu/problems`, with which everything that is compiled for GPUs is tried.
use std::path::{Path, PathBuf};

/// Below the folder from which a program is called, if it is there: programs are carried to machines that have no
/// compiler. Else where the sources were.
fn folder() -> PathBuf {
    let here = PathBuf::from("tools/gpu/problems");
    if here.is_dir() {
        return here;
    }
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(here)
}

/// The problem of an entry: of the files whose names begin its name, that with the longest one.
pub fn problem(entry: &str) -> String {
    let files = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    let begins = |path: &PathBuf| {
        let rest = entry.strip_prefix(path.file_stem()?.to_str()?)?;
        (rest.is_empty() || rest.starts_with('_')).then_some(entry.len() - rest.len())
    };
    let file = files.filter(|path| begins(path).is_some()).max_by_key(begins);
    let file = file.unwrap_or_else(|| panic!("tools/gpu/problems has none for {entry}"));
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
