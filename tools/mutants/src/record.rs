//! Verdicts as they come, in a file, and the score.
use crate::accepted::Accepted;
use crate::plant::Mutant;
use crate::suite::Verdict;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// The verdicts of a call.
pub struct Record<'a> {
    file: File,
    accepted: &'a Accepted,
    tried: usize,
    noticed: usize,
    equal: usize,
    /// Those that no test noticed, by name, and how many tests reached each.
    alive: BTreeMap<String, usize>,
}

/// Mutants by name that were noticed in an earlier call, each with its line in the file.
pub fn noticed(path: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with("Survived"));
    lines.filter_map(|line| Some((line.rsplit('\t').next()?.into(), line.into()))).collect()
}

impl<'a> Record<'a> {
    /// Begins the file; what was noticed before stays.
    pub fn new(
        path: &Path,
        accepted: &'a Accepted,
        before: &BTreeMap<String, String>,
    ) -> Result<Self, String> {
        let mut file = File::create(path).map_err(|e| format!("{}: {e}", path.display()))?;
        for line in before.values() {
            writeln!(file, "{line}").map_err(|e| e.to_string())?;
        }
        Ok(Self {
            file,
            accepted,
            tried: before.len(),
            noticed: before.len(),
            equal: 0,
            alive: BTreeMap::new(),
        })
    }

    /// One more verdict.
    pub fn add(&mut self, mutant: &Mutant, verdict: &Verdict) -> Result<(), String> {
        let name = mutant.name();
        writeln!(self.file, "{verdict:?}\t{}:{}\t{name}", mutant.file, mutant.line)
            .map_err(|e| e.to_string())?;
        self.tried += 1;
        match verdict {
            Verdict::Survived(_) if self.accepted.has(&name) => self.equal += 1,
            Verdict::Survived(tests) => {
                println!("alive, reached by {tests} tests: line {}, {name}", mutant.line);
                self.alive.insert(name, *tests);
            }
            _ => self.noticed += 1,
        }
        Ok(())
    }

    /// The share of mutants that were noticed, in per cent, of those that can be; and all in words.
    pub fn score(&self) -> (f64, String) {
        let Self { tried, noticed, equal, .. } = *self;
        let score = 100.0 * noticed as f64 / (tried - equal).max(1) as f64;
        let alive = self.alive.len();
        let words = format!(
            "{tried} mutants: {noticed} noticed, {alive} alive, {equal} accepted as equivalent: {score:.1} %"
        );
        (score, words)
    }

    /// Writes the list of those that live, under these words.
    pub fn write_survivors(&self, path: &Path, words: &str) -> Result<(), String> {
        let mut text = format!(
            "# Written by tools/mutants/run: mutants that no test notices, and how many tests reach each.\n# {words}\n"
        );
        for (name, tests) in &self.alive {
            text += &format!("{tests}\t{name}\n");
        }
        std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
    }
}
