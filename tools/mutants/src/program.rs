//! A program of tests, stopped as soon as one of them fails.
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How a program of tests ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// All tests passed.
    Passed,
    /// This test failed, or one of these when the program crashed.
    Failed(String),
    /// The tests did not end.
    Late,
}

/// Runs these tests of a program in a folder, with a variable set, for no longer than about `limit`
/// of processor time: a busy machine makes no test late.
pub fn run(
    program: &Path,
    folder: &Path,
    names: &[&str],
    set: (&str, String),
    limit: Duration,
) -> End {
    let seconds = limit.as_secs() + 4;
    let child = Command::new("sh")
        .args(["-c", "ulimit -t $0; exec \"$@\"", &seconds.to_string()])
        .arg(program)
        .args(["--exact", "--test-threads=1"])
        .args(names)
        .env(set.0, set.1)
        .env("RUST_MIN_STACK", "67108864")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    match child {
        Ok(child) => watch(child, names, 20 * Duration::from_secs(seconds)),
        Err(_) => End::Failed(names.join(" ")),
    }
}

/// Follows what the program says. `patience` is for tests that wait for something that never comes.
fn watch(mut child: Child, names: &[&str], patience: Duration) -> End {
    let (sender, lines) = mpsc::channel();
    if let Some(out) = child.stdout.take() {
        std::thread::spawn(move || {
            let lines = BufReader::new(out).lines().map_while(Result::ok);
            lines.map(|line| sender.send(line)).take_while(Result::is_ok).for_each(drop);
        });
    }
    let mut stop = || {
        let _ = child.kill();
        child.wait()
    };
    let clock = Instant::now();
    loop {
        match lines.recv_timeout(patience.saturating_sub(clock.elapsed())) {
            Ok(line) => {
                let failed = line.strip_prefix("test ").and_then(|l| l.strip_suffix(" ... FAILED"));
                if let Some(name) = failed {
                    let _ = stop();
                    return End::Failed(name.split(" - ").next().unwrap_or(name).to_string());
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                let _ = stop();
                return End::Late;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    match child.wait() {
        Ok(status) if status.success() => End::Passed,
        // Out of processor time: by the soft limit, or by the hard one, which is the same.
        Ok(status) if matches!(status.signal(), Some(9 | 24)) => End::Late,
        _ => End::Failed(names.join(" ")),
    }
}
