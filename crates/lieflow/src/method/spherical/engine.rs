//! The engine of the midpoint rules on spheres.
use super::memory::Memory;
use super::rule::Midpoint;
use super::slopes::Slopes;
use super::space::TurnedVectors;
use crate::archive::Archive;
use crate::group::ScalarOf;
use crate::method::composition::Scheme;
use crate::method::few::{Few, copies};
use crate::method::fixed_point::{MOST_SWEEPS, Settling};
use crate::method::prediction::{Predictions, Predictor, Solved};
use crate::method::{
    Cost, InlineMethod, Method, NOT_FINITE, Step, StepError, StepResult, remembers,
};
use crate::problem::{FieldOf, Generator, GroupOf};
use lieflow_kernel::{Mask, Real, Vec3};

/// A change of a direction that is the last one.
const DONE: f64 = 4.5e-16;
/// What the next change may be, if it is not made.
const LEFT: f64 = 1e-17;
/// A change below which the iteration may end before [`DONE`].
const NEAR: f64 = 1e-12;
/// A late sweep that shrinks a change by less counts against sweeps.
const SLOW: f64 = 1e-2;
/// The square of the cosine of half the angle of a step below which there is no midpoint.
const OPPOSITE: f64 = 1e-20;

/// The numbers of a problem.
type ScalarIn<P> = ScalarOf<GroupOf<P>>;

/// A midpoint rule, or a composition of it.
pub struct SphericalMidpoint<P: Generator<Space: TurnedVectors>> {
    rule: Midpoint,
    /// Lengths of the substeps, as parts of the step.
    weights: Few<f64>,
    work: Option<Work<P>>,
    /// The state between two substeps.
    between: Option<P::Point>,
    memory: Memory<ScalarIn<P>>,
    aside: Memory<ScalarIn<P>>,
    cost: Cost,
}

/// Work space.
struct Work<P: Generator> {
    field: FieldOf<P>,
    point: P::Point,
}

impl<P: Generator<Space: TurnedVectors>> SphericalMidpoint<P> {
    /// The rule, composed by this scheme if there is one.
    pub fn new(rule: Midpoint, scheme: Option<&'static Scheme>) -> Self {
        Self {
            rule,
            weights: match scheme {
                None => copies(1.0, 1),
                Some(scheme) => scheme.weights().collect(),
            },
            work: None,
            between: None,
            memory: Memory::new(),
            aside: Memory::new(),
            cost: Cost::default(),
        }
    }
}

impl<P: Generator<Space: TurnedVectors>> InlineMethod<P> for SphericalMidpoint<P> {
    #[inline(always)]
    fn step_inline(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        let work = self.work.get_or_insert_with(|| Work { field: p.field(t, y), point: y.clone() });
        let between = self.between.get_or_insert_with(|| y.clone());
        self.memory.prepare(h, self.weights.len(), P::Space::count(y));
        let Memory { predictions, squares, slopes } = &mut self.memory;
        let Predictions { predictors, last, .. } = predictions;
        if squares.is_empty() {
            for i in 0..P::Space::count(y) {
                squares.push(P::Space::vector(y, i).norm_squared());
            }
        }
        let (due, useless) = slopes.due();
        if useless.any() {
            predictors.iter_mut().for_each(|predictor| predictor.forget_rate(useless));
        }
        if due.any() {
            let at = Step::new(p, t + 0.5 * h, h, y);
            slopes.buy(due, at, (&mut work.point, &mut work.field), &mut self.cost);
        }
        let mut done = 0.0;
        for (k, g) in self.weights.iter().enumerate() {
            if k > 0 {
                core::mem::swap(between, out);
            }
            let from = if k > 0 { &*between } else { y };
            let at = Step::new(p, t + done * h, g * h, from);
            let Solved { f, rate, seen } = &mut last[k];
            (*rate, *seen) = {
                let known = (&predictors[k], &mut *slopes);
                substep(self.rule, at, work, known, f, &mut self.cost)?
            };
            for (i, f) in f.iter().enumerate() {
                let end = self.rule.middle(P::Space::vector(from, i), *f, g * h).end;
                P::Space::set_vector(out, i, at_radius(end, squares[i]));
            }
            done += g;
        }
        self.memory.predictions.propose();
        Ok(None)
    }
}

impl<P: Generator<Space: TurnedVectors>> Method<P> for SphericalMidpoint<P> {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        self.step_inline(s, out)
    }

    fn accept(&mut self) {
        if self.memory.predictions.learn() {
            self.memory.slopes.learn();
        }
    }

    remembers!(memory);

    fn archive(&mut self, next: Step<'_, P>, archive: &mut Archive) {
        let spheres = P::Space::count(next.y);
        self.memory.archive(self.weights.len(), spheres, archive);
    }
}

/// One step of a rule. The generators are left in `f`; says the square of the rate of the iteration,
/// and where it was seen.
fn substep<P: Generator<Space: TurnedVectors>>(
    rule: Midpoint,
    s: Step<'_, P>,
    work: &mut Work<P>,
    (predictor, slopes): (&Predictor<ScalarIn<P>>, &mut Slopes<ScalarIn<P>>),
    f: &mut [Vec3<ScalarIn<P>>],
    cost: &mut Cost,
) -> Result<(ScalarIn<P>, <ScalarIn<P> as Real>::Mask), StepError> {
    type S<P> = ScalarIn<P>;
    let Step { p, t, h, y } = s;
    let none = <S<P> as Real>::Mask::splat(false);
    let differentiates = <S<P> as Real>::DERIVATIVES > 0;
    if !predictor.predict(f) {
        p.field_into(t, y, &mut work.field);
        cost.field_evaluations += 1;
        for (i, f) in f.iter_mut().enumerate() {
            *f = P::Space::turn(&work.field, i);
        }
    }
    // Changes of directions, whose size is one.
    let unit = 0.25 * h * h;
    let (mut done, mut seen) = (none, none);
    let (mut trusted, holds) = (slopes.held, slopes.held.any());
    let (mut rate, mut previous) = (predictor.rate(), S::<P>::lift(f64::INFINITY));
    let mut all_parts = Settling::<S<P>>::new();
    let (mut residual, mut sweeps) = (f64::INFINITY, 0);
    while sweeps < MOST_SWEEPS {
        for (i, f) in f.iter().enumerate() {
            let middle = rule.middle(P::Space::vector(y, i), *f, h);
            if !S::<P>::lift(OPPOSITE).lt(middle.cosine).all() {
                return Err(too_far(*f, h));
            }
            if holds {
                slopes.set_middle(i, rule, &middle, *f, h);
            }
            P::Space::set_vector(&mut work.point, i, middle.point);
        }
        p.field_into(t + 0.5 * h, &work.point, &mut work.field);
        sweeps += 1;
        cost.field_evaluations += 1;
        cost.exponentials += 1;
        cost.newton_iterations += 1;
        let mut by_slopes = none;
        if trusted.any() {
            by_slopes = slopes.correct(trusted, |i: usize| P::Space::turn(&work.field, i) - f[i]);
        }
        let mut change = S::<P>::zero();
        let (mut change_of_all, mut size_of_all) = (change, S::<P>::one());
        for (i, f) in f.iter_mut().enumerate() {
            let mut new = P::Space::turn(&work.field, i);
            let mut difference = new - *f;
            if holds {
                let correction = slopes.corrections[i];
                difference = Vec3::select(by_slopes, correction, difference);
                new = Vec3::select(by_slopes, *f + correction, new);
            }
            change += difference.norm_squared() * unit;
            if differentiates {
                change_of_all += all_squared(difference) * unit;
                size_of_all += all_squared(new) * unit;
            }
            *f = Vec3::select(done, *f, new);
        }
        residual = change.magnitude().sqrt();
        if !residual.is_finite() {
            return Err(NOT_FINITE);
        }
        if sweeps == 2 {
            // The first rate is the one that rounding spoils least.
            seen = done.not();
            rate = S::<P>::select(seen, change / previous, rate);
        }
        let near = change.lt(S::<P>::lift(NEAR * NEAR));
        let small = change.lt(S::<P>::lift(DONE * DONE));
        let stuck = near.and(change.lt(previous).not());
        let enough = near.and((change * rate).lt(S::<P>::lift(LEFT * LEFT)));
        let enough = enough.and(by_slopes.or(slopes.held.not()));
        if sweeps > 2 && predictor.is_full() {
            let slow = (previous * (SLOW * SLOW)).lt(change);
            let late = slow.and(S::<P>::lift(NEAR * NEAR).lt(previous)).and(done.not());
            slopes.proposed += S::<P>::select(late, S::<P>::one(), S::<P>::zero());
        }
        if holds {
            trusted = trusted.and(near.or(change.lt(previous)));
        }
        done = done.or(if differentiates {
            small.or(stuck).and(all_parts.judge(change_of_all, size_of_all))
        } else {
            small.or(stuck).or(enough)
        });
        previous = change;
        if done.all() {
            cost.exponentials += 1;
            return Ok((rate, seen));
        }
    }
    let equation = "the equation of the midpoint on spheres";
    Err(StepError::NotConverged { equation, iterations: sweeps, residual, step: h })
}

/// The vector, whose length differs by rounding from one with this square.
#[inline(always)]
fn at_radius<S: Real>(v: Vec3<S>, square: S) -> Vec3<S> {
    let positive = S::zero().lt(square);
    let over = S::one() / S::select(positive, square, S::one());
    v + v.times((square - v.norm_squared()) * over * 0.5)
}

/// The squares of all parts.
fn all_squared<S: Real>(v: Vec3<S>) -> S {
    v.x.all_squared() + v.y.all_squared() + v.z.all_squared()
}

fn too_far<S: Real>(f: Vec3<S>, h: f64) -> StepError {
    let spin = (f * h).magnitude();
    if !spin.is_finite() {
        return NOT_FINITE;
    }
    let equation = "the equation of the midpoint on spheres";
    StepError::TurnsTooFar { equation, spin, limit: 2.0, step: h }
}
