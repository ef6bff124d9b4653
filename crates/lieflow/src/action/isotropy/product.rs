//! Products, factor by factor: the isotropy algebra of a product is the product of those of its
//! factors.
use super::{Algebra, Isotropy, Scalar};
use crate::chart::Chart;
use crate::group::{LieAlgebra, LieGroup, ScalarOf};

impl<A: Isotropy, B: Isotropy> Isotropy for (A, B)
where
    <B::Group as LieGroup>::Algebra: LieAlgebra<Scalar = ScalarOf<A::Group>>,
{
    fn ambient(y: &Self::Point) -> usize {
        A::ambient(&y.0) + B::ambient(&y.1)
    }
    fn read(y: &Self::Point, out: &mut [Scalar<A>]) {
        let (a, b) = out.split_at_mut(A::ambient(&y.0));
        A::read(&y.0, a);
        B::read(&y.1, b);
    }
    fn write(x: &[Scalar<A>], y: &mut Self::Point) {
        let (a, b) = x.split_at(A::ambient(&y.0));
        A::write(a, &mut y.0);
        B::write(b, &mut y.1);
    }
    fn velocity(u: &Algebra<Self>, y: &Self::Point, out: &mut [Scalar<A>]) {
        let (a, b) = out.split_at_mut(A::ambient(&y.0));
        A::velocity(&u.0, &y.0, a);
        B::velocity(&u.1, &y.1, b);
    }
    fn linear(u: &Algebra<Self>, y: &Self::Point, w: &[Scalar<A>], out: &mut [Scalar<A>]) {
        let n = A::ambient(&y.0);
        let ((wa, wb), (a, b)) = (w.split_at(n), out.split_at_mut(n));
        A::linear(&u.0, &y.0, wa, a);
        B::linear(&u.1, &y.1, wb, b);
    }
    fn isotropy_dim(y: &Self::Point) -> usize {
        A::isotropy_dim(&y.0) + B::isotropy_dim(&y.1)
    }
    fn isotropy(y: &Self::Point, i: usize, out: &mut Algebra<Self>) {
        let r = A::isotropy_dim(&y.0);
        if i < r {
            A::isotropy(&y.0, i, &mut out.0);
            out.1 = out.1.zero_like();
        } else {
            out.0 = out.0.zero_like();
            B::isotropy(&y.1, i - r, &mut out.1);
        }
    }
    fn add_isotropy(y: &Self::Point, z: &[Scalar<A>], out: &mut Algebra<Self>) {
        let (a, b) = z.split_at(A::isotropy_dim(&y.0));
        A::add_isotropy(&y.0, a, &mut out.0);
        B::add_isotropy(&y.1, b, &mut out.1);
    }
    fn orthogonalise(y: &Self::Point, out: &mut Algebra<Self>) {
        A::orthogonalise(&y.0, &mut out.0);
        B::orthogonalise(&y.1, &mut out.1);
    }
    fn align(y: &Self::Point, x: &[Scalar<A>], b: &[Scalar<A>], out: &mut Algebra<Self>) -> usize {
        let n = A::ambient(&y.0);
        let ((xa, xb), (ba, bb)) = (x.split_at(n), b.split_at(n));
        A::align(&y.0, xa, ba, &mut out.0) + B::align(&y.1, xb, bb, &mut out.1)
    }
    fn slopes(
        chart: Chart,
        u: &Algebra<Self>,
        y: &Self::Point,
        end: &Self::Point,
        gradient: &[Scalar<A>],
        out: &mut [Scalar<A>],
    ) {
        let (ga, gb) = gradient.split_at(A::ambient(&y.0));
        let (a, b) = out.split_at_mut(A::isotropy_dim(&y.0));
        A::slopes(chart, &u.0, &y.0, &end.0, ga, a);
        B::slopes(chart, &u.1, &y.1, &end.1, gb, b);
    }
    fn linear_slopes(
        y: &Self::Point,
        like: &Algebra<Self>,
        x: &[Scalar<A>],
        gradient: &[Scalar<A>],
        out: &mut [Scalar<A>],
    ) {
        let n = A::ambient(&y.0);
        let ((xa, xb), (ga, gb)) = (x.split_at(n), gradient.split_at(n));
        let (a, b) = out.split_at_mut(A::isotropy_dim(&y.0));
        A::linear_slopes(&y.0, &like.0, xa, ga, a);
        B::linear_slopes(&y.1, &like.1, xb, gb, b);
    }
}

/// The same for powers, of length known or unknown to the compiler.
macro_rules! power {
    ([$($generics:tt)*] $power:ty) => {
        impl<$($generics)*> Isotropy for $power {
            fn ambient(y: &Self::Point) -> usize {
                y.iter().map(A::ambient).sum()
            }
            fn read(y: &Self::Point, out: &mut [Scalar<A>]) {
                let mut at = 0;
                for y in y {
                    let n = A::ambient(y);
                    A::read(y, &mut out[at..at + n]);
                    at += n;
                }
            }
            fn write(x: &[Scalar<A>], y: &mut Self::Point) {
                let mut at = 0;
                for y in y {
                    let n = A::ambient(y);
                    A::write(&x[at..at + n], y);
                    at += n;
                }
            }
            fn velocity(u: &Algebra<Self>, y: &Self::Point, out: &mut [Scalar<A>]) {
                let mut at = 0;
                for (u, y) in u.iter().zip(y) {
                    let n = A::ambient(y);
                    A::velocity(u, y, &mut out[at..at + n]);
                    at += n;
                }
            }
            fn linear(
                u: &Algebra<Self>,
                y: &Self::Point,
                w: &[Scalar<A>],
                out: &mut [Scalar<A>],
            ) {
                let mut at = 0;
                for (u, y) in u.iter().zip(y) {
                    let n = A::ambient(y);
                    A::linear(u, y, &w[at..at + n], &mut out[at..at + n]);
                    at += n;
                }
            }
            fn isotropy_dim(y: &Self::Point) -> usize {
                y.iter().map(A::isotropy_dim).sum()
            }
            fn isotropy(y: &Self::Point, i: usize, out: &mut Algebra<Self>) {
                let mut at = 0;
                for (y, out) in y.iter().zip(out) {
                    let r = A::isotropy_dim(y);
                    if (at..at + r).contains(&i) {
                        A::isotropy(y, i - at, out);
                    } else {
                        *out = out.zero_like();
                    }
                    at += r;
                }
            }
            fn add_isotropy(y: &Self::Point, z: &[Scalar<A>], out: &mut Algebra<Self>) {
                let mut at = 0;
                for (y, out) in y.iter().zip(out) {
                    let r = A::isotropy_dim(y);
                    A::add_isotropy(y, &z[at..at + r], out);
                    at += r;
                }
            }
            fn orthogonalise(y: &Self::Point, out: &mut Algebra<Self>) {
                for (y, out) in y.iter().zip(out) {
                    A::orthogonalise(y, out);
                }
            }
            fn align(
                y: &Self::Point,
                x: &[Scalar<A>],
                b: &[Scalar<A>],
                out: &mut Algebra<Self>,
            ) -> usize {
                let (mut at, mut skipped) = (0, 0);
                for (y, out) in y.iter().zip(out) {
                    let n = A::ambient(y);
                    skipped += A::align(y, &x[at..at + n], &b[at..at + n], out);
                    at += n;
                }
                skipped
            }
            fn slopes(
                chart: Chart,
                u: &Algebra<Self>,
                y: &Self::Point,
                end: &Self::Point,
                gradient: &[Scalar<A>],
                out: &mut [Scalar<A>],
            ) {
                let (mut at, mut from) = (0, 0);
                for ((u, y), end) in u.iter().zip(y).zip(end) {
                    let (n, r) = (A::ambient(y), A::isotropy_dim(y));
                    let slopes = &mut out[from..from + r];
                    A::slopes(chart, u, y, end, &gradient[at..at + n], slopes);
                    at += n;
                    from += r;
                }
            }
            fn linear_slopes(
                y: &Self::Point,
                like: &Algebra<Self>,
                x: &[Scalar<A>],
                gradient: &[Scalar<A>],
                out: &mut [Scalar<A>],
            ) {
                let (mut at, mut from) = (0, 0);
                for (y, like) in y.iter().zip(like) {
                    let (n, r) = (A::ambient(y), A::isotropy_dim(y));
                    let (x, gradient) = (&x[at..at + n], &gradient[at..at + n]);
                    A::linear_slopes(y, like, x, gradient, &mut out[from..from + r]);
                    at += n;
                    from += r;
                }
            }
        }
    };
}
power!([A: Isotropy, const N: usize] [A; N]);
power!([A: Isotropy] Vec<A>);
