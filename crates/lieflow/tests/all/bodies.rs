//! Methods for a spinning body: when they ask for the torque, and what they say that it cost.
use lieflow::action::BodyState;
use lieflow::kernel::rigid::Inertia;
use lieflow::method::rigid_body::entries;
use lieflow::method::{Options, Step};
use lieflow::problem::{Problem, SpinningBody};
use lieflow::{Mat3, Vec3, vec3};
use std::cell::Cell;

/// A body at rest, so heavy that it hardly turns, under the torque `t e₃`; it counts how often it is asked.
struct Driven {
    inertia: Inertia<f64>,
    asked: Cell<u64>,
}

fn driven() -> Driven {
    Driven { inertia: Inertia::principal(vec3(2e9, 3e9, 4e9)), asked: Cell::new(0) }
}

impl Problem for Driven {
    type Point = BodyState<f64>;
    fn start(&self) -> BodyState<f64> {
        BodyState::new(Mat3::identity(), Vec3::zero())
    }
}
impl SpinningBody<f64> for Driven {
    fn inertia(&self) -> &Inertia<f64> {
        &self.inertia
    }
    fn torque(&self, t: f64, _: &Mat3<f64>) -> Vec3<f64> {
        self.asked.set(self.asked.get() + 1);
        vec3(0.0, 0.0, t)
    }
    fn torque_derivative(&self, _: f64, _: &Mat3<f64>) -> Mat3<f64> {
        Mat3::diagonal(Vec3::zero())
    }
}

/// A torque that grows evenly gives its momentum without an error, wherever in the step it is asked for, from the second
/// order on; with one kick at an end it is the torque at that end.
#[test]
fn torques_are_asked_for_at_their_times() {
    let (p, t) = (driven(), 1.3);
    let mut tried = 0;
    for entry in entries() {
        let Ok(mut method) = (entry.make)(&p, &Options::default()) else { continue };
        for h in [0.4, -0.25] {
            let (y, id) = (p.start(), entry.card.id);
            let mut out = y;
            method.step(Step::new(&p, t, h, &y), &mut out).unwrap();
            method.reset();
            let at = match id {
                "liemid-e1" => t + h,
                "liemid-e" | "liemid-e2" => t,
                _ => t + 0.5 * h,
            };
            let off = out.momentum - vec3(0.0, 0.0, at * h);
            assert!(off.norm() < 1e-8, "{id}, {h}: {:?} for {}", out.momentum, at * h);
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn every_torque_that_is_asked_for_is_counted() {
    let mut tried = 0;
    for entry in entries() {
        let p = driven();
        let Ok(mut method) = (entry.make)(&p, &Options::default()) else { continue };
        let (mut y, mut out) = (p.start(), p.start());
        for k in 0..3 {
            method.step(Step::new(&p, 0.2 * f64::from(k), 0.2, &y), &mut out).unwrap();
            method.accept();
            y = out;
        }
        assert_eq!(method.cost().field_evaluations, p.asked.get(), "{}", entry.card.id);
        tried += 1;
    }
    assert!(tried > 50, "{tried}");
}
