//! The examples run, and what they print is right.
#[path = "../../examples/dense_output.rs"]
mod dense_output;
#[path = "../../examples/derivatives.rs"]
mod derivatives;
#[path = "../../examples/engine_loop.rs"]
mod engine_loop;
#[path = "../../examples/ensemble.rs"]
mod ensemble;
#[path = "../../examples/events.rs"]
mod events;
#[path = "../../examples/exact_motion.rs"]
mod exact_motion;
#[path = "../../examples/my_system.rs"]
mod my_system;
#[path = "../../examples/navigation.rs"]
mod navigation;
#[path = "../../examples/own_action.rs"]
mod own_action;
#[path = "../../examples/own_group.rs"]
mod own_group;
#[path = "../../examples/own_method.rs"]
mod own_method;
#[path = "../../examples/torque.rs"]
mod torque;

use lieflow::method::generator;
use lieflow::method::{Options, rkmk::Rkmk};
use lieflow::problem::Problem;
use lieflow::stepping::{Adaptive, Fixed, Watch, integrate};
use lieflow::{chart::Chart, tableau, vec3};
use my_system::Spin;

#[test]
fn my_system_runs() {
    my_system::main().unwrap();
}

/// Each checks its own result.
#[test]
fn the_others_run() {
    dense_output::main().unwrap();
    derivatives::main().unwrap();
    engine_loop::main().unwrap();
    ensemble::main().unwrap();
    events::main().unwrap();
    exact_motion::main().unwrap();
    navigation::main().unwrap();
    own_action::main().unwrap();
    own_group::main().unwrap();
    own_method::main().unwrap();
    torque::main().unwrap();
}

#[test]
fn every_general_method_takes_the_system_of_the_example() {
    let spin = Spin { b: vec3(0.3, 0.0, 0.5), k: 2.0 };
    let mut reference = Rkmk::new(&tableau::DOP853, Chart::Exp);
    let exact =
        integrate(&spin, &mut reference, &mut Adaptive::pi(1e-13, 8), (0.0, 5.0), 0.05, &mut ());
    let exact = exact.unwrap().state;
    // Without an outer field the moment precesses about the easy axis at the rate k m_z.
    let free = Spin { b: vec3(0.0, 0.0, 0.0), k: 2.0 };
    let (sin, cos) = (-2.0_f64 * 0.8 * 5.0).sin_cos();
    for entry in generator::entries::<Spin>() {
        let (id, order) = (entry.card.id, i32::from(entry.card.order));
        let run = |p: &Spin| {
            let mut method = (entry.make)(p, &Options::default()).unwrap();
            let mut watch = Watch::new(p);
            let span = (0.0, 5.0);
            let end = integrate(p, method.as_mut(), &mut Fixed::new(), span, 0.02, &mut watch);
            assert!(watch.manifold_error < 1e-13, "{id} leaves the sphere");
            (end.unwrap().state, watch.invariants[0].max_error)
        };
        let (state, energy) = run(&spin);
        let error = (state - exact).norm();
        let bound = 20.0 * 0.05_f64.powi(order) + 1e-12;
        assert!(error < bound && energy < bound, "{id}: {error:e}, {energy:e}");
        // Along the axis the field is constant, and every method is exact.
        let (state, _) = run(&free);
        let start = free.start();
        let turned = vec3(cos * start.x, sin * start.x, start.z);
        assert!((state - turned).norm() < 1e-12, "{id}: {state:?} {turned:?}");
    }
}
