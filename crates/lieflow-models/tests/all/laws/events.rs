//! Events and changes of the state on every built-in system.
use super::{part, run};
use lieflow_models::run::Ended;
use std::f64::consts::PI;

#[test]
fn pericentres_of_kepler() {
    // Half axis 1 and eccentricity 0.3, from the apocentre: pericentres at π and 3π.
    let law = "potential = { formula = \"-k/norm(q)\", k = 1.0 }";
    for parameters in ["problem = \"kepler\"", law] {
        let record = run(&format!(
            "system = \"euclidean\"\n[parameters]\n{parameters}\n[initial]\nq = [1.3, 0.0]\n\
             p = [0.0, {}]\n[[events]]\nname = \"pericentre\"\nformula = \"dot(q, p)\"\n\
             direction = \"rising\"\nthen = \"stop\"\nafter = 2\n\
             [[observables]]\nname = \"r\"\nformula = \"norm(q)\"\n\
             [solve]\nmethod = \"rkmk4\"\nstep = 2e-3\nuntil = 20.0\n",
            (0.7f64 / 1.3).sqrt()
        ));
        assert_eq!(record.ended, Ended::Event);
        let times: Vec<f64> = record.events.iter().map(|event| event.state.t).collect();
        assert_eq!(times.len(), 2);
        for (t, exact) in times.iter().zip([PI, 3.0 * PI]) {
            assert!((t - exact).abs() < 2e-11, "{t} for {exact}");
        }
        let end = &record.events[1].state;
        let (q, p) = (part(end, "q"), part(end, "p"));
        assert!((q[0] * p[0] + q[1] * p[1]).abs() < 4e-15, "{q:?} {p:?}");
        assert!((q[0].hypot(q[1]) - 0.7).abs() < 1e-11);
        assert_eq!(record.state.t, times[1]);
    }
}

#[test]
fn a_ball_that_bounces() {
    let record = run("system = \"euclidean\"\n[parameters]\nmass = 2.0\n\
         potential = { formula = \"mass*g*q\", g = 9.81 }\n[initial]\nq = [1.0]\np = [0.0]\n\
         [[events]]\nname = \"floor\"\nformula = \"q\"\ndirection = \"falling\"\n\
         change = { p = \"-p\" }\n[solve]\nmethod = \"rkmk4\"\nstep = 0.01\nuntil = 2.0\n");
    let fall = (2.0f64 / 9.81).sqrt();
    assert_eq!(record.events.len(), 2);
    for (k, event) in record.events.iter().enumerate() {
        let exact = fall * (1.0 + 2.0 * k as f64);
        assert!((event.state.t - exact).abs() < 1e-13, "{} for {exact}", event.state.t);
    }
    let left = 2.0 - 4.0 * fall;
    let exact = 1.0 - 0.5 * 9.81 * left * left;
    assert!((part(&record.state, "q")[0] - exact).abs() < 1e-12);
}

#[test]
fn a_top_that_falls() {
    for (system, method) in [
        (
            "system = \"rigid-body\"\n[parameters]\ninertia = [1.0, 1.0, 0.5]\npotential = { formula = \"m*g*l*R33\", m = 1.0, g = 2.0, l = 0.9 }",
            "rkmk4",
        ),
        (
            "system = \"heavy-top\"\n[parameters]\ninertia = [1.0, 1.0, 0.5]\naxis = [0.0, 0.0, 1.0]\ndirection = [0.0, 0.0, 1.0]\nmass = 1.0\ngravity = 2.0\nlength = 0.9",
            "rkmk4",
        ),
        (
            "system = \"heavy-top\"\n[parameters]\ninertia = [1.0, 1.0, 0.5]\naxis = [0.0, 0.0, 1.0]\ndirection = [0.0, 0.0, 1.0]\nstrength = 1.8\nformulation = \"se3-dual\"",
            "rkmk4",
        ),
    ] {
        let height = if system.contains("rigid-body") { "R33" } else { "Gamma3" };
        let record = run(&format!(
            "{system}\n[initial]\nrotation = {{ vector = [0.3, 0.0, 0.0] }}\nomega = [0.1, 0.0, 0.4]\n\
             [[events]]\nname = \"falls over\"\nformula = \"{height}\"\ndirection = \"falling\"\n\
             then = \"stop\"\n[[observables]]\nname = \"height\"\nformula = \"{height}\"\n\
             [solve]\nmethod = \"{method}\"\nstep = 1e-3\nuntil = 10.0\n"
        ));
        assert_eq!(record.ended, Ended::Event, "{system}");
        let height = record.events[0].state.observables[0].1.numbers()[0];
        assert!(height.abs() < 1e-15, "{system}: {height:e}");
        // The three say the same.
        assert!((record.state.t - 1.8).abs() < 0.6, "{}", record.state.t);
    }
}

/// Each system runs for a while, is turned back, and ends where it began, going the other way.
#[test]
fn every_system_can_be_turned_back() {
    let chain = |space: &str| {
        format!(
            "system = \"pendulum-chain\"\n[parameters]\nmasses = [1.0, 0.7]\nlengths = [0.5, 0.8]\n\
             space = \"{space}\"\n[initial]\nproject = true\nq = [[0.6, 0.0, -0.8], [0.3, 0.5, -0.7]]\n\
             omega = [[0.2, 0.3, 0.1], [-0.4, 0.1, 0.2]]"
        )
    };
    let top = |formulation: &str| {
        format!(
            "system = \"heavy-top\"\n[parameters]\ninertia = [1.0, 1.4, 0.8]\naxis = [0.6, 0.0, 0.8]\n\
             direction = [0.0, 0.0, 1.0]\nstrength = 2.0\nformulation = \"{formulation}\"\n[initial]\n\
             rotation = {{ vector = [0.3, 0.1, 0.2] }}\nomega = [0.1, 0.5, 0.4]"
        )
    };
    let cases: Vec<(String, &str, &[&str])> = vec![
        ("system = \"rigid-body\"\n[parameters]\ninertia = [1.0, 1.2, 0.5]\npotential = { formula = \"R33 + 0.3*R11^2\" }\n[initial]\nomega = [0.1, 0.5, 0.4]".into(), "P = \"-P\"", &["momentum"]),
        ("system = \"reduced-body\"\n[parameters]\ninertia = [1.0, 1.2, 0.5]\n[initial]\nmomentum = [0.1, 0.5, 0.4]".into(), "P = \"-P\"", &["momentum"]),
        (top("t-so3"), "P = \"-P\"", &["momentum"]),
        (top("se3-dual"), "P = \"-P\"", &["momentum"]),
        ("system = \"kirchhoff\"\n[parameters]\ninertia = [1.0, 1.5, 2.2, 1.2, 1.8, 2.5]\n[initial]\nmomentum = [0.4, -0.3, 0.8]\nimpulse = [0.9, 0.2, -0.5]".into(), "m = \"-m\", p = \"-p\"", &["momentum", "impulse"]),
        ("system = \"euclidean\"\n[parameters]\npotential = { formula = \"0.5*square(q) + q1^2*q4\" }\n[initial]\nq = [0.1, 0.2, 0.3, -0.2]\np = [0.3, -0.1, 0.2, 0.4]".into(), "p = \"-p\"", &["p"]),
        ("system = \"macrospin\"\n[parameters]\nD = [0.2, 0.5, 0.9]\n[initial]\nm = [0.48, -0.6, 0.64]".into(), "m = \"-m\"", &["m"]),
        ("system = \"spin-ring\"\n[parameters]\nJ = 0.7\n[initial]\nm = [[0.48, -0.6, 0.64], [0.0, 0.6, 0.8], [0.8, 0.0, -0.6]]".into(), "m = \"-m\"", &["m"]),
        ("system = \"vortices\"\n[parameters]\nstrengths = [1.0, -0.5, 0.8]\n[initial]\nq = [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8], [-0.6, 0.0, 0.8]]".into(), "x = \"-x\"", &["q"]),
        (chain("se3"), "w = \"-w\"", &["omega"]),
        (chain("lift"), "w = \"-w\"", &["omega"]),
        (chain("hamiltonian"), "w = \"-w\"", &["omega", "momentum"]),
        (chain("euclidean"), "w = \"-w\"", &["omega"]),
        ("system = \"dipoles\"\n[parameters]\nmass = 1.0\nlength = 3.0\nmoment = 1000.0\nrows = 1\ncolumns = 2\nspacing = 1.0\n[initial]\nproject = true\nq = [[0.6, 0.0, -0.8], [0.3, 0.5, -0.7]]\nomega = [[0.2, 0.3, 0.1], [-0.4, 0.1, 0.2]]".into(), "w = \"-w\"", &["omega"]),
    ];
    for (problem, change, reversed) in cases {
        let text = format!(
            "{problem}\n[[events]]\nname = \"back\"\nformula = \"t - 0.5\"\n\
             change = {{ {change} }}\n[solve]\nmethod = \"rkmk4\"\nstep = 0.005\nuntil = 1.0\n"
        );
        let (model, _) = super::posed(&text);
        let record = run(&text);
        assert_eq!(record.events.len(), 1, "{problem}");
        assert!((record.events[0].state.t - 0.5).abs() < 1e-15, "{problem}");
        for (name, value) in &model.start(0.0).parts {
            // What is computed from the others follows.
            if matches!(*name, "spatial_momentum") || *name == "omega" && problem.contains("-top\"")
            {
                continue;
            }
            let back = ["rigid-body"].iter().any(|s| problem.contains(s)) && *name == "omega";
            let sign = if reversed.contains(name) || back { -1.0 } else { 1.0 };
            for (a, b) in value.numbers().iter().zip(part(&record.state, name)) {
                assert!((sign * a - b).abs() < 1e-7, "{problem}: {name} {a} {b}");
            }
        }
    }
}

#[test]
fn changes_that_make_no_sense_are_refused() {
    let text = |change: &str| {
        format!(
            "system = \"euclidean\"\n[parameters]\nproblem = \"kepler\"\n[initial]\nq = [1.3, 0.0]\n\
             p = [0.0, 1.0]\n[[events]]\nname = \"e\"\nformula = \"q1\"\nchange = {{ {change} }}\n"
        )
    };
    let message = super::refusal(&text("v = \"-v\""));
    assert!(message.contains("part of the state") && message.contains("q, p"), "{message}");
    let message = super::refusal(&text("p = \"q1\""));
    assert!(message.contains("a list of 2 numbers"), "{message}");
}
