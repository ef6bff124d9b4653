//! Memory that a system keeps from one evaluation of its field to the next.
use std::sync::Mutex;

/// A list that is lent to one evaluation at a time. A second thread at the same time takes its own
/// for the while.
#[derive(Debug)]
pub(super) struct Scratch<T>(Mutex<Vec<T>>);

impl<T> Scratch<T> {
    /// Lends the list, with what the last evaluation left in it.
    #[inline]
    pub(super) fn lend<R>(&self, work: impl FnOnce(&mut Vec<T>) -> R) -> R {
        match self.0.try_lock() {
            Ok(mut list) => work(&mut list),
            Err(_) => work(&mut Vec::new()),
        }
    }
}

impl<T> Default for Scratch<T> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<T> Clone for Scratch<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}
