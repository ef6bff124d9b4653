//! What keepers are given, in ranges and after interruptions.
#![allow(missing_docs, clippy::unwrap_used)]
use lieflow_ensemble::design::Design;
use lieflow_ensemble::keeper::{Columns, Keeper};
use lieflow_ensemble::run::{Block, EnsembleError, Job, Outcome, Settings};
use lieflow_ensemble::store::{Folder, StoreError};
use lieflow_models::problem_file::Document;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Every fourth body has a negative moment of inertia, and cannot be built.
const BODIES: &str = r#"
system = "reduced-body"
parameters.inertia = [1.0, 2.0, 3.0]
initial.momentum = [1.0, 0.5, 2.0]
solve = { method = "rkmk4", step = 0.05, until = 0.2 }
[ensemble]
count = 200
times = [0.1]
[[ensemble.vary]]
key = "initial.momentum"
uniform = [[0.5, 0.5, 0.5], [1.0, 1.0, 1.0]]
[[ensemble.vary]]
key = "parameters.inertia[1]"
list = [1.0, 1.1, 1.2, -1.0]
"#;

const ONE: Settings = Settings { threads: 1, lanes: Some(1), shard: None };

fn design() -> (Design, serde_json::Value) {
    let document = Document::parse(BODIES, "test", &[]).unwrap();
    let none = |name: &str| Err(std::io::Error::other(format!("no file {name}")));
    (Design::read(&document, &none).unwrap(), document.to_json())
}

/// The bits of all columns of a range.
fn bits(columns: &Columns) -> Vec<Vec<u64>> {
    let manifest = columns.manifest().unwrap();
    let inputs = (0..manifest.inputs.len()).map(|k| columns.input(k).unwrap());
    let times = 0..manifest.times.len();
    let observables = times.flat_map(|time| {
        (0..manifest.observables.len()).map(move |k| columns.observable(time, k).unwrap())
    });
    inputs.chain(observables).map(|c| c.iter().map(|x| x.to_bits()).collect()).collect()
}

fn whole() -> (Columns, Outcome) {
    let (design, problem) = design();
    let mut columns = Columns::default();
    let outcome = Job::new(&design, problem, ONE).run(&mut columns).unwrap();
    (columns, outcome)
}

#[test]
fn columns_hold_what_the_statistics_saw() {
    let (columns, outcome) = whole();
    let manifest = columns.manifest().unwrap();
    assert_eq!((columns.ends().len(), outcome.failed), (200, 50));
    let mut statistics = manifest.statistics();
    for (i, end) in columns.ends().iter().enumerate() {
        for time in 0..manifest.times.len() {
            let row: Vec<f64> = (0..manifest.observables.len())
                .map(|k| columns.observable(time, k).unwrap()[i])
                .collect();
            if end.rows > time {
                statistics.feed_row(time, &row);
            } else {
                assert!(row.iter().all(|x| x.is_nan()));
            }
        }
    }
    assert!(statistics == outcome.statistics);
    let inertia = columns.input(3).unwrap();
    assert!(inertia[..4] == [1.0, 1.1, 1.2, -1.0] && columns.input(4).is_none());
}

#[test]
fn ranges_are_parts_of_the_whole() {
    let (design, problem) = design();
    let (all, _) = whole();
    let mut joined = vec![Vec::new(); bits(&all).len()];
    for range in [0..7, 7..7, 7..200] {
        let mut part = Columns::default();
        let job = Job::new(&design, problem.clone(), ONE).range(range.clone());
        assert_eq!(job.run(&mut part).unwrap().range, (range.start, range.end));
        joined.iter_mut().zip(bits(&part)).for_each(|(whole, part)| whole.extend(part));
    }
    assert!(joined == bits(&all));
    let beyond = Job::new(&design, problem, ONE).range(190..201).run(&mut ());
    let text = "found the range of trajectories 190..201, expected a part of 0..200";
    assert_eq!(beyond.unwrap_err().to_string(), text);
}

#[test]
fn a_run_that_is_stopped_has_a_whole_beginning() {
    let (design, problem) = design();
    let (all, _) = whole();
    let flag = AtomicBool::new(false);
    let stop = |_: u64| flag.store(true, Ordering::Relaxed);
    let job = Job::new(&design, problem, ONE).stop(&flag).progress(&stop);
    let mut columns = Columns::default();
    let outcome = job.clone().run(&mut columns).unwrap();
    let count = columns.ends().len();
    assert!(outcome.interrupted && (1..200).contains(&count), "{count}");
    let beginning = bits(&all).into_iter().map(|column| column[..count].to_vec());
    assert!(bits(&columns).into_iter().eq(beginning));
    // The flag is still set: nothing is computed.
    let outcome = job.run(&mut columns).unwrap();
    assert!(outcome.interrupted && outcome.steps == 0 && columns.ends().is_empty());
}

/// Files that were left by an interruption grow to those of a run of the whole.
#[test]
fn a_folder_goes_on_after_a_stop() {
    let (design, problem) = design();
    let dir = |name: &str| -> PathBuf {
        let dir =
            std::env::temp_dir().join(format!("lieflow-keeper-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        dir
    };
    let (once, twice) = (dir("once"), dir("twice"));
    let job = || Job::new(&design, problem.clone(), ONE);
    job().run(&mut Folder::new(&once)).unwrap();
    let flag = AtomicBool::new(false);
    let stop = |_: u64| flag.store(true, Ordering::Relaxed);
    let first = job().stop(&flag).progress(&stop).run(&mut Folder::new(&twice)).unwrap();
    assert!(first.interrupted && first.files.is_empty());
    let second = job().run(&mut Folder::new(&twice)).unwrap();
    assert!(second.resumed > 0 && !second.interrupted);
    assert_eq!(second.files.len(), 5);
    for path in second.files {
        let name = path.file_name().unwrap();
        let same = std::fs::read(&path).unwrap() == std::fs::read(once.join(name)).unwrap();
        assert!(same, "{} differs", path.display());
    }
    [once, twice].iter().for_each(|dir| std::fs::remove_dir_all(dir).unwrap());
}

#[test]
fn a_keeper_that_fails_ends_the_run() {
    struct Full;
    impl Keeper for Full {
        fn blocks(&mut self, _: &[Block]) -> Result<(), StoreError> {
            Err(StoreError::Keeper("no room left".into()))
        }
    }
    let (design, problem) = design();
    let error = Job::new(&design, problem, ONE).run(&mut Full).unwrap_err();
    assert!(matches!(&error, EnsembleError::Store(StoreError::Keeper(_))));
    assert_eq!(error.to_string(), "no room left");
}
