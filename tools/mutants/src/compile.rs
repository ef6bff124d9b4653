//! Building the copy, and leaving out what does not compile.
use crate::CRATES;
use crate::plant::{Garden, Mutant, read, write};
use crate::suite::{Suite, Verdict};
use std::ops::Range;
use std::path::PathBuf;
use std::process::Command;

/// The crates whose tests judge, unless some are left out.
pub const JUDGES: [&str; 7] = [
    "lieflow-kernel-tests",
    "lieflow-tests",
    "lieflow-models-tests",
    "lieflow-kernel",
    "lieflow",
    "lieflow-files",
    "lieflow-ensemble",
];

fn cargo(garden: &Garden, words: &[&str], crates: &[&str]) -> Result<(bool, String), String> {
    let out = Command::new("cargo")
        .args(words)
        .args(crates.iter().flat_map(|name| ["-p", name]))
        .args(["--message-format", "short", "--color", "never", "-j1"])
        .current_dir(&garden.copy)
        .env("CARGO_TARGET_DIR", garden.copy.join("target"))
        .env("RUSTFLAGS", "-Awarnings")
        .output()
        .map_err(|e| format!("cargo: {e}"))?;
    let said = [out.stdout, out.stderr].concat();
    Ok((out.status.success(), String::from_utf8_lossy(&said).into_owned()))
}

/// Plants the mutants and leaves out those that do not compile, until the rest does.
pub fn settle(
    garden: &Garden,
    files: &[String],
    mut mutants: Vec<Mutant>,
) -> Result<Vec<Mutant>, String> {
    mutants = garden.known_to_compile(mutants);
    loop {
        let places = garden.plant(files, &mutants)?;
        let (done, said) = cargo(garden, &["check", "--lib"], &CRATES)?;
        if done {
            return Ok(mutants);
        }
        let mut bad = Vec::new();
        for (file, line, column) in said.lines().filter_map(error_place) {
            let text = read(&garden.copy.join(&file)).unwrap_or_default();
            bad.extend(culprits(&text, &file, (line, column), &mutants, &places));
        }
        let before = mutants.len();
        bad.sort_unstable();
        bad.dedup();
        for k in &bad {
            garden.refuse(&mutants[*k])?;
        }
        let mut k = 0;
        mutants.retain(|_| {
            k += 1;
            !bad.contains(&(k - 1))
        });
        eprintln!("{} mutants do not compile, {} are left", before - mutants.len(), mutants.len());
        if before == mutants.len() {
            return Err(format!("the tree does not compile:\n{said}"));
        }
    }
}

/// `FILE:LINE:COLUMN: error…`
fn error_place(line: &str) -> Option<(String, usize, usize)> {
    let (place, _) = line.split_once(": error")?;
    let mut parts = place.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some((parts.next()?.trim().to_string(), line, column))
}

/// The mutants that are to blame for an error: the one in which it is, or else those of its line, or
/// of the lines around it.
fn culprits(
    text: &str,
    file: &str,
    (line, column): (usize, usize),
    mutants: &[Mutant],
    places: &[Range<usize>],
) -> Vec<usize> {
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
    let start = |line: usize| starts.get(line).copied().unwrap_or(text.len());
    let at = start(line - 1) + column - 1;
    let here = |range: Range<usize>| -> Vec<usize> {
        let meets = |k: &usize| {
            mutants[*k].file == file && places[*k].start < range.end && range.start < places[*k].end
        };
        (0..mutants.len()).filter(meets).collect()
    };
    let around =
        [at..at + 1, start(line - 1)..start(line), start(line.saturating_sub(6))..start(line + 5)];
    around.into_iter().map(here).find(|found| !found.is_empty()).unwrap_or_default()
}

/// Builds the programs of tests of these crates; their paths.
pub fn programs(garden: &Garden, crates: &[&str]) -> Result<Vec<PathBuf>, String> {
    let (done, said) = cargo(garden, &["test", "--no-run", "--tests"], crates)?;
    if !done {
        return Err(format!("the tests do not compile:\n{said}"));
    }
    let found = said.lines().filter(|line| line.trim_start().starts_with("Executable"));
    let path = |line: &str| Some(PathBuf::from(line.rsplit_once('(')?.1.trim_end_matches(')')));
    Ok(found.filter_map(path).map(|path| garden.copy.join(path)).collect())
}

/// What becomes of a mutant in a constant, built alone and always on: the compiler finds it, or the
/// tests of its own crate do.
pub fn judge_alone(garden: &Garden, suite: &Suite, mutant: &Mutant) -> Result<Verdict, String> {
    let right = read(&garden.root.join(&mutant.file))?;
    let place = garden.copy.join(&mutant.file);
    let planted = read(&place)?;
    write(&place, &mutant.alone(&right))?;
    let name = mutant.file.split('/').nth(1).unwrap_or_default();
    // Constants are computed only when code is made.
    let (compiles, _) = cargo(garden, &["build", "--lib"], &[name])?;
    let verdict = if compiles {
        // The same features of the kernel as always, or more would be built again.
        let tests: &[&str] = match name {
            "lieflow-kernel" => &["lieflow-kernel-tests"],
            _ => &["lieflow-kernel-tests", "lieflow-tests"],
        };
        match programs(garden, tests) {
            Ok(programs) => suite.judge_by(&programs),
            Err(_) => Verdict::Compiler,
        }
    } else {
        Verdict::Compiler
    };
    write(&place, &planted)?;
    Ok(verdict)
}
