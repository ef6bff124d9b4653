//! The translations of Rⁿ: group, algebra and dual are the same vectors, all brackets vanish.
use super::{Coadjoint, LieAlgebra, LieGroup};
use crate::chart::Chart;
use lieflow_kernel::Real;

/// A vector of Rⁿ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rn<S, const N: usize>(pub [S; N]);

impl<S: Real, const N: usize> Rn<S, N> {
    /// The zero vector.
    #[inline(always)]
    pub fn zero() -> Self {
        Self([S::zero(); N])
    }
}

impl<S: Real, const N: usize> LieAlgebra for Rn<S, N> {
    type Scalar = S;
    const ZERO: Option<fn() -> Self> = Some(Self::zero);
    #[inline(always)]
    fn dim(&self) -> usize {
        N
    }
    #[inline(always)]
    fn coord(&self, i: usize) -> S {
        self.0[i]
    }
    #[inline(always)]
    fn set_coord(&mut self, i: usize, value: S) {
        self.0[i] = value;
    }
    #[inline(always)]
    fn zero_like(&self) -> Self {
        Self::zero()
    }
    #[inline(always)]
    fn assign(&mut self, a: f64, x: &Self) {
        for i in 0..N {
            self.0[i] = x.0[i] * a;
        }
    }
    #[inline(always)]
    fn axpy(&mut self, a: f64, x: &Self) {
        for i in 0..N {
            self.0[i] += x.0[i] * a;
        }
    }
    #[inline(always)]
    fn bracket(&self, _: &Self) -> Self {
        Self::zero()
    }
    #[inline(always)]
    fn axpy_bracket(&mut self, _: f64, _: &Self, _: &Self) {}
}

impl<S: Real, const N: usize> LieGroup for Rn<S, N> {
    type Algebra = Self;
    const HAS_CAYLEY: bool = true;
    const SHIFTS: bool = true;

    fn shift(&self, _: &Self, out: &mut Self) {
        out.axpy(1.0, self);
    }
    #[inline(always)]
    fn identity(_: &Self) -> Self {
        Self::zero()
    }
    #[inline(always)]
    fn compose(&self, g: &Self) -> Self {
        let mut sum = *self;
        sum.axpy(1.0, g);
        sum
    }
    #[inline(always)]
    fn inverse(&self) -> Self {
        let mut minus = *self;
        minus.assign(-1.0, self);
        minus
    }
    #[inline(always)]
    fn exp(u: &Self) -> Self {
        *u
    }
    #[inline(always)]
    fn log(&self) -> Self {
        *self
    }
    #[inline(always)]
    fn adjoint(&self, v: &Self) -> Self {
        *v
    }
    #[inline(always)]
    fn dexp(_: &Self, v: &Self) -> Self {
        *v
    }
    #[inline(always)]
    fn dexpinv(_: &Self, v: &Self) -> Self {
        *v
    }
    #[inline(always)]
    fn cay(u: &Self) -> Self {
        *u
    }
    #[inline(always)]
    fn dcayinv(_: &Self, v: &Self) -> Self {
        *v
    }
    #[inline(always)]
    fn map(_: Chart, u: &Self) -> Self {
        *u
    }
    #[inline(always)]
    fn pull(_: Chart, _: &Self, _: &mut Self) {}
}

impl<S: Real, const N: usize> Coadjoint for Rn<S, N> {
    #[inline(always)]
    fn adjoint_transpose(&self, m: &Self) -> Self {
        *m
    }
    #[inline(always)]
    fn ad_transpose(_: &Self, _: &Self) -> Self {
        Self::zero()
    }
    #[inline(always)]
    fn dexp_transpose(_: &Self, m: &Self) -> Self {
        *m
    }
    #[inline(always)]
    fn dexpinv_transpose(_: &Self, m: &Self) -> Self {
        *m
    }
}
