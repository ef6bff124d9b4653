//! Observed orders on the problems by formulas, those that depend on time among them.
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::study::order::OrderStudy;

const PROBLEMS: [(&str, f64, f64); 11] = [
    ("pendulum-on-turntable", 1.0, 0.1),
    ("coupled-bodies", 1.0, 0.1),
    ("spin-chain", 0.25, 0.05),
    ("driven-macrospin", 2.0, 0.2),
    ("screened-vortices", 4.0, 0.4),
    ("buoyant-body", 2.0, 0.2),
    ("underwater-vehicle", 1.0, 0.1),
    ("kuramoto-spheres", 0.5, 0.1),
    ("chirped-pulse", -7.0, 0.05),
    ("oblate-planet", 1.0, 0.1),
    ("tracking-quadrotor", 0.25, 0.005),
];

#[test]
fn the_card_tells_the_order() {
    let methods = ["rkmk4", "cf4", "rkmk-gl4", "taylor4"].map(String::from);
    for (problem, until, step) in PROBLEMS {
        let until = Setting::value("--until", "solve.until", &format!("{until:?}")).unwrap();
        let document = Document::parse(problems::find(problem).unwrap().text, problem, &[until]);
        let document = document.unwrap();
        let (model, plan) = (document.build().unwrap(), document.plan().unwrap());
        let steps = [step, step / 2.0, step / 4.0, step / 8.0];
        let study = OrderStudy::new(model.as_ref(), &plan, &methods, &steps).unwrap();
        for ladder in study.run(&mut |_| {}).unwrap() {
            let order = ladder.order.unwrap_or(f64::NAN);
            assert!((order - 4.0).abs() < 0.15, "{problem} by {}: {order}", ladder.method);
        }
    }
}
