//! Looking at a state between two steps does not change the path: whatever a method remembers from
//! one step to the next, it remembers the same afterwards.
use lieflow_models::problem_file::Document;
use lieflow_models::problems;
use lieflow_models::run::{Model, NullSink, Plan};
use lieflow_models::study::fitting;

fn open(problem: &str) -> (Box<dyn Model>, Plan) {
    let text = problems::find(problem).unwrap().text;
    let document = Document::parse(text, problem, &[]).unwrap();
    (document.build().unwrap(), document.plan().unwrap().plain())
}

/// The bits at the end, or why there is none.
fn end(model: &dyn Model, plan: &Plan) -> Result<Vec<u64>, String> {
    let record = model.run(plan, &mut NullSink).map_err(|failure| failure.to_string())?;
    Ok(record.state.numbers(true).iter().map(|x| x.to_bits()).collect())
}

#[test]
fn looking_does_not_change_the_path() {
    for (problem, step) in [
        ("fast-top", 0.01),
        ("soft-wall", 0.05),
        ("mild-top", 0.05),
        ("reduced-body", 0.1),
        ("chain-generic-n5", 0.01),
        ("dipoles-4x4", 0.01),
        ("spherical-pendulum", 0.02),
        ("henon-heiles", 0.1),
    ] {
        let (model, plan) = open(problem);
        let mut compared = 0;
        for method in fitting(model.as_ref(), &plan) {
            let mut plan = plan.at(&method, step);
            (plan.from, plan.until) = (0.0, 6.0 * step);
            let alone = end(model.as_ref(), &plan);
            plan.every = u64::MAX;
            plan.times = [0.3, 1.7, 1.8, 2.0, 3.5, 5.25].map(|t| t * step).to_vec();
            let observed = end(model.as_ref(), &plan);
            if alone.is_ok() && observed.is_ok() {
                assert_eq!(alone, observed, "{problem} {method}");
                compared += 1;
            }
        }
        assert!(compared > 5, "{problem}: {compared}");
    }
}
