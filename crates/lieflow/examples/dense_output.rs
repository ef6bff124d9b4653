//! Dense output: states at even times from a run whose steps are not even.
//!
//! Run it with `cargo run -p lieflow --example dense_output`.
use lieflow::action::Turn;
use lieflow::chart::Chart;
use lieflow::method::rkmk::Rkmk;
use lieflow::problem::{Generator, Problem};
use lieflow::stepping::{Adaptive, Trajectory, integrate};
use lieflow::{Vec3, tableau, vec3};

/// A compass needle without inertia in a field that swings: `m' = m × B(t)`.
pub struct Needle;

impl Problem for Needle {
    type Point = Vec3<f64>;
    fn start(&self) -> Vec3<f64> {
        vec3(1.0, 0.0, 0.0)
    }
}

impl Generator for Needle {
    type Space = Turn<f64>;
    fn field(&self, t: f64, _m: &Vec3<f64>) -> Vec3<f64> {
        vec3((t * t).cos(), 0.0, -1.0)
    }
}

/// Eleven states of one run, on the sphere and as accurate as the run.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let times: Vec<f64> = (0..=10).map(|i| 0.5 * f64::from(i)).collect();
    let mut kept = Trajectory::at(times);
    let mut method = Rkmk::new(&tableau::DOP853, Chart::Exp);
    let control = &mut Adaptive::pi(1e-10, 8);
    let end = integrate(&Needle, &mut method, control, (0.0, 5.0), 0.1, &mut kept)?;
    println!("{} steps, {} evaluations", end.steps, end.cost.field_evaluations);
    for (t, m) in kept.iter() {
        println!("t = {t:3.1}  m = {:9.6?}  |m| - 1 = {:+.1e}", m.to_array(), m.norm() - 1.0);
    }
    Ok(())
}
