//! Every file call of every command that writes results is killed or fails once. What is left is whole
//! or absent, and the same command ends with the bytes of a run that nothing happened to.
use super::{COMMANDS, Files, Scene, files, lasting};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The calls for files, each with an error that it can have; some have other names elsewhere.
const CALLS: [(&str, &str); 14] = [
    ("openat", "EMFILE"),
    ("read", "EIO"),
    ("write", "ENOSPC"),
    ("fsync", "EIO"),
    ("fdatasync", "EIO"),
    ("rename", "EIO"),
    ("renameat", "EIO"),
    ("ftruncate", "ENOSPC"),
    ("mkdir", "ENOSPC"),
    ("mkdirat", "ENOSPC"),
    ("unlink", "EIO"),
    ("unlinkat", "EIO"),
    ("flock", "EIO"),
    ("close", ""),
];

/// The files that grow in their places.
const GROWING: [&str; 6] =
    ["final.csv", "observed.csv", "final.npy", "observed.npy", "failures.csv", "blocks.csv"];

/// Whether calls can be injected here.
fn strace_works() -> bool {
    let try_it = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).output();
    let works = try_it.is_ok_and(|output| output.status.success());
    if !works {
        eprintln!("skipped: there is no strace here, or it may not trace");
    }
    works
}

/// The command under strace, with these options.
fn traced(scene: &Scene, command: &str, out: &str, options: &[&str]) -> Command {
    let mut strace = Command::new("strace");
    strace.current_dir(&scene.root).args(["-f", "-qq"]).args(options);
    strace.arg(env!("CARGO_BIN_EXE_lieflow")).args(scene.words(command, out));
    strace.stdout(Stdio::null()).stderr(Stdio::piped());
    strace
}

/// How often each call is made.
fn count(scene: &Scene, command: &str, out: &str) -> Vec<(usize, u64)> {
    let calls = CALLS.map(|(name, _)| format!("?{name}")).join(",");
    let trace = format!("trace={calls}");
    let log = scene.dir("calls.log");
    let done = traced(scene, command, out, &["-o", log.to_str().unwrap(), "-e", &trace]).output();
    assert!(done.unwrap().status.success());
    let text = std::fs::read_to_string(&log).unwrap();
    let made =
        |name: &str| text.lines().filter(|line| line.contains(&format!(" {name}("))).count() as u64;
    CALLS.iter().enumerate().map(|(k, (name, _))| (k, made(name))).collect()
}

/// What is left under its own name is whole: it is what was there before or what comes in the end; a
/// table that grows is the beginning of it.
fn whole_or_absent(left: &Files, before: &Files, after: &Files, what: &str) {
    for (name, bytes) in lasting(left) {
        let grows = GROWING.contains(&&*name);
        let growing = |after: &Vec<u8>| grows && after.starts_with(&bytes);
        let right = name.ends_with(".lieflow-draft")
            || name == "progress.json"
            || before.get(&name) == Some(&bytes)
            || after.get(&name).is_some_and(|after| *after == bytes || growing(after))
            // Tables without rows are removed in the end.
            || (grows && !after.contains_key(&name));
        assert!(right, "{what}: {name} is neither old nor new");
    }
}

/// Tries one in so many of all calls of all commands; how many there were, and the killed.
fn try_calls(name: &str, stride: u64) {
    if !strace_works() {
        return;
    }
    let scene = Scene::new(name);
    for command in COMMANDS {
        assert_eq!(scene.go(command, "right").status, 0);
        let after = files(&scene.dir("right"));
        let (mut points, mut killed, mut failed, mut number) = (0, 0, 0, 0);
        let calls = count(&scene, command, "counted");
        for (call, n) in calls.iter().flat_map(|(k, n)| (1..=*n).map(|n| (CALLS[*k], n))) {
            number += 1;
            if number % stride != 0 {
                continue;
            }
            let faults = [
                format!("inject={}:signal=KILL:when={n}", call.0),
                format!("inject={}:error={}:when={n}", call.0, call.1),
            ];
            for fault in faults.iter().filter(|fault| !fault.contains("error=:")) {
                let what = format!("{command} with {fault}");
                points += 1;
                let trace = format!("trace={}", call.0);
                let options = ["-o", "/dev/null", "-e", &trace, "-e", fault];
                let done = traced(&scene, command, "out", &options).output().unwrap();
                let status = done.status.code();
                let said = String::from_utf8_lossy(&done.stderr);
                assert!(!said.contains("panicked"), "{what}: {said}");
                // 127: the program could not even be loaded.
                match status {
                    None => killed += 1,
                    Some(0) => {}
                    Some(1 | 127) => failed += 1,
                    Some(other) => panic!("{what}: status {other}: {said}"),
                }
                let left = files(&scene.dir("out"));
                whole_or_absent(&left, &Files::new(), &lasting(&after), &what);
                if status == Some(0) {
                    lieflow_files::check(&scene.dir("out"))
                        .unwrap_or_else(|e| panic!("{what}: {e}"));
                }
                let again = scene.go(command, "out");
                assert_eq!(again.status, 0, "{what}: not again: {again:?}");
                let found = files(&scene.dir("out"));
                assert!(found.keys().eq(after.keys()), "{what}: {:?}", found.keys());
                assert!(lasting(&found) == lasting(&after), "{what}: other bytes");
                lieflow_files::check(&scene.dir("out")).unwrap_or_else(|e| panic!("{what}: {e}"));
                std::fs::remove_dir_all(scene.dir("out")).unwrap();
            }
        }
        println!(
            "{command}: {points} faults, {killed} killed, {failed} failed, all the same bytes again"
        );
        for dir in ["right", "counted"] {
            std::fs::remove_dir_all(scene.dir(dir)).unwrap();
        }
    }
}

#[test]
fn some_file_calls_fail() {
    try_calls("some-calls", 41);
}

#[test]
#[ignore = "slow: every file call of every command"]
fn every_file_call_fails() {
    try_calls("every-call", 1);
}

/// A run over an older result: until the end that is there, and then nothing of it is.
#[test]
fn a_run_over_another() {
    let scene = Scene::new("over");
    let study = ["order", "run.toml", "--methods", "rkmk4", "--quiet", "--out", "out"];
    assert!(scene.tool().args(study).status().unwrap().success());
    std::fs::write(scene.dir("out/mine.txt"), "mine").unwrap();
    let before = files(&scene.dir("out"));
    assert!(before.contains_key("order.json"));
    assert_eq!(scene.go("run", "out").status, 0);
    let mut after = files(&scene.dir("out"));
    assert_eq!(after.remove("mine.txt"), Some(b"mine".to_vec()), "a file of somebody else is gone");
    assert_eq!(scene.go("run", "fresh").status, 0);
    let fresh = files(&scene.dir("fresh"));
    assert!(after.keys().eq(fresh.keys()), "{:?} {:?}", after.keys(), fresh.keys());
    lieflow_files::check(&scene.dir("out")).unwrap();
    if !strace_works() {
        return;
    }
    // Killed while it puts its files there: old and new ones, all whole; again, and all is new.
    for n in [1, 3, 5] {
        std::fs::remove_dir_all(scene.dir("out")).unwrap();
        assert!(scene.tool().args(study).status().unwrap().success());
        let before = files(&scene.dir("out"));
        let fault = format!("inject=?rename,?renameat:signal=KILL:when={n}");
        let options = ["-o", "/dev/null", "-e", "trace=?rename,?renameat", "-e", &fault];
        let killed = traced(&scene, "run", "out", &options).status().unwrap();
        assert_eq!(killed.code(), None);
        let left = files(&scene.dir("out"));
        whole_or_absent(&left, &lasting(&before), &lasting(&fresh), &fault);
        if n > 1 {
            let error = lieflow_files::check(&scene.dir("out")).unwrap_err().to_string();
            assert!(error.contains("not complete"), "{error}");
        }
        assert_eq!(scene.go("run", "out").status, 0);
        assert!(lasting(&files(&scene.dir("out"))) == lasting(&fresh), "{fault}");
    }
}

/// Kills at moments that nobody chose, with other numbers of cores each time.
fn random_kills<'a>(name: &str, count: u64, kills: impl IntoIterator<Item = (&'a str, u64)>) {
    let scene = Scene::new(name);
    let text = std::fs::read_to_string(scene.dir("many.toml")).unwrap();
    let text = text.replace("count = 30", &format!("count = {count}"));
    std::fs::write(scene.dir("many.toml"), &text).unwrap();
    let text = std::fs::read_to_string(scene.dir("run.toml")).unwrap();
    std::fs::write(scene.dir("run.toml"), text.replace("until = 1.0", "until = 500.0")).unwrap();
    let mut seed = 12345u64;
    for (command, kills) in kills {
        let clock = Instant::now();
        assert_eq!(scene.go(command, "right").status, 0);
        let (after, time) = (lasting(&files(&scene.dir("right"))), clock.elapsed());
        let right = |what: &str| {
            assert!(lasting(&files(&scene.dir("out"))) == after, "{command}: other bytes {what}");
            lieflow_files::check(&scene.dir("out")).unwrap_or_else(|e| panic!("{command}: {e}"));
            std::fs::remove_dir_all(scene.dir("out")).unwrap();
        };
        let (mut killed, mut runs) = (0, 0);
        while killed < kills {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mut words = scene.words(command, "out");
            if ["ensemble", "arrays"].contains(&command) {
                words[3] = (1 + runs % 3).to_string();
            }
            let mut child = scene.tool().args(words).spawn().unwrap();
            std::thread::sleep(Duration::from_secs_f64(
                time.as_secs_f64() * (seed >> 40) as f64 / (1u64 << 24) as f64,
            ));
            child.kill().unwrap();
            runs += 1;
            match child.wait().unwrap().code() {
                None => {
                    killed += 1;
                    let left = files(&scene.dir("out"));
                    whole_or_absent(&left, &Files::new(), &after, &format!("{command}, killed"));
                }
                Some(status) => {
                    assert_eq!(status, 0, "{command}");
                    right("of one that was not killed");
                }
            }
        }
        assert_eq!(scene.go(command, "out").status, 0, "{command}");
        right("in the end");
        println!("{command}: {killed} kills, {} completions, the same bytes", runs - killed + 1);
        std::fs::remove_dir_all(scene.dir("right")).unwrap();
    }
}

#[test]
fn killed_now_and_then() {
    random_kills("kills", 3000, COMMANDS.into_iter().zip([2, 6, 6, 2, 2, 1]));
}

#[test]
#[ignore = "slow: 300 kills"]
fn killed_very_often() {
    random_kills("many-kills", 5000, COMMANDS.map(|command| (command, 50)));
}

/// The command with limits of the shell: files of so many blocks, or so many files open at a time.
/// They need no strace, and hold on every Unix.
#[cfg(unix)]
fn limited(scene: &Scene, command: &str, limit: &str) -> std::process::Output {
    let script = format!("{limit}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.current_dir(&scene.root).args(["-c", &script, env!("CARGO_BIN_EXE_lieflow")]);
    shell.args(scene.words(command, "out")).output().unwrap()
}

/// A disk that takes no more than so much of a file: the write that goes beyond fails, or kills. A
/// process that can open only so many files: the next one cannot be opened.
#[cfg(unix)]
#[test]
fn writers_that_fail() {
    limited_writers("limits", 3);
}

#[cfg(unix)]
#[test]
#[ignore = "slow: every limit with every command"]
fn writers_that_fail_everywhere() {
    limited_writers("every-limit", 1);
}

/// Every `stride`-th limit, each command beginning at another one.
#[cfg(unix)]
fn limited_writers(name: &str, stride: usize) {
    let scene = Scene::new(name);
    for (first, command) in COMMANDS.into_iter().enumerate() {
        assert_eq!(scene.go(command, "right").status, 0);
        let after = files(&scene.dir("right"));
        let largest = after.values().map(Vec::len).max().unwrap();
        // Blocks have 512 bytes in most shells, and 1024 in some.
        let sizes = [0, 1, 2, 4, 8, 16, 32, 64, 128].into_iter().filter(|n| n * 512 <= largest);
        let sizes = sizes.flat_map(|n| {
            [format!("trap '' XFSZ; ulimit -f {n}"), format!("ulimit -c 0; ulimit -f {n}")]
        });
        let handles = (3..12).map(|n| format!("ulimit -n {n}"));
        let mut failed = 0;
        for limit in sizes.chain(handles).skip(first % stride).step_by(stride) {
            let what = format!("{command} with {limit}");
            let done = limited(&scene, command, &limit);
            let said = String::from_utf8_lossy(&done.stderr);
            assert!(!said.contains("panicked"), "{what}: {said}");
            // 127: the program could not even be loaded.
            let status = done.status.code();
            assert!(matches!(status, None | Some(0 | 1 | 127)), "{what}: {status:?} {said}");
            failed += usize::from(status != Some(0));
            let left = files(&scene.dir("out"));
            whole_or_absent(&left, &Files::new(), &lasting(&after), &what);
            assert_eq!(scene.go(command, "out").status, 0, "{what}: not again");
            let found = files(&scene.dir("out"));
            assert!(found.keys().eq(after.keys()), "{what}: {:?}", found.keys());
            assert!(lasting(&found) == lasting(&after), "{what}: other bytes");
            std::fs::remove_dir_all(scene.dir("out")).unwrap();
        }
        assert!((failed + 1) * stride > 7, "{command}: only {failed} writers failed");
        std::fs::remove_dir_all(scene.dir("right")).unwrap();
    }
}
