//! Damage is found, never believed, and mended by computing again.
use crate::open;
use lieflow_ensemble::philox::Stream;
use lieflow_ensemble::run::{EnsembleError, Outcome, Settings, run};
use lieflow_ensemble::store::{self, StoreError, check, compute_again, merge};
use lieflow_models::run::Stop;
use lieflow_models::system::Registry;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Every fifth body has a negative moment of inertia, and cannot be built.
const BODIES: &str = r#"
system = "reduced-body"
parameters.inertia = [1.0, 2.0, 3.0]
initial.momentum = [1.0, 0.5, 2.0]
solve = { method = "rkmk4", step = 0.1, until = 0.2 }
[ensemble]
count = COUNT
seed = 7
times = [0.15]
[[ensemble.vary]]
key = "initial.momentum"
uniform = [[0.5, 0.5, 0.5], [1.0, 1.0, 1.0]]
[[ensemble.vary]]
key = "parameters.inertia[1]"
list = [1.0, 1.1, 1.2, 1.3, -1.0]
"#;

type Files = BTreeMap<String, Vec<u8>>;

struct Scene {
    root: PathBuf,
    text: String,
}

impl Scene {
    fn new(name: &str, count: u64) -> Self {
        let root =
            std::env::temp_dir().join(format!("lieflow-trust-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        Self { root, text: BODIES.replace("COUNT", &count.to_string()) }
    }
    /// The same, with tables as arrays.
    fn npy(name: &str, count: u64) -> Self {
        let scene = Self::new(name, count);
        let text = crate::npy::npy(&scene.text);
        Self { root: scene.root.clone(), text }
    }
    fn dir(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }
    fn run(&self, dir: &str, shard: Option<(u64, u64)>) -> Result<Outcome, EnsembleError> {
        let (document, design) = open(&self.text, &[]);
        let settings = Settings { threads: 1, lanes: Some(1), shard };
        run(&design, document.to_json(), settings, Some(&self.dir(dir)), &|_| {})
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

fn read(dir: &Path) -> Files {
    let entries = std::fs::read_dir(dir).into_iter().flatten().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let files = entries.map(|path| (name(&path), std::fs::read(&path).unwrap()));
    files.filter(|(name, _)| !name.starts_with('.')).collect()
}

fn restore(dir: &Path, files: &Files) {
    let _ = std::fs::remove_dir_all(dir);
    std::fs::create_dir_all(dir).unwrap();
    files.iter().for_each(|(name, bytes)| std::fs::write(dir.join(name), bytes).unwrap());
}

/// Another byte at a random place of a random file; its name.
fn change(dir: &Path, files: &Files, round: u64) -> String {
    let [a, b] = Stream::new(3, round, 0).uniforms(0);
    let [c, _] = Stream::new(3, round, 0).uniforms(1);
    let (name, bytes) = files.iter().nth((a * files.len() as f64) as usize).unwrap();
    let mut bytes = bytes.clone();
    let place = (b * bytes.len() as f64) as usize;
    bytes[place] ^= 1 + (c * 255.0) as u8;
    std::fs::write(dir.join(name), bytes).unwrap();
    name.clone()
}

/// Changes of single bytes, every `look`-th of so many: each is found, and of every `stride`-th nothing comes through.
fn single_bytes(scene: Scene, rounds: u64, look: usize, stride: u64) {
    scene.run("whole", None).unwrap();
    scene.run("one", Some((1, 2))).unwrap();
    scene.run("two", Some((2, 2))).unwrap();
    let (whole, one) = (read(&scene.dir("whole")), read(&scene.dir("one")));
    let (hurt, shard) = (scene.dir("hurt"), scene.dir("shard"));
    restore(&hurt, &whole);
    let (mut mended, mut refused, mut merged, mut parted) = (0, 0, 0, 0);
    for round in (0..rounds).step_by(look) {
        let file = change(&hurt, &whole, round);
        let found = lieflow_files::check(&hurt).is_err() || check(&hurt).is_err();
        assert!(found, "round {round}: a change of {file} was not found");
        if round % stride == 0 {
            match scene.run("hurt", None) {
                Ok(_) => {
                    assert!(read(&hurt) == whole, "round {round}: {file} was believed");
                    mended += 1;
                }
                Err(error) => {
                    assert!(error.to_string().contains("another ensemble"), "{error}");
                    refused += 1;
                }
            }
            restore(&shard, &one);
            let file = change(&shard, &one, round);
            let _ = std::fs::remove_dir_all(scene.dir("merged"));
            match merge(&[shard.clone(), scene.dir("two")], &scene.dir("merged")) {
                Ok(_) => {
                    let same = read(&scene.dir("merged")) == whole;
                    assert!(same, "round {round}: {file} of a shard was believed");
                    merged += 1;
                }
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.contains("shard/"), "the shard is not named: {text}");
                    assert!(read(&scene.dir("merged")).is_empty());
                    parted += 1;
                }
            }
        }
        restore(&hurt, &whole);
    }
    assert!(mended > 0 && refused > 0 && merged > 0 && parted > 0);
    println!(
        "{} changes found; {mended} mended, {refused} refused; {parted} shards refused, {merged} not touched by it",
        (0..rounds).step_by(look).count()
    );
}

#[test]
fn a_changed_byte_is_found_and_not_believed() {
    // The slow one tries a thousand changes, and all commands with each.
    single_bytes(Scene::new("bytes", 1100), 1000, 5, 50);
    single_bytes(Scene::npy("bytes-npy", 1100), 1000, 5, 50);
}

#[test]
#[ignore = "slow: every change is tried with all commands"]
fn a_changed_byte_is_never_believed() {
    single_bytes(Scene::new("every-byte", 1100), 1000, 1, 1);
    single_bytes(Scene::npy("every-byte-npy", 1100), 1000, 1, 1);
}

/// The damages of whole rows and files, of which none may come through.
#[test]
fn damaged_files_are_computed_again() {
    damaged_files(Scene::new("damage", 1100), ["final.csv", "observed.csv"]);
    damaged_files(Scene::npy("damage-npy", 1100), ["final.npy", "observed.npy"]);
}

fn damaged_files(scene: Scene, [last, observed]: [&str; 2]) {
    scene.run("whole", None).unwrap();
    let whole = read(&scene.dir("whole"));
    let dir = scene.dir("hurt");
    type Hurt<'a> = (&'a str, &'a str, Option<Vec<u8>>);
    let table = &whole[last];
    let rows: Vec<Vec<u8>> = match last {
        "final.csv" => table.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect(),
        _ => {
            let (head, rows) = table.split_at(table.iter().position(|b| *b == b'\n').unwrap() + 1);
            assert_eq!(rows.len() % 1100, 0);
            let rows = rows.chunks_exact(rows.len() / 1100);
            [head].into_iter().chain(rows).map(<[u8]>::to_vec).collect()
        }
    };
    let (mut swapped, mut twice) = (rows.clone(), rows.clone());
    swapped.swap(5, 6);
    twice.insert(5, rows[5].clone());
    let note = String::from_utf8(whole["progress.json"].clone()).unwrap();
    let told = |from: &str, to: &str| Some(note.replace(from, to).into_bytes());
    let cases: [Hurt<'_>; 9] = [
        ("two rows swapped", last, Some(swapped.concat())),
        ("a row twice", last, Some(twice.concat())),
        ("all zero", last, Some(vec![0; whole[last].len()])),
        ("removed", observed, None),
        ("empty", observed, Some(Vec::new())),
        ("too few done", "progress.json", told("\"done\":1100", "\"done\":100")),
        ("too many done", "progress.json", told("\"done\":1100", "\"done\":4000000000")),
        ("no lengths", "progress.json", Some(b"{\"done\":1100,\"lengths\":[0,0,0]}".to_vec())),
        ("no marks", "blocks.csv", None),
    ];
    for (what, name, bytes) in cases {
        restore(&dir, &whole);
        match bytes {
            Some(bytes) => std::fs::write(dir.join(name), bytes).unwrap(),
            None => std::fs::remove_file(dir.join(name)).unwrap(),
        }
        let error = check(&dir).unwrap_err();
        assert!(error.to_string().contains(name), "{what}: {error}");
        assert!(merge(std::slice::from_ref(&dir), &scene.dir("merged")).is_err(), "{what}");
        let outcome = scene.run("hurt", None).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert!(outcome.resumed < 1100, "{what}");
        assert!(read(&dir) == whole, "{what}: not mended");
    }
    // Only what follows the damage is computed again.
    restore(&dir, &whole);
    let mut bytes = whole[last].clone();
    let place = bytes.len() - 10;
    bytes[place] ^= 1;
    std::fs::write(dir.join(last), bytes).unwrap();
    let error = check(&dir).unwrap_err().to_string();
    assert!(error.contains("trajectories 1024 to 1100"), "{error}");
    assert_eq!(scene.run("hurt", None).unwrap().resumed, 1024);
    assert!(read(&dir) == whole);
}

/// A manifest that an older version was killed in does not lock the folder.
#[test]
fn part_of_a_manifest_is_none() {
    let scene = Scene::new("manifest", 50);
    scene.run("whole", None).unwrap();
    let whole = read(&scene.dir("whole"));
    for length in [0, 1, 500] {
        let manifest = &whole["ensemble.json"][..length];
        std::fs::write(scene.dir("whole").join("ensemble.json"), manifest).unwrap();
        assert_eq!(scene.run("whole", None).unwrap().resumed, 50);
        assert!(read(&scene.dir("whole")) == whole);
    }
}

#[test]
fn rows_are_computed_again() {
    computed_again(Scene::new("again", 60), "final.csv");
    computed_again(Scene::npy("again-npy", 60), "final.npy");
}

fn computed_again(scene: Scene, last: &str) {
    scene.run("whole", None).unwrap();
    let dir = scene.dir("whole");
    let all: Vec<u64> = (0..60).collect();
    let again =
        |indices: &[u64]| compute_again(&dir, &check(&dir).unwrap(), &Registry::default(), indices);
    again(&all).unwrap();
    // A result whose checksums are right and whose numbers are not: another seed made it.
    let forged =
        Scene { text: scene.text.replace("seed = 7", "seed = 8"), root: scene.dir("forged") };
    forged.run("whole", None).unwrap();
    let mut files = read(&forged.dir("whole"));
    let replace = |bytes: &[u8], from: &str, to: &str| {
        String::from_utf8(bytes.to_vec()).unwrap().replace(from, to).into_bytes()
    };
    let manifest = replace(&files["ensemble.json"], "\"seed\": 8", "\"seed\": 7");
    let hash = |bytes: &[u8]| lieflow_files::Hash::of(bytes).to_string();
    let (old, new) = (hash(&files["ensemble.json"]), hash(&manifest));
    let note = String::from_utf8(replace(&files["progress.json"], &old, &new)).unwrap();
    let body = format!("{}}}", note.split(",\"check\"").next().unwrap());
    let note = format!("{},\"check\":\"{}\"}}\n", &body[..body.len() - 1], hash(body.as_bytes()));
    files.insert("ensemble.json".into(), manifest);
    files.insert("progress.json".into(), note.into_bytes());
    restore(&dir, &files);
    let error = again(&[3]).unwrap_err();
    assert!(matches!(error, EnsembleError::Store(StoreError::Again { .. })), "{error}");
    let said = format!("{last}: trajectory 3, computed again");
    assert!(error.to_string().contains(&said), "{error}");
}

/// The numbers of a file that varies are part of what an ensemble is.
#[test]
fn files_that_were_read_count() {
    let text = r#"
        system = "reduced-body"
        parameters.inertia = [1.0, 2.0, 3.0]
        initial.momentum = [1.0, 0.5, 2.0]
        solve = { method = "rkmk4", step = 0.1, until = 0.2 }
        [ensemble]
        [[ensemble.vary]]
        key = "initial.momentum[2]"
        normal = [0.5, 0.1]
        [[ensemble.vary]]
        key = "parameters.inertia"
        csv = "v.csv"
        columns = ["a", "c", "b"]
        [[ensemble.vary]]
        key = "initial.momentum[1]"
        csv = "v.csv"
        columns = "d"
    "#;
    read_files(Scene::new("files", 5), text);
    read_files(Scene::new("files-npy", 5), &crate::npy::npy(text));
}

fn read_files(scene: Scene, text: &str) {
    let document = lieflow_models::problem_file::Document::parse(text, "test", &[]).unwrap();
    let go = |numbers: &str, dir: &str, shard| {
        let table = format!("a,b,c,d\n{numbers}");
        let design =
            lieflow_ensemble::design::Design::read(&document, &|_| Ok(table.clone())).unwrap();
        let settings = Settings { threads: 1, lanes: Some(1), shard };
        run(&design, document.to_json(), settings, Some(&scene.dir(dir)), &|_| {})
    };
    let (numbers, others) =
        ("1,2,2.5,1\n-1,2,2,1\n1.5,2,2.5,3\n", "1,2,2.5,1\n1,2,2,1\n1.5,2,2.5,3\n");
    go(numbers, "out", None).unwrap();
    let error = go(others, "out", None).unwrap_err().to_string();
    assert!(error.contains("another ensemble (its files differs)"), "{error}");
    go(numbers, "one", Some((1, 2))).unwrap();
    go(others, "two", Some((2, 2))).unwrap();
    let error = merge(&[scene.dir("one"), scene.dir("two")], &scene.dir("merged")).unwrap_err();
    assert!(error.to_string().contains("its files differs"), "{error}");
    // Without the file its numbers are those of the rows.
    let dir = scene.dir("out");
    compute_again(&dir, &check(&dir).unwrap(), &Registry::default(), &[0, 1, 2]).unwrap();
}

#[test]
fn a_merge_into_a_shard_is_refused() {
    let scene = Scene::new("into", 20);
    scene.run("one", Some((1, 2))).unwrap();
    scene.run("two", Some((2, 2))).unwrap();
    let before = read(&scene.dir("one"));
    let shards = [scene.dir("one"), scene.dir("two")];
    for out in [scene.dir("one"), scene.dir("two/../one"), scene.dir("./one")] {
        let error = store::merge(&shards, &out).unwrap_err();
        assert!(error.is_input() && error.to_string().contains("into one of them"), "{error}");
    }
    assert!(read(&scene.dir("one")) == before);
}

/// A flag in the plan breaks off trajectories that take for ever, side by side or one by one, and
/// nothing of them is kept.
#[test]
fn long_trajectories_are_broken_off() {
    let scene = Scene::new("long", 40);
    let text = scene.text.replace("until = 0.2", "until = 1e9").replace("[0.15]", "[0.15, 5e8]");
    for lanes in [None, Some(1)] {
        let (document, mut design) = open(&text, &[]);
        let flag = Arc::new(AtomicBool::new(false));
        design.plan.stop = Stop::when(flag.clone());
        let timer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(150));
            flag.store(true, Ordering::Relaxed);
        });
        let clock = Instant::now();
        let settings = Settings { threads: 2, lanes, shard: None };
        let dir = scene.dir("long");
        let outcome = run(&design, document.to_json(), settings, Some(&dir), &|_| {}).unwrap();
        timer.join().unwrap();
        assert!(outcome.interrupted && outcome.done == 0 && outcome.failed == 0);
        assert!(clock.elapsed() < Duration::from_secs(5), "{:?}", clock.elapsed());
        let incomplete = check(&dir).unwrap_err();
        assert!(matches!(incomplete, StoreError::Incomplete { done: 0, .. }), "{incomplete}");
    }
}

/// What somebody else has put in the place of a file: pipes that nobody writes to, devices without end, files
/// that say they have a terabyte. Nothing waits for them, nothing reads them to the end, and nothing believes them.
#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_not_waited_for() {
    let notes = ["ensemble.json", "progress.json", "SHA256SUMS"];
    no_plain_files(Scene::new("plain", 60), &notes, ["final.csv", "observed.csv"]);
    no_plain_files(Scene::npy("plain-npy", 60), &[], ["final.npy", "observed.npy"]);
}

fn no_plain_files(scene: Scene, notes: &[&str], [last, observed]: [&str; 2]) {
    scene.run("whole", None).unwrap();
    let whole = read(&scene.dir("whole"));
    let dir = scene.dir("hurt");
    let tables = [last, observed, "failures.csv", "blocks.csv"];
    for name in notes.iter().chain(&tables) {
        let path = dir.join(name);
        for put in ["pipe", "device", "terabyte"] {
            restore(&dir, &whole);
            if *name == "SHA256SUMS" && !path.exists() {
                std::fs::write(&path, "").unwrap();
            }
            let what = format!("{put} for {name}");
            if put == "terabyte" {
                let file = std::fs::File::options().write(true).open(&path).unwrap();
                file.set_len(1 << 40).unwrap();
            } else {
                std::fs::remove_file(&path).unwrap();
            }
            match put {
                "pipe" => {
                    let made = std::process::Command::new("mkfifo").arg(&path).status();
                    assert!(made.unwrap().success());
                }
                "device" => std::os::unix::fs::symlink("/dev/zero", &path).unwrap(),
                _ => {}
            }
            // The list of checksums is looked at by the tool, and by whoever writes.
            let (clock, listed) = (Instant::now(), *name == "SHA256SUMS");
            if !(listed || put == "terabyte" && tables.contains(name)) {
                assert!(check(&dir).is_err(), "{what}");
                assert!(merge(std::slice::from_ref(&dir), &scene.dir("merged")).is_err(), "{what}");
            }
            match scene.run("hurt", None) {
                // Rows behind those that count are cut off.
                Ok(_) => assert!(tables.contains(name) && put == "terabyte", "{what}: believed"),
                Err(error) => assert!(error.to_string().contains(name), "{what}: {error}"),
            }
            assert!(clock.elapsed() < Duration::from_secs(120), "{what}: {:?}", clock.elapsed());
            if tables.contains(name) && put == "terabyte" {
                assert!(read(&dir) == whole, "{what}: not mended");
            }
        }
    }
}
