//! Steps of several trajectories side by side, each of its own length.
//!
//! All lanes make a trial at once, from their own states and with their own `h`; whoever drives them
//! judges each by its own estimate, and keeps the old state of a lane whose trial it rejects. The
//! products are those of a single run in the same order, `(h w_j) k_j`, so that a lane has its bits.
//!
//! With tolerances lanes have no common time: a problem whose field looks at the clock is told the time of each lane before
//! it is asked ([`Generator::set_times`]), and the time that is passed is none. With fixed steps they do, and the time is
//! passed: one engine serves both.
use super::{InExponential, Kept, Work, estimate_of, space};
use crate::chart::Chart;
use crate::group::{LieAlgebra, LieGroup, ScalarOf};
use crate::method::Step;
use crate::problem::{Generator, GroupOf, Stage, advance, pull};
use lieflow_kernel::{Mask, Real};

/// No time, so that a field that was not told goes wrong and is noticed.
const TIMELESS: f64 = f64::NAN;

/// A trial in all lanes.
pub struct LaneStep<'a, P: Generator> {
    /// The problem, which is told the times of lanes that have their own.
    pub p: &'a mut P,
    /// Where the step of each lane begins, and how long it is.
    pub pace: LanePace<ScalarOf<GroupOf<P>>>,
    /// The states.
    pub y: &'a P::Point,
    /// What is known of the field at these states.
    pub first: FirstStage<ScalarOf<GroupOf<P>>>,
}

/// The time and the step of each lane.
#[derive(Clone, Copy, Debug)]
pub enum LanePace<S> {
    /// The same for all.
    Common {
        /// The time.
        t: f64,
        /// The step.
        h: f64,
    },
    /// One for each.
    Each {
        /// The times.
        t: S,
        /// The steps.
        h: S,
    },
}

impl<S: Real> LanePace<S> {
    /// The steps.
    #[inline(always)]
    fn steps(self) -> S {
        match self {
            Self::Common { h, .. } => S::lift(h),
            Self::Each { h, .. } => h,
        }
    }

    /// The time that is passed after this part of the step; problems that know more are told before.
    #[inline(always)]
    fn clock<P>(self, p: &mut P, part: f64) -> f64
    where
        P: Generator,
        GroupOf<P>: LieGroup<Algebra: LieAlgebra<Scalar = S>>,
    {
        match self {
            Self::Common { t, h } => t + part * h,
            Self::Each { t, h } => {
                p.set_times(t + h * part);
                TIMELESS
            }
        }
    }
}

/// What is known of the field where a trial begins.
#[derive(Clone, Copy, Debug)]
pub enum FirstStage<S> {
    /// Lanes with one here follow a trial that was accepted, those with zero do not.
    Follows(S),
    /// In all lanes what the last step has left, if it was accepted; else nothing.
    Kept,
    /// All of it: the last trial began at the same states and was broken off.
    Again,
}

impl<P: Generator> InExponential<P> {
    /// Makes a trial in all lanes, always inlined, and estimates its errors, with a table that can. If that cannot be done, nothing: then
    /// some of the lanes have [left the chart](InExponential::is_outside), and the others wait for another trial
    /// without them.
    #[inline(always)]
    pub fn step_lanes_inline(
        &mut self,
        step: LaneStep<'_, P>,
        out: &mut P::Point,
    ) -> Option<ScalarOf<GroupOf<P>>> {
        let LaneStep { p, pace, y, first } = step;
        let h = pace.steps();
        let (tableau, chart) = (self.0.tableau, Chart::Exp);
        let s = tableau.stages();
        let fsal = tableau.first_same_as_last();
        let w = space(&mut self.0.work, Step::new(p, TIMELESS, 0.0, y), s);
        let follows = match first {
            FirstStage::Follows(follows) => Some(follows),
            FirstStage::Kept => {
                let accepted = self.0.kept == Kept::Accepted;
                Some(Real::lift(f64::from(u8::from(accepted))))
            }
            FirstStage::Again => None,
        };
        self.0.kept = Kept::Nothing;
        w.sloped = false;
        if let Some(follows) = follows {
            let t = match pace {
                LanePace::Common { t, .. } => t,
                LanePace::Each { t, .. } => {
                    p.set_times(t);
                    TIMELESS
                }
            };
            begin(p, t, y, fsal, follows, w);
        }
        let solution = if fsal { s - 1 } else { s };
        let mut i = 1;
        while i < solution {
            combine_lanes(&mut w.u, h, tableau.a[i], &w.stages);
            GroupOf::<P>::domain(chart, &w.u).ok()?;
            let at = Stage { chart, t: pace.clock(p, tableau.c[i]), u: &w.u, y };
            p.slope_at(at, &mut w.point, &mut w.stages[i]);
            i += 1;
        }
        combine_lanes(&mut w.u, h, if fsal { tableau.a[solution] } else { tableau.b }, &w.stages);
        if fsal {
            GroupOf::<P>::domain(chart, &w.u).ok()?;
        }
        advance::<P>(chart, &w.u, y, out);
        if fsal {
            // The last stage is the solution itself: its field is kept.
            let t = pace.clock(p, tableau.c[solution]);
            p.field_into(t, out, &mut w.stages[solution]);
            w.last.assign(1.0, &w.stages[solution]);
            pull::<P>(Stage { chart, t, u: &w.u, y }, out, &mut w.stages[solution]);
        }
        if !w.u.finite() {
            return None;
        }
        self.0.kept = Kept::Proposed;
        let mut sizes = [ScalarOf::<GroupOf<P>>::zero(); 2];
        let mut j = 0;
        while j < tableau.embedded.len() && j < sizes.len() {
            combine_lanes(&mut w.other, h, tableau.embedded[j].0, &w.stages);
            w.other.axpy(-1.0, &w.u);
            sizes[j] = w.other.squares().sqrt();
            j += 1;
        }
        // Without a pair there is none.
        estimate_of(tableau.embedded.len(), sizes).or(Some(sizes[0]))
    }

    /// Whether this lane is to blame for a trial that was broken off; `part` is work space.
    pub fn is_outside<G>(&self, lane: usize, part: &mut G::Algebra) -> bool
    where
        G: LieGroup<Algebra: LieAlgebra<Scalar = LaneOf<P>>>,
    {
        let Some(w) = &self.0.work else { return true };
        take_lane(&w.u, lane, part);
        G::domain(Chart::Exp, part).is_err() || !part.finite()
    }

    /// Remembers the last trial of one lane of others as its own last step, which began here, so that
    /// states inside it are those of a single run.
    pub fn remember_lane<Q>(&mut self, of: &InExponential<Q>, lane: usize, step: Step<'_, P>)
    where
        Q: Generator<
            Space: crate::action::Action<
                Group: LieGroup<Algebra: LieAlgebra<Scalar: Real<Lane = ScalarOf<GroupOf<P>>>>>,
            >,
        >,
    {
        let Some(from) = &of.0.work else { return };
        let w = space(&mut self.0.work, step, self.0.tableau.stages());
        for (stage, from) in w.stages.iter_mut().zip(&from.stages) {
            take_lane(from, lane, stage);
        }
        take_lane(&from.u, lane, &mut w.u);
        w.sloped = false;
        self.0.kept = Kept::Accepted;
    }
}

/// The numbers of one lane of a problem.
type LaneOf<P> = <ScalarOf<GroupOf<P>> as Real>::Lane;

/// The first stage: what the step before has left at its end where a lane follows it, the field elsewhere.
#[inline(always)]
fn begin<P: Generator>(
    p: &P,
    t: f64,
    y: &P::Point,
    fsal: bool,
    follows: ScalarOf<GroupOf<P>>,
    w: &mut Work<P>,
) {
    let follows = ScalarOf::<GroupOf<P>>::zero().lt(follows);
    if fsal && follows.all() {
        core::mem::swap(&mut w.stages[0], &mut w.last);
        return;
    }
    p.field_into(t, y, &mut w.stages[0]);
    if !fsal {
        return;
    }
    let mut i = 0;
    while i < w.last.dim() {
        let (kept, new) = (w.last.coord(i), w.stages[0].coord(i));
        w.stages[0].set_coord(i, ScalarOf::<GroupOf<P>>::select(follows, kept, new));
        i += 1;
    }
}

/// `out = h sum_j w_j k_j` with the `h` of each lane. The sum may stay in registers.
#[inline(always)]
fn combine_lanes<A: LieAlgebra>(out: &mut A, h: A::Scalar, weights: &[f64], k: &[A]) {
    let terms = if weights.len() < k.len() { weights.len() } else { k.len() };
    let mut j = 0;
    while j < terms && weights[j] == 0.0 {
        j += 1;
    }
    if j == terms {
        out.assign(0.0, &k[0]);
        return;
    }
    if const { core::mem::needs_drop::<A>() } {
        return combine_in_place(out, h, &weights[..terms], k, j);
    }
    let mut sum = k[j].clone();
    let mut a = h * weights[j];
    let mut i = 0;
    while i < sum.dim() {
        sum.set_coord(i, sum.coord(i) * a);
        i += 1;
    }
    j += 1;
    while j < terms {
        if weights[j] != 0.0 {
            a = h * weights[j];
            i = 0;
            while i < sum.dim() {
                sum.set_coord(i, sum.coord(i) + k[j].coord(i) * a);
                i += 1;
            }
        }
        j += 1;
    }
    *out = sum;
}

/// The same from the weight `j` on, the first that is not zero, for numbers on the heap: coordinate by coordinate.
#[inline(always)]
fn combine_in_place<A: LieAlgebra>(out: &mut A, h: A::Scalar, weights: &[f64], k: &[A], j: usize) {
    let mut i = 0;
    while i < out.dim() {
        let mut sum = k[j].coord(i) * (h * weights[j]);
        let mut l = j + 1;
        while l < weights.len() {
            if weights[l] != 0.0 {
                sum += k[l].coord(i) * (h * weights[l]);
            }
            l += 1;
        }
        out.set_coord(i, sum);
        i += 1;
    }
}

/// `to` becomes one lane of `from`.
fn take_lane<A, B>(from: &A, lane: usize, to: &mut B)
where
    A: LieAlgebra,
    B: LieAlgebra<Scalar = <A::Scalar as Real>::Lane>,
{
    for i in 0..to.dim() {
        to.set_coord(i, from.coord(i).lane(lane));
    }
}
