//! Products over any numbers, component by component.
use super::{GroupFamily, NaturalChart, VectorIn};
use lieflow_kernel::Real;

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

#[inline]
fn array_from<X, Y, const N: usize>(_: &[X; N], f: impl Fn(usize) -> Y) -> [Y; N] {
    core::array::from_fn(f)
}
#[inline]
fn vec_from<X, Y>(shape: &[X], f: impl Fn(usize) -> Y) -> Vec<Y> {
    (0..shape.len()).map(f).collect()
}
power_family!([A: GroupFamily, const N: usize] [A; N], T => [A::Over<T>; N], array_from);
power_family!([A: GroupFamily] Vec<A>, T => Vec<A::Over<T>>, vec_from);
