//! Taylor methods: orders, tolerances, what lies between the steps, and what they say.
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::run::{NullSink, Pace, Record, Sink, State};
use lieflow_models::study::order::OrderStudy;
use std::ops::ControlFlow;

fn document(problem: &str, settings: &[(&str, &str)]) -> Document {
    let settings: Vec<Setting> =
        settings.iter().map(|(key, value)| Setting::value("test", key, value).unwrap()).collect();
    let text = problems::find(problem).map_or(problem, |p| p.text);
    Document::parse(text, "test", &settings).unwrap_or_else(|e| panic!("{problem}: {e}"))
}

fn run(problem: &str, settings: &[(&str, &str)]) -> Record {
    let document = document(problem, settings);
    let (model, plan) = (document.build().unwrap(), document.plan().unwrap());
    model.run(&plan, &mut NullSink).unwrap_or_else(|e| panic!("{problem}: {e}"))
}

fn end(record: &Record) -> Vec<f64> {
    record.state.parts.iter().flat_map(|(_, value)| value.numbers()).collect()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs() / b.abs().max(1.0)))
}

/// Every built-in torque, and torques by formula that read time, velocity and momentum.
const BODIES: [(&str, &str, f64); 8] = [
    ("fast-top", "0.5", 0.005),
    ("free", "2.0", 0.4),
    ("soft-wall", "0.5", 0.05),
    ("ortolan", "1.0", 0.2),
    ("satellite", "2000.0", 200.0),
    ("top-with-friction", "0.4", 0.02),
    ("attitude-control", "1.0", 0.1),
    ("charged-body", "1.0", 0.1),
];

#[test]
fn orders_on_bodies_are_those_of_the_names() {
    let methods = ["taylor5", "taylor8"].map(String::from);
    for (problem, until, step) in BODIES {
        let document = document(problem, &[("solve.until", until)]);
        let (model, plan) = (document.build().unwrap(), document.plan().unwrap());
        let steps = [step, step / 2.0, step / 4.0];
        let study = OrderStudy::new(model.as_ref(), &plan, &methods, &steps).unwrap();
        for ladder in study.run(&mut |_| {}).unwrap() {
            let stated: f64 = ladder.method["taylor".len()..].parse().unwrap();
            // At least: where a symmetry makes a term vanish, it is more. Few digits are left for order 8.
            if let Some(order) = ladder.order {
                let near = if stated > 5.0 { 0.5 } else { 0.2 };
                assert!(order > stated - near, "{problem} by {}: {order}", ladder.method);
            }
        }
    }
}

#[test]
fn a_tolerance_is_kept_in_few_steps() {
    for (problem, until, _) in BODIES {
        let time = ("solve.until", until);
        let exact =
            run(problem, &[time, ("solve.method", "\"rkmk-dop853\""), ("solve.tol", "1e-13")]);
        let mut last = 0;
        for (tol, bound) in [("1e-4", 3e-3), ("1e-8", 3e-7), ("1e-12", 5e-11)] {
            let record = run(problem, &[time, ("solve.method", "\"taylor\""), ("solve.tol", tol)]);
            let error = distance(&end(&record), &end(&exact));
            assert!(error < bound, "{problem} at {tol}: {error:e}");
            last = record.steps;
        }
        // The first steps feel their way.
        let most = exact.steps + 5;
        assert!(last <= most, "{problem}: {last} steps, and {} of order 8", exact.steps);
    }
}

#[test]
fn between_its_steps_the_motion_is_as_good_as_at_them() {
    let time = ("solve.until", "1.0");
    let method = ("solve.method", "\"taylor\"");
    for problem in ["ortolan", "coupled-bodies", "driven-macrospin"] {
        let document =
            document(problem, &[time, method, ("solve.tol", "1e-13"), ("output.interval", "0.1")]);
        let (model, plan) = (document.build().unwrap(), document.plan().unwrap());
        #[derive(Default)]
        struct Keep(Vec<(f64, Vec<f64>)>);
        impl lieflow_models::run::Sink for Keep {
            fn sample(
                &mut self,
                state: &lieflow_models::run::State,
                _: &[f64],
            ) -> std::ops::ControlFlow<()> {
                let numbers = state.parts.iter().flat_map(|(_, value)| value.numbers());
                self.0.push((state.t, numbers.collect()));
                std::ops::ControlFlow::Continue(())
            }
        }
        let mut kept = Keep::default();
        let record = model.run(&plan, &mut kept).unwrap();
        assert_eq!(kept.0.len(), 11);
        assert!(record.steps < 100);
        for (t, numbers) in kept.0.iter().skip(1) {
            let until = format!("{t:?}");
            let alone = [("solve.until", until.as_str()), method, ("solve.tol", "1e-13")];
            let error = distance(numbers, &end(&run(problem, &alone)));
            assert!(error < 1e-12, "{problem} at {t}: {error:e}");
        }
    }
}

#[test]
fn energy_and_momentum_err_by_roundings_only() {
    for problem in ["fast-top", "ortolan", "soft-wall", "free"] {
        let method = ("solve.method", "\"taylor\"");
        let record = run(problem, &[("solve.until", "20.0"), method, ("solve.tol", "1e-15")]);
        let easier = run(problem, &[("solve.until", "20.0"), method, ("solve.tol", "1e-13")]);
        assert!(record.steps < 2 * easier.steps, "{problem}: {} steps", record.steps);
        assert!(record.manifold_error < 1e-14, "{problem}: {:e}", record.manifold_error);
        for invariant in &record.invariants {
            let error = invariant.max_error / invariant.initial.abs().max(1.0);
            assert!(error < 3e-14, "{problem}: {} {error:e}", invariant.name);
        }
    }
}

#[test]
fn names_of_other_orders_are_known_and_nonsense_is_not() {
    for order in [2, 3, 24, 60] {
        let text = document("fast-top", &[("solve.method", &format!("\"taylor{order}\""))]);
        assert_eq!(text.build().unwrap().check(&text.plan().unwrap()).unwrap().order, order);
    }
    for id in ["taylor0", "taylor1", "taylor61", "taylor08", "taylor-8", "taylor8x", "taylor999"] {
        let text = document("fast-top", &[("solve.method", &format!("\"{id}\""))]);
        assert!(text.build().unwrap().check(&text.plan().unwrap()).is_err(), "{id}");
    }
}

/// Looks at every step, or at none but the last.
struct Looking(bool);
impl Sink for Looking {
    fn follows_steps(&self) -> bool {
        self.0
    }
    fn sample(&mut self, _: &State, _: &[f64]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[test]
fn steps_made_many_at_a_time_have_the_bits_and_the_cost_of_single_ones() {
    for (problem, _, step) in BODIES {
        for method in ["taylor", "taylor7"] {
            let document = document(problem, &[]);
            let (model, mut plan) = (document.build().unwrap(), document.plan().unwrap());
            let step = step / 4.0;
            // The last step is shorter.
            plan.until = plan.from + 50.5 * step;
            plan.pace = Pace::Fixed { step };
            plan.method = method.into();
            plan.watch = false;
            let [singly, together] = [true, false].map(|look| {
                plan.every = if look { 1 } else { u64::MAX };
                let record = model.run(&plan, &mut Looking(look)).map_err(|e| e.error).unwrap();
                assert_eq!(record.steps, 51, "{problem} by {method}");
                let bits: Vec<u64> = end(&record).into_iter().map(f64::to_bits).collect();
                (bits, record.cost)
            });
            assert_eq!(singly, together, "{problem} by {method}");
        }
    }
}
