//! Reading of the reference file, and runs of methods from the registry.
use lieflow::Vec3;
use lieflow::action::{Action, Isotropy};
use lieflow::chart::Chart;
use lieflow::method::isotropy::generator::ChoosableGenerator;
use lieflow::method::isotropy::orbit::{Coordinates, Explicit};
use lieflow::method::isotropy::{ChosenGenerator, Conserve, Part};
use lieflow::method::{Method, Options};
use lieflow::problem::{Generator, Problem};
use lieflow::tableau::{EULER, HEUN2, RK4};
use lieflow_models::run::ModelSystem;
use lieflow_testing::observe;
pub use lieflow_testing::reference::{number, numbers, vector, vectors};
use serde_json::Value;

pub fn reference() -> Value {
    lieflow_testing::reference::public("isotropy")
}

/// The largest distance of two lists of vectors.
pub fn off(a: &[Vec3<f64>], b: &[Vec3<f64>]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (*a - *b).norm()).fold(0.0, f64::max)
}

/// A method from the registry.
pub fn made<P: ModelSystem>(
    p: &P,
    id: &str,
    part: Part,
    conserve: Option<Conserve>,
) -> Box<dyn Method<P>> {
    let entries = P::entries();
    let entry = entries.iter().find(|e| e.card.id == id).unwrap();
    let options = Options { isotropy: part, conserve, ..Options::default() };
    (entry.make)(p, &options).unwrap()
}

/// Steps to the time `until`; `see` looks at each state.
pub fn run<P: Problem>(
    p: &P,
    method: &mut dyn Method<P>,
    until: f64,
    steps: usize,
    mut see: impl FnMut(&P::Point),
) -> P::Point {
    observe(p, method, until / steps as f64, steps, |_, y| see(y))
}

/// The step that a name of the reference file means.
pub fn named_step<P>(p: &P, name: &str, chart: Chart, h: f64) -> P::Point
where
    P: ChoosableGenerator<1, Scalar = f64>,
{
    let (scheme, part) = name.split_once('_').unwrap();
    let part = match part {
        "b" => Part::Given,
        "o" => Part::Orthogonal,
        "i" => Part::Curvature,
        other => panic!("no part {other}"),
    };
    let (tableau, pulled) = match scheme {
        "Eul" => (&EULER, true),
        "Heun" => (&HEUN2, false),
        "RKMK4" => (&RK4, true),
        other => panic!("no scheme {other}"),
    };
    let y = p.start();
    let chosen = ChosenGenerator::new(p.clone(), part);
    let u = Explicit { tableau, chart, pulled }.coordinates(&chosen, 0.0, &y, h);
    let mut out = y.clone();
    <P as Generator>::Space::advance(chart, &u, &y, &mut out);
    out
}

/// The velocity at the start.
pub fn velocity<P: ChoosableGenerator<1, Scalar = f64>>(p: &P) -> Vec<f64> {
    let y = p.start();
    let mut v = vec![0.0; P::Space::ambient(&y)];
    P::Space::velocity(&p.field(0.0, &y), &y, &mut v);
    v
}

/// Steps of the reference file: both charts, all names.
pub fn check_steps<P>(p: &P, row: &Value) -> f64
where
    P: ChoosableGenerator<1, Scalar = f64, Point = Vec<Vec3<f64>>>,
{
    let h = number(&row["h"]);
    let mut worst = 0.0f64;
    for (word, chart) in [("exp", Chart::Exp), ("cay", Chart::Cayley)] {
        for (name, want) in row[word].as_object().unwrap() {
            worst = worst.max(off(&named_step(p, name, chart, h), &vectors(want)));
        }
    }
    let flat: Vec<f64> = row["velocity"].as_array().unwrap().iter().flat_map(numbers).collect();
    let v = velocity(p);
    assert!(v.iter().zip(&flat).all(|(a, b)| (a - b).abs() < 1e-14));
    // The curvature of each factor.
    let y = p.start();
    let i = ChosenGenerator::new(p.clone(), Part::Curvature).field(0.0, &y);
    let sigma = numbers(&row["sigma_i"]);
    for k in 0..y.len() {
        let coordinate = |j: usize| {
            use lieflow::group::LieAlgebra;
            i.coord(3 * k + j) * y[k].get(j)
        };
        let found = coordinate(0) + coordinate(1) + coordinate(2);
        assert!((found - sigma[k]).abs() < 1e-13, "{k}: {found} {}", sigma[k]);
    }
    worst
}
