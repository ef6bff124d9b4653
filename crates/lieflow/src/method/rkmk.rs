//! Explicit Runge–Kutta–Munthe-Kaas methods: a Runge–Kutta method in a chart at the current point.
//!
//! ```text
//! u_i = h sum_j a_ij k_j        k_i = dphi^{-1}_{u_i} f(t + c_i h, phi(u_i)·y)
//! u   = h sum_i b_i k_i         y'  = phi(u)·y
//! ```
//!
//! The classical order of the table is kept for any chart, on any manifold, and the state never
//! leaves it; coadjoint orbits, and with them Casimirs, are kept to rounding. Energy drifts, and no
//! member is symmetric or symplectic. With the series of dexp^{-1} cut after `q` brackets the order
//! `p` is kept iff `q >= p - 2`; `q = 2` is enough for `p = 5` because the third Bernoulli number
//! vanishes.
//!
//! Where the last stage is the solution, its field *before* `dphi^{-1}` is the first stage of the
//! next step, in its new chart.
//!
//! Munthe-Kaas, 1999; Celledoni et al., 2021, section 2.2. Error estimates are `|u - û|` in the
//! algebra; that of DOP853 combines two differences as in Hairer, Nørsett and Wanner, section II.10.
use super::interpolant::{correct, hermite, pull_to};
use super::{
    Aside, Cost, Estimate, InChart, InlineMethod, Inside, Interpolated, Kept, Method, NOT_FINITE,
    Step, StepError, StepResult, compiled_once, increments, remembers, worth_step_many,
};
use crate::action::Action;
use crate::archive::Archive;
use crate::chart::Chart;
use crate::group::{LieAlgebra, LieGroup, ScalarOf, zero_of_shape};
use crate::problem::{FieldOf, Generator, GroupOf, Stage, Stages, advance, pull, shift, shifts};
use crate::stepping::EvenSteps;
use crate::tableau::{self, Tableau};
use lieflow_kernel::Real;

#[cfg(not(target_arch = "nvptx64"))]
mod lanes;
mod members;
#[cfg(not(target_arch = "nvptx64"))]
pub use lanes::{FirstStage, LanePace, LaneStep};
pub use members::MEMBERS;
pub(super) use members::member;

/// An explicit method of this family.
pub struct Rkmk<P: Generator> {
    tableau: &'static Tableau,
    chart: Chart,
    estimate: Estimate,
    work: Option<Work<P>>,
    kept: Kept,
    /// The same while it looks aside.
    aside: Aside<Work<P>>,
    /// Whether the step is made by its way alone.
    by_way: bool,
    cost: Cost,
}

/// Work space of the shape of the problem, made at the first step.
struct Work<P: Generator> {
    /// `k_i`.
    stages: Vec<FieldOf<P>>,
    /// The stage coordinates `u_i`, then `u`.
    u: FieldOf<P>,
    /// The difference of the two solutions of a pair, or a point of the interpolant.
    other: FieldOf<P>,
    /// The raw field of the last stage.
    last: FieldOf<P>,
    /// The slope at the end, for the interpolant, if it was asked for.
    slope: FieldOf<P>,
    sloped: bool,
    /// A stage point.
    point: P::Point,
}

impl<P: Generator> Work<P> {
    #[cold]
    #[inline(never)]
    fn new(p: &P, t: f64, y: P::Point, stages: usize) -> Self {
        let f = zero_of_shape(|| p.field(t, &y));
        Self {
            stages: vec![f.clone(); stages],
            u: f.clone(),
            other: f.clone(),
            last: f.clone(),
            slope: f,
            sloped: false,
            point: y,
        }
    }
}

/// The work space. The state goes there by value, so that its address is not given away and it may
/// live in registers.
#[inline(always)]
fn space<'a, P: Generator>(
    work: &'a mut Option<Work<P>>,
    s: Step<'_, P>,
    stages: usize,
) -> &'a mut Work<P> {
    match work {
        Some(w) => w,
        None => work.insert(Work::new(s.p, s.t, s.y.clone(), stages)),
    }
}

impl<P: Generator> Rkmk<P> {
    /// The method with this table, which must be explicit, in this chart.
    #[inline(always)]
    pub fn new(tableau: &'static Tableau, chart: Chart) -> Self {
        Self::with_estimate(tableau, chart, Estimate::Natural)
    }
    /// The method with a choice of the error estimate.
    #[inline(always)]
    pub fn with_estimate(tableau: &'static Tableau, chart: Chart, estimate: Estimate) -> Self {
        debug_assert!(tableau.explicit(), "implicit tables have an engine of their own");
        let (work, kept, cost) = (None, Kept::Nothing, Cost::default());
        Self { tableau, chart, estimate, work, kept, aside: Aside::new(), by_way: false, cost }
    }
}

/// `out = h sum_j w_j k_j`.
#[inline(always)]
pub(crate) fn combine<A: LieAlgebra>(out: &mut A, h: f64, weights: &[f64], k: &[A]) {
    out.combine(h, weights, k);
}

impl<P: Generator> Rkmk<P> {
    /// A step with the table and the chart of this method, which are arguments so that the compiler
    /// may know them.
    #[inline(always)]
    fn step_with(
        &mut self,
        tableau: &'static Tableau,
        chart: Chart,
        step: Step<'_, P>,
        out: &mut P::Point,
    ) -> StepResult {
        let Step { p, t, h, y } = step;
        let s = tableau.stages();
        let fsal = tableau.first_same_as_last();
        let w = space(&mut self.work, step, s);
        if fsal && self.kept == Kept::Accepted {
            core::mem::swap(&mut w.stages[0], &mut w.last);
        } else {
            p.field_into(t, y, &mut w.stages[0]);
            self.cost.field_evaluations += 1;
        }
        self.kept = Kept::Nothing;
        w.sloped = false;
        let (whole, solution) = if fsal { (s - 1, s - 1) } else { (s, s) };
        let at_once = Stages { chart, h, y, rows: &tableau.a[..whole], k: &mut w.stages };
        if !p.stages(at_once) {
            for i in 1..whole {
                stage(tableau, chart, i, step, &mut w.u, &mut w.stages, &mut w.point)?;
            }
        }
        if fsal {
            // The last stage is the solution itself: its field is kept.
            combine(&mut w.u, h, tableau.a[solution], &w.stages);
            GroupOf::<P>::domain(chart, &w.u)?;
            advance::<P>(chart, &w.u, y, out);
            p.field_into(t + tableau.c[solution] * h, out, &mut w.stages[solution]);
            w.last.assign(1.0, &w.stages[solution]);
            pull::<P>(Stage { chart, t, u: &w.u, y }, out, &mut w.stages[solution]);
        } else {
            combine(&mut w.u, h, tableau.b, &w.stages);
            if !(self.by_way && tableau.embedded.is_empty()) {
                advance::<P>(chart, &w.u, y, out);
            }
        }
        self.cost.field_evaluations += s as u64 - 1;
        self.cost.exponentials += if fsal { s as u64 - 1 } else { s as u64 };
        if !w.u.finite() {
            return Err(NOT_FINITE);
        }
        self.kept = Kept::Proposed;
        let mut sizes = [0.0; 2];
        for (size, (weights, _)) in sizes.iter_mut().zip(tableau.embedded) {
            combine(&mut w.other, h, weights, &w.stages);
            *size = if self.estimate == Estimate::Natural {
                w.other.axpy(-1.0, &w.u);
                w.other.norm()
            } else {
                advance::<P>(chart, &w.other, y, &mut w.point);
                self.cost.exponentials += 1;
                distance::<P>(self.estimate, out, &w.point)
            };
        }
        Ok(estimate_of(tableau.embedded.len(), sizes))
    }

    /// What the next step uses of the last one.
    fn archive_kept(&mut self, next: Step<'_, P>, archive: &mut Archive) {
        if self.tableau.first_same_as_last() {
            archive.algebra(&mut space(&mut self.work, next, self.tableau.stages()).last);
        }
    }

    /// The same for the table and the chart that most runs have.
    #[inline(always)]
    fn step_known(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        self.kept = Kept::Nothing;
        let (first, u) = known(s)?;
        if !self.by_way {
            advance::<P>(Chart::Exp, &u, s.y, out);
        }
        self.cost.field_evaluations += 4;
        self.cost.exponentials += 4;
        self.keep(s, first, u);
        Ok(None)
    }

    /// Keeps what the interpolant of a [`known`] step asks for.
    #[inline(always)]
    fn keep(&mut self, s: Step<'_, P>, first: FieldOf<P>, u: FieldOf<P>) {
        if crate::ON_GPU {
            return;
        }
        let w = space(&mut self.work, s, 4);
        w.sloped = false;
        w.stages[0] = first;
        w.u = u;
        self.kept = Kept::Proposed;
    }

    #[inline(always)]
    fn step_in_exponential(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        self.step_with(self.tableau, Chart::Exp, s, out)
    }

    #[inline(always)]
    fn step_many_in_exponential(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        self.step_many_with(Chart::Exp, p, steps, y)
    }

    /// Many steps by [`Rkmk::step_with`].
    #[inline(always)]
    fn step_many_with(&mut self, chart: Chart, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        if const { core::mem::needs_drop::<P::Point>() } {
            return 0;
        }
        let tableau = self.tableau;
        let mut state = y.clone();
        let mut k = 0;
        while k < steps.count {
            let mut next = state.clone();
            let step = self.step_with(tableau, chart, steps.step(p, k, &state), &mut next);
            if step.is_err() {
                break;
            }
            self.kept.accept();
            state = next;
            k += 1;
        }
        *y = state;
        k
    }

    /// Many steps by [`Rkmk::step_known`].
    #[inline(always)]
    fn step_many_known(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        let mut state = y.clone();
        let mut last = None;
        let mut k = 0;
        while k < steps.count {
            let Ok((first, u)) = known(steps.step(p, k, &state)) else { break };
            let mut next = state.clone();
            advance::<P>(Chart::Exp, &u, &state, &mut next);
            state = next;
            last = Some((first, u));
            k += 1;
        }
        self.cost.field_evaluations += 4 * k;
        self.cost.exponentials += 4 * k;
        if let Some((first, u)) = last {
            self.keep(steps.step(p, 0, y), first, u);
            self.kept.accept();
        }
        *y = state;
        k
    }

    /// [`InlineMethod::interpolate_inline`] in this chart, which is that of the method.
    #[inline(always)]
    fn interpolate_in(
        &mut self,
        chart: Chart,
        at: Inside<'_, P>,
        out: &mut P::Point,
    ) -> Option<Result<(), StepError>> {
        let Inside { step: Step { p, t, h, y }, end, theta } = at;
        let tableau = self.tableau;
        let w = self.work.as_mut().filter(|_| self.kept != Kept::Nothing)?;
        if tableau.first_same_as_last() {
            let (first, last) = (&w.stages[0], &w.stages[tableau.stages() - 1]);
            hermite(&mut w.other, h, theta, &w.u, first, last);
        } else {
            if !w.sloped {
                p.field_into(t + h, end, &mut w.slope);
                if let Err(out) = pull_to::<P>(Stage { chart, t, u: &w.u, y }, end, &mut w.slope) {
                    return Some(Err(out));
                }
                self.cost.field_evaluations += 1;
                w.sloped = true;
            }
            hermite(&mut w.other, h, theta, &w.u, &w.stages[0], &w.slope);
        }
        if let Some(dense) = tableau.dense {
            correct(&mut w.other, h, theta, dense, &w.stages);
        }
        advance::<P>(chart, &w.other, y, out);
        self.cost.exponentials += 1;
        Some(Ok(()))
    }

    /// Whether the table and the chart are those of [`known`], and numbers are not on the heap or
    /// behind a virtual call, where nothing would be gained.
    #[inline(always)]
    fn is_known(&self) -> bool {
        let plain = const { P::HOT && !core::mem::needs_drop::<P::Point>() };
        plain && core::ptr::eq(self.tableau, &tableau::RK4) && self.chart == Chart::Exp
    }
}

/// The first stage and the coordinates of the end, for Kutta's classical table and the exponential
/// chart: stages one after the other, since in a loop the compiler would forget the table, and in
/// registers, as far as they go.
#[inline(always)]
fn known<P: Generator>(s: Step<'_, P>) -> Result<(FieldOf<P>, FieldOf<P>), StepError> {
    let (tableau, chart) = (const { &CLASSICAL }, Chart::Exp);
    let first = s.p.field(s.t, s.y);
    let mut u = first.clone();
    let mut k = [first.clone(), first.clone(), first.clone(), first];
    let mut point = s.y.clone();
    stage(tableau, chart, 1, s, &mut u, &mut k, &mut point)?;
    stage(tableau, chart, 2, s, &mut u, &mut k, &mut point)?;
    stage(tableau, chart, 3, s, &mut u, &mut k, &mut point)?;
    combine(&mut u, s.h, tableau.b, &k);
    let [first, ..] = k;
    if u.finite() { Ok((first, u)) } else { Err(NOT_FINITE) }
}

/// Kutta's table once more, as a constant: the compiler knows the numbers of a static only in the
/// crate that has it, but steps are compiled where the problems are.
const CLASSICAL: Tableau = Tableau {
    name: tableau::RK4.name,
    order: tableau::RK4.order,
    a: tableau::RK4.a,
    b: tableau::RK4.b,
    embedded: tableau::RK4.embedded,
    dense: tableau::RK4.dense,
    c: tableau::RK4.c,
    cite: tableau::RK4.cite,
};

/// Stage `i`, after the first, of those that are not the solution.
#[inline(always)]
fn stage<P: Generator>(
    tableau: &'static Tableau,
    chart: Chart,
    i: usize,
    Step { p, t, h, y }: Step<'_, P>,
    u: &mut FieldOf<P>,
    k: &mut [FieldOf<P>],
    point: &mut P::Point,
) -> Result<(), StepError> {
    combine(u, h, tableau.a[i], k);
    GroupOf::<P>::domain(chart, u)?;
    p.slope_at(Stage { chart, t: t + tableau.c[i] * h, u, y }, point, &mut k[i]);
    Ok(())
}

impl<P: Generator> InlineMethod<P> for Rkmk<P> {
    const INTERPOLATES: bool = true;

    #[inline(always)]
    fn step_inline(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        if self.is_known() {
            return self.step_known(s, out);
        }
        self.step_with(self.tableau, self.chart, s, out)
    }

    #[inline(always)]
    fn step_many_inline(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        if self.is_known() {
            return self.step_many_known(p, steps, y);
        }
        self.step_many_with(self.chart, p, steps, y)
    }

    #[inline(always)]
    fn interpolate_inline(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Interpolated {
        self.interpolate_in(self.chart, at, out)
    }
}

/// Kutta's classical table in the exponential chart and nothing else, for lanes: a table that is
/// chosen at run time costs several times the code.
pub struct Classical<P: Generator>(Rkmk<P>);

/// Any table in the exponential chart, for lanes: the other charts cost several times the code.
pub struct InExponential<P: Generator>(Rkmk<P>);

impl<P: Generator> Default for Classical<P> {
    #[inline(always)]
    fn default() -> Self {
        Self(Rkmk::new(&tableau::RK4, Chart::Exp))
    }
}

impl<P: Generator> InExponential<P> {
    /// The method with this table, which must be explicit.
    pub fn new(tableau: &'static Tableau) -> Self {
        Self(Rkmk::new(tableau, Chart::Exp))
    }
}

/// A method that is another one with less to choose.
macro_rules! restricted {
    ($name:ident, $step:ident, $step_many:ident) => {
        impl<P: Generator> InlineMethod<P> for $name<P> {
            const INTERPOLATES: bool = true;

            #[inline(always)]
            fn step_inline(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
                self.0.$step(s, out)
            }
            #[inline(always)]
            fn step_many_inline(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
                self.0.$step_many(p, steps, y)
            }
            #[inline(always)]
            fn interpolate_inline(
                &mut self,
                at: Inside<'_, P>,
                out: &mut P::Point,
            ) -> Interpolated {
                self.0.interpolate_in(Chart::Exp, at, out)
            }
        }

        impl<P: Generator> Method<P> for $name<P> {
            fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
                self.step_inline(s, out)
            }
            fn accept(&mut self) {
                self.0.kept.accept();
            }
            fn reset(&mut self) {
                self.0.kept = Kept::Nothing;
            }
            fn set_aside(&mut self) {
                self.0.set_aside();
            }
            fn take_back(&mut self) {
                self.0.take_back();
            }
            fn archive(&mut self, next: Step<'_, P>, archive: &mut Archive) {
                self.0.archive(next, archive);
            }
            fn cost(&self) -> Cost {
                self.0.cost
            }
        }
    };
}
restricted!(Classical, step_known, step_many_known);
restricted!(InExponential, step_in_exponential, step_many_in_exponential);

impl<P: Generator> Method<P> for Rkmk<P> {
    compiled_once!(P::HOT && worth_step_many::<ScalarOf<GroupOf<P>>>());

    remembers!(kept);

    fn coordinates(&self) -> Option<InChart<'_>> {
        self.work.as_ref().map(|w| InChart { chart: self.chart, u: &w.u })
    }

    increments!(self, shifts::<P>(), |s, room, increment| {
        self.by_way = true;
        let made = self.step(s, room);
        self.by_way = false;
        if let (Ok(_), Some(w)) = (&made, &self.work) {
            shift::<P>(self.chart, &w.u, s.y, increment);
        }
        made
    });
}

/// The estimate from the differences of a table with so many comparison solutions.
#[inline(always)]
fn estimate_of<S: Real>(embedded: usize, sizes: [S; 2]) -> Option<S> {
    match (embedded, sizes) {
        (0, _) => None,
        (1, [e, _]) => Some(e),
        (_, [e, d]) => Some(combined(e, d)),
    }
}

/// `e²/sqrt(e² + d²/100)`, and zero where both vanish.
#[inline(always)]
fn combined<S: Real>(e: S, d: S) -> S {
    let scale = (e * e + d * 0.01 * d).sqrt();
    // What is not a number is not below the smallest one.
    S::select(scale.lt(S::lift(f64::from_bits(1))), S::zero(), e * (e / scale))
}

/// The distance of two states that an error estimate asks for.
pub(super) fn distance<P: Generator>(estimate: Estimate, a: &P::Point, b: &P::Point) -> f64 {
    let group = match estimate {
        Estimate::Group => P::Space::group_distance(a, b),
        Estimate::Natural | Estimate::State => None,
    };
    group.unwrap_or_else(|| P::Space::distance(a, b))
}
