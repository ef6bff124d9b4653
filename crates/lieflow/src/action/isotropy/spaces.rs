//! The isotropy of the actions on vectors, on momenta and on TS², in closed form.
use super::{Isotropy, NOISE, TINY};
use crate::action::{CoadjointAction, Embedded, Lifted, Link, TangentSphere, Turn};
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
                let square = y.norm_squared();
                let moves = (out.norm_squared() * square * NOISE).lt(x.norm_squared());
                let across = y.cross(x).times(reciprocal(square));
                *out = Vec3::select(moves, across, Vec3::zero());
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

/// The six numbers of a link, whatever acts on it.
macro_rules! numbers_of_links {
    () => {
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
    };
}

/// `gamma(u, v)(q, w) = (u × q, u × w + v × q)`. The isotropy of `(q, w)` is spanned by `(0, q)`
/// and `(q, w)`.
impl<S: Real> Isotropy for TangentSphere<S> {
    numbers_of_links!();
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
    numbers_of_links!();
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

/// `gamma(a)(q, w) = a`: translations leave no point where it is.
impl<S: Real> Isotropy for Embedded<S> {
    numbers_of_links!();
    fn velocity(u: &Rn<S, 6>, _: &Link<S>, out: &mut [S]) {
        out.copy_from_slice(&u.0);
    }
    fn linear(_: &Rn<S, 6>, _: &Link<S>, _: &[S], out: &mut [S]) {
        out.fill(S::zero());
    }
    fn isotropy_dim(_: &Link<S>) -> usize {
        0
    }
    fn isotropy(_: &Link<S>, _: usize, out: &mut Rn<S, 6>) {
        *out = Rn::zero();
    }
}
