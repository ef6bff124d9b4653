//! The reference values of the workload w2, a fast top with two equal moments and one with none, which
//! were computed with 57 digits: methods that have nothing in common meet them.
use super::bodies::body;
use super::support::{errors, run};
use lieflow::action::BodyState;
use lieflow::{Mat3, Vec3};
use lieflow_models::system::rigid_body::Field;
use serde_json::Value as Json;

fn numbers<const N: usize>(json: &Json) -> [f64; N] {
    let list: Vec<f64> = json.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    list.try_into().unwrap()
}

#[test]
fn the_ends_of_fast_tops() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../lieflow-bench/data/reference.json");
    let data: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for (moments, name) in [([5.0, 5.0, 1.0], "w2"), ([5.0, 4.0, 1.0], "w2-general")] {
        let [a, b, c, d, e, f, g, h, i] = numbers::<9>(&data[name]["rotation"]);
        let rotation = Mat3::lift([[a, b, c], [d, e, f], [g, h, i]]);
        let want = BodyState::new(rotation, Vec3::from(numbers::<3>(&data[name]["momentum"])));
        let field = Field::LagrangeTop { strength: 20.0 };
        let top = body(moments, field, [0.3, 0.0, 0.0], [0.0, 0.0, 50.0 * moments[2]]);
        for (method, steps) in [
            ("exs@rkn6a", 600.0),
            ("dmv10@rkn6a", 800.0),
            ("rkmk-dop853", 1400.0),
            ("taylor", 400.0),
        ] {
            let (r, p) = errors(&run(&top, method, 10.0 / steps, 10.0).unwrap(), &want);
            assert!(r < 5e-12 && p < 5e-11, "{name}, {method}: {r:e} {p:e}");
        }
    }
}
