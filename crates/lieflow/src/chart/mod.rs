//! Coordinates at the identity of a group: `phi: g -> G` with `phi(0) = e` and `dphi_0 = id`.
//!
//! A method that works in a chart needs two things: the map, and the inverse of its
//! right-trivialised differential. Groups offer both through
//! [`LieGroup::map`](crate::group::LieGroup::map) and
//! [`LieGroup::pull`](crate::group::LieGroup::pull).

use core::f64::consts::{FRAC_PI_2, TAU};
use lieflow_kernel::{Mask, Real, Vec3};

pub mod second_kind;

/// Which coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Chart {
    /// The exponential, with its exact inverse differential.
    #[default]
    Exp,
    /// The exponential, with the Bernoulli series cut after so many brackets.
    ExpSeries {
        /// The highest power of `ad` that is kept.
        brackets: usize,
    },
    /// Cayley's map.
    Cayley,
    /// Canonical coordinates of the second kind: a product of one-parameter subgroups.
    SecondKind,
    /// Stereographic projection of spheres from the point opposite, where the space
    /// [has it](crate::action::Action::STEREOGRAPHIC); on groups Cayley's map, of which it is made.
    Stereographic,
}

impl Chart {
    /// This chart; the exponential one where no other is [compiled](Real::CHARTS) for these numbers.
    #[inline(always)]
    pub fn compiled<S: Real>(self) -> Self {
        if const { S::CHARTS } { self } else { Self::Exp }
    }
}

/// A point of an algebra at which the inverse differential of a chart is not defined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutOfChart {
    /// How far the rotation goes, in radians; NaN if the point is not a number.
    pub angle: f64,
    /// Where the chart ends.
    pub limit: f64,
}

/// The domain of a chart on rotation vectors: `|a| < 2 pi` for the exponential (dexp is singular
/// at a full turn), all of R³ for Cayley's map, `|a_2| < pi/2` for the second kind.
#[inline(always)]
pub fn rotation_domain<S: Real>(chart: Chart, a: Vec3<S>) -> Result<(), OutOfChart> {
    let inside = match chart {
        Chart::Exp | Chart::ExpSeries { .. } => a.norm_squared().lt(S::lift(TAU * TAU)),
        Chart::Cayley | Chart::Stereographic => return Ok(()),
        Chart::SecondKind => a.y.abs().lt(S::lift(FRAC_PI_2)),
    };
    if inside.all() { Ok(()) } else { Err(outside(chart, a)) }
}

#[cold]
#[inline(never)]
fn outside<S: Real>(chart: Chart, a: Vec3<S>) -> OutOfChart {
    match chart {
        Chart::SecondKind => OutOfChart { angle: a.y.magnitude(), limit: FRAC_PI_2 },
        _ => OutOfChart { angle: a.magnitude(), limit: TAU },
    }
}
