//! Pendulum chains: the smallest time in which a method reaches an error in all directions and
//! angular velocities together, in the chart that takes the fewest operations.
use crate::problem::{Case, vectors};
use crate::reference::{numbers, reference};
use crate::{BenchError, Effort, Row};
use lieflow_models::run::State;
use std::time::Duration;

const METHODS: [&str; 2] = ["rkmk-dop853", "rkmk-dp54"];
const TARGETS: [f64; 3] = [1e-4, 1e-6, 1e-8];

fn problem(links: u64, length: f64) -> String {
    format!(
        r#"
system = "pendulum-chain"
[parameters]
count = {links}
masses = 1.0
lengths = {length:?}
gravity = [0.0, 0.0, -9.81]
[initial]
q = [0.7071067811865476, 0.0, 0.7071067811865476]
omega = [0.0, 1.0, 0.0]
[solve]
method = "rkmk-dop853"
chart = "stereographic"
tol = 1e-6
first_step = 1e-3
until = 3.0
"#
    )
}

/// Milliseconds to each error, for each chain.
pub fn run(effort: &Effort, emit: &mut dyn FnMut(Row)) -> Result<(), BenchError> {
    let chains = reference()["w3"]["chains"].as_array().ok_or(BenchError::Reference("w3"))?;
    for chain in chains {
        let list = |key: &str| numbers(&chain[key], "w3");
        let truth = [list("x")?, list("z")?, list("rate")?];
        let links = truth[0].len() as u64;
        let length = chain["length"].as_f64().ok_or(BenchError::Reference("w3"))?;
        if effort.quick && links > 100 {
            continue;
        }
        let case = Case::open(&problem(links, length))?;
        for method in METHODS {
            // A quarter of a decade at a time, until the last target is met.
            let mut open = TARGETS.to_vec();
            for k in 0..40 {
                let tol = 10f64.powf(-3.5 - 0.25 * f64::from(k));
                if open.is_empty() {
                    break;
                }
                let record = case.adaptive(method, tol)?;
                let error = distance(&record.state, &truth);
                while let Some(target) = open.first().copied().filter(|target| error <= *target) {
                    open.remove(0);
                    let some =
                        Effort { least: effort.least.min(Duration::from_millis(100)), ..*effort };
                    let time = some.smallest(|| case.adaptive(method, tol).map(|r| r.seconds))?;
                    let calls = record.cost.field_evaluations as f64;
                    emit(Row {
                        id: "w3",
                        case: format!("N = {links}, L = {length}, error ≤ {target:e}"),
                        method: method.into(),
                        metric: "time to the end",
                        value: 1e3 * time,
                        unit: "ms",
                        error,
                        more: vec![
                            ("target", target),
                            ("tolerance", tol),
                            ("field_evaluations", calls),
                            ("microseconds_per_evaluation", 1e6 * time / calls),
                            ("manifold_error", record.manifold_error),
                        ],
                    });
                }
            }
        }
    }
    Ok(())
}

/// The Euclidean distance of all directions and velocities from motion in the plane.
fn distance(state: &State, [x, z, rate]: &[Vec<f64>; 3]) -> f64 {
    let mut square = 0.0;
    for (i, (q, w)) in vectors(state, "q").iter().zip(vectors(state, "omega")).enumerate() {
        let apart = [q[0] - x[i], q[1], q[2] - z[i], w[0], w[1] - rate[i], w[2]];
        square += apart.iter().map(|d| d * d).sum::<f64>();
    }
    square.sqrt()
}
