//! Inertial navigation on SE₂(3): rotation, velocity and position from a gyroscope and an
//! accelerometer, as one element of a group.
//!
//! A vehicle drives a circle at a constant speed. In its own axes the rate of turn and the specific
//! force are constant; in space `R' = R ω`, `v' = R f + g`, `p' = v`.
//!
//! Run it with `cargo run -p lieflow --example navigation`.
use lieflow::action::Multiply;
use lieflow::chart::Chart;
use lieflow::group::{ExtendedTwist, Se23};
use lieflow::method::rkmk::Rkmk;
use lieflow::problem::{Generator, Problem};
use lieflow::stepping::{Fixed, integrate};
use lieflow::{Mat3, Vec3, tableau, vec3};

/// What the instruments show, and where the vehicle starts.
pub struct Vehicle {
    /// The gyroscope: the rate of turn in the axes of the vehicle.
    pub rate: Vec3<f64>,
    /// The accelerometer: the specific force in the axes of the vehicle.
    pub force: Vec3<f64>,
    /// Gravity in space.
    pub gravity: Vec3<f64>,
    /// The first state.
    pub start: Se23<f64>,
}

impl Problem for Vehicle {
    type Point = Se23<f64>;
    fn start(&self) -> Se23<f64> {
        self.start
    }
}

/// The field moves a state `(R, v, p)` by `(a, b, c)` to `(a × R, a × v + b, a × p + c)`.
impl Generator for Vehicle {
    type Space = Multiply<Se23<f64>>;
    fn field(&self, _t: f64, x: &Se23<f64>) -> ExtendedTwist<f64> {
        let turn = x.rotation.apply(self.rate);
        let pull = x.rotation.apply(self.force) + self.gravity;
        let (v, p) = (x.velocity, x.position);
        ExtendedTwist::new(turn, pull - turn.cross(v), v - turn.cross(p))
    }
}

/// One lap, which must end where it began, with steps of a hundredth and of a two-hundredth of a lap.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (radius, speed) = (50.0, 10.0);
    let turn = speed / radius;
    let start = Se23 {
        rotation: Mat3::identity(),
        velocity: vec3(speed, 0.0, 0.0),
        position: vec3(0.0, -radius, 0.0),
    };
    // The wheels push inwards, the ground upwards.
    let vehicle = Vehicle {
        rate: vec3(0.0, 0.0, turn),
        force: vec3(0.0, speed * turn, 9.81),
        gravity: vec3(0.0, 0.0, -9.81),
        start,
    };
    let lap = std::f64::consts::TAU / turn;
    let mut errors = [0.0; 2];
    for (error, steps) in errors.iter_mut().zip([100.0, 200.0]) {
        let mut method = Rkmk::new(&tableau::RK4, Chart::Exp);
        let end =
            integrate(&vehicle, &mut method, &mut Fixed::new(), (0.0, lap), lap / steps, &mut ())?;
        *error = (end.state.position - start.position).norm();
        println!("{steps} steps: the lap closes to {error:.1e} m");
        assert!((end.state.rotation - start.rotation).norm_squared() < 1e-24);
    }
    let order = (errors[0] / errors[1]).log2();
    println!("order {order:.2}");
    assert!(errors[1] < 1e-5 && (order - 4.0).abs() < 0.2, "{errors:?}");
    Ok(())
}
