//! What rotations and unitary matrices share: `Ad` is orthogonal in their coordinates, so transposes of
//! differentials belong to the inverse, and the exponential is good up to a full turn of `ad`.
use super::LieAlgebra;
use crate::chart::OutOfChart;
use core::f64::consts::TAU;
use lieflow_kernel::{Mask, Real};

/// Those functions of [`super::Coadjoint`] that are the same for all of them.
macro_rules! transposes_are_inverses {
    () => {
        #[inline(always)]
        fn ad_transpose(u: &Self::Algebra, m: &Self::Algebra) -> Self::Algebra {
            m.bracket(u)
        }
        #[inline(always)]
        fn dexp_transpose(u: &Self::Algebra, m: &Self::Algebra) -> Self::Algebra {
            Self::dexp(&$crate::group::unitary::minus(u), m)
        }
        #[inline(always)]
        fn dexpinv_transpose(u: &Self::Algebra, m: &Self::Algebra) -> Self::Algebra {
            Self::dexpinv(&$crate::group::unitary::minus(u), m)
        }
    };
}
pub(super) use transposes_are_inverses;

/// `-u`.
#[inline(always)]
pub(super) fn minus<A: LieAlgebra>(u: &A) -> A {
    let mut out = u.zero_like();
    out.assign(-1.0, u);
    out
}

/// Whether no two eigenvalues of `u` differ by `2 pi i` or more: their largest difference is the `radius` of
/// `ad`, and the square of it is at most `bound`, which is known at once.
pub(super) fn domain<S: Real>(
    bound: S,
    finite: bool,
    radius: impl FnOnce() -> S,
) -> Result<(), OutOfChart> {
    if bound.lt(S::lift(TAU * TAU)).all() {
        return Ok(());
    }
    if !finite {
        return Err(OutOfChart { angle: f64::NAN, limit: TAU });
    }
    let radius = radius();
    if radius.lt(S::lift(TAU)).all() {
        return Ok(());
    }
    Err(OutOfChart { angle: radius.magnitude(), limit: TAU })
}
