//! Groups over other numbers: lanes have the bits of `f64`, dual numbers give the differentials,
//! double-double numbers give the same with more digits.
use lieflow::action::{
    Action, BodyFrame, BodyState, Lifted, LiftedFrame, Link, TangentSphere, Turn,
};
use lieflow::chart::Chart;
use lieflow::group::{
    AlgebraOf, Cotangent, CotangentAlgebra, LieAlgebra, LieGroup, PlanarTwist, Rn, Se2, Se3, Skew,
    So3, Son, Twist,
};
use lieflow::kernel::DoubleDouble as D;
use lieflow::{Dual, Lanes, Mat3, Real, Vec3};
use lieflow_testing::Draw;

/// A group over any numbers.
trait Family {
    type Over<S: Real>: LieGroup<Algebra: LieAlgebra<Scalar = S>>;
    fn zero<S: Real>() -> AlgebraOf<Self::Over<S>>;
}
macro_rules! family {
    ($name:ident, $s:ident => $group:ty, $zero:expr) => {
        struct $name;
        impl Family for $name {
            type Over<$s: Real> = $group;
            fn zero<$s: Real>() -> AlgebraOf<$group> {
                $zero
            }
        }
    };
}
fn no_twist<S: Real>() -> Twist<S> {
    Twist::new(Vec3::zero(), Vec3::zero())
}
family!(Rotations, S => So3<S>, Vec3::zero());
family!(Motions, S => Se3<S>, no_twist());
family!(PlaneMotions, S => Se2<S>, PlanarTwist::new(S::zero(), [S::zero(); 2]));
family!(Rotations4, S => Son<S, 4>, Skew::zero());
family!(Bundle, S => Cotangent<Se3<S>>, CotangentAlgebra::new(no_twist(), no_twist()));
family!(Bundle4, S => Cotangent<Son<S, 4>>, CotangentAlgebra::new(Skew::zero(), Skew::zero()));
family!(Product, S => (So3<S>, [Se2<S>; 2]),
    (Vec3::zero(), [PlanarTwist::new(S::zero(), [S::zero(); 2]); 2]));

macro_rules! for_families {
    ($check:ident) => {
        $check::<Rotations>();
        $check::<Motions>();
        $check::<PlaneMotions>();
        $check::<Rotations4>();
        $check::<Bundle>();
        $check::<Bundle4>();
        $check::<Product>();
    };
}

/// Coordinates with the given norm.
fn drawn(draw: &mut Draw, n: usize, norm: f64) -> Vec<f64> {
    let list: Vec<f64> = (0..n).map(|_| draw.number()).collect();
    let size = list.iter().map(|x| x * x).sum::<f64>().sqrt();
    list.iter().map(|x| x * norm / size).collect()
}
/// The element with these coordinates.
fn element<F: Family, S: Real>(list: impl Fn(usize) -> S) -> AlgebraOf<F::Over<S>> {
    let mut u = F::zero::<S>();
    for i in 0..u.dim() {
        u.set_coord(i, list(i));
    }
    u
}
fn coordinates<A: LieAlgebra>(u: &A) -> Vec<A::Scalar> {
    (0..u.dim()).map(|i| u.coord(i)).collect()
}
fn charts<G: LieGroup>() -> Vec<Chart> {
    let mut list = vec![Chart::Exp, Chart::ExpSeries { brackets: 5 }, Chart::SecondKind];
    if G::HAS_CAYLEY {
        list.push(Chart::Cayley);
    }
    list
}

/// Numbers from every function of a group. Group elements are seen through their logarithm and
/// their adjoint map.
fn everything<G: LieGroup>(
    u: &AlgebraOf<G>,
    v: &AlgebraOf<G>,
) -> Vec<<G::Algebra as LieAlgebra>::Scalar> {
    let mut out = Vec::new();
    let g = G::exp(u);
    let h = G::exp(v).inverse();
    for x in [
        u.bracket(v),
        g.log(),
        h.log(),
        g.compose(&h).adjoint(v),
        g.adjoint(v),
        G::dexp(u, v),
        G::dexpinv(u, v),
    ] {
        out.extend(coordinates(&x));
    }
    for chart in charts::<G>() {
        let mut small = v.zero_like();
        small.assign(0.3, v);
        out.extend(coordinates(&G::map(chart, &small).adjoint(u)));
        let mut x = u.clone();
        G::pull(chart, &small, &mut x);
        out.extend(coordinates(&x));
    }
    out
}

const NORMS: [f64; 7] = [1e-9, 0.4, 1.5, 3.0, 0.9, 4.5, 1e-3];

fn lanes_agree<F: Family>() {
    let mut draw = Draw(1);
    let d = F::zero::<f64>().dim();
    for round in 0..14 {
        // Norms that need different forms side by side.
        let pack: [(Vec<f64>, Vec<f64>); 4] = std::array::from_fn(|lane| {
            let norm = NORMS[(round + 2 * lane) % NORMS.len()];
            (drawn(&mut draw, d, norm), drawn(&mut draw, d, 1.0))
        });
        let u = element::<F, _>(|i| Lanes(std::array::from_fn(|l| pack[l].0[i])));
        let v = element::<F, _>(|i| Lanes(std::array::from_fn(|l| pack[l].1[i])));
        let packed = everything::<F::Over<Lanes<4>>>(&u, &v);
        for (lane, (a, b)) in pack.iter().enumerate() {
            let (u, v) = (element::<F, f64>(|i| a[i]), element::<F, f64>(|i| b[i]));
            for (k, want) in everything::<F::Over<f64>>(&u, &v).iter().enumerate() {
                // Zero may have either sign; every other number has the same bits.
                assert_eq!(packed[k].0[lane], *want, "number {k}, lane {lane}, round {round}");
                assert!(want.is_finite());
            }
        }
    }
}
#[test]
fn lanes_have_the_bits_of_f64() {
    for_families!(lanes_agree);
}

fn duals_differentiate<F: Family>() {
    type E = Dual<f64, 1>;
    let mut draw = Draw(2);
    let d = F::zero::<f64>().dim();
    for norm in [1e-6, 0.4, 1.0, 2.5] {
        let (a, b) = (drawn(&mut draw, d, norm), drawn(&mut draw, d, 1.0));
        let (u, v) = (element::<F, f64>(|i| a[i]), element::<F, f64>(|i| b[i]));
        let moving = element::<F, E>(|i| Dual { re: a[i], eps: [b[i]] });
        let resting = element::<F, E>(|i| Dual::constant(a[i]));
        for chart in charts::<F::Over<f64>>() {
            if norm > 1.1 && matches!(chart, Chart::SecondKind | Chart::ExpSeries { .. }) {
                continue;
            }
            // d/de phi(u + e v) phi(u)^{-1} = dphi_u v.
            let back = F::Over::<E>::map(chart, &resting).inverse();
            let curve = F::Over::<E>::map(chart, &moving).compose(&back).log();
            let mut want = v.clone();
            F::Over::<f64>::push(chart, &u, &mut want);
            for i in 0..d {
                let gap = (curve.coord(i).eps[0] - want.coord(i)).abs();
                assert!(gap < 1e-13, "{chart:?}, norm {norm}: {gap:e}");
            }
            if !matches!(chart, Chart::ExpSeries { .. }) {
                F::Over::<f64>::pull(chart, &u, &mut want);
                for i in 0..d {
                    let gap = (want.coord(i) - b[i]).abs();
                    assert!(gap < 1e-13, "pull, {chart:?}, norm {norm}: {gap:e}");
                }
            }
        }
    }
}
#[test]
fn dual_numbers_give_the_differentials_of_every_chart() {
    for_families!(duals_differentiate);
}

fn digits_agree<F: Family>() {
    let mut draw = Draw(3);
    let d = F::zero::<f64>().dim();
    for norm in [1e-6, 0.4, 1.0, 2.5] {
        let (a, b) = (drawn(&mut draw, d, norm), drawn(&mut draw, d, 1.0));
        let (u, v) = (element::<F, f64>(|i| a[i]), element::<F, f64>(|i| b[i]));
        let plain = everything::<F::Over<f64>>(&u, &v);
        let (p, q) = (element::<F, D>(|i| a[i].into()), element::<F, D>(|i| b[i].into()));
        let precise = everything::<F::Over<D>>(&p, &q);
        for (k, (x, y)) in plain.iter().zip(&precise).enumerate() {
            let gap = (D::lift(*x) - *y).magnitude() / (1.0 + y.magnitude());
            assert!(gap < 5e-14, "number {k}, norm {norm}: {gap:e}");
        }
        // And the precise ones are precise: dexp and its inverse, exp and log.
        let back = F::Over::<D>::dexpinv(&p, &F::Over::<D>::dexp(&p, &q));
        let log = F::Over::<D>::exp(&p).log();
        for i in 0..d {
            assert!((back.coord(i) - q.coord(i)).magnitude() < 1e-28, "norm {norm}");
            assert!((log.coord(i) - p.coord(i)).magnitude() < 1e-28, "norm {norm}");
        }
    }
}
#[test]
fn double_double_numbers_have_twice_the_digits() {
    for_families!(digits_agree);
}

/// Four points and four algebra elements, moved one by one and all at once.
#[test]
fn actions_over_lanes() {
    let mut draw = Draw(4);
    let vector =
        |draw: &mut Draw, norm| Vec3::from(<[f64; 3]>::try_from(drawn(draw, 3, norm)).unwrap());
    let join = |v: [Vec3<f64>; 4]| {
        let at = |f: fn(&Vec3<f64>) -> f64| Lanes(std::array::from_fn(|l| f(&v[l])));
        Vec3::from([at(|v| v.x), at(|v| v.y), at(|v| v.z)])
    };
    let lane = |v: Vec3<Lanes<4>>, l: usize| Vec3::from(v.to_array().map(|x| x.0[l]));
    for round in 0..14 {
        let u: [_; 4] = std::array::from_fn(|l| vector(&mut draw, NORMS[(round + 2 * l) % 7]));
        let [w, q, o]: [[_; 4]; 3] =
            std::array::from_fn(|_| std::array::from_fn(|_| vector(&mut draw, 1.0)));
        let r: [_; 4] = std::array::from_fn(|l| So3::exp(&q[l]).matrix);
        let rotation = So3::exp(&join(q)).matrix;
        for chart in [Chart::Exp, Chart::Cayley, Chart::SecondKind] {
            let mut turned = join(q);
            Turn::advance(chart, &join(u), &join(q), &mut turned);
            let start = Link::new(join(q), join(o));
            let (mut link, mut lifted) = (start, start);
            TangentSphere::advance(chart, &Twist::new(join(u), join(w)), &start, &mut link);
            let shift = Rn(join(w).to_array());
            Lifted::advance(chart, &(join(u), shift), &start, &mut lifted);
            let start = BodyState::new(rotation, join(o));
            let (mut body, mut apart) = (start, start);
            BodyFrame::advance(chart, &Twist::new(join(u), join(w)), &start, &mut body);
            LiftedFrame::advance(chart, &(join(u), shift), &start, &mut apart);
            for l in 0..4 {
                let mut single = q[l];
                Turn::advance(chart, &u[l], &q[l], &mut single);
                assert_eq!(lane(turned, l), single);
                let start = Link::new(q[l], o[l]);
                let mut single = start;
                TangentSphere::advance(chart, &Twist::new(u[l], w[l]), &start, &mut single);
                assert_eq!(lane(link.q, l), single.q);
                assert_eq!(lane(link.omega, l), single.omega);
                Lifted::advance(chart, &(u[l], Rn(w[l].to_array())), &start, &mut single);
                assert_eq!(lane(lifted.q, l), single.q);
                assert_eq!(lane(lifted.omega, l), single.omega);
                let start = BodyState::new(r[l], o[l]);
                let mut single = start;
                BodyFrame::advance(chart, &Twist::new(u[l], w[l]), &start, &mut single);
                assert_eq!(lane(body.momentum, l), single.momentum);
                let rows = body.rotation.rows.map(|row| lane(row, l));
                assert_eq!(Mat3 { rows }, single.rotation);
                LiftedFrame::advance(chart, &(u[l], Rn(w[l].to_array())), &start, &mut single);
                assert_eq!(lane(apart.momentum, l), single.momentum);
                let rows = apart.rotation.rows.map(|row| lane(row, l));
                assert_eq!(Mat3 { rows }, single.rotation);
            }
        }
    }
}
