//! Runs that go on where another one has ended: for whoever steps a model while people look on.
//!
//! A state is kept with all its bits, as the methods of its system see it; its type is forgotten. So
//! method, step and parameters can change between two runs, and the motion goes on.
use std::any::Any;
use std::fmt;

/// A state between two runs. Empty, it stands for the initial state of the model.
#[derive(Default)]
pub struct Held(Option<Box<dyn Any>>);

impl Held {
    /// Nothing: the next run begins at the initial state.
    pub fn none() -> Self {
        Self::default()
    }

    /// Whether there is a state.
    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }

    /// Whether there is a state of this kind.
    pub(super) fn is<Y: 'static>(&self) -> bool {
        self.0.as_ref().is_some_and(|state| state.is::<Y>())
    }

    /// The state, if it is one of this kind. One of another kind is of no use, and forgotten.
    pub(super) fn take<Y: 'static>(&mut self) -> Option<Y> {
        self.0.take()?.downcast().ok().map(|state| *state)
    }

    /// Keeps a state.
    pub(super) fn put<Y: 'static>(&mut self, state: Y) {
        self.0 = Some(Box::new(state));
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Held({})", if self.is_some() { "…" } else { "" })
    }
}
