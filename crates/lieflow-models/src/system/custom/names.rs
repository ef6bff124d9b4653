//! Which parts of a state make up which error, for as long as the program runs: those of built-in
//! systems are in the program text, and these come from files.
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Which parts of a state make up which error.
pub type ErrorParts = &'static [(&'static str, &'static [&'static str])];

static PARTS: Mutex<BTreeSet<ErrorParts>> = Mutex::new(BTreeSet::new());

/// A list of errors, each with its parts; stored once, however often it is asked for.
pub fn lasting_parts(list: Vec<(&'static str, Vec<&'static str>)>) -> ErrorParts {
    let mut known = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |parts: &&ErrorParts| {
        parts.len() == list.len()
            && parts.iter().zip(&list).all(|(a, b)| a.0 == b.0 && a.1 == &b.1[..])
    };
    if let Some(parts) = known.iter().find(same) {
        return parts;
    }
    let leaked =
        list.into_iter().map(|(name, parts)| (name, &*Box::leak(parts.into_boxed_slice())));
    let parts: ErrorParts = Box::leak(leaked.collect::<Vec<_>>().into_boxed_slice());
    known.insert(parts);
    parts
}
