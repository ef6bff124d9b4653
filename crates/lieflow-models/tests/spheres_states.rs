//! Each method on spheres returns the state that it returns in exact arithmetic.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod spheres_data;

use lieflow::chart::Chart;
use lieflow::method::Method;
use lieflow::method::rkmk::Rkmk;
use lieflow::method::spheres::{Eln, Llm, Rattle};
use lieflow::problem::spheres::{
    Coordinates, FlatCoordinates, LiftCoordinates, MomentumCoordinates, OnSpheres, Se3Coordinates,
    SphereSystem,
};
use lieflow::tableau;
use serde_json::Value;
use spheres_data::*;

/// The distance of a method from its reference state, seen as directions and angular velocities.
fn deviation<M, C>(
    system: &M,
    case: &Value,
    run_of: &Value,
    name: &str,
    method: &mut dyn Method<OnSpheres<M, C>>,
) -> f64
where
    M: SphereSystem<Scalar = f64>,
    C: Coordinates,
{
    let p = OnSpheres::<M, C>::new(system.clone(), &start(case));
    let h = run_of["h"].as_f64().unwrap();
    let steps = run_of["steps"].as_u64().unwrap() as usize;
    let end = p.links(&run(&p, method, h, steps));
    let want = &run_of["methods"][name];
    distance(&end, &links(&want["q"], &want["w"]))
}

fn check<M: SphereSystem<Scalar = f64> + 'static>(system: &M, case: &Value, run_of: &Value) {
    let name = case["name"].as_str().unwrap();
    macro_rules! state {
        ($id:literal, $coordinates:ty, $method:expr) => {
            let d = deviation::<M, $coordinates>(system, case, run_of, $id, &mut $method);
            println!("{name:28} {:14} {d:.1e}", $id);
            assert!(d < 2e-13, "{name}, {}: {d:e}", $id);
        };
    }
    state!("ELN", Se3Coordinates, Eln::new());
    state!("RATTLE", Se3Coordinates, Rattle::new());
    state!("LLM", Se3Coordinates, Llm::new());
    state!("ELN", MomentumCoordinates, Eln::new());
    state!("RATTLE", FlatCoordinates, Rattle::new());
    state!("LLM", MomentumCoordinates, Llm::new());
    state!("RKMK4", LiftCoordinates, Rkmk::new(&tableau::RK4, Chart::ExpSeries { brackets: 2 }));
    state!("RKMK4x", LiftCoordinates, Rkmk::new(&tableau::RK4, Chart::Exp));
    state!("RKMK4-SE3", Se3Coordinates, Rkmk::new(&tableau::RK4, Chart::Exp));
    state!("RK4", FlatCoordinates, Rkmk::new(&tableau::RK4, Chart::Exp));
    if run_of["methods"].get("RKMK4-SE3-H").is_some() {
        state!("RKMK4-SE3-H", MomentumCoordinates, Rkmk::new(&tableau::RK4, Chart::Exp));
    }
}

#[test]
fn every_method_returns_its_reference_state() {
    let data = reference();
    for run_of in data["method_states"].as_array().unwrap() {
        let case = flow(&data, run_of["case"].as_str().unwrap());
        if case["system"] == "dipoles" {
            check(&dipoles(&case), &case, run_of);
        } else {
            check(&chain(&case), &case, run_of);
        }
    }
}
