//! The order study finds orders, floors and failures.
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::study::order::{Ladder, OrderStudy, Reference};
use lieflow_models::study::{StudyError, fitting};

fn study(problem: &str, until: &str, methods: &[&str], steps: &[f64]) -> (Vec<Ladder>, f64) {
    let text = problems::find(problem).unwrap().text;
    let settings = [Setting::value("--until", "solve.until", until).unwrap()];
    let document = Document::parse(text, problem, &settings).unwrap();
    let (model, plan) = (document.build().unwrap(), document.plan().unwrap());
    let methods: Vec<String> = methods.iter().map(|m| (*m).into()).collect();
    let study = OrderStudy::new(model.as_ref(), &plan, &methods, steps).unwrap();
    (study.run(&mut |_| {}).unwrap(), study.reference().uncertainty)
}

#[test]
fn rkmk4_has_order_four_and_the_errors_of_the_specification() {
    let (ladders, uncertainty) =
        study("generic-se3", "2", &["rkmk4"], &[0.125, 0.0625, 0.03125, 0.015625]);
    let order = ladders[0].order.unwrap();
    assert!((order - 4.0).abs() < 0.05, "{order}");
    assert!(uncertainty < 1e-13, "{uncertainty}");
    // lie-group-methods, section 7: 32 steps of size 1/16.
    let error = ladders[0].points[1].outcome.as_ref().unwrap().total;
    assert!((error / 7.969e-8 - 1.0).abs() < 1e-3, "{error:e}");
}

#[test]
fn points_at_the_rounding_floor_do_not_count() {
    // The last two steps of rk4-io are at the floor; the first three show the order.
    let steps = [0.4, 0.2, 0.1, 0.00625, 0.003125];
    let (ladders, _) = study("reduced-body", "2", &["rk4-io"], &steps);
    assert!((ladders[0].order.unwrap() - 4.0).abs() < 0.05, "{:?}", ladders[0].order);
}

#[test]
fn coarse_steps_outside_the_asymptotic_regime_are_left_out() {
    let steps = [0.8, 0.4, 0.2, 0.1, 0.05, 0.025, 0.0125];
    let (ladders, _) = study("reduced-body", "2", &["beu-i"], &steps);
    assert!((ladders[0].order.unwrap() - 1.0).abs() < 0.15, "{:?}", ladders[0].order);
}

#[test]
fn too_few_steps_and_unknown_methods_are_refused() {
    let document = Document::parse(problems::find("kirchhoff").unwrap().text, "k", &[]).unwrap();
    let (model, plan) = (document.build().unwrap(), document.plan().unwrap());
    let run = |methods: &[&str], steps: &[f64]| {
        let methods: Vec<String> = methods.iter().map(|m| (*m).into()).collect();
        OrderStudy::new(model.as_ref(), &plan, &methods, steps).err()
    };
    let few = run(&["rkmk4"], &[0.1, 0.1, 0.05]);
    assert_eq!(few, Some(StudyError::TooFewSteps { found: 2, expected: 3 }));
    let text = run(&["rkmk44"], &[0.1, 0.05, 0.025]).unwrap().to_string();
    assert!(text.contains("did you mean 'rkmk4'?"), "{text}");
    assert!(fitting(model.as_ref(), &plan).contains(&"rkmk4".to_string()));
}

#[test]
fn a_given_reference_is_used_as_it_is() {
    let document = Document::parse(problems::find("kirchhoff").unwrap().text, "k", &[]).unwrap();
    let (model, plan) = (document.build().unwrap(), document.plan().unwrap());
    let state = model.start(20.0);
    let reference =
        Reference { method: "the start".into(), step: f64::NAN, state, uncertainty: 0.0 };
    let methods = ["rkmk4".to_string()];
    let steps = [0.1, 0.05, 0.025];
    let study = OrderStudy::against(model.as_ref(), &plan, &methods, &steps, reference).unwrap();
    let ladders = study.run(&mut |_| {}).unwrap();
    // The distance from the start does not fall with the step.
    assert_eq!(ladders[0].order.filter(|o| *o > 0.5), None);
}
