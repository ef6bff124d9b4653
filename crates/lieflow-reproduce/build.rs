//! Lists the files of `experiments/` so that the program carries them: adding one is adding a
//! file.
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = manifest.join("experiments");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    for folder in sorted(&root)? {
        if folder.is_dir() {
            println!("cargo::rerun-if-changed={}", folder.display());
            files.extend(
                sorted(&folder)?.into_iter().filter(|f| f.extension().is_some_and(|e| e == "toml")),
            );
        }
    }
    let mut list = String::from("&[\n");
    for file in files {
        let name = |p: Option<&std::ffi::OsStr>| {
            p.map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
        };
        let id = name(file.file_stem());
        let folder = name(file.parent().and_then(Path::file_name));
        let path = file.canonicalize()?;
        let _ = writeln!(
            list,
            "Source {{ id: {id:?}, folder: {folder:?}, text: include_str!({path:?}) }},"
        );
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("sources.rs"), list)
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries =
        fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    Ok(entries)
}
