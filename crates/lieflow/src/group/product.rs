//! Direct products: pairs `(A, B)`, arrays `[A; N]` and vectors `Vec<A>`, component by component.
//!
//! The two factors of a product must have the same number of components where that is only known
//! at run time; problems check this when they are built.
use super::each::{self, Domain, Pull};
use super::{Coadjoint, LieAlgebra, LieGroup, ScalarOf};
use crate::chart::{Chart, OutOfChart};
use lieflow_kernel::Real;
use lieflow_kernel::wide::{run_scalar, run_vectorised};

/// Zero of two algebras that have one shape each.
fn both_zero<A: LieAlgebra, B: LieAlgebra<Scalar = A::Scalar>>() -> (A, B) {
    match (A::ZERO, B::ZERO) {
        (Some(a), Some(b)) => (a(), b()),
        _ => unreachable!("asked before"),
    }
}

impl<A: LieAlgebra, B: LieAlgebra<Scalar = A::Scalar>> LieAlgebra for (A, B) {
    type Scalar = A::Scalar;
    const ZERO: Option<fn() -> Self> = match (A::ZERO, B::ZERO) {
        (Some(_), Some(_)) => Some(both_zero),
        _ => None,
    };
    #[inline(always)]
    fn dim(&self) -> usize {
        self.0.dim() + self.1.dim()
    }
    #[inline(always)]
    fn coord(&self, i: usize) -> A::Scalar {
        let n = self.0.dim();
        if i < n { self.0.coord(i) } else { self.1.coord(i - n) }
    }
    #[inline(always)]
    fn set_coord(&mut self, i: usize, value: A::Scalar) {
        let n = self.0.dim();
        if i < n { self.0.set_coord(i, value) } else { self.1.set_coord(i - n, value) }
    }
    #[inline(always)]
    fn zero_like(&self) -> Self {
        (self.0.zero_like(), self.1.zero_like())
    }
    #[inline(always)]
    fn assign(&mut self, a: f64, x: &Self) {
        self.0.assign(a, &x.0);
        self.1.assign(a, &x.1);
    }
    #[inline(always)]
    fn axpy(&mut self, a: f64, x: &Self) {
        self.0.axpy(a, &x.0);
        self.1.axpy(a, &x.1);
    }
    #[inline(always)]
    fn bracket(&self, x: &Self) -> Self {
        (self.0.bracket(&x.0), self.1.bracket(&x.1))
    }
    #[inline(always)]
    fn axpy_bracket(&mut self, a: f64, x: &Self, y: &Self) {
        self.0.axpy_bracket(a, &x.0, &y.0);
        self.1.axpy_bracket(a, &x.1, &y.1);
    }
    #[inline(always)]
    fn dot(&self, x: &Self) -> A::Scalar {
        self.0.dot(&x.0) + self.1.dot(&x.1)
    }
    #[inline(always)]
    fn finite(&self) -> bool {
        self.0.finite() && self.1.finite()
    }
    #[inline(always)]
    fn squares(&self) -> A::Scalar {
        self.0.squares() + self.1.squares()
    }
    fn norm_squared(&self) -> f64 {
        self.0.norm_squared() + self.1.norm_squared()
    }
}

impl<G: LieGroup, H: LieGroup> LieGroup for (G, H)
where
    H::Algebra: LieAlgebra<Scalar = <G::Algebra as LieAlgebra>::Scalar>,
{
    type Algebra = (G::Algebra, H::Algebra);
    const HAS_CAYLEY: bool = G::HAS_CAYLEY && H::HAS_CAYLEY;
    const SHIFTS: bool = G::SHIFTS && H::SHIFTS;

    fn shift(&self, g: &Self, out: &mut Self) {
        self.0.shift(&g.0, &mut out.0);
        self.1.shift(&g.1, &mut out.1);
    }
    #[inline(always)]
    fn identity(u: &Self::Algebra) -> Self {
        (G::identity(&u.0), H::identity(&u.1))
    }
    #[inline(always)]
    fn compose(&self, g: &Self) -> Self {
        (self.0.compose(&g.0), self.1.compose(&g.1))
    }
    #[inline(always)]
    fn inverse(&self) -> Self {
        (self.0.inverse(), self.1.inverse())
    }
    #[inline(always)]
    fn exp(u: &Self::Algebra) -> Self {
        (G::exp(&u.0), H::exp(&u.1))
    }
    #[inline]
    fn log(&self) -> Self::Algebra {
        (self.0.log(), self.1.log())
    }
    #[inline(always)]
    fn adjoint(&self, v: &Self::Algebra) -> Self::Algebra {
        (self.0.adjoint(&v.0), self.1.adjoint(&v.1))
    }
    #[inline(always)]
    fn dexp(u: &Self::Algebra, v: &Self::Algebra) -> Self::Algebra {
        (G::dexp(&u.0, &v.0), H::dexp(&u.1, &v.1))
    }
    #[inline(always)]
    fn dexpinv(u: &Self::Algebra, v: &Self::Algebra) -> Self::Algebra {
        (G::dexpinv(&u.0, &v.0), H::dexpinv(&u.1, &v.1))
    }
    #[inline(always)]
    fn cay(u: &Self::Algebra) -> Self {
        (G::cay(&u.0), H::cay(&u.1))
    }
    #[inline(always)]
    fn dcayinv(u: &Self::Algebra, v: &Self::Algebra) -> Self::Algebra {
        (G::dcayinv(&u.0, &v.0), H::dcayinv(&u.1, &v.1))
    }
    #[inline(always)]
    fn map(chart: Chart, u: &Self::Algebra) -> Self {
        (G::map(chart, &u.0), H::map(chart, &u.1))
    }
    #[inline(always)]
    fn pull(chart: Chart, u: &Self::Algebra, v: &mut Self::Algebra) {
        G::pull(chart, &u.0, &mut v.0);
        H::pull(chart, &u.1, &mut v.1);
    }
    #[inline(always)]
    fn push(chart: Chart, u: &Self::Algebra, v: &mut Self::Algebra) {
        G::push(chart, &u.0, &mut v.0);
        H::push(chart, &u.1, &mut v.1);
    }
    #[inline(always)]
    fn domain(chart: Chart, u: &Self::Algebra) -> Result<(), OutOfChart> {
        G::domain(chart, &u.0)?;
        H::domain(chart, &u.1)
    }
}

impl<G: Coadjoint, H: Coadjoint> Coadjoint for (G, H)
where
    H::Algebra: LieAlgebra<Scalar = <G::Algebra as LieAlgebra>::Scalar>,
{
    #[inline(always)]
    fn adjoint_transpose(&self, m: &Self::Algebra) -> Self::Algebra {
        (self.0.adjoint_transpose(&m.0), self.1.adjoint_transpose(&m.1))
    }
    #[inline(always)]
    fn ad_transpose(u: &Self::Algebra, m: &Self::Algebra) -> Self::Algebra {
        (G::ad_transpose(&u.0, &m.0), H::ad_transpose(&u.1, &m.1))
    }
    #[inline(always)]
    fn dexp_transpose(u: &Self::Algebra, m: &Self::Algebra) -> Self::Algebra {
        (G::dexp_transpose(&u.0, &m.0), H::dexp_transpose(&u.1, &m.1))
    }
    #[inline(always)]
    fn dexpinv_transpose(u: &Self::Algebra, m: &Self::Algebra) -> Self::Algebra {
        (G::dexpinv_transpose(&u.0, &m.0), H::dexpinv_transpose(&u.1, &m.1))
    }
}

/// The algebra of a power, for both lengths known and unknown to the compiler.
macro_rules! power_algebra {
    ([$($generics:tt)*] $power:ty, $like:expr, $bracket:expr, $combine:path) => {
        impl<$($generics)*> LieAlgebra for $power {
            type Scalar = A::Scalar;
            #[inline]
            fn dim(&self) -> usize {
                self.iter().map(A::dim).sum()
            }
            #[inline]
            fn coord(&self, i: usize) -> A::Scalar {
                let n = self[0].dim();
                self[i / n].coord(i % n)
            }
            #[inline]
            fn set_coord(&mut self, i: usize, value: A::Scalar) {
                let n = self[0].dim();
                self[i / n].set_coord(i % n, value);
            }
            #[inline(always)]
            fn zero_like(&self) -> Self {
                $like(self)
            }
            #[inline(always)]
            fn assign(&mut self, a: f64, x: &Self) {
                for (p, q) in self.iter_mut().zip(x) {
                    p.assign(a, q);
                }
            }
            #[inline(always)]
            fn axpy(&mut self, a: f64, x: &Self) {
                for (p, q) in self.iter_mut().zip(x) {
                    p.axpy(a, q);
                }
            }
            #[inline(always)]
            fn bracket(&self, x: &Self) -> Self {
                $bracket(self, x)
            }
            #[inline(always)]
            fn axpy_bracket(&mut self, a: f64, x: &Self, y: &Self) {
                for (p, (x, y)) in self.iter_mut().zip(x.iter().zip(y)) {
                    p.axpy_bracket(a, x, y);
                }
            }
            #[inline(always)]
            fn combine(&mut self, h: f64, weights: &[f64], k: &[Self]) {
                $combine(self, h, weights, k);
            }
            #[inline(always)]
            fn dot(&self, x: &Self) -> A::Scalar {
                let mut sum = A::Scalar::zero();
                for (p, q) in self.iter().zip(x) {
                    sum += p.dot(q);
                }
                sum
            }
            #[inline(always)]
            fn finite(&self) -> bool {
                self.iter().all(A::finite)
            }
            #[inline(always)]
            fn squares(&self) -> A::Scalar {
                let mut sum = A::Scalar::zero();
                for x in self {
                    sum += x.squares();
                }
                sum
            }
            fn norm_squared(&self) -> f64 {
                self.iter().map(A::norm_squared).sum()
            }
        }
    };
}
power_algebra!([A: LieAlgebra, const N: usize] [A; N],
    |s: &[A; N]| core::array::from_fn(|i| s[i].zero_like()),
    |s: &[A; N], x: &[A; N]| core::array::from_fn(|i| s[i].bracket(&x[i])),
    super::combine_by_terms);
power_algebra!([A: LieAlgebra] Vec<A>,
    |s: &Vec<A>| s.iter().map(A::zero_like).collect(),
    |s: &Vec<A>, x: &Vec<A>| s.iter().zip(x).map(|(a, b)| a.bracket(b)).collect(),
    each::combine);

/// The group of a power. `$each!(|i| …)` builds the product from its components.
macro_rules! power_group {
    ([$($generics:tt)*] $power:ty, $algebra:ty, $one:ident, $two:ident, $all:ident) => {
        impl<$($generics)*> LieGroup for $power {
            type Algebra = $algebra;
            const HAS_CAYLEY: bool = G::HAS_CAYLEY;
            const SHIFTS: bool = G::SHIFTS;

            fn shift(&self, g: &Self, out: &mut Self) {
                for ((a, g), out) in self.iter().zip(g).zip(out) {
                    a.shift(g, out);
                }
            }
            #[inline(always)]
            fn identity(u: &Self::Algebra) -> Self {
                $one(u, G::identity)
            }
            #[inline(always)]
            fn compose(&self, g: &Self) -> Self {
                $two(self, g, G::compose)
            }
            #[inline(always)]
            fn inverse(&self) -> Self {
                $one(self, G::inverse)
            }
            #[inline(always)]
            fn exp(u: &Self::Algebra) -> Self {
                $one(u, G::exp)
            }
            #[inline]
            fn log(&self) -> Self::Algebra {
                $one(self, G::log)
            }
            #[inline(always)]
            fn adjoint(&self, v: &Self::Algebra) -> Self::Algebra {
                $two(self, v, G::adjoint)
            }
            #[inline(always)]
            fn dexp(u: &Self::Algebra, v: &Self::Algebra) -> Self::Algebra {
                $two(u, v, G::dexp)
            }
            #[inline(always)]
            fn dexpinv(u: &Self::Algebra, v: &Self::Algebra) -> Self::Algebra {
                $two(u, v, G::dexpinv)
            }
            #[inline(always)]
            fn cay(u: &Self::Algebra) -> Self {
                $one(u, G::cay)
            }
            #[inline(always)]
            fn dcayinv(u: &Self::Algebra, v: &Self::Algebra) -> Self::Algebra {
                $two(u, v, G::dcayinv)
            }
            #[inline(always)]
            fn map(chart: Chart, u: &Self::Algebra) -> Self {
                $one(u, |u| G::map(chart, u))
            }
            #[inline(always)]
            fn pull(chart: Chart, u: &Self::Algebra, v: &mut Self::Algebra) {
                $all::<ScalarOf<G>, _>(Pull::<G> { chart, u, v });
            }
            #[inline(always)]
            fn push(chart: Chart, u: &Self::Algebra, v: &mut Self::Algebra) {
                for (p, q) in u.iter().zip(v) {
                    G::push(chart, p, q);
                }
            }
            #[inline(always)]
            fn domain(chart: Chart, u: &Self::Algebra) -> Result<(), OutOfChart> {
                $all::<ScalarOf<G>, _>(Domain::<G> { chart, u })
            }
        }
    };
}

#[inline(always)]
fn array_one<A, B, const N: usize>(a: &[A; N], f: impl Fn(&A) -> B) -> [B; N] {
    core::array::from_fn(|i| f(&a[i]))
}
#[inline(always)]
fn array_two<A, B, C, const N: usize>(a: &[A; N], b: &[B; N], f: impl Fn(&A, &B) -> C) -> [C; N] {
    core::array::from_fn(|i| f(&a[i], &b[i]))
}
#[inline(always)]
fn vec_one<A, B>(a: &[A], f: impl Fn(&A) -> B) -> Vec<B> {
    a.iter().map(f).collect()
}
#[inline(always)]
fn vec_two<A, B, C>(a: &[A], b: &[B], f: impl Fn(&A, &B) -> C) -> Vec<C> {
    debug_assert_eq!(a.len(), b.len(), "the factors of a product must match");
    a.iter().zip(b).map(|(a, b)| f(a, b)).collect()
}

power_group!([G: LieGroup, const N: usize] [G; N], [G::Algebra; N], array_one, array_two, run_scalar);
power_group!([G: LieGroup] Vec<G>, Vec<G::Algebra>, vec_one, vec_two, run_vectorised);

macro_rules! power_coadjoint {
    ([$($generics:tt)*] $power:ty, $two:ident) => {
        impl<$($generics)*> Coadjoint for $power {
            #[inline(always)]
            fn adjoint_transpose(&self, m: &Self::Algebra) -> Self::Algebra {
                $two(self, m, G::adjoint_transpose)
            }
            #[inline(always)]
            fn ad_transpose(u: &Self::Algebra, m: &Self::Algebra) -> Self::Algebra {
                $two(u, m, G::ad_transpose)
            }
            #[inline(always)]
            fn dexp_transpose(u: &Self::Algebra, m: &Self::Algebra) -> Self::Algebra {
                $two(u, m, G::dexp_transpose)
            }
            #[inline(always)]
            fn dexpinv_transpose(u: &Self::Algebra, m: &Self::Algebra) -> Self::Algebra {
                $two(u, m, G::dexpinv_transpose)
            }
        }
    };
}
power_coadjoint!([G: Coadjoint, const N: usize] [G; N], array_two);
power_coadjoint!([G: Coadjoint] Vec<G>, vec_two);
