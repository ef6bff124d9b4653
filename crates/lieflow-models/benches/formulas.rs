//! Whole steps of a rigid body in a potential of ten terms: by hand in Rust, and by formula.
//!
//! `cargo bench -p lieflow-models --bench formulas`; what counts are the ratios of one run.
#![allow(missing_docs, clippy::unwrap_used)]
use lieflow::action::BodyState;
use lieflow::chart::Chart;
use lieflow::kernel::rigid::Inertia;
use lieflow::kernel::so3;
use lieflow::method::rigid_body::entries;
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Method, Options, Step};
use lieflow::problem::{Problem, SpinningBody, TorqueField};
use lieflow::{Mat3, Real, Vec3, tableau, vec3};
use lieflow_models::problem_file::Document;
use lieflow_models::system::rigid_body::{Field, RigidBody};
use lieflow_testing::ten_terms;
use std::hint::black_box;
use std::time::Instant;

const FILE: &str = r#"
system = "rigid-body"
[parameters]
inertia = [5.0, 4.0, 1.5]
[parameters.potential]
formula = """k*R33 + 0.5*c*(1 - dot(e3, R*a))^2 + m1*sin(2*R11 + R22) + m2*exp(-b*R13^2) + m3/(2 + R12)
  + m4*sqrt(1 + R23^2) + m5*R21*R32 + m6*cos(R31) + m7*(trace(R) - 1)^2 + m8*R12^4"""
k = 20.0
c = 3.0
a = [0.48, -0.6, 0.64]
b = 0.7
m1 = 1.1
m2 = 0.9
m3 = 0.8
m4 = 0.6
m5 = 0.35
m6 = 0.45
m7 = 0.25
m8 = 0.15
[initial]
rotation = { vector = [0.3, 0.1, 0.0] }
omega = [0.1, 0.2, 5.0]
[solve]
method = "rkmk4"
step = 0.001
until = 1.0
"#;

/// The same potential as one would write it.
#[derive(Clone, Debug)]
struct ByHand<S>([S; 14]);

impl<S: Real> TorqueField<S> for ByHand<S> {
    type Over<T: Real> = ByHand<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> ByHand<T> {
        ByHand(self.0.map(embed))
    }
    fn energy(&self, _: f64, r: &Mat3<S>) -> S {
        let [k, c, ax, ay, az, b, m1, m2, m3, m4, m5, m6, m7, m8] = self.0;
        let [p, q, s] = r.rows;
        let (one, bend) = (S::one(), S::one() - s.dot(vec3(ax, ay, az)));
        k * s.z
            + c * bend * bend * 0.5
            + m1 * (p.x * 2.0 + q.y).sin_cos().0
            + m2 * (-(b * p.z * p.z)).exp()
            + m3 / (S::lift(2.0) + p.y)
            + m4 * (one + q.z * q.z).sqrt()
            + m5 * q.x * s.y
            + m6 * s.x.sin_cos().1
            + m7 * (r.trace() - one) * (r.trace() - one)
            + m8 * p.y * p.y * p.y * p.y
    }
    // As kernels are: what is not inlined is not compiled for wide vectors.
    #[inline(always)]
    fn torque(&self, _: f64, r: &Mat3<S>) -> Vec3<S> {
        ten_terms::torque(&self.0, r)
    }
}

/// The smallest time of a step, in nanoseconds.
fn time<P: Problem<Point = BodyState<f64>>>(p: &P, method: &mut dyn Method<P>) -> f64 {
    let (steps, h) = (2000, 1e-3);
    let mut best = f64::MAX;
    for _ in 0..40 {
        let (mut y, mut next) = (p.start(), p.start());
        method.reset();
        let clock = Instant::now();
        for k in 0..steps {
            let t = f64::from(k) * h;
            method.step(Step::new(black_box(p), t, h, &y), &mut next).unwrap();
            method.accept();
            std::mem::swap(&mut y, &mut next);
        }
        black_box(y);
        best = best.min(clock.elapsed().as_secs_f64() / f64::from(steps));
    }
    best * 1e9
}

fn rigid<P: SpinningBody<f64> + 'static>(p: &P, id: &str) -> Box<dyn Method<P>> {
    let list = entries::<f64, P>();
    let entry = list.iter().find(|entry| entry.card.id == id).unwrap();
    (entry.make)(p, &Options::default()).unwrap()
}

fn main() {
    let model = Document::parse(FILE, "bench", &[]).unwrap().build().unwrap();
    let formula: &RigidBody<f64, Field<f64>> = model.as_any().downcast_ref().unwrap();
    let hand = RigidBody {
        inertia: Inertia::principal(vec3(5.0, 4.0, 1.5)),
        potential: ByHand(ten_terms::NUMBERS),
        start: formula.start,
    };
    let r = so3::exp(vec3(0.4, -0.3, 0.9));
    let (a, b) = (hand.potential.torque(0.0, &r), formula.potential.torque(0.0, &r));
    assert!((a - b).norm() < 1e-13 * a.norm(), "{a:?} {b:?}");
    let rkmk = || Rkmk::new(&tableau::RK4, Chart::Exp);
    let rows = [
        (
            "rkmk4",
            time(&hand, &mut rkmk()),
            time(formula, &mut Rkmk::new(&tableau::RK4, Chart::Exp)),
        ),
        (
            "liemid-ea",
            time(&hand, &mut *rigid(&hand, "liemid-ea")),
            time(formula, &mut *rigid(formula, "liemid-ea")),
        ),
        ("vlv", time(&hand, &mut *rigid(&hand, "vlv")), time(formula, &mut *rigid(formula, "vlv"))),
    ];
    println!("ns a step         by hand   formula   ratio");
    for (name, hand, formula) in rows {
        println!("{name:14} {hand:10.1} {formula:9.1} {:7.2}", formula / hand);
    }
    #[cfg(target_arch = "x86_64")]
    lanes::rows(&hand, formula);
}

/// The same with eight bodies side by side.
#[cfg(target_arch = "x86_64")]
mod lanes {
    use super::*;
    use lieflow::kernel::rigid::{Halves, LieMidpoint, VerletCayley};
    use lieflow::method::InlineMethod;
    use lieflow::method::rigid_body::KickFreeKick;
    use lieflow::method::rkmk::Classical;
    use lieflow::problem::Lift;
    use lieflow::stepping::EvenSteps;
    use lieflow_testing::packs::Eight;

    #[target_feature(enable = "avx2")]
    fn many<P: Problem, M: InlineMethod<P>>(
        method: &mut M,
        p: &P,
        steps: &EvenSteps,
        y: &mut P::Point,
    ) -> u64 {
        method.step_many_inline(p, steps, y)
    }

    /// The smallest time of a step of one body, in nanoseconds.
    fn time<P: Problem, M: InlineMethod<P>>(p: &P, mut method: M) -> f64 {
        let count = 2000;
        let mut best = f64::MAX;
        for _ in 0..40 {
            let mut y = p.start();
            method.reset();
            let steps = EvenSteps { from: 0.0, h: 1e-3, first: 0, count };
            let clock = Instant::now();
            // SAFETY: `rows` has asked the machine.
            let made = unsafe { many(&mut method, black_box(p), &steps, &mut y) };
            assert_eq!(made, count);
            black_box(y);
            best = best.min(clock.elapsed().as_secs_f64() / (8 * count) as f64);
        }
        best * 1e9
    }

    pub fn rows(hand: &RigidBody<f64, ByHand<f64>>, formula: &RigidBody<f64, Field<f64>>) {
        if !std::arch::is_x86_feature_detected!("avx2") {
            return;
        }
        let (hand, formula) =
            (hand.lift(<Eight as Real>::lift), formula.lift(<Eight as Real>::lift));
        let liemid = || KickFreeKick::<Eight, _>::new(Halves(LieMidpoint));
        let vlv = || KickFreeKick::<Eight, _>::new(VerletCayley);
        let rows = [
            ("rkmk4", time(&hand, Classical::default()), time(&formula, Classical::default())),
            ("liemid-ea", time(&hand, liemid()), time(&formula, liemid())),
            ("vlv", time(&hand, vlv()), time(&formula, vlv())),
        ];
        println!("ns a lane         by hand   formula   ratio");
        for (name, hand, formula) in rows {
            println!("{name:14} {hand:10.1} {formula:9.1} {:7.2}", formula / hand);
        }
    }
}
