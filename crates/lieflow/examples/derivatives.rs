//! Derivatives of a run: the final direction with respect to the initial one and to a parameter.
//!
//! A system that is generic over its numbers runs on dual numbers, which carry exact derivatives
//! through every step. Run it with `cargo run -p lieflow --example derivatives`.
use lieflow::action::Turn;
use lieflow::chart::Chart;
use lieflow::method::rkmk::Rkmk;
use lieflow::problem::{Generator, Problem};
use lieflow::stepping::{Fixed, integrate};
use lieflow::{Dual, Real, Vec3, tableau, vec3};

/// A spin about an easy axis of strength `k`, in a field across it.
pub struct Spin<S> {
    start: Vec3<S>,
    k: S,
}

impl<S: Real> Problem for Spin<S> {
    type Point = Vec3<S>;
    fn start(&self) -> Vec3<S> {
        self.start
    }
}

impl<S: Real> Generator for Spin<S> {
    type Space = Turn<S>;
    fn field(&self, _t: f64, m: &Vec3<S>) -> Vec3<S> {
        vec3(S::lift(-0.3), S::zero(), -(self.k * m.z))
    }
}

fn end<S: Real>(start: Vec3<S>, k: S) -> Result<Vec3<S>, Box<dyn std::error::Error>> {
    let mut method = Rkmk::new(&tableau::RK4, Chart::Exp);
    let (spin, span) = (Spin { start, k }, (0.0, 5.0));
    Ok(integrate(&spin, &mut method, &mut Fixed::new(), span, 0.01, &mut ())?.state)
}

/// One run with four derivatives, checked by differences.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (start, k) = (vec3(0.6, 0.0, 0.8), 2.0);
    let variable = |x: f64, i: usize| Dual::<f64, 4>::variable(x, i);
    let start4 = vec3(variable(start.x, 0), variable(start.y, 1), variable(start.z, 2));
    let m = end(start4, variable(k, 3))?;
    for (name, part) in [("x", m.x), ("y", m.y), ("z", m.z)] {
        println!("m_{name} = {:9.6}, its derivatives {:9.6?}", part.re, part.eps);
    }
    let e = 1e-6;
    let difference = (end(start, k + e)? - end(start, k - e)?) * (0.5 / e);
    println!("by differences, with respect to k: {:9.6?}", difference.to_array());
    assert!((difference.x - m.x.eps[3]).abs() < 1e-8);
    Ok(())
}
