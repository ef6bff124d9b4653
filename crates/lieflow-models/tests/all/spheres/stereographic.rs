//! The stereographic chart: chains and dipoles stay on their spheres, slopes are those of the motion, orders are kept.
use super::random::Random;
use lieflow::action::{Action, Link, TangentSphere};
use lieflow::chart::Chart;
use lieflow::group::{LieAlgebra, Twist};
use lieflow::problem::spheres::{OnSpheres, Se3Coordinates};
use lieflow::problem::{Generator, Stage};
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::run::{NullSink, Record};
use lieflow_models::study::order::OrderStudy;
use lieflow_models::system::pendulum_chain::PendulumChain;

type Chain = OnSpheres<PendulumChain<f64>, Se3Coordinates>;
type Spheres = Vec<TangentSphere<f64>>;

const CHART: Chart = Chart::Stereographic;

/// The point with these coordinates.
fn moved(u: &Vec<Twist<f64>>, y: &Vec<Link<f64>>) -> Vec<Link<f64>> {
    let mut point = y.clone();
    Spheres::advance(CHART, u, y, &mut point);
    point
}

/// A place in the chart at random links: turns of all sizes below half a turn, across the directions but for roundings. Slopes keep
/// coordinates there, and are those of such places only.
fn place(random: &mut Random, n: usize) -> (Vec<Link<f64>>, Vec<Twist<f64>>) {
    let y = random.links(n, 2.0);
    let u = y.iter().enumerate().map(|(i, link)| {
        let size = [1e-3, 0.3, 2.5, 0.0][i % 4];
        let mut across = |size| link.q.cross(random.vector(size));
        Twist::new(across(size), across(1.0))
    });
    let u = u.collect();
    (y, u)
}

#[test]
fn slopes_are_the_rates_of_the_coordinates() {
    let mut random = Random::new(21);
    for n in (1..=9).chain([16, 33]) {
        let p = Chain::new(random.chain(n), &random.links(n, 1.0));
        let (y, u) = place(&mut random, n);
        let at = moved(&u, &y);
        let field = p.field(0.0, &at);
        // The short way, and the long one: it goes by motions of space.
        let (mut point, mut short) = (y.clone(), u.clone());
        p.slope_at(Stage { chart: CHART, t: 0.0, u: &u, y: &y }, &mut point, &mut short);
        let mut long = field.clone();
        Spheres::pull(CHART, &u, &y, &at, &mut long);
        let mut apart = short.clone();
        apart.axpy(-1.0, &long);
        assert!(apart.norm() < 1e-12 * (1.0 + long.norm()), "{n} links: {:e}", apart.norm());
        // They move the point as the field does.
        let step = 1e-5;
        let [there, back] = [step, -step].map(|h| {
            let mut by = u.clone();
            by.axpy(h, &short);
            moved(&by, &y)
        });
        for i in 0..n {
            let rate = |a: lieflow::Vec3<f64>, b: lieflow::Vec3<f64>| (a - b) * (0.5 / step);
            let (q, omega) = (rate(there[i].q, back[i].q), rate(there[i].omega, back[i].omega));
            let want = (at[i].velocity(), field[i].linear.cross(at[i].q));
            let error = (q - want.0).norm() + (omega - want.1).norm();
            assert!(error < 1e-7 * (1.0 + want.1.norm()), "link {i} of {n}: {error:e}");
        }
    }
}

#[test]
fn points_stay_on_the_manifold_and_shifts_lead_there() {
    let mut random = Random::new(22);
    for _ in 0..300 {
        let (y, u) = place(&mut random, 4);
        for (link, (from, u)) in moved(&u, &y).iter().zip(y.iter().zip(&u)) {
            assert!((link.q.norm() - 1.0).abs() < 5e-16, "{link:?}");
            assert!(link.q.dot(link.omega).abs() < 4e-15, "{link:?}");
            let mut sum = *from;
            TangentSphere::shift(CHART, u, from, &mut sum);
            assert!((sum.q - link.q).norm() < 1e-15 && (sum.omega - link.omega).norm() < 1e-14);
            // A small way has its own digits.
            let small = |part: f64| {
                let (mut by, mut way) = (*u, Link::new(from.q * 0.0, from.q * 0.0));
                by.assign(part, u);
                TangentSphere::shift(CHART, &by, from, &mut way);
                way
            };
            let (there, back) = (small(1e-12), small(-1e-12));
            assert!((there.q + back.q).norm() < 1e-22 && (there.omega + back.omega).norm() < 1e-22);
        }
    }
}

fn solved(problem: &str, settings: &[&str]) -> Result<Record, String> {
    let text = problems::find(problem).unwrap().text;
    let settings: Vec<_> = settings.iter().map(|s| Setting::parse("--set", s).unwrap()).collect();
    let document = Document::parse(text, problem, &settings).map_err(|e| e.to_string())?;
    let (model, plan) =
        (document.build().map_err(|e| e.to_string())?, document.plan().map_err(|e| e.to_string())?);
    model.run(&plan, &mut NullSink).map_err(|failure| failure.error.to_string())
}

#[test]
fn orders_are_kept() {
    for (problem, method, order, steps) in [
        ("chain-generic-n5", "rkmk4", 4.0, [0.01, 0.005, 0.0025]),
        ("chain-generic-n5", "rkmk-dp54", 5.0, [0.01, 0.005, 0.0025]),
        ("dipoles-4x4", "rkmk4", 4.0, [0.04, 0.02, 0.01]),
    ] {
        let text = problems::find(problem).unwrap().text;
        let settings = ["solve.until=0.4", "solve.chart=stereographic"]
            .map(|s| Setting::parse("--set", s).unwrap());
        let document = Document::parse(text, problem, &settings).unwrap();
        let (model, plan) = (document.build().unwrap(), document.plan().unwrap());
        let study = OrderStudy::new(model.as_ref(), &plan, &[method.into()], &steps).unwrap();
        let found = study.run(&mut |_| {}).unwrap()[0].order.unwrap();
        assert!((found - order).abs() < 0.3, "{problem} {method}: {found}");
    }
}

/// Runs of many steps remain on their spheres as well as those in the exponential chart.
#[test]
fn long_runs_stay_on_the_spheres() {
    let [in_this, in_exponential] = ["stereographic", "exp"].map(|chart| {
        let chart = format!("solve.chart={chart}");
        let settings = [&chart, "solve.until=20", "solve.method=rkmk-dop853", "solve.step=0.02"];
        solved("chain-generic-n5", &settings).unwrap().manifold_error
    });
    // Angular velocities are of size ten.
    assert!(in_this < 2e-14 && in_this <= in_exponential, "{in_this:e} {in_exponential:e}");
}

#[test]
fn the_isotropy_is_chosen_by_the_chart() {
    for choice in ["solve.isotropy=orthogonal", "solve.conserve=energy"] {
        let error = solved("chain-generic-n5", &["solve.chart=stereographic", choice]).unwrap_err();
        assert!(error.contains("stereographic chart chooses the isotropy itself"), "{error}");
    }
    let error =
        solved("mild-top", &["solve.method=rkmk4", "solve.chart=stereographic"]).unwrap_err();
    assert!(error.contains("have the stereographic chart"), "{error}");
}
