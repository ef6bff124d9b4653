//! Isospectral methods: orders, spectra, and the Lie–Poisson structure.
use crate::magnus::run;
use lieflow::action::{Action, CoadjointAction, Congruence, Conjugate, Flat, Symmetric};
use lieflow::group::{LieAlgebra, LieGroup, Skew, Son, Square};
use lieflow::method::cotangent::structure::Tangent;
use lieflow::method::isospectral::{Isospectral, MEMBERS, entries};
use lieflow::method::lie_poisson::{poisson_defect, poisson_measured};
use lieflow::method::{Method, OptionError, Options, Solver, Step, commutator_free::ProductMethod};
use lieflow::problem::{Generator, Problem};
use lieflow::{Dual, Real};
use lieflow_testing::Draw;

const N: usize = 4;

/// Toda's flow of a full symmetric matrix, with a clock: `B = (1 + cos(2t)/2) (L above - L below)`.
#[derive(Clone)]
struct Toda(Symmetric<f64, N>);

impl Problem for Toda {
    type Point = Symmetric<f64, N>;
    fn start(&self) -> Symmetric<f64, N> {
        self.0
    }
}
impl Generator for Toda {
    type Space = Conjugate<f64, N>;
    fn field(&self, t: f64, l: &Symmetric<f64, N>) -> Skew<f64, N> {
        let mut b: Square<f64, N> = [[0.0; N]; N];
        for i in 0..N {
            for j in i + 1..N {
                b[i][j] = (1.0 + 0.5 * (2.0 * t).cos()) * l.matrix()[i][j];
                b[j][i] = -b[i][j];
            }
        }
        Skew::from_matrix(&b)
    }
}

/// A free body of four dimensions whose moments change.
#[derive(Clone)]
struct Body<S>(Skew<S, N>);

impl<S: Real> Problem for Body<S> {
    type Point = Skew<S, N>;
    fn start(&self) -> Skew<S, N> {
        self.0
    }
}
impl<S: Real> Generator for Body<S> {
    type Space = CoadjointAction<Son<S, N>>;
    fn field(&self, t: f64, m: &Skew<S, N>) -> Skew<S, N> {
        let moments = [1.0, 1.7 + 0.4 * (3.0 * t).sin(), 2.6, 3.8];
        let mut w = *m.matrix();
        for i in 0..N {
            for j in 0..N {
                w[i][j] = w[i][j] * (-1.0 / (moments[i] + moments[j]));
            }
        }
        Skew::from_matrix(&w)
    }
}

fn toda() -> Toda {
    let mut draw = Draw::new(21);
    Toda(Symmetric::from_matrix(&[[0.0; N]; N].map(|row| row.map(|_: f64| draw.number()))))
}
fn body() -> Body<f64> {
    Body(Draw::new(22).element(&Skew::zero(), 2.0))
}

/// Orders on a problem that depends on time, against another method with short steps.
fn has_its_orders<P>(p: &P)
where
    P: Generator<Space: Congruence<f64, N>, Point: Flat>,
{
    let exact = run(p, &mut ProductMethod::new(&lieflow::tableau::CF4), 6000);
    for (card, table) in &MEMBERS {
        let error = |steps| {
            let end = run(p, &mut Isospectral::<f64, N>::new(table), steps);
            end.distance_squared(&exact).sqrt()
        };
        let coarse = if card.order == 6 { 10 } else { 40 };
        let (a, b) = (error(coarse), error(2 * coarse));
        let order = (a / b).log2();
        assert!((order - f64::from(card.order)).abs() < 0.15, "{}: {order} ({a:e})", card.id);
    }
}

#[test]
fn orders_with_explicit_time() {
    has_its_orders(&toda());
    has_its_orders(&body());
}

fn eigenvalues(l: &Symmetric<f64, N>) -> [f64; N] {
    let mut values = l.eigen().0;
    values.sort_by(f64::total_cmp);
    values
}

#[test]
fn spectra_stay_and_steps_go_back() {
    let p = toda();
    for (card, table) in &MEMBERS {
        let mut method = Isospectral::<f64, N>::new(table);
        let end = run(&p, &mut method, 100);
        for (a, b) in eigenvalues(&end).iter().zip(eigenvalues(&p.0)) {
            assert!((a - b).abs() < 1e-14, "{}: {:e}", card.id, a - b);
        }
        assert!(end.distance_squared(&p.0) > 0.1, "it moves");
        let (mut there, mut back) = (p.0, p.0);
        method.step(Step::new(&p, 0.1, 0.2, &p.0), &mut there).unwrap();
        method.step(Step::new(&p, 0.3, -0.2, &there), &mut back).unwrap();
        assert!(back.distance_squared(&p.0) < 1e-29, "{}", card.id);
        let cost = Method::<Toda>::cost(&method);
        assert!(cost.newton_iterations > 100);
        // One in each of the 102 steps to begin with, and one for each stage in every iteration.
        let stages = table.b.len() as u64;
        assert_eq!(cost.field_evaluations, 102 + stages * cost.newton_iterations, "{}", card.id);
    }
    // The step is a rotation of the matrix, also for a method that is not converged so well.
    let far = Step::new(&p, 0.0, 40.0, &p.0);
    let error = Isospectral::<f64, N>::new(MEMBERS[0].1).step(far, &mut p.0.clone()).unwrap_err();
    assert!(error.to_string().contains("isospectral stages"), "{error}");
}

#[test]
fn a_poisson_map_on_momenta() {
    let p = body();
    let lifted = Body(Skew::from_matrix(&p.0.matrix().map(|row| row.map(Tangent::constant))));
    for (card, table) in &MEMBERS {
        let mut method = Isospectral::<Tangent, N>::new(table);
        let found = poisson_measured(&lifted, &mut method, 0.4, 0.3, &p.0).unwrap();
        assert!(found.defect < 1e-13, "{}: {:e}", card.id, found.defect);
        assert!((1e-16..1e-13).contains(&found.rounding), "{}: {:e}", card.id, found.rounding);
    }
    let mut other = ProductMethod::new(&lieflow::tableau::CF4);
    let defect = poisson_defect(&lifted, &mut other, 0.4, 0.3, &p.0).unwrap();
    assert!(defect > 1e-8, "cf4: {defect:e}");
}

#[test]
fn derivatives_converge_too() {
    // At rest the values have settled at once.
    let rest = Body(Skew::<Dual<f64, 1>, N>::zero());
    let mut start = rest.0;
    start.set_coord(2, Dual::variable(0.0, 0));
    let mut end = start;
    let mut method = Isospectral::<Dual<f64, 1>, N>::new(MEMBERS[0].1);
    method.step(Step::new(&rest, 0.0, 0.1, &start), &mut end).unwrap();
    assert_eq!(end.coord(2).eps[0], 1.0);
    // Congruence with a rotation is the action of that rotation.
    let u = Draw::new(3).element(&Skew::<f64, N>::zero(), 0.8);
    let g = Son::exp(&u);
    let mut d = g.matrix;
    (0..N).for_each(|i| d[i][i] -= 1.0);
    type Space = CoadjointAction<Son<f64, N>>;
    let moved = <Space as Congruence<f64, N>>::moved(&d, &body().0);
    assert!(moved.distance_squared(&Space::act(&g, &body().0)) < 1e-29);
}

/// Euler's equations are quadratic: momenta ten times as large move as far in a tenth of the time, and what a method
/// misses of their structure, relative to its size, stays the same.
#[test]
fn the_defect_of_a_poisson_map_has_no_scale() {
    #[derive(Clone)]
    struct Free<S>(Skew<S, N>);
    impl<S: Real> Problem for Free<S> {
        type Point = Skew<S, N>;
        fn start(&self) -> Skew<S, N> {
            self.0
        }
    }
    impl<S: Real> Generator for Free<S> {
        type Space = CoadjointAction<Son<S, N>>;
        fn field(&self, _: f64, m: &Skew<S, N>) -> Skew<S, N> {
            Body(*m).field(0.0, m)
        }
    }
    let measured = |scale: f64| {
        let y = Skew::from_matrix(&body().0.matrix().map(|row| row.map(|x| scale * x)));
        let lifted = Free(Skew::from_matrix(&y.matrix().map(|row| row.map(Tangent::constant))));
        let mut method = ProductMethod::new(&lieflow::tableau::CF4);
        poisson_defect(&lifted, &mut method, 0.0, 0.3 / scale, &y).unwrap()
    };
    let (one, ten) = (measured(1.0), measured(16.0));
    assert!(one > 1e-8 && (one - ten).abs() < 1e-4 * one, "{one:e} {ten:e}");
}

/// Their equations are solved by fixed-point iteration, and nothing else can be chosen.
#[test]
fn options_that_they_do_not_have_are_refused() {
    for entry in entries::<f64, N, Body<f64>>() {
        let refused = |options: &Options| (entry.make)(&body(), options).err();
        assert_eq!(refused(&Options::default()), None);
        let fixed = Options { solver: Solver::FixedPoint, ..Options::default() };
        assert_eq!(refused(&fixed), None);
        let newton = Options { solver: Solver::Newton, ..Options::default() };
        assert!(refused(&newton).is_some());
        let compensated = Options { compensated: true, ..Options::default() };
        let found = refused(&compensated);
        assert!(matches!(found, Some(OptionError::NotCompensated { .. })), "{found:?}");
    }
}
