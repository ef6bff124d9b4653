//! One step of each family, and of eight trajectories compiled for AVX2, as ensembles have it.
use super::Case;
use super::body::{Lifted, Top};
use lieflow::action::BodyState;
use lieflow::chart::Chart;
use lieflow::kernel::rigid::{
    Exact, Halves, LieMidpoint, MoserVeselov, ThreeRotations, VerletCayley,
};
use lieflow::method::casas_owren::CasasOwren;
use lieflow::method::commutator_free::ProductMethod;
use lieflow::method::rigid_body::{Akw, KickFreeKick, RKN6A, Splitting};
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Compensated, Method, Step};
use lieflow::problem::Problem;
use lieflow::stepping::EvenSteps;
use lieflow::{Real, tableau};
use std::hint::black_box;

const TOP: [f64; 3] = [5.0, 5.0, 1.0];
const GENERAL: [f64; 3] = [5.0, 4.0, 1.0];

/// Steps as a run makes them.
fn run<P: Problem<Point = BodyState<f64>>>(p: &P, mut method: impl Method<P>, h: f64, calls: u64) {
    let (mut from, mut to) = (p.start(), p.start());
    for k in 0..calls {
        // The step of an implicit method may fail; those here do not.
        let _ = method.step(Step::new(p, k as f64 * h, h, &from), &mut to);
        method.accept();
        std::mem::swap(&mut from, &mut to);
    }
    black_box(from);
}

fn free<S: Real>() -> Top<S> {
    Top::new([0.9144, 1.098, 1.66], None, [0.45549, 0.82623, 0.03476])
}
fn top<S: Real>() -> Top<S> {
    Top::new(TOP, Some(20.0), [0.1, -0.2, 40.0])
}

/// Steps that nobody observes.
fn run_many<P: Problem<Point = BodyState<f64>>>(
    p: &P,
    mut method: impl Method<P>,
    h: f64,
    calls: u64,
) {
    let mut y = p.start();
    let steps = EvenSteps { from: 0.0, h, first: 0, count: calls };
    let made = method.step_many(p, &steps, &mut y);
    let mut next = y;
    for k in made..calls {
        let _ = method.step(steps.step(p, k, &y), &mut next);
        method.accept();
        y = next;
    }
    black_box(y);
}

/// Compensated steps, many at a time.
fn compensated<P: Problem<Point = BodyState<f64>> + 'static>(
    p: &P,
    method: impl Method<P> + 'static,
    h: f64,
    calls: u64,
) {
    let mut y = p.start();
    if let Ok(mut method) = Compensated::of(Box::new(method), p, "compensated") {
        let steps = EvenSteps { from: 0.0, h, first: 0, count: calls };
        method.as_mut().step_many(p, &steps, &mut y);
    }
    black_box(y);
}

/// A case over one trajectory.
macro_rules! single {
    ($name:literal, compensated $p:expr, $method:expr, $h:expr) => {
        Case { name: $name, run: |calls| compensated(&$p, $method, $h, calls) }
    };
    (many $name:literal, $p:expr, $method:expr, $h:expr) => {
        Case { name: $name, run: |calls| run_many(&$p, $method, $h, calls) }
    };
    ($name:literal, $p:expr, $method:expr, $h:expr) => {
        Case { name: $name, run: |calls| run(&$p, $method, $h, calls) }
    };
}

pub fn cases() -> Vec<Case> {
    let mut list = vec![
        single!("rkmk4, free body", free(), Rkmk::new(&tableau::RK4, Chart::Exp), 0.01),
        single!("liemid-ea, free body", free(), KickFreeKick::new(Halves(LieMidpoint)), 0.01),
        single!("exs, free general body", free(), KickFreeKick::new(Exact), 0.01),
        single!("rkmk4", top(), Rkmk::new(&tableau::RK4, Chart::Exp), 0.001),
        single!("rkmk4, cayley", top(), Rkmk::new(&tableau::RK4, Chart::Cayley), 0.001),
        single!("rkmk-dop853", top(), Rkmk::new(&tableau::DOP853, Chart::Exp), 0.001),
        single!("rkmk4-casas-owren", top(), CasasOwren::default(), 0.001),
        single!("cf4", top(), ProductMethod::new(&tableau::CF4), 0.001),
        single!("liemid-ea", top(), KickFreeKick::new(Halves(LieMidpoint)), 0.001),
        single!("mcg", top(), KickFreeKick::new(LieMidpoint), 0.001),
        single!("rattle", top(), KickFreeKick::new(MoserVeselov), 0.001),
        single!("vlv", top(), KickFreeKick::new(VerletCayley), 0.001),
        single!("sp123", top(), KickFreeKick::new(ThreeRotations { axes: [0, 1, 2] }), 0.001),
        single!("exs", top(), KickFreeKick::new(Exact), 0.001),
        single!("exs@rkn6a", top(), Splitting::new(Exact, &RKN6A), 0.1),
        single!(
            "exs@rkn6a, general body",
            Top::new(GENERAL, Some(20.0), [0.1, -0.2, 40.0]),
            Splitting::new(Exact, &RKN6A),
            0.1
        ),
        single!("rkmk4, lift", Lifted(top()), Rkmk::new(&tableau::RK4, Chart::Exp), 0.001),
        single!("rkmk4-casas-owren, lift", Lifted(top()), CasasOwren::default(), 0.001),
        single!("cf4, lift", Lifted(top()), ProductMethod::new(&tableau::CF4), 0.001),
    ];
    macro_rules! both {
        ($($name:literal, $compensated:literal, $method:expr;)*) => {
            list.extend([$(
                single!(many $name, free(), $method, 0.01),
                single!($compensated, compensated free(), $method, 0.01),
            )*]);
        };
    }
    both! {
        "many rattle, free body", "compensated rattle", KickFreeKick::new(MoserVeselov);
        "many mcg, free body", "compensated mcg", KickFreeKick::new(LieMidpoint);
        "many akw, free body", "compensated akw", Akw::default();
        "many exs, free body", "compensated exs", KickFreeKick::new(Exact);
        "many exs@rkn6a, free body", "compensated exs@rkn6a", Splitting::new(Exact, &RKN6A);
        "many rkmk4, free body", "compensated rkmk4", Rkmk::new(&tableau::RK4, Chart::Exp);
        "many cf4, free body", "compensated cf4", ProductMethod::new(&tableau::CF4);
    }
    list.extend(lanes::cases());
    list
}

/// Eight tops side by side.
#[cfg(target_arch = "x86_64")]
mod lanes {
    use super::*;
    use lieflow::kernel::{Machine, Pack, Pair, Quad};
    use lieflow::method::InlineMethod;
    use lieflow::stepping::EvenSteps;

    #[derive(Debug)]
    enum Here {}
    // SAFETY: `cases` lists what computes with it only where the machine has AVX2.
    unsafe impl Machine for Here {
        type Registers = Pair<Quad>;
    }
    type O = Pack<Here>;

    #[target_feature(enable = "avx2")]
    fn steps_avx2<P>(p: &P, mut method: impl InlineMethod<P>, h: f64, calls: u64)
    where
        P: Problem<Point = BodyState<O>>,
    {
        let mut y = p.start();
        method.step_many_inline(p, &EvenSteps { from: 0.0, h, first: 0, count: calls }, &mut y);
        black_box(y);
    }

    macro_rules! eight {
        ($name:literal, $p:expr, $method:expr, $h:expr) => {
            Case {
                name: $name,
                // SAFETY: `cases` has asked the machine.
                run: |calls| unsafe { steps_avx2(&$p, $method, $h, calls) },
            }
        };
    }

    pub fn cases() -> Vec<Case> {
        if !std::arch::is_x86_feature_detected!("avx2") {
            return Vec::new();
        }
        vec![
            eight!("rkmk4-casas-owren, 8 lanes", top(), CasasOwren::default(), 0.001),
            eight!("rkmk4-casas-owren, lift, 8 lanes", Lifted(top()), CasasOwren::default(), 0.001),
            eight!("rkmk4, 8 lanes", top(), Rkmk::new(&tableau::RK4, Chart::Exp), 0.001),
            eight!("liemid-ea, 8 lanes", top(), KickFreeKick::new(Halves(LieMidpoint)), 0.001),
            eight!("rattle, 8 lanes", top(), KickFreeKick::new(MoserVeselov), 0.001),
            eight!("exs, 8 lanes", top(), KickFreeKick::new(Exact), 0.001),
            eight!("exs@rkn6a, 8 lanes", top(), Splitting::new(Exact, &RKN6A), 0.1),
        ]
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod lanes {
    pub fn cases() -> Vec<super::Case> {
        Vec::new()
    }
}
