//! Chains, dipoles and quadrotors from problem files: what runs, what is refused and how it is said.
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::run::NullSink;
use serde_json::Value;

fn settings(list: &[&str]) -> Vec<Setting> {
    list.iter().map(|s| Setting::parse("--set", s).unwrap()).collect()
}

fn run(name: &str, set: &[&str]) -> Value {
    let text = problems::find(name).unwrap_or_else(|| panic!("no problem {name}")).text;
    let document = Document::parse(text, name, &settings(set)).unwrap();
    let model = document.build().unwrap();
    match model.run(&document.plan().unwrap(), &mut NullSink) {
        Ok(record) => record.to_json(),
        Err(failure) => panic!("{name} with {set:?}: {failure}"),
    }
}

fn fails(name: &str, set: &[&str]) -> String {
    let text = problems::find(name).unwrap().text;
    let document = match Document::parse(text, name, &settings(set)) {
        Ok(document) => document,
        Err(error) => return error.to_string(),
    };
    let model = match document.build() {
        Ok(model) => model,
        Err(error) => return error.to_string(),
    };
    let plan = document.plan().unwrap();
    match model.run(&plan, &mut NullSink) {
        Ok(_) => panic!("{name} with {set:?} runs"),
        Err(failure) => failure.to_string(),
    }
}

fn near(found: &Value, want: &Value, bound: f64) {
    match (found, want) {
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len());
            a.iter().zip(b).for_each(|(a, b)| near(a, b, bound));
        }
        _ => {
            let d = (found.as_f64().unwrap() - want.as_f64().unwrap()).abs();
            assert!(d < bound, "{found} {want}: {d:e}");
        }
    }
}

fn reference() -> Value {
    lieflow_testing::reference::public("spheres")
}

#[test]
fn built_in_problems_start_where_the_reference_does() {
    let data = reference();
    for (name, case, set) in [
        ("spherical-pendulum", "spherical_pendulum", ""),
        ("double-spherical-pendulum", "double_spherical_pendulum", ""),
        ("chain-fig5", "chain_fig5_N2", ""),
        ("chain-generic-n5", "chain_generic_N5", ""),
        ("chain-fig8", "chain_fig8_N20", "parameters.count=20"),
        ("chain-fig10", "chain_fig10_N6", "parameters.count=6"),
        ("chain-fig10code", "chain_fig10code_N20", "parameters.count=20"),
        ("dipoles-4x4", "dipoles_4x4", ""),
    ] {
        let flows = data["flows"].as_array().unwrap();
        let flow = flows.iter().find(|f| f["name"] == case).unwrap();
        let set: Vec<&str> = if set.is_empty() { vec![] } else { vec![set] };
        let text = problems::find(name).unwrap().text;
        let document = Document::parse(text, name, &settings(&set)).unwrap();
        let start = document.build().unwrap().start(0.0).to_json();
        near(&start["q"], &flow["q0"], 2e-16);
        near(&start["omega"], &flow["w0"], 2e-16);
        let energy = flow["energy0"].as_f64().unwrap();
        let until = ["solve.until=0.001", "solve.method=\"rkmk4\"", "solve.step=0.001"];
        let record = run(name, &[&set[..], &until[..]].concat());
        let found = record["invariants"]["energy"]["initial"].as_f64().unwrap();
        assert!((found - energy).abs() < 1e-13 * energy.abs().max(1.0), "{name}: {found}");
    }
}

#[test]
fn methods_and_spaces_give_their_reference_states() {
    let data = reference();
    let sets = data["method_states"].as_array().unwrap();
    let set = sets.iter().find(|s| s["case"] == "chain_fig5_N2").unwrap();
    for (name, method, space, more) in [
        ("ELN", "eln", "se3", ""),
        ("RATTLE", "rattle", "lift", ""),
        ("LLM", "llm", "hamiltonian", ""),
        ("RKMK4", "rkmk4", "lift", "solve.dexpinv=2"),
        ("RKMKGL4-SE3", "rkmk-gl4", "se3", ""),
        ("GL4sym", "gl4-sym", "lift", ""),
        ("RK4", "rk4", "euclidean", ""),
        ("CF4-SE3-H", "cf4", "hamiltonian", ""),
    ] {
        let (method, space) =
            (format!("solve.method=\"{method}\""), format!("parameters.space=\"{space}\""));
        let mut list = vec![&method[..], &space, "solve.step=0.02", "solve.until=0.5"];
        if !more.is_empty() {
            list.push(more);
        }
        let record = run("chain-fig5", &list);
        assert_eq!(record["steps"], 25);
        near(&record["state"]["q"], &set["methods"][name]["q"], 1e-12);
        near(&record["state"]["omega"], &set["methods"][name]["w"], 1e-12);
        let lost = record["manifold_error"].as_f64().unwrap();
        assert!(if name == "RK4" { lost > 1e-8 } else { lost < 1e-4 }, "{name}: {lost}");
    }
}

#[test]
fn a_thousand_links_and_a_large_array_run_without_special_flags() {
    let record = run("chain-fig8", &["parameters.count=1000", "solve.until=0.02"]);
    assert_eq!(record["state"]["q"].as_array().unwrap().len(), 1000);
    assert!(record["manifold_error"].as_f64().unwrap() < 1e-13);
    let fixed = ["parameters.count=1000", "solve.until=0.01", "solve.step=0.001"];
    for method in ["eln", "rattle", "llm", "rkmk-gl4"] {
        let method = format!("solve.method=\"{method}\"");
        let record = run("chain-fig8", &[&fixed[..], &[&method[..]]].concat());
        assert!(record["manifold_error"].as_f64().unwrap() < 1e-12);
    }
    let record = run("dipoles-64x64", &["solve.until=0.002"]);
    assert_eq!(record["state"]["q"].as_array().unwrap().len(), 4096);
    let energy = &record["invariants"]["energy"];
    let drift = energy["max_error"].as_f64().unwrap() / energy["initial"].as_f64().unwrap();
    assert!(drift.abs() < 1e-9, "{drift:e}");
}

#[test]
fn the_quadrotors_run_from_their_files() {
    let data = reference();
    for case in data["quadrotors"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap().replace('_', "-");
        let record = run(&name, &["solve.step=0.01", "solve.until=0.2"]);
        let want = &case["method_states"][0]["methods"]["RKMK4"];
        let part =
            |from: usize, n: usize| Value::Array(want.as_array().unwrap()[from..from + n].to_vec());
        near(&record["state"]["position"], &part(0, 3), 1e-13);
        near(&record["state"]["velocity"], &part(3, 3), 1e-13);
        near(&record["state"]["body_omega_2"], &part(27, 3), 1e-12);
        near(&record["state"]["q"][1], &part(36, 3), 1e-13);
        near(&record["state"]["omega"][1], &part(39, 3), 1e-12);
        // Rotations are shown by rows, the data have columns.
        near(&record["state"]["rotation_1"][0][1], &want[9], 1e-13);
    }
}

#[test]
fn impossible_data_are_refused_where_they_stand() {
    let expect = |name: &str, set: &[&str], parts: &[&str]| {
        let message = fails(name, set);
        for part in parts {
            assert!(message.contains(part), "{message}\nlacks: {part}");
        }
    };
    expect(
        "chain-fig5",
        &["parameters.masses=[1, 0]"],
        &["masses", "mass number 2 is 0", "above zero"],
    );
    expect("chain-fig5", &["parameters.lengths=[1, -2]"], &["lengths", "length number 2 is -2"]);
    expect(
        "chain-fig5",
        &["parameters.lengths=[1, 2, 3]"],
        &["lengths", "a list of 2", "'masses'"],
    );
    expect("chain-fig5", &["parameters.masses=[1]"], &["lengths", "a list of 1", "'masses'"]);
    expect("chain-fig5", &["parameters.masses=[]"], &["parameters.masses", "a list of 1 to"]);
    expect("chain-fig5", &["parameters.count=3"], &["masses", "a list of 3", "'count'"]);
    expect("chain-fig5", &["parameters.lengths=0"], &["lengths", "length number 1 is 0"]);
    let zero = "initial.q=[[1, 0, 0], [0, 0, 0]]";
    expect(
        "chain-fig5",
        &[zero, "initial.project=true"],
        &["initial.q", "direction number 2 is zero", "no nearest unit vector"],
    );
    expect("chain-fig5", &["initial.q=[[1, 0, 0]]"], &["initial.q", "2 unit vectors"]);
    expect("chain-fig5", &["initial.q=[1, 0.1, 0]"], &["initial.q", "length"]);
    expect(
        "chain-fig5",
        &["initial.q=[1, 0, 0]", "initial.omega=[1, 0, 0]"],
        &["initial.omega", "angular velocity number 1", "project = true"],
    );
    expect("chain-fig8", &["parameters.count=0"], &["count", "from 1 to"]);
    expect("chain-fig8", &["parameters.count=99999999999"], &["count", "from 1 to"]);
    expect("chain-fig8", &["parameters.space=\"lifft\""], &["space", "did you mean 'lift'"]);
    expect("dipoles-4x4", &["parameters.spacing=0"], &["spacing", "above zero"]);
    expect("dipoles-4x4", &["parameters.mass=0"], &["mass", "above zero"]);
    expect("dipoles-4x4", &["parameters.length=0"], &["length", "above zero"]);
    expect("dipoles-4x4", &["parameters.rows=0"], &["rows", "above zero"]);
    // Positions take the place of the grid in the file.
    let two =
        ["parameters.positions=[[0,0,0],[0,0,1]]", "initial.overrides=[]", "solve.until=0.02"];
    assert_eq!(run("dipoles-4x4", &two)["state"]["q"].as_array().unwrap().len(), 2);
    expect("dipoles-4x4", &["parameters.rows=4000000000"], &["rows", "at most"]);
    expect("dipoles-4x4", &["initial.overrides=[{index=17}]"], &["index", "from 1 to 16"]);
    expect("dipoles-4x4", &["initial.overrides=[{index=0}]"], &["index", "from 1 to 16"]);
    expect(
        "dipoles-4x4",
        &["initial.overrides=[{index=3, omega=[1, 0, 0]}]"],
        &["overrides", "omega", "number 3"],
    );
    expect(
        "dipoles-4x4",
        &["parameters.positions=[[0,0,0],[1,0,0],[0,0,0]]"],
        &["dipoles 1 and 3", "at the same place"],
    );
    expect(
        "dipoles-4x4",
        &["solve.method=\"rattle\"", "solve.step=0.0625"],
        &["too far", "smaller step"],
    );
    expect("quad-published", &["parameters.payload=0"], &["payload", "above zero"]);
    expect(
        "quad-published",
        &["parameters.formation=[[0.6,0,0.8],[0,0,1]]"],
        &["formation", "sum"],
    );
    expect("quad-published", &["parameters.masses=[1, 0]"], &["masses", "mass number 2 is 0"]);
    expect("quad-published", &["parameters.lengths=[0, 1]"], &["lengths", "length number 1 is 0"]);
    expect("quad-published", &["parameters.masses=[1]"], &["masses", "2 numbers"]);
    // F = 0: the payload falls as the gains want it to.
    let falling = ["parameters.trajectory=[[0,0,0]]", "initial.position=[0, 0, -0.8175]"];
    expect("quad-published", &falling, &["no direction for the thrust", "heading"]);
}

#[test]
fn states_near_the_manifold_are_projected_on_request() {
    let record = run(
        "chain-fig5",
        &[
            "initial.project=true",
            "initial.q=[2, 0, 0]",
            "initial.omega=[1, 1, 0]",
            "solve.until=0.005",
        ],
    );
    assert!(record["manifold_error"].as_f64().unwrap() < 1e-14);
}
