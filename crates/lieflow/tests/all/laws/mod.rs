//! Every group and every action obeys its laws, and one that does not is found out.
mod bent;

use bent::Bent;
use lieflow::action::{
    self, Action, BodyFrame, BodyState, BodyTurn, CoadjointAction, Conjugate, CotangentRotations,
    Embedded, EmbeddedFrame, Flat, Frame, Lifted, LiftedFrame, Link, Multiply, PlaneMotion, Rotate,
    SpaceMotion, Stiefel, Symmetric, TangentSphere, Turn,
};
use lieflow::group::laws::{Checkable, Report};
use lieflow::group::{
    self, AlgebraOf, Coadjoint, Complex, Cotangent, CotangentAlgebra, CotangentLift, ExtendedTwist,
    LieAlgebra, LieGroup, PlanarTwist, Rn, Se2, Se3, Se23, Skew, SkewHermitian, So3, Son, Su2, Sun,
    Twist,
};
use lieflow::{Vec3, vec3};
use lieflow_testing::Draw;
use std::f64::consts::{PI, TAU};

/// Zero, small ones, and some up to the edge of the exponential chart of rotations.
const NORMS: [f64; 9] = [0.0, 1e-9, 1e-4, 0.3, 1.0, 2.0, PI - 1e-8, PI, TAU - 0.1];

fn samples<A: LieAlgebra<Scalar = f64>>(like: &A) -> Vec<A> {
    let mut draw = Draw(7);
    NORMS.iter().map(|norm| draw.element(like, *norm)).collect()
}
fn obeys<G: Checkable>(like: AlgebraOf<G>) -> Report {
    group::laws::check::<G>(&samples(&like)).unwrap_or_else(|e| panic!("{e}"))
}
fn obeys_both<G: Checkable + Coadjoint>(like: AlgebraOf<G>) -> Report {
    group::laws::check_coadjoint::<G>(&samples(&like)).unwrap_or_else(|e| panic!("{e}"))
}
fn twist() -> Twist<f64> {
    Twist::new(Vec3::zero(), Vec3::zero())
}
fn planar() -> PlanarTwist<f64> {
    PlanarTwist::new(0.0, [0.0; 2])
}
fn extended() -> ExtendedTwist<f64> {
    ExtendedTwist([0.0; 9])
}
fn lifted<G: LieGroup>(u: AlgebraOf<G>) -> CotangentAlgebra<G> {
    CotangentAlgebra::new(u.clone(), u)
}

#[test]
fn rotations_and_motions() {
    let report = obeys_both::<So3<f64>>(Vec3::zero());
    assert!(report.findings.len() > 40, "{}", report.findings.len());
    assert!(report.of("Jacobi's identity").unwrap().tried >= 27);
    obeys_both::<Se3<f64>>(twist());
    obeys_both::<Se2<f64>>(planar());
    obeys_both::<Se23<f64>>(extended());
    obeys_both::<Rn<f64, 4>>(Rn::zero());
}

/// Random elements of all sizes up to what the charts hold, four at a time, since the suite takes every
/// pair.
fn obeys_often<G: Checkable + Coadjoint>(like: AlgebraOf<G>, elements: usize) {
    let mut draw = Draw(11);
    for batch in 0..elements / 4 {
        let size = 1.0 + (batch % 100) as f64 / 200.0;
        let norms = [1e-7, 0.2, 1.5, 4.0].map(|norm| norm * size);
        let samples: Vec<_> = norms.iter().map(|norm| draw.element(&like, *norm)).collect();
        group::laws::check_coadjoint::<G>(&samples).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn many_random_elements() {
    obeys_often::<Se23<f64>>(extended(), 400);
    obeys_often::<Se2<f64>>(planar(), 400);
}

#[test]
#[ignore = "slow: ten thousand elements of each group"]
fn ten_thousand_random_elements() {
    obeys_often::<So3<f64>>(Vec3::zero(), 10_000);
    obeys_often::<Se2<f64>>(planar(), 10_000);
    obeys_often::<Se3<f64>>(twist(), 10_000);
    obeys_often::<Se23<f64>>(extended(), 10_000);
}

#[test]
fn rotations_of_any_dimension() {
    obeys_both::<Son<f64, 2>>(Skew::zero());
    obeys_both::<Son<f64, 3>>(Skew::zero());
    obeys_both::<Son<f64, 4>>(Skew::zero());
    obeys_both::<Son<f64, 5>>(Skew::zero());
    obeys_both::<Son<f64, 6>>(Skew::zero());
}

#[test]
fn unitary_matrices() {
    obeys_both::<Su2<f64>>(Vec3::zero());
    // Coordinates of norm |u| turn by up to 2|u|: half of the samples' norms reach the edge.
    fn unitary<const N: usize>() -> Report {
        let mut list = samples(&SkewHermitian::<f64, N>::zero());
        list.iter_mut().for_each(|u| u.assign(0.5, &u.clone()));
        group::laws::check_coadjoint::<Sun<f64, N>>(&list).unwrap_or_else(|e| panic!("{e}"))
    }
    unitary::<2>();
    unitary::<3>();
    let report = unitary::<4>();
    assert!(report.of("cay commutes with conjugation").is_none(), "only SU(2) has a Cayley map");
}

#[test]
fn quaternions_are_unitary_matrices_and_cover_rotations() {
    let mut draw = Draw(9);
    for norm in NORMS {
        let (u, v) = (draw.of_norm(norm), draw.vector());
        let (g, h) = (Su2::exp(&u), Su2::exp(&v));
        let same = |a: &Sun<f64, 2>, b: &Sun<f64, 2>| {
            assert!(a.distance_squared(b) < 1e-29, "{norm}: {a:?} is not {b:?}");
        };
        same(&g.compose(&h).to_matrix(), &g.to_matrix().compose(&h.to_matrix()));
        // The algebra: -i/2 (u·σ).
        let matrix = |u: Vec3<f64>| {
            let half = u * 0.5;
            let re = [[0.0, -half.y], [half.y, 0.0]];
            SkewHermitian::from_matrix(&Complex { re, im: [[-half.z, -half.x], [-half.x, half.z]] })
        };
        same(&Sun::exp(&matrix(u)), &g.to_matrix());
        same(&Sun::cay(&matrix(u)), &Su2::cay(&u).to_matrix());
        // As matrices they are twice as far apart, in squares.
        let (near, far) = (g.distance_squared(&h), g.to_matrix().distance_squared(&h.to_matrix()));
        assert!((far - 2.0 * near).abs() < 1e-14, "{norm}: {near} {far}");
        let pulled = Sun::dcayinv(&matrix(u), &matrix(v));
        assert!(pulled.distance_squared(&matrix(Su2::dcayinv(&u, &v))) < 1e-26, "{norm}");
        let (turn, direct) = (g.rotation(), So3::exp(&u));
        assert!(turn.distance_squared(&direct) < 1e-29 && g.unitarity_error() < 1e-15);
        assert!(g.to_matrix().unitarity_error() < 1e-15);
    }
    // A full turn is minus one, and its logarithm one of the shortest.
    let full = Su2::exp(&vec3(0.0, 0.0, TAU));
    assert!((full.quaternion.w + 1.0).abs() < 1e-15);
    assert!((full.log().norm() - TAU).abs() < 1e-14);
    let minus = Su2::unit().compose(&Su2 { quaternion: lieflow::Quat::new(-1.0, 0.0, 0.0, 0.0) });
    assert_eq!(minus.log(), vec3(TAU, 0.0, 0.0));
}

#[test]
fn shortest_logarithms_of_unitary_matrices() {
    // Equal eigenvalues, and angles whose sum is not zero before a turn is given back.
    let diagonal = |angles: [f64; 3]| {
        let mut m = Complex { re: [[0.0; 3]; 3], im: [[0.0; 3]; 3] };
        (0..3).for_each(|i| m.im[i][i] = angles[i]);
        SkewHermitian::from_matrix(&m)
    };
    let mut draw = Draw(13);
    for angles in [[3.4, -1.7, -1.7], [2.5, 2.5, -5.0], [1.0, 1.0, -2.0], [PI, -PI, 0.0]] {
        let turn = Sun::exp(&draw.element(&SkewHermitian::<f64, 3>::zero(), 1.3));
        let g = Sun::exp(&turn.adjoint(&diagonal(angles)));
        let u = g.log();
        assert!(Sun::exp(&u).distance_squared(&g) < 1e-27, "{angles:?}");
        assert!(u.norm() <= diagonal(angles).norm() + 1e-13, "{angles:?}: {}", u.norm());
    }
}

#[test]
fn cotangent_bundles() {
    let report = obeys::<Cotangent<So3<f64>>>(lifted::<So3<f64>>(Vec3::zero()));
    assert!(report.of("cay commutes with conjugation").is_some(), "T*SO(3) has a Cayley map");
    obeys::<Cotangent<Se3<f64>>>(lifted::<Se3<f64>>(twist()));
    obeys::<Cotangent<Se2<f64>>>(lifted::<Se2<f64>>(planar()));
    obeys::<Cotangent<Se23<f64>>>(lifted::<Se23<f64>>(extended()));
    obeys::<Cotangent<Rn<f64, 2>>>(lifted::<Rn<f64, 2>>(Rn::zero()));
    obeys::<Cotangent<Son<f64, 4>>>(lifted::<Son<f64, 4>>(Skew::zero()));
    type Pair = (So3<f64>, Rn<f64, 3>);
    obeys::<Cotangent<Pair>>(lifted::<Pair>((Vec3::zero(), Rn::zero())));
    obeys::<Cotangent<[So3<f64>; 2]>>(lifted::<[So3<f64>; 2]>([Vec3::zero(); 2]));
    obeys::<Cotangent<Vec<Se3<f64>>>>(lifted::<Vec<Se3<f64>>>(vec![twist(); 2]));
    // A group of somebody else, with the series of the default.
    obeys::<Cotangent<Bent<0>>>(lifted::<Bent<0>>(Vec3::zero()));
}

#[test]
fn products() {
    obeys_both::<(So3<f64>, Se3<f64>)>((Vec3::zero(), twist()));
    obeys_both::<((So3<f64>, Rn<f64, 2>), Se2<f64>)>(((Vec3::zero(), Rn::zero()), planar()));
    obeys_both::<[Se3<f64>; 2]>([twist(); 2]);
    obeys_both::<Vec<So3<f64>>>(vec![Vec3::zero(); 3]);
    obeys_both::<Vec<(So3<f64>, Rn<f64, 1>)>>(vec![(Vec3::zero(), Rn::zero()); 2]);
}

#[test]
fn tstar_so3_is_se3() {
    // Momenta turn like vectors, so every map is that of SE(3), number by number.
    let mut draw = Draw(3);
    for norm in [1e-6, 0.5, 2.0, 5.0] {
        let (a, b) = (draw.element(&twist(), norm), draw.element(&twist(), 1.0));
        let over = |u: &Twist<f64>| CotangentAlgebra::<So3<f64>>::new(u.angular, u.linear);
        let (u, v) = (over(&a), over(&b));
        let same = |x: &CotangentAlgebra<So3<f64>>, y: &Twist<f64>| {
            let gap = (x.velocity - y.angular).norm() + (x.momentum - y.linear).norm();
            assert!(gap < 1e-13, "{norm}: {gap:e}");
        };
        type T = Cotangent<So3<f64>>;
        same(&u.bracket(&v), &a.bracket(&b));
        same(&T::dexp(&u, &v), &Se3::dexp(&a, &b));
        same(&T::dexpinv(&u, &v), &Se3::dexpinv(&a, &b));
        same(&T::dcayinv(&u, &v), &Se3::dcayinv(&a, &b));
        same(&T::exp(&u).adjoint(&v), &Se3::exp(&a).adjoint(&b));
        same(&T::exp(&u).log(), &Se3::exp(&a).log());
        for (x, y) in [(T::exp(&u), Se3::exp(&a)), (T::cay(&u), Se3::cay(&a))] {
            assert!((x.g.matrix - y.rotation).norm_squared() < 1e-30);
            assert!((x.mu - y.position).norm() < 1e-14);
        }
    }
}

#[test]
fn exact_slopes_equal_the_series() {
    // The default of CotangentLift against the exact form, on the group that has both.
    let mut draw = Draw(4);
    for norm in [1e-3, 1.0, 3.0] {
        let (u, v, m) = (draw.vector() * norm, draw.vector(), draw.vector());
        let exact = So3::dexp_transpose_slope(&u, &v, &m);
        let series = Bent::<0>::dexp_transpose_slope(&u, &v, &m);
        assert!((exact - series).norm() < 1e-14, "{norm}");
    }
}

/// Some points, from some numbers.
fn points<Y>(make: impl Fn(&mut Draw) -> Y) -> Vec<Y> {
    let mut draw = Draw(11);
    (0..3).map(|_| make(&mut draw)).collect()
}
fn acts<A: Action<Group: Checkable>>(like: AlgebraOf<A::Group>, y: &[A::Point]) {
    // Momenta and shifts of size one; rotations up to the edge of the charts.
    action::laws::check::<A>(&samples(&like), y).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn actions_on_vectors_and_spheres() {
    acts::<Turn<f64>>(Vec3::zero(), &points(Draw::vector));
    let links = points(|d| Link::new(d.vector(), d.vector()));
    acts::<TangentSphere<f64>>(twist(), &links);
    acts::<Lifted<f64>>((Vec3::zero(), Rn::zero()), &links);
    acts::<Embedded<f64>>(Rn::zero(), &links);
    acts::<PlaneMotion<f64>>(planar(), &points(|d| Rn([d.number(), d.number()])));
    acts::<SpaceMotion<f64>>(twist(), &points(Draw::vector));
    acts::<Rotate<f64, 4>>(Skew::zero(), &points(|d| Rn([0.0; 4].map(|_| d.number()))));
    let symmetric =
        points(|d| Symmetric::from_matrix(&[[0.0; 4]; 4].map(|row| row.map(|_: f64| d.number()))));
    acts::<Conjugate<f64, 4>>(Skew::zero(), &symmetric);
    let frames =
        points(|d| Stiefel::act(&Son::exp(&d.element(&Skew::zero(), 2.0)), &Frame::axes()));
    acts::<Stiefel<f64, 5, 2>>(Skew::zero(), &frames);
    assert!(frames.iter().all(|f| f.orthogonality_error() < 1e-15));
    acts::<Multiply<Su2<f64>>>(Vec3::zero(), &points(|d| Su2::exp(&d.vector())));
    let unitary = points(|d| Sun::exp(&d.element(&SkewHermitian::zero(), 2.0)));
    acts::<Multiply<Sun<f64, 3>>>(SkewHermitian::zero(), &unitary);
}

#[test]
fn actions_on_states_and_momenta() {
    let bodies = points(|d| BodyState::new(So3::exp(&d.vector()).matrix, d.vector()));
    acts::<BodyFrame<f64>>(twist(), &bodies);
    acts::<LiftedFrame<f64>>((Vec3::zero(), Rn::zero()), &bodies);
    acts::<EmbeddedFrame<f64>>(Rn::zero(), &bodies);
    acts::<BodyTurn<f64>>(Vec3::zero(), &bodies);
    acts::<CoadjointAction<So3<f64>>>(Vec3::zero(), &points(Draw::vector));
    acts::<CoadjointAction<Se3<f64>>>(twist(), &points(|d| d.element(&twist(), 1.0)));
    acts::<Multiply<Se3<f64>>>(twist(), &points(|d| Se3::exp(&d.element(&twist(), 1.0))));
    acts::<Multiply<Rn<f64, 2>>>(Rn::zero(), &points(|d| Rn([d.number(), d.number()])));
    let tstar = lifted::<Se3<f64>>(twist());
    let starts = points(|d| Cotangent::<Se3<f64>>::exp(&d.element(&tstar, 1.0)));
    acts::<Multiply<Cotangent<Se3<f64>>>>(tstar, &starts);
    let tops = points(|d| Cotangent { g: So3::exp(&d.vector()), mu: d.vector() });
    acts::<CotangentRotations<f64>>(twist(), &tops);
}

#[test]
fn actions_of_products() {
    let pairs = points(|d| (d.vector(), Link::new(d.vector(), d.vector())));
    acts::<(Turn<f64>, TangentSphere<f64>)>((Vec3::zero(), twist()), &pairs);
    acts::<[Turn<f64>; 2]>([Vec3::zero(); 2], &points(|d| [d.vector(), d.vector()]));
    let chains =
        points(|d| vec![Link::new(d.vector(), d.vector()), Link::new(d.vector(), d.vector())]);
    acts::<Vec<TangentSphere<f64>>>(vec![twist(); 2], &chains);
}

#[test]
fn what_actions_keep() {
    let mut draw = Draw(5);
    let link = Link::new(vec3(0.6, 0.0, 0.8), vec3(0.0, 2.0, 0.0));
    for u in samples(&twist()) {
        let moved = TangentSphere::act(&Se3::exp(&u), &link);
        assert!((moved.q.norm() - 1.0).abs() < 1e-14 && moved.q.dot(moved.omega).abs() < 1e-13);
        // Without torque the spatial momentum stays.
        let body = BodyState::new(So3::exp(&draw.vector()).matrix, draw.vector());
        let free = Twist::new(u.angular, Vec3::zero());
        let moved = BodyFrame::act(&Se3::exp(&free), &body);
        assert!((moved.spatial_momentum() - body.spatial_momentum()).norm() < 1e-14);
    }
    for u in samples(&Skew::<f64, 4>::zero()) {
        let g = Son::exp(&u);
        let a = Symmetric::from_matrix(&[[0.0; 4]; 4].map(|row| row.map(|_: f64| draw.number())));
        let b = Conjugate::act(&g, &a);
        let trace = |m: &Symmetric<f64, 4>| (0..4).map(|i| m.matrix()[i][i]).sum::<f64>();
        assert!((trace(&a) - trace(&b)).abs() < 1e-14);
        assert!((0..4).all(|i| (0..4).all(|j| b.matrix()[i][j] == b.matrix()[j][i])));
    }
}

/// The laws that a bent group breaks.
fn broken<const FAULT: usize>() -> Vec<&'static str> {
    let error = group::laws::check_coadjoint::<Bent<FAULT>>(&samples(&Vec3::zero()));
    let error = error.expect_err("a wrong group was let through");
    let text = error.to_string();
    for failure in &error.failures {
        assert!(text.contains(failure.law), "the message names every law: {text}");
        assert!(failure.witness.is_some() && failure.worst > failure.bound);
    }
    error.failures.iter().map(|x| x.law).collect()
}

#[test]
fn a_wrong_group_is_found_out() {
    // Bent without a fault is a rotation group.
    group::laws::check_coadjoint::<Bent<0>>(&samples(&Vec3::zero())).unwrap();
    for (found, law) in [
        (broken::<1>(), "dexp and dexpinv are inverse to each other"),
        (broken::<2>(), "ad is the derivative of Ad"),
        (broken::<3>(), "inverse: g g^-1 = e = g^-1 g"),
        (broken::<4>(), "chart cay: pull inverts the differential"),
        (broken::<5>(), "dexp is the derivative of exp"),
        (broken::<6>(), "log(exp u) = u"),
        (broken::<7>(), "Ad is conjugation: g exp(v) g^-1 = exp(Ad_g v)"),
        (broken::<8>(), "dexp^T is the transpose of dexp"),
    ] {
        assert!(found.contains(&law), "expected '{law}' among {found:#?}");
    }
}

#[test]
fn a_wrong_action_is_found_out() {
    let error =
        action::laws::check::<bent::Backwards>(&samples(&Vec3::zero()), &points(Draw::vector))
            .expect_err("a right action is not a left action");
    let laws: Vec<_> = error.failures.iter().map(|x| x.law).collect();
    assert_eq!(laws, ["composition: (gh)·y = g·(h·y)", "advance is act after cay"]);
}

#[test]
fn nothing_tried_is_nothing_proved() {
    let error = group::laws::check::<So3<f64>>(&[]).expect_err("no samples");
    assert!(error.to_string().contains("no sample could be tried"), "{error}");
    assert!(action::laws::check::<Turn<f64>>(&[], &[]).is_err());
    // A NaN among the samples can't pass as a small error.
    let nan = vec3(f64::NAN, 0.0, 0.0);
    assert!(group::laws::check::<So3<f64>>(&[nan, vec3(0.1, 0.2, 0.3)]).is_err());
}
