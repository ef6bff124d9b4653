//! Every target for a second; with `--ignored` for a minute each, with a count of what was done.
use lieflow_fuzz::{Tally, allowed, run, targets};
use std::collections::BTreeMap;
use std::time::Duration;

/// What was done with each target.
fn fuzz(seed: u64, seconds: u64, most: u64) -> BTreeMap<&'static str, Tally> {
    let mut all = BTreeMap::new();
    for target in targets() {
        let tally = run(&target, seed, Duration::from_secs(seconds), most);
        assert!(tally.accepted > 0, "{}: no seed is right any more", target.name);
        assert!(tally.slowest < Duration::from_secs(20), "{}: an input hangs", target.name);
        all.insert(target.name, tally);
    }
    all
}

#[test]
fn no_text_makes_a_reader_panic() {
    let done = fuzz(1, 1, 20_000);
    assert!(done.values().map(|tally| tally.executions).sum::<u64>() >= 500);
}

#[test]
#[ignore = "a minute for each target"]
fn no_text_makes_a_reader_panic_for_long() {
    // Another seed for each thread, and a share of the cores for each. Runs on other days have other
    // texts by LIEFLOW_FUZZ_SEED, and more by LIEFLOW_FUZZ_SECONDS.
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let seed: u64 = number("LIEFLOW_FUZZ_SEED").unwrap_or(1000);
    let seconds: u64 = number("LIEFLOW_FUZZ_SECONDS").unwrap_or(60);
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let workers: Vec<_> =
        (0..cores).map(|k| std::thread::spawn(move || fuzz(seed + k, seconds, u64::MAX))).collect();
    let mut all: BTreeMap<&str, Tally> = BTreeMap::new();
    for worker in workers {
        for (name, tally) in worker.join().expect("no panic") {
            all.entry(name).or_default().add(&tally);
        }
    }
    for (name, Tally { executions, accepted, slowest, bytes }) in &all {
        println!(
            "{name:10} {executions:9} executions, {accepted:8} accepted, slowest {slowest:.1?} of {bytes} bytes"
        );
    }
    println!("{} executions in all", all.values().map(|tally| tally.executions).sum::<u64>());
    for (name, tally) in &all {
        let most = allowed(tally.bytes);
        assert!(tally.slowest <= most, "{name}: {:?} for {} bytes", tally.slowest, tally.bytes);
    }
}

#[test]
fn the_same_seed_gives_the_same_texts() {
    let target = &targets()[1];
    let runs = [0, 0].map(|_| run(target, 5, Duration::from_secs(60), 2_000));
    assert_eq!(runs[0].accepted, runs[1].accepted);
}
