//! The two maps from the algebra to the rotations for which the closed forms of this family hold.
use crate::chart::Chart;
use crate::method::OptionError;
use lieflow_kernel::{Real, Vec3, so3};

/// Which map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Exponential {
    /// The exponential.
    #[default]
    Exp,
    /// Cayley's map.
    Cayley,
}

impl Exponential {
    /// The map of a chart, if it is one of the two.
    pub fn of(chart: Chart, method: &'static str) -> Result<Self, OptionError> {
        match chart {
            Chart::Exp => Ok(Self::Exp),
            Chart::Cayley => Ok(Self::Cayley),
            Chart::ExpSeries { .. } | Chart::SecondKind | Chart::Stereographic => {
                Err(OptionError::ExpOrCayley { method })
            }
        }
    }
    /// The chart of this map.
    pub fn chart(self) -> Chart {
        match self {
            Self::Exp => Chart::Exp,
            Self::Cayley => Chart::Cayley,
        }
    }
    /// `Exp(u) v`.
    #[inline(always)]
    pub fn turn<S: Real>(self, u: Vec3<S>, v: Vec3<S>) -> Vec3<S> {
        match self {
            Self::Exp => so3::rotate(u, v),
            Self::Cayley => so3::cay_rotate(u, v),
        }
    }
    /// The inverse right-trivialised differential at `u`.
    #[inline(always)]
    pub fn pull<S: Real>(self, u: Vec3<S>, w: Vec3<S>) -> Vec3<S> {
        match self {
            Self::Exp => so3::dexpinv(u, w),
            Self::Cayley => so3::dcayinv(u, w),
        }
    }
}
