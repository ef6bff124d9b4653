//! A method of one's own, for every system with a field: the explicit midpoint rule in the group,
//! `y⁺ = exp(h f(t + h/2, exp((h/2) f(t, y))·y))·y`.
//!
//! Control, dense output, events and observers work with it as with any other. Run it with
//! `cargo run -p lieflow --example own_method`.
use lieflow::action::{Action, Turn};
use lieflow::chart::Chart;
use lieflow::group::LieAlgebra;
use lieflow::method::{Cost, Method, Step, StepResult};
use lieflow::problem::{Generator, Problem};
use lieflow::stepping::{Fixed, integrate};
use lieflow::{Vec3, vec3};

/// The midpoint rule.
#[derive(Default)]
pub struct Midpoint {
    cost: Cost,
}

impl<P: Generator> Method<P> for Midpoint {
    fn step(&mut self, Step { p, t, h, y }: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let mut u = p.field(t, y);
        let k = u.clone();
        u.assign(0.5 * h, &k);
        P::Space::advance(Chart::Exp, &u, y, out);
        let k = p.field(t + 0.5 * h, out);
        u.assign(h, &k);
        P::Space::advance(Chart::Exp, &u, y, out);
        self.cost.field_evaluations += 2;
        self.cost.exponentials += 2;
        // There is no estimate of the error, so the step must be fixed.
        Ok(None)
    }
    fn cost(&self) -> Cost {
        self.cost
    }
}

/// A direction that precesses about a field which it bends.
pub struct Precession;

impl Problem for Precession {
    type Point = Vec3<f64>;
    fn start(&self) -> Vec3<f64> {
        vec3(0.6, 0.0, 0.8)
    }
}

impl Generator for Precession {
    type Space = Turn<f64>;
    fn field(&self, t: f64, m: &Vec3<f64>) -> Vec3<f64> {
        vec3(0.3 * t.cos(), 0.0, 1.0 + m.x)
    }
}

/// Errors at three steps, and the order that they show.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = |h: f64| {
        let mut method = Midpoint::default();
        integrate(&Precession, &mut method, &mut Fixed::new(), (0.0, 4.0), h, &mut ())
    };
    let exact = run(1.0 / 4096.0)?.state;
    let mut before = None;
    for h in [1.0 / 16.0, 1.0 / 32.0, 1.0 / 64.0] {
        let error = (run(h)?.state - exact).norm();
        let order = before.map(|before: f64| (before / error).log2());
        println!("h = {h:.5}  error {error:.3e}  order {order:.2?}");
        assert!(order.is_none_or(|order| (order - 2.0).abs() < 0.1));
        before = Some(error);
    }
    Ok(())
}
