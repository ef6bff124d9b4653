//! Rigid-body methods against single steps and states in extended precision.
use super::support::{errors, id, model, reference, run, state};
use lieflow_models::run::Model;

#[test]
fn golden_steps() {
    let data = reference();
    let probe = model("probe");
    let golden = data["problems"]["probe"]["golden_steps"].as_object().unwrap();
    assert!(golden.len() >= 32, "only {} methods", golden.len());
    for (name, entries) in golden {
        for entry in entries.as_array().unwrap() {
            let (h, n) = (entry["h"].as_f64().unwrap(), entry["steps"].as_f64().unwrap());
            let got = run(probe.as_ref(), &id(name), h, h * n).unwrap();
            let (er, ep) = errors(&got, &state(entry));
            // One step agrees to a few roundings.
            let bound = if n == 1.0 { 5e-15 } else { 2e-14 };
            assert!(er < bound && ep < bound, "{name}, {n} steps: {er:e} {ep:e}");
        }
    }
}

#[test]
fn reference_states() {
    let data = reference();
    let problems = [
        ("free", [1.0, 1.0, 1.0]),
        ("slow_top", [32.0, 16.0, 64.0]),
        ("fast_top", [64.0, 64.0, 128.0]),
        ("soft_wall_printed", [32.0, 32.0, 64.0]),
        ("soft_wall", [96.0, 128.0, 512.0]),
        ("ortolan", [16.0, 16.0, 64.0]),
        ("probe", [50.0, 50.0, 100.0]),
    ];
    for (problem, inverse_steps) in problems {
        let body = model(problem);
        for entry in data["problems"][problem]["states"].as_array().unwrap() {
            let t = entry["t"].as_f64().unwrap();
            let want = state(entry);
            for (method, n) in ["exs@rkn6", "exs@rkn6a", "exs@kl6"].iter().zip(inverse_steps) {
                let got = run(body.as_ref(), method, 1.0 / n, t).unwrap();
                let (er, ep) = errors(&got, &want);
                let scale = want.momentum.norm().max(1.0);
                assert!(er < 1e-11 && ep < 1e-11 * scale, "{problem} {t} {method} {er:e} {ep:e}");
            }
        }
    }
}

fn failure(body: &dyn Model, method: &str, h: f64) -> String {
    run(body, method, h, 10.0).unwrap_err().to_string()
}

#[test]
fn a_step_without_a_solution_says_so() {
    let top = model("fast_top");
    for method in ["rattle", "dmv", "ls", "lgvi", "rattle@su4"] {
        let text = failure(top.as_ref(), method, 1.0 / 32.0);
        assert!(text.contains(": the equation of RATTLE"), "{method}: {text}");
        assert!(text.contains("has no solution: h|ω| = "), "{method}: {text}");
        assert!(text.contains("it must stay below 1; use a smaller step"), "{method}: {text}");
    }
    // The others have no such bound.
    for method in ["vlv", "prk", "akw", "eln", "tln", "mcg", "liemid-ea", "exs", "sp123"] {
        run(top.as_ref(), method, 1.0 / 32.0, 1.0).unwrap();
    }
    let wall = model("soft_wall");
    let text = failure(wall.as_ref(), "liemid-i", 0.5);
    assert!(text.contains("did not converge in 50 iterations (residual "), "{text}");
    let text = failure(wall.as_ref(), "liemid", 0.1);
    assert!(text.contains("the method 'liemid' is for free motion"), "{text}");
}

/// The conservation table: what is kept is kept to rounding, what is not moves by the listed amount.
#[test]
fn conservation_table() {
    let data = reference();
    let mut compared = 0;
    for problem in ["free", "slow_top", "soft_wall_printed"] {
        let table = &data["conservation"][problem];
        let (h, steps) = (table["h"].as_f64().unwrap(), table["steps"].as_f64().unwrap());
        let body = model(problem);
        for (name, row) in table["methods"].as_object().unwrap() {
            let method = id(name);
            let plan = lieflow_models::run::Plan::fixed(&method, h, 0.0, h * steps);
            // LIEMID[E] leaves the soft wall for infinity; nothing is listed that could be met.
            let Ok(record) = body.run(&plan, &mut lieflow_models::run::NullSink) else { continue };
            let found = |invariant: &str| {
                let q = record.invariants.iter().find(|q| q.name == invariant);
                q.map(|q| q.max_error)
            };
            for (key, invariant) in
                [("maxE", "energy"), ("max_dpi_z", "axial_momentum"), ("max_dPi_axis", "spin")]
            {
                let (Some(listed), Some(got)) = (row[key].as_f64(), found(invariant)) else {
                    continue;
                };
                if listed > 1e3 {
                    continue;
                }
                let kept = listed < 5e-13;
                let ok = if kept { got < 5e-13 } else { (got / listed - 1.0).abs() < 0.01 };
                assert!(ok, "{problem} {name} {invariant}: {got:e} against {listed:e}");
                compared += 1;
            }
        }
    }
    assert!(compared > 130, "{compared}");
}
