//! The options of problem files, and steps without allocation.
use super::data::*;
use lieflow::method::Step;
use lieflow::method::isotropy::{Conserve, Part};
use lieflow::problem::Problem;
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::run::NullSink;
use lieflow_models::system::spin_ring::SpinRing;
use lieflow_testing::counting::allocations;

fn with(problem: &str, settings: &[(&str, &str)]) -> Result<lieflow_models::run::Record, String> {
    let settings: Vec<Setting> = settings
        .iter()
        .map(|(key, value)| Setting::parse("--set", &format!("{key}={value}")).unwrap())
        .collect();
    let text = problems::find(problem).unwrap().text;
    let document = Document::parse(text, problem, &settings).map_err(|e| e.to_string())?;
    let model = document.build().map_err(|e| e.to_string())?;
    let plan = document.plan().map_err(|e| e.to_string())?;
    model.run(&plan, &mut NullSink).map_err(|e| e.to_string())
}

#[test]
fn the_built_in_problems_run() {
    for (problem, skips) in [
        ("two-vortices", false),
        ("vortex-ring", true),
        ("macrospin-biaxial", false),
        ("spin-wave", false),
    ] {
        let record = with(problem, &[]).unwrap();
        let count = record.corrections.unwrap();
        assert!(count.made > 0 || skips, "{problem}");
        assert_eq!(count.skipped > 0, skips, "{problem}");
        let json = record.to_json();
        assert_eq!(json["corrections"]["skipped"], count.skipped);
    }
    for problem in ["vortices", "macrospin", "spin-ring"] {
        assert!(with(problem, &[]).unwrap().corrections.is_none());
    }
}

#[test]
fn conservation_by_name() {
    let keep = |what: &str| with("vortices", &[("solve.conserve", what), ("solve.step", "0.05")]);
    let record = keep("'energy'").unwrap();
    let energy = &record.invariants[0];
    assert!(energy.max_error < 1e-14, "{:e}", energy.max_error);
    let moment = keep("'moment'").unwrap();
    for q in &moment.invariants[1..] {
        assert!(q.max_error < 2e-14, "{} {:e}", q.name, q.max_error);
    }
    assert!(moment.invariants[0].max_error > 1e-12);
    let linear = keep("'energy, linear'").unwrap();
    let error = linear.invariants[0].max_error;
    let plain = with("vortices", &[("solve.step", "0.05")]).unwrap().invariants[0].max_error;
    assert!(error < plain && error > 1e-15, "{error:e} {plain:e}");
}

#[test]
fn pendulums_and_dipoles_keep_their_energy_in_all_coordinates_with_isotropy() {
    for problem in ["spherical-pendulum", "double-spherical-pendulum", "dipoles-4x4"] {
        for space in ["se3", "lift", "hamiltonian"] {
            for method in ["rkmk4", "cf4", "rkmk-gl4"] {
                let record = with(
                    problem,
                    &[
                        ("parameters.space", &format!("'{space}'")),
                        ("solve.method", &format!("'{method}'")),
                        ("solve.conserve", "'energy'"),
                        ("solve.step", "0.01"),
                        ("solve.until", "2"),
                    ],
                )
                .unwrap();
                let energy = &record.invariants[0];
                let count = record.corrections.unwrap();
                // Rounding of the terms, which is what the pendulums exchange at least.
                let scale = match problem {
                    "dipoles-4x4" => energy.initial.abs(),
                    _ => energy.initial.abs().max(1.0),
                };
                println!("{problem} {space} {method}: {:e} {count:?}", energy.max_error);
                assert!(energy.max_error < 3e-14 * scale, "{problem} {space} {method}");
                assert_eq!((count.made, count.skipped), (200, 0), "{problem} {space} {method}");
            }
        }
        let curved = [
            ("solve.method", "'rkmk4'"),
            ("solve.isotropy", "'curvature'"),
            ("solve.step", "0.01"),
            ("solve.until", "1"),
        ];
        match with(problem, &curved) {
            Ok(record) => assert_eq!(record.corrections.unwrap().skipped, 0, "{problem}"),
            // A dipole that comes to rest and turns back has no finite curvature there.
            Err(message) => {
                assert!(problem == "dipoles-4x4" && message.contains("domain of the chart"))
            }
        }
        let flat = with(
            problem,
            &[("parameters.space", "'euclidean'"), ("solve.isotropy", "'orthogonal'")],
        );
        assert!(flat.unwrap_err().contains("no option 'isotropy'"));
    }
}

#[test]
fn wrong_words_are_named() {
    let fails = |problem: &str, key: &str, value: &str, parts: &[&str]| {
        let message = with(problem, &[(key, value)]).unwrap_err();
        for part in parts {
            assert!(message.contains(part), "{message}");
        }
    };
    fails("vortices", "solve.conserve", "'enrgy'", &["enrgy", "energy", "moment_x"]);
    fails("vortices", "solve.conserve", "''", &["conserve", "moment_x"]);
    fails("vortices", "solve.isotropy", "'curved'", &["curved", "curvature", "given"]);
    fails("macrospin", "solve.conserve", "'energy'", &["energy", "there are"]);
    fails("generic-se3", "solve.isotropy", "'curvature'", &["isotropy", "no option"]);
    fails("macrospin", "initial.m", "[1, 0, 1]", &["initial.m", "length"]);
    fails("macrospin", "parameters.alpha", "-0.1", &["alpha", "negative"]);
    fails("vortices", "initial.q", "[[1, 0, 0]]", &["initial.q", "4 unit vectors"]);
    fails("spin-ring", "initial.m", "[[1, 0, 0]]", &["initial.m", "at least two"]);
    let twice = "[[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]]";
    fails("vortices", "initial.q", twice, &["vortex 3", "place of its own"]);
}

#[test]
fn steps_do_not_allocate() {
    let mut p = SpinRing::wave(12, 2, 0.6, 1.3, 0.7);
    p.start[3] = lieflow::vec3(0.48, -0.6, 0.64);
    let names = ["energy", "spin_x", "spin_y", "spin_z"];
    let wishes = [None, Some(Conserve::exactly(&names)), Some(Conserve::linearly(&names))];
    for id in ["lie-euler", "rkmk4", "rkmk-dp54", "cf4"] {
        for part in [Part::Given, Part::Orthogonal, Part::Curvature] {
            for wish in wishes {
                let mut m = made(&p, id, part, wish);
                let mut y = p.start();
                let mut out = y.clone();
                let mut steps = |n: usize| {
                    for _ in 0..n {
                        m.step(Step::new(&p, 0.0, 0.05, &y), &mut out).unwrap();
                        m.accept();
                        std::mem::swap(&mut y, &mut out);
                    }
                };
                steps(2);
                let before = allocations();
                steps(10);
                let made = allocations() - before;
                assert_eq!(made, 0, "{id} {part:?} {wish:?}");
            }
        }
    }
}
