//! What formulas destroy is not watched, methods that cannot take them say so, and slips have a place.
use super::{build, document, numbers, posed, refusal};
use lieflow_models::run::NullSink;

fn watched(text: &str) -> Vec<&'static str> {
    build(text).unwrap_or_else(|e| panic!("{e}\n{text}")).invariants()
}

fn fluid(energy: &str) -> String {
    format!(
        "system = \"kirchhoff\"\n[parameters]\nenergy = {{ {energy} }}\n[initial]\n\
         momentum = [0.4, -0.3, 0.8]\nimpulse = [0.9, 0.2, -0.5]\n[solve]\nmethod = \"rkmk4\"\n\
         step = 0.01\nuntil = 1.0\n"
    )
}

fn particle(potential: &str, q: &str, p: &str) -> String {
    format!(
        "system = \"euclidean\"\n[parameters]\npotential = {{ {potential} }}\n[initial]\nq = {q}\n\
         p = {p}\n[solve]\nmethod = \"rkmk4\"\nstep = 0.01\nuntil = 1.0\n"
    )
}

fn spin(rest: &str) -> String {
    format!("system = \"macrospin\"\n[parameters]\n{rest}\n[initial]\nm = [0.48, -0.6, 0.64]\n")
}

fn ring(rest: &str) -> String {
    format!(
        "system = \"spin-ring\"\n[parameters]\nJ = 0.7\n{rest}\n[initial]\n\
         m = [[0.48, -0.6, 0.64], [0.0, 0.6, 0.8], [0.8, 0.0, -0.6]]\n"
    )
}

fn vortices(law: &str) -> String {
    format!(
        "system = \"vortices\"\n[parameters]\nstrengths = [1.0, -0.5]\nlaw = {{ {law} }}\n[initial]\n\
         q = [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8]]\n"
    )
}

fn chain(potential: &str) -> String {
    format!(
        "system = \"pendulum-chain\"\n[parameters]\nmasses = [1.0, 0.7]\nlengths = [0.5, 0.8]\n\
         potential = {{ {potential} }}\n[initial]\nproject = true\n\
         q = [[0.6, 0.0, -0.8], [0.3, 0.5, -0.7]]\nomega = [[0.2, 0.3, 0.1], [-0.4, 0.1, 0.2]]\n"
    )
}

#[test]
fn invariants_that_are_left_are_watched() {
    let casimirs = ["impulse_norm", "momentum_dot_impulse"];
    let steady = watched(&fluid("formula = \"0.5*square(m) + p3^2\""));
    assert_eq!(steady, ["energy", casimirs[0], casimirs[1]]);
    assert_eq!(watched(&fluid("formula = \"0.5*square(m) + t*p3^2\"")), casimirs);

    let (q, p) = ("[0.5, 0.2, 0.3]", "[0.1, 0.4, -0.2]");
    let momenta = ["angular_momentum_x", "angular_momentum_y", "angular_momentum_z"];
    let central = watched(&particle("formula = \"-1/norm(q)\"", q, p));
    assert_eq!(central[1..], momenta);
    let driven = watched(&particle("formula = \"-cos(t)/norm(q)\"", q, p));
    assert_eq!(driven, momenta);
    let flat = watched(&particle("formula = \"-1/norm(q) + 0.1*q3^2\"", q, p));
    assert_eq!(flat, ["energy", "axial_momentum"]);
    assert_eq!(watched(&particle("formula = \"q1^4 + q2^2\"", q, p)), ["energy"]);
    let plane = watched(&particle("formula = \"square(q)^2\"", "[0.5, 0.2]", "[0.1, 0.4]"));
    assert_eq!(plane, ["energy", "angular_momentum"]);

    assert_eq!(watched(&spin("field = { formula = \"k*m1*e1\", k = 2.0 }")), ["energy"]);
    assert!(watched(&spin("field = { formula = \"k*m1*e2\", k = 2.0 }")).is_empty());
    assert!(watched(&spin("field = { formula = \"m1^3*e1\" }")).is_empty());
    assert!(watched(&spin("field = { formula = \"sin(t)*e1\" }")).is_empty());
    let total = ["spin_x", "spin_y", "spin_z"];
    let around = "k*(m[cyc(i+2)] + m[cyc(i-2)])\", k = 0.2 }";
    assert_eq!(watched(&ring(&format!("field = {{ formula = \"{around}")))[1..], total);
    assert_eq!(
        watched(&ring("field = { formula = \"cos(t)*(m[cyc(i+1)] + m[cyc(i-1)])\" }")),
        total
    );
    assert_eq!(watched(&ring("field = { formula = \"e3\" }")), ["energy"]);

    let moments = ["moment_x", "moment_y", "moment_z"];
    assert_eq!(watched(&vortices("formula = \"c^2\""))[1..], moments);
    assert_eq!(watched(&vortices("formula = \"t*c^2\"")), moments);

    let both = watched(&chain("formula = \"dot(q[1], q[2]) + dot(q[2], e3)^2\""));
    assert_eq!(both, ["energy", "axial_momentum"]);
    assert_eq!(watched(&chain("formula = \"dot(q[2], e1)\"")), ["energy"]);
}

#[test]
fn what_is_watched_stays_what_it_was() {
    for (text, bound) in [
        (fluid("formula = \"0.5*square(m) + 0.25*square(p)^2 + 0.3*m1*p2\""), 1e-9),
        (
            particle("formula = \"-1/norm(q) + 0.1*q3^2\"", "[0.9, 0.2, 0.3]", "[0.1, 0.8, -0.2]"),
            1e-8,
        ),
        (
            format!(
                "{}[solve]\nmethod = \"rkmk4\"\nstep = 0.01\nuntil = 1.0\n",
                spin("b = [0.1, 0, 0]\nfield = { formula = \"k*m1*e1 + e2\", k = 2.0 }")
            ),
            1e-9,
        ),
        (
            format!(
                "{}[solve]\nmethod = \"rkmk4\"\nstep = 0.01\nuntil = 1.0\n",
                ring("field = { formula = \"m[cyc(i+2)] + m[cyc(i-2)]\" }")
            ),
            1e-8,
        ),
        (
            format!(
                "{}[solve]\nmethod = \"rkmk4\"\nstep = 0.01\nuntil = 1.0\n",
                vortices("formula = \"exp(c)\"")
            ),
            1e-9,
        ),
        (
            format!(
                "{}[solve]\nmethod = \"rkmk4\"\nstep = 0.001\nuntil = 1.0\n",
                chain("formula = \"dot(q[1], q[2]) + dot(q[2], e3)^2\"")
            ),
            1e-8,
        ),
    ] {
        let record = super::run(&text);
        assert!(!record.invariants.is_empty());
        for invariant in &record.invariants {
            let drift = (invariant.last - invariant.initial).abs();
            assert!(drift < bound, "{text}\n{}: {drift:e}", invariant.name);
        }
    }
}

#[test]
fn methods_that_need_a_lagrangian_say_so() {
    let (model, plan) = posed(&fluid("formula = \"0.5*square(m) + (1 + 0.1*t)*square(p)\""));
    let all = posed(&fluid("formula = \"0.5*square(m) + square(p)\"")).0.methods();
    let refused: Vec<_> = {
        let left: Vec<_> = model.methods().iter().map(|card| card.id).collect();
        all.iter().map(|card| card.id).filter(|id| !left.contains(id)).collect()
    };
    assert!(refused.len() > 3, "{refused:?}");
    let mut plan = plan;
    plan.method = refused[0].into();
    let message = model.check(&plan).unwrap_err().to_string();
    assert!(message.contains("the energy depends on time"), "{message}");
    assert!(message.contains("rkmk4"), "{message}");
    // Nothing moves with the impulse: there is no Lagrangian.
    let (model, _) = posed(&fluid("formula = \"0.5*square(m)\""));
    let message = model.check(&plan).unwrap_err().to_string();
    assert!(message.contains("do not determine the momenta"), "{message}");
}

#[test]
fn slips_have_a_place() {
    let unknown = refusal(&fluid("formula = \"0.5*square(m) + kk*p3\", k = 1.0"));
    assert!(unknown.contains("p.toml:3:39") && unknown.contains("did you mean 'k'"), "{unknown}");
    let twice = refusal(&fluid("formula = \"0.5*square(m)\", m = 1.0"));
    assert!(twice.contains("'m' is given twice"), "{twice}");
    let kind = refusal(&fluid("formula = \"m + p\""));
    assert!(kind.contains("must give a number"), "{kind}");
    let kind = refusal(&spin("field = { formula = \"m1\" }"));
    assert!(kind.contains("must give a vector"), "{kind}");
    let kind = refusal(&ring("field = { formula = \"m\" }"));
    assert!(kind.contains("must give a vector"), "{kind}");
    assert!(refusal(&ring("field = { formula = \"i*m[i]\", i = 2 }")).contains("'i'"));
    assert!(refusal(&vortices("formula = \"log(1 - d)\"")).contains("unknown name 'd'"));
    let no_formula = refusal(&vortices("k = 2.0"));
    assert!(no_formula.contains("formula"), "{no_formula}");
    let timed = refusal(&chain("formula = \"t*dot(q[1], e3)\""));
    assert!(timed.contains("depends on time") && timed.contains("custom"), "{timed}");
    let long = refusal(&particle("formula = \"q1\"", "[1, 1, 1, 1, 1, 1, 1]", "[0]"));
    assert!(long.contains("one to six numbers"), "{long}");
    let short = refusal(&particle("formula = \"q1\"", "[1, 1]", "[0]"));
    assert!(short.contains("initial.p") && short.contains("2 numbers"), "{short}");
    let both = refusal(&particle(
        "formula = \"q1\" }\nproblem = \"kepler\"\nx = { y = [1.0, 1.0, 1.0]",
        "[1, 1]",
        "[0, 1]",
    ));
    assert!(both.contains("problem") && both.contains("potential"), "{both}");
    let infinite = refusal(&particle("formula = \"1/norm(q)\"", "[0, 0]", "[0, 1]"));
    assert!(infinite.contains("the potential is finite"), "{infinite}");
}

#[test]
fn numbers_of_formulas_can_be_set() {
    let text = particle("formula = \"0.5*k*square(q) + deep\", k = 1.0", "[1, 0.5]", "[0, 1]");
    let text = format!("{text}[definitions]\ndeep = \"s*q1^4\"\ns = 0.1\n");
    let run = |settings: &[(&str, &str)], text: &str| {
        let document = document(text, settings).unwrap_or_else(|e| panic!("{e}"));
        let (model, plan) = (document.build().unwrap(), document.plan().unwrap());
        numbers(&model.run(&plan, &mut NullSink).unwrap().state)
    };
    let set = run(&[("parameters.potential.k", "2.5"), ("definitions.s", "0.3")], &text);
    let written = text.replace("k = 1.0", "k = 2.5").replace("s = 0.1", "s = 0.3");
    assert_eq!(set, run(&[], &written));
    assert_ne!(set, run(&[], &text));
}
