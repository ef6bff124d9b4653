//! A group for every kind of number, with what variational methods ask of its two natural charts.
//!
//! `So3<f64>` and `So3<Dual<f64, 3>>` are two types; [`Rotations`] names both. A method that
//! differentiates by dual numbers needs such a name to get from one to the other.
//!
//! Differentials are right-trivialised, as everywhere: `push(phi, u, v) = dphi_u v`. The left
//! version is the one at `-u`, for both charts.
use super::{AlgebraOf, Coadjoint, LieAlgebra, LieGroup};
use lieflow_kernel::{Dual, Real};

mod derivative;
mod euclidean;
mod product;

pub use derivative::{gradient, jacobian, pair};
pub use euclidean::{Motions, Rotations, Translations};

/// The charts that commute with conjugation, `phi(Ad_g u) = g phi(u) g^{-1}`, and for which
/// `phi(-u) = phi(u)^{-1}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaturalChart {
    /// The exponential.
    Exp,
    /// Cayley's map.
    Cayley,
}

/// Directions that are differentiated at once.
pub(crate) const CHUNK: usize = 3;
/// Numbers with [`CHUNK`] derivatives.
pub(crate) type Seeded<T> = Dual<T, CHUNK>;
/// The same for a number that may have derivatives of its own, which are dropped: a Jacobian is
/// only used to find corrections, and needs no derivatives.
pub(crate) type SeededPrimal<T> = Seeded<<T as Real>::Primal>;
/// A constant among the [`SeededPrimal`].
pub(crate) fn fixed<T: Real>(x: T) -> SeededPrimal<T> {
    Dual::constant(x.primal())
}

/// The vector of a family over the numbers `T`.
pub type VectorIn<F, T> = AlgebraOf<<F as GroupFamily>::Over<T>>;

/// A Lie group over any numbers.
pub trait GroupFamily: 'static {
    /// The group over the numbers `T`.
    type Over<T: Real>: Coadjoint<Algebra: LieAlgebra<Scalar = T>>;

    /// The same element over other numbers.
    fn cast<S: Real, T: Real>(g: &Self::Over<S>, f: fn(S) -> T) -> Self::Over<T>;
    /// The same vector (or covector) over other numbers.
    fn cast_vector<S: Real, T: Real>(u: &VectorIn<Self, S>, f: fn(S) -> T) -> VectorIn<Self, T>;

    /// Differential of Cayley's map.
    fn dcay<T: Real>(u: &VectorIn<Self, T>, v: &VectorIn<Self, T>) -> VectorIn<Self, T>;
    /// Transpose of [`GroupFamily::dcay`], by columns unless a closed form is given.
    fn dcay_transpose<T: Real>(u: &VectorIn<Self, T>, m: &VectorIn<Self, T>) -> VectorIn<Self, T> {
        let mut out = m.zero_like();
        for i in 0..m.dim() {
            let mut e = m.zero_like();
            e.set_coord(i, T::one());
            out.set_coord(i, pair(m, &Self::dcay(u, &e)));
        }
        out
    }
    /// The vector with `cay(half(u))² = cay(u)`; `u/2` would not do.
    fn cay_half<T: Real>(u: &VectorIn<Self, T>) -> VectorIn<Self, T>;
    /// Transposed derivative of [`GroupFamily::cay_half`] at `u`.
    fn cay_half_transpose<T: Real>(
        u: &VectorIn<Self, T>,
        m: &VectorIn<Self, T>,
    ) -> VectorIn<Self, T> {
        let covector = Self::cast_vector(m, Seeded::constant);
        gradient::<Self, T>(u, |x| pair(&covector, &Self::cay_half(x)))
    }

    /// `phi(u)`.
    fn map<T: Real>(chart: NaturalChart, u: &VectorIn<Self, T>) -> Self::Over<T> {
        match chart {
            NaturalChart::Exp => Self::Over::<T>::exp(u),
            NaturalChart::Cayley => Self::Over::<T>::cay(u),
        }
    }
    /// `dphi_u v`.
    fn push<T: Real>(
        chart: NaturalChart,
        u: &VectorIn<Self, T>,
        v: &VectorIn<Self, T>,
    ) -> VectorIn<Self, T> {
        match chart {
            NaturalChart::Exp => Self::Over::<T>::dexp(u, v),
            NaturalChart::Cayley => Self::dcay(u, v),
        }
    }
    /// `dphi_u^T m`.
    fn push_transpose<T: Real>(
        chart: NaturalChart,
        u: &VectorIn<Self, T>,
        m: &VectorIn<Self, T>,
    ) -> VectorIn<Self, T> {
        match chart {
            NaturalChart::Exp => Self::Over::<T>::dexp_transpose(u, m),
            NaturalChart::Cayley => Self::dcay_transpose(u, m),
        }
    }
    /// The covector `d -> <m, D_u(dphi_u k)[d]>`: how the differential itself changes with `u`. By
    /// dual numbers unless a closed form is given.
    fn push_gradient<T: Real>(
        chart: NaturalChart,
        u: &VectorIn<Self, T>,
        k: &VectorIn<Self, T>,
        m: &VectorIn<Self, T>,
    ) -> VectorIn<Self, T> {
        let direction = Self::cast_vector(k, Seeded::constant);
        let covector = Self::cast_vector(m, Seeded::constant);
        gradient::<Self, T>(u, |x| pair(&covector, &Self::push(chart, x, &direction)))
    }
}
