//! How fast things happen at a state, and whether faster and faster: what reversible steps follow.
//!
//! With the field `f` along the motion, in coordinates of the Lie algebra, and dots for derivatives
//! with respect to time:
//!
//! ```text
//! Q^4 = |f'|^2 + |f|^4
//! d ln Q/dt = (f'·f'' + 2 |f|^2 f·f') / (2 Q^4)
//! ```
//!
//! `Q` is a rate: a step `h` changes the state by `h²|f'|/2` beyond the straight line, so that steps
//! proportional to `1/Q` bend alike everywhere; the second term keeps the rate from falling where the
//! field does not change for a moment. For Kepler's problem `1/Q` is about `r^(3/2)`. `Q` is even, and its
//! logarithmic derivative odd, under reversal of the motion. Numbers of the state should be of order one.
//!
//! Derivatives are exact to rounding: the field is evaluated on power series in time, `y(s) = exp(s f +
//! s²f'/2)·y`. Where it depends on the time itself, that is taken as a number that stays.
use super::{FieldOf, Generator, Lift, Problem, Stage};
use crate::action::Action;
use crate::chart::Chart;
use crate::group::{AlgebraOf, LieAlgebra};
use lieflow_kernel::{Jet, Real};

/// How fast things happen at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tempo {
    /// A rate: things change about so many times in a unit of time. Zero where nothing moves.
    pub rate: f64,
    /// The derivative of its logarithm with respect to time.
    pub growth: f64,
}

/// Measures the tempo of a motion.
pub trait Meter<Y> {
    /// The tempo at a state.
    fn tempo(&mut self, t: f64, y: &Y) -> Tempo;
    /// How often the field is evaluated for one measurement.
    fn evaluations(&self) -> u64;
}

type Series = Jet<f64, 3>;
type Lifted<P> = <P as Lift>::Over<Series>;
type LiftedPoint<P> = <Lifted<P> as Problem>::Point;
type LiftedSpace<P> = <Lifted<P> as Generator>::Space;
type LiftedField<P> = AlgebraOf<<LiftedSpace<P> as Action>::Group>;

/// Measures the tempo by the field of a system, whatever system it is.
pub struct FieldMeter<P: Lift> {
    system: P,
    lifted: Lifted<P>,
    work: Option<Work<P>>,
}

struct Work<P: Lift> {
    field: FieldOf<P>,
    y: LiftedPoint<P>,
    point: LiftedPoint<P>,
    u: LiftedField<P>,
    series: LiftedField<P>,
}

impl<P: Lift<Scalar = f64>> FieldMeter<P> {
    /// For this system.
    pub fn new(system: P) -> Self {
        let lifted = system.lift(Series::constant);
        Self { system, lifted, work: None }
    }
}

impl<P: Lift<Scalar = f64>> Work<P> {
    /// Made at the first state.
    fn at(system: &P, lifted: &Lifted<P>, t: f64, y: &P::Point) -> Self {
        let point = system.lift_point(y, Series::constant);
        let series = lifted.field(t, &point);
        Self { field: system.field(t, y), y: point.clone(), point, u: series.zero_like(), series }
    }
}

impl<P: Lift<Scalar = f64>> Meter<P::Point> for FieldMeter<P> {
    fn tempo(&mut self, t: f64, y: &P::Point) -> Tempo {
        let Self { system, lifted, work } = self;
        let Work { field, y: start, point, u, series } =
            work.get_or_insert_with(|| Work::at(system, lifted, t, y));
        system.field_into(t, y, field);
        system.lift_point_into(y, Series::constant, start);
        let n = field.dim();
        // Each time the series of the field is known to one order more.
        for known in 1..3 {
            for i in 0..n {
                let bend = if known == 1 { 0.0 } else { 0.5 * series.coord(i).c[1] };
                u.set_coord(i, Series { c: [0.0, field.coord(i), bend] });
            }
            lifted.field_at(Stage { chart: Chart::Exp, t, u, y: start }, point, series);
        }
        let (mut square, mut turn, mut change, mut swing) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..n {
            let [f, slope, half] = series.coord(i).c;
            square += f * f;
            turn += f * slope;
            change += slope * slope;
            swing += slope * (2.0 * half);
        }
        let fourth = change + square * square;
        if fourth == 0.0 {
            return Tempo { rate: 0.0, growth: 0.0 };
        }
        let growth = 0.5 * (swing + 2.0 * square * turn) / fourth;
        Tempo { rate: Real::sqrt(Real::sqrt(fourth)), growth }
    }

    fn evaluations(&self) -> u64 {
        3
    }
}
