//! What a step of a discrete gradient costs, and what it remembers.
use crate::common::run;
use lieflow::action::Turn;
use lieflow::archive::Archive;
use lieflow::chart::Chart;
use lieflow::method::discrete_gradient::{DiscreteGradient, Kind};
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Method, Step};
use lieflow::problem::{Generator, GradientFlow, Problem};
use lieflow::{Vec3, tableau, vec3};

/// A spin with the energy `m·Dm/2 - b·m`.
#[derive(Clone, Debug)]
struct Spin {
    d: Vec3<f64>,
    b: Vec3<f64>,
}

const SPIN: Spin = Spin { d: Vec3 { x: 0.4, y: 0.0, z: -1.1 }, b: Vec3 { x: 0.3, y: 0.1, z: 0.8 } };

impl Problem for Spin {
    type Point = Vec3<f64>;
    fn start(&self) -> Vec3<f64> {
        vec3(0.48, -0.6, -0.64)
    }
}
impl Generator for Spin {
    type Space = Turn<f64>;
    fn field(&self, _: f64, m: &Vec3<f64>) -> Vec3<f64> {
        self.b - m.scaled_by(self.d)
    }
}
impl GradientFlow for Spin {
    fn energy(&self, _: f64, m: &Vec3<f64>) -> f64 {
        m.scaled_by(self.d).dot(*m) * 0.5 - self.b.dot(*m)
    }
    fn energy_change(&self, _: f64, m: &Vec3<f64>, y: &Vec3<f64>) -> f64 {
        (*y + *m).scaled_by(self.d).dot(*y - *m) * 0.5 - self.b.dot(*y - *m)
    }
    fn differential(&self, t: f64, m: &Vec3<f64>) -> Vec3<f64> {
        self.field(t, m).cross(*m)
    }
    fn response(&self, _: f64, m: &Vec3<f64>, g: &Vec3<f64>) -> Vec3<f64> {
        m.cross(*g)
    }
}

/// Sweeps from the field alone took about twice as many.
#[test]
fn predictions_and_acceleration_spare_evaluations() {
    for (kind, most) in [(Kind::Mean, 14.0), (Kind::ItohAbe, 38.0)] {
        let mut method = DiscreteGradient::new(kind);
        let y = run(&SPIN, &mut method, 0.1, 500);
        let per_step = method.cost().field_evaluations as f64 / 500.0;
        let error = (SPIN.energy(0.0, &y) - SPIN.energy(0.0, &SPIN.start())).abs();
        assert!(error < 5e-15, "{kind:?}: {error:e}");
        assert!(per_step < most, "{kind:?}: {per_step}");
    }
}

/// At long steps too the increment is that of a step from nothing, to rounding.
#[test]
fn predictions_change_the_way_and_not_the_solution() {
    for kind in [Kind::Mean, Kind::ItohAbe] {
        for h in [0.02, 0.1, 0.5] {
            let (mut method, mut y) = (DiscreteGradient::new(kind), SPIN.start());
            let mut far: f64 = 0.0;
            for _ in 0..60 {
                let (mut next, mut alone) = (y, y);
                method.step(Step::new(&SPIN, 0.0, h, &y), &mut next).unwrap();
                method.accept();
                let mut other = DiscreteGradient::new(kind);
                other.step(Step::new(&SPIN, 0.0, h, &y), &mut alone).unwrap();
                far = far.max((next - alone).norm());
                y = next;
            }
            // The quotients of Itoh and Abe lose digits.
            let most = if kind == Kind::Mean { 1e-15 } else { 3e-14 };
            assert!(far < most, "{kind:?} {h}: {far:e}");
        }
    }
}

#[test]
fn what_is_remembered_goes_through_checkpoints_and_looks() {
    for kind in [Kind::Mean, Kind::ItohAbe] {
        let (mut method, mut y, mut next) =
            (DiscreteGradient::new(kind), SPIN.start(), SPIN.start());
        let mut walk = |method: &mut DiscreteGradient<Spin>, y: &mut Vec3<f64>, look: bool| {
            for _ in 0..20 {
                let step = Step::new(&SPIN, 0.0, 0.1, y);
                method.step(step, &mut next).unwrap();
                method.accept();
                if look {
                    let mut inside = *y;
                    method.interpolate(step.inside(&next, 0.4), &mut inside).unwrap();
                }
                *y = next;
            }
        };
        walk(&mut method, &mut y, false);
        let mut kept = Archive::new();
        method.archive(Step::new(&SPIN, 0.0, 0.1, &y), &mut kept);
        let (mut z, mut other) = (y, DiscreteGradient::new(kind));
        let mut read = Archive::of(kept.finish().unwrap());
        other.archive(Step::new(&SPIN, 0.0, 0.1, &z), &mut read);
        assert!(read.finish().is_ok());
        walk(&mut method, &mut y, false);
        walk(&mut other, &mut z, true);
        assert_eq!(y, z, "{kind:?}");
    }
}

/// To stay where one is keeps the energy too.
#[test]
fn errors_fall_with_the_square_of_the_step() {
    let exact = run(&SPIN, &mut Rkmk::new(&tableau::RK4, Chart::Exp), 0.005, 400);
    for kind in [Kind::Mean, Kind::ItohAbe] {
        let [coarse, fine] = [20, 40].map(|steps| {
            let end = run(&SPIN, &mut DiscreteGradient::new(kind), 2.0 / steps as f64, steps);
            (end - exact).norm()
        });
        let order = (coarse / fine).log2();
        assert!(fine < 1e-2 && (order - 2.0).abs() < 0.1, "{kind:?}: {coarse:e} {fine:e}");
    }
}
