//! An ensemble of tops with different initial velocities.
//!
//! Trajectory `i` starts with `Ω = (2u-1, 2u-1, 20+40u)`, each `u` the next number of splitmix64
//! with the seed `2024 + i`. Nominal steps are counted: a method that reaches the end with fewer and
//! bigger ones counts as if it had made 1,000.
use crate::reference::{numbers, reference, spectral_distance};
use crate::{BenchError, Effort, Row};
use lieflow_device::Device;
use lieflow_ensemble::design::Design;
use lieflow_ensemble::run::{Job, Settings, check_device, run as run_ensemble};
use lieflow_models::problem_file::Document;
use lieflow_models::run::NullSink;
use std::fmt::Write as _;

const COUNT: u64 = 100_000;
/// The steps that are counted for a trajectory.
const NOMINAL: f64 = 1000.0;

/// Methods, the space in which the general ones work, and how many steps they make.
const RUNS: [(&str, &str, u64); 9] = [
    ("rkmk4", "se3", 1000),
    ("rkmk4-casas-owren", "lift", 1000),
    ("liemid-ea", "se3", 1000),
    ("exs", "se3", 1000),
    ("exs@rkn6a", "se3", 3),
    ("exs@rkn6a", "se3", 4),
    ("exs@rkn6a", "se3", 6),
    ("exs@rkn6a", "se3", 12),
    ("rkmk-dop853", "se3", 40),
];

const PROBLEM: &str = r#"
system = "rigid-body"
[parameters]
inertia = [5.0, 5.0, 1.0]
potential = { kind = "lagrange-top", strength = 20.0 }
space = "SPACE"
[initial]
rotation = { vector = [0.3, 0.0, 0.0] }
omega = [0.0, 0.0, 50.0]
[solve]
method = "METHOD"
step = STEP
until = 1.0
[ensemble]
count = COUNT
[[ensemble.vary]]
key = "initial.omega"
csv = "omega.csv"
columns = ["x", "y", "z"]
"#;

/// The numbers of the generator splitmix64.
struct SplitMix(u64);

impl SplitMix {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 * (1.0 / 9007199254740992.0)
    }
}

fn omega(index: u64) -> [f64; 3] {
    let mut numbers = SplitMix(2024 + index);
    let [a, b, c] = [(); 3].map(|()| numbers.uniform());
    [2.0 * a - 1.0, 2.0 * b - 1.0, 20.0 + 40.0 * c]
}

/// The initial velocities, as a table.
fn velocities(count: u64) -> String {
    let mut table = String::from("x,y,z\n");
    for i in 0..count {
        let [x, y, z] = omega(i);
        let _ = writeln!(table, "{x:?},{y:?},{z:?}");
    }
    table
}

/// The problem of a run.
fn problem((method, space, steps): (&str, &str, u64), count: u64) -> String {
    PROBLEM
        .replace("METHOD", method)
        .replace("SPACE", space)
        .replace("STEP", &format!("{:?}", 1.0 / steps as f64))
        .replace("COUNT", &count.to_string())
}

/// The same on devices, with more trajectories, as far as they know the method.
pub fn run_on(
    effort: &Effort,
    devices: &[Box<dyn Device>],
    emit: &mut dyn FnMut(Row),
) -> Result<(), BenchError> {
    let count = if effort.quick { COUNT } else { 10 * COUNT };
    let table = velocities(count);
    for (method, space, steps) in RUNS {
        let text = problem((method, space, steps), count);
        let document = Document::parse(&text, "w4", &[])?;
        let design = Design::read(&document, &|_| Ok(table.clone()))?;
        if check_device(&design).is_err() {
            continue;
        }
        let error = largest_error(&text, count)?;
        let mut inner = f64::INFINITY;
        let brief = Effort { rounds: effort.rounds.min(3), ..*effort };
        let time = brief.smallest(|| {
            let job = Job::new(&design, document.to_json(), Settings::default());
            let outcome = job.devices(devices).run(&mut ())?;
            inner = inner.min(outcome.integration_seconds);
            Ok::<_, BenchError>(outcome.seconds)
        })?;
        emit(Row {
            id: "w4",
            case: format!("{space}, {steps} steps, {count} on GPUs"),
            method: method.into(),
            metric: "trajectory steps per second",
            value: count as f64 * NOMINAL / time / 1e6,
            unit: "million",
            error,
            more: vec![
                ("steps", steps as f64),
                ("seconds", time),
                // With copies; those of one chunk overlap with the steps of another.
                ("device_seconds", inner),
            ],
        });
    }
    Ok(())
}

/// Trajectory steps per second of each method, on one and on all cores.
pub fn run(effort: &Effort, emit: &mut dyn FnMut(Row)) -> Result<(), BenchError> {
    let count = if effort.quick { COUNT / 10 } else { COUNT };
    let table = velocities(count);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for (method, space, steps) in RUNS {
        let text = problem((method, space, steps), count);
        let document = Document::parse(&text, "w4", &[])?;
        let design = Design::read(&document, &|_| Ok(table.clone()))?;
        let error = largest_error(&text, count)?;
        let mut single = f64::NAN;
        for (threads, alone) in [(1, true), (1, false), (cores, false)] {
            if alone && effort.quick {
                continue;
            }
            let settings = Settings { threads, lanes: alone.then_some(1), shard: None };
            let (mut lanes, mut inner) = (1, f64::INFINITY);
            // A round is long enough to be timed once.
            let brief = Effort { rounds: if alone { 1 } else { effort.rounds.min(3) }, ..*effort };
            let time = brief.smallest(|| {
                let outcome = run_ensemble(&design, document.to_json(), settings, None, &|_| {})?;
                lanes = outcome.lanes;
                inner = inner.min(outcome.integration_seconds);
                Ok::<_, BenchError>(outcome.seconds)
            })?;
            let rate = count as f64 * NOMINAL / time;
            if threads == 1 {
                single = rate;
            }
            emit(Row {
                id: "w4",
                case: format!("{space}, {steps} steps, {threads} threads, {lanes} lanes"),
                method: method.into(),
                metric: "trajectory steps per second",
                value: rate / 1e6,
                unit: "million",
                error,
                more: vec![
                    ("steps", steps as f64),
                    ("threads", threads as f64),
                    ("lanes", lanes as f64),
                    ("seconds", time),
                    // Summed over the cores, without reading, building and statistics.
                    ("integration_ns_per_step", 1e9 * inner / (count as f64 * NOMINAL)),
                    ("speedup_by_threads", rate / single),
                ],
            });
        }
    }
    Ok(())
}

/// The largest attitude error of the sampled trajectories, each run alone: the ensemble has the
/// same bits.
fn largest_error(text: &str, count: u64) -> Result<f64, BenchError> {
    let samples = reference()["w4"]["samples"].as_array().ok_or(BenchError::Reference("w4"))?;
    let mut worst: f64 = 0.0;
    for sample in samples {
        let index = sample["index"].as_u64().ok_or(BenchError::Reference("w4"))?;
        if index >= count {
            continue;
        }
        let text = text.replace("[0.0, 0.0, 50.0]", &format!("{:?}", omega(index)));
        let document = Document::parse(&text, "w4", &[])?;
        let (model, mut plan) = (document.build()?, document.plan()?);
        plan.watch = false;
        plan.every = u64::MAX;
        let record =
            model.run(&plan, &mut NullSink).map_err(|failure| BenchError::Run(*failure.error))?;
        let truth = numbers(&sample["rotation"], "w4")?;
        worst = worst.max(spectral_distance(&crate::problem::rotation(&record.state), &truth));
    }
    Ok(worst)
}
