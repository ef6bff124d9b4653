//! Formulas in problem files.
use lieflow_models::problem_file::{Document, SpecError};
use lieflow_models::problems;
use lieflow_models::run::{Ended, Model, NullSink, Plan, Record};
use lieflow_models::study::order::OrderStudy;

fn open(text: &str) -> Result<(Box<dyn Model>, Plan), SpecError> {
    let document = Document::parse(text, "own.toml", &[])?;
    Ok((document.build()?, document.plan()?))
}

fn run(text: &str) -> Record {
    let (model, plan) = open(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    model.run(&plan, &mut NullSink).unwrap_or_else(|failure| panic!("{failure}"))
}

fn refusal(text: &str) -> String {
    match open(text) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("accepted:\n{text}"),
    }
}

/// A body with these parameters, lists, and a plan.
fn body(parameters: &str, lists: &str, solve: &str) -> String {
    format!(
        "system = \"rigid-body\"\n[parameters]\ninertia = [5.0, 4.0, 1.5]\n{parameters}\n\
         [initial]\nrotation = {{ vector = [0.4, 0.3, -0.2] }}\nomega = [0.3, -0.5, 3.0]\n{lists}\n\
         [solve]\n{solve}\n"
    )
}

const FIXED: &str = "method = \"rkmk4\"\nstep = 0.01\nuntil = 1.0";

#[test]
fn templates_run() {
    for id in ["satellite", "top-with-friction", "attitude-control", "charged-body"] {
        let (_, document) = problems::find(id).unwrap().open().unwrap();
        let (model, mut plan) = (document.build().unwrap(), document.plan().unwrap());
        plan.until = plan.from + 0.01 * (plan.until - plan.from);
        let record = model.run(&plan, &mut NullSink).unwrap();
        assert!(record.manifold_error < 1e-12, "{id}: {}", record.manifold_error);
        assert_eq!(record.state.observables.len(), model.start(0.0).observables.len());
        let explanation = document.explain().unwrap();
        assert!(explanation.operations.is_some_and(|(each, _)| each > 5), "{id}");
    }
}

/// Spin about a principal axis that air slows down: `w' = -c/J w`.
#[test]
fn damping_is_exponential() {
    let text = body(
        "torque = { formula = \"-c*w\", c = 0.7 }",
        "[[observables]]\nname = \"rate\"\nformula = \"w3\"",
        "method = \"rkmk-gl6\"\nstep = 0.05\nuntil = 2.0",
    )
    .replace("[0.3, -0.5, 3.0]", "[0.0, 0.0, 3.0]");
    let record = run(&text);
    let lieflow::problem::Value::Number(rate) = record.state.observables[0].1 else { panic!() };
    let exact = 3.0 * (-0.7 * 2.0 / 1.5f64).exp();
    assert!((rate / exact - 1.0).abs() < 1e-12, "{rate} {exact}");
    assert!(record.invariants.is_empty());
}

#[test]
fn frames_are_told_apart() {
    let spin = |frame: &str, formula: &str| {
        let torque = format!("torque = {{ formula = \"{formula}\", frame = \"{frame}\" }}");
        run(&body(&torque, "", FIXED)).state
    };
    let (space, body) = (spin("space", "[0.1, t, 0.3]"), spin("body", "R'*[0.1, t, 0.3]"));
    assert_eq!(space, body);
    assert_ne!(space, spin("body", "[0.1, t, 0.3]"));
}

#[test]
fn invariants_are_tested_before_the_run() {
    let list = |formula: &str| format!("[[invariants]]\nname = \"it\"\nformula = \"{formula}\"");
    let top = "potential = { formula = \"k*R33\", k = 7.0 }";
    let damped =
        "potential = { formula = \"k*R33\", k = 7.0 }\ntorque = { formula = \"-c*w\", c = 0.01 }";
    let magnetic = "torque = { formula = \"cross(a, cross(cross(w, a), R'*B))\", a = [1, 2, 0], B = [0, 1, 1] }";
    for (parameters, formula) in [
        (top, "energy"),
        (top, "energy^2 + 3"),
        (top, "dot(R*P, e3)"),
        (top, "R[3]"),
        (magnetic, "energy"),
        (magnetic, "kinetic"),
        ("", "R*P"),
        ("", "dot(P, P)"),
    ] {
        let text = body(parameters, &list(formula), FIXED);
        if formula == "R[3]" {
            assert!(refusal(&text).contains("at the rate"), "{formula}");
            continue;
        }
        let record = run(&text);
        let ours = record.invariants.iter().filter(|q| q.name.starts_with("it"));
        for q in ours {
            assert!(q.max_error < 1e-4 * q.initial.abs().max(1.0), "{formula}: {q:?}");
        }
    }
    for (parameters, formula, words) in [
        (damped, "energy", "at the rate"),
        (damped, "dot(R*P, e3)", "at the rate"),
        (top, "P3", "at the rate"),
        (top, "R*P", "at the rate"),
        (top, "energy + 1e-6*R11", "at the rate"),
        (magnetic, "dot(P, P)", "at the rate"),
        (top, "energy + 0.001*t", "depends on the time"),
        ("potential = { formula = \"k*sin(t)*R33\", k = 7.0 }", "energy", "depends on the time"),
    ] {
        let message = refusal(&body(parameters, &list(formula), FIXED));
        assert!(message.contains(words), "{formula}: {message}");
        assert!(message.starts_with("own.toml:"), "{message}");
    }
    let believed = format!("{}\nbelieve = true", list("energy"));
    assert_eq!(run(&body(damped, &believed, FIXED)).invariants[0].name, "it");
}

/// A definition of the file cannot stand between a body and its motion, and a name means one thing.
#[test]
fn names_cannot_hide_the_motion() {
    let claim = "[[invariants]]\nname = \"it\"\nformula = \"0.5*dot(P, inv(J)*P) + 7*R33\"";
    let damped =
        "potential = { formula = \"k*R33\", k = 7.0 }\ntorque = { formula = \"-c*w\", c = 0.1 }";
    for hidden in
        ["torque = \"0*e1\"", "applied = \"0*e1\"", "potential = \"7*R33\"", "kinetic = \"1\""]
    {
        let lists = format!("[definitions]\n{hidden}\n{claim}");
        assert!(refusal(&body(damped, &lists, FIXED)).contains("at the rate"), "{hidden}");
    }
    let own = "[definitions]\ntorque_ = \"0*e1\"\n".to_string() + claim;
    assert!(refusal(&body(damped, &own, FIXED)).contains("given twice"));
    for name in ["J", "R", "w", "P", "torque_"] {
        let taken = damped.replace("c = 0.1", &format!("c = 0.1, {name} = 2.0"));
        let message = refusal(&body(&taken, "", FIXED));
        assert!(message.contains("body's own"), "{message}");
    }
    let twice = damped.replace("c = 0.1", "c = 0.1, k = 3.0");
    assert!(refusal(&body(&twice, claim, FIXED)).contains("another value"));
    assert!(open(&body(&twice, "", FIXED)).is_ok());
}

/// What is watched without being asked for follows from the formula.
#[test]
fn symmetries_are_found() {
    let names = |inertia: &str, parameters: &str| {
        let text = body(parameters, "", FIXED).replace("[5.0, 4.0, 1.5]", inertia);
        open(&text).unwrap().0.invariants()
    };
    let round = "[5.0, 5.0, 1.5]";
    let top = "potential = { formula = \"k*R33 + R33^4\", k = 7.0 }";
    assert_eq!(names(round, top), ["energy", "axial_momentum", "spin"]);
    assert_eq!(names("[5.0, 4.0, 1.5]", top), ["energy", "axial_momentum"]);
    let tilted = "potential = { formula = \"dot(e3, R*a) + 0.3*dot(e3, R*b)^2\", a = [1, 2, 0], b = [0, 1, 1] }";
    assert_eq!(names(round, tilted), ["energy", "axial_momentum"]);
    let none = "potential = { formula = \"R11 + R22 + 0.3*R13^2\" }";
    assert_eq!(names(round, none), ["energy"]);
    let timed = "potential = { formula = \"cos(t)*R33\" }";
    assert_eq!(names(round, timed), ["axial_momentum", "spin"]);
    let driven = "potential = { formula = \"R33\" }\ntorque = { formula = \"0.1*e3\" }";
    assert_eq!(names(round, driven), [] as [&str; 0]);
}

#[test]
fn methods_that_need_a_torque_at_rest_say_so() {
    let damped = body("torque = { formula = \"-c*w\", c = 0.1 }", "", FIXED);
    let (model, plan) = open(&damped).unwrap();
    let error = model.check(&plan.at("liemid-ea", 0.1)).unwrap_err().to_string();
    assert!(error.contains("depends on the velocity") && error.contains("rkmk4"), "{error}");
    assert!(!error.contains("vlv,"), "{error}");
    assert!(model.check(&plan.at("vrkmk-gauss4", 0.1)).is_ok());
    assert!(model.refused().iter().any(|(id, _)| *id == "rattle"));
    let pushed = body("torque = { formula = \"[0, t, R11]\" }", "", FIXED);
    let (model, plan) = open(&pushed).unwrap();
    assert!(model.check(&plan.at("liemid-ea", 0.1)).is_ok());
}

#[test]
fn events_end_note_and_change() {
    let event = "[[events]]\nname = \"low\"\nformula = \"R33 - 0.5\"\ndirection = \"falling\"\nthen = \"stop\"";
    let top = "potential = { formula = \"k*R33\", k = 7.0 }";
    let slow = |events: &str| {
        body(top, events, "method = \"rkmk-dop853\"\ntol = 1e-10\nuntil = 20.0")
            .replace("3.0]", "0.2]")
    };
    let record = run(&slow(event));
    assert_eq!(record.ended, Ended::Event);
    assert_eq!(record.events.len(), 1);
    let r = record.state.part("rotation").unwrap().numbers();
    assert!((r[8] - 0.5).abs() < 1e-9, "{}", r[8]);
    assert_eq!(record.state.t, record.events[0].state.t);
    // A wall that throws the momentum back: no energy is lost, and there are several.
    let wall = "[[events]]\nname = \"wall\"\nformula = \"R33 - 0.5\"\ndirection = \"falling\"\nchange = { P = \"-P\" }";
    let record = run(&slow(wall));
    assert_eq!(record.ended, Ended::End);
    assert!(record.events.len() >= 3, "{}", record.events.len());
    assert!(record.events.is_sorted_by(|a, b| a.state.t < b.state.t));
    let energy = &record.invariants[0];
    assert!(energy.max_error < 1e-8, "{energy:?}");
    let unknown = slow(&wall.replace("P = ", "Q = "));
    assert!(refusal(&unknown).contains("no part of the state is called 'Q'"));
}

/// Where a formula ends to make sense the run ends, with what there is.
#[test]
fn breakdowns_are_placed() {
    let parameters = "potential = { formula = \"k*sqrt(R33)\", k = 3.0 }";
    let text = body(parameters, "", "method = \"rkmk4\"\nstep = 0.01\nuntil = 50.0")
        .replace("3.0]\n", "0.2]\n");
    let (model, plan) = open(&text).unwrap();
    let failure = model.run(&plan, &mut NullSink).unwrap_err();
    let message = failure.to_string();
    assert!(failure.record.is_some_and(|record| record.steps > 0), "{message}");
    assert!(message.contains("at t = "), "{message}");
}

/// The order of methods with a torque that depends on time, attitude and (where it may) velocity,
/// attitude and momentum apart.
#[test]
fn orders_are_kept_under_forcing() {
    let forced = "potential = { formula = \"k*(1 + 0.5*sin(2*t))*R33 + 0.3*R12\", k = 2.0 }\n\
                  torque = { formula = \"[0.2*cos(3*t), 0.1*R11, 0.1*t]\" }";
    let damped = "potential = { formula = \"k*(1 + 0.5*sin(2*t))*R33\", k = 2.0 }\n\
                  torque = { formula = \"-0.1*norm(w)*w + [0, 0.3*cos(t), 0.1*w1*w2]\" }";
    let slow = |parameters: &str| body(parameters, "", FIXED).replace("3.0]\nrot", "3.0]");
    for (parameters, methods) in [
        (forced, &["rkmk4", "cf4", "rkmk-gl4", "liemid-ea", "vlv", "rattle", "vrkmk-gauss4"][..]),
        (
            damped,
            &["rkmk3", "rkmk4", "cf4", "cg4", "rkmk4-casas-owren", "rkmk-gl4", "vrkmk-gauss4"],
        ),
    ] {
        let (model, plan) = open(&slow(parameters)).unwrap();
        let methods: Vec<String> = methods.iter().map(|m| m.to_string()).collect();
        let study = OrderStudy::new(model.as_ref(), &plan, &methods, &[0.02, 0.01, 0.005]).unwrap();
        for ladder in study.run(&mut |_| {}).unwrap() {
            let order = ladder.order.unwrap_or(f64::NAN);
            let stated = f64::from(ladder.stated);
            assert!((order - stated).abs() < 0.15, "{}: {order} for {stated}", ladder.method);
        }
    }
}
