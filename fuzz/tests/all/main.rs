//! Every target for a second; with `--ignored` for a minute each, with a count of what was done.
use lieflow_fuzz::{Tally, run, targets};
use std::time::Duration;

fn fuzz(seed: u64, seconds: u64, most: u64) -> Tally {
    let mut all = Tally::default();
    for target in targets() {
        let tally = run(&target, seed, Duration::from_secs(seconds), most);
        println!(
            "{:10} {:9} executions, {:8} accepted, slowest {:?}",
            target.name, tally.executions, tally.accepted, tally.slowest
        );
        let right = tally.accepted > 0 || target.name == "stored";
        assert!(right, "{}: no seed is right any more", target.name);
        assert!(tally.slowest < Duration::from_secs(20), "{}: an input hangs", target.name);
        all.executions += tally.executions;
        all.accepted += tally.accepted;
    }
    println!("{} executions", all.executions);
    all
}

#[test]
fn no_text_makes_a_reader_panic() {
    assert!(fuzz(1, 1, 20_000).executions >= 500);
}

#[test]
#[ignore = "a minute for each target"]
fn no_text_makes_a_reader_panic_for_long() {
    // Another seed for each thread, and a share of the cores for each. Runs on other days have other
    // texts by LIEFLOW_FUZZ_SEED.
    let seed = std::env::var("LIEFLOW_FUZZ_SEED").ok().and_then(|text| text.parse().ok());
    let seed: u64 = seed.unwrap_or(1000);
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let workers: Vec<_> =
        (0..cores).map(|k| std::thread::spawn(move || fuzz(seed + k, 60, u64::MAX))).collect();
    let done: u64 = workers.into_iter().map(|w| w.join().expect("no panic").executions).sum();
    println!("{done} executions in all");
}

#[test]
fn the_same_seed_gives_the_same_texts() {
    let target = &targets()[1];
    let runs = [0, 0].map(|_| run(target, 5, Duration::from_secs(60), 2_000));
    assert_eq!(runs[0].accepted, runs[1].accepted);
}
