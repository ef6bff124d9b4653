//! The tests: which mutants each reaches, and whether they notice one.
use crate::options::Options;
use crate::plant::Mutant;
use crate::program::{End, run};
use crate::workers::each;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A test.
#[derive(Debug)]
pub struct Test {
    program: usize,
    name: String,
    /// What it takes.
    time: Duration,
    /// The mutants that it reaches.
    reached: BTreeSet<u32>,
    /// How many mutants it was given, and how many of them it noticed.
    tried: AtomicU32,
    noticed: AtomicU32,
}

impl Test {
    /// Seconds that it takes to notice one mutant, by what was seen of it so far.
    fn price(&self) -> f64 {
        let (tried, noticed) = (self.tried.load(Relaxed), self.noticed.load(Relaxed));
        (self.time.as_secs_f64() + 0.005) * f64::from(tried + 2) / f64::from(noticed + 1)
    }
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The compiler found it.
    Compiler,
    /// This test failed.
    Killed(String),
    /// So many tests reached it, and all passed.
    Survived(usize),
}

/// All tests that pass without a mutant and do not take too long.
pub struct Suite {
    programs: Vec<PathBuf>,
    root: PathBuf,
    /// How long tests that reach a mutant are tried.
    patience: Duration,
    pub tests: Vec<Test>,
}

impl Suite {
    /// Lists the tests and tries each once, unless that was done before (`notes`) with the same
    /// mutants (`garden`).
    pub fn new(
        programs: Vec<PathBuf>,
        root: &Path,
        (notes, garden): (&Path, u64),
        options: &Options,
    ) -> Result<Self, String> {
        let &Options { slowest, patience, threads, .. } = options;
        let mut suite = Self { programs, root: root.into(), patience, tests: Vec::new() };
        let noted = std::fs::read_to_string(notes).unwrap_or_default();
        let head = format!("mutants {garden:016x}");
        let noted: BTreeMap<&str, &str> = match noted.split_once('\n') {
            Some((first, rest)) if first == head => {
                rest.lines().filter_map(|line| line.split_once(' ')).collect()
            }
            _ => BTreeMap::new(),
        };
        let mut wanted = Vec::new();
        for (program, path) in suite.programs.iter().enumerate() {
            let list = Command::new(path)
                .arg("--list")
                .output()
                .map_err(|e| format!("{}: {e}", path.display()))?;
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            for name in String::from_utf8_lossy(&list.stdout)
                .lines()
                .filter_map(|line| line.strip_suffix(": test"))
                .filter(|name| options.wants(name))
            {
                wanted.push((program, name.to_string(), format!("{file}::{name}")));
            }
        }
        let mut lines = vec![String::new(); wanted.len()];
        // What is known of tests that are not wanted now stays.
        let mut text = head;
        let keys: BTreeSet<&str> = wanted.iter().map(|(_, _, key)| key.as_str()).collect();
        for (key, line) in noted.iter().filter(|(key, _)| !keys.contains(*key)) {
            text += &format!("\n{key} {line}");
        }
        let tried = |(program, name, key): &(usize, String, String), worker: usize| match noted
            .get(key.as_str())
        {
            Some(line) => line.to_string(),
            None => suite.try_out(*program, name, slowest, worker),
        };
        each(&wanted, threads, tried, |k, line| {
            text += &format!("\n{} {line}", wanted[k].2);
            lines[k] = line;
            std::fs::write(notes, &text).map_err(|e| e.to_string())
        })?;
        for ((program, name, _), line) in wanted.into_iter().zip(lines) {
            let mut numbers = line.split_whitespace();
            // No time: it failed, or took too long.
            if let Some(seconds) = numbers.next().and_then(|t| t.parse().ok()) {
                let time = Duration::from_secs_f64(seconds);
                let reached = numbers.filter_map(|n| n.parse().ok()).collect();
                let (tried, noticed) = (AtomicU32::new(0), AtomicU32::new(0));
                suite.tests.push(Test { program, name, time, reached, tried, noticed });
            }
        }
        Ok(suite)
    }

    /// Whether any test reaches a mutant.
    pub fn reaches(&self, mutant: &Mutant) -> bool {
        self.tests.iter().any(|test| test.reached.contains(&mutant.id))
    }

    /// Seconds and the mutants that are reached, or why the test is of no use.
    fn try_out(&self, program: usize, name: &str, slowest: Duration, worker: usize) -> String {
        let cover = self.root.join(format!("cover-{worker}.txt"));
        let _ = std::fs::remove_file(&cover);
        let set = ("LIEFLOW_MUTANT_COVER", cover.to_string_lossy().into_owned());
        let clock = Instant::now();
        let go = |set| run(&self.programs[program], &self.root, &[name], set, slowest);
        let mut end = go(set);
        if matches!(end, End::Failed(_)) {
            // Telling what is reached takes memory, which some tests count.
            end = go(("LIEFLOW_MUTANT", "0".into()));
        }
        match end {
            End::Passed => {}
            End::Failed(_) => return "fails".into(),
            End::Late => return "late".into(),
        }
        let time = clock.elapsed();
        let reached = std::fs::read_to_string(&cover).unwrap_or_default();
        let reached: Vec<&str> = reached.lines().collect();
        format!("{:.3} {}", time.as_secs_f64(), reached.join(" "))
    }

    /// Gives a mutant to the tests that reach it until one fails: first those that are cheap for what
    /// they notice.
    pub fn judge(&self, mutant: &Mutant) -> Verdict {
        let reaching = |test: &&Test| test.reached.contains(&mutant.id);
        self.judge_with(self.tests.iter().filter(reaching).collect(), mutant.id)
    }

    /// All tests of these programs judge a mutant that is always on.
    pub fn judge_by(&self, programs: &[PathBuf]) -> Verdict {
        let judging = |test: &&Test| programs.contains(&self.programs[test.program]);
        self.judge_with(self.tests.iter().filter(judging).collect(), 0)
    }

    fn judge_with(&self, mut rest: Vec<&Test>, id: u32) -> Verdict {
        let (mut count, mut spent) = (0, Duration::ZERO);
        rest.sort_by(|a, b| a.price().total_cmp(&b.price()));
        let mut together = Duration::from_millis(100);
        while !rest.is_empty() && spent < self.patience {
            // As many at once as take about so long, all of one program.
            let (mut batch, mut time) = (Vec::new(), Duration::ZERO);
            let program = rest[0].program;
            rest.retain(|test| {
                let takes = test.program == program
                    && (batch.is_empty() || time + test.time < together && batch.len() < 200);
                if takes {
                    batch.push(*test);
                    time += test.time;
                }
                !takes
            });
            let names: Vec<&str> = batch.iter().map(|test| test.name.as_str()).collect();
            let set = ("LIEFLOW_MUTANT", id.to_string());
            let end = run(&self.programs[program], &self.root, &names, set, 4 * time);
            for test in &batch {
                test.tried.fetch_add(1, Relaxed);
            }
            match end {
                End::Passed => {}
                End::Failed(name) => {
                    if let Some(test) = batch.iter().find(|test| test.name == name) {
                        test.noticed.fetch_add(1, Relaxed);
                    }
                    return Verdict::Killed(name);
                }
                End::Late => return Verdict::Killed(format!("{} (did not end)", names.join(" "))),
            }
            together *= 2;
            count += batch.len();
            spent += time;
        }
        Verdict::Survived(count)
    }
}
