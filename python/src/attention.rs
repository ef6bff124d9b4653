//! Ctrl-C and progress, without the lock of Python in between.
use crate::error::IntegrationError;
use lieflow_models::run::Stop;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Signals are looked for, and progress is told, about as often as this.
const BEAT: Duration = Duration::from_millis(20);
/// The clock is read once for so many questions; steps take a microsecond or more.
const STRIDE: u64 = 32;

/// What a run that goes on in the calling thread shares with Python. It is asked between steps.
pub struct Attention {
    /// Who wants to hear of the progress.
    pub progress: Option<Py<PyAny>>,
    /// How far the run is, as the bits of a number.
    reached: AtomicU64,
    asked: AtomicU64,
    begun: Instant,
    /// When Python was asked last, in milliseconds since the start.
    last: AtomicU64,
    /// What Python had to say; the run ends then.
    pub error: OnceLock<PyErr>,
}

impl Attention {
    /// One that tells a function, if there is one.
    pub fn new(progress: Option<Py<PyAny>>) -> Arc<Self> {
        Arc::new(Self {
            progress,
            reached: AtomicU64::new(f64::NAN.to_bits()),
            asked: AtomicU64::new(0),
            begun: Instant::now(),
            last: AtomicU64::new(0),
            error: OnceLock::new(),
        })
    }

    /// The run is here now.
    pub fn reach(&self, t: f64) {
        self.reached.store(t.to_bits(), Ordering::Relaxed);
    }

    /// Stops a run when Python says so. Where steps are made many at a time, each question is one
    /// for the clock.
    pub fn stop(self: &Arc<Self>, every: bool) -> Stop {
        let this = self.clone();
        Stop::asking(move || {
            let n = this.asked.fetch_add(1, Ordering::Relaxed);
            if every || n.is_multiple_of(STRIDE) {
                let now = this.begun.elapsed().as_millis() as u64;
                if now >= this.last.load(Ordering::Relaxed) + BEAT.as_millis() as u64 {
                    this.last.store(now, Ordering::Relaxed);
                    let reached = f64::from_bits(this.reached.load(Ordering::Relaxed));
                    if let Err(error) = hear(this.progress.as_ref(), reached) {
                        // The first counts.
                        let _ = this.error.set(error);
                    }
                }
            }
            this.error.get().is_some()
        })
    }
}

/// Tells the progress and looks for signals.
fn hear(progress: Option<&Py<PyAny>>, reached: f64) -> PyResult<()> {
    Python::attach(|py| {
        if let Some(progress) = progress.filter(|_| !reached.is_nan()) {
            progress.call1(py, (reached,))?;
        }
        py.check_signals()
    })
}

/// Does work that has threads of its own in another thread, while this one listens to Python: what it
/// yields, and what Python had to say. The work is to look at the flag, and to count what is done.
pub fn attended<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Arc<AtomicBool>, &AtomicU64) -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let (flag, done) = (Arc::new(AtomicBool::new(false)), AtomicU64::new(0));
    let mut error = None;
    let outcome = py.detach(|| {
        std::thread::scope(|scope| {
            let (send, receive) = sync_channel(1);
            let (flag_there, done_there) = (&flag, &done);
            scope.spawn(move || {
                // Nobody listens any more only if this thread has panicked.
                let _ = send.send(work(flag_there, done_there));
            });
            loop {
                match receive.recv_timeout(BEAT) {
                    Ok(outcome) => return Some(outcome),
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) if error.is_none() => {
                        if let Err(said) = hear(progress, done.load(Ordering::Relaxed) as f64) {
                            flag.store(true, Ordering::Relaxed);
                            error = Some(said);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    });
    let broken = || IntegrationError::new_err("the computation broke off");
    outcome.map(|outcome| (outcome, error)).ok_or_else(broken)
}
