//! Any method, corrected at each step by an isotropy element so that first integrals keep their
//! values.
//!
//! For a step `y1 = phi(u)·y` the correction replaces `u` by `u + sum z_i Z_i`, with `Z_i` the basis
//! of the isotropy algebra at `y`; a method that makes its step otherwise (a product of
//! exponentials, say) is followed by the motion `exp(sum z_i Z_i)`. Both leave the field, and so the
//! order of the state, as they are.
//!
//! ```text
//! exact    F(y1(z)) = F by Newton's method, dz = -J^+ f of least norm,
//!          J_i = DF(y1) gamma(dphi_u Z_i)(y1)
//! linear   one solve with J_i = -(1/2) DF(y) gamma([u, Z_i])(y) = (1/2) DF(y) D gamma(Z_i)[gamma(u)(y)]
//! ```
//!
//! In the exact form, `F` is the value at the start of the run and not at the start of the step, so
//! that rounding does not add up. A root is accepted only if it lies near the proposal,
//! `|y1(z) - y1(0)| <= 0.9 |y1(0) - y|` and `|z_i| <= pi`: far away there are roots that have
//! nothing to do with the motion, such as `y1 = y`. Otherwise the step stays as it was, and is
//! counted.
//!
//! Lewis and Olver 2001, section 7. Differs from the paper: the acceptance test and the treatment
//! of several integrals and several isotropy directions are ours. A correction after the step acts
//! from the left: from the right it would do nothing, because `phi exp(z)·y = phi·y`.
use super::super::{Corrections, Cost, Method, OptionError, Step, StepResult};
use crate::action::isotropy::{CUT, MOST_ROWS, dot, least_norm};
use crate::action::{Action, Isotropy};
use crate::archive::Archive;
use crate::chart::Chart;
use crate::forwards;
use crate::group::{LieAlgebra, LieGroup};
use crate::problem::{FieldOf, FirstIntegrals, Generator, Integral};
use core::f64::consts::PI;

/// What is to be conserved, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conserve {
    /// The names of the integrals, `None` after the last.
    pub names: [Option<&'static str>; MOST_ROWS],
    /// One linear solve instead of a root: conserved to one order more, not exactly.
    pub linear: bool,
}

impl Conserve {
    /// These integrals, exactly; at most [`MOST_ROWS`] of them count.
    pub fn exactly(names: &[&'static str]) -> Self {
        let mut slots = [None; MOST_ROWS];
        for (slot, name) in slots.iter_mut().zip(names) {
            *slot = Some(*name);
        }
        Self { names: slots, linear: false }
    }
    /// The same, by one linear solve.
    pub fn linearly(names: &[&'static str]) -> Self {
        Self { linear: true, ..Self::exactly(names) }
    }
}

/// Most iterations of Newton's method.
const ITERATIONS: u32 = 30;
/// A value counts as kept within so many roundings of its terms; with so many times more, the
/// state counts as still on the level of the first one.
const ROUNDINGS: f64 = 2.0;
const LEVEL: f64 = 64.0;
/// Where rounding stops Newton's method before the tolerance, this many times the tolerance will
/// do.
const NEARLY: f64 = 8.0;

/// A system whose integrals can be conserved by the choice of isotropy. Implemented for all that
/// have what it takes.
pub trait Conservable:
    FirstIntegrals
    + Generator<Space: Isotropy + Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = f64>>>>
{
}
impl<P> Conservable for P where
    P: FirstIntegrals
        + Generator<Space: Isotropy + Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = f64>>>>
{
}

/// A method with the correction.
pub struct Conserving<P: Conservable> {
    method: Box<dyn Method<P>>,
    integrals: Vec<Integral<P>>,
    linear: bool,
    /// The values to keep, once there has been a step.
    levels: Vec<f64>,
    work: Option<Work<P>>,
    /// The last proposal is not that of the inner method.
    corrected: bool,
    tally: Corrections,
    /// Newton iterations and chart maps besides those of the method.
    extra: Cost,
    last: Multipliers,
}

/// What the last step needed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Multipliers {
    /// The multipliers `z`.
    pub z: Vec<f64>,
    /// The smallest singular value of the last Jacobian over the largest; one for one integral.
    pub conditioning: f64,
}

/// Work space of the shape of the problem.
struct Work<P: Conservable> {
    /// The element without correction, and with it.
    base: FieldOf<P>,
    moved: FieldOf<P>,
    zero: FieldOf<P>,
    /// The proposal without correction.
    plain: P::Point,
    rows: Vec<f64>,
    gradient: Vec<f64>,
    coordinates: [Vec<f64>; 3],
    z: Vec<f64>,
    dz: Vec<f64>,
    here: Vec<f64>,
    tolerance: Vec<f64>,
    f: Vec<f64>,
}

impl<P: Conservable> Conserving<P> {
    /// The method `method` on `p`, conserving what is named.
    pub fn new(p: &P, method: Box<dyn Method<P>>, wanted: Conserve) -> Result<Self, OptionError> {
        let known = p.integrals();
        let mut integrals = Vec::new();
        for name in wanted.names.into_iter().flatten() {
            match known.iter().find(|i| i.name == name) {
                Some(integral) => integrals.push(*integral),
                None => {
                    let known = known.iter().map(|i| i.name).collect();
                    return Err(OptionError::NotConservable { name, known });
                }
            }
        }
        Ok(Self {
            method,
            integrals,
            linear: wanted.linear,
            levels: Vec::new(),
            work: None,
            corrected: false,
            tally: Corrections::default(),
            extra: Cost::default(),
            last: Multipliers::default(),
        })
    }

    /// The multipliers of the last step; all zero if it was not corrected.
    pub fn multipliers(&self) -> &Multipliers {
        &self.last
    }
}

impl<P: Conservable> Method<P> for Conserving<P> {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        let estimate = self.method.step(s, out)?;
        let r = P::Space::isotropy_dim(y);
        let w = self.work.get_or_insert_with(|| {
            let (n, count) = (P::Space::ambient(y), self.integrals.len());
            let like = p.field(t, y).zero_like();
            Work {
                base: like.clone(),
                moved: like.clone(),
                zero: like,
                plain: y.clone(),
                rows: Vec::new(),
                gradient: vec![0.0; n],
                coordinates: core::array::from_fn(|_| vec![0.0; n]),
                z: Vec::new(),
                dz: Vec::new(),
                here: vec![0.0; count],
                tolerance: vec![0.0; count],
                f: vec![0.0; count],
            }
        });
        w.rows.resize(r * self.integrals.len(), 0.0);
        w.z.clear();
        w.z.resize(r, 0.0);
        w.dz.resize(r, 0.0);
        self.last.conditioning = 1.0;
        w.levels(p, y, &self.integrals, &mut self.levels, self.linear);
        // Inside the chart where the method works in one, else from the left of its result.
        let chart = match self.method.coordinates() {
            Some(step) => step.u.downcast_ref::<FieldOf<P>>().map(|u| {
                w.base.assign(1.0, u);
                step.chart
            }),
            None => None,
        };
        w.plain.clone_from(out);
        let inside = chart.is_some();
        let chart = chart.unwrap_or(Chart::Exp);
        if !inside {
            w.base.assign(1.0, &w.zero);
        }
        w.residual(p, y, out, &self.integrals, &self.levels);
        self.corrected = false;
        if w.kept(1.0) {
            self.tally.made += 1;
            self.last.z.clone_from(&w.z);
            return Ok(estimate);
        }
        let solved = if r == 0 {
            false
        } else if self.linear {
            if !inside {
                // The step is h f(y) to leading order, and the motion follows it whole.
                p.field_into(t, y, &mut w.moved);
                w.base.assign(2.0 * h, &w.moved);
            }
            let solved = w.solve_linear(p, y, &self.integrals);
            if !inside {
                w.base.assign(1.0, &w.zero);
            }
            w.advance(inside, chart, y, out);
            self.extra.exponentials += 1;
            solved
        } else {
            let mut conditioning = 1.0;
            let (solved, iterations) = w.solve_exact(
                p,
                inside,
                chart,
                y,
                out,
                &self.integrals,
                &self.levels,
                &mut conditioning,
            );
            self.last.conditioning = conditioning;
            self.extra.newton_iterations += u64::from(iterations);
            self.extra.exponentials += u64::from(iterations);
            solved
        };
        if solved && w.near(y, out) {
            self.corrected = true;
            self.tally.made += 1;
        } else {
            out.clone_from(&w.plain);
            w.z.fill(0.0);
            self.tally.skipped += 1;
        }
        self.last.z.clone_from(&w.z);
        Ok(estimate)
    }

    fn accept(&mut self) {
        // What the method kept belongs to its own end point.
        if self.corrected {
            self.method.reset();
        } else {
            self.method.accept();
        }
    }
    // The levels are those of the start, from which a shorter step leads too.
    forwards!(self: P => self.method; reset, set_aside, take_back);
    fn archive(&mut self, next: Step<'_, P>, archive: &mut Archive) {
        archive.list(&mut self.levels, &f64::NAN, Archive::number);
        self.method.archive(next, archive);
    }
    fn cost(&self) -> Cost {
        let mut cost = self.method.cost();
        cost.newton_iterations += self.extra.newton_iterations;
        cost.exponentials += self.extra.exponentials;
        cost
    }
    fn corrections(&self) -> Option<Corrections> {
        Some(self.method.corrections().unwrap_or_default().and(self.tally))
    }
}

impl<P: Conservable> Work<P> {
    /// The values at `y`, their tolerances, and the levels to keep: those of before, if `y` is still
    /// on them, else those of `y`.
    fn levels(
        &mut self,
        p: &P,
        y: &P::Point,
        integrals: &[Integral<P>],
        levels: &mut Vec<f64>,
        fresh: bool,
    ) {
        P::Space::read(y, &mut self.coordinates[0]);
        levels.resize(integrals.len(), f64::NAN);
        for (i, integral) in integrals.iter().enumerate() {
            let value = (integral.eval)(p, y);
            (integral.gradient)(p, y, &mut self.gradient);
            let terms: f64 =
                self.gradient.iter().zip(&self.coordinates[0]).map(|(g, x)| (g * x).abs()).sum();
            self.here[i] = value;
            self.tolerance[i] = ROUNDINGS * f64::EPSILON * (value.abs() + terms);
            let same = (value - levels[i]).abs() <= LEVEL * self.tolerance[i];
            if fresh || !same {
                levels[i] = value;
            }
        }
    }

    /// `f = F(out) - F`.
    fn residual(
        &mut self,
        p: &P,
        y: &P::Point,
        out: &P::Point,
        integrals: &[Integral<P>],
        levels: &[f64],
    ) {
        for (i, integral) in integrals.iter().enumerate() {
            self.f[i] = match integral.change {
                Some(change) => (self.here[i] - levels[i]) + change(p, y, out),
                None => (integral.eval)(p, out) - levels[i],
            };
        }
    }

    /// Whether every value is kept within so many times its tolerance.
    fn kept(&self, times: f64) -> bool {
        self.f.iter().zip(&self.tolerance).all(|(f, tol)| f.abs() <= times * tol)
    }

    /// The largest residual in units of its tolerance.
    fn worst(&self) -> f64 {
        let ratios = self.f.iter().zip(&self.tolerance).map(|(f, tol)| f.abs() / tol);
        ratios.fold(0.0, |a: f64, b| if a.is_nan() || b <= a { a } else { b })
    }

    /// `out` with the correction `z`.
    fn advance(&mut self, inside: bool, chart: Chart, y: &P::Point, out: &mut P::Point) {
        self.moved.assign(1.0, &self.base);
        P::Space::add_isotropy(y, &self.z, &mut self.moved);
        let from = if inside { y } else { &self.plain };
        P::Space::advance(chart, &self.moved, from, out);
    }

    fn solve_exact(
        &mut self,
        p: &P,
        inside: bool,
        chart: Chart,
        y: &P::Point,
        out: &mut P::Point,
        integrals: &[Integral<P>],
        levels: &[f64],
        conditioning: &mut f64,
    ) -> (bool, u32) {
        let r = self.z.len();
        self.moved.assign(1.0, &self.base);
        let mut before = self.worst();
        for iteration in 1..=ITERATIONS {
            for (integral, row) in integrals.iter().zip(self.rows.chunks_mut(r.max(1))) {
                (integral.gradient)(p, out, &mut self.gradient);
                P::Space::slopes(chart, &self.moved, y, out, &self.gradient, row);
            }
            *conditioning = least_norm(&mut self.rows, &self.f, CUT, &mut self.dz);
            for (z, dz) in self.z.iter_mut().zip(&self.dz) {
                *z -= dz;
            }
            self.advance(inside, chart, y, out);
            self.residual(p, y, out, integrals, levels);
            if self.kept(1.0) {
                return (true, iteration);
            }
            let now = self.worst();
            if !now.is_finite() {
                return (false, iteration);
            }
            if now > 0.5 * before && now <= NEARLY {
                return (true, iteration);
            }
            before = now;
        }
        (self.kept(NEARLY), ITERATIONS)
    }

    fn solve_linear(&mut self, p: &P, y: &P::Point, integrals: &[Integral<P>]) -> bool {
        let r = self.z.len();
        let velocity = &mut self.coordinates[1];
        P::Space::velocity(&self.base, y, velocity);
        for (integral, row) in integrals.iter().zip(self.rows.chunks_mut(r.max(1))) {
            (integral.gradient)(p, y, &mut self.gradient);
            P::Space::linear_slopes(y, &self.moved, velocity, &self.gradient, row);
            for slope in row {
                *slope *= 0.5;
            }
        }
        least_norm(&mut self.rows, &self.f, CUT, &mut self.dz);
        for (z, dz) in self.z.iter_mut().zip(&self.dz) {
            *z = -dz;
        }
        // No effect on any of the integrals: nothing was solved.
        self.z.iter().any(|z| *z != 0.0)
    }

    /// The acceptance test.
    fn near(&mut self, y: &P::Point, out: &P::Point) -> bool {
        let [start, plain, end] = &mut self.coordinates;
        P::Space::read(y, start);
        P::Space::read(&self.plain, plain);
        P::Space::read(out, end);
        for ((start, plain), end) in start.iter_mut().zip(plain.iter()).zip(end.iter_mut()) {
            *start = plain - *start;
            *end -= plain;
        }
        let finite = end.iter().all(|x| x.is_finite());
        finite && dot(end, end) <= 0.81 * dot(start, start) && self.z.iter().all(|z| z.abs() <= PI)
    }
}
