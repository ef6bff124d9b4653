//! Several trajectories side by side have the bits of single ones.
use crate::common::*;
use lieflow::chart::Chart;
use lieflow::group::{LieAlgebra, LieGroup, SkewHermitian, So3, Sun};
use lieflow::kernel::so3;
use lieflow::method::Method;
use lieflow::method::casas_owren::CasasOwren;
use lieflow::method::commutator_free::ProductMethod;
use lieflow::method::fixed_point::FixedPoint;
use lieflow::method::gl4_sym::CentredStages;
use lieflow::method::implicit::Implicit;
use lieflow::method::newton::Newton;
use lieflow::method::rkmk::Rkmk;
use lieflow::method::rkmk_gauss::GaussStages;
use lieflow::{Lanes, Mat3, Real, Vec3, tableau, vec3};

const N: usize = 4;
type L = Lanes<N>;
type Body<S> = FreeBody<S>;

fn lane(v: Vec3<L>, i: usize) -> Vec3<f64> {
    vec3(v.x.0[i], v.y.0[i], v.z.0[i])
}
fn matrix(m: &Mat3<L>, i: usize) -> Mat3<f64> {
    Mat3::from_rows(lane(m.rows[0], i), lane(m.rows[1], i), lane(m.rows[2], i))
}

/// Bodies whose stages converge in different numbers of iterations, and whose rotations in a step
/// are on both sides of one radian, where the coefficients change their formula.
fn bodies() -> Body<L> {
    let inertia = vec3(
        Lanes([0.67, 0.7, 1.3, 0.2]),
        Lanes([1.0, 1.1, 0.6, 0.4]),
        Lanes([2.0, 2.1, 1.0, 0.5]),
    );
    let momentum = vec3(
        Lanes([0.5, 0.001, 1.4, 0.3]),
        Lanes([0.0, 0.002, 0.6, 0.9]),
        Lanes([0.86, 0.01, 1.2, 0.7]),
    );
    let turn = vec3(Lanes([0.1, 0.0, 1.2, -0.4]), L::lift(0.3), Lanes([0.0, 0.0, 2.0, 0.5]));
    FreeBody { inertia, start: (So3 { matrix: so3::exp(turn) }, momentum) }
}

fn single(p: &Body<L>, i: usize) -> Body<f64> {
    let (r, m) = &p.start;
    FreeBody {
        inertia: lane(p.inertia, i),
        start: (So3 { matrix: matrix(&r.matrix, i) }, lane(*m, i)),
    }
}

/// Runs one method on all bodies together and on each alone.
fn check(
    id: &str,
    mut together: impl Method<Body<L>>,
    alone: &dyn Fn() -> Box<dyn Method<Body<f64>>>,
) {
    let p = bodies();
    let (h, n) = (0.5, 40);
    let (r, m) = run(&p, &mut together, h, n);
    let mut iterations = Vec::new();
    for i in 0..N {
        let q = single(&p, i);
        let mut alone = alone();
        let want = run(&q, &mut *alone, h, n);
        let got = (So3 { matrix: matrix(&r.matrix, i) }, lane(m, i));
        assert_ne!(got, q.start);
        assert_eq!(got, want, "{id}, lane {i}");
        iterations.push(alone.cost().newton_iterations);
    }
    if together.cost().newton_iterations > 0 {
        let (least, most) = (iterations.iter().min().unwrap(), iterations.iter().max().unwrap());
        assert!(least < most, "{id}: the lanes should differ in iterations: {iterations:?}");
    }
}

#[test]
fn explicit_methods() {
    let rk4 = &tableau::RK4;
    check("rkmk4", Rkmk::new(rk4, Chart::Exp), &|| Box::new(Rkmk::new(rk4, Chart::Exp)));
    let dop = &tableau::DOP853;
    check("dop853", Rkmk::new(dop, Chart::Exp), &|| Box::new(Rkmk::new(dop, Chart::Exp)));
    check("casas-owren", CasasOwren::default(), &|| Box::new(CasasOwren::default()));
    let cf4 = &tableau::CF4;
    check("cf4", ProductMethod::new(cf4), &|| Box::new(ProductMethod::new(cf4)));
}

#[test]
fn implicit_methods() {
    let gl4 = GaussStages { tableau: &tableau::GAUSS4, chart: Chart::Exp };
    check("gl4", Implicit::<_, _, Newton<_>>::new(gl4), &|| {
        Box::new(Implicit::<_, _, Newton<_>>::new(gl4))
    });
    check("gl4, fixed point", Implicit::<_, _, FixedPoint>::new(gl4), &|| {
        Box::new(Implicit::<_, _, FixedPoint>::new(gl4))
    });
    let centred = CentredStages { chart: Chart::Exp };
    check("gl4-sym", Implicit::<_, _, Newton<_>>::new(centred), &|| {
        Box::new(Implicit::<_, _, Newton<_>>::new(centred))
    });
}

/// One lane that is not finite, or outside the chart, is one too many.
#[test]
fn a_single_lane_is_enough_to_leave_the_chart() {
    let with = |lanes: [f64; 2]| {
        let mut u = SkewHermitian::<Lanes<2>, 3>::zero();
        u.set_coord(0, Lanes(lanes));
        u
    };
    let inside = |lanes| Sun::domain(Chart::Exp, &with(lanes)).is_ok();
    assert!(inside([0.1, 0.2]) && with([0.1, 0.2]).finite());
    assert!(!inside([0.1, 50.0]) && !inside([50.0, 0.1]));
    assert!(!with([0.1, f64::INFINITY]).finite() && !with([f64::NAN, 0.1]).finite());
}
