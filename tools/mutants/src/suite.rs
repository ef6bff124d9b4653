//! The tests: which mutants each reaches, and whether they notice one.
use crate::plant::Mutant;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    program: usize,
    name: String,
    /// What it takes.
    time: Duration,
    /// The mutants that it reaches.
    reached: BTreeSet<u32>,
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The compiler found it.
    Compiler,
    /// A test of these failed.
    Killed(String),
    /// So many tests reached it, and all passed.
    Survived(usize),
}

/// All tests that pass without a mutant and do not take too long.
pub struct Suite {
    programs: Vec<PathBuf>,
    root: PathBuf,
    pub tests: Vec<Test>,
}

/// How a test program ended.
#[derive(PartialEq, Eq)]
enum End {
    Passed,
    Failed,
    Late,
}

impl Suite {
    /// Lists the tests and tries each once, unless that was done before (`notes`).
    pub fn new(
        programs: Vec<PathBuf>,
        root: &Path,
        slowest: Duration,
        notes: &Path,
    ) -> Result<Self, String> {
        let mut suite = Self { programs, root: root.into(), tests: Vec::new() };
        let noted = std::fs::read_to_string(notes).unwrap_or_default();
        let mut noted: BTreeMap<&str, &str> =
            noted.lines().filter_map(|line| line.split_once(' ')).collect();
        let mut lines = String::new();
        for program in 0..suite.programs.len() {
            let path = &suite.programs[program];
            let list = Command::new(path)
                .arg("--list")
                .output()
                .map_err(|e| format!("{}: {e}", path.display()))?;
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            for name in String::from_utf8_lossy(&list.stdout)
                .lines()
                .filter_map(|line| line.strip_suffix(": test"))
            {
                let key = format!("{file}::{name}");
                let line = match noted.remove(key.as_str()) {
                    Some(line) => line.to_string(),
                    None => suite.try_out(program, name, slowest),
                };
                lines += &format!("{key} {line}\n");
                let mut numbers = line.split_whitespace();
                let time = numbers.next().and_then(|t| t.parse().ok());
                // No time: it failed, or took too long.
                if let Some(seconds) = time {
                    let time = Duration::from_secs_f64(seconds);
                    let reached = numbers.filter_map(|n| n.parse().ok()).collect();
                    suite.tests.push(Test { program, name: name.into(), time, reached });
                }
                std::fs::write(notes, &lines).map_err(|e| e.to_string())?;
            }
        }
        suite.tests.sort_by_key(|test| test.time);
        Ok(suite)
    }

    /// Seconds and the mutants that are reached, or why the test is of no use.
    fn try_out(&self, program: usize, name: &str, slowest: Duration) -> String {
        let clock = Instant::now();
        match self.go(program, &[name], ("LIEFLOW_MUTANT", "0"), slowest) {
            End::Passed => {}
            End::Failed => return "fails".into(),
            End::Late => return "late".into(),
        }
        let time = clock.elapsed();
        let cover = self.root.join("cover.txt");
        let _ = std::fs::remove_file(&cover);
        let place = cover.to_string_lossy().into_owned();
        self.go(program, &[name], ("LIEFLOW_MUTANT_COVER", &place), 3 * slowest);
        let reached = std::fs::read_to_string(&cover).unwrap_or_default();
        let reached: Vec<&str> = reached.lines().collect();
        format!("{:.3} {}", time.as_secs_f64(), reached.join(" "))
    }

    fn go(&self, program: usize, names: &[&str], set: (&str, &str), limit: Duration) -> End {
        let child = Command::new(&self.programs[program])
            .args(["--exact", "--test-threads=1", "-q"])
            .args(names)
            .env(set.0, set.1)
            .env("RUST_MIN_STACK", "67108864")
            .current_dir(&self.root)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut child) = child else { return End::Failed };
        let clock = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) => {
                    return if status.success() { End::Passed } else { End::Failed };
                }
                Err(_) => return End::Failed,
                Ok(None) if clock.elapsed() > limit => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return End::Late;
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// Gives a mutant to the tests that reach it, the fastest first, until one fails.
    pub fn judge(&self, mutant: &Mutant) -> Verdict {
        let tests: Vec<&Test> =
            self.tests.iter().filter(|t| t.reached.contains(&mutant.id)).collect();
        let number = mutant.id.to_string();
        let mut rest = &tests[..];
        let mut together = Duration::from_millis(300);
        while !rest.is_empty() {
            // As many at once as take about so long, all of one program.
            let program = rest[0].program;
            let (mut batch, mut time) = (1, rest[0].time);
            while let Some(next) = rest.get(batch)
                && next.program == program
                && time + next.time < together
            {
                time += next.time;
                batch += 1;
            }
            let names: Vec<&str> = rest[..batch].iter().map(|test| test.name.as_str()).collect();
            let limit = 8 * time + Duration::from_secs(10);
            match self.go(program, &names, ("LIEFLOW_MUTANT", &number), limit) {
                End::Passed => {}
                End::Failed => return Verdict::Killed(names.join(" ")),
                End::Late => return Verdict::Killed(format!("{} (did not end)", names.join(" "))),
            }
            rest = &rest[batch..];
            together *= 2;
        }
        Verdict::Survived(tests.len())
    }
}
