//! A progress bar for runs that take long, on a terminal only.
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_millis(800);
/// The clock is read once in so many steps.
const STRIDE: u32 = 256;
/// Units of the bar.
const LENGTH: u64 = 1000;

/// Shows how far a run has come.
#[derive(Debug)]
pub struct Progress {
    from: f64,
    until: f64,
    began: Instant,
    count: u32,
    wanted: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// For a run over this interval.
    pub fn new(from: f64, until: f64, quiet: bool) -> Self {
        let wanted = !quiet && stderr().is_terminal();
        Self { from, until, began: Instant::now(), count: 0, wanted, bar: None }
    }

    /// The run has come to `t`, in one of many steps.
    pub fn reach(&mut self, t: f64) {
        self.count += 1;
        if self.wanted && self.count >= STRIDE {
            self.count = 0;
            self.now(t);
        }
    }

    /// The run has come to `t`, in one of few steps.
    pub fn now(&mut self, t: f64) {
        if !self.wanted {
            return;
        }
        if self.bar.is_none() && self.began.elapsed() > PATIENCE {
            let bar = ProgressBar::new(LENGTH);
            let style = ProgressStyle::with_template("{percent:>3}% {wide_bar} {eta} left");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            let share = (t - self.from) / (self.until - self.from);
            bar.set_position((share.clamp(0.0, 1.0) * LENGTH as f64) as u64);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
