//! `lieflow play`: serves the live viewer.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{ProblemOptions, Show};
use crate::output::browser;
use crate::signal;
use clap::Args;
use lieflow_play::Server;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Watch a problem live in the browser: sliders, methods side by side, errors as they grow
#[derive(Args, Debug)]
pub struct Play {
    #[command(flatten)]
    problem: ProblemOptions,
    /// Show this method beside that of the problem, from the same start; `rk4` has no geometry
    #[arg(long, value_name = "ID")]
    beside: Option<String>,
    /// Open the browser
    #[arg(long)]
    open: bool,
    /// Port of the loopback address; any free one unless given
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Close after so many seconds; otherwise with the terminal
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    seconds: Option<f64>,
    #[command(flatten)]
    show: Show,
}

/// Problems that are shown beside another method unless told otherwise.
const BESIDE: &[(&str, &str)] = &[("racket", "rk4")];

impl Execute for Play {
    fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
        let until = self.seconds.map(duration).transpose()?.map(|time| Instant::now() + time);
        let document = self.problem.open(context)?;
        self.show.warn(&document);
        let usual = BESIDE.iter().find(|(problem, _)| *problem == self.problem.problem);
        let beside = self.beside.or_else(|| usual.map(|(_, method)| (*method).into()));
        let show = lieflow_play::Show {
            systems: context.systems.clone(),
            text: document.to_toml(),
            name: self.problem.name().into(),
            beside,
        };
        let server = Server::open(show, self.port)?;
        let stop = signal::stop();
        let address = server.address();
        self.show.print_always(&json!({ "address": address, "port": server.port() }), &address)?;
        self.show.say("open this address in a browser; Ctrl-C closes the viewer");
        if self.open && !browser::open(&address) {
            self.show.say(browser::NOTHING);
        }
        // The problem itself may have come through standard input.
        let hung_up = if self.problem.problem == "-" { None } else { Some(hang_up()) };
        let gone = || hung_up.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        server
            .serve(|| stop.asked() || gone() || until.is_some_and(|until| Instant::now() >= until));
        Ok(())
    }
}

fn duration(seconds: f64) -> Result<Duration, Failure> {
    let wrong = || Failure::Option {
        option: "--seconds",
        found: format!("{seconds}"),
        expected: "a number of seconds, from 0 to 1e9".into(),
    };
    if !(0.0..=1e9).contains(&seconds) {
        return Err(wrong());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// A flag that is set when a program that holds the other end of standard input goes away. A terminal
/// ends us by a signal of its own, and is not read: in the background that would stop us.
fn hang_up() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    if input_is_pipe() {
        let set = flag.clone();
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
            set.store(true, Ordering::Relaxed);
        });
    }
    flag
}

#[cfg(unix)]
fn input_is_pipe() -> bool {
    use std::os::unix::fs::FileTypeExt;
    let kind = std::fs::metadata("/dev/stdin").map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket())
}
#[cfg(not(unix))]
fn input_is_pipe() -> bool {
    false
}
