//! Implicit methods in a chart: one engine, with stage equations and a solver to plug in.
//!
//! ```text
//! k = F(k)      u = h sum_i b_i k_i      y' = phi(u)·y
//! ```
//!
//! The map `F` of all stages belongs to a family ([Gauss](super::rkmk_gauss) or [centred
//! Gauss](super::gl4_sym)). It is solved from `k_i = f(y)` by [Newton's method](super::newton) or by
//! [fixed-point iteration](super::fixed_point); both evaluate the same `F`.
use super::interpolant::{hermite, pull_to};
use super::rkmk::combine;
use super::{
    Cost, InChart, Inside, Kept, Method, NOT_FINITE, Step, StepError, StepResult,
    increments_in_chart,
};
use crate::chart::{Chart, OutOfChart};
use crate::group::LieAlgebra;
use crate::problem::{Differentiable, FieldOf, Generator, Stage, advance};
use crate::tableau::Tableau;

/// Directions in which one dual number differentiates. Three fit the algebras of bodies, and more
/// would cost more time to compile than they save.
pub const DIRECTIONS: usize = 3;
/// A system over its dual numbers.
pub type LiftedOf<P> = <P as Differentiable<DIRECTIONS>>::Lifted;

/// The stage equations `k = F(k)` of a family.
pub trait StageEquations {
    /// The coefficients.
    fn tableau(&self) -> &'static Tableau;
    /// The chart.
    fn chart(&self) -> Chart;
    /// What a message calls them.
    fn name(&self) -> &'static str;

    /// `f = F(k)`, over any numbers.
    fn evaluate<P: Generator>(&self, at: Step<'_, P>, stages: &mut Stages<P>);

    /// `r = k - F(k)` and `m = I - F'(k)`, by rows, from dual numbers.
    fn linearise<P: Differentiable<DIRECTIONS>>(&self, system: Linear<'_, P>);

    /// Whether the chart is defined at all stages.
    fn domain<P: Generator>(&self, h: f64, stages: &mut Stages<P>) -> Result<(), OutOfChart>;
}

/// The stage equations of a step, made linear.
pub struct Linear<'a, P: Differentiable<DIRECTIONS>> {
    /// The step over dual numbers.
    pub at: Step<'a, LiftedOf<P>>,
    /// The stages, with work space.
    pub stages: &'a mut Stages<P>,
    /// Work space for dual numbers.
    pub lifted: &'a mut Stages<LiftedOf<P>>,
    /// The matrix, by rows.
    pub m: &'a mut [P::Scalar],
    /// The residual.
    pub r: &'a mut [P::Scalar],
}

/// Work space of one evaluation of the stage equations.
pub struct Scratch<P: Generator> {
    /// A point of the algebra.
    pub u: FieldOf<P>,
    /// Another one.
    pub v: FieldOf<P>,
    /// The centre of the chart, where that is not the start.
    pub centre: P::Point,
    /// A stage.
    pub point: P::Point,
}

/// Stages of some kind of numbers, and the work space to evaluate their equations.
pub struct Stages<P: Generator> {
    /// `k`.
    pub k: Vec<FieldOf<P>>,
    /// `F(k)`.
    pub f: Vec<FieldOf<P>>,
    /// Work space.
    pub scratch: Scratch<P>,
}

impl<P: Generator> Stages<P> {
    /// Space for `s` stages of the shape of the field at `y`.
    pub fn new(p: &P, t: f64, y: &P::Point, s: usize) -> Self {
        let f = p.field(t, y).zero_like();
        let scratch = Scratch { u: f.clone(), v: f.clone(), centre: y.clone(), point: y.clone() };
        Self { k: vec![f.clone(); s], f: vec![f; s], scratch }
    }
}

/// A way of solving `k = F(k)`.
pub trait StageSolver<P: Generator>: Default {
    /// Improves `stages.k` until the equations hold to rounding.
    fn solve<E: StageEquations>(&mut self, system: System<'_, P, E>) -> Result<(), StepError>;
}

/// The stage equations of a step.
pub struct System<'a, P: Generator, E> {
    /// The equations.
    pub equations: &'a E,
    /// The step.
    pub at: Step<'a, P>,
    /// The first guess, then the solution.
    pub stages: &'a mut Stages<P>,
    /// The cost of the run so far.
    pub cost: &'a mut Cost,
}

/// An implicit method with the stage equations `E`, solved by `V`.
pub struct Implicit<P: Generator, E, V> {
    equations: E,
    solver: V,
    work: Option<Work<P>>,
    kept: Kept,
    cost: Cost,
}

struct Work<P: Generator> {
    stages: Stages<P>,
    /// The field at the start: first guess of all stages, and slope of the interpolant.
    first: FieldOf<P>,
    /// The whole step in the chart.
    u: FieldOf<P>,
    slope: FieldOf<P>,
    sloped: bool,
}

impl<P: Generator, E: StageEquations, V: StageSolver<P>> Implicit<P, E, V> {
    /// The method with these equations.
    pub fn new(equations: E) -> Self {
        let (solver, cost) = (V::default(), Cost::default());
        Self { equations, solver, work: None, kept: Kept::Nothing, cost }
    }

    fn chart(&self) -> Chart {
        self.equations.chart()
    }
}

impl<P: Generator, E: StageEquations, V: StageSolver<P>> Method<P> for Implicit<P, E, V> {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        let tableau = self.equations.tableau();
        let w = self.work.get_or_insert_with(|| {
            let stages = Stages::new(p, t, y, tableau.stages());
            let f = stages.scratch.u.clone();
            Work { stages, first: f.clone(), u: f.clone(), slope: f, sloped: false }
        });
        self.kept = Kept::Nothing;
        w.sloped = false;
        p.field_into(t, y, &mut w.first);
        self.cost.field_evaluations += 1;
        if !w.first.finite() {
            return Err(NOT_FINITE);
        }
        for k in &mut w.stages.k {
            k.assign(1.0, &w.first);
        }
        let (equations, stages) = (&self.equations, &mut w.stages);
        self.solver.solve(System { equations, at: s, stages, cost: &mut self.cost })?;
        self.equations.domain(h, &mut w.stages)?;
        combine(&mut w.u, h, tableau.b, &w.stages.k);
        advance::<P>(self.equations.chart(), &w.u, y, out);
        self.cost.exponentials += 1;
        self.kept = Kept::Proposed;
        Ok(None)
    }

    fn reset(&mut self) {
        self.kept = Kept::Nothing;
    }

    fn interpolate(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Result<(), StepError> {
        let Inside { step: Step { p, t, h, y }, end, theta } = at;
        let chart = self.equations.chart();
        let usable = self.kept != Kept::Nothing;
        let Some(w) = self.work.as_mut().filter(|_| usable) else {
            return at.by_shorter_step(self, out);
        };
        if !w.sloped {
            p.field_into(t + h, end, &mut w.slope);
            pull_to::<P>(Stage { chart, t, u: &w.u, y }, end, &mut w.slope)?;
            self.cost.field_evaluations += 1;
            w.sloped = true;
        }
        let between = &mut w.stages.scratch.u;
        hermite(between, h, theta, &w.u, &w.first, &w.slope);
        advance::<P>(chart, between, y, out);
        self.cost.exponentials += 1;
        Ok(())
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    fn coordinates(&self) -> Option<InChart<'_>> {
        self.work.as_ref().map(|w| InChart { chart: self.equations.chart(), u: &w.u })
    }

    increments_in_chart!();
}
