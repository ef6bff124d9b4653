//! Between the ends of a step.
use crate::common::*;
use crate::spherical::systems::ring;
use crate::tableaux::products;
use lieflow::action::Multiply;
use lieflow::chart::Chart;
use lieflow::group::{Se3, So3, Twist};
use lieflow::kernel::so3;
use lieflow::method::casas_owren::CasasOwren;
use lieflow::method::commutator_free::ProductMethod;
use lieflow::method::generator::entries_lifted;
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Method, Options, Step};
use lieflow::problem::{Generator, Lift, Problem};
use lieflow::tableau;
use lieflow::{Mat3, Real, Vec3, vec3};
use std::cell::Cell;

fn at<P: Lift<Point: Listed>, M: Method<P> + ?Sized>(
    p: &P,
    m: &mut M,
    h: f64,
    thetas: &[f64],
) -> Vec<Vec<f64>> {
    let y = p.start();
    let (mut end, mut out) = (y.clone(), y.clone());
    m.step(Step::new(p, 0.0, h, &y), &mut end).unwrap();
    m.accept();
    thetas
        .iter()
        .map(|theta| {
            m.interpolate(Step::new(p, 0.0, h, &y).inside(&end, *theta), &mut out).unwrap();
            out.list()
        })
        .collect()
}

fn check<P: Lift<Point: Listed> + 'static>(p: &P, case: &serde_json::Value) {
    let (h, theta) = (case["h"].as_f64().unwrap(), case["theta"].as_f64().unwrap());
    for (name, id) in [("dp54-order4", "rkmk-dp54"), ("rkmk4-hermite3", "rkmk4")] {
        let want = numbers(&case["states"][name]);
        let mut m = method(&entries_lifted(), id, p, &Options::default());
        let got = at(p, &mut *m, h, &[theta]);
        assert!(distance(&got[0], &want) < 1e-14, "{id}: {:e}", distance(&got[0], &want));
    }
}

#[test]
fn reference_values() {
    let data = reference();
    let cases = data["dense"].as_array().unwrap();
    assert_eq!(cases.len(), 3);
    for case in cases {
        match case["case"].as_str().unwrap() {
            "generic-se3" => check(&generic_se3(&input(&data, "generic-se3")), case),
            id => check(&free_body(&input(&data, id)), case),
        }
    }
}

/// The largest error of the interpolant within one step of length `h`.
fn local_error<P: Lift<Point: Listed> + 'static>(p: &P, m: &mut dyn Method<P>, h: f64) -> f64 {
    let thetas = [0.2, 0.4, 0.6, 0.8];
    let got = at(p, m, h, &thetas);
    let exact = |theta: f64| {
        run(p, &mut Rkmk::new(&tableau::DOP853, Chart::Exp), theta * h / 8.0, 8).list()
    };
    thetas.iter().zip(got).map(|(t, g)| distance(&g, &exact(*t))).fold(0.0, f64::max)
}

/// Local order five for Dormand and Prince, four for all others, or one more than the order of the
/// method where that is less.
#[test]
fn local_orders() {
    let data = reference();
    let p = generic_se3(&input(&data, "generic-se3"));
    let q = free_body(&input(&data, "free-body-seed001"));
    for (a, b) in entries_lifted().into_iter().zip(entries_lifted()) {
        let id = a.card.id;
        let nominal = if id == "rkmk-dp54" { 5 } else { a.card.order.min(3) + 1 };
        let observed = |e: &dyn Fn(f64) -> f64| (e(0.02) / e(0.01)).log2();
        let generic =
            observed(&|h| local_error(&p, &mut *(a.make)(&p, &Options::default()).unwrap(), h));
        let body =
            observed(&|h| local_error(&q, &mut *(b.make)(&q, &Options::default()).unwrap(), h));
        for order in [generic, body] {
            assert!((order - f64::from(nominal)).abs() < 0.15, "{id}: {generic} {body}");
        }
    }
}

/// The interpolant meets both ends, whatever the chart, and does not disturb the steps.
#[test]
fn ends_meet_and_steps_go_on() {
    let data = reference();
    let p = heavy_tso3(&input(&data, "mild-top"));
    let charts = [Chart::Exp, Chart::ExpSeries { brackets: 3 }, Chart::Cayley, Chart::SecondKind];
    for entry in entries_lifted() {
        for chart in charts {
            let Ok(mut m) = (entry.make)(&p, &in_chart(chart)) else { continue };
            let id = entry.card.id;
            let h = 0.1;
            let (mut y, mut end, mut out) = (p.start, p.start, p.start);
            for n in 0..5 {
                let t = n as f64 * h;
                m.step(Step::new(&p, t, h, &y), &mut end).unwrap();
                // Before and after the decision.
                m.interpolate(Step::new(&p, t, h, &y).inside(&end, 0.0), &mut out).unwrap();
                assert!(distance(&out.list(), &y.list()) < 1e-15, "{id} {chart:?} start");
                m.accept();
                m.interpolate(Step::new(&p, t, h, &y).inside(&end, 1.0), &mut out).unwrap();
                assert!(distance(&out.list(), &end.list()) < 1e-14, "{id} {chart:?} end");
                y = end;
            }
            let plain = run(&p, &mut *(entry.make)(&p, &in_chart(chart)).unwrap(), h, 5);
            assert_eq!(plain.list(), y.list(), "{id} {chart:?}");
        }
    }
}

/// Where a product of exponentials turns too far for its logarithm, a shorter step is made instead;
/// the result is still good, and the next step does not reuse what the shorter one left.
#[test]
fn large_rotations_fall_back_to_a_shorter_step() {
    let p = free_body(&input(&reference(), "free-body-seed001"));
    for id in ["cf4", "cf43-fsal", "cg4"] {
        let mut m = method(&entries_lifted(), id, &p, &Options::default());
        let y = p.start;
        let (mut end, mut out) = (y, y);
        let h = 4.0;
        m.step(Step::new(&p, 0.0, h, &y), &mut end).unwrap();
        m.interpolate(Step::new(&p, 0.0, h, &y).inside(&end, 0.25), &mut out).unwrap();
        let mut fresh = method(&entries_lifted(), id, &p, &Options::default());
        let mut short = y;
        fresh.step(Step::new(&p, 0.0, 1.0, &y), &mut short).unwrap();
        assert_eq!(out.list(), short.list(), "{id}");
        m.interpolate(Step::new(&p, 0.0, h, &y).inside(&end, 0.25), &mut out).unwrap();
        assert_eq!(out.list(), short.list(), "{id} again");
        // A careless driver accepts after asking for output.
        m.accept();
        let (mut next, mut want) = (y, y);
        m.step(Step::new(&p, h, 0.5, &end), &mut next).unwrap();
        fresh.reset();
        fresh.step(Step::new(&p, h, 0.5, &end), &mut want).unwrap();
        assert_eq!(next.list(), want.list(), "{id} next");
    }
}

/// Inside a second step states are those of a method that has made no other, and after a reset those of a
/// shorter step.
fn forgets<P: Generator>(
    p: &P,
    id: &str,
    m: &mut dyn Method<P>,
    fresh: &mut dyn Method<P>,
    list: fn(&P::Point) -> Vec<f64>,
) {
    let (h, y) = (0.1, p.start());
    let (mut end, mut next, mut out, mut want) = (y.clone(), y.clone(), y.clone(), y.clone());
    m.step(Step::new(p, 0.0, h, &y), &mut end).unwrap();
    m.accept();
    m.interpolate(Step::new(p, 0.0, h, &y).inside(&end, 0.3), &mut out).unwrap();
    m.step(Step::new(p, h, h, &end), &mut next).unwrap();
    m.accept();
    m.interpolate(Step::new(p, h, h, &end).inside(&next, 0.7), &mut out).unwrap();
    let mut again = y.clone();
    fresh.step(Step::new(p, h, h, &end), &mut again).unwrap();
    fresh.accept();
    fresh.interpolate(Step::new(p, h, h, &end).inside(&again, 0.7), &mut want).unwrap();
    let apart = distance(&list(&out), &list(&want));
    assert!(apart < 1e-14, "{id}: {apart:e}");
    // The step that is asked for is not the one that was made last.
    m.reset();
    m.interpolate(Step::new(p, 0.0, h, &y).inside(&end, 0.5), &mut out).unwrap();
    fresh.reset();
    fresh.step(Step::new(p, 0.0, 0.5 * h, &y), &mut want).unwrap();
    let apart = distance(&list(&out), &list(&want));
    assert!(apart < 1e-14, "{id} after a reset: {apart:e}");
}

#[test]
fn nothing_of_the_step_before_is_left() {
    let data = reference();
    let p = generic_se3(&input(&data, "generic-se3"));
    for entry in entries_lifted() {
        let make = || (entry.make)(&p, &Options::default()).unwrap();
        forgets(&p, entry.card.id, &mut *make(), &mut *make(), Listed::list);
    }
    // Numbers on the heap go another way.
    let p = ring(3);
    let list = |y: &Vec<Vec3<f64>>| y.iter().flat_map(|v| v.to_array()).collect();
    forgets(&p, "ring", &mut CasasOwren::default(), &mut CasasOwren::default(), list);
}

/// A turn about a fixed axis.
#[derive(Clone, Debug)]
struct Steady<S>(Vec3<S>);
impl<S: Real> Problem for Steady<S> {
    type Point = So3<S>;
    fn start(&self) -> So3<S> {
        So3 { matrix: Mat3::identity() }
    }
}
impl<S: Real> Generator for Steady<S> {
    type Space = Multiply<So3<S>>;
    fn field(&self, _: f64, _: &So3<S>) -> Vec3<S> {
        self.0
    }
}

/// Products of exponentials are exact for a field that is always the same, inside a step too, however far they
/// turn: where a logarithm would go the other way round, a shorter step is made.
#[test]
fn steady_turns_are_exact_between_the_ends() {
    for table in products() {
        for angle in (1..12).map(|k| 0.5 * f64::from(k)) {
            let p = Steady(vec3(0.48, -0.6, 0.64));
            let (mut m, y) = (ProductMethod::new(table), p.start());
            let (mut end, mut out) = (y, y);
            m.step(Step::new(&p, 0.0, angle, &y), &mut end).unwrap();
            for theta in [0.2, 0.5, 0.9] {
                let inside = Step::new(&p, 0.0, angle, &y).inside(&end, theta);
                m.interpolate(inside, &mut out).unwrap();
                let off = (out.matrix - so3::exp(p.0 * (theta * angle))).norm_squared().sqrt();
                assert!(off < 1e-13, "{} {angle} {theta}: {off:e}", table.name);
            }
        }
    }
}

/// A field that counts how often it is asked.
struct Asked(GenericSe3<f64>, Cell<u64>);
impl Problem for Asked {
    type Point = Se3<f64>;
    fn start(&self) -> Se3<f64> {
        self.0.start
    }
}
impl Generator for Asked {
    type Space = Multiply<Se3<f64>>;
    fn field(&self, t: f64, y: &Se3<f64>) -> Twist<f64> {
        self.1.set(self.1.get() + 1);
        self.0.field(t, y)
    }
}

/// Every evaluation is counted, those between the ends of steps too.
#[test]
fn evaluations_are_counted() {
    let p = Asked(generic_se3(&input(&reference(), "generic-se3")), Cell::new(0));
    let mut methods: Vec<(&str, Box<dyn Method<Asked>>)> = vec![
        ("casas-owren", Box::new(CasasOwren::default())),
        ("rk4", Box::new(Rkmk::new(&tableau::RK4, Chart::Exp))),
        ("dp54", Box::new(Rkmk::new(&tableau::DP54, Chart::Exp))),
    ];
    for table in products() {
        methods.push((table.name, Box::new(ProductMethod::new(table))));
    }
    for (id, mut m) in methods {
        let (h, mut y) = (0.1, p.start());
        let (mut end, mut out) = (y, y);
        // The first step asks once more, to make room.
        m.step(Step::new(&p, 0.0, h, &y), &mut end).unwrap();
        let (asked, counted) = (p.1.get(), m.cost().field_evaluations);
        for k in 1..4 {
            m.accept();
            for theta in [0.25, 0.5] {
                let t = h * f64::from(k - 1);
                m.interpolate(Step::new(&p, t, h, &y).inside(&end, theta), &mut out).unwrap();
            }
            y = end;
            m.step(Step::new(&p, h * f64::from(k), h, &y), &mut end).unwrap();
        }
        let counted = m.cost().field_evaluations - counted;
        assert_eq!(p.1.get() - asked, counted, "{id}");
    }
}
