//! A system of your own in about fifteen lines: a magnetic moment on the sphere that precesses about
//! an outer field and an easy axis, `m' = m × (B + k m_z e_z)`.
//!
//! Run it with `cargo run -p lieflow --example my_system`.
use lieflow::action::Turn;
use lieflow::chart::Chart;
use lieflow::method::{Method, commutator_free::ProductMethod, rkmk::Rkmk};
use lieflow::problem::{Generator, Problem, Quantity, Watched};
use lieflow::stepping::{Adaptive, Control, Fixed, Watch, integrate};
use lieflow::{Vec3, tableau, vec3};

/// A magnetic moment of length one.
pub struct Spin {
    /// The outer field.
    pub b: Vec3<f64>,
    /// The strength of the easy axis.
    pub k: f64,
}

impl Problem for Spin {
    type Point = Vec3<f64>;
    fn start(&self) -> Vec3<f64> {
        vec3(0.6, 0.0, 0.8)
    }
}

/// Rotations turn vectors: an element `u` of so(3) moves `m` by `u × m`, and never off the sphere.
impl Generator for Spin {
    type Space = Turn<f64>;
    fn field(&self, _t: f64, m: &Vec3<f64>) -> Vec3<f64> {
        -(self.b + vec3(0.0, 0.0, self.k * m.z))
    }
}

/// What the exact motion conserves, and where it stays.
impl Watched for Spin {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        let energy = |p: &Self, m: &Vec3<f64>| -p.b.dot(*m) - 0.5 * p.k * m.z * m.z;
        vec![Quantity { name: "energy", eval: energy }]
    }
    fn manifold_error(&self, m: &Vec3<f64>) -> f64 {
        (m.norm() - 1.0).abs()
    }
}

/// Two methods, one with fixed steps and one that keeps a tolerance.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spin = Spin { b: vec3(0.3, 0.0, 0.5), k: 2.0 };
    let runs: [(&str, &mut dyn Method<Spin>, &mut dyn Control); 2] = [
        ("cf4", &mut ProductMethod::new(&tableau::CF4), &mut Fixed::new()),
        ("rkmk-dp54", &mut Rkmk::new(&tableau::DP54, Chart::Exp), &mut Adaptive::pi(1e-9, 5)),
    ];
    for (name, method, control) in runs {
        let mut watch = Watch::new(&spin);
        let end = integrate(&spin, method, control, (0.0, 100.0), 0.05, &mut watch)?;
        println!("{name}: {} steps, {} evaluations", end.steps, end.cost.field_evaluations);
        println!("  m({}) = {:.6?}", end.t, end.state.to_array());
        println!("  off the sphere by {:.1e} at most", watch.manifold_error);
        for i in &watch.invariants {
            let (worst, slope) = (i.max_error, i.slope());
            println!(
                "  {} {:.6}: error below {worst:.1e}, drift {slope:.1e} per unit time",
                i.name, i.initial
            );
        }
    }
    Ok(())
}
