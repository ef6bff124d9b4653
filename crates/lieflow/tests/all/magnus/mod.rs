//! Methods for linear problems, on every group.
mod conditions;

use lieflow::action::{Action, Flat, Frame, Multiply, Stiefel, Turn};
use lieflow::group::{
    AlgebraOf, LieAlgebra, LieGroup, Se3, Skew, SkewHermitian, So3, Son, Su2, Sun, Twist,
};
use lieflow::method::magnus::{self, MEMBERS, Magnus};
use lieflow::method::{Method, OptionError, Options, Step, commutator_free::ProductMethod};
use lieflow::problem::{Generator, Problem};
use lieflow::{Vec3, vec3};
use lieflow_testing::Draw;

/// `A(t) = a + b cos 2t + c t²/2 + d sin 3t`, with elements that do not commute.
#[derive(Clone)]
struct Driven<A: Action> {
    parts: [AlgebraOf<A::Group>; 4],
    start: A::Point,
    linear: bool,
}

impl<A: Action> Driven<A>
where
    AlgebraOf<A::Group>: LieAlgebra<Scalar = f64>,
{
    fn new(like: &AlgebraOf<A::Group>, start: A::Point) -> Self {
        let mut draw = Draw::new(5);
        let parts = [0.9, 1.1, 0.7, 0.8].map(|norm| draw.element(like, norm));
        Self { parts, start, linear: true }
    }
}

impl<A: Action> Problem for Driven<A> {
    type Point = A::Point;
    fn start(&self) -> A::Point {
        self.start.clone()
    }
}

impl<A: Action> Generator for Driven<A> {
    type Space = A;
    fn is_linear(&self) -> bool {
        self.linear
    }
    fn field(&self, t: f64, _: &A::Point) -> AlgebraOf<A::Group> {
        let [a, b, c, d] = &self.parts;
        let mut sum = a.clone();
        sum.axpy((2.0 * t).cos(), b);
        sum.axpy(0.5 * t * t, c);
        sum.axpy((3.0 * t).sin(), d);
        sum
    }
}

/// The state after two units of time in so many steps.
pub fn run<P: Generator>(p: &P, method: &mut dyn Method<P>, steps: u32) -> P::Point {
    let h = 2.0 / f64::from(steps);
    let mut y = p.start();
    let mut out = y.clone();
    for k in 0..steps {
        method.step(Step::new(p, 0.3 + f64::from(k) * h, h, &y), &mut out).unwrap();
        method.accept();
        std::mem::swap(&mut y, &mut out);
    }
    y
}

/// Orders from the errors at two step sizes, against the method of order eight with short steps, which
/// is itself compared with another method.
fn has_its_orders<A: Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = f64>>> + 'static>(
    like: AlgebraOf<A::Group>,
    start: A::Point,
) {
    let p = Driven::<A>::new(&like, start);
    let exact = run(&p, &mut Magnus::new(&lieflow::tableau::MAGNUS8), 200);
    let other = run(&p, &mut ProductMethod::new(&lieflow::tableau::CF4), 4000);
    assert!(exact.distance_squared(&other).sqrt() < 1e-10);
    for (card, table) in &MEMBERS {
        let error = |steps| {
            let end = run(&p, &mut Magnus::new(table), steps);
            end.distance_squared(&exact).sqrt()
        };
        let coarse = if card.order == 8 { 10 } else { 24 };
        let (a, b) = (error(coarse), error(2 * coarse));
        let order = (a / b).log2();
        let claimed = f64::from(card.order);
        assert!((order - claimed).abs() < 0.15, "{}: {order} ({a:e}, {b:e})", card.id);
    }
}

#[test]
fn orders_on_every_group() {
    has_its_orders::<Multiply<So3<f64>>>(Vec3::zero(), So3::unit());
    has_its_orders::<Multiply<Se3<f64>>>(
        Twist::new(Vec3::zero(), Vec3::zero()),
        Se3::exp(&Twist::new(vec3(0.1, 0.2, 0.3), vec3(1.0, 0.0, 2.0))),
    );
    has_its_orders::<Multiply<Son<f64, 4>>>(Skew::zero(), Son::unit());
    has_its_orders::<Multiply<Su2<f64>>>(Vec3::zero(), Su2::unit());
    has_its_orders::<Multiply<Sun<f64, 3>>>(SkewHermitian::zero(), Sun::unit());
    has_its_orders::<Stiefel<f64, 4, 2>>(Skew::zero(), Frame::axes());
    has_its_orders::<Turn<f64>>(Vec3::zero(), vec3(0.6, 0.0, 0.8));
}

#[test]
fn unitary_to_rounding_and_symmetric() {
    let p = Driven::<Multiply<Sun<f64, 3>>>::new(&SkewHermitian::zero(), Sun::unit());
    for (card, table) in &MEMBERS {
        let mut method = Magnus::new(table);
        let end = run(&p, &mut method, 1000);
        assert!(end.unitarity_error() < 2e-13, "{}: {:e}", card.id, end.unitarity_error());
        let (mut there, mut back) = (p.start(), p.start());
        method.step(Step::new(&p, 0.2, 0.3, &p.start()), &mut there).unwrap();
        method.step(Step::new(&p, 0.5, -0.3, &there), &mut back).unwrap();
        assert!(back.distance_squared(&p.start()) < 1e-29, "{}", card.id);
        assert_eq!(method.cost().field_evaluations, 1002 * card.evaluations.unwrap() as u64);
    }
}

#[test]
fn a_field_that_looks_at_the_state_is_refused() {
    let mut p = Driven::<Turn<f64>>::new(&Vec3::zero(), vec3(0.0, 0.0, 1.0));
    for entry in magnus::entries::<Driven<Turn<f64>>>() {
        p.linear = true;
        assert!((entry.make)(&p, &Options::default()).is_ok());
        p.linear = false;
        let error = (entry.make)(&p, &Options::default()).err().unwrap();
        assert_eq!(error, OptionError::NotLinear { method: entry.card.id });
        assert!(error.to_string().contains("does not") || error.to_string().contains("not on the"));
    }
}
