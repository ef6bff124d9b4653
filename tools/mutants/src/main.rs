//! Whether the tests notice when the sources are wrong.
//!
//! Sources are copied, and in the copy an expression here and there gets a wrong twin behind a
//! number: `(if on(17) { a - b } else { a + b })`. One build holds all of these mutants; a program of
//! tests is told by `LIEFLOW_MUTANT` which one is on. Each test is first run alone, to see which
//! mutants it reaches; a mutant is then given to just those tests, the fastest first, until one
//! fails. Mutants of constants, which cannot be switched, are given to the compiler one by one: it
//! checks tables.
//!
//! ```text
//! tools/mutants/run [--one-in N] [--constants N] [--part K/N] [--only TEXT] [--judges A,B] [--work DIR]
//! ```
mod accepted;
mod compile;
mod find;
mod plant;
mod suite;

use accepted::Accepted;
use compile::{JUDGES, compiles_alone, programs, settle};
use plant::{Garden, choose, hash, sources};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use suite::{Suite, Verdict};

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
const CRATES: [&str; 4] = ["lieflow-kernel", "lieflow", "lieflow-ensemble", "lieflow-files"];
/// What is checked in passing while tests run is no part of what they check.
const LEFT_OUT: [&str; 3] =
    ["/laws/", "lieflow-kernel/src/linalg/interop.rs", "lieflow-files/src/error.rs"];

struct Options {
    one_in: u64,
    constants: usize,
    work: PathBuf,
    only: String,
    /// Which of how many parts of the mutants, from one.
    part: (usize, usize),
    /// The crates whose tests judge, if not all: some take long to build.
    judges: Option<String>,
}

fn options() -> Result<Options, String> {
    let work = std::env::temp_dir().join("lieflow-mutants");
    let mut options =
        Options { one_in: 8, constants: 40, work, only: String::new(), part: (1, 1), judges: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--one-in" => options.one_in = value()?.parse().map_err(|e| format!("{word}: {e}"))?,
            "--constants" => {
                options.constants = value()?.parse().map_err(|e| format!("{word}: {e}"))?;
            }
            "--work" => options.work = value()?.into(),
            "--only" => options.only = value()?,
            "--judges" => options.judges = Some(value()?),
            "--part" => {
                let text = value()?;
                let part = text.split_once('/');
                let part = part.and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
                options.part = part
                    .filter(|(k, n)| 1 <= *k && k <= n)
                    .ok_or(format!("--part: found {text}, expected K/N"))?;
            }
            _ => {
                return Err(format!(
                    "there is no option {word}: --one-in, --constants, --part, --only, --judges, --work"
                ));
            }
        }
    }
    Ok(options)
}

fn main() {
    match options().and_then(|options| go(&options)) {
        Ok(true) => {}
        Ok(false) => std::process::exit(1),
        Err(error) => {
            eprintln!("mutants: {error}");
            std::process::exit(2);
        }
    }
}

/// Whether the score is reached.
fn go(options: &Options) -> Result<bool, String> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let root = root.canonicalize().map_err(|e| e.to_string())?;
    let accepted = Accepted::read(&root.join("tools/mutants/accepted.txt"))?;
    let judging = |name: &str| {
        options.judges.as_ref().is_none_or(|list| list.split(',').any(|judge| judge == name))
    };
    let judges: Vec<&str> = JUDGES.into_iter().filter(|name| judging(name)).collect();
    let garden = Garden::new(&root, &options.work, judges)?;
    for name in CRATES {
        garden.wire(name)?;
    }
    let mut files = sources(&root, &FOLDERS)?;
    files.retain(|file| !LEFT_OUT.iter().any(|out| file.contains(out)));
    // Mutants that no test of these can reach.
    let apart = ["lieflow-ensemble", "lieflow-files"].into_iter().filter(|name| !judging(name));
    let left_out: Vec<String> = apart.map(|name| format!("crates/{name}/")).collect();
    let is_left_out =
        |mutant: &plant::Mutant| left_out.iter().any(|folder| mutant.file.starts_with(folder));
    let (constant, planted): (Vec<_>, Vec<_>) =
        choose(&root, &files, options.one_in)?.into_iter().partition(|mutant| mutant.constant);
    let constant: Vec<_> = constant.into_iter().filter(|mutant| !is_left_out(mutant)).collect();
    println!(
        "{} mutants, and {} of constants, in {} files",
        planted.len(),
        constant.len(),
        files.len()
    );
    let planted = settle(&garden, &files, planted)?;
    let planted: Vec<_> = planted.into_iter().filter(|mutant| !is_left_out(mutant)).collect();
    let suite = Suite::new(
        programs(&garden)?,
        &garden.copy,
        Duration::from_secs(120),
        &garden.copy.join("tests.txt"),
    )?;
    println!("{} mutants compile; {} tests judge", planted.len(), suite.tests.len());
    let path = garden.copy.join("verdicts.txt");
    let mut verdicts = std::fs::File::create(&path).map_err(|e| e.to_string())?;
    let (mut tried, mut killed, mut equal) = (0, 0, 0);
    let mut alive = Vec::new();
    let wanted = |name: &str| name.contains(&options.only);
    let (k, n) = options.part;
    // In no order: whoever stops it early has seen mutants of all files.
    let mut planted = planted;
    planted.sort_by_key(|mutant| hash(&mutant.name()));
    let planted: Vec<_> = planted.into_iter().skip(k - 1).step_by(n).collect();
    let every = constant.len().div_ceil(options.constants.max(1)).max(1);
    let constant = constant.iter().step_by(every).take(options.constants);
    for mutant in planted.iter().chain(constant).filter(|m| wanted(&m.name())) {
        let verdict = match mutant.constant {
            true if compiles_alone(&garden, mutant)? => Verdict::Survived(0),
            true => Verdict::Compiler,
            false => suite.judge(mutant),
        };
        let name = mutant.name();
        let _ = writeln!(verdicts, "{verdict:?}\t{}:{}\t{name}", mutant.file, mutant.line);
        tried += 1;
        match verdict {
            Verdict::Survived(_) if accepted.has(&name) => equal += 1,
            Verdict::Survived(tests) => {
                println!("alive, reached by {tests} tests: line {}, {name}", mutant.line);
                alive.push(name);
            }
            _ => killed += 1,
        }
    }
    let score = 100.0 * killed as f64 / (tried - equal).max(1) as f64;
    println!(
        "{tried} mutants: {killed} noticed, {} alive, {equal} accepted as equivalent: {score:.1} %",
        alive.len()
    );
    if options.only.is_empty() && options.part == (1, 1) {
        for name in accepted.unused(planted.iter().map(plant::Mutant::name)) {
            println!("no such mutant any more: {name}");
        }
    }
    Ok(score >= 95.0)
}
