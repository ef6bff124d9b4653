//! The free body of Krysl's section 2.2, with attitude.
use crate::problem::{Case, rotation, vector};
use crate::reference::{numbers, reference, spectral_distance};
use crate::{BenchError, Effort, Row};

const PROBLEM: &str = r#"
system = "rigid-body"
[parameters]
inertia = [0.9144, 1.098, 1.66]
potential = { kind = "free" }
[initial]
rotation = { vector = [0.0, 0.0, 0.0] }
omega = [0.45549, 0.82623, 0.03476]
[solve]
method = "liemid"
step = 0.01
until = 10000.0
"#;

const STEPS: u64 = 1_000_000;
const METHODS: [&str; 8] =
    ["liemid", "liemid-ea", "vlv", "rattle", "exs", "rkmk4", "rkmk4-casas-owren", "rkmk-dop853"];

/// Nanoseconds per step of each method.
pub fn run(effort: &Effort, emit: &mut dyn FnMut(Row)) -> Result<(), BenchError> {
    let case = Case::open(PROBLEM)?;
    let attitude = numbers(&reference()["w1"]["rotation"], "w1")?;
    let momentum = numbers(&reference()["w1"]["momentum"], "w1")?;
    for method in METHODS {
        let record = case.fixed(method, STEPS)?;
        let error = spectral_distance(&rotation(&record.state), &attitude);
        let apart = vector(&record.state, "momentum").into_iter().zip(&momentum);
        let momentum_error = apart.map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        // Short pieces of the run: one of them is undisturbed.
        let piece = STEPS / 10;
        let short = Case::open(&PROBLEM.replace("10000.0", "1000.0"))?;
        let time = effort.smallest(|| short.fixed(method, piece).map(|r| r.seconds))?;
        emit(Row {
            id: "w1",
            case: String::new(),
            method: method.into(),
            metric: "time per step",
            value: 1e9 * time / piece as f64,
            unit: "ns",
            error,
            more: vec![
                ("momentum_error", momentum_error),
                ("manifold_error", record.manifold_error),
                ("steps", STEPS as f64),
            ],
        });
    }
    Ok(())
}
