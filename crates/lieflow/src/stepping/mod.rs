//! Driving a method over an interval: control, observation, dense output, events.
//!
//! The method proposes, the control disposes, the observer looks on.
//!
//! - [`integrate`] is the loop; [`Run`] is the same with a starting state, events and a correction.
//! - A [`Control`] chooses the steps: [`Fixed`], [`Adaptive`] or, for symmetric methods, [`Reversible`] or
//!   [`PacedControl`].
//! - An [`Observer`] is shown every accepted step: a closure, a [`Trajectory`], a [`Watch`] over the
//!   invariants, a [`Progress`] report, or several at once in a tuple or a [`Tee`].
//! - An [`Event`] is a zero of a function of time and state, found inside the steps.
//! - A [`Correction`] may touch an accepted state, never silently: the [`Summary`] counts it. All runs
//!   take roundings out of their state after each [`RESTORED_EVERY`]-th step.
//!
//! Where nobody observes single steps and all of them are alike, many are made at a time
//! ([`Method::step_many`](crate::method::Method::step_many)), with the same bits.
//!
//! A rejected step leaves the state untouched, two points are swapped at each accepted one, and for
//! problems of fixed size a step allocates nothing. A run that fails returns what it had.

mod adaptive;
mod calibrate;
mod control;
mod correct;
mod drive;
mod error;
mod event;
mod fixed;
mod line;
mod observe;
mod paced;
mod progress;
mod reversible;
mod root;
mod scan;
mod trajectory;
mod watch;

pub use adaptive::{Adaptive, Limits, Rule};
pub use calibrate::{Calibration, Steady, Trial};
pub use control::{Control, EvenSteps, Stride, Verdict};
pub use correct::{Correction, Polar, RESTORED_EVERY, Rotations, polar, unit};
pub use drive::{Ending, Failure, Run, Summary, integrate};
pub use error::SolveError;
pub use event::{Direction, Event, Occurrence};
pub use fixed::Fixed;
pub use line::Line;
pub use observe::{Every, IntoObserverResult, Observer, ObserverResult, Passage, Tee};
pub use paced::{Pace, Paced, PacedControl, PacedMethod, Plainly};
pub use progress::Progress;
pub use reversible::Reversible;
pub use root::find_root;
pub use trajectory::Trajectory;
pub use watch::{Invariant, Watch};
