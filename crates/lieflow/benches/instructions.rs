//! The instructions of kernels and steps, counted by valgrind, and their times:
//! `cargo bench -p lieflow --bench instructions [-- --check | --write | --time] [NAME]`.
//!
//! Each case is run twice, with a number of calls and with twice as many; the difference is what the
//! calls cost. The counts do not depend on what else the machine does, only on the compiler:
//! `--check` fails where one is more than a tenth above that of `instructions.json`, or where eight
//! lanes cost as much as several single steps, which shows that a kernel is no longer compiled
//! for vectors; `--write` stores the counts. `--time` prints the least wall time of many short
//! rounds instead, in nanoseconds per call.
#![allow(missing_docs)]
mod cases;
use std::process::{Command, ExitCode};
use std::time::Instant;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.json");
/// Calls of the shorter run.
const CALLS: u64 = 200;
/// Eight lanes in vectors of four are two single steps, and memory traffic besides.
const LANES_PER_SINGLE: f64 = 3.5;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [run, name, calls] = args.as_slice()
        && run == "--run"
    {
        let calls = calls.parse().unwrap_or(0);
        cases::all().iter().filter(|case| case.name == name).for_each(|case| (case.run)(calls));
        return ExitCode::SUCCESS;
    }
    let has = |option: &str| args.iter().any(|a| a == option);
    let wanted: Vec<&String> = args.iter().filter(|a| !a.starts_with('-')).collect();
    let mut list = cases::all();
    list.retain(|c| wanted.is_empty() || wanted.iter().any(|name| c.name.contains(name.as_str())));
    if has("--time") {
        for case in list {
            println!("{:<28} {:>10.1} ns", case.name, nanoseconds(case.run));
        }
        return ExitCode::SUCCESS;
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("valgrind is missing: install it to count instructions");
        return if has("--check") || has("--write") {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        };
    }
    let mut counts = Vec::new();
    for case in list {
        let Some(count) = instructions(case.name) else {
            eprintln!("valgrind could not count {}", case.name);
            return ExitCode::FAILURE;
        };
        counts.push((case.name, count));
    }
    let lines: Vec<String> = counts.iter().map(|(name, n)| format!("  \"{name}\": {n}")).collect();
    let text = format!("{{\n{}\n}}\n", lines.join(",\n"));
    print!("{text}");
    if has("--write")
        && let Err(error) = std::fs::write(FILE, &text)
    {
        eprintln!("{FILE}: {error}");
        return ExitCode::FAILURE;
    }
    if has("--check") { check(&counts) } else { ExitCode::SUCCESS }
}

/// The least time of a call, from rounds of about a millisecond.
fn nanoseconds(run: fn(u64)) -> f64 {
    let mut calls = 16;
    while time(run, calls) < 1e-3 {
        calls *= 2;
    }
    let mut least = f64::INFINITY;
    for _ in 0..100 {
        least = least.min(time(run, calls));
    }
    least * 1e9 / calls as f64
}

fn time(run: fn(u64), calls: u64) -> f64 {
    let start = Instant::now();
    run(calls);
    start.elapsed().as_secs_f64()
}

/// Instructions of a call.
fn instructions(name: &str) -> Option<u64> {
    let (short, long) = (collected(name, CALLS)?, collected(name, 2 * CALLS)?);
    Some(long.saturating_sub(short) / CALLS)
}

fn collected(name: &str, calls: u64) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().ok()?)
        .args(["--run", name, &calls.to_string()])
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let number = text.split("Collected :").nth(1)?.split_whitespace().next()?;
    number.parse().ok()
}

fn check(counts: &[(&str, u64)]) -> ExitCode {
    let stored = std::fs::read_to_string(FILE).unwrap_or_default();
    let stored: serde_json::Value = serde_json::from_str(&stored).unwrap_or_default();
    let mut ok = true;
    for (name, now) in counts {
        match stored[name].as_u64() {
            Some(then) if *now as f64 <= 1.1 * then as f64 + 5.0 => {}
            Some(then) => {
                ok = false;
                eprintln!("{name}: {now} instructions, {then} before");
            }
            None => {
                ok = false;
                eprintln!("{name}: {now} instructions, and none are stored; use --write");
            }
        }
        let Some(single) = name.strip_suffix(", 8 lanes") else { continue };
        let Some((_, single)) = counts.iter().find(|(other, _)| *other == single) else { continue };
        let ratio = *now as f64 / *single as f64;
        if ratio > LANES_PER_SINGLE {
            ok = false;
            eprintln!(
                "{name}: {ratio:.1} times the instructions of one; at most {LANES_PER_SINGLE}"
            );
        }
    }
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
