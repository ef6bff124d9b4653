//! Rotations, motions and translations over any numbers.
use super::{GroupFamily, NaturalChart};
use crate::group::{LieAlgebra, Rn, Se3, So3, Twist};
use lieflow_kernel::scalar::stumpff::stumpff;
use lieflow_kernel::{Mat3, Real, Vec3, linalg::vec3, se3, so3};

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
    #[inline]
    fn dcay<T: Real>(u: &Vec3<T>, v: &Vec3<T>) -> Vec3<T> {
        so3::dcay(*u, *v)
    }
    #[inline]
    fn dcay_transpose<T: Real>(u: &Vec3<T>, m: &Vec3<T>) -> Vec3<T> {
        so3::dcay(-*u, *m)
    }
    #[inline]
    fn cay_half<T: Real>(u: &Vec3<T>) -> Vec3<T> {
        let r = ((*u).dot(*u) * 0.25 + T::one()).sqrt();
        u.times(T::one() / (T::one() + r))
    }
    #[inline]
    fn cay_half_transpose<T: Real>(u: &Vec3<T>, m: &Vec3<T>) -> Vec3<T> {
        let r = ((*u).dot(*u) * 0.25 + T::one()).sqrt();
        let c = T::one() / (T::one() + r);
        m.times(c) - u.times(c * c * (*u).dot(*m) / (r * 4.0))
    }
    // With c2, c3 the coefficients of dexp and their derivatives from the Stumpff family:
    //   D_u(dexp_u k)[d] = c2 d×k + c3 (d×(u×k) + u×(d×k)) + (u·d)(c2~ u×k + c3~ u×(u×k)).
    #[inline]
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
    #[inline]
    fn dcay<T: Real>(u: &Twist<T>, v: &Twist<T>) -> Twist<T> {
        let (a, b) = se3::dcay(u.angular, u.linear, v.angular, v.linear);
        Twist::new(a, b)
    }
    // The odd matrix function x/(1 + sqrt(1 - x²/4)) of the homogeneous matrix x.
    #[inline]
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
    #[inline]
    fn dcay<T: Real>(_: &Rn<T, N>, v: &Rn<T, N>) -> Rn<T, N> {
        *v
    }
    #[inline]
    fn dcay_transpose<T: Real>(_: &Rn<T, N>, m: &Rn<T, N>) -> Rn<T, N> {
        *m
    }
    #[inline]
    fn cay_half<T: Real>(u: &Rn<T, N>) -> Rn<T, N> {
        let mut half = *u;
        half.assign(0.5, u);
        half
    }
    #[inline]
    fn cay_half_transpose<T: Real>(_: &Rn<T, N>, m: &Rn<T, N>) -> Rn<T, N> {
        Self::cay_half(m)
    }
    #[inline]
    fn push_gradient<T: Real>(
        _: NaturalChart,
        _: &Rn<T, N>,
        _: &Rn<T, N>,
        _: &Rn<T, N>,
    ) -> Rn<T, N> {
        Rn::zero()
    }
}
