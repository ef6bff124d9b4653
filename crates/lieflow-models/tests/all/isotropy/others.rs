//! The same options on momenta of SE(3) and on the tangent bundles of spheres.
use super::data::*;
use lieflow::action::{Action, Isotropy, Link};
use lieflow::chart::Chart;
use lieflow::group::{LieAlgebra, LieGroup};
use lieflow::method::isotropy::{Conserve, Conserving, Part, with_isotropy_options};
use lieflow::method::{Method, Options, generator};
use lieflow::problem::spheres::{
    Coordinates, FlatCoordinates, LiftCoordinates, MomentumCoordinates, OnSpheres, Se3Coordinates,
};
use lieflow::problem::{FirstIntegrals, Generator, Problem};
use lieflow::{Mat3, vec3};
use lieflow_models::system::heavy_top::{DualHeavyTop, TopData};
use lieflow_models::system::kirchhoff::Kirchhoff;
use lieflow_models::system::pendulum_chain::PendulumChain;

/// Every gradient against differences along the motions of the group: what it says of directions
/// that leave the manifold does not matter.
fn check_gradients<P>(p: &P)
where
    P: FirstIntegrals + Generator<Space: Isotropy>,
    P::Space: Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = f64>>>,
{
    let y = p.start();
    let n = P::Space::ambient(&y);
    let (mut v, mut g) = (vec![0.0; n], vec![0.0; n]);
    let zero = p.field(0.0, &y).zero_like();
    for integral in p.integrals() {
        (integral.gradient)(p, &y, &mut g);
        for k in 0..zero.dim() {
            let at = |e: f64| {
                let (mut u, mut end) = (zero.clone(), y.clone());
                u.set_coord(k, e);
                P::Space::advance(Chart::Exp, &u, &y, &mut end);
                (integral.eval)(p, &end)
            };
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            let mut u = zero.clone();
            u.set_coord(k, 1.0);
            P::Space::velocity(&u, &y, &mut v);
            let want: f64 = g.iter().zip(&v).map(|(g, v)| g * v).sum();
            assert!((slope - want).abs() < 1e-8, "{} {k}: {slope} {want}", integral.name);
        }
    }
}

fn kirchhoff() -> Kirchhoff<f64> {
    Kirchhoff {
        inertia: vec3(1.0, 1.5, 2.2),
        mass: vec3(1.0, 1.8, 2.5),
        start: lieflow::group::Twist::new(vec3(0.4, -0.3, 0.8), vec3(0.9, 0.2, -0.5)),
        law: None,
    }
}

#[test]
fn momenta_of_se3() {
    let p = kirchhoff();
    check_gradients(&p);
    let first = p.energy(&p.start);
    for id in ["lie-euler", "rkmk4", "cf4"] {
        for part in [Part::Given, Part::Orthogonal] {
            let mut m = made(&p, id, part, Some(Conserve::exactly(&["energy"])));
            let mut worst = 0.0f64;
            run(&p, &mut *m, 20.0, 400, |y| {
                worst = worst.max((p.energy(y) / first - 1.0).abs());
                assert!((y.linear.norm() - p.start.linear.norm()).abs() < 1e-13);
            });
            let count = m.corrections().unwrap();
            println!("kirchhoff {id} {part:?}: {worst:e} {count:?}");
            assert!(worst < 5e-15 && count.skipped == 0, "{id} {part:?} {worst:e} {count:?}");
        }
    }
    // The isotropy is not full here: the curvature is a least-squares fit, and the order stays.
    let exact = run(&p, &mut *made(&p, "rkmk4", Part::Given, None), 2.0, 2000, |_| {});
    let errors = [100, 200].map(|n| {
        let mut m = made(&p, "rkmk4", Part::Curvature, None);
        let end = run(&p, &mut *m, 2.0, n, |_| {});
        (end.angular - exact.angular).norm() + (end.linear - exact.linear).norm()
    });
    let order = (errors[0] / errors[1]).log2();
    assert!((order - 4.0).abs() < 0.3, "{order} {errors:?}");
}

#[test]
fn a_heavy_top_keeps_energy_and_axial_momentum() {
    let inertia = Mat3::diagonal(vec3(1.0, 1.0, 0.6));
    let data = TopData {
        inertia,
        inverse: inertia.inverse(),
        axis: vec3(0.0, 0.0, 1.0),
        direction: vec3(0.0, 0.0, 1.0),
        strength: 1.3,
    };
    let p = DualHeavyTop::new(data, vec3(0.4, -0.2, 1.1), vec3(0.48, -0.6, 0.64));
    check_gradients(&p);
    let first: Vec<f64> = p.integrals().iter().map(|i| (i.eval)(&p, &p.start)).collect();
    assert_eq!(first.len(), 2);
    let mut m = made(&p, "rkmk4", Part::Given, Some(Conserve::exactly(&["energy"])));
    let mut worst = 0.0f64;
    run(&p, &mut *m, 20.0, 1000, |y| {
        worst = worst.max(((p.integrals()[0].eval)(&p, y) - first[0]).abs());
    });
    let count = m.corrections().unwrap();
    println!("heavy top: {worst:e} {count:?}");
    assert!(worst < 5e-15 && count.skipped == 0);
}

fn chain<C: Coordinates>() -> OnSpheres<PendulumChain<f64>, C> {
    let system =
        PendulumChain::new(vec![1.0, 0.7, 1.3], vec![0.9, 1.2, 0.8], vec3(0.0, 0.0, -9.81))
            .unwrap();
    let q = [vec3(0.6, 0.0, -0.8), vec3(0.0, 0.6, -0.8), vec3(0.48, -0.6, 0.64)];
    let w = [vec3(0.5, 0.9, -0.2), vec3(-0.8, 0.3, 0.4), vec3(0.3, -0.7, 0.9)];
    let links: Vec<_> = q.iter().zip(w).map(|(q, w)| Link::new(*q, q.cross(w))).collect();
    OnSpheres::new(system, &links)
}

fn pendulums<C: Coordinates>() {
    let p = chain::<C>();
    check_gradients(&p);
    let energy = p.integrals()[0];
    let first = (energy.eval)(&p, &p.start());
    let list = with_isotropy_options::<_, 1>(generator::entries(), generator::entries());
    for id in ["rkmk4", "cf4"] {
        let entry = list.iter().find(|e| e.card.id == id).unwrap();
        for isotropy in [Part::Given, Part::Orthogonal] {
            let conserve = Some(Conserve::exactly(&["energy"]));
            let mut m =
                (entry.make)(&p, &Options { isotropy, conserve, ..Options::default() }).unwrap();
            let mut worst = 0.0f64;
            run(&p, &mut *m, 5.0, 1000, |y| {
                worst = worst.max(((energy.eval)(&p, y) / first - 1.0).abs());
            });
            let count = m.corrections().unwrap();
            println!("chain {} {id} {isotropy:?}: {worst:e} {count:?}", C::NAME);
            assert!(worst < 2e-14 && count.skipped == 0, "{} {id}: {worst:e} {count:?}", C::NAME);
        }
    }
}

#[test]
fn chains_of_pendulums_keep_their_energy() {
    pendulums::<Se3Coordinates>();
    pendulums::<MomentumCoordinates>();
    check_gradients(&chain::<LiftCoordinates>());
    // Without isotropy nothing can be corrected, and the run says so.
    let p = chain::<FlatCoordinates>();
    check_gradients(&p);
    let plain = generator::entries().into_iter().find(|e| e.card.id == "rkmk4").unwrap();
    let inner = (plain.make)(&p, &Options::default()).unwrap();
    let mut m = Conserving::new(&p, inner, Conserve::exactly(&["energy"])).unwrap();
    run(&p, &mut m, 1.0, 20, |_| {});
    assert_eq!(m.corrections().unwrap().skipped, 20);
}
