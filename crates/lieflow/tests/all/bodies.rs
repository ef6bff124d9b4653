//! Methods for a spinning body: when they ask for the torque, and what they say that it cost.
use lieflow::action::{BodyState, Turn};
use lieflow::kernel::rigid::Inertia;
use lieflow::kernel::so3;
use lieflow::method::rigid_body::entries;
use lieflow::method::{Options, Step, StepError};
use lieflow::problem::{Generator, Problem, SpinningBody};
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

/// A method that was reset has nothing left of its steps: it has the bits of one that never made any.
#[test]
fn nothing_is_left_after_a_reset() {
    let mut tried = 0;
    for entry in entries() {
        let p = top([1.0, 2.0, 3.5], vec3(0.2, -0.3, 0.4));
        let Ok(mut used) = (entry.make)(&p, &Options::default()) else { continue };
        let Ok(mut fresh) = (entry.make)(&p, &Options::default()) else { continue };
        let far = BodyState::new(so3::exp(vec3(1.0, -2.0, 0.5)), vec3(-1.0, 0.4, 2.0));
        // Before the reset it has made steps, of which the last was accepted, or was not.
        for accepts in [true, false] {
            let mut out = far;
            for _ in 0..2 {
                used.step(Step::new(&p, 3.0, 0.1, &far), &mut out).unwrap();
                if accepts {
                    used.accept();
                }
            }
            used.reset();
            fresh.reset();
            let y = p.start();
            let [a, b] = [&mut used, &mut fresh].map(|method| {
                let (mut y, mut out) = (y, y);
                for k in 0..3 {
                    method.step(Step::new(&p, 0.1 * f64::from(k), 0.1, &y), &mut out).unwrap();
                    method.accept();
                    y = out;
                }
                y
            });
            assert_eq!(a, b, "{}, {accepts}", entry.card.id);
        }
        tried += 1;
    }
    assert!(tried > 50, "{tried}");
}

/// A symmetric body moves in a frame that does not spin only where its weight lies on its axis: an axis beside
/// it, on a slender body and on a flat one, leads to where a body leads that is hardly not symmetric.
#[test]
fn a_weight_beside_the_axis_of_symmetry() {
    for moments in [[2.0, 2.0, 1.0], [1.0, 1.0, 1.8], [1.5, 1.5, 1.5]] {
        for chi in [vec3(0.0, 0.0, 0.4), vec3(0.3, 0.0, 0.0), vec3(0.2, -0.1, 0.3)] {
            let [round, bent] = [0.0, 1e-9].map(|more| {
                let p = top([moments[0] + more, moments[1] - more, moments[2]], chi);
                let entries = entries();
                let entry = entries.iter().find(|e| e.card.id == "exs@bm4").unwrap();
                let mut method = (entry.make)(&p, &Options::default()).unwrap();
                let (mut y, mut out) = (p.start(), p.start());
                for k in 0..10 {
                    method.step(Step::new(&p, 0.1 * f64::from(k), 0.1, &y), &mut out).unwrap();
                    method.accept();
                    y = out;
                }
                y
            });
            let off = (round.momentum - bent.momentum).norm()
                + (round.rotation - bent.rotation).norm_squared().sqrt();
            assert!(off < 1e-7, "{moments:?} {chi:?}: {off:e}");
        }
    }
}

/// Whether a body turns too far is told by its angle in a step.
#[test]
fn the_angle_of_a_step_that_has_no_solution() {
    let mut p = top([1.0, 2.0, 3.0], Vec3::zero());
    p.start = BodyState::new(Mat3::identity(), vec3(30.0, 20.0, 600.0));
    let mut tried = 0;
    for entry in entries() {
        let Ok(mut method) = (entry.make)(&p, &Options::default()) else { continue };
        for h in [0.04, 0.4, -0.4] {
            let y = p.start;
            let made = method.step(Step::new(&p, 0.0, h, &y), &mut y.clone());
            method.reset();
            if let Err(StepError::TurnsTooFar { spin, limit, step, .. }) = made {
                // Stages are parts of a step.
                let whole = (30.0f64.powi(2) + 10.0f64.powi(2) + 200.0f64.powi(2)).sqrt();
                let turned = whole * step.abs();
                assert!((spin - turned).abs() < 1e-9 * turned, "{}: {spin}", entry.card.id);
                assert!(spin > 0.9 * limit, "{}: {spin} of {limit}", entry.card.id);
                tried += 1;
            }
        }
    }
    assert!(tried > 3, "{tried}");
}

/// All that works in a chart, solved or not, and all products of exponentials have compensated steps where
/// something turns.
#[test]
fn general_methods_have_compensated_steps() {
    let compensated = Options { compensated: true, ..Options::default() };
    let mut tried = 0;
    for entry in lieflow::method::generator::entries::<Rotating>() {
        let made = (entry.make)(&Rotating, &compensated);
        assert!(made.is_ok(), "{}: {:?}", entry.card.id, made.err());
        tried += usize::from(entry.card.implicit);
    }
    assert!(tried > 2, "{tried}");
}

/// Weights change with the time.
fn strength(t: f64) -> f64 {
    3.0 + (3.0 * t).sin()
}

/// A body under its weight: `k χ` is its centre of mass.
struct Top {
    inertia: Inertia<f64>,
    chi: Vec3<f64>,
    start: BodyState<f64>,
}

fn top(moments: [f64; 3], chi: Vec3<f64>) -> Top {
    let start = BodyState::new(so3::exp(vec3(0.4, -0.3, 0.8)), vec3(0.5, -1.2, 2.0));
    Top { inertia: Inertia::principal(Vec3::from(moments)), chi, start }
}

impl Problem for Top {
    type Point = BodyState<f64>;
    fn start(&self) -> BodyState<f64> {
        self.start
    }
}
impl SpinningBody<f64> for Top {
    fn inertia(&self) -> &Inertia<f64> {
        &self.inertia
    }
    fn torque(&self, t: f64, r: &Mat3<f64>) -> Vec3<f64> {
        self.axial_torque(t, r.apply_transpose(Vec3::unit(2))).unwrap()
    }
    fn torque_derivative(&self, t: f64, r: &Mat3<f64>) -> Mat3<f64> {
        let g = r.apply_transpose(Vec3::unit(2));
        let [a, b, c] = [0, 1, 2].map(|k| self.chi.cross(g.cross(Vec3::unit(k))) * -strength(t));
        Mat3::from_columns(a, b, c)
    }
    fn axis(&self) -> Option<(Vec3<f64>, Vec3<f64>)> {
        Some((self.chi, Vec3::unit(2)))
    }
    fn axial_torque(&self, t: f64, g: Vec3<f64>) -> Option<Vec3<f64>> {
        Some(self.chi.cross(g) * -strength(t))
    }
}

/// A direction that is carried around.
#[derive(Debug)]
struct Rotating;
impl Problem for Rotating {
    type Point = Vec3<f64>;
    fn start(&self) -> Vec3<f64> {
        Vec3::unit(0)
    }
}
impl Generator for Rotating {
    type Space = Turn<f64>;
    fn field(&self, t: f64, y: &Vec3<f64>) -> Vec3<f64> {
        vec3(y.y, 0.3, t)
    }
}
