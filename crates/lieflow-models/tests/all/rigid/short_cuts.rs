//! What a body knows of its stages gives the numbers of the definitions: the same system without
//! that knowledge comes to the same states, up to rounding.
use super::bodies::{Body, body, full_probe, probe, soft_wall};
use super::support::errors;
use lieflow::action::{BodyFrame, BodyState, LiftedFrame};
use lieflow::chart::Chart;
use lieflow::group::{Rn, Twist};
use lieflow::kernel::rigid::{Exact, Inertia};
use lieflow::method::casas_owren::CasasOwren;
use lieflow::method::commutator_free::ProductMethod;
use lieflow::method::rigid_body::{
    BM4, KickFreeKick, RKN4, RKN6, RKN6A, Splitting, SplittingScheme,
};
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Method, Step};
use lieflow::problem::{Generator, Problem, SpinningBody};
use lieflow::{Lanes, Mat3, Real, Vec3, tableau, vec3};
use lieflow_models::system::rigid_body::{Field, LiftedBody, RigidBody};

/// A body that knows its field and its torque, and no more.
struct Plain(Body<f64>);

impl Problem for Plain {
    type Point = BodyState<f64>;
    fn start(&self) -> BodyState<f64> {
        self.0.start
    }
}
impl Generator for Plain {
    type Space = BodyFrame<f64>;
    fn field(&self, t: f64, y: &BodyState<f64>) -> Twist<f64> {
        self.0.field(t, y)
    }
}

/// The same in the other space.
struct PlainLifted(LiftedBody<f64>);

impl Problem for PlainLifted {
    type Point = BodyState<f64>;
    fn start(&self) -> BodyState<f64> {
        self.0.start()
    }
}
impl Generator for PlainLifted {
    type Space = LiftedFrame<f64>;
    fn field(&self, t: f64, y: &BodyState<f64>) -> (Vec3<f64>, Rn<f64, 3>) {
        self.0.field(t, y)
    }
}

impl SpinningBody<f64> for Plain {
    fn inertia(&self) -> &Inertia<f64> {
        &self.0.inertia
    }
    fn torque(&self, t: f64, r: &Mat3<f64>) -> Vec3<f64> {
        self.0.torque(t, r)
    }
    fn torque_derivative(&self, t: f64, r: &Mat3<f64>) -> Mat3<f64> {
        self.0.torque_derivative(t, r)
    }
}

fn bodies() -> Vec<(&'static str, Body<f64>)> {
    let slow = ([0.3, -0.2, 0.5], [0.7, -1.1, 0.9]);
    let top = Field::LagrangeTop { strength: 20.0 };
    let linear =
        Field::Linear { strength: 1.3, axis: vec3(0.0, 0.4, 0.0), direction: vec3(0.2, 0.5, -0.7) };
    vec![
        ("free", body([1.2, 2.0, 2.7], Field::Free, slow.0, slow.1)),
        ("free, full inertia", full_probe().freed()),
        ("fast top", body([5.0, 5.0, 1.0], top.clone(), [0.3, 0.0, 0.0], [1.0, -2.0, 50.0])),
        ("flat top", body([1.0, 1.0, 1.9], top, [0.3, 0.0, 0.0], [1.0, -2.0, 5.0])),
        ("top about its second axis", body([2.0, 0.7, 2.0], linear, slow.0, [0.3, 9.0, -0.4])),
        ("soft wall", body([1.5, 1.5, 0.8], soft_wall(false), slow.0, slow.1)),
        ("attractor", probe()),
    ]
}

fn run<P: Problem<Point = BodyState<f64>>>(p: &P, method: &mut dyn Method<P>) -> BodyState<f64> {
    let mut y = p.start();
    // Small and large angles, forwards and backwards.
    for h in [0.001, 0.01, 0.02, -0.005, 0.05, 0.002] {
        let mut out = y;
        assert_eq!(method.step(Step::new(p, 0.0, h, &y), &mut out).unwrap(), None);
        method.accept();
        y = out;
    }
    y
}

fn check(name: &str, p: &Body<f64>, a: &mut dyn Method<Body<f64>>, b: &mut dyn Method<Plain>) {
    alike(name, (p, a), (&Plain(p.clone()), b));
}

fn alike<P, Q>(name: &str, (p, a): (&P, &mut dyn Method<P>), (q, b): (&Q, &mut dyn Method<Q>))
where
    P: Problem<Point = BodyState<f64>>,
    Q: Problem<Point = BodyState<f64>>,
{
    let (known, plain) = (run(p, a), run(q, b));
    let (er, ep) = errors(&known, &plain);
    let bound = 3e-15 * p.start().momentum.norm().max(1.0);
    assert!(er < bound && ep < bound, "{name}: {er:e} {ep:e}");
    let (a, b) = (known.rotation.orthogonality_error(), plain.rotation.orthogonality_error());
    assert!(a < 1.5 * b + 2e-15, "{name}: {a:e}, without the short cut {b:e}");
}

#[test]
fn stages_in_a_chart() {
    for (name, p) in bodies() {
        for chart in [Chart::Exp, Chart::Cayley, Chart::ExpSeries { brackets: 4 }] {
            for table in [&tableau::RK4, &tableau::KUTTA3] {
                check(name, &p, &mut Rkmk::new(table, chart), &mut Rkmk::new(table, chart));
            }
        }
    }
}

#[test]
fn fields_in_a_chart() {
    for (name, p) in bodies() {
        check(name, &p, &mut CasasOwren::default(), &mut CasasOwren::default());
        for table in [&tableau::CF4, &tableau::CF3_B, &tableau::CG4] {
            check(name, &p, &mut ProductMethod::new(table), &mut ProductMethod::new(table));
        }
    }
}

#[test]
fn fields_and_stages_in_the_other_space() {
    for (name, p) in bodies() {
        let (p, q) = (LiftedBody(p.clone()), PlainLifted(LiftedBody(p)));
        for chart in [Chart::Exp, Chart::Cayley, Chart::SecondKind] {
            let (mut a, mut b) = (Rkmk::new(&tableau::RK4, chart), Rkmk::new(&tableau::RK4, chart));
            alike(name, (&p, &mut a), (&q, &mut b));
        }
        alike(name, (&p, &mut CasasOwren::default()), (&q, &mut CasasOwren::default()));
        for table in [&tableau::CF4, &tableau::CG4] {
            let (mut a, mut b) = (ProductMethod::new(table), ProductMethod::new(table));
            alike(name, (&p, &mut a), (&q, &mut b));
        }
    }
}

#[test]
fn splittings_without_the_spin() {
    for (name, p) in bodies() {
        for scheme in [&BM4, &RKN4, &RKN6, &RKN6A] {
            check(
                name,
                &p,
                &mut Splitting::<f64, _>::new(Exact, scheme),
                &mut Splitting::<f64, _>::new(Exact, scheme),
            );
        }
    }
}

/// A step depends on the state alone: a run that is taken up again goes on with the same bits.
#[test]
fn a_run_can_be_taken_up_again() {
    for (name, p) in bodies() {
        for scheme in [&BM4, &RKN4, &RKN6, &RKN6A] {
            let mut on = Splitting::<f64, _>::new(Exact, scheme);
            let (mut y, mut z) = (p.start, p.start);
            for _ in 0..5 {
                let mut out = y;
                on.step(Step::new(&p, 0.0, 0.03, &y), &mut out).unwrap();
                Method::<Body<f64>>::accept(&mut on);
                y = out;
                let mut fresh = Splitting::<f64, _>::new(Exact, scheme);
                fresh.step(Step::new(&p, 0.0, 0.03, &z), &mut out).unwrap();
                z = out;
                assert_eq!(y, z, "{name}, {}", scheme.id);
            }
        }
    }
}

/// The attitude stays orthogonal to rounding over many steps with large angles, as well as without
/// the short cut.
#[test]
fn long_runs_stay_on_the_group() {
    fn run<P: SpinningBody<f64>>(p: &P) -> BodyState<f64> {
        let mut method = Splitting::<f64, _>::new(Exact, &BM4);
        let mut y = p.start();
        for _ in 0..200_000 {
            let mut out = y;
            method.step(Step::new(p, 0.0, 0.02, &y), &mut out).unwrap();
            y = out;
        }
        y
    }
    let (_, p) = &bodies()[2];
    let (known, plain) = (run(p), run(&Plain(p.clone())));
    let (a, b) = (known.rotation.orthogonality_error(), plain.rotation.orthogonality_error());
    assert!(a < b.max(2e-12), "{a:e}, without the short cut {b:e}");
    assert!((known.momentum.z - 50.0).abs() < 1e-11, "the spin of a top is conserved");
}

/// Tops with two equal moments or three different ones, about one axis or two: whether the spin can
/// be left out of the stages is decided for each lane by itself, and each has the bits of a run
/// alone.
#[test]
fn tops_of_different_kinds_side_by_side() {
    type Pack = Lanes<2>;
    let moments = [[5.0, 5.0, 1.0], [1.0, 5.0, 5.0], [5.0, 1.0, 5.0], [5.0, 4.0, 1.0], [2.0; 3]];
    let axes = [vec3(0.0, 0.0, 0.7), vec3(0.3, 0.0, 0.0), vec3(0.1, 0.2, 0.5)];
    let direction = vec3(0.1, -0.2, 0.9);
    let pair =
        |a: Vec3<f64>, b: Vec3<f64>| vec3(Lanes([a.x, b.x]), Lanes([a.y, b.y]), Lanes([a.z, b.z]));
    let top = |j: [f64; 3], axis: Vec3<f64>, strength: f64| {
        let field = Field::Linear { strength, axis, direction };
        body(j, field, [0.3, -0.2, 0.5], [0.7, -1.1, 12.0 * strength])
    };
    for (first, second, k) in (0..75).map(|n| (moments[n % 5], moments[n / 5 % 5], n / 25)) {
        let (one, two) = (top(first, axes[k], 0.8), top(second, axes[2 * k % 3], 1.3));
        let [a, b, c] =
            [0, 1, 2].map(|i| pair(one.start.rotation.rows[i], two.start.rotation.rows[i]));
        let pack: Body<Pack> = RigidBody {
            inertia: Inertia::principal(pair(one.inertia.moments(), two.inertia.moments())),
            potential: Field::Linear {
                strength: Lanes([0.8, 1.3]),
                axis: pair(axes[k], axes[2 * k % 3]),
                direction: Vec3::lift(direction),
            },
            start: BodyState::new(
                Mat3::from_rows(a, b, c),
                pair(one.start.momentum, two.start.momentum),
            ),
        };
        for scheme in [None, Some(&BM4), Some(&RKN4), Some(&RKN6A)] {
            let together = advanced(&pack, scheme);
            for (i, alone) in [&one, &two].into_iter().enumerate() {
                let want = advanced(alone, scheme);
                for row in 0..3 {
                    let got = together.rotation.rows[row].lane(i);
                    assert_eq!(got, want.rotation.rows[row], "{first:?} {second:?}, lane {i}");
                }
                assert_eq!(together.momentum.lane(i), want.momentum, "{first:?} {second:?}");
            }
        }
    }
}

/// A few steps of a splitting, or of kicks about one exact motion.
fn advanced<S: Real>(p: &Body<S>, scheme: Option<&'static SplittingScheme>) -> BodyState<S> {
    let mut method: Box<dyn Method<Body<S>>> = match scheme {
        Some(scheme) => Box::new(Splitting::<S, _>::new(Exact, scheme)),
        None => Box::new(KickFreeKick::<S, _>::new(Exact)),
    };
    let mut y = p.start;
    for h in [0.1, 0.05, -0.02, 0.15] {
        let mut out = y;
        method.step(Step::new(p, 0.0, h, &y), &mut out).unwrap();
        method.accept();
        y = out;
    }
    y
}
