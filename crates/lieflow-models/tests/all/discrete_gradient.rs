//! Discrete gradients: the energy exactly, falling where there is damping, whatever the step.
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::run::{Model, NullSink, Plan, Sink, State};
use std::ops::ControlFlow;

const METHODS: [&str; 2] = ["discrete-gradient-mean", "discrete-gradient-itoh-abe"];

/// Five systems: a free body, one in a field, the reduced body, a spin without damping, a particle. With
/// the step and the invariant.
const SYSTEMS: [(&str, f64, &[&str]); 5] = [
    ("free", 0.05, &[]),
    ("slow-top", 0.005, &[]),
    ("reduced-body", 0.1, &[]),
    ("macrospin-biaxial", 0.1, &["solve.isotropy=given"]),
    ("henon-heiles", 0.1, &[]),
];

fn open(name: &str, settings: &[&str]) -> (Box<dyn Model>, Plan) {
    let settings: Vec<_> = settings.iter().map(|s| Setting::parse("--set", s).unwrap()).collect();
    let text = problems::find(name).map_or(name, |problem| problem.text);
    let document = Document::parse(text, name, &settings).unwrap_or_else(|e| panic!("{e}"));
    (document.build().unwrap(), document.plan().unwrap().plain())
}

/// The largest error of the energy after so many steps, relative to its size.
fn energy_error(method: &str, name: &str, step: f64, settings: &[&str], steps: f64) -> f64 {
    let (model, plan) = open(name, settings);
    let mut plan = plan.at(method, step);
    (plan.from, plan.until, plan.every, plan.watch) = (0.0, steps * step, u64::MAX, true);
    plan.times.clear();
    let record = model.run(&plan, &mut NullSink).unwrap_or_else(|e| panic!("{name} {method}: {e}"));
    let energy = record.invariants.iter().find(|q| q.name == "energy").unwrap();
    energy.max_error / energy.initial.abs().max(1.0)
}

#[test]
fn energy_is_conserved_to_rounding() {
    for method in METHODS {
        for (name, step, settings) in SYSTEMS {
            let error = energy_error(method, name, step, settings, 300.0);
            assert!(error < 3e-14, "{name} {method}: {error:e}");
            // Long steps too, as far as they have a solution.
            let error = energy_error(method, name, 3.0 * step, settings, 100.0);
            assert!(error < 3e-14, "{name} {method}: {error:e} at a long step");
        }
    }
}

/// A million steps of each.
#[test]
#[ignore = "slow: ten million steps"]
fn energy_is_conserved_for_a_million_steps() {
    for method in METHODS {
        for (name, step, settings) in SYSTEMS {
            let error = energy_error(method, name, step, settings, 1e6);
            println!("{name} {method}: {error:e}");
            assert!(error < 1e-11, "{name} {method}: {error:e}");
        }
    }
}

const DAMPED: &str = r#"
system = "macrospin"
[parameters]
b = [0.3, 0.1, 0.8]
D = [0.4, 0.0, -1.1]
alpha = 0.2
[initial]
m = [0.48, -0.6, -0.64]
[solve]
method = "rkmk4"
step = 0.5
until = 60.0
"#;

#[derive(Default)]
struct Energies(Vec<f64>);
impl Sink for Energies {
    fn sample(&mut self, state: &State, _: &[f64]) -> ControlFlow<()> {
        let m = state.part("m").unwrap().numbers();
        let (b, d) = ([0.3, 0.1, 0.8], [0.4, 0.0, -1.1]);
        self.0.push((0..3).map(|i| 0.5 * d[i] * m[i] * m[i] - b[i] * m[i]).sum());
        ControlFlow::Continue(())
    }
}

/// With damping the energy falls at every step, at long ones too, where other methods let it rise.
#[test]
fn energy_falls_where_it_should() {
    let (model, plan) = open(DAMPED, &[]);
    for method in METHODS {
        for step in [0.05, 0.5] {
            let mut plan = plan.at(method, step);
            plan.times.clear();
            let mut energies = Energies::default();
            model.run(&plan, &mut energies).unwrap_or_else(|e| panic!("{method} {step}: {e}"));
            let energies = energies.0;
            let rises = energies.windows(2).filter(|pair| pair[1] > pair[0] + 1e-15).count();
            assert_eq!(rises, 0, "{method} {step}");
            // It comes to rest.
            assert!(energies[energies.len() - 2] - energies[energies.len() - 1] < 1e-6);
            assert!(energies[0] - energies[energies.len() - 1] > 0.1);
        }
    }
}
