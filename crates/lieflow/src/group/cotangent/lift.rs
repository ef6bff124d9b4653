//! What a group must offer for its cotangent bundle to be a group with exact differentials.
use crate::group::Twist;
use crate::group::{AlgebraOf, Coadjoint, LieAlgebra, LieGroup, Rn, ScalarOf, Se3, Skew, So3, Son};
use lieflow_kernel::{Dual, Real, Vec3, se3, so3};

/// A group whose cotangent bundle is used as a group, [`Cotangent`](super::Cotangent).
///
/// Nothing has to be written: `impl CotangentLift for MyGroup {}` takes the series below.
pub trait CotangentLift: Coadjoint {
    /// Whether T*G has a Cayley map: where Cayley's map of `G` is that of a matrix group in which
    /// momenta are vectors, as for SO(3).
    const HAS_COTANGENT_CAYLEY: bool = false;

    /// The derivative of `dexp_u^T m` when `u` moves in the direction `v`.
    ///
    /// This default sums the series of `ad^T`, with an error of about `1e-16 exp(|ad_u|)`; the
    /// groups of this crate have exact forms.
    fn dexp_transpose_slope(
        u: &AlgebraOf<Self>,
        v: &AlgebraOf<Self>,
        m: &AlgebraOf<Self>,
    ) -> AlgebraOf<Self> {
        // With P_k = (ad_u^T)^k m, the derivatives obey D_k = ad_u^T D_{k-1} + ad_v^T P_{k-1}.
        let mut power = m.clone();
        let mut slope = m.zero_like();
        let mut sum = m.zero_like();
        // Enough for |ad_u| up to 2 pi.
        for k in 1..26 + 2 * ScalarOf::<Self>::SERIES_TERMS {
            slope = Self::ad_transpose(u, &slope);
            slope.axpy(1.0, &Self::ad_transpose(v, &power));
            power = Self::ad_transpose(u, &power);
            let weight = ScalarOf::<Self>::inverse_factorial(k + 1);
            for i in 0..sum.dim() {
                sum.set_coord(i, sum.coord(i) + slope.coord(i) * weight);
            }
        }
        sum
    }
    /// The momentum part of Cayley's map of T*G at `(u, n)`. Without a Cayley map this is never
    /// called; it then belongs to the exponential.
    fn cotangent_cay(u: &AlgebraOf<Self>, n: &AlgebraOf<Self>) -> AlgebraOf<Self> {
        Self::dexp_transpose(&super::minus(u), n)
    }
    /// The momentum part of the inverse differential of Cayley's map at the first argument, applied
    /// to the second; each is a pair (velocity, momentum). Without a Cayley map see above.
    fn cotangent_dcayinv(
        (u, n): (&AlgebraOf<Self>, &AlgebraOf<Self>),
        (v, k): (&AlgebraOf<Self>, &AlgebraOf<Self>),
    ) -> AlgebraOf<Self> {
        let at = super::CotangentAlgebra::<Self>::new(u.clone(), n.clone());
        let of = super::CotangentAlgebra::<Self>::new(v.clone(), k.clone());
        super::Cotangent::dexpinv(&at, &of).momentum
    }
}

impl<S: Real> CotangentLift for So3<S> {
    const HAS_COTANGENT_CAYLEY: bool = true;
    // dexp_u^T = dexp_{-u}, and se(3) is so(3) over dual numbers.
    #[inline(always)]
    fn dexp_transpose_slope(u: &Vec3<S>, v: &Vec3<S>, m: &Vec3<S>) -> Vec3<S> {
        se3::dexp(-*u, -*v, *m, Vec3::zero()).1
    }
    #[inline(always)]
    fn cotangent_cay(u: &Vec3<S>, n: &Vec3<S>) -> Vec3<S> {
        so3::half_resolvent(*u, *n)
    }
    #[inline(always)]
    fn cotangent_dcayinv((u, n): (&Vec3<S>, &Vec3<S>), (v, k): (&Vec3<S>, &Vec3<S>)) -> Vec3<S> {
        se3::dcayinv(*u, *n, *v, *k).1
    }
}

impl<S: Real> CotangentLift for Se3<S> {
    // By dual numbers: the closed form of the second derivative would fill a page.
    fn dexp_transpose_slope(u: &Twist<S>, v: &Twist<S>, m: &Twist<S>) -> Twist<S> {
        let along = |u: Vec3<S>, v: Vec3<S>| {
            let x = |re, eps| Dual::<S, 1> { re, eps: [eps] };
            Vec3::from([x(u.x, v.x), x(u.y, v.y), x(u.z, v.z)])
        };
        let zero = Vec3::zero();
        let slope = |v: Vec3<Dual<S, 1>>| Vec3::from([v.x.eps[0], v.y.eps[0], v.z.eps[0]]);
        let (angular, linear) = se3::dexp_transpose(
            along(u.angular, v.angular),
            along(u.linear, v.linear),
            along(m.angular, zero),
            along(m.linear, zero),
        );
        Twist::new(slope(angular), slope(linear))
    }
}

impl<S: Real, const N: usize> CotangentLift for Son<S, N> {
    fn dexp_transpose_slope(u: &Skew<S, N>, v: &Skew<S, N>, m: &Skew<S, N>) -> Skew<S, N> {
        let mut at = Skew::<Dual<S, 1>, N>::zero();
        let mut of = Skew::<Dual<S, 1>, N>::zero();
        for i in 0..u.dim() {
            at.set_coord(i, Dual { re: u.coord(i), eps: [v.coord(i)] });
            of.set_coord(i, Dual::constant(m.coord(i)));
        }
        let moved = Son::dexp_transpose(&at, &of);
        let mut slope = Skew::zero();
        for i in 0..u.dim() {
            slope.set_coord(i, moved.coord(i).eps[0]);
        }
        slope
    }
}

impl<S: Real, const N: usize> CotangentLift for Rn<S, N> {
    const HAS_COTANGENT_CAYLEY: bool = true;
    #[inline(always)]
    fn dexp_transpose_slope(_: &Self, _: &Self, _: &Self) -> Self {
        Self::zero()
    }
    #[inline(always)]
    fn cotangent_cay(_: &Self, n: &Self) -> Self {
        *n
    }
    #[inline(always)]
    fn cotangent_dcayinv(_: (&Self, &Self), (_, k): (&Self, &Self)) -> Self {
        *k
    }
}

impl<G: CotangentLift, H: CotangentLift> CotangentLift for (G, H)
where
    H::Algebra: LieAlgebra<Scalar = ScalarOf<G>>,
{
    const HAS_COTANGENT_CAYLEY: bool = G::HAS_COTANGENT_CAYLEY && H::HAS_COTANGENT_CAYLEY;
    fn dexp_transpose_slope(
        u: &Self::Algebra,
        v: &Self::Algebra,
        m: &Self::Algebra,
    ) -> Self::Algebra {
        (G::dexp_transpose_slope(&u.0, &v.0, &m.0), H::dexp_transpose_slope(&u.1, &v.1, &m.1))
    }
    fn cotangent_cay(u: &Self::Algebra, n: &Self::Algebra) -> Self::Algebra {
        (G::cotangent_cay(&u.0, &n.0), H::cotangent_cay(&u.1, &n.1))
    }
    fn cotangent_dcayinv(
        (u, n): (&Self::Algebra, &Self::Algebra),
        (v, k): (&Self::Algebra, &Self::Algebra),
    ) -> Self::Algebra {
        (
            G::cotangent_dcayinv((&u.0, &n.0), (&v.0, &k.0)),
            H::cotangent_dcayinv((&u.1, &n.1), (&v.1, &k.1)),
        )
    }
}

/// Powers, for both lengths known and unknown to the compiler.
macro_rules! power {
    ([$($generics:tt)*] $power:ty, $algebra:ty, $build:expr) => {
        impl<$($generics)*> CotangentLift for $power {
            const HAS_COTANGENT_CAYLEY: bool = G::HAS_COTANGENT_CAYLEY;
            fn dexp_transpose_slope(u: &$algebra, v: &$algebra, m: &$algebra) -> $algebra {
                $build(u, |i: usize| G::dexp_transpose_slope(&u[i], &v[i], &m[i]))
            }
            fn cotangent_cay(u: &$algebra, n: &$algebra) -> $algebra {
                $build(u, |i: usize| G::cotangent_cay(&u[i], &n[i]))
            }
            fn cotangent_dcayinv(
                (u, n): (&$algebra, &$algebra),
                (v, k): (&$algebra, &$algebra),
            ) -> $algebra {
                $build(u, |i: usize| G::cotangent_dcayinv((&u[i], &n[i]), (&v[i], &k[i])))
            }
        }
    };
}
fn array<A, const N: usize>(_: &[A; N], f: impl Fn(usize) -> A) -> [A; N] {
    core::array::from_fn(f)
}
fn vector<A>(like: &[A], f: impl Fn(usize) -> A) -> Vec<A> {
    (0..like.len()).map(f).collect()
}
power!([G: CotangentLift, const N: usize] [G; N], [G::Algebra; N], array);
power!([G: CotangentLift] Vec<G>, Vec<G::Algebra>, vector);
