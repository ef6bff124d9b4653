//! A group for every kind of number, with what variational methods ask of its two natural charts.
//!
//! `So3<f64>` and `So3<Dual<f64, 3>>` are two types; [`Rotations`] names both. A method that
//! differentiates by dual numbers needs such a name to get from one to the other.
//!
//! Differentials are right-trivialised, as everywhere: `push(phi, u, v) = dphi_u v`. The left
//! version is the one at `-u`, for both charts.
use super::{AlgebraOf, Coadjoint, LieAlgebra, LieGroup, Rn, Se3, So3, Twist};
use lieflow_kernel::scalar::stumpff::stumpff;
use lieflow_kernel::{Dual, Mat3, Real, Vec3, linalg::vec3, se3, so3};

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
pub(crate) type Jet<T> = Dual<T, CHUNK>;

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
        let covector = Self::cast_vector(m, Jet::constant);
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
        let direction = Self::cast_vector(k, Jet::constant);
        let covector = Self::cast_vector(m, Jet::constant);
        gradient::<Self, T>(u, |x| pair(&covector, &Self::push(chart, x, &direction)))
    }
}

/// `<m, v>`.
#[inline(always)]
pub fn pair<A: LieAlgebra>(m: &A, v: &A) -> A::Scalar {
    let mut sum = A::Scalar::zero();
    for i in 0..m.dim() {
        sum += m.coord(i) * v.coord(i);
    }
    sum
}

/// The gradient of a function of a vector, by dual numbers, [`CHUNK`] directions at a time.
#[inline]
pub fn gradient<F: GroupFamily + ?Sized, T: Real>(
    u: &VectorIn<F, T>,
    mut f: impl FnMut(&VectorIn<F, Jet<T>>) -> Jet<T>,
) -> VectorIn<F, T> {
    let mut out = u.zero_like();
    let mut x = F::cast_vector(u, Jet::constant);
    let d = u.dim();
    let mut first = 0;
    while first < d {
        let last = (first + CHUNK).min(d);
        for i in first..last {
            x.set_coord(i, Jet::variable(u.coord(i), i - first));
        }
        let value = f(&x);
        for i in first..last {
            out.set_coord(i, value.eps[i - first]);
            x.set_coord(i, Jet::constant(u.coord(i)));
        }
        first = last;
    }
    out
}

/// `f(u)` for a map between vectors of the same size, with the matrix of its derivatives by rows.
#[inline]
pub fn jacobian<F: GroupFamily + ?Sized, T: Real>(
    u: &VectorIn<F, T>,
    matrix: &mut [T],
    mut f: impl FnMut(&VectorIn<F, Jet<T>>) -> VectorIn<F, Jet<T>>,
) -> VectorIn<F, T> {
    let d = u.dim();
    let mut value = u.zero_like();
    let mut x = F::cast_vector(u, Jet::constant);
    let mut first = 0;
    while first < d {
        let last = (first + CHUNK).min(d);
        for j in first..last {
            x.set_coord(j, Jet::variable(u.coord(j), j - first));
        }
        let y = f(&x);
        for i in 0..d {
            let row = y.coord(i);
            value.set_coord(i, row.re);
            for j in first..last {
                matrix[i * d + j] = row.eps[j - first];
            }
        }
        for j in first..last {
            x.set_coord(j, Jet::constant(u.coord(j)));
        }
        first = last;
    }
    value
}

fn cast3<S: Real, T: Real>(v: Vec3<S>, f: fn(S) -> T) -> Vec3<T> {
    vec3(f(v.x), f(v.y), f(v.z))
}
fn cast33<S: Real, T: Real>(m: &Mat3<S>, f: fn(S) -> T) -> Mat3<T> {
    let [a, b, c] = m.rows;
    Mat3::from_rows(cast3(a, f), cast3(b, f), cast3(c, f))
}

/// SO(3).
#[derive(Clone, Copy, Debug)]
pub struct Rotations;

impl GroupFamily for Rotations {
    type Over<T: Real> = So3<T>;
    fn cast<S: Real, T: Real>(g: &So3<S>, f: fn(S) -> T) -> So3<T> {
        So3 { matrix: cast33(&g.matrix, f) }
    }
    fn cast_vector<S: Real, T: Real>(u: &Vec3<S>, f: fn(S) -> T) -> Vec3<T> {
        cast3(*u, f)
    }
    #[inline(always)]
    fn dcay<T: Real>(u: &Vec3<T>, v: &Vec3<T>) -> Vec3<T> {
        so3::dcay(*u, *v)
    }
    #[inline(always)]
    fn dcay_transpose<T: Real>(u: &Vec3<T>, m: &Vec3<T>) -> Vec3<T> {
        so3::dcay(-*u, *m)
    }
    #[inline(always)]
    fn cay_half<T: Real>(u: &Vec3<T>) -> Vec3<T> {
        let r = ((*u).dot(*u) * 0.25 + T::one()).sqrt();
        u.times(T::one() / (T::one() + r))
    }
    #[inline(always)]
    fn cay_half_transpose<T: Real>(u: &Vec3<T>, m: &Vec3<T>) -> Vec3<T> {
        let r = ((*u).dot(*u) * 0.25 + T::one()).sqrt();
        let c = T::one() / (T::one() + r);
        m.times(c) - u.times(c * c * (*u).dot(*m) / (r * 4.0))
    }
    // With c2, c3 the coefficients of dexp and their derivatives from the Stumpff family:
    //   D_u(dexp_u k)[d] = c2 d×k + c3 (d×(u×k) + u×(d×k)) + (u·d)(c2~ u×k + c3~ u×(u×k)).
    #[inline(always)]
    fn push_gradient<T: Real>(
        chart: NaturalChart,
        u: &Vec3<T>,
        k: &Vec3<T>,
        m: &Vec3<T>,
    ) -> Vec3<T> {
        let (u, k, m) = (*u, *k, *m);
        let uk = u.cross(k);
        match chart {
            NaturalChart::Exp => {
                let [_, _, c2, c3, c4, c5] = stumpff(u.norm_squared());
                let along = (c4 * 2.0 - c3) * m.dot(uk) + (c5 * 3.0 - c4) * m.dot(u.cross(uk));
                k.cross(m).times(c2)
                    + u.times(along)
                    + (uk.cross(m) + k.cross(m.cross(u))).times(c3)
            }
            NaturalChart::Cayley => {
                let c = T::lift(4.0) / (u.norm_squared() + T::lift(4.0));
                (k.cross(m) - u.times(c * m.dot(k + uk * 0.5))).times(c * 0.5)
            }
        }
    }
}

/// SE(3).
#[derive(Clone, Copy, Debug)]
pub struct Motions;

impl GroupFamily for Motions {
    type Over<T: Real> = Se3<T>;
    fn cast<S: Real, T: Real>(g: &Se3<S>, f: fn(S) -> T) -> Se3<T> {
        Se3 { rotation: cast33(&g.rotation, f), position: cast3(g.position, f) }
    }
    fn cast_vector<S: Real, T: Real>(u: &Twist<S>, f: fn(S) -> T) -> Twist<T> {
        Twist::new(cast3(u.angular, f), cast3(u.linear, f))
    }
    #[inline(always)]
    fn dcay<T: Real>(u: &Twist<T>, v: &Twist<T>) -> Twist<T> {
        let (a, b) = se3::dcay(u.angular, u.linear, v.angular, v.linear);
        Twist::new(a, b)
    }
    // The odd matrix function x/(1 + sqrt(1 - x²/4)) of the homogeneous matrix x.
    #[inline(always)]
    fn cay_half<T: Real>(u: &Twist<T>) -> Twist<T> {
        let r = (u.angular.norm_squared() * 0.25 + T::one()).sqrt();
        let c = T::one() / (T::one() + r);
        let along = u.angular.dot(u.linear) * c * c * 0.125;
        Twist::new(u.angular.times(c), u.linear.times(c) + u.angular.times(along))
    }
}

/// The translations of Rⁿ, on which both charts are the identity.
#[derive(Clone, Copy, Debug)]
pub struct Translations<const N: usize>;

impl<const N: usize> GroupFamily for Translations<N> {
    type Over<T: Real> = Rn<T, N>;
    fn cast<S: Real, T: Real>(g: &Rn<S, N>, f: fn(S) -> T) -> Rn<T, N> {
        Rn(g.0.map(f))
    }
    fn cast_vector<S: Real, T: Real>(u: &Rn<S, N>, f: fn(S) -> T) -> Rn<T, N> {
        Rn(u.0.map(f))
    }
    #[inline(always)]
    fn dcay<T: Real>(_: &Rn<T, N>, v: &Rn<T, N>) -> Rn<T, N> {
        *v
    }
    #[inline(always)]
    fn dcay_transpose<T: Real>(_: &Rn<T, N>, m: &Rn<T, N>) -> Rn<T, N> {
        *m
    }
    #[inline(always)]
    fn cay_half<T: Real>(u: &Rn<T, N>) -> Rn<T, N> {
        let mut half = *u;
        half.assign(0.5, u);
        half
    }
    #[inline(always)]
    fn cay_half_transpose<T: Real>(_: &Rn<T, N>, m: &Rn<T, N>) -> Rn<T, N> {
        Self::cay_half(m)
    }
    #[inline(always)]
    fn push_gradient<T: Real>(
        _: NaturalChart,
        _: &Rn<T, N>,
        _: &Rn<T, N>,
        _: &Rn<T, N>,
    ) -> Rn<T, N> {
        Rn::zero()
    }
}

impl<A: GroupFamily, B: GroupFamily> GroupFamily for (A, B) {
    type Over<T: Real> = (A::Over<T>, B::Over<T>);
    fn cast<S: Real, T: Real>(g: &Self::Over<S>, f: fn(S) -> T) -> Self::Over<T> {
        (A::cast(&g.0, f), B::cast(&g.1, f))
    }
    fn cast_vector<S: Real, T: Real>(u: &VectorIn<Self, S>, f: fn(S) -> T) -> VectorIn<Self, T> {
        (A::cast_vector(&u.0, f), B::cast_vector(&u.1, f))
    }
    fn dcay<T: Real>(u: &VectorIn<Self, T>, v: &VectorIn<Self, T>) -> VectorIn<Self, T> {
        (A::dcay(&u.0, &v.0), B::dcay(&u.1, &v.1))
    }
    fn dcay_transpose<T: Real>(u: &VectorIn<Self, T>, m: &VectorIn<Self, T>) -> VectorIn<Self, T> {
        (A::dcay_transpose(&u.0, &m.0), B::dcay_transpose(&u.1, &m.1))
    }
    fn cay_half<T: Real>(u: &VectorIn<Self, T>) -> VectorIn<Self, T> {
        (A::cay_half(&u.0), B::cay_half(&u.1))
    }
    fn cay_half_transpose<T: Real>(
        u: &VectorIn<Self, T>,
        m: &VectorIn<Self, T>,
    ) -> VectorIn<Self, T> {
        (A::cay_half_transpose(&u.0, &m.0), B::cay_half_transpose(&u.1, &m.1))
    }
    fn push_gradient<T: Real>(
        chart: NaturalChart,
        u: &VectorIn<Self, T>,
        k: &VectorIn<Self, T>,
        m: &VectorIn<Self, T>,
    ) -> VectorIn<Self, T> {
        (A::push_gradient(chart, &u.0, &k.0, &m.0), B::push_gradient(chart, &u.1, &k.1, &m.1))
    }
}

/// A power, for both lengths known and unknown to the compiler.
macro_rules! power_family {
    ([$($generics:tt)*] $family:ty, $over:ident => $power:ty, $from:expr) => {
        impl<$($generics)*> GroupFamily for $family {
            type Over<$over: Real> = $power;
            fn cast<S: Real, T: Real>(g: &Self::Over<S>, f: fn(S) -> T) -> Self::Over<T> {
                $from(g, |i| A::cast(&g[i], f))
            }
            fn cast_vector<S: Real, T: Real>(
                u: &VectorIn<Self, S>,
                f: fn(S) -> T,
            ) -> VectorIn<Self, T> {
                $from(u, |i| A::cast_vector(&u[i], f))
            }
            fn dcay<T: Real>(
                u: &VectorIn<Self, T>,
                v: &VectorIn<Self, T>,
            ) -> VectorIn<Self, T> {
                $from(u, |i| A::dcay(&u[i], &v[i]))
            }
            fn dcay_transpose<T: Real>(
                u: &VectorIn<Self, T>,
                m: &VectorIn<Self, T>,
            ) -> VectorIn<Self, T> {
                $from(u, |i| A::dcay_transpose(&u[i], &m[i]))
            }
            fn cay_half<T: Real>(u: &VectorIn<Self, T>) -> VectorIn<Self, T> {
                $from(u, |i| A::cay_half(&u[i]))
            }
            fn cay_half_transpose<T: Real>(
                u: &VectorIn<Self, T>,
                m: &VectorIn<Self, T>,
            ) -> VectorIn<Self, T> {
                $from(u, |i| A::cay_half_transpose(&u[i], &m[i]))
            }
            fn push_gradient<T: Real>(
                chart: NaturalChart,
                u: &VectorIn<Self, T>,
                k: &VectorIn<Self, T>,
                m: &VectorIn<Self, T>,
            ) -> VectorIn<Self, T> {
                $from(u, |i| A::push_gradient(chart, &u[i], &k[i], &m[i]))
            }
        }
    };
}

#[inline(always)]
fn array_from<X, Y, const N: usize>(_: &[X; N], f: impl Fn(usize) -> Y) -> [Y; N] {
    std::array::from_fn(f)
}
#[inline(always)]
fn vec_from<X, Y>(shape: &[X], f: impl Fn(usize) -> Y) -> Vec<Y> {
    (0..shape.len()).map(f).collect()
}
power_family!([A: GroupFamily, const N: usize] [A; N], T => [A::Over<T>; N], array_from);
power_family!([A: GroupFamily] Vec<A>, T => Vec<A::Over<T>>, vec_from);
