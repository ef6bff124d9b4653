//! Roundings of a free body over very many steps, by many motions: the root mean square over them of what
//! energy, momentum in space and `RᵀR - I` are off by.
//!
//! Motions are ours: SplitMix64, seeded; attitudes by rotation vectors of length two, momenta of lengths from
//! one half to two. Keys: `motion = "tumbling" | "spin"` (about the third axis), `quantities = ["energy",
//! "momentum", "rotation"]`, `starts`, `decades` (of steps), and both for `--quick` as `quick_starts` and
//! `quick_decades`; `seed`.
//!
//! `exponent` is the power of the number of steps with which a root mean square grows, where a few roundings
//! count as none at all; a random walk has 0.5. `bias` is the mean at the end over the root mean square, which
//! strays by `1/sqrt(starts)` where there is none: of the energy, of the length of the momentum, and of the
//! trace of `RᵀR - I`.
use super::ensemble::SplitMix;
use super::{DataTable, ExperimentError, Outcome, exact, failed, need_steps, problem};
use crate::experiment::StudyTable;
use lieflow::problem::Value;
use lieflow::stepping::Line;
use lieflow_models::problem_file::Warnings;
use lieflow_models::run::{Pace, Sink, State};
use lieflow_report::figure::{Figure, Series, Style};
use std::ops::ControlFlow;

/// The steps after which a state is looked at first, and from then on.
const FIRST: u64 = 100;

const QUANTITIES: [&str; 3] = ["energy", "momentum", "rotation"];

/// What counts as no error.
const ROUNDINGS: f64 = 2e-15;

pub(super) fn carry_out(table: &StudyTable, quick: bool) -> Result<Outcome, ExperimentError> {
    need_steps(table, 1)?;
    let warnings = Warnings::default();
    let reader = table.reader(&warnings)?;
    let spin = reader.choice("motion", &["tumbling", "spin"])? == "spin";
    let wanted = match reader.optional("quantities") {
        Some(_) => crate::experiment::texts(&reader, "quantities")?,
        None => QUANTITIES.map(String::from).to_vec(),
    };
    let number =
        |key, else_: u64| Ok::<_, ExperimentError>(reader.optional_integer(key)?.unwrap_or(else_));
    let (starts, decades) = (number("starts", 16)?, number("decades", 6)?);
    let (quick_starts, quick_decades) = (number("quick_starts", 4)?, number("quick_decades", 4)?);
    let seed = number("seed", 20_020_707)?;
    reader.finish()?;
    let (starts, decades) = if quick { (quick_starts, quick_decades) } else { (starts, decades) };
    let steps = 10u64.pow(decades.clamp(3, 9) as u32);

    let mut outcome = Outcome::default();
    let mut data = DataTable { name: table.name.clone(), ..DataTable::default() };
    data.head = ["method", "step", "quantity", "steps", "rms", "mean"].map(String::from).into();
    let mut figures: Vec<Figure> = wanted
        .iter()
        .map(|name| {
            let what = match name.as_str() {
                "rotation" => "largest entry of RᵀR − I, rms".into(),
                name => format!("relative error of the {name}, rms"),
            };
            Figure::new(table.title.as_str(), "steps", what).log_log()
        })
        .collect();
    for choice in &table.methods {
        for (step_name, step) in &table.steps {
            let mut random = SplitMix::new(seed);
            let mut ensemble: Vec<Followed> = Vec::new();
            for _ in 0..starts.max(1) {
                let direction = random.sphere();
                let size = 0.5 + 1.5 * random.unit();
                let direction = if spin { [0.0, 0.0, 1.0] } else { direction };
                let vector = random.sphere().map(|x| 2.0 * x);
                let more = [
                    format!(
                        "initial={{ momentum = {:?}, rotation = {{ vector = {vector:?} }} }}",
                        direction.map(|x| size * x)
                    ),
                    format!("solve.until={:?}", steps as f64 * step),
                ];
                let (model, mut plan) = problem(table, Some(choice), &more, quick)?;
                plan.pace = Pace::Fixed { step: *step };
                plan.every = FIRST;
                let mut sink = Followed::default();
                model
                    .run(&plan, &mut sink)
                    .map_err(|f| failed(table, &choice.label, step_name, f))?;
                ensemble.push(sink);
            }
            for (name, figure) in wanted.iter().zip(&mut figures) {
                let Some(i) = QUANTITIES.iter().position(|q| q == name) else { continue };
                let curve = Curve::of(&ensemble, i);
                let path = |what: &str| {
                    format!("{}/{}/{step_name}/{name}/{what}", table.name, choice.label)
                };
                outcome.measured.put(path("exponent"), curve.exponent());
                outcome.measured.put(path("bias"), curve.bias);
                if let Some((_, rms, _)) = curve.points.last() {
                    outcome.measured.put(path("final"), *rms);
                }
                for (n, rms, mean) in &curve.points {
                    data.rows.push(vec![
                        choice.label.clone(),
                        exact(*step),
                        name.clone(),
                        n.to_string(),
                        exact(*rms),
                        exact(*mean),
                    ]);
                }
                let points = curve.points.iter().map(|(n, rms, _)| (*n as f64, *rms));
                let points = points.filter(|(_, rms)| *rms > 0.0);
                figure.series.push(Series::new(choice.label.as_str(), Style::Marked, points));
            }
        }
    }
    outcome.figures = figures.into_iter().map(|figure| figure.with_slope(0.5)).collect();
    outcome.data.push(data);
    Ok(outcome)
}

/// How large an error is, and with its sign.
type Error = (f64, f64);

/// One motion, looked at after 100, 300, 1000, 3000, … steps.
#[derive(Default)]
struct Followed {
    energy: Option<usize>,
    looks: u64,
    start: Option<(f64, [f64; 3])>,
    found: Vec<(u64, [Error; 3])>,
}

impl Sink for Followed {
    fn begin(&mut self, invariants: &[&'static str], _: &State) -> ControlFlow<()> {
        self.energy = invariants.iter().position(|name| *name == "energy");
        ControlFlow::Continue(())
    }
    fn follows_steps(&self) -> bool {
        false
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        let steps = self.looks * FIRST;
        self.looks += 1;
        let energy = self.energy.and_then(|i| invariants.get(i)).copied().unwrap_or(f64::NAN);
        let (Some(r), Some(p)) = (rotation(state), momentum(state)) else {
            return ControlFlow::Break(());
        };
        let Some((energy_then, then)) = self.start else {
            self.start = Some((energy, p));
            return ControlFlow::Continue(());
        };
        let power = 10u64.pow(steps.ilog10());
        if steps == power || steps == 3 * power {
            let size = norm(then);
            let away = norm([0, 1, 2].map(|i| p[i] - then[i])) / size;
            let gain = energy / energy_then - 1.0;
            let (largest, trace) = defect(&r);
            let momentum = (away, (norm(p) - size) / size);
            self.found.push((steps, [(gain.abs(), gain), momentum, (largest, trace)]));
        }
        ControlFlow::Continue(())
    }
}

fn rotation(state: &State) -> Option<[[f64; 3]; 3]> {
    match state.part("rotation")? {
        Value::Rotation(rows) => Some(*rows),
        _ => None,
    }
}

fn momentum(state: &State) -> Option<[f64; 3]> {
    match state.part("spatial_momentum")? {
        Value::Vector(v) => Some(*v),
        _ => None,
    }
}

fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The largest entry of `RᵀR - I`, and a third of its trace.
fn defect(r: &[[f64; 3]; 3]) -> Error {
    let mut found = (0.0f64, 0.0);
    for i in 0..3 {
        for j in 0..3 {
            let unit = if i == j { 1.0 } else { 0.0 };
            let entry = r.iter().map(|row| row[i] * row[j]).sum::<f64>() - unit;
            found.0 = found.0.max(entry.abs());
            found.1 += unit * entry / 3.0;
        }
    }
    found
}

/// One quantity of all motions: steps, root mean square and mean.
struct Curve {
    points: Vec<(u64, f64, f64)>,
    bias: f64,
}

impl Curve {
    fn of(ensemble: &[Followed], i: usize) -> Self {
        let count = ensemble.len() as f64;
        let looks = ensemble.iter().map(|one| one.found.len()).min().unwrap_or(0);
        let mut curve = Self { points: Vec::new(), bias: 0.0 };
        for k in 0..looks {
            let mut sums = (0.0, 0.0, 0.0);
            let mut steps = 0;
            for one in ensemble {
                let (n, errors) = one.found[k];
                let (size, signed) = errors[i];
                steps = n;
                sums = (sums.0 + size * size, sums.1 + signed * signed, sums.2 + signed);
            }
            let mean = sums.2 / count;
            curve.points.push((steps, (sums.0 / count).sqrt(), mean));
            curve.bias = mean / (sums.1 / count).sqrt().max(f64::MIN_POSITIVE);
        }
        curve
    }

    /// The slope of the logarithm of the root mean square over that of the steps.
    fn exponent(&self) -> f64 {
        let mut line = Line::default();
        for (n, rms, _) in &self.points {
            line.push((*n as f64).ln(), rms.max(ROUNDINGS).ln());
        }
        line.slope()
    }
}
