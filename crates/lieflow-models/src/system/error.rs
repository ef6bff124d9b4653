//! Data that no system can have.
use crate::problem_file::Number;

/// Why a system cannot be made. Items are counted from one, as in problem files.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SystemError {
    /// Nothing to move.
    #[error("there must be at least one {what}")]
    Empty {
        /// What is missing.
        what: &'static str,
    },
    /// Lists that should have the same length.
    #[error("found {found} {what}, expected {expected}")]
    Count {
        /// What was counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A quantity that must be above zero and finite.
    #[error("the {what} number {index} is {}, expected a finite number above zero", Number(*value))]
    NotPositive {
        /// Which quantity.
        what: &'static str,
        /// Which one.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// A number that is infinite or NaN.
    #[error("the {what} number {index} is not finite")]
    NotFinite {
        /// Which quantity.
        what: &'static str,
        /// Which one.
        index: usize,
    },
    /// Two things in one place.
    #[error(
        "the dipoles {first} and {second} are {}, expected positions at least 1e-100 apart",
        if *distance == 0.0 { "at the same place".to_string() } else { format!("{distance:e} apart") }
    )]
    Coincident {
        /// One.
        first: usize,
        /// The other.
        second: usize,
        /// Their distance.
        distance: f64,
    },
    /// A direction whose length is not one.
    #[error("the {what} number {index} has length {}, expected one within {tolerance:e}", Number(*length))]
    NotUnit {
        /// Which quantity.
        what: &'static str,
        /// Which one.
        index: usize,
        /// Its length.
        length: f64,
        /// The accepted deviation.
        tolerance: f64,
    },
    /// A vector that can't be scaled to length one.
    #[error(
        "the direction number {index} is zero or not finite, so there is no nearest unit vector"
    )]
    NoDirection {
        /// Which one.
        index: usize,
    },
    /// An angular velocity that turns a direction about itself.
    #[error(
        "the angular velocity number {index} has the component {component:e} along its direction, expected zero within {tolerance:e}"
    )]
    NotTangent {
        /// Which one.
        index: usize,
        /// The component.
        component: f64,
        /// The accepted deviation.
        tolerance: f64,
    },
    /// A controller that cannot say where to push.
    #[error(
        "at t = {} the controller has no direction for the thrust: the force that it wants at the payload vanishes (the payload should fall freely there) or is parallel to 'heading'; change the state, the gains or the trajectory",
        Number(*t)
    )]
    NoThrust {
        /// When.
        t: f64,
    },
    /// A vector that must meet a condition.
    #[error("the {what} is ({}, {}, {}), expected {expected}", Number(*x), Number(*y), Number(*z))]
    Vector {
        /// Which quantity.
        what: &'static str,
        /// First component.
        x: f64,
        /// Second component.
        y: f64,
        /// Third component.
        z: f64,
        /// The condition.
        expected: &'static str,
    },
}

impl SystemError {
    /// The same error about the item number `n`.
    pub(super) fn numbered(mut self, n: usize) -> Self {
        if let Self::NotUnit { index, .. }
        | Self::NotTangent { index, .. }
        | Self::NoDirection { index } = &mut self
        {
            *index = n;
        }
        self
    }
}

/// Whether a number is at most a bound; NaN is not.
pub(super) fn within(x: f64, bound: f64) -> bool {
    x <= bound
}

/// Every number must be finite and above zero.
pub(super) fn positive(what: &'static str, values: &[f64]) -> Result<(), SystemError> {
    for (i, value) in values.iter().enumerate() {
        if !(*value > 0.0 && value.is_finite()) {
            return Err(SystemError::NotPositive { what, index: i + 1, value: *value });
        }
    }
    Ok(())
}

/// A list must have just so many items.
pub(super) fn count(what: &'static str, found: usize, expected: usize) -> Result<(), SystemError> {
    if found == expected { Ok(()) } else { Err(SystemError::Count { what, found, expected }) }
}
