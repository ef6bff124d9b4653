//! Results on disk: what a crash, a second process, a signal or a damaged byte may do to them.
use crate::common::{command, folder, outcome};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

mod crash;
mod damage;
mod lock;
mod resume;
#[cfg(unix)]
mod signals;

/// A problem for `run`, with events of every file but little to compute.
pub const RUN: &str = r#"
system = "reduced-body"
parameters.inertia = [1.0, 2.0, 3.0]
initial.momentum = [1.0, 0.5, 2.0]
solve = { method = "rkmk4", step = 0.1, until = 1.0 }
"#;

/// The same for `ensemble`; every third trajectory fails.
pub const MANY: &str = r#"
[ensemble]
count = 30
times = [0.5]
[[ensemble.vary]]
key = "initial.momentum[1]"
uniform = [0.5, 1.0]
[[ensemble.vary]]
key = "parameters.inertia[1]"
list = [1.0, 1.1, -1.0]
"#;

/// Files by their paths below a folder.
pub type Files = BTreeMap<String, Vec<u8>>;

/// What is in a folder and below it, but for locks.
pub fn files(dir: &Path) -> Files {
    let mut all = Files::new();
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        for entry in std::fs::read_dir(dir.join(&below)).into_iter().flatten() {
            let entry = entry.unwrap();
            let path = below.join(entry.file_name());
            if entry.path().is_dir() {
                open.push(path);
            } else if entry.file_name() != ".lieflow-lock" {
                let bytes = std::fs::read(entry.path()).unwrap();
                all.insert(path.to_str().unwrap().into(), bytes);
            }
        }
    }
    all
}

/// Those that are the same in every run: others say how long it took.
pub fn lasting(files: &Files) -> Files {
    let timed = ["summary.json", "report.html", "result.json", "index.html", "SHA256SUMS"];
    let lasting = |(name, _): &(&String, &Vec<u8>)| {
        !timed.contains(&name.rsplit('/').next().unwrap()) && !name.ends_with(".unfinished")
    };
    files.iter().filter(lasting).map(|(name, bytes)| (name.clone(), bytes.clone())).collect()
}

/// The commands that write results, ready to be called.
pub struct Scene {
    pub root: PathBuf,
}

pub const COMMANDS: [&str; 6] = ["run", "ensemble", "arrays", "merge", "merge-arrays", "reproduce"];

impl Scene {
    pub fn new(name: &str) -> Self {
        let root = folder(&format!("trust-{}-{name}", std::process::id()));
        std::fs::write(root.join("run.toml"), RUN).unwrap();
        std::fs::write(root.join("many.toml"), format!("{RUN}{MANY}")).unwrap();
        let scene = Self { root };
        for k in ["1", "2"] {
            let shard = format!("{k}/2");
            let arguments = ["ensemble", "many.toml", "--shard", &shard, "--quiet", "--out"];
            for (format, part) in [("csv", "part"), ("npy", "array")] {
                let mut tool = scene.tool();
                tool.args(arguments).arg(format!("{part}{k}")).args(["--format", format]);
                assert_eq!(outcome(tool.output().unwrap()).status, 0);
            }
        }
        scene
    }

    /// The tool, in the folder of the scene.
    pub fn tool(&self) -> Command {
        let mut tool = command();
        tool.current_dir(&self.root);
        tool
    }

    pub fn dir(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The words of a command that writes into this folder.
    pub fn words(&self, command: &str, out: &str) -> Vec<String> {
        let words = match command {
            "run" => "run run.toml",
            "ensemble" => "ensemble many.toml --threads 1 --lanes 1",
            "arrays" => "ensemble many.toml --threads 1 --lanes 1 --format npy",
            "merge" => "merge part2 part1",
            "merge-arrays" => "merge array2 array1",
            _ => "reproduce krysl-fig02 --quick",
        };
        let words = words.split(' ').chain(["--quiet", "--out", out]);
        words.map(String::from).collect()
    }

    /// Carries a command out.
    pub fn go(&self, command: &str, out: &str) -> crate::common::Outcome {
        outcome(self.tool().args(self.words(command, out)).output().unwrap())
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}
