//! Running the real binary.
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a call of the tool gave.
#[derive(Debug)]
pub struct Outcome {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    /// Standard output as one JSON document.
    pub fn json(&self) -> Value {
        assert_eq!(self.status, 0, "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}\n{}", self.stdout))
    }
    /// Bad input: status 2, nothing on standard output, and all these texts in the message.
    pub fn refuses(&self, texts: &[&str]) {
        assert_eq!(self.status, 2, "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        for text in texts {
            assert!(self.stderr.contains(text), "{text:?} not in: {}", self.stderr);
        }
    }
}

pub fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_lieflow"))
}

pub fn outcome(output: Output) -> Outcome {
    Outcome {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

pub fn lieflow(arguments: &[&str]) -> Outcome {
    outcome(command().args(arguments).output().unwrap())
}

/// Status, standard output and standard error.
pub fn parts(arguments: &[&str]) -> (i32, String, String) {
    let Outcome { status, stdout, stderr } = lieflow(arguments);
    (status, stdout, stderr)
}

/// The document of a call with `--json`.
pub fn json(arguments: &[&str]) -> Value {
    lieflow(arguments).json()
}

/// A fresh folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A problem file with this text.
pub fn file(name: &str, text: &str) -> String {
    // Tests run side by side, and two may choose one name.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = folder(&format!("{}-{count}-{name}", std::process::id())).join("p.toml");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().into()
}

/// A small valid problem; tests break it at one place.
pub const TOP: &str = r#"system = "heavy-top"

[parameters]
inertia = [0.8, 1.1, 1.7]
axis = [0.6, 0.0, 0.8]
direction = [0.0, 0.0, 1.0]
strength = 1.3

[initial]
rotation = { vector = [0.3, -0.2, 0.5] }
momentum = [0.4, -0.7, 1.2]

[solve]
method = "rkmk4"
step = 0.1
until = 1.0
"#;

/// The valid problem with one text replaced by another.
pub fn top_with(name: &str, from: &str, to: &str) -> String {
    assert!(TOP.contains(from), "{from}");
    file(name, &TOP.replace(from, to))
}
