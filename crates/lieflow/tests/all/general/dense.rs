//! Between the ends of a step.
use crate::common::*;
use lieflow::chart::Chart;
use lieflow::method::generator::entries_lifted;
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Method, Options, Step};
use lieflow::problem::Lift;
use lieflow::tableau;

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
