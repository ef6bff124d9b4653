//! Names that a user has given to quantities.
use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

/// A name for as long as the program runs. The names of quantities go with every state and every row,
/// so they must cost nothing to hand on; each is stored once, however often it is asked for.
pub fn intern(name: &str) -> &'static str {
    static NAMES: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let kept: &'static str = Box::leak(name.into());
    names.insert(kept);
    kept
}
