//! Ctrl-C (SIGINT) and the end of a batch job (SIGTERM).
use lieflow_models::run::Stop;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// The exit status after a second signal.
const KILLED: i32 = 130;

static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From now on the first signal asks to stop, and the second one ends the process. Commands that do
/// not look at the answer must not call this.
pub fn stop() -> Stop {
    let asked = ASKED.get_or_init(|| {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the signal that sets the flag does not see it set. A signal that cannot be
            // caught does what it always does.
            let _ = flag::register_conditional_shutdown(signal, KILLED, asked.clone());
            let _ = flag::register(signal, asked.clone());
        }
        asked
    });
    Stop::when(asked.clone())
}
