//! Problems and settings that another language has built, and runs that a function stops.
use lieflow_models::problem_file::{Document, Kind, Node, Place, Setting, Table};
use lieflow_models::run::{Ended, Sink, State, Stop};
use serde_json::{Value as Json, json};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// A value as a language without lines would hand it over.
fn node(value: &Json, place: Place) -> Node {
    let kind = match value {
        Json::Bool(b) => Kind::Boolean(*b),
        Json::String(text) => Kind::Text(text.clone()),
        Json::Number(x) => x.as_i64().map_or(Kind::Number(x.as_f64().unwrap()), Kind::Integer),
        Json::Array(items) => {
            Kind::List(items.iter().map(|item| node(item, place.clone())).collect())
        }
        Json::Object(map) => {
            let entry = |(key, item): (&String, &Json)| {
                (key.clone(), place.child(key), node(item, place.child(key)))
            };
            Kind::Table(Table { entries: map.iter().map(entry).collect() })
        }
        Json::Null => unreachable!("problems have no null"),
    };
    Node { place, kind }
}

fn top() -> Json {
    json!({
        "system": "rigid-body",
        "parameters": {
            "inertia": [5.0, 5.0, 1.0],
            "potential": { "formula": "20*R33" },
        },
        "initial": { "rotation": { "vector": [0.3, 0.0, 0.0] }, "omega": [0.0, 0.0, 50.0] },
        "solve": { "method": "rkmk-dp54", "tol": 1e-8, "first_step": 0.01, "until": 1.0 },
    })
}

fn read(problem: &Json, settings: &[Setting]) -> Result<Document, String> {
    let root = node(problem, Place::object("problem"));
    Document::from_node(root, settings).map_err(|e| e.to_string())
}

#[test]
fn a_problem_of_values_is_the_file_of_it() {
    let built = read(&top(), &[]).unwrap();
    let parsed = Document::parse(&built.to_toml(), "file", &[]).unwrap();
    assert_eq!(built.to_json(), parsed.to_json());
    let last = |document: &Document| {
        let (model, plan) = (document.build().unwrap(), document.plan().unwrap());
        model.run(&plan, &mut lieflow_models::run::NullSink).unwrap().state
    };
    assert_eq!(last(&built), last(&parsed));
    assert!(built.initial_from_file());
}

#[test]
fn settings_of_values_have_the_last_word() {
    let value = |x: Json| node(&x, Place::whole("step"));
    let step = Setting::node("step", "solve.step", value(json!(0.01))).unwrap();
    // A step takes the place of the tolerance in the problem, with its first step.
    let document = read(&top(), std::slice::from_ref(&step)).unwrap();
    assert!(document.plan().is_ok(), "{:?}", document.plan().err());
    let first = Setting::node("first_step", "solve.first_step", value(json!(0.1))).unwrap();
    let error = read(&top(), &[step, first]).unwrap().plan().unwrap_err().to_string();
    assert!(error.starts_with("first_step: solve.first_step: the key has no effect"), "{error}");
    let omega = Setting::node("omega", "initial.omega", value(json!([1.0, "x", 3.0]))).unwrap();
    let error = read(&top(), &[omega]).unwrap().build().err().unwrap().to_string();
    assert!(error.starts_with("omega: initial.omega[2]: found the text"), "{error}");
    assert!(Setting::node("x", "a = 1\nb", value(json!(1))).is_err());
}

#[test]
fn messages_name_no_lines_where_there_are_none() {
    let mut problem = top();
    problem["parameters"]["inertia"] = json!([5.0, 5.0]);
    let error = read(&problem, &[]).unwrap().build().err().unwrap().to_string();
    assert!(error.starts_with("problem: parameters.inertia: "), "{error}");
    problem = top();
    problem["parameters"]["potential"]["formula"] = json!("20*R34");
    let error = read(&problem, &[]).unwrap().build().err().unwrap().to_string();
    assert!(error.starts_with("problem: parameters.potential.formula: "), "{error}");
    assert!(read(&json!([1, 2]), &[]).is_err());
}

/// Counts the states that are kept, with the last invariants.
#[derive(Default)]
struct Kept(Vec<(f64, Vec<f64>)>);

impl Sink for Kept {
    fn follows_steps(&self) -> bool {
        false
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        self.0.push((state.t, invariants.to_vec()));
        ControlFlow::Continue(())
    }
}

#[test]
fn unwatched_runs_have_the_invariants_of_the_states_they_keep() {
    let mut problem = top();
    problem["solve"] = json!({ "method": "liemid-ea", "step": 0.01, "until": 1.0 });
    problem["parameters"]["potential"] = json!({ "kind": "lagrange-top", "strength": 20.0 });
    problem["output"] = json!({ "every": 10 });
    let document = read(&problem, &[]).unwrap();
    let (model, mut plan) = (document.build().unwrap(), document.plan().unwrap());
    let (mut watched, mut not) = (Kept::default(), Kept::default());
    model.run(&plan, &mut watched).unwrap();
    plan.watch = false;
    model.run(&plan, &mut not).unwrap();
    assert_eq!(watched.0.len(), 11);
    assert_eq!(watched.0, not.0);
    assert!(not.0[3].1 != not.0[0].1, "the energy moves a little");
}

#[test]
fn a_function_stops_a_run() {
    static ASKED: AtomicU64 = AtomicU64::new(0);
    let mut problem = top();
    problem["solve"] = json!({ "method": "liemid-ea", "step": 0.01, "until": 1e6 });
    problem["parameters"]["potential"] = json!({ "kind": "lagrange-top", "strength": 20.0 });
    problem["output"] = json!({ "every": 100000000 });
    let document = read(&problem, &[]).unwrap();
    let (model, mut plan) = (document.build().unwrap(), document.plan().unwrap());
    for watch in [true, false] {
        ASKED.store(0, Ordering::Relaxed);
        plan.watch = watch;
        plan.stop = Stop::asking(|| ASKED.fetch_add(1, Ordering::Relaxed) >= 3);
        let failure = model.run(&plan, &mut Kept::default()).unwrap_err();
        let record = failure.record.unwrap();
        assert_eq!(record.ended, Ended::Interrupted);
        assert!(record.steps > 0 && record.state.t < 1e6, "{watch}: {}", record.state.t);
    }
}
