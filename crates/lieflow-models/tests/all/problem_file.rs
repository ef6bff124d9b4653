//! Problem files: what is read, what is refused, and how it is said.
use lieflow_models::problem_file::{Document, Setting, SpecError};
use lieflow_models::run::NullSink;

const KIRCHHOFF: &str = include_str!("../../problems/kirchhoff.toml");

fn refused(text: &str) -> String {
    let document = match Document::parse(text, "p.toml", &[]) {
        Ok(document) => document,
        Err(error) => return error.to_string(),
    };
    match document.build().err().or(document.plan().err()) {
        Some(error) => error.to_string(),
        None => panic!("accepted:\n{text}"),
    }
}

fn kirchhoff_with(from: &str, to: &str) -> String {
    assert!(KIRCHHOFF.contains(from));
    KIRCHHOFF.replace(from, to)
}

#[test]
fn kirchhoff_runs_from_its_file() {
    let settings = [
        Setting::value("--step", "solve.step", "0.25").unwrap(),
        Setting::value("--until", "solve.until", "2").unwrap(),
    ];
    let document = Document::parse(KIRCHHOFF, "kirchhoff", &settings).unwrap();
    let model = document.build().unwrap();
    let record = model.run(&document.plan().unwrap(), &mut NullSink).unwrap();
    assert_eq!(record.steps, 8);
    let json = record.to_json();
    let x = json["state"]["momentum"][0].as_f64().unwrap();
    assert!((x - 0.4766290485125982).abs() < 1e-14, "{x}");
    assert!(json["invariants"]["impulse_norm"]["max_error"].as_f64().unwrap() < 1e-15);
}

/// The text that was read last is kept: another text, or the same in another file, is read.
#[test]
fn the_last_text_is_no_other_one() {
    let system = |text: &str, file: &str| {
        let document = Document::parse(text, file, &[]).map_err(|e| e.to_string())?;
        document.build().map(|model| model.system()).map_err(|e| e.to_string())
    };
    let wrong = KIRCHHOFF.replace("impulse =", "impluse =");
    for file in ["one", "one", "two"] {
        assert_eq!(system(KIRCHHOFF, file), Ok("kirchhoff"));
        let error = system(&wrong, file).unwrap_err();
        assert!(error.starts_with(&format!("{file}:8:1: initial:")), "{error}");
        assert!(system("system = ", file).is_err());
        assert_eq!(system(KIRCHHOFF, file), Ok("kirchhoff"));
        let error = system(&wrong, "three").unwrap_err();
        assert!(error.starts_with("three:8:1: initial:"), "{error}");
    }
}

#[test]
fn a_misspelt_key_is_named_with_its_line_and_a_suggestion() {
    let text = kirchhoff_with("impulse =", "impluse =");
    assert_eq!(
        refused(&text),
        "p.toml:8:1: initial: the key 'impulse' is missing (a vector of three numbers); is it meant by 'impluse'?"
    );
    let text = format!("{KIRCHHOFF}\ntoll = 3");
    assert!(refused(&text).starts_with("p.toml:17:1: solve.toll: unknown key"));
}

#[test]
fn a_wrong_type_says_what_was_found_and_expected() {
    let text = kirchhoff_with("[0.4, -0.3, 0.8]", "[0.4, true, 0.8]");
    assert_eq!(refused(&text), "p.toml:9:18: initial.momentum[2]: found true, expected a number");
}

#[test]
fn settings_replace_what_the_file_says() {
    let settings = [Setting::parse("--set", "solve.tol = 1e-6").unwrap()];
    let document = Document::parse(KIRCHHOFF, "k", &settings).unwrap();
    let plan = document.plan().unwrap();
    assert!(matches!(plan.pace, lieflow_models::run::Pace::Adaptive { .. }));
    let both = kirchhoff_with("step = 0.05", "step = 0.05\ntol = 1e-6");
    assert!(matches!(
        Document::parse(&both, "k", &[]).unwrap().plan(),
        Err(SpecError::Contradiction { .. })
    ));
}
