//! The free bodies of Lewis and Olver: ten bodies drawn from a fixed seed, the largest energy
//! error of each, and the mean of these.
//!
//! The paper does not print its bodies, so they are ours: SplitMix64, seeded, uniform moments and
//! a uniform point of the sphere. Keys: `bodies = "triaxial" | "axisymmetric" | "separatrix"`,
//! `seed`, `count`.
use super::{DataTable, ExperimentError, Outcome, exact, failed, need_steps, problem};
use crate::experiment::StudyTable;
use lieflow_models::problem_file::Warnings;
use lieflow_models::run::{NullSink, Pace};
use lieflow_report::figure::{Figure, Series, Style};

/// A free body: principal moments and a momentum of length one.
struct Body {
    inertia: [f64; 3],
    momentum: [f64; 3],
}

/// Steele, Lea and Flood's generator.
pub(super) struct SplitMix(u64);

impl SplitMix {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// Uniform in [0, 1).
    pub(super) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (0.5 * f64::EPSILON)
    }
    pub(super) fn sphere(&mut self) -> [f64; 3] {
        let z = 2.0 * self.unit() - 1.0;
        let angle = std::f64::consts::TAU * self.unit();
        let r = (1.0 - z * z).sqrt();
        [r * angle.cos(), r * angle.sin(), z]
    }
}

fn draw(kind: &str, seed: u64, count: u64) -> Vec<Body> {
    let mut random = SplitMix::new(seed);
    let mut bodies = Vec::new();
    for _ in 0..count {
        bodies.push(match kind {
            "axisymmetric" => {
                let p = 3.0 + 2.0 * random.unit();
                let q = 3.0 + 2.0 * random.unit();
                Body { inertia: [p, p, q], momentum: random.sphere() }
            }
            "separatrix" => {
                let mut j = [0; 3].map(|_| 1.5 + 1.5 * random.unit());
                j.sort_by(f64::total_cmp);
                let a = j.map(|j| 1.0 / j);
                let angle = std::f64::consts::TAU * random.unit();
                let sign = if random.unit() < 0.5 { 1.0 } else { -1.0 };
                let d = [(a[1] - a[2]).sqrt(), 0.0, sign * (a[0] - a[1]).sqrt()];
                let n = (d[0] * d[0] + d[2] * d[2]).sqrt();
                let (sin, cos) = angle.sin_cos();
                Body { inertia: j, momentum: [sin * d[0] / n, cos, sin * d[2] / n] }
            }
            _ => {
                let inertia = [0; 3].map(|_| 1.5 + 1.5 * random.unit());
                Body { inertia, momentum: random.sphere() }
            }
        });
    }
    bodies
}

pub(super) fn carry_out(table: &StudyTable, quick: bool) -> Result<Outcome, ExperimentError> {
    need_steps(table, 1)?;
    let warnings = Warnings::default();
    let reader = table.reader(&warnings)?;
    let kind = reader.choice("bodies", &["triaxial", "axisymmetric", "separatrix"])?;
    let seed = reader.optional_integer("seed")?.unwrap_or(20011009);
    let count = reader.optional_integer("count")?.unwrap_or(10).max(1);
    reader.finish()?;
    let bodies = draw(kind, seed, count);

    let mut outcome = Outcome::default();
    let mut figure =
        Figure::new(table.title.as_str(), "step", "mean of the largest energy errors").log_log();
    let mut data = DataTable { name: table.name.clone(), ..DataTable::default() };
    data.head = ["method", "step", "mean", "worst"].map(String::from).into();
    for choice in &table.methods {
        let mut points = Vec::new();
        for (step_name, step) in &table.steps {
            let (mut sum, mut worst, mut seconds) = (0.0, 0.0f64, 0.0);
            for body in &bodies {
                let more = [
                    format!("parameters.inertia={:?}", body.inertia),
                    format!("initial.momentum={:?}", body.momentum),
                ];
                let (model, mut plan) = problem(table, Some(choice), &more, quick)?;
                plan.pace = Pace::Fixed { step: *step };
                plan.every = u64::MAX;
                let record = model
                    .run(&plan, &mut NullSink)
                    .map_err(|f| failed(table, &choice.label, step_name, f))?;
                let energy = record.invariants.iter().find(|q| q.name == "energy");
                let error = energy.map_or(f64::NAN, |q| q.max_error);
                sum += error;
                worst = worst.max(error);
                seconds += record.seconds;
            }
            let mean = sum / bodies.len() as f64;
            let path = |what: &str| format!("{}/{}/{step_name}/{what}", table.name, choice.label);
            outcome.measured.put(path("mean"), mean);
            outcome.measured.put(path("worst"), worst);
            outcome.measured.put(path("seconds"), seconds);
            points.push((*step, mean));
            data.rows.push(vec![choice.label.clone(), exact(*step), exact(mean), exact(worst)]);
        }
        figure = figure.with(Series::new(choice.label.as_str(), Style::Marked, points));
    }
    outcome.figures.push(figure);
    outcome.data.push(data);
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bodies_are_those_of_the_reference_data() {
        let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
        let body = &draw("triaxial", 20011009, 1)[0];
        assert!(near(body.inertia, [1.9475906148345026, 1.9171726714442188, 2.250162269134262]));
        assert!(near(
            body.momentum,
            [-0.8413244263045957, 0.5214155936030933, -0.14247451860166782]
        ));
        let body = &draw("axisymmetric", 20011009, 1)[0];
        assert!(near(body.inertia, [3.5967874864460034, 3.5967874864460034, 3.556230228592292]));
        let body = &draw("separatrix", 20011009, 1)[0];
        assert!(near(
            body.momentum,
            [0.4093249665791179, -0.9014897666149191, 0.14060324471214314]
        ));
    }
}
