//! Inertial navigation on SE₂(3): rotation, velocity and position from a gyroscope and an
//! accelerometer, as one element of a group.
//!
//! A vehicle drives a circle, faster and slower. The instruments show the rate of turn and the specific
//! force in its own axes; in space `R' = R ω`, `v' = R f + g`, `p' = v`.
//!
//! Run it with `cargo run -p lieflow --example navigation`.
use lieflow::action::Multiply;
use lieflow::chart::Chart;
use lieflow::group::{ExtendedTwist, Se23};
use lieflow::method::rkmk::Rkmk;
use lieflow::problem::{Generator, Problem};
use lieflow::stepping::{Fixed, integrate};
use lieflow::{Mat3, Vec3, tableau, vec3};
use std::f64::consts::TAU;

const GRAVITY: f64 = 9.81;

/// A drive round a circle, the speed of which swings twice in a lap.
pub struct Drive {
    /// The radius of the circle.
    pub radius: f64,
    /// The mean speed.
    pub mean: f64,
    /// How much the speed swings.
    pub swing: f64,
}

impl Drive {
    /// How long a lap takes.
    pub fn lap(&self) -> f64 {
        TAU * self.radius / self.mean
    }
    /// Speed and its rate.
    fn speed(&self, t: f64) -> (f64, f64) {
        let pace = 2.0 * TAU / self.lap();
        let (sin, cos) = (pace * t).sin_cos();
        (self.mean + self.swing * cos, -self.swing * pace * sin)
    }
    /// What the gyroscope and the accelerometer show: the wheels push forwards and inwards, the ground
    /// upwards.
    fn instruments(&self, t: f64) -> (Vec3<f64>, Vec3<f64>) {
        let (speed, rate) = self.speed(t);
        let turn = speed / self.radius;
        (vec3(0.0, 0.0, turn), vec3(rate, speed * turn, GRAVITY))
    }
}

impl Problem for Drive {
    type Point = Se23<f64>;
    fn start(&self) -> Se23<f64> {
        Se23 {
            rotation: Mat3::identity(),
            velocity: vec3(self.speed(0.0).0, 0.0, 0.0),
            position: vec3(0.0, -self.radius, 0.0),
        }
    }
}

/// An element `(a, b, c)` of the algebra moves `(R, v, p)` by `(a × R, a × v + b, a × p + c)`.
impl Generator for Drive {
    type Space = Multiply<Se23<f64>>;
    fn field(&self, t: f64, x: &Se23<f64>) -> ExtendedTwist<f64> {
        let (rate, force) = self.instruments(t);
        let turn = x.rotation.apply(rate);
        let pull = x.rotation.apply(force) - vec3(0.0, 0.0, GRAVITY);
        ExtendedTwist::new(turn, pull - turn.cross(x.velocity), x.velocity - turn.cross(x.position))
    }
}

/// One lap, which must end where it began, with steps of a fiftieth and of a hundredth of a lap.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let drive = Drive { radius: 50.0, mean: 10.0, swing: 4.0 };
    let start = drive.start();
    let mut errors = [0.0; 2];
    for (error, steps) in errors.iter_mut().zip([50.0, 100.0]) {
        let mut method = Rkmk::new(&tableau::RK4, Chart::Exp);
        let (span, h) = ((0.0, drive.lap()), drive.lap() / steps);
        let end = integrate(&drive, &mut method, &mut Fixed::new(), span, h, &mut ())?;
        *error = (end.state.position - start.position).norm();
        println!("{steps} steps: the lap closes to {error:.1e} m");
        assert!(end.state.rotation.orthogonality_error() < 1e-13);
    }
    let order = (errors[0] / errors[1]).log2();
    println!("order {order:.2}");
    assert!(errors[1] < 1e-2 && (order - 4.0).abs() < 0.3, "{errors:?}");
    Ok(())
}
