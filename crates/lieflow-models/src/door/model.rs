//! A system with its types forgotten: what the command line and other languages see.
use super::drive::drive;
use super::{Pace, Place, Plan, Record, State, isotropy, near};
use crate::study::difference;
use lieflow::method::{Card, Entry, Method, OptionError, Step};
use lieflow::problem::{Described, Problem, Watched};
use lieflow::stepping::{Correction, SolveError};
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

/// A system that can come through the door: it can be watched and shown, and it knows the methods
/// that fit it.
pub trait Faces: Described + Watched + Send + Sync + Sized + 'static {
    /// Its name in problem files.
    const SYSTEM: &'static str;
    /// Whether its methods let the isotropy be chosen (`isotropy` and `conserve`).
    const ISOTROPY: bool = false;
    /// The methods that fit the faces of this system.
    fn entries() -> Vec<Entry<Self>>;
    /// A method of a family with more members than are listed, by its name.
    fn unlisted(id: &str) -> Option<Entry<Self>> {
        let _ = id;
        None
    }
    /// Puts numbers into a key of `[initial]`, such as `initial.omega`, if that is easily done in
    /// place and the numbers are such as the file may have. The system is then the one that a file
    /// with these numbers gives, in every bit. Otherwise it is of no use any more.
    fn put(&mut self, key: &str, numbers: &[f64]) -> bool {
        let _ = (key, numbers);
        false
    }
    /// For a method that fits the same system with another parameter: the key and its value.
    fn elsewhere(id: &str) -> Option<(&'static str, &'static str)> {
        let _ = id;
        None
    }
    /// A polar correction of the rotations of a state after every `k`-th step, if it has any.
    fn polar(k: u64) -> Option<Box<dyn Correction<Self>>> {
        let _ = k;
        None
    }
}

/// A system with its types forgotten. Implemented for everything with [`Faces`].
pub trait Model: Send + Sync {
    /// Its name in problem files.
    fn system(&self) -> &'static str;
    /// The cards of the methods that fit it.
    fn methods(&self) -> Vec<Card>;
    /// The names of its invariants.
    fn invariants(&self) -> Vec<&'static str>;
    /// The initial state.
    fn start(&self, t: f64) -> State;
    /// [`Faces::put`].
    fn put(&mut self, key: &str, numbers: &[f64]) -> bool;
    /// Which parts of a state make up which error.
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])];
    /// Whether this plan can be carried out on this system; nothing is computed.
    fn check(&self, plan: &Plan) -> Result<Card, RunError>;
    /// How far a step back misses the initial state from which a step forth was made.
    fn symmetric_defect(&self, plan: &Plan) -> Result<f64, RunError>;
    /// Itself with its type remembered, for questions that only some systems can answer.
    fn as_any(&self) -> &dyn Any;
    /// Carries out a plan. What is computed goes to the sink as it comes.
    fn run(&self, plan: &Plan, sink: &mut dyn Sink) -> Result<Record, RunFailure>;
}

/// Receives what a run computes, as it comes. All functions do nothing unless written.
pub trait Sink {
    /// The run begins at this state; `invariants` are the names of the values that follow.
    fn begin(&mut self, invariants: &[&'static str], start: &State) -> ControlFlow<()> {
        let _ = (invariants, start);
        ControlFlow::Continue(())
    }
    /// Whether it wants to hear of every step.
    fn follows_steps(&self) -> bool {
        true
    }
    /// A step was accepted. Breaking off ends the run.
    fn step(&mut self, t: f64, invariants: &[f64]) -> ControlFlow<()> {
        let _ = (t, invariants);
        ControlFlow::Continue(())
    }
    /// A state that is kept: the first one, every so many, and the last one.
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        let _ = (state, invariants);
        ControlFlow::Continue(())
    }
}

/// A sink that keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;
impl Sink for Silent {
    fn follows_steps(&self) -> bool {
        false
    }
}

/// Why a plan could not be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// No such method for this system.
    #[error(
        "{place}: no method called '{method}' fits the system '{system}'{}; it can use: {}",
        near.map_or(String::new(), |n| format!(" (did you mean '{n}'?)")), known.join(", ")
    )]
    UnknownMethod {
        /// Where the method was named.
        place: Place,
        /// Its name.
        method: String,
        /// The system.
        system: &'static str,
        /// A method of nearly this name.
        near: Option<&'static str>,
        /// All methods that fit.
        known: Vec<&'static str>,
    },
    /// A method for the same system with another parameter.
    #[error(
        "{place}: the method '{method}' fits the system '{system}' only with {key} = \"{value}\"; \
         set that, or use one of: {}", known.join(", ")
    )]
    Elsewhere {
        /// Where the method was named.
        place: Place,
        /// Its name.
        method: String,
        /// The system.
        system: &'static str,
        /// The parameter.
        key: &'static str,
        /// The value that the method needs.
        value: &'static str,
        /// All methods that fit as things are.
        known: Vec<&'static str>,
    },
    /// The method does not have an option.
    #[error("{place}: {source}")]
    Option {
        /// Where the option was given.
        place: Place,
        /// Why not.
        source: OptionError,
    },
    /// An option of other families.
    #[error("{place}: the method '{method}' has no option '{option}'")]
    NoSuchOption {
        /// Where it was given.
        place: Place,
        /// The method.
        method: &'static str,
        /// The option.
        option: &'static str,
    },
    /// A polar correction of a system that does not offer it.
    #[error("{place}: the system '{system}' has no polar correction of its states")]
    NoPolar {
        /// Where it was given.
        place: Place,
        /// The system.
        system: &'static str,
    },
    /// Something to conserve that is no invariant of the system.
    #[error(
        "{place}: found '{found}', expected invariants of the system with commas between them{}; there are: {}",
        near.map_or(String::new(), |n| format!("; did you mean '{n}'?")), known.join(", ")
    )]
    UnknownInvariant {
        /// Where it was given.
        place: Place,
        /// What was given.
        found: String,
        /// An invariant of nearly this name.
        near: Option<&'static str>,
        /// All invariants.
        known: Vec<&'static str>,
    },
    /// A tolerance for a method that cannot keep one.
    #[error(
        "{place}: the method '{method}' has no error estimate, so it cannot keep a tolerance; \
         give a step, or use one of: {}", pairs.join(", ")
    )]
    NoEstimate {
        /// Where the tolerance was given.
        place: Place,
        /// The method.
        method: &'static str,
        /// Methods for this system that have one.
        pairs: Vec<&'static str>,
    },
    /// The computation failed.
    #[error("{source} (after {steps} accepted steps)")]
    Solve {
        /// The steps made before.
        steps: u64,
        /// Where and why.
        source: SolveError,
    },
    /// Whoever receives the states wants no more.
    #[error("at t = {t}: the output was closed (after {steps} accepted steps)")]
    Stopped {
        /// Where.
        t: f64,
        /// The steps made before.
        steps: u64,
    },
}

impl RunError {
    /// Whether what was typed is wrong, as against a computation that failed.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Stopped { .. } => false,
            Self::Solve { source, .. } => matches!(
                source,
                SolveError::BadSpan { .. }
                    | SolveError::BadStep { .. }
                    | SolveError::BadSetting { .. }
                    | SolveError::NoEstimate
            ),
            _ => true,
        }
    }
}

/// A run that did not reach its end, with what it had computed.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct RunFailure {
    /// Why.
    pub error: Box<RunError>,
    /// What there is up to the last accepted step.
    pub record: Option<Box<Record>>,
}

impl From<RunError> for RunFailure {
    fn from(error: RunError) -> Self {
        Self { error: Box::new(error), record: None }
    }
}

impl<P: Faces> Model for P {
    fn system(&self) -> &'static str {
        P::SYSTEM
    }
    fn methods(&self) -> Vec<Card> {
        P::entries().into_iter().map(|entry| entry.card).collect()
    }
    fn invariants(&self) -> Vec<&'static str> {
        Watched::invariants(self).iter().map(|q| q.name).collect()
    }
    fn start(&self, t: f64) -> State {
        State::of(self, t, &Problem::start(self))
    }
    fn put(&mut self, key: &str, numbers: &[f64]) -> bool {
        Faces::put(self, key, numbers)
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        Described::error_parts(self)
    }
    fn check(&self, plan: &Plan) -> Result<Card, RunError> {
        make(self, plan).map(|(card, _)| card)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn symmetric_defect(&self, plan: &Plan) -> Result<f64, RunError> {
        let (_, mut method) = make(self, plan)?;
        let h = match plan.pace {
            Pace::Fixed { step } => step,
            Pace::Adaptive { first_step, .. } => first_step.unwrap_or(0.1),
        };
        let failed = |source| RunError::Solve {
            steps: 0,
            source: SolveError::Step { t: plan.from, h, source },
        };
        let start = Problem::start(self);
        let (mut there, mut back) = (start.clone(), start.clone());
        method.step(Step::new(self, plan.from, h, &start), &mut there).map_err(failed)?;
        method.reset();
        method.step(Step::new(self, plan.from + h, -h, &there), &mut back).map_err(failed)?;
        let state = |y| State::of(self, plan.from, y);
        let parts = Described::error_parts(self);
        Ok(difference(parts, &state(&start), &state(&back)).total)
    }
    fn run(&self, plan: &Plan, sink: &mut dyn Sink) -> Result<Record, RunFailure> {
        let (card, mut method) = make(self, plan)?;
        drive(self, plan, &card, method.as_mut(), sink)
    }
}

/// The methods for a system, listed once in each thread: an ensemble asks for one of them again and
/// again, and a list of all takes longer to make than many a trajectory.
fn entries_of<P: Faces>() -> Rc<Vec<Entry<P>>> {
    thread_local! {
        static LISTS: RefCell<Vec<(TypeId, Rc<dyn Any>)>> = const { RefCell::new(Vec::new()) };
    }
    let wanted = TypeId::of::<P>();
    let listed = LISTS.with_borrow(|lists| {
        let (_, list) = lists.iter().find(|(id, _)| *id == wanted)?;
        list.clone().downcast().ok()
    });
    listed.unwrap_or_else(|| {
        let list = Rc::new(P::entries());
        LISTS.with_borrow_mut(|lists| lists.push((wanted, list.clone())));
        list
    })
}

/// The method that the plan names, with its options.
fn make<P: Faces>(p: &P, plan: &Plan) -> Result<(Card, Box<dyn Method<P>>), RunError> {
    let entries = entries_of::<P>();
    let listed = entries.iter().find(|entry| entry.card.id == plan.method);
    let unlisted = if listed.is_some() { None } else { P::unlisted(&plan.method) };
    let Some(entry) = listed.or(unlisted.as_ref()) else {
        let known: Vec<_> = entries.iter().map(|entry| entry.card.id).collect();
        let (place, method, system) = (plan.place_of("method"), plan.method.clone(), P::SYSTEM);
        if let Some((key, value)) = P::elsewhere(&method) {
            return Err(RunError::Elsewhere { place, method, system, key, value, known });
        }
        return Err(RunError::UnknownMethod {
            place,
            method,
            system,
            near: near(&plan.method, known.iter().copied()),
            known,
        });
    };
    let id = entry.card.id;
    let names = || Watched::invariants(p).iter().map(|q| q.name).collect();
    let options = isotropy::options(P::ISOTROPY, names, plan, id)?;
    if plan.polar.is_some() && P::polar(1).is_none() {
        let place = plan.place_of("polar");
        return Err(RunError::NoPolar { place, system: P::SYSTEM });
    }
    if matches!(plan.pace, Pace::Adaptive { .. }) && entry.card.estimate_power.is_none() {
        let pairs = entries.iter().filter(|e| e.card.estimate_power.is_some());
        return Err(RunError::NoEstimate {
            place: plan.place_of("tol"),
            method: id,
            pairs: pairs.map(|e| e.card.id).collect(),
        });
    }
    let method = (entry.make)(p, &options)
        .map_err(|source| RunError::Option { place: isotropy::place(plan, &source), source })?;
    Ok((entry.card.clone(), method))
}
