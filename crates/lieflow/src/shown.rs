//! Numbers in messages.
use core::fmt;

/// A number in full, unless that takes more digits than it has.
pub(crate) struct Shown(pub f64);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        match size == 0.0 || (1e-15..1e16).contains(&size) || !size.is_finite() {
            true => write!(f, "{}", self.0),
            false => write!(f, "{:e}", self.0),
        }
    }
}
