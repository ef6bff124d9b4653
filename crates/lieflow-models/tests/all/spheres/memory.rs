//! No step after the first allocates, whatever the number of links.
use super::random::Random;
use lieflow::method::{Options, Solver, Step};
use lieflow::problem::Problem;
use lieflow::problem::spheres::{
    Coordinates, FlatCoordinates, LiftCoordinates, MomentumCoordinates, OnSpheres, Se3Coordinates,
};
use lieflow_models::run::ModelSystem;
use lieflow_models::system::dipoles::Dipoles;
use lieflow_models::system::on_spheres::Named;
use lieflow_models::system::pendulum_chain::PendulumChain;
use lieflow_testing::counting::after_the_first;

/// The methods that matter for large systems.
const METHODS: [&str; 10] = [
    "rkmk4",
    "rkmk-dp54",
    "rkmk-dop853",
    "rkmk-gl4",
    "rkmk-gl6",
    "gl4-sym",
    "cf4",
    "eln",
    "rattle",
    "llm",
];

fn check<M: Named, C: Coordinates>(m: &M, random: &mut Random, h: f64) {
    let p = OnSpheres::<M, C>::new(m.clone(), &random.links(m.count(), 1.0));
    let entries = <OnSpheres<M, C> as ModelSystem>::entries();
    for id in METHODS {
        let entry = entries.iter().find(|entry| entry.card.id == id).unwrap();
        let mut method = (entry.make)(&p, &Options::default()).unwrap();
        assert_eq!(after_the_first(&p, method.as_mut(), h, 4), 0, "{id} on {}", C::NAME);
    }
}

fn in_all_coordinates<M: Named>(m: &M, random: &mut Random) {
    check::<_, Se3Coordinates>(m, random, 1e-3);
    check::<_, LiftCoordinates>(m, random, 1e-3);
    check::<_, MomentumCoordinates>(m, random, 1e-3);
    check::<_, FlatCoordinates>(m, random, 1e-3);
}

#[test]
fn steps_after_the_first_do_not_allocate() {
    let mut random = Random::new(21);
    for n in [1, 2, 50] {
        let m = random.chain(n);
        in_all_coordinates(&m, &mut random);
    }
    // By pairs, and by convolution.
    for (rows, columns) in [(6, 6), (8, 9)] {
        let m = Dipoles::grid(rows, columns, 0.024, 0.05, 0.02, 0.1).unwrap();
        assert_eq!(m.is_convolved(), rows == 8);
        in_all_coordinates(&m, &mut random);
    }
}

/// Newton's method without matrices keeps its basis: it allocates only where it needs a longer one
/// than ever before.
#[test]
fn newton_keeps_its_memory() {
    let mut random = Random::new(22);
    let m = random.chain(50);
    let p = OnSpheres::<_, Se3Coordinates>::new(m, &random.links(50, 1.0));
    let entries = <OnSpheres<PendulumChain<f64>, Se3Coordinates> as ModelSystem>::entries();
    for id in ["rkmk-gl4", "gl4-sym"] {
        let entry = entries.iter().find(|entry| entry.card.id == id).unwrap();
        let options = Options { solver: Solver::Newton, ..Options::default() };
        let mut method = (entry.make)(&p, &options).unwrap();
        // A large step first, for the longest basis.
        let mut out = p.start();
        method.step(Step::new(&p, 0.0, 0.02, &p.start()), &mut out).unwrap();
        method.reset();
        assert_eq!(after_the_first(&p, method.as_mut(), 1e-3, 4), 0, "{id}");
    }
}
