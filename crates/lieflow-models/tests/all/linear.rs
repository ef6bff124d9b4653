//! Linear problems and Lax flows: closed solutions, spectra, what is refused.
use lieflow::action::Flat;
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::run::{Model, NullSink, Plan, Record};
use lieflow_models::system::bloch::Bloch;
use lieflow_models::system::toda::Toda;

fn posed(problem: &str, settings: &[&str]) -> (Box<dyn Model>, Plan) {
    let settings: Vec<_> = settings.iter().map(|s| Setting::parse("--set", s).unwrap()).collect();
    let text = problems::find(problem).map_or(problem, |builtin| builtin.text);
    let document = Document::parse(text, "linear.toml", &settings).unwrap();
    (document.build().unwrap_or_else(|e| panic!("{e}")), document.plan().unwrap())
}

fn run(problem: &str, settings: &[&str]) -> Record {
    let (model, plan) = posed(problem, settings);
    model.run(&plan, &mut NullSink).unwrap_or_else(|e| panic!("{problem} {settings:?}: {e}"))
}

fn numbers(record: &Record, part: &str) -> Vec<f64> {
    record.state.part(part).unwrap().numbers()
}

/// The largest difference.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Why a problem or a plan is refused.
fn refusal(problem: &str, settings: &[&str]) -> String {
    let settings: Vec<_> = settings.iter().map(|s| Setting::parse("--set", s).unwrap()).collect();
    let text = problems::find(problem).map_or(problem, |builtin| builtin.text);
    let document = Document::parse(text, "linear.toml", &settings).unwrap();
    match document.build() {
        Err(error) => error.to_string(),
        Ok(model) => model.check(&document.plan().unwrap()).unwrap_err().to_string(),
    }
}

#[test]
fn a_turning_field_has_a_closed_solution() {
    let (model, _) = posed("bloch", &[]);
    let spin = model.as_any().downcast_ref::<Bloch<f64>>().unwrap();
    for (from, t) in [(0.0, 20.0), (-1.5, 3.0)] {
        let exact = spin.exact(from, t).unwrap().to_array();
        for method in ["magnus8", "cf-magnus6", "rkmk-gl6", "spherical-midpoint@kl6"] {
            let set = [
                format!("solve.method={method}"),
                format!("solve.from={from}"),
                format!("solve.until={t}"),
                "solve.step=0.01".into(),
            ];
            let record = run("bloch", &set.each_ref().map(String::as_str));
            let error = apart(&numbers(&record, "m"), &exact);
            assert!(error < 1e-9, "{method}: {error:e}");
            assert!(record.manifold_error < 1e-13, "{method}");
        }
    }
    let (chirped, _) = posed("bloch", &["parameters.chirp=0.3"]);
    assert!(chirped.as_any().downcast_ref::<Bloch<f64>>().unwrap().exact(0.0, 1.0).is_none());
}

/// At t = 20, by parabolic cylinder functions with 60 digits.
const SPINOR: [f64; 4] =
    [0.46478882636428242683, 0.0, -0.16345615600049841201, -0.87020309810552481614];

#[test]
fn a_crossing_has_a_closed_solution() {
    for method in ["magnus4", "magnus6", "magnus8", "cf-magnus4", "cf-magnus6", "rkmk4", "cg4"] {
        let order = [("magnus8", 1e-12), ("magnus6", 1e-11), ("cf-magnus6", 1e-11)];
        let bound = order.iter().find(|(id, _)| *id == method).map_or(1e-5, |(_, bound)| *bound);
        let record = run("landau-zener", &[&format!("solve.method={method}"), "solve.step=0.01"]);
        let error = apart(&numbers(&record, "spinor"), &SPINOR);
        assert!(error < bound, "{method}: {error:e}");
        assert!(record.manifold_error < 1e-13, "{method}: {:e}", record.manifold_error);
    }
    // A spinor is brought to length one, and two levels that never meet keep their populations.
    let apart = ["initial.spinor=[0,3,4,0]", "parameters.gap=0"];
    let population = numbers(&run("landau-zener", &apart), "population");
    assert!((population[0] - 0.36).abs() < 1e-14, "{population:?}");
}

#[test]
fn an_open_lattice_has_a_closed_solution() {
    let open = Toda::new(&[1.0, -0.5, 0.3, -0.8], &[0.2, -0.3, 0.5]);
    let text = "system = \"toda\"\n[initial]\nmomenta = [1.0, -0.5, 0.3, -0.8]\ngaps = [0.2, -0.3, 0.5]\n\
                [solve]\nmethod = \"isospectral-gl6\"\nstep = 0.02\nuntil = 3.0\n";
    let exact = open.exact(3.0).unwrap();
    let momenta: Vec<f64> = (0..4).map(|i| -2.0 * exact.matrix()[i][i]).collect();
    for (method, bound) in [("isospectral-gl6", 1e-11), ("rkmk-dop853", 1e-11), ("cf4", 1e-7)] {
        let record = run(text, &[&format!("solve.method={method}")]);
        let error = apart(&numbers(&record, "momenta"), &momenta);
        assert!(error < bound, "{method}: {error:e}");
        for invariant in &record.invariants {
            assert!(
                invariant.max_error < 1e-13,
                "{method}: {} {:e}",
                invariant.name,
                invariant.max_error
            );
        }
        assert_eq!(record.invariants.len(), 6);
    }
    assert!(open.exact(0.0).unwrap().distance_squared(&open.start) < 1e-28);
    assert!(Toda::new(&[0.0; 3], &[0.0; 3]).exact(1.0).is_none(), "a ring has none");
    // At rest the eigenvalues of a lattice with equal distances are cosines.
    let rest = Toda::new(&[0.0; 3], &[0.0; 2]);
    let values = rest.eigenvalues(&rest.start);
    let half = 0.5f64.sqrt();
    assert!(
        values.iter().zip([-half, 0.0, half]).all(|(a, b)| (a - b).abs() < 1e-15),
        "{values:?}"
    );
}

#[test]
fn isospectral_methods_keep_spectra_and_bound_the_energy() {
    for method in ["isospectral-midpoint", "isospectral-gl4", "isospectral-gl6"] {
        for (problem, until) in [("toda", 20.0), ("so4-body", 40.0)] {
            let set = [format!("solve.method={method}"), format!("solve.until={until}")];
            let record = run(problem, &set.each_ref().map(String::as_str));
            for i in &record.invariants {
                let casimir =
                    !matches!(i.name, "manakov") && (problem == "toda" || i.name != "energy");
                let part = if casimir { 1e-14 } else { 2e-3 };
                let bound = part * (10.0 + i.initial.abs());
                assert!(i.max_error < bound, "{method} {problem}: {} {:e}", i.name, i.max_error);
            }
        }
    }
}

#[test]
fn bodies_of_other_dimensions() {
    // In three dimensions it is the free body: the principal moments are sums of two.
    let text = "system = \"so-n-body\"\n[parameters]\nmoments = [2.0, 1.0, 3.0]\n[initial]\n\
                momentum = [0.9, -0.4, 1.3]\n[solve]\nmethod = \"rkmk4\"\nstep = 0.01\nuntil = 4.0\n";
    let body = "system = \"reduced-body\"\n[parameters]\ninertia = [4.0, 5.0, 3.0]\n[initial]\n\
                momentum = [-1.3, -0.4, -0.9]\n[solve]\nmethod = \"rkmk4\"\nstep = 0.01\nuntil = 4.0\n";
    let (planes, axes) =
        (numbers(&run(text, &[]), "momentum"), numbers(&run(body, &[]), "momentum"));
    // M = hat(m): (1,2) is -m3, (1,3) is m2, (2,3) is -m1.
    for (a, b) in planes.iter().zip([-axes[2], axes[1], -axes[0]]) {
        assert!((a - b).abs() < 1e-9, "{planes:?} {axes:?}");
    }
    for n in 4..=6usize {
        let moments: Vec<f64> = (1..=n).map(|k| 0.7 * k as f64).collect();
        let omega: Vec<f64> = (0..n * (n - 1) / 2).map(|k| (k as f64 * 1.7).sin()).collect();
        let set = [format!("parameters.moments={moments:?}"), format!("initial.omega={omega:?}")];
        let record =
            run("so4-body", &[&set[0], &set[1], "solve.method=rkmk-dop853", "solve.until=5"]);
        assert!(record.invariants.len() >= 4, "{n}");
        for i in &record.invariants {
            assert!(
                i.max_error < 1e-9 * (1.0 + i.initial.abs()),
                "{n}: {} {:e}",
                i.name,
                i.max_error
            );
        }
    }
    let timed = run("so4-body", &["parameters.swing=0.2", "parameters.rate=2", "solve.until=5"]);
    let names: Vec<_> = timed.invariants.iter().map(|i| i.name).collect();
    assert_eq!(names, ["square", "pfaffian"]);
}

#[test]
fn what_does_not_fit_is_refused_with_a_sentence() {
    for problem in ["fast-top", "macrospin-biaxial", "toda"] {
        let text = refusal(problem, &["solve.method=magnus6"]);
        assert!(
            text.contains("linear problems") && text.contains("use one of"),
            "{problem}: {text}"
        );
    }
    let text = refusal("fast-top", &["solve.method=isospectral-gl4"]);
    assert!(text.contains("Lax flows") && text.contains("toda"), "{text}");
    // A spin in a field that turns is linear, with an axis that it likes it is not.
    let field = "parameters.field={formula=\"[cos(t), sin(t), 0]\"}";
    let linear = ["parameters.alpha=0", field, "solve.method=magnus6"];
    let known = run("macrospin", &["parameters.alpha=0", field, "solve.method=rkmk-dop853"]);
    let made = run("macrospin", &linear);
    assert!(apart(&numbers(&made, "m"), &numbers(&known, "m")) < 1e-9);
    let looks = "parameters.field={formula=\"[m1, sin(t), 0]\"}";
    let text = refusal("macrospin", &["parameters.alpha=0", looks, "solve.method=magnus6"]);
    assert!(text.contains("linear problems"), "{text}");
    // So for systems by formula: the pulse of this one looks at the clock only.
    let known = run("chirped-pulse", &["solve.method=rkmk-dop853", "solve.step=0.01"]);
    let made = run("chirped-pulse", &["solve.method=magnus6"]);
    assert!(apart(&numbers(&made, "r"), &numbers(&known, "r")) < 1e-8);
    // A sign has no slope, and looks all the same.
    let looks = "motion.r={turn=\"[rabi*sign(r1), 0, chirp*t]\"}";
    assert!(refusal("chirped-pulse", &[looks, "solve.method=magnus6"]).contains("linear problems"));
    for (problem, setting, expected) in [
        ("toda", "initial.momenta=[1]", "two to six"),
        ("toda", "initial.gaps=[1, 2]", "4 distances"),
        ("so4-body", "parameters.moments=[1, 2]", "three to six"),
        ("so4-body", "parameters.moments=[1, 2, -3, 4]", "above zero"),
        ("so4-body", "parameters.swing=1.5", "between -1 and 1"),
        ("so4-body", "initial.omega=[1, 2]", "6 numbers"),
        ("landau-zener", "initial.spinor=[0, 0, 0, 0]", "not all zero"),
        ("landau-zener", "initial.spinor=[1, 0]", "four numbers"),
    ] {
        let text = refusal(problem, &[setting]);
        assert!(text.contains(expected), "{problem} {setting}: {text}");
    }
}
