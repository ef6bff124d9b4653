//! Orders of the compositions of symmetric methods on spheres, seen on the double spherical
//! pendulum, for directions and angular velocities each.
use super::data::*;
use lieflow::method::{Options, spheres};
use lieflow::problem::spheres::{OnSpheres, Se3Coordinates};
use lieflow_models::system::pendulum_chain::PendulumChain;

type Double = OnSpheres<PendulumChain<f64>, Se3Coordinates>;

/// Below this, rounding takes part.
const FLOOR: f64 = 2e-11;

#[test]
fn compositions_have_their_orders() {
    let data = reference();
    let case = flow(&data, "double_spherical_pendulum");
    let p = Double::new(chain(&case), &start(&case));
    let states = case["states"].as_array().unwrap();
    let at_one = states.iter().find(|s| s["t"].as_f64() == Some(1.0)).unwrap();
    let exact = links(&at_one["q"], &at_one["w"]);
    let mut seen = 0;
    for entry in spheres::entries::<Double>() {
        let id = entry.card.id;
        let Some((_, scheme)) = id.split_once('@') else { continue };
        let stated = match scheme {
            "tj4" | "su4" => 4,
            "tj6" | "yo6" | "kl6" => 6,
            other => panic!("an order for {other}"),
        };
        assert_eq!(entry.card.order, stated, "{id}");
        // Halves of halves of steps; the least orders of the finest three that rounding allows.
        let mut errors_seen = Vec::new();
        for k in 5..=11 {
            let steps = 1usize << k;
            let mut method = (entry.make)(&p, &Options::default()).unwrap();
            let end = run(&p, method.as_mut(), 1.0 / steps as f64, steps);
            let e = errors(&end, &exact);
            if e.0 < FLOOR || e.1 < FLOOR {
                break;
            }
            errors_seen.push(e);
        }
        let orders: Vec<(f64, f64)> = errors_seen
            .windows(2)
            .map(|w| ((w[0].0 / w[1].0).log2(), (w[0].1 / w[1].1).log2()))
            .collect();
        let last = errors_seen.last().unwrap();
        println!("{id}: errors to {:.1e} {:.1e}, orders {orders:.2?}", last.0, last.1);
        let (q, w) = *orders.last().unwrap();
        let stated = f64::from(stated);
        assert!((q - stated).abs() < 0.25, "{id}: order {q} of the directions");
        assert!((w - stated).abs() < 0.25, "{id}: order {w} of the angular velocities");
        seen += 1;
    }
    assert_eq!(seen, 15);
}
