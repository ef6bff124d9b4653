//! Systems by formulas: the space and its group, equations that follow from laws, agreement with the
//! systems that are written in Rust, orders, and what is refused.
use lieflow_models::problem_file::{Document, Setting, SpecError};
use lieflow_models::run::{Model, NullSink, Record};

mod derived;
mod initial;
mod laws;
mod order;
mod refused;
mod same;
mod theta;

/// The model and the record of a run of `steps` steps.
fn run(text: &str, method: &str, step: f64, steps: u32) -> (Box<dyn Model>, Record) {
    let settings = [
        Setting::value("--method", "solve.method", &format!("'{method}'")).unwrap(),
        Setting::value("--step", "solve.step", &format!("{step:?}")).unwrap(),
        Setting::value("--until", "solve.until", &format!("{:?}", f64::from(steps) * step))
            .unwrap(),
    ];
    let text = if text.contains("[solve]") { text.into() } else { format!("{text}\n[solve]\n") };
    let document = Document::parse(&text, "test", &settings).unwrap_or_else(|e| panic!("{e}"));
    let model = document.build().unwrap_or_else(|e| panic!("{e}"));
    let plan = document.plan().unwrap_or_else(|e| panic!("{e}"));
    let record = model.run(&plan, &mut NullSink).unwrap_or_else(|e| panic!("{e}"));
    (model, record)
}

/// The numbers of the last states of a system in Rust and of one by formulas, part by part: by name
/// where the first has more of them.
fn aligned(rust: &Record, file: &Record) -> (Vec<f64>, Vec<f64>) {
    let by_name = rust.state.parts.len() != file.state.parts.len();
    let mut both = (Vec::new(), Vec::new());
    for (k, (name, value)) in file.state.parts.iter().enumerate() {
        let other =
            if by_name { rust.state.part(name) } else { rust.state.parts.get(k).map(|p| &p.1) };
        both.0.extend(other.unwrap_or_else(|| panic!("no {name}")).numbers());
        both.1.extend(value.numbers());
    }
    assert_eq!(both.0.len(), both.1.len());
    both
}

/// All numbers of the last state.
fn numbers(record: &Record) -> Vec<f64> {
    record.state.parts.iter().flat_map(|(_, value)| value.numbers()).collect()
}

/// What is wrong with a problem.
fn error(text: &str) -> SpecError {
    match Document::parse(text, "test", &[]).and_then(|document| document.build()) {
        Err(error) => error,
        Ok(_) => panic!("nothing is wrong with\n{text}"),
    }
}
