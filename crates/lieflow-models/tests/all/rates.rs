//! Attitude from logs, as problem files give them.
use lieflow::kernel::so3;
use lieflow::problem::Value;
use lieflow::{Mat3, Vec3, vec3};
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::run::{NullSink, Pace, Sink, State};
use lieflow_models::study::order::OrderStudy;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// The attitude of the built-in log.
fn coning(t: f64) -> Mat3<f64> {
    so3::exp(vec3((4.0 * t).cos(), (4.0 * t).sin(), 0.0) * 0.3)
}

fn rotation(state: &State) -> Mat3<f64> {
    match state.part("rotation") {
        Some(Value::Rotation(r)) => Mat3::lift(*r),
        other => panic!("{other:?}"),
    }
}

#[derive(Default)]
struct Kept(Vec<State>);
impl Sink for Kept {
    fn sample(&mut self, state: &State, _: &[f64]) -> ControlFlow<()> {
        self.0.push(state.clone());
        ControlFlow::Continue(())
    }
}

fn document(settings: &[&str]) -> Document {
    let text = problems::find("coning").unwrap().text;
    let settings: Vec<_> = settings.iter().map(|s| Setting::parse("--set", s).unwrap()).collect();
    Document::parse(text, "problem coning", &settings).unwrap_or_else(|e| panic!("{e}"))
}

fn states(settings: &[&str]) -> Vec<State> {
    let document = document(settings);
    let mut kept = Kept::default();
    let plan = document.plan().unwrap_or_else(|e| panic!("{e}"));
    document.build().unwrap().run(&plan, &mut kept).unwrap_or_else(|e| panic!("{e}"));
    kept.0
}

fn worst(states: &[State]) -> f64 {
    let off = |s: &State| so3::log(&coning(s.t).transpose().matmul(&rotation(s))).norm();
    states.iter().map(off).fold(0.0, f64::max)
}

/// A folder of this test, with a log and a problem that names it.
fn folder(name: &str, log: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("lieflow-rates-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("gyro.csv"), log).unwrap();
    let text =
        "system = \"rates\"\n[parameters]\nsamples = \"gyro.csv\"\n[solve]\nmethod = \"gyro2\"\n";
    std::fs::write(dir.join("problem.toml"), text).unwrap();
    dir
}

/// The document of that problem, under the path of its file.
fn beside(dir: &std::path::Path) -> Document {
    let path = dir.join("problem.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    Document::parse(&text, path.to_str().unwrap(), &[]).unwrap()
}

#[test]
fn the_whole_log_unless_told_otherwise() {
    let plan = document(&[]).plan().unwrap();
    assert_eq!((plan.from, plan.until, plan.times.len()), (0.0, 6.0, 301));
    assert_eq!(plan.pace, Pace::Fixed { step: 0.02 });
    let all = states(&[]);
    assert_eq!(all.len(), 301);
    assert!(worst(&all) < 3e-9, "{:e}", worst(&all));
    // With a step of one's own, states are those of the steps, unless samples are asked for.
    assert_eq!(states(&["solve.step=1.5"]).len(), 5);
    let same = states(&["solve.step=1.5", "output.times=samples"]);
    assert_eq!(same.len(), 301);
    for (a, b) in all.iter().zip(&same) {
        assert_eq!(a.t, b.t);
        let off = rotation(a) - rotation(b);
        assert!(off.norm_squared().sqrt() < 1e-13, "{}", a.t);
    }
    let part = states(&["solve.from=1", "solve.until=2", "output.times=samples"]);
    assert_eq!((part[0].t, part.len()), (1.0, 51));
    // Backwards, and between samples.
    let back = states(&["solve.from=2", "solve.until=1", "output.times=samples"]);
    assert_eq!((back[0].t, back[50].t), (2.0, 1.0));
    let between = states(&["output.interval=0.013"]);
    assert!(worst(&between) < 3e-9, "{:e}", worst(&between));
}

/// Every second, third … sample of the log, as if the logger had been slower.
#[test]
fn orders_of_the_methods_by_thinning() {
    for (method, order) in [("gyro2", 2.0), ("gyro4", 4.0), ("gyro6", 6.0)] {
        let method = format!("solve.method={method}");
        let error = |thin: usize| worst(&states(&[&method, &format!("parameters.thin={thin}")]));
        let seen = (error(2) / error(1)).log2();
        assert!((seen - order).abs() < 0.15, "{method} {seen}");
    }
}

#[test]
fn covariance_follows_the_bias() {
    let all = states(&["parameters.bias_sigma=[1e-3,2e-3,0]"]);
    let last = all.last().unwrap();
    let rows = |name| match last.part(name) {
        Some(Value::Vectors(rows)) => rows.clone(),
        other => panic!("{name} {other:?}"),
    };
    let (d, c) = (rows("bias_derivative"), rows("covariance"));
    for i in 0..3 {
        for j in 0..3 {
            let expected = 1e-6 * d[i][0] * d[j][0] + 4e-6 * d[i][1] * d[j][1];
            assert!((c[i][j] - expected).abs() < 1e-18, "{i} {j}");
        }
    }
    // Against another bias.
    let other = states(&["parameters.bias=[1e-6,0,0]"]);
    let (a, b) = (rotation(last), rotation(other.last().unwrap()));
    let turn = so3::log(&a.transpose().matmul(&b)) * 1e6;
    let column = vec3(d[0][0], d[1][0], d[2][0]);
    assert!((turn - column).norm() < 2e-4, "{turn:?} {column:?}");
    let none = Document::parse(
        &problems::find("coning").unwrap().text.replace("bias_sigma", "# "),
        "p",
        &[],
    );
    assert!(none.unwrap().build().unwrap().start(0.0).part("covariance").is_none());
}

#[test]
fn a_log_beside_its_problem() {
    // A turn about z at 30 degrees a second, at uneven times, with columns in another order.
    let mut log = String::from("# logged by hand\n wz , temperature,T,wx,wy\n");
    let times = [1.0, 1.1, 1.25, 1.3, 1.5, 1.6, 1.71, 2.0];
    for t in times {
        log += &format!("30.0, 21.5, {t}, 0, 0\n\n");
    }
    let dir = folder("beside", &log);
    let text = std::fs::read_to_string(dir.join("problem.toml")).unwrap();
    let text = text.replace("[solve]", "units = \"degrees\"\n[solve]").replace("gyro2", "gyro6");
    std::fs::write(dir.join("problem.toml"), text).unwrap();
    let document = beside(&dir);
    let mut kept = Kept::default();
    document.build().unwrap().run(&document.plan().unwrap(), &mut kept).unwrap();
    assert_eq!(kept.0.iter().map(|s| s.t).collect::<Vec<_>>(), times);
    for state in &kept.0 {
        let angle = (30.0 * (state.t - 1.0)).to_radians();
        let off = rotation(state) - so3::exp(vec3(0.0, 0.0, angle));
        assert!(off.norm_squared().sqrt() < 1e-14);
        let Some(Value::Vector(w)) = state.part("omega") else { panic!() };
        assert!((Vec3::from(*w) - vec3(0.0, 0.0, 30.0_f64.to_radians())).norm() < 1e-13);
    }
    // The same as increments.
    let mut log = String::from("t,wx,wy,wz\n");
    let mut before = 0.0;
    for t in times {
        log += &format!("{t},0,0,{}\n", 30.0 * (t - before));
        before = t;
    }
    std::fs::write(dir.join("gyro.csv"), log).unwrap();
    let text = std::fs::read_to_string(dir.join("problem.toml")).unwrap();
    let text = text.replace("[solve]", "measured = \"increments\"\n[solve]");
    std::fs::write(dir.join("problem.toml"), text).unwrap();
    let document = beside(&dir);
    let record = document.build().unwrap().run(&document.plan().unwrap(), &mut NullSink).unwrap();
    let off = rotation(&record.state) - so3::exp(vec3(0.0, 0.0, 30.0_f64.to_radians()));
    assert!(off.norm_squared().sqrt() < 1e-14);
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn what_is_wrong_with_a_log_is_told_with_its_line() {
    let cases = [
        ("", "line 1 of the log: found the columns , expected one called 't'"),
        (
            "t,wx,wy\n0,1,2\n",
            "line 1 of the log: found the columns t, wx, wy, expected one called 'wz'",
        ),
        ("t,wx,wy,wz\n", "found 0 samples in the log, expected at least 2"),
        ("t,wx,wy,wz\n0,1,2,3\n", "found 1 samples in the log, expected at least 2"),
        ("t,wx,wy,wz\n0,1,2,3\n\n1,2,3\n", "line 4 of the log: found 3 entries, expected 4"),
        ("t,wx,wy,wz\n0,1,2,3\n1,2,x,4\n", "line 3 of the log: found 'x' in the column 'wy'"),
        ("t,wx,wy,wz\n0,1,2,3\n1,2,nan,4\n", "line 3 of the log: found 'nan' in the column 'wy'"),
        ("t,wx,wy,wz\n0,1,2,3\n1,2,3,\n", "line 3 of the log: found '' in the column 'wz'"),
        (
            "t,wx,wy,wz\n0,1,2,3\n1,1,2,3\n# note\n1,1,2,3\n",
            "line 5 of the log: found the time 1, expected one after 1",
        ),
        (
            "t,wx,wy,wz\n0,1,2,3\n1,1,2,3\n2,1,2,3\n14,1,2,3\n",
            "line 5 of the log: found a gap of 12 before it, expected at most 10",
        ),
    ];
    for (i, (log, expected)) in cases.iter().enumerate() {
        let dir = folder(&format!("wrong{i}"), log);
        let document = beside(&dir);
        for error in [document.build().err(), document.plan().err()] {
            let text = error.unwrap_or_else(|| panic!("{expected}")).to_string();
            assert!(text.contains(expected), "{text}\n{expected}");
            assert!(text.contains("parameters.samples"), "{text}");
        }
        std::fs::remove_dir_all(dir).unwrap();
    }
}

#[test]
fn what_does_not_fit_the_log_is_refused() {
    let refused = |settings: &[&str], expected: &str| {
        let document = document(settings);
        let plan = document.plan();
        let run = || {
            let model = document.build().map_err(|e| e.to_string())?;
            model.check(plan.as_ref().unwrap()).map_err(|e| e.to_string())
        };
        let text = match &plan {
            Err(error) => error.to_string(),
            Ok(_) => run().unwrap_err(),
        };
        assert!(text.contains(expected), "{text}");
    };
    refused(&["solve.until=6.5"], "expected a time of the log, 0 to 6");
    refused(&["solve.from=-1"], "expected a time of the log");
    refused(&["parameters.samples=nowhere.csv"], "cannot read the log 'nowhere.csv'");
    refused(&["parameters.samples=\"builtin:spin\""], "there are: builtin:coning");
    refused(&["parameters.thin=0"], "parameters.thin");
    refused(&["parameters.max_gap=0.01"], "found a gap of 0.02");
    refused(&["parameters.thin=100"], "the log has 4 samples, and it needs 6");
    refused(&["parameters.bias_sigma=-1"], "standard deviations, zero or above");
    refused(&["parameters.frame=wing"], "'wing'");
    refused(&["solve.chart=cayley"], "no chart to choose");
    refused(&["output.times=sample"], "output.times");
}

/// In space the same rates turn the inverse the other way.
#[test]
fn rates_in_space() {
    let text = problems::find("coning").unwrap().text;
    let text = text.replace("\"body\"", "\"space\"").replace("[0.3, 0.0, 0.0]", "[-0.3, 0.0, 0.0]");
    let log = problems::find("coning").is_some();
    assert!(log);
    let csv = include_str!("../../problems/coning.csv");
    let turned: Vec<String> = csv
        .lines()
        .map(|line| {
            let numbers: Vec<f64> = line.split(',').filter_map(|x| x.parse().ok()).collect();
            match numbers.as_slice() {
                [t, x, y, z] => format!("{t},{},{},{}", -x, -y, -z),
                _ => line.to_string(),
            }
        })
        .collect();
    let dir = folder("space", &turned.join("\n"));
    let path = dir.join("problem.toml");
    let text = text.replace("builtin:coning", "gyro.csv");
    std::fs::write(&path, &text).unwrap();
    let document = beside(&dir);
    let mut kept = Kept::default();
    document.build().unwrap().run(&document.plan().unwrap(), &mut kept).unwrap();
    for state in &kept.0 {
        let off = so3::log(&coning(state.t).matmul(&rotation(state))).norm();
        assert!(off < 3e-9, "{} {off:e}", state.t);
    }
    std::fs::remove_dir_all(dir).unwrap();
}

/// The problem of an ensemble is stored in the folder of its result; its log stays where it was.
#[test]
fn a_stored_ensemble_finds_its_log() {
    let dir = folder("stored", include_str!("../../problems/coning.csv"));
    let result = dir.join("results/first");
    std::fs::create_dir_all(&result).unwrap();
    let stored = result.join("ensemble.json");
    std::fs::write(&stored, "{}").unwrap();
    let text = std::fs::read_to_string(dir.join("problem.toml")).unwrap();
    let found = Document::parse(&text, stored.to_str().unwrap(), &[]).unwrap().build();
    assert!(found.is_ok(), "{:?}", found.err());
    // Any other file means the folder in which it lies.
    let other = result.join("problem.toml");
    std::fs::write(&other, &text).unwrap();
    let refused = Document::parse(&text, other.to_str().unwrap(), &[]).unwrap().build();
    assert!(refused.err().is_some_and(|e| e.to_string().contains("cannot read the log")));
    std::fs::remove_dir_all(dir).unwrap();
}

/// The samples fix the steps: a study over steps would compare a run with itself.
#[test]
fn studies_over_steps_are_refused() {
    let (document, methods) = (document(&[]), ["gyro4".to_string()]);
    let (model, plan) = (document.build().unwrap(), document.plan().unwrap());
    let refused = OrderStudy::new(model.as_ref(), &plan, &methods, &[]).err().unwrap();
    assert!(refused.is_input());
    let text = refused.to_string();
    assert!(text.contains("'rates'") && text.contains("parameters.thin=2"), "{text}");
}
