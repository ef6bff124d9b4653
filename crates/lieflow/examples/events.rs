//! Events: when a slow top falls below the horizontal, and how often its tip crosses a plane before.
//!
//! Run it with `cargo run -p lieflow --example events`.
use lieflow::action::{BodyFrame, BodyState};
use lieflow::chart::Chart;
use lieflow::group::Twist;
use lieflow::kernel::{rigid::Inertia, so3};
use lieflow::method::rkmk::Rkmk;
use lieflow::problem::{Generator, Problem};
use lieflow::stepping::{Direction, Ending, Event, Fixed, Run};
use lieflow::{tableau, vec3};

/// A top with its centre of mass on its third axis; the energy is `weight R33`.
pub struct Top {
    inertia: Inertia<f64>,
    weight: f64,
    spin: f64,
}

impl Problem for Top {
    type Point = BodyState<f64>;
    fn start(&self) -> BodyState<f64> {
        let momentum = self.inertia.momentum(vec3(0.0, 0.0, self.spin));
        BodyState::new(so3::exp(vec3(0.2, 0.0, 0.0)), momentum)
    }
}

impl Generator for Top {
    type Space = BodyFrame<f64>;
    fn field(&self, _t: f64, y: &BodyState<f64>) -> Twist<f64> {
        let up = y.rotation.rows[2];
        let torque = up.cross(vec3(0.0, 0.0, self.weight));
        Twist::new(-self.inertia.velocity(y.momentum), torque)
    }
}

/// Finds the events of one run.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let top = Top { inertia: Inertia::principal(vec3(5.0, 5.0, 1.0)), weight: 20.0, spin: 13.5 };
    let tip = |y: &BodyState<f64>| y.rotation.column(2);
    let mut events = [
        Event::new(|_: &Top, _t, y: &BodyState<f64>| tip(y).z)
            .named("falls")
            .direction(Direction::Falling)
            .terminal(),
        Event::new(|_: &Top, _t, y: &BodyState<f64>| tip(y).x).named("crosses the plane x = 0"),
    ];
    let mut method = Rkmk::new(&tableau::RK4, Chart::Exp);
    let run = Run::new(&top, (0.0, 60.0), 0.01).events(&mut events);
    let end = run.drive(&mut method, &mut Fixed::new(), &mut ())?;
    let [falls, crossings] = &events;
    match falls.occurrences.first() {
        Some(fall) => println!("falls at t = {:.12}", fall.t),
        None => println!("is still up at t = {}", end.t),
    }
    println!("crossed the plane {} times before", crossings.occurrences.len());
    assert_eq!(end.ending == Ending::Reached, falls.occurrences.is_empty());
    Ok(())
}
