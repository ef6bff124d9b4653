//! The variational methods from problem files: what the lists claim is what runs show.
use lieflow::problem::Value;
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::run::{Model, NullSink, Plan};
use lieflow_models::study::order::OrderStudy;
use lieflow_testing::reference::numbers;
use serde_json::Value as Json;

fn open(problem: &str, settings: &[(&str, &str)]) -> (Box<dyn Model>, Plan) {
    let settings: Vec<_> =
        settings.iter().map(|(key, value)| Setting::value("--set", key, value).unwrap()).collect();
    let text = problems::find(problem).unwrap().text;
    let document = Document::parse(text, problem, &settings).unwrap();
    (document.build().unwrap(), document.plan().unwrap())
}

fn reference() -> Json {
    lieflow_testing::reference::file("liegroup")
}
fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(x) => vec![*x],
        Value::Numbers(x) => x.clone(),
        Value::Vector(x) => x.to_vec(),
        Value::Vectors(x) => x.concat(),
        Value::Rotation(x) => x.concat(),
    }
}

/// The parts of the final state of a run, one after the other.
fn run(model: &dyn Model, plan: &Plan, parts: &[&str]) -> Vec<f64> {
    let record = model.run(plan, &mut NullSink).unwrap();
    let part = |name: &&str| {
        let found = record.state.parts.iter().find(|(n, _)| n == name).unwrap();
        flat(&found.1)
    };
    parts.iter().flat_map(part).collect()
}

#[test]
fn fingerprints() {
    let data = reference();
    let mut worst: f64 = 0.0;
    for f in data["public"]["fingerprints"].as_array().unwrap() {
        let case = f["case"].as_str().unwrap();
        let euclidean = f["layout"] == "q (n), p (n)";
        if !euclidean && (f["kind"] != "fingersym" || problems::find(case).is_none()) {
            continue;
        }
        let parts: &[&str] =
            if euclidean { &["q", "p"] } else { &["rotation", "spatial_momentum"] };
        let (h, n) = (f["h"].as_f64().unwrap(), f["steps"].as_f64().unwrap());
        for (id, want) in f["states"].as_object().unwrap() {
            let (model, _) = open(case, &[]);
            let got = run(model.as_ref(), &Plan::fixed(id, h, 0.0, n * h), parts);
            let mut want = numbers(want);
            want.truncate(got.len());
            let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
            let error = norm(&mut got.iter().zip(&want).map(|(a, b)| a - b))
                / norm(&mut want.iter().copied());
            worst = worst.max(error);
            assert!(error < 1e-12, "{case} {id}: {error:e}");
        }
    }
    println!("worst relative error {worst:e}");
    assert!(worst > 0.0);
}

/// The three formulations of the heavy top are one motion, and `q` follows in the third.
#[test]
fn formulations_of_the_heavy_top_agree() {
    let data = reference();
    let cases = data["public"]["trajectories"].as_array().unwrap();
    let case = cases.iter().find(|c| c["id"] == "mild-top").unwrap();
    let exact = case["states"].as_array().unwrap().iter().find(|s| s["t"] == 2.0).unwrap();
    let plan = Plan::fixed("vrkmk-gauss6", 0.02, 0.0, 2.0);
    let close = |got: Vec<f64>, want: Vec<f64>, what: &str| {
        let error = got.iter().zip(&want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 2e-14, "{what}: {error:e}");
    };
    let (top, _) = open("mild-top", &[]);
    close(run(top.as_ref(), &plan, &["momentum"]), numbers(&exact["Pi"]), "t-so3");
    let (top, _) = open("mild-top", &[("parameters.formulation", "quadratic")]);
    close(run(top.as_ref(), &plan, &["momentum"]), numbers(&exact["Pi"]), "quadratic");
    close(run(top.as_ref(), &plan, &["q"]), numbers(&exact["q"]), "q");
    let (top, _) = open("mild-top", &[("parameters.formulation", "se3-dual")]);
    let plan = Plan::fixed("rkmk-gl6", 0.01, 0.0, 2.0);
    close(run(top.as_ref(), &plan, &["momentum"]), numbers(&exact["Pi"]), "se3-dual");
    close(run(top.as_ref(), &plan, &["gamma"]), numbers(&exact["Gamma"]), "gamma");
}

fn families(model: &dyn Model) -> Vec<lieflow::method::Card> {
    let known = ["theta", "variational-rkmk", "natural-chart", "lie-galerkin", "galerkin"];
    model.methods().into_iter().filter(|card| known.contains(&card.family)).collect()
}

/// Every method has the order of its card, on problems with different groups.
#[test]
fn orders_are_those_of_the_cards() {
    for (problem, until, unit, count) in [
        ("mild-top", 1.0, 1.0, 34),
        ("reduced-body", 12.0, 3.0, 34),
        ("kirchhoff", 2.0, 2.0, 34),
        ("pendulum", 2.0, 2.0, 16),
        ("henon-heiles", 3.0, 3.0, 16),
    ] {
        let (model, plan) = open(problem, &[("solve.until", &until.to_string())]);
        let cards = families(model.as_ref());
        assert_eq!(cards.len(), count, "{problem}");
        for claimed in [1, 2, 4, 6, 8] {
            let ids: Vec<String> =
                cards.iter().filter(|c| c.order == claimed).map(|c| c.id.to_string()).collect();
            if ids.is_empty() {
                continue;
            }
            // High orders reach rounding soon, low ones their asymptotic regime late.
            let finest = match claimed {
                1 => unit / 256.0,
                2 => unit / 128.0,
                4 => unit / 48.0,
                6 => unit / 20.0,
                _ => unit / 12.0,
            };
            let steps =
                [2.0, 1.7, 1.4, 1.2, 1.0].map(|x: f64| until / (until / (finest * x)).round());
            let study = OrderStudy::new(model.as_ref(), &plan, &ids, &steps).unwrap();
            for (id, ladder) in ids.iter().zip(study.run(&mut |_| {}).unwrap()) {
                let order = ladder.order.unwrap();
                let right = (order - f64::from(claimed)).abs() < 0.15;
                assert!(right, "{problem} {id}: {order}, not {claimed}");
            }
        }
    }
}

/// What a run says of the invariants: momenta of symmetries at rounding, energy bounded.
#[test]
fn invariants_of_a_run() {
    let (top, _) = open("mild-top", &[]);
    for card in families(top.as_ref()) {
        let record = top.run(&Plan::fixed(card.id, 0.1, 0.0, 100.0), &mut NullSink).unwrap();
        let vertical =
            record.invariants.iter().find(|i| i.name == "momentum_dot_direction").unwrap();
        assert_eq!(vertical.max_error, 0.0, "{}", card.id);
        assert!(record.cost.newton_iterations > 0);
        assert!(record.manifold_error < 1e-13);
    }
    let (body, _) = open("kirchhoff", &[]);
    for card in families(body.as_ref()) {
        let record = body.run(&Plan::fixed(card.id, 0.1, 0.0, 20.0), &mut NullSink).unwrap();
        for orbit in record.invariants.iter().filter(|i| i.name != "energy") {
            assert!(orbit.max_error < 1e-12, "{} {}: {:e}", card.id, orbit.name, orbit.max_error);
        }
    }
    let (planet, _) = open("kepler", &[]);
    for card in families(planet.as_ref()) {
        let record = planet.run(&Plan::fixed(card.id, 0.02, 0.0, 20.0), &mut NullSink).unwrap();
        let turn = record.invariants.iter().find(|i| i.name == "angular_momentum").unwrap();
        assert!(turn.max_error < 1e-13, "{}: {:e}", card.id, turn.max_error);
    }
}

#[test]
fn members_that_are_not_listed_can_be_named() {
    let (top, _) = open("mild-top", &[]);
    let end = |id: &str| run(top.as_ref(), &Plan::fixed(id, 0.1, 0.0, 1.0), &["spatial_momentum"]);
    assert_eq!(end("slgi-theta0.50"), end("slgi-theta0.5"));
    assert_ne!(end("slgi-theta0.3"), end("slgi-theta0.5"));
    assert_ne!(end("liegalerkin-exp-s4-gauss4"), end("liegalerkin-exp-s3-gauss3"));
    let refuse = |id: &str| {
        top.run(&Plan::fixed(id, 0.1, 0.0, 1.0), &mut NullSink).unwrap_err().error.to_string()
    };
    assert!(refuse("liegalerkin-exp-s3-gauss2").contains("at least 3 quadrature points, not 2"));
    assert!(refuse("slgi-thetaNaN").contains("theta must be a finite number"));
    assert!(refuse("galerkin-s2-gauss2").contains("no method called"));
    assert!(refuse("slgi-thet").contains("did you mean 'slgi-theta0'"));
}

#[test]
fn bad_input_is_refused_with_what_was_expected() {
    let refuse = |settings: &[(&str, &str)]| {
        let settings: Vec<_> =
            settings.iter().map(|(k, v)| Setting::value("--set", k, v).unwrap()).collect();
        let text = problems::find("kepler").unwrap().text;
        let document = Document::parse(text, "kepler", &settings).unwrap();
        document.build().err().unwrap().to_string()
    };
    assert!(refuse(&[("initial.q", "[0, 0]")]).contains("potential is finite"));
    assert!(refuse(&[("initial.q", "[1]")]).contains("a list of two numbers"));
    assert!(refuse(&[("parameters.problem", "keppler")]).contains("kepler"));
    let (model, plan) = open("kepler", &[("solve.chart", "cayley")]);
    let error = model.run(&plan, &mut NullSink).unwrap_err().error;
    assert!(error.is_input() && error.to_string().contains("no chart to choose"), "{error}");
    let (model, plan) = open("kepler", &[("solve.solver", "fixed-point")]);
    let error = model.run(&plan, &mut NullSink).unwrap_err().error;
    assert!(error.is_input() && error.to_string().contains("Newton's method only"), "{error}");
}

/// A step without a solution names the equation, the step and the residual, and keeps what was done.
#[test]
fn a_step_without_a_solution() {
    let (model, _) = open("mild-top", &[]);
    let failure = model.run(&Plan::fixed("chart-exp-midpoint", 2.0, 0.0, 10.0), &mut NullSink);
    let failure = failure.unwrap_err();
    let text = failure.error.to_string();
    assert!(!failure.error.is_input());
    for part in ["discrete Euler–Lagrange equation did not converge", "residual", "step 2"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(failure.record.is_some());
}

/// The contrast to the variational methods: RKMK with Gauss' table on T*SO(3) is not symplectic.
#[test]
fn rkmk_is_not_symplectic_on_the_cotangent_bundle() {
    use lieflow::chart::Chart;
    use lieflow::group::family::Rotations;
    use lieflow::kernel::so3;
    use lieflow::method::cotangent::structure::{Tangent, linearise};
    use lieflow::method::implicit::Implicit;
    use lieflow::method::newton::Newton;
    use lieflow::method::rkmk_gauss::GaussStages;
    use lieflow::problem::{Lift, Problem};
    use lieflow::{Mat3, vec3};
    use lieflow_models::system::heavy_top::{HeavyTop, TopData};

    let inertia = Mat3::diagonal(vec3(0.8, 1.1, 1.7));
    let data = TopData {
        inertia,
        inverse: inertia.inverse(),
        axis: vec3(0.6, 0.0, 0.8),
        direction: vec3(0.0, 0.0, 1.0),
        strength: 1.3,
    };
    let top = HeavyTop::new(data, so3::exp(vec3(0.3, -0.2, 0.5)), vec3(0.4, -0.7, 1.2));
    let lifted = top.lift(Tangent::constant);
    let equations = GaussStages { tableau: &lieflow::tableau::GAUSS2, chart: Chart::Exp };
    let mut method = Implicit::<HeavyTop<Tangent>, _, Newton<_>>::new(equations);
    let start = Problem::start(&top);
    let at = linearise::<Rotations, _, _>(&lifted, &mut method, 0.0, 0.3, &start).unwrap();
    let defect = at.symplectic_defect();
    assert!((defect / 4.2e-3 - 1.0).abs() < 0.02, "{defect:e}");
}

/// A state with the momentum in the body runs as well as one with the momentum in space: momentum is
/// never turned there and back.
#[test]
fn body_momentum_is_not_turned_there_and_back() {
    let text = "system = \"rigid-body\"\n[parameters]\ninertia = [0.6666666666666666, 1.0, 2.0]\n\
                potential = { kind = \"free\" }\n[initial]\nmomentum = [0.5, 0.0, 0.8660254037844386]\n";
    let document = Document::parse(text, "free body", &[]).unwrap();
    let model = document.build().unwrap();
    for id in ["chart-cay-left", "chart-exp-left", "liegalerkin-exp-s2-gauss2"] {
        let record = model.run(&Plan::fixed(id, 0.9, 0.0, 9000.0), &mut NullSink).unwrap();
        for i in record.invariants.iter().filter(|i| i.name != "energy") {
            assert!(i.max_error < 1e-13, "{id} {}: {:e}", i.name, i.max_error);
        }
    }
    // Celledoni et al. and Carré and Bensoam agree with themselves: the fingerprints of T*SO(3).
    let data = reference();
    let all = data["public"]["fingerprints"].as_array().unwrap();
    let of = |f: &&Json| f["case"] == "free-body-seed001" && f["kind"] == "fingersym";
    let f = all.iter().find(of).unwrap();
    for (id, want) in f["states"].as_object().unwrap() {
        let parts = ["rotation", "spatial_momentum"];
        let got = run(model.as_ref(), &Plan::fixed(id, 0.9, 0.0, 9.0), &parts);
        let want = numbers(want);
        let error = got.iter().zip(&want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 5e-15, "{id}: {error:e}");
    }
}
