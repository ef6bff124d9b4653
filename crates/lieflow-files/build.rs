//! Names the sources that numbers depend on, so that results say which build made them.
//!
//! The name is a hash of their texts: no path, no date, and no tool that a machine may lack. Outside
//! the repository (a published crate) there is nothing to hash, and the version says it all.
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that compute.
const CRATES: [&str; 5] =
    ["lieflow-kernel", "lieflow-formula", "lieflow", "lieflow-models", "lieflow-ensemble"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    let mut found = false;
    for name in CRATES {
        let src = Path::new("..").join(name).join("src");
        if !src.is_dir() {
            continue;
        }
        println!("cargo::rerun-if-changed={}", src.display());
        for path in sources(&src) {
            let text = fs::read(&path).unwrap_or_default();
            let place = path.strip_prefix(&src).unwrap_or(&path).to_string_lossy();
            hash.add(name.as_bytes());
            hash.add(place.replace('\\', "/").as_bytes());
            hash.add(&text);
            found = true;
        }
    }
    // The only arithmetic that comes from elsewhere.
    let lock = Path::new("../../Cargo.lock");
    if found && let Ok(text) = fs::read_to_string(lock) {
        let package = text.split("[[package]]").find(|part| part.contains("name = \"libm\""));
        hash.add(package.unwrap_or_default().as_bytes());
        println!("cargo::rerun-if-changed={}", lock.display());
    }
    let sources = if found { format!("+{:016x}", hash.0) } else { String::new() };
    println!("cargo::rustc-env=LIEFLOW_SOURCES={sources}");
}

/// All files below a folder, in the order of their names.
fn sources(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    paths.into_iter().flat_map(below).collect()
}

/// FNV-1a: to notice a change, not to resist one.
struct Fnv(u64);

impl Fnv {
    /// A text, and where it ends.
    fn add(&mut self, bytes: &[u8]) {
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in length.iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
