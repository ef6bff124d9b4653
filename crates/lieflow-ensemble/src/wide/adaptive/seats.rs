//! What the lanes of adaptive steps hold: systems of one type, and their states.
use super::super::dispatch::{Detected, Number};
use super::super::gather::{ROOM, lane};
use super::super::lane_field::Lent;
use super::super::{Packed, Refilled};
use lieflow::action::Action;
use lieflow::group::{LieAlgebra, LieGroup, ScalarOf};
use lieflow::method::rkmk::{FirstStage, InExponential, LanePace, LaneStep};
use lieflow::method::{InlineMethod, Inside, Step};
use lieflow::problem::{FieldOf, Generator, GroupOf, Lift, Problem};
use lieflow::stepping::Stride;
use lieflow::tableau::Tableau;
use lieflow_models::run::Plan;
use std::mem::swap;

/// What is asked of the lanes.
pub trait Seats {
    /// Another trajectory of the block begins, with room for so many states, of which the first is its start if that is
    /// observed.
    fn begin(&mut self, observed: bool, room: usize);
    /// Puts these systems into the lanes, and their starts into those of the bits `begun`; those of the bits `idle` get the
    /// state of `some` other.
    fn fill(&mut self, systems: &[usize], begun: u32, idle: u32, some: usize) -> Option<()>;
    /// Makes a trial in all lanes, from these times and over these steps: the estimates of their errors, and the bits of
    /// those where it failed, whose step becomes zero. Nothing if it cannot even be made without them.
    fn attempt(
        &mut self,
        t: &[f64; ROOM],
        h: &mut [f64; ROOM],
        follows: &[f64; ROOM],
    ) -> Option<([f64; ROOM], u32)>;
    /// Powers of numbers above zero.
    fn raise(&self, bases: &mut [f64; ROOM], exponent: f64);
    /// The trial of this lane is not accepted.
    fn stay(&mut self, k: usize);
    /// Takes roundings out of the end of the trial of lane `k`, which is a step of trajectory `i`.
    fn restore(&mut self, k: usize, i: usize);
    /// Keeps the states of trajectory `i` at the times of the plan that this step has reached, the trial of lane `k`: how
    /// many there are now.
    fn keep(&mut self, k: usize, i: usize, stride: &Stride) -> Option<usize>;
    /// The ends of the trials become the states.
    fn move_on(&mut self);
}

type PointOf<P, N> = <Packed<P, N> as Problem>::Point;

/// [`Refilled::put`], which is long, in one place.
#[inline(never)]
fn put<P: Refilled<N>, N: Number>(states: &mut PointOf<P, N>, k: usize, state: &P::Point)
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P>,
{
    P::put(states, k, state);
}

/// The state in a lane, likewise.
#[inline(never)]
fn state_of<P: Refilled<N>, N: Number>(
    packed: &Packed<P, N>,
    states: &PointOf<P, N>,
    k: usize,
) -> P::Point
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P>,
{
    packed.lift_point(states, lane(k))
}

/// Systems of one type in the lanes.
pub struct SeatsOf<'a, P: Refilled<N>, N: Number>
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P>,
{
    items: &'a [&'a P],
    /// Whether they differ in their initial states only.
    alike: bool,
    plan: &'a Plan,
    detected: Detected<N>,
    /// The states of each trajectory at the first times of the plan.
    pub states: Vec<Vec<P::Point>>,
    packed: Packed<P, N>,
    field: P::Field,
    method: InExponential<P::Field>,
    /// The states, and where a trial leads, in places that are exchanged.
    y: Box<PointOf<P, N>>,
    end: Box<PointOf<P, N>>,
    /// Looks inside the step of a lane.
    inside: InExponential<Lent<'a, P::Space>>,
    /// Work space for one lane.
    part: FieldOf<P>,
}

impl<'a, P: Refilled<N>, N: Number> SeatsOf<'a, P, N>
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P>,
{
    /// Lanes for these systems, of which there is at least one.
    pub fn new(
        (items, alike): (&'a [&'a P], bool),
        plan: &'a Plan,
        table: &'static Tableau,
        detected: Detected<N>,
    ) -> Option<Self> {
        let first = items.first()?;
        let systems: Vec<&P> = (0..N::LANES).map(|k| items[k.min(items.len() - 1)]).collect();
        let packed = P::pack(&systems)?;
        let y = Box::new(packed.start());
        Some(Self {
            items,
            alike,
            plan,
            detected,
            states: Vec::with_capacity(items.len()),
            field: P::field_of(&packed),
            packed,
            method: InExponential::new(table),
            end: y.clone(),
            y,
            inside: InExponential::new(table),
            part: first.field(plan.from, &first.start()).zero_like(),
        })
    }
}

impl<'a, P: Refilled<N>, N: Number> Seats for SeatsOf<'a, P, N>
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P>,
{
    fn begin(&mut self, observed: bool, room: usize) {
        let mut states = Vec::with_capacity(room);
        if observed {
            states.push(self.items[self.states.len()].start());
        }
        self.states.push(states);
    }

    fn fill(&mut self, systems: &[usize], begun: u32, idle: u32, some: usize) -> Option<()> {
        if !self.alike {
            let systems: Vec<&P> = systems.iter().map(|i| self.items[*i]).collect();
            self.packed = P::pack(&systems)?;
            self.field = P::field_of(&self.packed);
        }
        for (k, system) in systems.iter().enumerate() {
            if begun >> k & 1 == 1 {
                put::<P, N>(&mut self.y, k, &self.items[*system].start());
            }
        }
        for k in 0..N::LANES {
            if idle >> k & 1 == 1 {
                let state = state_of::<P, N>(&self.packed, &self.y, some);
                put::<P, N>(&mut self.y, k, &state);
            }
        }
        Some(())
    }

    fn attempt(
        &mut self,
        t: &[f64; ROOM],
        h: &mut [f64; ROOM],
        follows: &[f64; ROOM],
    ) -> Option<([f64; ROOM], u32)> {
        let outside = |method: &InExponential<P::Field>, part: &mut FieldOf<P>, k| {
            method.is_outside::<GroupOf<P>>(k, part)
        };
        attempt(
            self.detected,
            (&mut self.field, &mut self.method),
            (&self.y, &mut self.end),
            (t, h, follows),
            &mut |method, k| outside(method, &mut self.part, k),
        )
    }

    fn raise(&self, bases: &mut [f64; ROOM], exponent: f64) {
        N::power(self.detected, N::read_lanes(bases), exponent).write_lanes(bases);
    }

    fn stay(&mut self, k: usize) {
        let state = state_of::<P, N>(&self.packed, &self.y, k);
        put::<P, N>(&mut self.end, k, &state);
    }

    fn restore(&mut self, k: usize, i: usize) {
        let mut state = state_of::<P, N>(&self.packed, &self.end, k);
        self.items[i].restore(&mut state);
        put::<P, N>(&mut self.end, k, &state);
    }

    fn keep(&mut self, k: usize, i: usize, stride: &Stride) -> Option<usize> {
        let item = self.items[i];
        let Stride { t: from, h, end: to } = *stride;
        let direction = (self.plan.until - self.plan.from).signum();
        let mut ends = None;
        while let Some(time) = self.plan.times.get(self.states[i].len())
            && (to - time) * direction >= 0.0
        {
            let field = Lent(item);
            let (start, end) = ends.get_or_insert_with(|| {
                let start = state_of::<P, N>(&self.packed, &self.y, k);
                remember(&mut self.inside, &self.method, k, Step::new(&field, from, h, &start));
                (start, state_of::<P, N>(&self.packed, &self.end, k))
            });
            let mut state = end.clone();
            if *time == from {
                state = start.clone();
            } else if *time != to {
                let theta = (time - from) / h;
                let place = Step::new(&field, from, h, start).inside(end, theta);
                look_inside(&mut self.inside, place, &mut state)?;
            }
            self.states[i].push(state);
        }
        Some(self.states[i].len())
    }

    fn move_on(&mut self) {
        swap(&mut self.y, &mut self.end);
    }
}

/// [`Seats::attempt`], compiled for each kind of field.
fn attempt<Q, N>(
    detected: Detected<N>,
    (field, method): (&mut Q, &mut InExponential<Q>),
    (y, end): (&Q::Point, &mut Q::Point),
    (t, h, follows): (&[f64; ROOM], &mut [f64; ROOM], &[f64; ROOM]),
    outside: &mut dyn FnMut(&InExponential<Q>, usize) -> bool,
) -> Option<([f64; ROOM], u32)>
where
    Q: Generator<Space: Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = N>>>>,
    N: Number,
{
    let mut first = FirstStage::Follows(N::read_lanes(follows));
    let mut failed = 0;
    loop {
        let pace = LanePace::Each { t: N::read_lanes(t), h: N::read_lanes(h) };
        let step = LaneStep { p: &mut *field, pace, y, first };
        if let Some(made) = N::step_lanes(detected, method, step, end) {
            let mut errors = [0.5; ROOM];
            made.write_lanes(&mut errors);
            return Some((errors, failed));
        }
        let before = failed;
        for (k, h) in h.iter_mut().enumerate().take(N::LANES) {
            if outside(method, k) {
                // Not even where it stands.
                if *h == 0.0 {
                    return None;
                }
                *h = 0.0;
                failed |= 1 << k;
            }
        }
        if failed == before {
            return None;
        }
        first = FirstStage::Again;
    }
}

/// Remembers the trial of lane `k` as the last step of its trajectory.
#[inline(never)]
fn remember<'a, A, Q>(
    inside: &mut InExponential<Lent<'a, A>>,
    method: &InExponential<Q>,
    k: usize,
    step: Step<'_, Lent<'a, A>>,
) where
    A: Action,
    Q: Generator<
        Space: Action<
            Group: LieGroup<Algebra: LieAlgebra<Scalar: lieflow::Real<Lane = ScalarOf<A::Group>>>>,
        >,
    >,
{
    inside.remember_lane(method, k, step);
}

/// A state inside that step, compiled for each space.
#[inline(never)]
fn look_inside<'a, A: Action>(
    inside: &mut InExponential<Lent<'a, A>>,
    at: Inside<'_, Lent<'a, A>>,
    out: &mut A::Point,
) -> Option<()> {
    inside.interpolate_inline(at, out)?.ok()
}
