//! The isotropy of the actions on vectors, on momenta and on TS², in closed form.
use super::{Isotropy, TINY};
use crate::action::{CoadjointAction, Lifted, Link, TangentSphere, Turn};
use crate::chart::Chart;
use crate::group::{LieGroup, Rn, Se3, So3, Twist};
use lieflow_kernel::{Mask, Real, Vec3, se3, vec3};

#[inline(always)]
fn get<S: Real>(x: &[S]) -> Vec3<S> {
    vec3(x[0], x[1], x[2])
}

#[inline(always)]
fn put<S: Real>(out: &mut [S], v: Vec3<S>) {
    out[..3].copy_from_slice(&v.to_array());
}

/// `v/|v|`, or zero if `v` is.
#[inline(always)]
fn unit<S: Real>(v: Vec3<S>) -> Vec3<S> {
    v.times(reciprocal_root(v.norm_squared()))
}

/// `1/sqrt(x)`, or zero if `x` is.
#[inline(always)]
fn reciprocal_root<S: Real>(x: S) -> S {
    let positive = S::lift(TINY).lt(x);
    S::select(positive, S::one() / S::select(positive, x, S::one()).sqrt(), S::zero())
}

/// `1/x`, or zero if `x` is.
#[inline(always)]
fn reciprocal<S: Real>(x: S) -> S {
    let positive = S::lift(TINY).lt(x);
    S::select(positive, S::one() / S::select(positive, x, S::one()), S::zero())
}

/// SO(3) on vectors: `gamma(u)(m) = u × m`, and the isotropy of `m` is the line of `m`. Vectors
/// and momenta are turned alike, so the same is written for both actions.
macro_rules! turning {
    ($($action:ty),*) => {$(
        impl<S: Real> Isotropy for $action {
            #[inline(always)]
            fn ambient(_: &Vec3<S>) -> usize {
                3
            }
            #[inline(always)]
            fn read(y: &Vec3<S>, out: &mut [S]) {
                put(out, *y);
            }
            #[inline(always)]
            fn write(x: &[S], y: &mut Vec3<S>) {
                *y = get(x);
            }
            #[inline(always)]
            fn velocity(u: &Vec3<S>, y: &Vec3<S>, out: &mut [S]) {
                put(out, u.cross(*y));
            }
            #[inline(always)]
            fn linear(u: &Vec3<S>, _: &Vec3<S>, w: &[S], out: &mut [S]) {
                put(out, u.cross(get(w)));
            }
            #[inline(always)]
            fn isotropy_dim(_: &Vec3<S>) -> usize {
                1
            }
            #[inline(always)]
            fn isotropy(y: &Vec3<S>, _: usize, out: &mut Vec3<S>) {
                *out = unit(*y);
            }
            #[inline(always)]
            fn add_isotropy(y: &Vec3<S>, z: &[S], out: &mut Vec3<S>) {
                *out += unit(*y).times(z[0]);
            }
            /// `m × X/|m|^2`, which unlike a projection is orthogonal to `m` to the last digit.
            #[inline(always)]
            fn orthogonalise(y: &Vec3<S>, out: &mut Vec3<S>) {
                let x = out.cross(*y);
                *out = y.cross(x).times(reciprocal(y.norm_squared()));
            }
            /// `z m` with `z = <b, m × x>/(|m|^2 |x|^2)`: for Euler's rule, the geodesic curvature
            /// of the orbit times its speed (Lewis and Olver 2001, equation 3.7).
            #[inline(always)]
            fn align(y: &Vec3<S>, x: &[S], b: &[S], out: &mut Vec3<S>) -> usize {
                let across = y.cross(get(x));
                let square = across.norm_squared();
                *out += y.times(get(b).dot(across) * reciprocal(square));
                usize::from(!S::lift(TINY).lt(square).all())
            }
            #[inline(always)]
            fn slopes(
                chart: Chart,
                u: &Vec3<S>,
                y: &Vec3<S>,
                end: &Vec3<S>,
                gradient: &[S],
                out: &mut [S],
            ) {
                let mut direction = unit(*y);
                So3::push(chart, u, &mut direction);
                out[0] = get(gradient).dot(direction.cross(*end));
            }
            #[inline(always)]
            fn linear_slopes(y: &Vec3<S>, _: &Vec3<S>, x: &[S], gradient: &[S], out: &mut [S]) {
                out[0] = get(gradient).dot(unit(*y).cross(get(x)));
            }
        }
    )*};
}
turning!(Turn<S>, CoadjointAction<So3<S>>);

/// `gamma(u)(m) = -ad_u^T m`. The isotropy of `(Π, P)` is spanned by the gradients of the Casimirs
/// `|P|²` and `Π·P`.
impl<S: Real> Isotropy for CoadjointAction<Se3<S>> {
    fn ambient(_: &Twist<S>) -> usize {
        6
    }
    fn read(y: &Twist<S>, out: &mut [S]) {
        put(out, y.angular);
        put(&mut out[3..], y.linear);
    }
    fn write(x: &[S], y: &mut Twist<S>) {
        *y = Twist::new(get(x), get(&x[3..]));
    }
    fn velocity(u: &Twist<S>, y: &Twist<S>, out: &mut [S]) {
        let (a, l) = se3::ad_transpose(u.angular, u.linear, y.angular, y.linear);
        put(out, -a);
        put(&mut out[3..], -l);
    }
    fn linear(u: &Twist<S>, _: &Twist<S>, w: &[S], out: &mut [S]) {
        Self::velocity(u, &Twist::new(get(w), get(&w[3..])), out);
    }
    fn isotropy_dim(_: &Twist<S>) -> usize {
        2
    }
    fn isotropy(y: &Twist<S>, i: usize, out: &mut Twist<S>) {
        let axis = unit(y.linear);
        if i == 0 {
            *out = Twist::new(Vec3::zero(), axis);
            return;
        }
        let across = y.angular - axis.times(axis.dot(y.angular));
        let scale = reciprocal_root(y.linear.norm_squared() + across.norm_squared());
        *out = Twist::new(y.linear.times(scale), across.times(scale));
    }
}

/// `gamma(u, v)(q, w) = (u × q, u × w + v × q)`. The isotropy of `(q, w)` is spanned by `(0, q)`
/// and `(q, w)`.
impl<S: Real> Isotropy for TangentSphere<S> {
    fn ambient(_: &Link<S>) -> usize {
        6
    }
    fn read(y: &Link<S>, out: &mut [S]) {
        put(out, y.q);
        put(&mut out[3..], y.omega);
    }
    fn write(x: &[S], y: &mut Link<S>) {
        *y = Link::new(get(x), get(&x[3..]));
    }
    fn velocity(u: &Twist<S>, y: &Link<S>, out: &mut [S]) {
        put(out, u.angular.cross(y.q));
        put(&mut out[3..], u.angular.cross(y.omega) + u.linear.cross(y.q));
    }
    fn linear(u: &Twist<S>, _: &Link<S>, w: &[S], out: &mut [S]) {
        Self::velocity(u, &Link::new(get(w), get(&w[3..])), out);
    }
    fn isotropy_dim(_: &Link<S>) -> usize {
        2
    }
    fn isotropy(y: &Link<S>, i: usize, out: &mut Twist<S>) {
        let q = unit(y.q);
        if i == 0 {
            *out = Twist::new(Vec3::zero(), q);
            return;
        }
        let across = y.omega - q.times(q.dot(y.omega));
        let scale = reciprocal_root(y.q.norm_squared() + across.norm_squared());
        *out = Twist::new(y.q.times(scale), across.times(scale));
    }
}

/// `gamma(u, a)(q, w) = (u × q, a)`. The isotropy of `(q, w)` is the line of `(q, 0)`.
impl<S: Real> Isotropy for Lifted<S> {
    fn ambient(_: &Link<S>) -> usize {
        6
    }
    fn read(y: &Link<S>, out: &mut [S]) {
        TangentSphere::read(y, out);
    }
    fn write(x: &[S], y: &mut Link<S>) {
        TangentSphere::write(x, y);
    }
    fn velocity((u, a): &(Vec3<S>, Rn<S, 3>), y: &Link<S>, out: &mut [S]) {
        put(out, u.cross(y.q));
        out[3..6].copy_from_slice(&a.0);
    }
    fn linear((u, _): &(Vec3<S>, Rn<S, 3>), _: &Link<S>, w: &[S], out: &mut [S]) {
        put(out, u.cross(get(w)));
        put(&mut out[3..], Vec3::zero());
    }
    fn isotropy_dim(_: &Link<S>) -> usize {
        1
    }
    fn isotropy(y: &Link<S>, _: usize, out: &mut (Vec3<S>, Rn<S, 3>)) {
        *out = (unit(y.q), Rn::zero());
    }
}

#[cfg(test)]
mod tests {
    use super::super::dot;
    use super::*;
    use crate::action::Action;
    use crate::group::LieAlgebra;

    /// Basis orthonormal, and its velocities zero; velocities and their derivatives by differences
    /// of the action.
    fn check<A: Isotropy>(y: &A::Point, u: &super::super::Algebra<A>)
    where
        A::Group: LieGroup<Algebra: LieAlgebra<Scalar = f64>>,
    {
        let n = A::ambient(y);
        let read = |y: &A::Point| {
            let mut x = vec![0.0; n];
            A::read(y, &mut x);
            x
        };
        let r = A::isotropy_dim(y);
        let mut basis = vec![u.zero_like(); r];
        let mut v = vec![0.0; n];
        for i in 0..r {
            A::isotropy(y, i, &mut basis[i]);
            A::velocity(&basis[i], y, &mut v);
            assert!(v.iter().all(|x| x.abs() < 1e-15), "{v:?}");
            for j in 0..=i {
                let want = if i == j { 1.0 } else { 0.0 };
                assert!((basis[i].dot(&basis[j]) - want).abs() < 1e-15);
            }
        }
        let moved = |e: f64, y: &A::Point| {
            let mut eu = u.zero_like();
            eu.assign(e, u);
            let mut out = y.clone();
            A::advance(Chart::Exp, &eu, y, &mut out);
            out
        };
        let e = 1e-4;
        let (ahead, behind) = (read(&moved(e, y)), read(&moved(-e, y)));
        A::velocity(u, y, &mut v);
        for k in 0..n {
            let slope = (ahead[k] - behind[k]) / (2.0 * e);
            assert!((slope - v[k]).abs() < 1e-7, "{k}: {slope} {}", v[k]);
        }
        // Second derivative: gamma(u) along gamma(u)(y).
        let mut w = vec![0.0; n];
        A::linear(u, y, &v, &mut w);
        let here = read(y);
        for k in 0..n {
            let second = (ahead[k] - 2.0 * here[k] + behind[k]) / (e * e);
            assert!((second - w[k]).abs() < 1e-6, "{k}: {second} {}", w[k]);
        }
        let mut copy = moved(0.3, y);
        A::write(&here, &mut copy);
        assert_eq!(read(&copy), here);
        // Without isotropy part the velocity is the same.
        let mut plain = u.clone();
        A::orthogonalise(y, &mut plain);
        let mut same = vec![0.0; n];
        A::velocity(&plain, y, &mut same);
        assert!(v.iter().zip(&same).all(|(a, b)| (a - b).abs() < 1e-15));
        for z in &basis {
            assert!(z.dot(&plain).abs() < 1e-15);
        }
        let gradient: Vec<f64> = (0..n).map(|k| 0.3 + 0.2 * k as f64).collect();
        let mut bends = vec![0.0; r];
        A::linear_slopes(y, u, &v, &gradient, &mut bends);
        for (z, bend) in basis.iter().zip(bends) {
            A::linear(z, y, &v, &mut same);
            assert!((dot(&gradient, &same) - bend).abs() < 1e-15);
        }
        // Slopes against differences along the chart.
        for chart in [Chart::Exp, Chart::Cayley, Chart::SecondKind] {
            let mut end = y.clone();
            A::advance(chart, u, y, &mut end);
            let mut slopes = vec![0.0; r];
            A::slopes(chart, u, y, &end, &gradient, &mut slopes);
            for i in 0..r {
                let value = |e: f64| {
                    let mut z = vec![0.0; r];
                    z[i] = e;
                    let mut shifted = u.clone();
                    A::add_isotropy(y, &z, &mut shifted);
                    let mut out = y.clone();
                    A::advance(chart, &shifted, y, &mut out);
                    dot(&gradient, &read(&out))
                };
                let slope = (value(e) - value(-e)) / (2.0 * e);
                assert!((slope - slopes[i]).abs() < 1e-7, "{chart:?}: {slope} {}", slopes[i]);
            }
        }
    }

    #[test]
    fn every_space_agrees_with_its_action() {
        let (a, b) = (vec3(0.4, -0.7, 0.5), vec3(-0.3, 0.2, 0.6));
        let m = vec3(0.48, -0.6, 0.64) * 1.7;
        check::<Turn<f64>>(&m, &a);
        check::<CoadjointAction<So3<f64>>>(&m, &a);
        check::<CoadjointAction<Se3<f64>>>(&Twist::new(m, b), &Twist::new(a, b));
        let q = vec3(0.48, -0.6, 0.64);
        let link = Link::new(q, q.cross(b));
        check::<TangentSphere<f64>>(&link, &Twist::new(a, b));
        check::<Lifted<f64>>(&link, &(a, Rn([0.1, 0.2, -0.3])));
        check::<(Turn<f64>, TangentSphere<f64>)>(&(m, link), &(b, Twist::new(a, b)));
        check::<[Turn<f64>; 3]>(&[m, q, a], &[a, b, q]);
        check::<Vec<Turn<f64>>>(&vec![m, q, a], &vec![a, b, q]);
    }

    #[test]
    fn points_without_a_direction_give_zero_and_no_nan() {
        let zero = Vec3::<f64>::zero();
        let mut out = vec3(1.0, 2.0, 3.0);
        Turn::isotropy(&zero, 0, &mut out);
        assert_eq!(out, zero);
        let mut out = Twist::new(zero, zero);
        for i in 0..2 {
            CoadjointAction::<Se3<f64>>::isotropy(&Twist::new(zero, zero), i, &mut out);
            assert_eq!((out.angular, out.linear), (zero, zero));
        }
        let mut out = vec3(1.0, 2.0, 3.0);
        assert_eq!(Turn::align(&zero, &[0.0; 3], &[1.0; 3], &mut out), 1);
        assert_eq!(out, vec3(1.0, 2.0, 3.0));
        let _ = Turn::<f64>::act;
    }
}
