//! A rigid body with any torque: a satellite in the gradient of gravity, which turns with the orbit,
//! with damping and a constant disturbance.
//!
//! The space is `BodyFrame` and the field is `(-ω, T)`, both in the body. Run it with
//! `cargo run -p lieflow --example torque`.
use lieflow::action::{BodyFrame, BodyState};
use lieflow::chart::Chart;
use lieflow::group::Twist;
use lieflow::kernel::rigid::Inertia;
use lieflow::method::rkmk::Rkmk;
use lieflow::problem::{Generator, Problem};
use lieflow::stepping::{Adaptive, integrate};
use lieflow::{Mat3, Vec3, tableau, vec3};

/// The satellite.
pub struct Satellite {
    inertia: Inertia<f64>,
    /// Angular velocity of the orbit.
    rate: f64,
    /// Torque for each rad/s of the body.
    damping: f64,
    disturbance: Vec3<f64>,
}

impl Satellite {
    /// `T(t, R, ω)`, in the body.
    fn torque(&self, t: f64, r: &Mat3<f64>, omega: Vec3<f64>) -> Vec3<f64> {
        // The direction to the planet in space, then seen from the body.
        let (sin, cos) = (self.rate * t).sin_cos();
        let down = r.apply_transpose(vec3(cos, sin, 0.0));
        let gradient = down.cross(self.inertia.momentum(down)) * (3.0 * self.rate * self.rate);
        gradient - omega * self.damping + self.disturbance
    }
}

impl Problem for Satellite {
    type Point = BodyState<f64>;
    fn start(&self) -> BodyState<f64> {
        let omega = vec3(0.02, 0.01, self.rate);
        BodyState::new(Mat3::identity(), self.inertia.momentum(omega))
    }
}

impl Generator for Satellite {
    type Space = BodyFrame<f64>;
    fn field(&self, t: f64, y: &BodyState<f64>) -> Twist<f64> {
        let omega = self.inertia.velocity(y.momentum);
        Twist::new(-omega, self.torque(t, &y.rotation, omega))
    }
}

/// Ten orbits, to a tolerance.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let satellite = Satellite {
        inertia: Inertia::principal(vec3(10.0, 14.0, 16.0)),
        rate: 0.1,
        damping: 0.02,
        disturbance: vec3(0.0, 1e-4, 0.0),
    };
    let mut method = Rkmk::new(&tableau::DP54, Chart::Exp);
    let orbits = 10.0 * std::f64::consts::TAU / satellite.rate;
    let control = &mut Adaptive::pi(1e-9, 5);
    let end = integrate(&satellite, &mut method, control, (0.0, orbits), 0.1, &mut ())?;
    let omega = satellite.inertia.velocity(end.state.momentum);
    println!("after {:.0} time units in {} steps", end.t, end.steps);
    println!("  omega = {:.6?}", omega.to_array());
    println!("  the rotation is one to {:.1e}", end.state.rotation.orthogonality_error());
    Ok(())
}
