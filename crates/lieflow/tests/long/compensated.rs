//! Compensated steps: how much nearer they are to steps without roundings, and that nothing is carried to
//! where it does not belong.
use crate::roundings::{Body, entries, options};
use lieflow::action::BodyState;
use lieflow::kernel::rigid::{Exact, Inertia, MoserVeselov};
use lieflow::kernel::so3;
use lieflow::method::commutator_free::ProductMethod;
use lieflow::method::rigid_body::{KickFreeKick, New3};
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Entry, Method, Step};
use lieflow::stepping::{Fixed, Observer, ObserverResult, Passage, Run, integrate};
use lieflow::{Real, Vec3, chart::Chart, tableau, vec3};
use lieflow_kernel::scalar::DoubleDouble;
use lieflow_testing::Draw;
use std::ops::ControlFlow;

/// A body whose moments have inverses without rounding, as all numbers of the motion have here.
fn body<S: Real>(start: u64, momentum: f64) -> Body<S> {
    let mut draw = Draw::new(start + 1);
    let (rotation, momentum) = (so3::exp(draw.of_norm(2.0)), draw.of_norm(momentum));
    let inertia = Inertia::principal(Vec3::lift(vec3(0.5, 1.0, 2.0)));
    Body { inertia, start: BodyState::new(rotation.map(S::lift), Vec3::lift(momentum)) }
}

fn end<S: Real>(p: &Body<S>, method: &mut dyn Method<Body<S>>, h: f64, steps: u64) -> BodyState<S> {
    let span = (0.0, steps as f64 * h);
    integrate(p, method, &mut Fixed::new(), span, h, &mut ()).unwrap().state
}

/// The distance of two states, of which one has more digits.
fn distance(a: &BodyState<f64>, b: &BodyState<DoubleDouble>) -> f64 {
    let rotation = a.rotation.map(DoubleDouble::lift) - b.rotation;
    let momentum = Vec3::<DoubleDouble>::lift(a.momentum) - b.momentum;
    (rotation.norm_squared() + momentum.norm_squared()).magnitude().sqrt()
}

type Fine = Box<dyn Method<Body<DoubleDouble>>>;

/// A method, by its name and over numbers with more digits.
fn fine_methods() -> Vec<(&'static str, fn() -> Fine)> {
    vec![
        ("exs", || Box::new(KickFreeKick::<DoubleDouble, _>::new(Exact))),
        ("rattle", || Box::new(KickFreeKick::<DoubleDouble, _>::new(MoserVeselov))),
        ("new3", || Box::new(New3::<DoubleDouble>::default())),
        ("rkmk4", || Box::new(Rkmk::new(&tableau::RK4, Chart::Exp))),
        ("cf4", || Box::new(ProductMethod::new(&tableau::CF4))),
    ]
}

fn entry(id: &str) -> Entry<Body> {
    entries().into_iter().find(|entry| entry.card.id == id).unwrap()
}

/// The root mean square of the distances from the same method without roundings, of plain and of
/// compensated steps.
fn errors(id: &str, fine: fn() -> Fine, h: f64, steps: u64, starts: u64) -> [f64; 2] {
    let entry = entry(id);
    let mut sums = [0.0; 2];
    for start in 0..starts {
        let exact = end(&body::<DoubleDouble>(start, 1.0), &mut *fine(), h, steps);
        let p = body::<f64>(start, 1.0);
        for (sum, compensated) in sums.iter_mut().zip([false, true]) {
            let mut method = (entry.make)(&p, &options(compensated)).unwrap();
            let error = distance(&end(&p, &mut *method, h, steps), &exact);
            *sum += error * error / starts as f64;
        }
    }
    sums.map(f64::sqrt)
}

/// Roundings of increments are smaller than those of states by the part of a state that a step moves; their
/// sums are, too. Of plain steps of `exs` single starts may be as near by chance, hence so many. `LIEFLOW_ROUNDINGS=N`
/// makes `10^N` steps.
#[test]
fn compensated_steps_are_nearer_to_steps_without_roundings() {
    let decades: Option<u32> =
        std::env::var("LIEFLOW_ROUNDINGS").ok().and_then(|text| text.parse().ok());
    let steps = decades.map_or(4_000, |n| 10u64.pow(n));
    for (id, fine) in fine_methods() {
        for (h, gain) in [(0.0625, 3.0), (0.0078125, 8.0)] {
            let [plain, compensated] = errors(id, fine, h, steps, 16);
            let found = plain / compensated;
            println!("{id} h = {h}: {plain:.1e} and {compensated:.1e}, a gain of {found:.0}");
            assert!(found > gain, "{id} h = {h}: {plain:e} and {compensated:e}");
        }
    }
}

/// Every method for rigid bodies and every general one has compensated steps, and they are those of the
/// method: after one they agree to rounding.
#[test]
fn all_methods_have_them() {
    let p = body::<f64>(3, 1.0);
    for entry in entries() {
        let ends = [false, true].map(|compensated| {
            let mut method = (entry.make)(&p, &options(compensated)).unwrap();
            let mut y = p.start;
            for k in 0..3 {
                let from = y;
                method.step(Step::new(&p, f64::from(k) * 0.2, 0.2, &from), &mut y).unwrap();
                method.accept();
            }
            y
        });
        let off = ends[0].momentum - ends[1].momentum;
        let turned = ends[0].rotation - ends[1].rotation;
        let error = off.norm() + turned.norm_squared().sqrt();
        assert!(error < 1e-14, "{}: {error:e}", entry.card.id);
        assert!((ends[0].momentum - p.start.momentum).norm() > 1e-3, "{} moves", entry.card.id);
    }
}

/// A turn by more than half a circle in a step, which no Cayley map makes.
#[test]
fn large_turns_are_made_too() {
    let p = body::<f64>(4, 20.0);
    for id in ["exs", "rkmk-gl4", "swc2", "cf4"] {
        let entry = entry(id);
        let ends = [false, true].map(|compensated| {
            let mut method = (entry.make)(&p, &options(compensated)).unwrap();
            let mut out = p.start;
            method.step(Step::new(&p, 0.0, 0.15, &p.start), &mut out).map(|_| out)
        });
        let [Ok(plain), Ok(compensated)] = ends else { panic!("{id}: {ends:?}") };
        let off = (plain.rotation - compensated.rotation).norm_squared().sqrt();
        assert!(off < 1e-13, "{id}: {off:e}");
        assert!(compensated.rotation.orthogonality_error() < 1e-14, "{id}");
    }
}

/// A proposal that is not accepted leaves nothing behind, nor does a look aside; what is put in the place of
/// the state begins with nothing carried.
#[test]
fn what_is_carried_belongs_to_the_state() {
    let p = body::<f64>(5, 1.0);
    for id in ["exs", "liemid-ea", "akw", "swc2", "exs@rkn6a", "rkmk4", "cf4", "rkmk-gl4"] {
        let entry = entry(id);
        let make = || (entry.make)(&p, &options(true)).unwrap();
        let h = 0.0625;
        let go = |method: &mut dyn Method<Body>, y: BodyState<f64>, steps: u32, other: bool| {
            let mut y = y;
            for k in 0..steps {
                let (from, t) = (y, f64::from(k) * h);
                if other {
                    let mut out = from;
                    method.step(Step::new(&p, t, 0.3 * h, &from), &mut out).unwrap();
                }
                method.step(Step::new(&p, t, h, &from), &mut y).unwrap();
                method.accept();
                if other {
                    let (mut out, step) = (y, Step::new(&p, t, h, &from));
                    method.interpolate(step.inside(&y, 0.4), &mut out).unwrap();
                }
            }
            y
        };
        let (mut once, mut twice) = (make(), make());
        let plain = go(&mut *once, p.start, 50, false);
        assert_eq!(go(&mut *twice, p.start, 50, true), plain, "{id}");
        // The same state again: with what was carried, and without.
        once.reset();
        let after = go(&mut *once, plain, 50, false);
        assert_eq!(go(&mut *make(), plain, 50, false), after, "{id}");
        assert_ne!(go(&mut *twice, plain, 50, false), after, "{id}");
    }
}

/// A run that goes on has what was carried.
#[test]
fn going_on_carries_on() {
    let p = body::<f64>(6, 1.0);
    struct Keep(Option<Vec<u64>>, u32);
    impl Observer<Body> for Keep {
        fn see(&mut self, _: &mut Passage<'_, Body>) -> ObserverResult {
            Ok(ControlFlow::Continue(()))
        }
        fn checkpoint_due(&mut self, _: bool) -> bool {
            self.1 += 1;
            self.1 == 70
        }
        fn checkpoint(&mut self, bits: Result<Vec<u64>, &'static str>, _: bool) -> ObserverResult {
            self.0 = bits.ok();
            Ok(ControlFlow::Continue(()))
        }
    }
    for id in ["exs", "rattle", "rkmk-dp54", "cf4", "swc2"] {
        let entry = entry(id);
        let make = || (entry.make)(&p, &options(true)).unwrap();
        let run = || Run::new(&p, (0.0, 10.0), 0.0625);
        let mut keep = Keep(None, 0);
        let whole = run().checkpoints().drive(&mut *make(), &mut Fixed::new(), &mut keep).unwrap();
        let rest = run().resume(keep.0.unwrap()).drive(&mut *make(), &mut Fixed::new(), &mut ());
        assert_eq!(rest.unwrap().state, whole.state, "{id}");
    }
}
