//! The engine of the midpoint rules on spheres.
use super::memory::Memory;
use super::predictor::Predictor;
use super::space::TurnedVectors;
use crate::archive::Archive;
use crate::group::ScalarOf;
use crate::method::composition::Scheme;
use crate::method::fixed_point::{MOST_SWEEPS, Settling};
use crate::method::{Cost, Method, NOT_FINITE, Step, StepError, StepResult};
use crate::problem::{FieldOf, Generator, GroupOf};
use lieflow_kernel::{Mask, Real, Vec3};

/// A change of a direction that is the last one.
const DONE: f64 = 4.5e-16;
/// What the next change may be, if it is not made.
const LEFT: f64 = 1e-17;
/// A change below which the iteration may end before [`DONE`].
const NEAR: f64 = 1e-12;
/// The square of the cosine of half the angle of a step below which there is no midpoint.
const OPPOSITE: f64 = 1e-20;

/// Where a midpoint rule evaluates the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Midpoint {
    /// On the sphere, at the middle of the arc.
    Spherical,
    /// Inside it, where the middle of the chord of quaternions comes down.
    Collective,
}

/// A midpoint of a sphere.
struct Middle<S> {
    /// Where the field is evaluated.
    point: Vec3<S>,
    /// The end of the step.
    end: Vec3<S>,
    /// The square of the cosine of half the angle of the step; one where it does not matter.
    cosine: S,
}

impl Midpoint {
    /// The midpoint of a step from `w` with the generator `f`.
    #[inline(always)]
    fn middle<S: Real>(self, w: Vec3<S>, f: Vec3<S>, h: f64) -> Middle<S> {
        match self {
            Self::Spherical => spherical(w, f * (0.5 * h)),
            Self::Collective => collective(w, f * (0.25 * h)),
        }
    }
}

/// `c m - a × m = w`, `w1 = w + 2 a × m`, with `c > 0` such that `|m| = |w|`:
/// `c⁴ - (1 - |a|²) c² - (a·w)²/|w|² = 0`.
#[inline(always)]
fn spherical<S: Real>(w: Vec3<S>, a: Vec3<S>) -> Middle<S> {
    let (size, along, square) = (a.norm_squared(), a.dot(w), w.norm_squared());
    // A vector of length zero stays where it is.
    let square = S::select(S::zero().lt(square), square, S::one());
    let part = along * along / square;
    let d = S::one() - size;
    let root = (d * d + part * 4.0).sqrt();
    // The root of the quadratic equation without cancellation.
    let large = (d.abs() + root) * 0.5;
    let cosine = S::select(d.lt(S::zero()), part / large, large);
    let c = cosine.sqrt();
    let over = S::one() / (cosine + size);
    let m = (w.times(c) + a.cross(w) + a.times(along / c)).times(over);
    // Not `2 c m - w`, whose rounding is that of larger numbers and adds up in the sums of vectors.
    Middle { point: m, end: w + a.cross(m) * 2.0, cosine }
}

/// `(1 + a) w (1 - a)` over `1 + |a|²` is a rotation: half of the step. The midpoint is shorter by
/// the same factor again.
#[inline(always)]
fn collective<S: Real>(w: Vec3<S>, a: Vec3<S>) -> Middle<S> {
    let size = a.norm_squared();
    let over = S::one() / (S::one() + size);
    let turned = |w: Vec3<S>| {
        (w.times(S::one() - size) + a.times(a.dot(w) * 2.0) + a.cross(w) * 2.0).times(over)
    };
    let half = turned(w);
    Middle { point: half.times(over), end: turned(half), cosine: S::one() }
}

/// The numbers of a problem.
type ScalarIn<P> = ScalarOf<GroupOf<P>>;

/// A midpoint rule, or a composition of it.
pub struct SphericalMidpoint<P: Generator<Space: TurnedVectors>> {
    rule: Midpoint,
    /// Lengths of the substeps, as parts of the step.
    weights: Vec<f64>,
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
            weights: scheme.map_or_else(|| vec![1.0], |scheme| scheme.weights().collect()),
            work: None,
            between: None,
            memory: Memory::new(),
            aside: Memory::new(),
            cost: Cost::default(),
        }
    }
}

impl<P: Generator<Space: TurnedVectors>> Method<P> for SphericalMidpoint<P> {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        let work = self.work.get_or_insert_with(|| Work { field: p.field(t, y), point: y.clone() });
        let between = self.between.get_or_insert_with(|| y.clone());
        self.memory.prepare(h, self.weights.len(), P::Space::count(y));
        let Memory { predictors, last, squares, .. } = &mut self.memory;
        if squares.is_empty() {
            let all = 0..P::Space::count(y);
            squares.extend(all.map(|i| P::Space::vector(y, i).norm_squared()));
        }
        let mut done = 0.0;
        for (k, g) in self.weights.iter().enumerate() {
            if k > 0 {
                core::mem::swap(between, out);
            }
            let from = if k > 0 { &*between } else { y };
            let at = Step::new(p, t + done * h, g * h, from);
            let (f, rate, seen) = &mut last[k];
            (*rate, *seen) = substep(self.rule, at, work, &predictors[k], f, &mut self.cost)?;
            for (i, f) in f.iter().enumerate() {
                let end = self.rule.middle(P::Space::vector(from, i), *f, g * h).end;
                P::Space::set_vector(out, i, at_radius(end, squares[i]));
            }
            done += g;
        }
        self.memory.proposed = true;
        Ok(None)
    }

    fn accept(&mut self) {
        if core::mem::take(&mut self.memory.proposed) {
            let Memory { predictors, last, .. } = &mut self.memory;
            for (predictor, (f, rate, seen)) in predictors.iter_mut().zip(last) {
                predictor.learn(f, *rate, *seen);
            }
        }
    }

    fn reset(&mut self) {
        self.memory.forget();
    }

    fn set_aside(&mut self) {
        core::mem::swap(&mut self.memory, &mut self.aside);
        self.memory.forget();
    }

    fn take_back(&mut self) {
        core::mem::swap(&mut self.memory, &mut self.aside);
    }

    fn archive(&mut self, next: Step<'_, P>, archive: &mut Archive) {
        let spheres = P::Space::count(next.y);
        self.memory.archive(self.weights.len(), spheres, archive);
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}

/// One step of a rule. The generators are left in `f`; says the square of the rate of the iteration,
/// and where it was seen.
fn substep<P: Generator<Space: TurnedVectors>>(
    rule: Midpoint,
    s: Step<'_, P>,
    work: &mut Work<P>,
    predictor: &Predictor<ScalarIn<P>>,
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
    let (mut rate, mut previous) = (predictor.rate(), S::<P>::lift(f64::INFINITY));
    let mut all_parts = Settling::<S<P>>::new();
    let (mut residual, mut sweeps) = (f64::INFINITY, 0);
    while sweeps < MOST_SWEEPS {
        for (i, f) in f.iter().enumerate() {
            let middle = rule.middle(P::Space::vector(y, i), *f, h);
            if !S::<P>::lift(OPPOSITE).lt(middle.cosine).all() {
                return Err(too_far(*f, h));
            }
            P::Space::set_vector(&mut work.point, i, middle.point);
        }
        p.field_into(t + 0.5 * h, &work.point, &mut work.field);
        sweeps += 1;
        cost.field_evaluations += 1;
        cost.exponentials += 1;
        cost.newton_iterations += 1;
        let mut change = S::<P>::zero();
        let (mut change_of_all, mut size_of_all) = (change, S::<P>::one());
        for (i, f) in f.iter_mut().enumerate() {
            let new = P::Space::turn(&work.field, i);
            let difference = new - *f;
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
