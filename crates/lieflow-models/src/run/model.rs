//! A system with its types forgotten: what the command line and other languages see.
use super::drive::{drive, symmetric_defect};
use super::{Controller, Held, Pace, Plan, Record, RunError, RunFailure, Scale, State, isotropy};
use crate::formulas::Watchlist;
use crate::method_names::{meant, worth_trying};
use lieflow::action::Flat;
use lieflow::archive::Archive;
use lieflow::method::{Card, Entry, Method, Options, isospectral, magnus};
use lieflow::problem::{Described, FieldMeter, Lift, Meter, Problem, Value, Watched};
use lieflow::stepping::{Correction, Paced};
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

/// A system that problem files can name: it can be watched and shown, and it knows the methods that
/// fit it.
pub trait ModelSystem:
    Described + Watched + Problem<Point: Flat> + Send + Sync + Sized + 'static
{
    /// Its name in problem files.
    const SYSTEM: &'static str;
    /// Whether its methods let the isotropy be chosen (`isotropy` and `conserve`).
    const ISOTROPY: bool = false;
    /// What fixes the steps of its methods, and how else their errors can be seen, if something does: then
    /// studies over steps say nothing.
    const STEPS_FIXED_BY: Option<&'static str> = None;
    /// The methods that fit this system.
    fn entries() -> Vec<Entry<Self>>;
    /// A method of a family with more members than are listed, by its name.
    fn method_by_name(id: &str) -> Option<Entry<Self>> {
        let _ = id;
        None
    }
    /// Sets a key of `[initial]`, such as `initial.omega`, to these numbers if that is easily done
    /// in place and the numbers are such as the file may have. The system is then the one that a
    /// file with these numbers gives, in every bit. Otherwise it is of no use any more.
    fn set_initial(&mut self, key: &str, numbers: &[f64]) -> bool {
        let _ = (key, numbers);
        false
    }
    /// Appends the columns of a state to a row, rotations without their entries. Systems that are swept do
    /// so without a list of their parts.
    fn columns_into(&self, t: f64, y: &Self::Point, row: &mut Vec<f64>) {
        State::plain(self, t, y).numbers_into(false, row);
    }
    /// For a method that fits the same system with another parameter: the key and its value.
    fn needs_parameter(id: &str) -> Option<(&'static str, &'static str)> {
        let _ = id;
        None
    }
    /// Gives a part of a state, by its name in the output, other numbers if it can have them.
    fn set_part(&self, y: &mut Self::Point, part: &str, numbers: &[f64]) -> bool {
        let _ = (y, part, numbers);
        false
    }
    /// Why a method cannot be used for this one system although it fits its kind, if so.
    fn refuses(&self, card: &Card) -> Option<String> {
        let _ = card;
        None
    }
    /// Where its formulas are not smooth.
    fn kinks(&self) -> Vec<String> {
        Vec::new()
    }
    /// Where a formula of the system breaks down at a state, if one does.
    fn breakdown(&self, t: f64, y: &Self::Point) -> Option<String> {
        let _ = (t, y);
        None
    }
    /// The places of the ends of its links at a state, from the support on, if it has links.
    fn positions(&self, y: &Self::Point) -> Option<Vec<[f64; 3]>> {
        let _ = y;
        None
    }
    /// What measures how fast things happen in this system, for reversible steps, if it can be measured.
    fn meter(&self) -> Option<MeterOf<Self>> {
        None
    }
    /// The method of this name with steps that are chosen by the energy and stay symplectic, if there is
    /// such a one for this system.
    fn paced(&self, id: &str) -> Option<Box<dyn Paced<Self::Point>>> {
        let _ = id;
        None
    }
    /// The method of this name with an error estimate that it has on request only, and the power of the step with which
    /// this grows, if there is such a one for this system.
    fn estimated(&self, id: &str) -> Option<(Box<dyn Method<Self>>, u8)> {
        let _ = id;
        None
    }
    /// A polar correction of the rotations of a state after every `k`-th step, if it has any.
    fn polar(k: u64) -> Option<Box<dyn Correction<Self>>> {
        let _ = k;
        None
    }
}

/// What measures how fast things happen in a system.
pub type MeterOf<P> = Box<dyn Meter<<P as Problem>::Point>>;

/// A measure by the field of a system, unless that depends on the time itself (`timed`): then there
/// is no way back.
pub fn field_meter<P>(system: &P, timed: bool) -> Option<MeterOf<P>>
where
    P: Lift<Scalar = f64> + Clone + 'static,
{
    (!timed).then(|| Box::new(FieldMeter::new(system.clone())) as MeterOf<P>)
}

/// A system with its types forgotten. Implemented for every [`ModelSystem`].
pub trait Model: Send + Sync {
    /// Its name in problem files.
    fn system(&self) -> &'static str;
    /// The cards of the methods that fit it.
    fn methods(&self) -> Vec<Card>;
    /// Methods that fit the system but not this problem, each with the reason.
    fn refused(&self) -> Vec<(&'static str, String)>;
    /// Where its formulas are not smooth.
    fn kinks(&self) -> Vec<String>;
    /// [`ModelSystem::STEPS_FIXED_BY`].
    fn steps_fixed_by(&self) -> Option<&'static str> {
        None
    }
    /// The names of its invariants.
    fn invariants(&self) -> Vec<&'static str>;
    /// The initial state.
    fn start(&self, t: f64) -> State;
    /// [`ModelSystem::set_initial`].
    fn set_initial(&mut self, key: &str, numbers: &[f64]) -> bool;
    /// Which parts of a state make up which error.
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])];
    /// Whether this plan can be carried out on this system; nothing is computed.
    fn check(&self, plan: &Plan) -> Result<Card, RunError>;
    /// How far a step back misses the initial state from which a step forth was made.
    fn symmetric_defect(&self, plan: &Plan) -> Result<f64, RunError>;
    /// Itself with its type remembered, for questions that only some systems can answer.
    fn as_any(&self) -> &dyn Any;
    /// Carries out a plan and watches what a file asks for. What is computed goes to the sink as it
    /// comes.
    fn run_watching(
        &self,
        plan: &Plan,
        watchlist: &Watchlist,
        sink: &mut dyn Sink,
    ) -> Result<Record, RunFailure> {
        self.run_on(plan, watchlist, &mut Held::none(), sink)
    }
    /// The same from a state that another run has left, if `held` has one that this system can have;
    /// the last state is left there. The plan says from when.
    fn run_on(
        &self,
        plan: &Plan,
        watchlist: &Watchlist,
        held: &mut Held,
        sink: &mut dyn Sink,
    ) -> Result<Record, RunFailure>;
    /// Whether a held state is of the kind that this system has.
    fn can_hold(&self, held: &Held) -> bool;
    /// Adds numbers to a part of a held state, or of the initial one, if the part can be changed.
    fn nudge(&self, held: &mut Held, part: &str, by: &[f64]) -> bool;
    /// Whether a part of its states can be given other numbers by an event.
    fn can_change(&self, part: &str) -> bool;
    /// What its file asks to be watched.
    fn watchlist(&self) -> &Watchlist {
        &NOTHING
    }
    /// Carries out a plan.
    fn run(&self, plan: &Plan, sink: &mut dyn Sink) -> Result<Record, RunFailure> {
        self.run_watching(plan, self.watchlist(), sink)
    }
}

static NOTHING: Watchlist = Watchlist::new();

/// Receives what a run computes, as it comes. All functions do nothing unless written.
pub trait Sink {
    /// The run begins at this state; `invariants` are the names of the values that follow.
    fn begin(&mut self, invariants: &[&'static str], start: &State) -> ControlFlow<()> {
        let _ = (invariants, start);
        ControlFlow::Continue(())
    }
    /// By what changes of the invariants are measured; comes before the beginning.
    fn measured_by(&mut self, scales: &[Scale]) {
        let _ = scales;
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
    /// The checkpoint from which the run goes on, if it does. Then [`Sink::resume`] and
    /// [`Sink::archive`] come in place of [`Sink::begin`], and nothing is handed on again.
    fn checkpoint_before(&mut self) -> Option<Vec<u64>> {
        None
    }
    /// The run, which once began at this state, goes on.
    fn resume(&mut self, invariants: &[&'static str], start: &State) -> ControlFlow<()> {
        let _ = (invariants, start);
        ControlFlow::Continue(())
    }
    /// Names what it remembers of the run, so that this can go on later.
    fn archive(&mut self, archive: &mut Archive) {
        let _ = archive;
    }
    /// Whether it takes checkpoints at all.
    fn takes_checkpoints(&self) -> bool {
        false
    }
    /// Whether it wants a checkpoint before the next step; `last` if that leads to the end of the run,
    /// so that the run cannot go on beyond it from checkpoints that follow.
    fn checkpoint_due(&mut self, last: bool) -> bool {
        let _ = last;
        false
    }
    /// The checkpoint that it wanted, or why there can be none. Breaking off ends the run.
    fn checkpoint(&mut self, taken: Result<Vec<u64>, &'static str>, last: bool) -> ControlFlow<()> {
        let _ = (taken, last);
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
pub struct NullSink;
impl Sink for NullSink {
    fn follows_steps(&self) -> bool {
        false
    }
}

impl<P: ModelSystem> Model for P {
    fn system(&self) -> &'static str {
        P::SYSTEM
    }
    fn methods(&self) -> Vec<Card> {
        let cards = P::entries().into_iter().map(|entry| entry.card);
        cards.filter(|card| self.refuses(card).is_none()).collect()
    }
    fn refused(&self) -> Vec<(&'static str, String)> {
        let cards = P::entries().into_iter().map(|entry| entry.card);
        cards.filter_map(|card| Some((card.id, self.refuses(&card)?))).collect()
    }
    fn kinks(&self) -> Vec<String> {
        ModelSystem::kinks(self)
    }
    fn steps_fixed_by(&self) -> Option<&'static str> {
        P::STEPS_FIXED_BY
    }
    fn invariants(&self) -> Vec<&'static str> {
        Watched::invariants(self).iter().map(|q| q.name).collect()
    }
    fn start(&self, t: f64) -> State {
        State::of(self, t, &Problem::start(self))
    }
    fn set_initial(&mut self, key: &str, numbers: &[f64]) -> bool {
        ModelSystem::set_initial(self, key, numbers)
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
        symmetric_defect(self, plan, method.as_mut())
    }
    fn run_on(
        &self,
        plan: &Plan,
        watchlist: &Watchlist,
        held: &mut Held,
        sink: &mut dyn Sink,
    ) -> Result<Record, RunFailure> {
        let (card, mut method) = make(self, plan)?;
        drive(self, plan, watchlist, &card, method.as_mut(), held, sink)
    }
    fn can_hold(&self, held: &Held) -> bool {
        held.is::<P::Point>()
    }
    fn nudge(&self, held: &mut Held, part: &str, by: &[f64]) -> bool {
        let mut y = held.take().unwrap_or_else(|| Problem::start(self));
        let before = State::plain(self, 0.0, &y).part(part).map(Value::numbers);
        let numbers = before.filter(|numbers| numbers.len() == by.len()).map(|mut numbers| {
            numbers.iter_mut().zip(by).for_each(|(x, by)| *x += by);
            numbers
        });
        let done = numbers.is_some_and(|numbers| self.set_part(&mut y, part, &numbers));
        held.put(y);
        done
    }
    fn can_change(&self, part: &str) -> bool {
        let mut y = Problem::start(self);
        let state = State::plain(self, 0.0, &y);
        let numbers = state.part(part).map(Value::numbers).unwrap_or_default();
        self.set_part(&mut y, part, &numbers)
    }
}

/// The methods for a system, listed once in each thread: an ensemble asks for one of them again and
/// again, and a list of all takes longer to make than many a trajectory.
fn entries_of<P: ModelSystem>() -> Rc<Vec<Entry<P>>> {
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
fn make<P: ModelSystem>(p: &P, plan: &Plan) -> Result<(Card, Box<dyn Method<P>>), RunError> {
    let entries = entries_of::<P>();
    let listed = entries.iter().find(|entry| entry.card.id == plan.method);
    let by_name = if listed.is_some() { None } else { P::method_by_name(&plan.method) };
    let wanted = Wanted {
        plan,
        system: P::SYSTEM,
        isotropy: P::ISOTROPY,
        polar: || P::polar(1).is_some(),
        tempo: &|| p.meter().is_some(),
        paced: &|| p.paced(&plan.method).is_some(),
        estimated: &|| p.estimated(&plan.method).is_some(),
        positions: &|| p.positions(&Problem::start(p)).is_some(),
        needs_parameter: P::needs_parameter,
        invariants: &|| Watched::invariants(p).iter().map(|q| q.name).collect(),
        cards: &|| entries.iter().map(|entry| entry.card.clone()).collect(),
    };
    let Some(entry) = listed.or(by_name.as_ref()) else { return Err(wanted.unknown()) };
    if let Some(reason) = p.refuses(&entry.card) {
        let known = entries.iter().filter(|entry| p.refuses(&entry.card).is_none());
        return Err(RunError::Refused {
            place: plan.place_of("method"),
            method: plan.method.clone(),
            reason,
            known: known.map(|entry| entry.card.id).collect(),
        });
    }
    let options = wanted.options(&entry.card)?;
    let method = (entry.make)(p, &options)
        .map_err(|source| RunError::Option { place: isotropy::place(plan, &source), source })?;
    Ok((entry.card.clone(), method))
}

/// What a method needs that no problem of this system has, for methods that exist elsewhere.
fn not_for_this_kind(method: &str) -> Option<&'static str> {
    let is = |card: &Card| card.id == method;
    if magnus::MEMBERS.iter().any(|(card, _)| is(card)) {
        return Some(magnus::NOT_LINEAR);
    }
    isospectral::MEMBERS.iter().any(|(card, _)| is(card)).then_some(isospectral::NOT_LAX)
}

/// What a plan wants of a system, to be checked.
struct Wanted<'a> {
    plan: &'a Plan,
    system: &'static str,
    isotropy: bool,
    polar: fn() -> bool,
    tempo: &'a dyn Fn() -> bool,
    paced: &'a dyn Fn() -> bool,
    estimated: &'a dyn Fn() -> bool,
    positions: &'a dyn Fn() -> bool,
    needs_parameter: fn(&str) -> Option<(&'static str, &'static str)>,
    invariants: &'a dyn Fn() -> Vec<&'static str>,
    cards: &'a dyn Fn() -> Vec<Card>,
}

impl Wanted<'_> {
    /// The error for a method that does not fit.
    fn unknown(&self) -> RunError {
        let known: Vec<_> = (self.cards)().iter().map(|card| card.id).collect();
        let (place, method, system) =
            (self.plan.place_of("method"), self.plan.method.clone(), self.system);
        if let Some(reason) = not_for_this_kind(&method) {
            let known = worth_trying(&known).into_iter().take(6).collect();
            return RunError::Refused { place, method, reason: reason.into(), known };
        }
        let suggestion = meant(&method, &known);
        if let Some((key, value)) = (self.needs_parameter)(&method) {
            return RunError::NeedsParameter {
                place,
                method,
                system,
                key,
                value,
                suggestion,
                known,
            };
        }
        RunError::UnknownMethod { place, method, system, suggestion, known }
    }

    /// The options for a method, if it and the system have what the plan asks for.
    fn options(&self, card: &Card) -> Result<Options, RunError> {
        let plan = self.plan;
        let options = isotropy::options(self.isotropy, self.invariants, plan, card.id)?;
        if plan.polar.is_some() && !(self.polar)() {
            let place = plan.place_of("polar");
            return Err(RunError::NoPolar { place, system: self.system });
        }
        if plan.written.positions && !(self.positions)() {
            let place = plan.place_of("positions");
            return Err(RunError::NoPositions { place, system: self.system });
        }
        if matches!(plan.pace, Pace::Adaptive { .. }) {
            self.tolerance(card)?;
        }
        let own = card.estimate_power.is_some() && plan.without_estimate(card).is_none();
        if plan.options.compensated && matches!(plan.pace, Pace::Adaptive { .. }) && !own {
            let place = plan.place_of("compensated");
            return Err(RunError::CompensatedSteps { place, method: card.id });
        }
        Ok(options)
    }

    /// Whether the method can keep a tolerance, by its error estimate or by reversible steps.
    fn tolerance(&self, card: &Card) -> Result<(), RunError> {
        let (plan, system, method) = (self.plan, self.system, card.id);
        let those = |fit: fn(&Card) -> bool| {
            let cards = (self.cards)();
            cards.iter().filter(|card| fit(card)).map(|card| card.id).collect::<Vec<_>>()
        };
        let pairs = || those(|card| card.estimate_power.is_some());
        let symmetric = || those(|card| card.symmetric && card.estimate_power.is_none());
        let reversible = plan.without_estimate(card).is_some();
        if plan.controller == Some(Controller::Symplectic) && !(self.paced)() {
            return Err(RunError::NotPaced { place: plan.place_of("controller"), method });
        }
        if reversible && !card.symmetric {
            let place = plan.place_of_first(&["controller", "tol"]);
            return Err(RunError::NotSymmetric { place, method, system, symmetric: symmetric() });
        }
        let place = || plan.place_of("tol");
        if reversible && !(self.tempo)() && !(plan.controller.is_none() && (self.estimated)()) {
            return Err(RunError::NoTempo { place: place(), method, system, pairs: pairs() });
        }
        if !reversible && card.estimate_power.is_none() && !(self.estimated)() {
            let (pairs, place) = (pairs(), place());
            let symmetric = if (self.tempo)() { symmetric() } else { Vec::new() };
            return Err(RunError::NoEstimate { place, method, pairs, system, symmetric });
        }
        Ok(())
    }
}
