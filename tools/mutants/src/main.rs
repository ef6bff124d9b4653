//! Whether the tests notice when the sources are wrong.
//!
//! Sources are copied, and in the copy an expression here and there gets a wrong twin behind a
//! number: `(if on(17) { a - b } else { a + b })`. One build holds all of these mutants; a program of
//! tests is told by `LIEFLOW_MUTANT` which one is on. Each test is first run alone, to see which
//! mutants it reaches; a mutant is then given to just those tests until one fails, first to those that
//! are cheap for what they notice. With `--again` only those are planted and tried that lived the last
//! time: tests were added since, or others judge. Mutants of constants, which cannot be switched, are
//! built one by one: the compiler checks tables, and the tests of kernel or core judge what it lets pass.
//!
//! ```text
//! tools/mutants/run [--one-in N] [--constants N] [--part K/N] [--only TEXT] [--judges A,B] [--tests A,B]
//!                   [--threads N] [--slowest SECONDS] [--patience SECONDS] [--again] [--list] [--work DIR]
//! ```
mod accepted;
mod compile;
mod find;
mod options;
mod plant;
mod program;
mod record;
mod suite;
mod workers;

use accepted::Accepted;
use compile::{JUDGES, judge_alone, programs, settle};
use options::Options;
use plant::{Garden, choose, hash, sources};
use record::{Record, noticed};
use std::path::PathBuf;
use suite::Suite;

/// Where mutants are planted, and which crates these are.
const FOLDERS: [&str; 8] = [
    "crates/lieflow-kernel/src",
    "crates/lieflow/src/group",
    "crates/lieflow/src/method",
    "crates/lieflow/src/stepping",
    "crates/lieflow/src/tableau",
    "crates/lieflow/src/chart",
    "crates/lieflow-ensemble/src/store",
    "crates/lieflow-files/src",
];
/// Tests that take sources in by their paths.
const TESTS: [&str; 1] = ["lieflow/tests"];
const CRATES: [&str; 4] = ["lieflow-kernel", "lieflow", "lieflow-ensemble", "lieflow-files"];
/// What is checked in passing while tests run is no part of what they check.
const LEFT_OUT: [&str; 3] =
    ["/laws/", "lieflow-kernel/src/linalg/interop.rs", "lieflow-files/src/error.rs"];

fn main() {
    match Options::read(std::env::args().skip(1)).and_then(|options| go(&options)) {
        Ok(true) => {}
        Ok(false) => std::process::exit(1),
        Err(error) => {
            eprintln!("mutants: {error}");
            std::process::exit(2);
        }
    }
}

/// Sources that this machine compiles but cannot run.
fn not_of_this_machine() -> Vec<String> {
    let mut sources = Vec::new();
    #[cfg(target_arch = "x86_64")]
    for (name, runs) in [
        ("avx2", is_x86_feature_detected!("avx2")),
        ("avx512", is_x86_feature_detected!("avx512f")),
    ] {
        if !runs {
            sources.push(format!("crates/lieflow-kernel/src/scalar/pack/{name}.rs"));
        }
    }
    sources
}

/// Whether the score is reached.
fn go(options: &Options) -> Result<bool, String> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let root = root.canonicalize().map_err(|e| e.to_string())?;
    let accepted = Accepted::read(&root.join("tools/mutants/accepted.txt"))?;
    let mut files = sources(&root, &FOLDERS)?;
    files.retain(|file| !LEFT_OUT.iter().any(|out| file.contains(out)));
    let chosen = choose(&root, &files, options.one_in)?;
    if options.list {
        for mutant in chosen.iter().filter(|m| m.name().contains(&options.only)) {
            let kind = if mutant.constant { "constant" } else { "planted" };
            println!("{kind}\t{}\t{}", mutant.line, mutant.name());
        }
        return Ok(true);
    }
    let judges: Vec<&str> = JUDGES.into_iter().filter(|name| options.judging(name)).collect();
    let garden = Garden::new(&root, &options.work, judges)?;
    for name in CRATES.into_iter().chain(TESTS) {
        garden.wire(name)?;
    }
    // Mutants that no test of these can reach.
    let apart =
        ["lieflow-ensemble", "lieflow-files"].into_iter().filter(|name| !options.judging(name));
    let mut left_out: Vec<String> = apart.map(|name| format!("crates/{name}/")).collect();
    left_out.extend(not_of_this_machine());
    let is_left_out =
        |mutant: &plant::Mutant| left_out.iter().any(|folder| mutant.file.starts_with(folder));
    let names: Vec<String> =
        chosen.iter().filter(|mutant| !is_left_out(mutant)).map(plant::Mutant::name).collect();
    let path = garden.copy.join("verdicts.txt");
    let mut before = if options.again { noticed(&path) } else { Default::default() };
    before.retain(|name, _| names.contains(name));
    // Only what is tried is planted: the fewer there are, the sooner all is built.
    let tried = |m: &plant::Mutant| {
        m.name().contains(&options.only) && !before.contains_key(&m.name()) && !is_left_out(m)
    };
    let (constant, planted): (Vec<_>, Vec<_>) =
        chosen.into_iter().filter(tried).partition(|mutant| mutant.constant);
    println!(
        "{} mutants, and {} of constants, in {} files",
        planted.len(),
        constant.len(),
        files.len()
    );
    let mut planted = settle(&garden, &files, planted)?;
    let notes = garden.copy.join("tests.txt");
    let suite = Suite::new(
        programs(&garden, &garden.judges)?,
        &garden.copy,
        (&notes, garden.mark(&planted)?),
        options,
    )?;
    println!("{} mutants compile; {} tests judge", planted.len(), suite.tests.len());
    let mut record = Record::new(&path, &accepted, &before)?;
    let (k, n) = options.part;
    // In no order: whoever stops it early has seen mutants of all files.
    planted.sort_by_key(|mutant| hash(&mutant.name()));
    let mut planted: Vec<_> = planted.into_iter().skip(k - 1).step_by(n).collect();
    let every = constant.len().div_ceil(options.constants.max(1)).max(1);
    let constant: Vec<_> = constant.into_iter().step_by(every).take(options.constants).collect();
    if options.judges.is_some() {
        let all = planted.len();
        planted.retain(|mutant| suite.reaches(mutant));
        println!("{} of {all} are for tests of other crates", all - planted.len());
    }
    // Those that all tests are expected to pass come last.
    planted.sort_by_key(|mutant| accepted.has(&mutant.name()));
    workers::each(
        &planted,
        options.threads,
        |mutant, _| suite.judge(mutant),
        |k, verdict| record.add(&planted[k], &verdict),
    )?;
    for mutant in &constant {
        record.add(mutant, &judge_alone(&garden, &suite, mutant)?)?;
    }
    let (score, words) = record.score();
    println!("{words}");
    if options.everything() {
        record.write_survivors(&root.join("tools/mutants/survivors.txt"), &words)?;
        for name in accepted.unused(&names) {
            println!("no such mutant any more: {name}");
        }
    }
    Ok(score >= 95.0)
}
