//! The exact motions of the reference file, and runs that choose their own steps.
use super::data::*;
use lieflow::chart::Chart;
use lieflow::method::rkmk::Rkmk;
use lieflow::problem::spheres::{
    Coordinates, LiftCoordinates, MomentumCoordinates, OnSpheres, Se3Coordinates, SphereSystem,
};
use lieflow::stepping::{Adaptive, Fixed, integrate};
use lieflow::{action::Link, tableau};
use serde_json::Value;

/// Nobody looks on.
fn blind<P: lieflow::problem::Problem>() -> impl lieflow::stepping::Observer<P> {
    |_: f64, _: &P::Point| std::ops::ControlFlow::Continue(())
}

fn flow_to<M: SphereSystem<Scalar = f64>, C: Coordinates>(
    m: &M,
    y: &[Link<f64>],
    t: f64,
) -> Vec<Link<f64>> {
    let p = OnSpheres::<M, C>::new(m.clone(), y);
    let mut method = Rkmk::new(&tableau::DOP853, Chart::Exp);
    let mut control = Adaptive::elementary(1e-14, 8);
    let end = integrate(&p, &mut method, &mut control, (0.0, t), 1e-3, &mut blind()).unwrap();
    p.links(&end.state)
}

fn check_flow<M: SphereSystem<Scalar = f64>>(m: &M, case: &Value) -> f64 {
    let mut worst = 0.0f64;
    for state in case["states"].as_array().unwrap() {
        let t = state["t"].as_f64().unwrap();
        let growth = state["perturbation_amplification"].as_f64().unwrap();
        let want = links(&state["q"], &state["w"]);
        let start = start(case);
        for end in [
            flow_to::<M, Se3Coordinates>(m, &start, t),
            flow_to::<M, LiftCoordinates>(m, &start, t),
            flow_to::<M, MomentumCoordinates>(m, &start, t),
        ] {
            let d = distance(&end, &want);
            let bound = if growth < 100.0 { 1e-11 } else { 1e-9 };
            println!("{} t = {t}: {d:.1e} (growth {growth})", case["name"]);
            assert!(d < bound, "{} t = {t}: {d:e}", case["name"]);
            worst = worst.max(d / growth.max(1.0));
        }
    }
    worst
}

#[test]
fn motions_agree_with_two_independent_integrations() {
    let data = reference();
    for case in data["flows"].as_array().unwrap() {
        if case["system"] == "dipoles" {
            check_flow(&dipoles(case), case);
        } else {
            check_flow(&chain(case), case);
        }
    }
}

#[test]
fn variable_steps_are_those_of_the_published_loop() {
    let data = reference();
    for run in data["variable_step"].as_array().unwrap() {
        let name = run["case"].as_str().unwrap();
        let case = flow(&data, name);
        let number = |key: &str| run[key].as_f64().unwrap();
        let state = &case["states"][0];
        let until = state["t"].as_f64().unwrap();
        let want = links(&state["q"], &state["w"]);
        let p = OnSpheres::<_, Se3Coordinates>::new(chain(&case), &start(&case));
        let mut method = Rkmk::new(&tableau::DP54, Chart::Exp);
        let mut control = Adaptive::plain(number("tol"), number("alpha"));
        control.theta = number("theta");
        let span = (0.0, until);
        let end =
            integrate(&p, &mut method, &mut control, span, until / 100.0, &mut blind()).unwrap();
        let error = |y: &[Link<f64>]| {
            let (q, w) = errors(y, &want);
            q.hypot(w)
        };
        let variable = error(&end.state);
        let step = until / end.steps as f64;
        let even = integrate(&p, &mut method, &mut Fixed::new(), span, step, &mut blind()).unwrap();
        let constant = error(&even.state);
        println!(
            "{name} alpha {}: {}/{} {variable:.3e} {constant:.3e}",
            number("alpha"),
            end.steps,
            end.rejected
        );
        let (accepted, rejected) = (number("accepted"), number("rejected"));
        let slack = if case["q0"].as_array().unwrap().len() <= 10 { 0.0 } else { 1.0 };
        assert!((end.steps as f64 - accepted).abs() <= slack, "{name}: {} steps", end.steps);
        assert!((end.rejected as f64 - rejected).abs() <= slack, "{name}: {}", end.rejected);
        for (found, key) in
            [(variable, "err_variable"), (constant, "err_constant_same_number_of_steps")]
        {
            let want = number(key);
            assert!((found - want).abs() < 0.01 * want, "{name}, {key}: {found:e} {want:e}");
        }
    }
}
