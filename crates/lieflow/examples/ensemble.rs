//! Eight trajectories at once: the same problem on numbers with eight lanes.
//!
//! Each lane has the bits of the single run. For files, statistics, shards and all cores there is
//! `lieflow ensemble`. Run it with `cargo run --release -p lieflow --example ensemble`.
use lieflow::action::Turn;
use lieflow::chart::Chart;
use lieflow::method::rkmk::Rkmk;
use lieflow::problem::{Generator, Problem};
use lieflow::stepping::{Fixed, integrate};
use lieflow::{Lanes, Real, Vec3, tableau, vec3};

/// A free rigid body seen from itself: `m' = m × J⁻¹m`, on the sphere of its momentum.
pub struct Body<S> {
    start: Vec3<S>,
}

impl<S: Real> Problem for Body<S> {
    type Point = Vec3<S>;
    fn start(&self) -> Vec3<S> {
        self.start
    }
}

impl<S: Real> Generator for Body<S> {
    type Space = Turn<S>;
    fn field(&self, _t: f64, m: &Vec3<S>) -> Vec3<S> {
        // m' = f × m with f = -J⁻¹m, J = (1, 2, 3).
        vec3(-m.x, -(m.y * 0.5), -(m.z * (1.0 / 3.0)))
    }
}

fn run<S: Real>(start: Vec3<S>) -> Result<Vec3<S>, Box<dyn std::error::Error>> {
    let mut method = Rkmk::new(&tableau::RK4, Chart::Exp);
    let (body, span) = (Body { start }, (0.0, 20.0));
    Ok(integrate(&body, &mut method, &mut Fixed::new(), span, 0.05, &mut ())?.state)
}

/// Eight disturbances of a turn about the middle axis, together and one by one.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let disturbance = |i: usize| 1e-3 * (i + 1) as f64;
    let first: [f64; 8] = std::array::from_fn(disturbance);
    let together = run(vec3(Lanes(first), Lanes([1.0; 8]), Lanes([0.0; 8])))?;
    for (i, start) in first.into_iter().enumerate() {
        let alone = run(vec3(start, 1.0, 0.0))?;
        assert_eq!(together.lane(i), alone, "the same bits");
        println!("disturbed by {start:.0e}: m = {:9.6?}", alone.to_array());
    }
    Ok(())
}
