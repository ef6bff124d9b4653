//! Single steps: what they cost, what they allocate, and how they fail.
use crate::common::*;
use lieflow::action::Multiply;
use lieflow::chart::Chart;
use lieflow::group::{Rn, So3};
use lieflow::method::generator::{entries, entries_lifted};
use lieflow::method::isotropy::{Conserve, Part};
use lieflow::method::{Entry, Estimate, Method, OptionError, Options, Solver, Step, StepError};
use lieflow::problem::{Generator, Lift, Problem};
use lieflow::{Real, Vec3, vec3};
use lieflow_testing::counting::after_the_first;

/// Those that a method has.
fn solvers(implicit: bool) -> &'static [Solver] {
    if implicit { &[Solver::Newton, Solver::FixedPoint] } else { &[Solver::Automatic] }
}

#[test]
fn no_step_allocates() {
    let data = reference();
    let p = kirchhoff(&input(&data, "kirchhoff"));
    let q = generic_se3(&input(&data, "generic-se3"));
    for (a, b) in entries_lifted().into_iter().zip(entries_lifted()) {
        for &solver in solvers(a.card.implicit) {
            let options = Options { solver, ..Options::default() };
            let id = a.card.id;
            assert_eq!(
                after_the_first(&p, &mut *(a.make)(&p, &options).unwrap(), 0.1, 20),
                0,
                "{id}"
            );
            assert_eq!(
                after_the_first(&q, &mut *(b.make)(&q, &options).unwrap(), 0.1, 20),
                0,
                "{id}"
            );
        }
    }
}

/// Free bodies side by side, as many as one likes, that pull on each other's momenta.
struct Many {
    count: usize,
}
impl Problem for Many {
    type Point = Vec<(So3<f64>, Vec3<f64>)>;
    fn start(&self) -> Self::Point {
        (0..self.count).map(|i| (So3::unit(), vec3(0.5, 0.1 * i as f64, 0.8))).collect()
    }
}
impl Generator for Many {
    type Space = Vec<BodyTurn<f64>>;
    fn field(&self, t: f64, y: &Self::Point) -> Vec<Vec3<f64>> {
        let mut out = vec![Vec3::zero(); y.len()];
        self.field_into(t, y, &mut out);
        out
    }
    fn field_into(&self, _t: f64, y: &Self::Point, out: &mut Vec<Vec3<f64>>) {
        let mut total = Vec3::zero();
        for (_, m) in y {
            total += *m;
        }
        for (f, (_, m)) in out.iter_mut().zip(y) {
            *f = -m.divided_by(vec3(0.7, 1.0, 2.0)) + total * 0.1;
        }
    }
}

#[test]
fn no_step_of_run_time_size_allocates() {
    let p = Many { count: 7 };
    for entry in entries() {
        let id = entry.card.id;
        let mut m = (entry.make)(&p, &Options::default()).unwrap();
        assert_eq!(after_the_first(&p, &mut *m, 0.1, 20), 0, "{id}");
    }
}

/// Evaluations of an accepted step, first-same-as-last reuse included, are those on the card.
#[test]
fn evaluations_are_those_on_the_card() {
    let p = kirchhoff(&input(&reference(), "kirchhoff"));
    for entry in entries_lifted() {
        let id = entry.card.id;
        let mut m = (entry.make)(&p, &Options::default()).unwrap();
        run(&p, &mut *m, 0.1, 1);
        let first = m.cost();
        m.reset();
        run(&p, &mut *m, 0.1, 10);
        let cost = m.cost().field_evaluations - first.field_evaluations;
        match entry.card.evaluations {
            Some(n) => {
                assert!(!entry.card.implicit);
                let reused = first.field_evaluations - u64::from(n);
                assert_eq!(cost, 10 * u64::from(n) + reused, "{id}");
                assert!(reused <= 1, "{id}");
            }
            None => assert!(entry.card.implicit && m.cost().newton_iterations > 0, "{id}"),
        }
        let (exponentials, fields) = (first.exponentials, first.field_evaluations);
        // Section 4.4 of the specification.
        let expected = match id {
            "lie-euler" => (1, 1),
            "rkmk2-heun" | "rkmk2-midpoint" | "cf2-heun" | "cf2-midpoint" => (2, 2),
            "rkmk3" | "cf3-a" | "cf3-b" => (3, 3),
            "rkmk4" | "rkmk4-casas-owren" => (4, 4),
            "rkmk-bs32" => (3, 4),
            "rkmk-rkf45" => (6, 6),
            "rkmk-dp54" => (6, 7),
            "rkmk-dop853" => (12, 12),
            "cg3" => (6, 3),
            "cg4" => (15, 5),
            "cf4" => (5, 4),
            "cf32-a" | "cf32-b" => (4, 3),
            "cf43-eq34" => (8, 5),
            "cf43-fsal" => (6, 5),
            "cf2n3" | "ees25" => (3, 3),
            "cf2n4" => (5, 5),
            "cf2n4-6" => (6, 6),
            "ees27" => (4, 4),
            _ => (exponentials, fields),
        };
        assert_eq!((exponentials, fields), expected, "{id}");
    }
}

/// Reuse of the last field changes no bit.
#[test]
fn reuse_changes_no_bit() {
    let p = heavy_lp(&input(&reference(), "heavy-top-seed"));
    for entry in entries_lifted() {
        let with = run(&p, &mut *(entry.make)(&p, &Options::default()).unwrap(), 1e-3, 10);
        let mut m = (entry.make)(&p, &Options::default()).unwrap();
        let (mut y, mut out) = (p.start(), p.start());
        for n in 0..10 {
            m.reset();
            m.step(Step::new(&p, n as f64 * 1e-3, 1e-3, &y), &mut out).unwrap();
            y = out;
        }
        assert_eq!(y, with, "{}", entry.card.id);
    }
}

/// Iterations of Newton's method and of the fixed point at rounding level, as measured elsewhere.
#[test]
fn iterations_are_few() {
    let data = reference();
    let p = free_body(&input(&data, "free-body-seed001"));
    let q = heavy_lp(&input(&data, "heavy-top-seed"));
    let count = |solver, h: f64, body: bool| {
        let options = Options { solver, ..Options::default() };
        let n = 20;
        let total = if body {
            let mut m = method(&entries_lifted(), "rkmk-gl4", &p, &options);
            run(&p, &mut *m, h, n);
            m.cost().newton_iterations
        } else {
            let mut m = method(&entries_lifted(), "rkmk-gl4", &q, &options);
            run(&q, &mut *m, h, n);
            m.cost().newton_iterations
        };
        total as f64 / n as f64
    };
    for (h, body, slow, fast) in [
        (0.1, true, 12.0, 4.0),
        (0.3, true, 16.0, 4.0),
        (0.9, true, 26.0, 5.0),
        (0.001, false, 14.0, 3.0),
        (0.005, false, 33.0, 4.0),
        (0.01, false, 80.0, 5.0),
    ] {
        let (a, b) = (count(Solver::FixedPoint, h, body), count(Solver::Newton, h, body));
        eprintln!("h = {h}: {a} sweeps, {b} Newton iterations");
        assert!(a <= slow, "h = {h}: {a} sweeps");
        assert!(b <= fast, "h = {h}: {b} iterations");
    }
}

/// A spin about the third axis, so fast that a step turns by `rate h`.
struct Spin {
    rate: f64,
}
impl Problem for Spin {
    type Point = So3<f64>;
    fn start(&self) -> So3<f64> {
        So3::unit()
    }
}
impl Generator for Spin {
    type Space = Multiply<So3<f64>>;
    fn field(&self, _t: f64, _y: &So3<f64>) -> Vec3<f64> {
        vec3(0.0, 0.0, self.rate)
    }
}

#[test]
fn a_full_turn_leaves_the_chart() {
    let fails = |id: &str, rate: f64, chart| {
        let p = Spin { rate };
        let mut m = method(&entries(), id, &p, &in_chart(chart));
        m.step(Step::new(&p, 0.0, 1.0, &p.start()), &mut p.start()).err()
    };
    for id in ["rkmk4", "rkmk-dp54", "rkmk-bs32"] {
        // The last stage is a full step away.
        assert_eq!(fails(id, 6.28, Chart::Exp), None);
        for chart in [Chart::Exp, Chart::ExpSeries { brackets: 4 }] {
            match fails(id, 6.29, chart) {
                Some(StepError::ChartLeft { angle, limit }) => {
                    assert!((angle - 6.29).abs() < 1e-12 && limit == std::f64::consts::TAU);
                }
                other => panic!("{id}: {other:?}"),
            }
        }
        assert_eq!(fails(id, 6.29, Chart::Cayley), None);
    }
    // Gauss nodes are inside the step: c2 of the method of order four is 0.789.
    assert_eq!(fails("rkmk-gl4", 7.9, Chart::Exp), None);
    assert!(matches!(fails("rkmk-gl4", 8.0, Chart::Exp), Some(StepError::ChartLeft { .. })));
    // A centred chart reaches further, and products of exponentials have no limit.
    assert_eq!(fails("gl4-sym", 20.0, Chart::Exp), None);
    for id in ["lie-euler", "rkmk4-casas-owren", "cf4", "cg3"] {
        assert_eq!(fails(id, 100.0, Chart::Exp), None);
    }
    let text = fails("rkmk4", 9.0, Chart::Exp).unwrap().to_string();
    assert!(text.contains("rotation by 9 rad") && text.contains("smaller step"), "{text}");
}

/// `x' = sqrt(1 - x)` on the line: not a number beyond one.
#[derive(Clone)]
struct Wall<S> {
    start: Rn<S, 1>,
}
impl<S: Real> Problem for Wall<S> {
    type Point = Rn<S, 1>;
    fn start(&self) -> Rn<S, 1> {
        self.start
    }
}
impl<S: Real> Generator for Wall<S> {
    type Space = Multiply<Rn<S, 1>>;
    fn field(&self, _t: f64, y: &Rn<S, 1>) -> Rn<S, 1> {
        Rn([(S::one() - y.0[0]).sqrt() * 3.0])
    }
}
impl<S: Real> Lift for Wall<S> {
    type Scalar = S;
    type Over<T: Real> = Wall<T>;
    fn lift<T: Real>(&self, f: fn(S) -> T) -> Wall<T> {
        Wall { start: Rn([f(self.start.0[0])]) }
    }
    fn lift_point<T: Real>(&self, y: &Rn<S, 1>, f: fn(S) -> T) -> Rn<T, 1> {
        Rn([f(y.0[0])])
    }
}

#[test]
fn a_field_that_is_not_a_number_is_reported() {
    for (start, h) in [(2.0, 0.1), (0.9, 3.0)] {
        let p = Wall { start: Rn([start]) };
        for entry in entries_lifted() {
            let id = entry.card.id;
            // Within one evaluation Euler sees nothing wrong with the second start.
            if start < 1.0 && id == "lie-euler" {
                continue;
            }
            for &solver in solvers(entry.card.implicit) {
                let options = Options { solver, ..Options::default() };
                let mut m = (entry.make)(&p, &options).unwrap();
                let step = m.step(Step::new(&p, 0.0, h, &p.start), &mut p.start());
                let bad = matches!(step, Err(StepError::NotFinite { what: "the field" }));
                assert!(bad, "{id} from {start}: {step:?}");
            }
        }
    }
}

/// A rotation that spins up so fast that no stage solves the equations.
struct Stiff;
impl Problem for Stiff {
    type Point = Rn<f64, 2>;
    fn start(&self) -> Rn<f64, 2> {
        Rn([1.0, 0.0])
    }
}
impl Generator for Stiff {
    type Space = Multiply<Rn<f64, 2>>;
    fn field(&self, _t: f64, y: &Rn<f64, 2>) -> Rn<f64, 2> {
        Rn([50.0 * y.0[1], -50.0 * y.0[0]])
    }
}

#[test]
fn iterations_that_do_not_converge_say_so() {
    let p = Stiff;
    for id in ["rkmk-gl2", "rkmk-gl4", "rkmk-gl6", "gl4-sym"] {
        let mut m = method(&entries(), id, &p, &Options::default());
        let step = m.step(Step::new(&p, 0.0, 0.25, &p.start()), &mut p.start());
        let Err(StepError::NotConverged { equation, iterations, residual, step }) = step else {
            panic!("{id}: {step:?}");
        };
        assert!(equation.contains("Gauss stages") && step == 0.25 && residual > 1.0, "{id}");
        assert!(iterations > 100, "{id}: {iterations}");
        // The method can be used again.
        m.step(Step::new(&p, 0.0, 0.001, &p.start()), &mut p.start()).unwrap();
    }
}

#[test]
fn options_that_do_not_exist_are_refused() {
    let data = reference();
    let p = kirchhoff(&input(&data, "kirchhoff"));
    let list = entries_lifted();
    let make = |id: &str, options: Options| {
        let entry = list.iter().find(|e| e.card.id == id).unwrap();
        (entry.make)(&p, &options).err()
    };
    for id in ["cf4", "cg3", "rkmk4-casas-owren", "gl4-sym"] {
        let error = make(id, in_chart(Chart::Cayley));
        assert!(matches!(error, Some(OptionError::NoChart { method }) if method == id), "{id}");
    }
    assert_eq!(make("gl4-sym", in_chart(Chart::ExpSeries { brackets: 3 })), None);
    assert_eq!(make("rkmk4", in_chart(Chart::Cayley)), None);
    let log = Options { estimate: Estimate::Group, ..Options::default() };
    assert_eq!(make("rkmk-dp54", log), Some(OptionError::NoGroupDistance));
    assert_eq!(make("cf32-a", log), Some(OptionError::NoGroupDistance));
}

/// The three ways to measure the difference of a pair: they agree to first order on SO(3), where
/// the entries of a matrix see an angle times the square root of two.
#[test]
fn estimates_can_be_chosen() {
    let p = heavy_tso3(&input(&reference(), "mild-top"));
    for id in ["rkmk-dp54", "cf43-fsal", "rkmk-dop853"] {
        let estimate = |estimate| {
            let options = Options { estimate, ..Options::default() };
            let mut m = method(&entries_lifted(), id, &p, &options);
            m.step(Step::new(&p, 0.0, 0.2, &p.start), &mut p.start()).unwrap().unwrap()
        };
        let natural = estimate(Estimate::Natural);
        let (state, group) = (estimate(Estimate::State), estimate(Estimate::Group));
        eprintln!("{id}: {natural:e} {state:e} {group:e}");
        assert!(state > 0.0 && group > 0.0 && state != group);
        assert!(state / natural < 4.0 && natural / state < 4.0, "{id}: {natural:e} {state:e}");
        assert!(group / natural < 4.0 && natural / group < 4.0, "{id}: {natural:e} {group:e}");
        if id.starts_with("cf") {
            assert_eq!(natural, state);
        }
    }
}

/// The cards are those of the contract, and no id appears twice.
#[test]
fn all_ids_are_there_once() {
    let p = entries_lifted::<Kirchhoff<f64>>();
    let mut ids: Vec<_> = p.iter().map(|e| e.card.id).collect();
    for id in "lie-euler rkmk2-heun rkmk2-midpoint rkmk3 rkmk4 rkmk4-casas-owren rkmk-bs32 \
               rkmk-rkf45 rkmk-dp54 rkmk-dop853 rkmk-gl2 rkmk-gl4 rkmk-gl6 gl4-sym cg3 cg4 \
               cf2-heun cf2-midpoint cf3-a cf3-b cf4 cf32-a cf32-b cf43-eq34 cf43-fsal \
               cf2n3 cf2n4 cf2n4-6 ees25 ees27"
        .split_whitespace()
    {
        assert!(ids.contains(&id), "{id}");
    }
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all);
    let bib = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../references.bib");
    let bib = std::fs::read_to_string(bib).unwrap();
    for card in p.iter().map(|e| &e.card) {
        assert!(bib.contains(&format!("{{{},", card.cite)), "{} is not in {}", card.cite, card.id);
        assert!(!card.symplectic && !card.title.is_empty());
    }
}

/// What a method does not have is refused, and not ignored.
#[test]
fn options_without_effect_are_refused() {
    let p = kirchhoff(&input(&reference(), "kirchhoff"));
    let plain = Options::default();
    for (lifted, entry) in entries_lifted().into_iter().zip(entries()) {
        let card = &entry.card;
        let method = card.id;
        let fixed = Options { solver: Solver::FixedPoint, ..plain };
        let newton = Options { solver: Solver::Newton, ..plain };
        let refused = |e: &Entry<_>, o: &Options| (e.make)(&p, o).err();
        if card.implicit {
            assert_eq!(refused(&lifted, &newton), None, "{method}");
            assert_eq!(refused(&lifted, &fixed), None, "{method}");
            assert_eq!(refused(&entry, &fixed), None, "{method}");
            let only = Some(OptionError::FixedPointOnly { method });
            assert_eq!(refused(&entry, &newton), only);
        } else {
            assert_eq!(refused(&lifted, &newton), Some(OptionError::NoSolver { method }));
            assert_eq!(refused(&entry, &fixed), Some(OptionError::NoSolver { method }));
        }
        let state = Options { estimate: Estimate::State, ..plain };
        let none = card.estimate_power.is_none();
        let expected = none.then_some(OptionError::NoEstimate { method });
        assert_eq!(refused(&entry, &state), expected);
        let turned = Options { isotropy: Part::Orthogonal, ..plain };
        assert_eq!(refused(&entry, &turned), Some(OptionError::NoIsotropy { method }));
        let kept = Options { conserve: Some(Conserve::exactly(&["energy"])), ..plain };
        assert_eq!(refused(&entry, &kept), Some(OptionError::NoConservation { method }));
    }
}
