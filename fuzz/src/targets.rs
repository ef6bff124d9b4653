//! What is fuzzed.
use lieflow::Mat3;
use lieflow::rates::{Measured, Order, Scheme, Turned, attitude_from_samples};
use lieflow_ensemble::design::Design;
use lieflow_ensemble::store::Manifest;
use lieflow_formula::body;
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems::PROBLEMS;
use lieflow_models::run::{NullSink, Pace};
use lieflow_models::system::rates::{Log, Reading};
use std::cell::RefCell;
use std::path::Path;

/// Something that reads a text.
pub struct Target {
    /// Its name, and that of its folder of seeds.
    pub name: &'static str,
    /// Reads a text; whether it was right.
    pub run: fn(&str) -> bool,
    /// Seeds besides those of the folder.
    own: fn() -> Vec<String>,
}

impl Target {
    /// The texts to begin with: those of `corpus/`, in the order of their names, and its own.
    pub fn seeds(&self) -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(self.name);
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
        files.sort();
        let mut seeds: Vec<String> =
            files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
        seeds.extend((self.own)());
        seeds
    }
}

/// All targets.
pub fn targets() -> Vec<Target> {
    fn problems() -> Vec<String> {
        PROBLEMS.iter().map(|problem| problem.text.to_string()).collect()
    }
    fn ensembles() -> Vec<String> {
        let tables = problems().into_iter().filter(|text| text.contains("[ensemble]"));
        tables.chain(problems().into_iter().map(|text| text + VARIED)).collect()
    }
    vec![
        Target { name: "problem", run: problem, own: problems },
        Target { name: "setting", run: setting, own: Vec::new },
        Target { name: "ensemble", run: ensemble, own: ensembles },
        Target { name: "csv", run: csv, own: Vec::new },
        Target { name: "formula", run: formula, own: Vec::new },
        Target { name: "stored", run: stored, own: Vec::new },
        Target { name: "log", run: log, own: Vec::new },
    ]
}

/// A table that fits many problems.
const VARIED: &str = "
[ensemble]
count = 3
seed = 7
[[ensemble.vary]]
key = \"initial.omega\"
uniform = [[-1, -1, 20], [1, 1, 60]]
";

/// A problem file: read, written, read again, built, planned, and begun if it is small.
fn problem(text: &str) -> bool {
    let Ok(document) = Document::parse(text, "fuzz", &[]) else { return false };
    let written = document.to_toml();
    let again = Document::parse(&written, "written", &[]);
    let same = again.is_ok_and(|again| again.to_json() == document.to_json());
    assert!(same, "a problem that does not read back:\n{text}\nwritten as\n{written}");
    let (Ok(model), Ok(mut plan)) = (document.build(), document.plan()) else { return false };
    let step = match plan.pace {
        Pace::Fixed { step } => step,
        Pace::Adaptive { first_step, .. } => first_step.unwrap_or(1e-3),
    };
    plan.until = plan.from + 3.0 * step * (plan.until - plan.from).signum();
    plan.max_steps = 3;
    plan.times.clear();
    let small = model.start(plan.from).columns(false).len() < 200;
    if small && model.check(&plan).is_ok() && plan.until != plan.from && plan.until.is_finite() {
        // Failing is an answer.
        let _ = model.run(&plan, &mut NullSink);
    }
    true
}

/// `KEY=VALUE` of the command line, laid over a problem.
fn setting(text: &str) -> bool {
    let Ok(setting) = Setting::parse("--set", text.trim_end()) else { return false };
    let Some(problem) = PROBLEMS.first() else { return false };
    Document::parse(problem.text, "problem", &[setting]).is_ok_and(|d| d.build().is_ok())
}

/// A problem with a table `[ensemble]`: its design, and its first and last trajectories.
fn ensemble(text: &str) -> bool {
    let Ok(document) = Document::parse(text, "fuzz", &[]) else { return false };
    drawn(&document, "w\n1\n2\n3\n")
}

fn drawn(document: &Document, table: &str) -> bool {
    let open = |_: &str| Ok(table.to_string());
    let Ok(design) = Design::read(document, &open) else { return false };
    let mut template = design.template();
    for index in [0, 1, design.count - 1].into_iter().filter(|index| *index < design.count) {
        let mut numbers = Vec::new();
        template.draw(index, &mut numbers);
        assert_eq!(numbers.len(), design.inputs().len(), "inputs of trajectory {index}");
        let _ = template.build(&numbers);
    }
    true
}

/// A table of numbers that an ensemble reads.
fn csv(text: &str) -> bool {
    thread_local! {
        static DOCUMENT: RefCell<Option<Document>> = const { RefCell::new(None) };
    }
    const PROBLEM: &str = "system = \"rigid-body\"
[parameters]
inertia = [1, 2, 3]
[initial]
omega = [1, 2, 3]
[solve]
method = \"rkmk4\"
step = 0.1
until = 1
[ensemble]
[[ensemble.vary]]
key = \"initial.omega\"
csv = \"table.csv\"
columns = [\"x\", \"y\", \"z\"]
";
    DOCUMENT.with_borrow_mut(|document| {
        if document.is_none() {
            *document = Document::parse(PROBLEM, "fuzz", &[]).ok();
        }
        document.as_ref().is_some_and(|document| drawn(document, text))
    })
}

/// A formula of a potential or a torque: read, derived, and evaluated.
fn formula(text: &str) -> bool {
    let Ok(names) = body::names() else { return false };
    match body::potential(names, "potential", text) {
        Ok(_) => true,
        Err(error) => {
            // The message is made of places in the text.
            assert!(!error.render().is_empty());
            false
        }
    }
}

/// A log of angular velocities: read in all ways, and its attitude found.
fn log(text: &str) -> bool {
    let mut right = false;
    for (measured, thin) in [(Measured::Rates, 1), (Measured::Increments, 2)] {
        let reading = Reading { measured, unit: 1.0, thin, max_gap: Some(1e9) };
        let Ok(log) = Log::parse(text, &reading) else { continue };
        for order in [Order::Two, Order::Four, Order::Six] {
            let scheme = Scheme { measured, ..Scheme::new(order) };
            let start = Turned::new(Mat3::identity());
            let mut count = 0;
            let found = attitude_from_samples(&log.times, &log.samples, &scheme, start, |_, _| {
                count += 1;
            });
            let few = log.times.len() < scheme.samples();
            assert_eq!(found.is_err(), few, "a log that was read is refused:\n{text}");
            assert!(few || count == log.times.len(), "attitudes are missing:\n{text}");
        }
        right = true;
    }
    right
}

/// What stands in the folder of an ensemble.
fn stored(text: &str) -> bool {
    let Ok(json) = serde_json::from_str(text) else { return false };
    let Some(manifest) = Manifest::from_json(&json) else { return false };
    let again = Manifest::from_json(&manifest.to_json());
    assert!(again.is_some(), "a manifest that does not read back:\n{text}");
    assert_eq!(manifest.words().len(), manifest.inputs.len(), "words of each input:\n{text}");
    assert!(manifest.headers().iter().all(|line| line.ends_with('\n')), "headers:\n{text}");
    true
}
