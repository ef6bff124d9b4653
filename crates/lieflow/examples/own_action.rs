//! An action of one's own: rotations together with a factor, `(R, s)·m = e^s R m`, for a magnetic
//! moment whose length changes too.
//!
//! The group is a product that is there already; only the action is new. Run it with
//! `cargo run -p lieflow --example own_action`.
use lieflow::action::{self, Action};
use lieflow::group::{Rn, So3};
use lieflow::method::commutator_free::ProductMethod;
use lieflow::problem::{Generator, Problem};
use lieflow::stepping::{Fixed, integrate};
use lieflow::{Vec3, tableau, vec3};

/// Turning and stretching.
pub struct TurnAndStretch;

impl Action for TurnAndStretch {
    type Group = (So3<f64>, Rn<f64, 1>);
    type Point = Vec3<f64>;
    fn act((turn, stretch): &Self::Group, m: &Vec3<f64>) -> Vec3<f64> {
        turn.matrix.apply(*m) * stretch.0[0].exp()
    }
}

/// A moment that precesses about a field and relaxes to length one.
pub struct Moment;

impl Problem for Moment {
    type Point = Vec3<f64>;
    fn start(&self) -> Vec3<f64> {
        vec3(0.3, 0.0, 0.1)
    }
}

impl Generator for Moment {
    type Space = TurnAndStretch;
    fn field(&self, _t: f64, m: &Vec3<f64>) -> (Vec3<f64>, Rn<f64, 1>) {
        let precession = vec3(0.0, 0.5, -2.0);
        (precession, Rn([1.0 - m.norm_squared()]))
    }
}

/// Checks the laws of the action and integrates.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let samples = [
        (vec3(0.0, 0.0, 0.0), Rn([0.0])),
        (vec3(0.4, -0.2, 0.9), Rn([0.3])),
        (vec3(-1.0, 0.5, 0.1), Rn([-0.6])),
    ];
    let points = [vec3(1.0, 0.0, 0.0), vec3(0.2, -0.7, 0.4)];
    let report = action::laws::check::<TurnAndStretch>(&samples, &points)?;
    println!("{} laws hold", report.findings.len());
    let mut method = ProductMethod::new(&tableau::CF4);
    let end = integrate(&Moment, &mut method, &mut Fixed::new(), (0.0, 10.0), 0.1, &mut ())?;
    let length = end.state.norm();
    println!("m({}) = {:.6?}, of length {length:.6}", end.t, end.state.to_array());
    assert!((length - 1.0).abs() < 1e-6);
    Ok(())
}
