//! Why a run could not be begun or finished.
use crate::method::StepError;
use crate::shown::Shown;

/// An error of the driver or of a control. Times and steps are those of the trial that failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A run cannot go on from a checkpoint.
    #[error("the run cannot go on from this checkpoint: {because}")]
    Checkpoint {
        /// Why.
        because: &'static str,
    },
    /// An end of the interval is infinite or NaN.
    #[error(
        "the interval of integration must have finite ends, not {} and {}",
        Shown(*.from), Shown(*.until)
    )]
    BadSpan {
        /// Its beginning.
        from: f64,
        /// Its end.
        until: f64,
    },
    /// The step is NaN, infinite, zero, or leads away from the end.
    #[error(
        "the step size must be finite, different from zero and lead from t = {} towards {}, but it is {}",
        Shown(*.from), Shown(*.until), Shown(*.step)
    )]
    BadStep {
        /// The step.
        step: f64,
        /// Beginning of the interval.
        from: f64,
        /// End of the interval.
        until: f64,
    },
    /// A setting of a control is out of its range.
    #[error(
        "{setting} must be {expected}, not {}",
        Shown(*.value)
    )]
    BadSetting {
        /// Its name.
        setting: &'static str,
        /// What it may be.
        expected: &'static str,
        /// What it is.
        value: f64,
    },
    /// A tolerance was asked of a method that does not estimate its error.
    #[error(
        "the method has no error estimate, so it cannot keep a tolerance; give a fixed step or use a pair"
    )]
    NoEstimate,
    /// Reversible steps follow the tempo of a motion, and nobody measures it.
    #[error(
        "nothing says how fast things happen in this system, so its steps cannot follow that; give a fixed step"
    )]
    NoTempo,
    /// The step fell below its lower limit or below the resolution of time.
    #[error(
        "at t = {}: the step size fell to {h:e}; the solution may be singular there",
        Shown(*.t)
    )]
    StepTooSmall {
        /// The time.
        t: f64,
        /// The step that was asked for.
        h: f64,
    },
    /// The limit on the number of steps was reached before the end.
    #[error(
        "at t = {}: {steps} steps were made, as many as allowed (max_steps), and the end is not reached",
        Shown(*.t)
    )]
    TooManySteps {
        /// The time.
        t: f64,
        /// The number of accepted steps.
        steps: u64,
    },
    /// One step was rejected again and again.
    #[error(
        "at t = {}: {rejections} trials in a row were rejected (step {h:e}, error estimate {estimate:e}, tolerance {tol:e})",
        Shown(*.t)
    )]
    TooManyRejections {
        /// The time.
        t: f64,
        /// The last step tried.
        h: f64,
        /// The number of trials.
        rejections: u32,
        /// The last error estimate.
        estimate: f64,
        /// The tolerance.
        tol: f64,
    },
    /// The method failed.
    #[error(
        "at t = {}, step {h:e}: {source}",
        Shown(*.t)
    )]
    Step {
        /// The time.
        t: f64,
        /// The step.
        h: f64,
        /// Why.
        source: StepError,
    },
    /// Something that was computed is infinite or NaN.
    #[error(
        "at t = {}: {what} is not finite",
        Shown(*.t)
    )]
    NotFinite {
        /// The time.
        t: f64,
        /// What.
        what: &'static str,
    },
    /// The state has left its manifold by far more than rounding.
    #[error(
        "at t = {}: the state is {distance:.1e} away from its manifold (more than {bound:.1e}): the numbers are too large or the step too long for double precision",
        Shown(*.t)
    )]
    OffManifold {
        /// The time.
        t: f64,
        /// The distance.
        distance: f64,
        /// The largest that is accepted.
        bound: f64,
    },
    /// Events that change the state follow each other faster than time can resolve.
    #[error(
        "at t = {}: events that restart the motion accumulate (the last one is '{event}')",
        Shown(*.t)
    )]
    EventsAccumulate {
        /// The time.
        t: f64,
        /// The name of the event.
        event: &'static str,
    },
    /// A state was asked for outside the step that was just made.
    #[error(
        "t = {} is outside the last step, which leads from {} to {}",
        Shown(*.t), Shown(*.from), Shown(*.to)
    )]
    OutsideStep {
        /// The time asked for.
        t: f64,
        /// Beginning of the step.
        from: f64,
        /// End of the step.
        to: f64,
    },
}
