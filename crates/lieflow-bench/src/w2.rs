//! A fast top: the smallest time in which a method reaches an attitude error.
//!
//! The second case is the same with three different moments of inertia, where the exact free motion
//! needs elliptic functions. Its reference comes from power series in whole numbers, 57 digits long,
//! with two lengths of the step that agree in every digit that is kept.
use crate::problem::{Case, rotation};
use crate::reference::{numbers, reference, spectral_distance};
use crate::{BenchError, Effort, Row};
use std::time::Duration;

const PROBLEM: &str = r#"
system = "rigid-body"
[parameters]
inertia = [5.0, 5.0, 1.0]
potential = { kind = "lagrange-top", strength = 20.0 }
[initial]
rotation = { vector = [0.3, 0.0, 0.0] }
omega = [0.0, 0.0, 50.0]
[solve]
method = "exs"
step = 0.01
until = 10.0
"#;

const TARGETS: [f64; 3] = [1e-4, 1e-8, 1e-11];

/// A method, and the numbers of steps that are tried.
type Candidate = (&'static str, &'static [u64]);

const CANDIDATES: [Candidate; 8] = [
    ("exs@bm4", &[30, 40, 50, 60, 80, 120, 240, 480, 960, 1920]),
    ("exs@rkn4", &[30, 40, 50, 60, 80, 120, 240, 480, 960, 1920]),
    ("exs@rkn6", &[16, 20, 25, 30, 40, 50, 60, 80, 90, 100, 120, 180, 240, 300, 360, 480]),
    (
        "exs@rkn6a",
        &[
            11, 12, 14, 16, 18, 20, 25, 30, 40, 46, 50, 52, 54, 60, 80, 100, 120, 150, 164, 180,
            240, 360,
        ],
    ),
    ("exs@kl6", &[40, 60, 80, 120, 180, 240, 360, 480, 640, 1000]),
    ("rkmk-dop853", &[200, 300, 400, 500, 600, 800, 1000, 1400, 2000]),
    ("rkmk4", &[1000, 2000, 8000, 64000, 128000]),
    ("liemid-ea", &[10000, 40000, 640000]),
];

/// In place of those above, or besides them, where the moments differ.
const FOR_THREE_MOMENTS: [Candidate; 8] = [
    ("exs@fg4", &[96, 100, 104, 108, 112, 116, 120, 160, 240, 480, 960, 1920]),
    ("exs@bm4", &[60, 90, 120, 240, 480, 560, 960, 1920, 2400, 3000]),
    ("exs@rkn6a", &[60, 80, 100, 120, 150, 180, 200, 220, 240, 300, 360, 420, 450, 480, 540]),
    ("dmv10@rkn6a", &[140, 150, 180, 240, 300, 330, 360, 480, 600, 640, 720]),
    ("rkmk-dop853", &[160, 200, 300, 400, 450, 500, 600, 800, 900, 1000, 1400]),
    ("taylor", &[116, 120, 131, 150, 160, 180, 193, 200, 220, 240, 263, 300, 320, 340]),
    ("taylor16", &[150, 180, 200, 250, 264, 300, 350, 400, 418]),
    ("taylor22", &[114, 140, 160, 179, 190, 200, 210, 220, 229, 240]),
];

/// Microseconds to each error.
pub fn run(effort: &Effort, emit: &mut dyn FnMut(Row)) -> Result<(), BenchError> {
    let symmetric = Case::open(PROBLEM)?;
    let truth = numbers(&reference()["w2"]["rotation"], "w2")?;
    ladder(effort, "J = (5, 5, 1)", &symmetric, &truth, &CANDIDATES, emit)?;
    let general = Case::open(&PROBLEM.replace("[5.0, 5.0, 1.0]", "[5.0, 4.0, 1.0]"))?;
    let truth = numbers(&reference()["w2-general"]["rotation"], "w2-general")?;
    ladder(effort, "J = (5, 4, 1)", &general, &truth, &for_three_moments(), emit)
}

fn for_three_moments() -> Vec<Candidate> {
    let others = |one: &&Candidate| FOR_THREE_MOMENTS.iter().all(|other| other.0 != one.0);
    FOR_THREE_MOMENTS.iter().chain(CANDIDATES.iter().filter(others)).copied().collect()
}

fn ladder(
    effort: &Effort,
    name: &str,
    case: &Case,
    truth: &[f64],
    candidates: &[Candidate],
    emit: &mut dyn FnMut(Row),
) -> Result<(), BenchError> {
    for (method, counts) in candidates {
        let mut points = Vec::new();
        for steps in *counts {
            if effort.quick && *steps > 10000 {
                continue;
            }
            let record = case.fixed(method, *steps)?;
            let error = spectral_distance(&rotation(&record.state), truth);
            points.push((*steps, error));
        }
        for target in TARGETS {
            let Some((steps, error)) = points.iter().find(|(_, error)| *error <= target) else {
                continue;
            };
            let some = Effort { least: effort.least.min(Duration::from_millis(60)), ..*effort };
            let time = some.smallest(|| case.fixed(method, *steps).map(|r| r.seconds))?;
            emit(Row {
                id: "w2",
                case: format!("{name}, error ≤ {target:e}"),
                method: (*method).into(),
                metric: "time to the end",
                value: 1e6 * time,
                unit: "µs",
                error: *error,
                more: vec![("target", target), ("steps", *steps as f64)],
            });
        }
    }
    Ok(())
}
