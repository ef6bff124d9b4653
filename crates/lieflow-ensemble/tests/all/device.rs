//! Ensembles on a device that is this machine: the same bytes as without it, whatever happens.
use lieflow_device::catalogue::PAIRS;
use lieflow_device::{Device, Emulated, Mishap};
use lieflow_ensemble::design::Design;
use lieflow_ensemble::keeper::Columns;
use lieflow_ensemble::run::{Job, Outcome, Settings, check_device};
use lieflow_models::problem_file::Document;

/// A problem with a field, a space, a method and more lines.
fn problem(field: &str, space: &str, method: &str, more: &str) -> String {
    format!(
        r#"
        system = "rigid-body"
        [parameters]
        inertia = [5.0, 5.0, 1.0]
        {field}
        space = "{space}"
        [initial]
        rotation = {{ vector = [0.3, 0.0, 0.0] }}
        omega = [0.0, 0.0, 50.0]
        [solve]
        method = "{method}"
        step = 0.01
        until = 0.1
        [ensemble]
        count = 600
        seed = 5
        times = [0.0, 0.03, 0.1]
        [[ensemble.vary]]
        key = "initial.omega"
        uniform = [[-1, -1, 20], [1, 1, 60]]
        {more}
        "#
    )
}

fn design(text: &str) -> (Document, Design) {
    let document = Document::parse(text, "test", &[]).unwrap();
    let design = Design::read(&document, &|_| Err(std::io::ErrorKind::NotFound.into())).unwrap();
    (document, design)
}

/// All numbers of a run, as bits, and how it went.
fn run(text: &str, devices: &[Box<dyn Device>]) -> (Vec<Vec<u64>>, Vec<String>, Outcome) {
    let (document, design) = design(text);
    let mut columns = Columns::default();
    let settings = Settings { threads: 2, ..Settings::default() };
    let job = Job::new(&design, document.to_json(), settings).devices(devices);
    let outcome = job.run(&mut columns).unwrap();
    let manifest = columns.manifest().unwrap();
    let mut bits = Vec::new();
    for time in 0..manifest.times.len() {
        for k in 0..manifest.observables.len() {
            let column = columns.observable(time, k).unwrap();
            bits.push(column.iter().map(|x| x.to_bits()).collect());
        }
    }
    let reasons = columns.ends().iter().map(|end| format!("{:?} {}", end.failure, end.rows));
    (bits, reasons.collect(), outcome)
}

fn emulated(mishap: Mishap) -> Vec<Box<dyn Device>> {
    vec![Box::new(Emulated::with(mishap))]
}

fn same(text: &str, devices: &[Box<dyn Device>]) -> Outcome {
    let (bits, ends, outcome) = run(text, devices);
    let (expected, expected_ends, without) = run(text, &[]);
    assert_eq!(ends, expected_ends, "{text}");
    assert!(bits == expected, "other bits: {text}");
    assert_eq!(outcome.statistics, without.statistics, "{text}");
    assert_eq!(outcome.steps, without.steps);
    outcome
}

const FREE: &str = "";
const TOP: &str = r#"potential = { kind = "lagrange-top", strength = 20.0 }"#;
const LINEAR: &str =
    r#"potential = { kind = "linear", strength = 20.0, axis = [0, 0, 1], direction = [0, 1, 0] }"#;

#[test]
fn every_pair_has_the_bits_of_the_cpu() {
    for pair in PAIRS {
        let field = match pair.entry.split('_').next() {
            Some("free") => FREE,
            Some("top") => TOP,
            _ => LINEAR,
        };
        let space = if pair.entry.contains("_lift_") { "lift" } else { "se3" };
        for method in pair.methods {
            let outcome = same(&problem(field, space, method, ""), &emulated(Mishap::Nothing));
            let device = outcome.device.unwrap();
            assert_eq!((device.trajectories, device.alone, device.lost), (600, 0, None), "{pair:?}");
        }
    }
}
