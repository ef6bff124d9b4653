//! Built-in laws written as formulas move the systems as before, by every method that fits.
use super::{numbers, posed};
use lieflow_models::run::{Model, NullSink, Plan};

/// The same plan with another method.
fn by(plan: &Plan, method: &str) -> Plan {
    let mut plan = plan.clone();
    plan.method = method.into();
    plan
}

/// The states after 100 steps, by all methods of the built-in system.
fn compare(name: &str, built_in: &str, formula: &str) {
    compare_within(1e-13, name, built_in, formula);
}

fn compare_within(bound: f64, name: &str, built_in: &str, formula: &str) {
    let solve = "\n[solve]\nmethod = \"euler\"\nstep = 0.01\nuntil = 1.0\n";
    let (one, plan) = posed(&format!("{built_in}{solve}"));
    let (two, _) = posed(&format!("{formula}{solve}"));
    let ids = |model: &dyn Model| model.methods().iter().map(|c| c.id).collect::<Vec<_>>();
    let (methods, others) = (ids(one.as_ref()), ids(two.as_ref()));
    assert_eq!(methods, others, "{name}: the methods that fit");
    let (mut worst, mut at, mut count) = (0.0f64, "", 0);
    for method in methods {
        let plan = by(&plan, method);
        let end = |model: &dyn Model| model.run(&plan, &mut NullSink).map(|r| numbers(&r.state));
        match (end(one.as_ref()), end(two.as_ref())) {
            (Ok(a), Ok(b)) => {
                // The formula may have more coordinates, which stand still.
                let difference = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(!difference.is_nan(), "{name}, {method}: {a:?} {b:?}");
                count += 1;
                if difference >= worst {
                    (worst, at) = (difference, method);
                }
            }
            // A formula that is zero is a field all the same.
            (Ok(_), Err(error)) if name == "free" => {
                let message = error.to_string();
                assert!(message.contains("free motion"), "{message}");
            }
            (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string(), "{name}, {method}"),
            (a, b) => panic!("{name}, {method}: {a:?} {b:?}"),
        }
    }
    println!("{name}: {count} methods, worst {worst:.2e} ({at})");
    assert!(count > 20, "{name}: {count} methods");
    assert!(worst <= bound, "{name}: {worst:e} by {at}");
}

fn body(potential: &str) -> String {
    format!(
        "system = \"rigid-body\"\n[parameters]\ninertia = [1.0, 1.5, 2.2]\n{potential}\n[initial]\n\
         rotation = {{ vector = [0.9, -0.4, 0.3] }}\nomega = [0.3, -0.2, 0.5]\n"
    )
}

fn compare_bodies(name: &str, built_in: &str, formula: &str) {
    compare(
        name,
        &body(&format!("potential = {built_in}")),
        &body(&format!("potential = {formula}")),
    );
}

#[test]
fn free_body() {
    compare_bodies("free", "{ kind = \"free\" }", "{ formula = \"0\" }");
}

#[test]
fn lagrange_top() {
    compare_bodies(
        "lagrange-top",
        "{ kind = \"lagrange-top\", strength = 1.7 }",
        "{ formula = \"k*R33\", k = 1.7 }",
    );
}

#[test]
fn soft_walls() {
    for (printed, sign) in [(false, ""), (true, "-")] {
        compare_bodies(
            "soft-wall",
            &format!("{{ kind = \"soft-wall\", printed = {printed} }}"),
            &format!(
                "{{ formula = \"{sign}(r/(o + R33)^10 - a/(o + R33))\", r = 0.001, a = 1.0, o = 1.1 }}"
            ),
        );
    }
}

#[test]
fn linear_field() {
    let numbers = "strength = 1.3, axis = [0.3, -0.5, 0.7], direction = [0.1, 0.2, 0.9]";
    compare_bodies(
        "linear",
        &format!("{{ kind = \"linear\", {numbers} }}"),
        &format!("{{ formula = \"strength*dot(axis, transpose(R)*direction)\", {numbers} }}"),
    );
}

#[test]
fn attractor() {
    compare_bodies(
        "attractor",
        "{ kind = \"attractor\", alpha = 0.3, center = { vector = [0.2, 1.4, -0.3] } }",
        "{ formula = \"(sqrt(2*(3 - trace(R))) - 1)^2 - alpha/sqrt(2*(3 - trace(transpose(C)*R)))\", \
         alpha = 0.3, C = { vector = [0.2, 1.4, -0.3] } }",
    );
}

#[test]
fn body_in_a_fluid() {
    let text = |energy: &str| {
        format!(
            "system = \"kirchhoff\"\n[parameters]\ninertia = [1.0, 1.5, 2.2, 1.2, 1.8, 2.5]\n{energy}\n\
             [initial]\nmomentum = [0.4, -0.3, 0.8]\nimpulse = [0.9, 0.2, -0.5]\n"
        )
    };
    let energy = "0.5*dot(m, inv(J)*m) + 0.5*dot(p, inv(M)*p)";
    compare("kirchhoff", &text(""), &text(&format!("energy = {{ formula = \"{energy}\" }}")));
}

fn particle(law: &str, q: &str, p: &str) -> String {
    format!("system = \"euclidean\"\n[parameters]\n{law}\n[initial]\nq = {q}\np = {p}\n")
}

#[test]
fn landscapes() {
    for (name, formula, q, p) in [
        ("harmonic", "q^2/2", "[0.7]", "[0.4]"),
        ("pendulum", "-cos(q)", "[0.7]", "[0.4]"),
        ("double-well", "(q^2 - 1)^2/4", "[0.7]", "[0.4]"),
        ("kepler", "-1/norm(q)", "[0.8, 0.1]", "[-0.1, 1.2]"),
        ("henon-heiles", "(q1^2 + q2^2)/2 + q1^2*q2 - q2^3/3", "[0.1, 0.2]", "[0.3, -0.1]"),
    ] {
        let built_in = particle(&format!("problem = \"{name}\""), q, p);
        let law = format!("potential = {{ formula = \"{formula}\" }}");
        compare(name, &built_in, &particle(&law, q, p));
    }
}

#[test]
fn kepler_in_more_dimensions_and_with_a_mass() {
    let plane = particle("problem = \"kepler\"", "[0.8, 0.1]", "[-0.1, 1.2]");
    let solve = "\n[solve]\nmethod = \"rkmk4\"\nstep = 0.01\nuntil = 1.0\n";
    let (model, plan) = posed(&format!("{plane}{solve}"));
    for n in 3..=6 {
        let zeros = ", 0.0".repeat(n - 2);
        let law = "mass = 2.0\npotential = { formula = \"-k/norm(q)\", k = 2.0 }";
        let (q, p) = (format!("[0.8, 0.1{zeros}]"), format!("[-0.2, 2.4{zeros}]"));
        let (other, _) = posed(&format!("{}{solve}", particle(law, &q, &p)));
        assert_eq!(numbers(&other.start(0.0)).len(), 2 * n);
        let mut worst = 0.0f64;
        // Discrete gradients measure increments of state, which the mass scales: theirs are other steps.
        for card in model.methods().into_iter().filter(|card| card.family != "discrete gradient") {
            let plan = by(&plan, card.id);
            let end = |m: &dyn Model| numbers(&m.run(&plan, &mut NullSink).unwrap().state);
            let (a, b) = (end(model.as_ref()), end(other.as_ref()));
            let of_b = [b[0], b[1], b[n] / 2.0, b[n + 1] / 2.0];
            let here = a.iter().zip(&of_b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            worst = worst.max(here);
            assert!(here <= 1e-13, "{n}, {}: {here:e}", card.id);
        }
        println!("Kepler in R^{n}: worst {worst:.2e}");
    }
}

#[test]
fn spins() {
    for alpha in [0.0, 0.2] {
        let text = |rest: &str| {
            format!(
                "system = \"macrospin\"\n[parameters]\ngamma = 1.3\nalpha = {alpha}\n{rest}\n\
                 [initial]\nm = [0.48, -0.6, 0.64]\n"
            )
        };
        let built_in = text("b = [0.3, 0.1, -0.4]\nD = [0.2, 0.5, 1.1]");
        let formula = text(
            "field = { formula = \"f - [d[1]*m1, d[2]*m2, d[3]*m3]\", f = [0.3, 0.1, -0.4], \
             d = [0.2, 0.5, 1.1] }",
        );
        compare("macrospin", &built_in, &formula);
        let ring = |rest: &str| {
            format!(
                "system = \"spin-ring\"\n[parameters]\ngamma = 1.3\nalpha = {alpha}\n{rest}\n[initial]\n\
                 m = [[0.48, -0.6, 0.64], [0.0, 0.6, 0.8], [0.8, 0.0, -0.6], [0.6, 0.8, 0.0]]\n"
            )
        };
        let built_in = ring("J = 0.7\nb = [0.3, 0.1, -0.4]");
        let formula = ring(
            "J = 0\nb = [0.3, 0.1, -0.4]\n\
             field = { formula = \"k*(m[cyc(i+1)] + m[cyc(i-1)])\", k = 0.7 }",
        );
        compare("spin-ring", &built_in, &formula);
    }
}

#[test]
fn vortices() {
    let text = |law: &str| {
        format!(
            "system = \"vortices\"\n[parameters]\nstrengths = [1.0, -0.5, 0.8, 1.2]\n{law}\n[initial]\n\
             q = [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8], [-0.6, 0.0, 0.8], [0.0, -0.8, -0.6]]\n"
        )
    };
    let law = "law = { formula = \"-log(2*(1 - c))/(4*pi)\" }";
    compare("vortices", &text(""), &text(law));
}

#[test]
fn chains() {
    for space in ["se3", "lift", "hamiltonian", "euclidean"] {
        let text = |rest: &str| {
            format!(
                "system = \"pendulum-chain\"\n[parameters]\nmasses = [1.0, 0.7, 1.3]\n\
                 lengths = [0.5, 0.8, 0.4]\nspace = \"{space}\"\n{rest}\n[initial]\nproject = true\n\
                 q = [[0.6, 0.0, -0.8], [0.3, 0.5, -0.7], [0.1, -0.4, -0.9]]\n\
                 omega = [[0.2, 0.3, 0.1], [-0.4, 0.1, 0.2], [0.5, 0.2, -0.3]]\n"
            )
        };
        let height = "sum(k, 1, n, masses[k]*sum(j, 1, k, lengths[j]*dot(q[j], e3)))";
        // The accelerations are a sum of two; substeps of compositions multiply its rounding.
        compare_within(
            1e-12,
            &format!("pendulum-chain, {space}"),
            &text("gravity = [0.0, 0.0, -1.7]"),
            &text(&format!(
                "gravity = [0.0, 0.0, 0.0]\npotential = {{ formula = \"g*{height}\", g = 1.7 }}"
            )),
        );
    }
}

#[test]
fn dipoles() {
    for space in ["se3", "lift", "hamiltonian", "euclidean"] {
        let text = |rest: &str| {
            format!(
                "system = \"dipoles\"\n[parameters]\nmass = 1.0\nlength = 3.0\nspace = \"{space}\"\n\
                 positions = [[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.4, 1.1, 0.2]]\n{rest}\n\
                 [initial]\nproject = true\n\
                 q = [[0.6, 0.0, -0.8], [0.3, 0.5, -0.7], [0.1, -0.4, -0.9]]\n\
                 omega = [[0.2, 0.3, 0.1], [-0.4, 0.1, 0.2], [0.5, 0.2, -0.3]]\n"
            )
        };
        let r = "(positions[j] - positions[i])";
        let pair =
            format!("k/norm{r}^3*(dot(q[i], q[j]) - 3*dot(q[i], {r})*dot(q[j], {r})/square({r}))");
        compare(
            &format!("dipoles, {space}"),
            &text("moment = 1000.0"),
            &text(&format!(
                "moment = 0.0\npotential = {{ formula = \"sum(i, 1, n - 1, sum(j, i + 1, n, \
                 {pair}))\", k = 0.1 }}"
            )),
        );
    }
}
