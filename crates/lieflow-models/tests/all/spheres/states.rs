//! Each method on spheres returns the state that it returns in exact arithmetic.
use super::data::*;
use lieflow::chart::Chart;
use lieflow::method::{Entry, Options, Step};
use lieflow::method::{generator, spheres};
use lieflow::problem::Problem;
use lieflow::problem::spheres::{
    Coordinates, FlatCoordinates, LiftCoordinates, MomentumCoordinates, OnSpheres, Se3Coordinates,
    SphereSystem,
};
use serde_json::Value;

/// The names of the reference file: method, coordinates, brackets of a cut differential.
const NAMES: [(&str, &str, &str, Option<usize>); 26] = [
    ("ELN", "eln", "se3", None),
    ("ELN", "eln", "hamiltonian", None),
    ("RATTLE", "rattle", "se3", None),
    ("RATTLE", "rattle", "euclidean", None),
    ("LLM", "llm", "se3", None),
    ("LLM", "llm", "hamiltonian", None),
    ("RKMK4", "rkmk4", "lift", Some(2)),
    ("RKMK4x", "rkmk4", "lift", None),
    ("RKMKGL4", "rkmk-gl4", "lift", Some(2)),
    ("RKMKGL4x", "rkmk-gl4", "lift", None),
    ("GL4sym", "gl4-sym", "lift", None),
    ("CF4-lift", "cf4", "lift", None),
    ("LieEuler-SE3", "lie-euler", "se3", None),
    ("LieHeun-SE3", "rkmk2-heun", "se3", None),
    ("RKMK3-SE3", "rkmk3", "se3", None),
    ("RKMK4-SE3", "rkmk4", "se3", None),
    ("RKMK4c2-SE3", "rkmk4-casas-owren", "se3", None),
    ("CF4-SE3", "cf4", "se3", None),
    ("RKMK5-SE3", "rkmk-dp54", "se3", None),
    ("RKMKGL4-SE3", "rkmk-gl4", "se3", None),
    ("GL4sym-SE3", "gl4-sym", "se3", None),
    ("RK4", "rkmk4", "euclidean", None),
    ("RKMK4-SE3-H", "rkmk4", "hamiltonian", None),
    ("CF4-SE3-H", "cf4", "hamiltonian", None),
    // The same numbers from the methods of other tables that contain them.
    ("RKMK5-SE3", "rkmk-dp54", "se3", Some(20)),
    ("CF4-SE3", "cf43-eq34", "se3", None),
];

fn entries<M, C>() -> Vec<Entry<OnSpheres<M, C>>>
where
    M: SphereSystem<Scalar = f64> + 'static,
    C: Coordinates,
{
    let mut list = generator::entries();
    list.extend(spheres::entries());
    list
}

/// Runs one method and returns its distance from the reference, seen as directions and angular
/// velocities, and its estimate of the error of the first step.
fn deviation<M, C>(
    m: &M,
    case: &Value,
    run_of: &Value,
    (name, id, cut): (&str, &str, Option<usize>),
) -> (f64, Option<f64>)
where
    M: SphereSystem<Scalar = f64> + 'static,
    C: Coordinates,
{
    let p = OnSpheres::<M, C>::new(m.clone(), &start(case));
    let entries = entries::<M, C>();
    let entry = entries.iter().find(|e| e.card.id == id).unwrap_or_else(|| panic!("no {id}"));
    let chart = cut.map_or(Chart::Exp, |brackets| Chart::ExpSeries { brackets });
    let options = Options { chart, ..Options::default() };
    let mut method = (entry.make)(&p, &options).unwrap();
    let h = run_of["h"].as_f64().unwrap();
    let steps = run_of["steps"].as_u64().unwrap() as usize;
    let mut out = p.start();
    let estimate = method.step(Step::new(&p, 0.0, h, &p.start()), &mut out).unwrap();
    method.reset();
    let end = p.links(&run(&p, method.as_mut(), h, steps));
    let want = &run_of["methods"][name];
    (distance(&end, &links(&want["q"], &want["w"])), estimate)
}

fn check<M: SphereSystem<Scalar = f64> + 'static>(m: &M, case: &Value, run_of: &Value) {
    let title = case["name"].as_str().unwrap();
    let mut seen: Vec<&str> = NAMES.iter().map(|n| n.0).collect();
    for (name, id, space, cut) in NAMES {
        if run_of["methods"].get(name).is_none() {
            continue;
        }
        let which = (name, id, cut);
        let (d, estimate) = match space {
            "se3" => deviation::<M, Se3Coordinates>(m, case, run_of, which),
            "lift" => deviation::<M, LiftCoordinates>(m, case, run_of, which),
            "hamiltonian" => deviation::<M, MomentumCoordinates>(m, case, run_of, which),
            _ => deviation::<M, FlatCoordinates>(m, case, run_of, which),
        };
        println!("{title:26} {name:13} {id:18} {space:12} {d:.1e}");
        assert!(d < 2e-13, "{title}, {name}: {d:e}");
        let first = &run_of["first_step_error_estimates"];
        let want = match (id, cut) {
            ("rkmk-dp54", None) => first["RKMK54_norm_sigma_minus_sigmahat"].as_f64(),
            ("cf43-eq34", None) => first["CF43_distance"].as_f64(),
            _ => None,
        };
        if let Some(want) = want {
            let found = estimate.unwrap();
            assert!(
                (found - want).abs() < 1e-6 * want + 1e-15,
                "{title}, {id}: {found:e} {want:e}"
            );
        }
    }
    seen.sort_unstable();
    for name in run_of["methods"].as_object().unwrap().keys() {
        assert!(seen.binary_search(&name.as_str()).is_ok(), "{name} is not tested");
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
