//! Systems that run in lanes by what they say of themselves: every one with every method that is compiled for it has the
//! bytes of single runs, and where lanes cannot do something, the trajectory is run alone.
use crate::same_bits::{Folder, go, same};
use lieflow::method::rkmk;
use lieflow_ensemble::run::Settings;
use lieflow_ensemble::wide::VectorInstructions;

const TAIL: &str = "[solve]\nmethod = \"rkmk4\"\nstep = 0.05\nuntil = 1.0\n\
                    [ensemble]\ncount = 21\nseed = 3\ntimes = [0.33, 0.5]\n";

/// A problem with the end that all share; `vary` has pairs of a key and how it is drawn.
fn problem(head: &str, vary: &[(&str, &str)]) -> String {
    let vary = vary.iter().map(|(key, how)| format!("[[ensemble.vary]]\nkey = \"{key}\"\n{how}\n"));
    format!("{head}\n{TAIL}{}", vary.collect::<String>())
}

fn particle(potential: &str, q: &str, p: &str, vary: &[(&str, &str)]) -> String {
    let head =
        format!("system = \"euclidean\"\n[parameters]\n{potential}\n[initial]\nq = {q}\np = {p}\n");
    problem(&head, vary)
}

const Q1: (&str, &str) = ("initial.q[1]", "uniform = [0.4, 0.9]");

fn particles() -> Vec<String> {
    let named = |name: &str| format!("problem = \"{name}\"");
    let one = |name: &str| particle(&named(name), "[0.5]", "[0.2]", &[Q1]);
    let two = |name: &str| particle(&named(name), "[0.5, 0.1]", "[0.0, 0.9]", &[Q1]);
    let law = |text: &str| format!("mass = 1.3\npotential = {{ formula = \"{text}\", a = 0.7 }}");
    let drawn = [
        Q1,
        ("parameters.mass", "uniform = [1, 2]"),
        ("parameters.potential.a", "uniform = [0.5, 1]"),
    ];
    vec![
        one("harmonic"),
        one("pendulum"),
        one("double-well"),
        two("kepler"),
        two("henon-heiles"),
        particle(&law("a*q^4/4 + q*sin(t)"), "[0.5]", "[0.2]", &drawn),
        particle(&law("-a/norm(q) + 0.1*q1^2*cos(t)"), "[0.5, 0.1]", "[0.1, 0.7]", &drawn),
        particle(&law("a*square(q)/2 + q1*q2*q3"), "[0.5, 0.1, 0.2]", "[0.1, 0.7, 0.3]", &drawn),
        particle(
            &law("a*(q1^2 + q2^2 + q3^2 + q4^2)/2 + q1*q2*q4 + exp(q3 - q4)"),
            "[0.5, 0.1, 0.2, 0.3]",
            "[0.1, 0.7, 0.3, 0.0]",
            &drawn,
        ),
    ]
}

/// Several sizes: one more than a register has numbers, and fewer.
fn spheres() -> Vec<String> {
    let directions = |n: usize| {
        let one = |i: usize| {
            let x = i as f64;
            let v = [(1.3 * x).cos(), (1.7 * x).sin(), 0.4 + 0.2 * x];
            let r = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            format!("[{}, {}, {}]", v[0] / r, v[1] / r, v[2] / r)
        };
        format!("[{}]", (0..n).map(one).collect::<Vec<_>>().join(", "))
    };
    let strengths = |n: usize| {
        let list: Vec<String> = (0..n).map(|i| format!("{:.1}", 1.0 - 0.4 * i as f64)).collect();
        format!("[{}]", list.join(", "))
    };
    let ring = |n: usize, law: &str| {
        let head = format!(
            "system = \"spin-ring\"\n[parameters]\nJ = 0.8\ngamma = 1.3\nalpha = 0.05\n\
             b = [0.1, 0, 0.4]\nD = [0.5, 0.2, -0.3]\n{law}\n[initial]\nm = {}\n",
            directions(n)
        );
        let drawn = [("initial.m[2]", "sphere = 1.0"), ("parameters.J", "uniform = [-1, 1]")];
        problem(&head, &drawn)
    };
    let vortices = |n: usize, law: &str| {
        let head = format!(
            "system = \"vortices\"\n[parameters]\nstrengths = {}\n{law}\n[initial]\nq = {}\n",
            strengths(n),
            directions(n)
        );
        problem(&head, &[("parameters.strengths[2]", "uniform = [0.2, 2]")])
    };
    let chain = |n: usize, law: &str| {
        let masses = (0..n).map(|i| format!("1.{i}")).collect::<Vec<_>>().join(", ");
        let head = format!(
            "system = \"pendulum-chain\"\n[parameters]\ncount = {n}\nmasses = [{masses}]\nlengths = 0.7\n\
             gravity = [0, 0, -9.81]\n{law}\n[initial]\nproject = true\nq = [0.6, 0.0, -0.8]\n\
             omega = [0.3, 1.0, 0.2]\n"
        );
        let drawn = [
            ("initial.omega", "normal = [[0.3, 1.0, 0.2], [0.3, 0.3, 0.3]]"),
            ("parameters.masses[1]", "uniform = [0.5, 2]"),
        ];
        problem(&head, &drawn)
    };
    vec![
        ring(2, ""),
        ring(5, ""),
        ring(3, "field = { formula = \"a*[cos(t), 0, m[i][3]]\", a = 0.7 }"),
        vortices(2, ""),
        vortices(4, ""),
        vortices(6, ""),
        vortices(3, "law = { formula = \"exp(a*c)\", a = 0.5 }"),
        chain(1, ""),
        chain(2, ""),
        chain(7, ""),
        chain(2, "potential = { formula = \"a*dot(q[1], q[2])\", a = 2.0 }"),
    ]
}

/// Every kind of space that a formula can have.
fn customs() -> Vec<String> {
    let custom =
        |head: &str, vary: &[(&str, &str)]| problem(&format!("system = \"custom\"\n{head}"), vary);
    vec![
        custom(
            "[state]\nx = \"R3\"\n[parameters]\ns = 10.0\nr = 28.0\nb = 2.6\n[motion]\n\
             x = \"[s*(x2 - x1), x1*(r - x3) - x2, x1*x2 - b*x3]\"\n[initial]\nx = [1, 1, 20]\n",
            &[("parameters.r", "uniform = [10, 40]"), ("initial.x[1]", "uniform = [-2, 2]")],
        ),
        custom(
            "[state]\nx = \"R\"\nv = \"R\"\n[parameters]\nf = 0.3\n[motion]\nx = \"v\"\n\
             v = \"x - x^3 - 0.1*v + if(x < 0.5, f*cos(t), 0)\"\n[initial]\nx = 0.5\nv = 0.1\n",
            &[("parameters.f", "uniform = [0, 1]"), ("initial.x", "uniform = [-1, 1]")],
        ),
        custom(
            "[state]\nx = { space = \"S2\", count = 3 }\n[parameters]\nk = 1.0\n[motion]\n\
             x = { turn = \"[0.3*i, 0, 1] + k*x[i] × (x[1] + x[2] + x[3])\" }\n[initial]\n\
             x = { formula = \"normalise([cos(2*i), sin(3*i), cos(5*i) + 0.1])\" }\n",
            &[("parameters.k", "uniform = [-1, 1]")],
        ),
        custom(
            "[state]\nR = \"SO(3)\"\nP = { momentum = \"R\" }\n[parameters]\n\
             J = { diagonal = [2.0, 1.5, 1.0] }\nk = 2.0\n[motion]\n\
             hamiltonian = \"0.5*dot(P, inv(J)*P) + k*dot(e3, R*e3)\"\n[initial]\n\
             R = { vector = [0.3, 0.1, 0.0] }\nP = [0.2, 0.4, 1.0]\n",
            &[("parameters.k", "uniform = [1, 3]"), ("initial.P[3]", "uniform = [0, 2]")],
        ),
        custom(
            "[state]\nX = \"SE(3)\"\nV = { velocity = \"X\" }\n[parameters]\n\
             J = { diagonal = [3.0, 5.0, 5.5] }\nM = { diagonal = [20.0, 35.0, 35.0] }\nW = 9.8\n\
             [motion]\nkinetic = \"0.5*V.w·(J*V.w) + 0.5*V.v·(M*V.v)\"\n\
             potential = \"-W*e3·(X.R*[0, 0, 0.5])\"\n[initial]\n\
             X = { rotation = { vector = [0.4, 0.0, 0.0] }, position = [0, 0, -5] }\n\
             V = { w = [0.0, 0.3, 0.1], v = [0.5, 0.0, 0.0] }\n",
            &[("parameters.W", "uniform = [1, 10]"), ("initial.V.v[1]", "uniform = [0, 1]")],
        ),
        custom(
            "[state]\nq = \"S2\"\n[parameters]\nm = 1.0\ng = 9.81\n[motion]\nmass = \"m\"\n\
             potential = \"m*g*q3\"\n[initial]\nq = [0.6, 0.0, -0.8]\ndq = [0.0, 1.0, 0.0]\n",
            &[("parameters.g", "uniform = [1, 10]")],
        ),
    ]
}

/// Lanes and single runs write the same bytes.
fn alike(text: &str, what: &str) {
    let folder = Folder::new(&what.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
    let a = folder.sub("alone");
    let one = go(text, Settings { lanes: Some(1), threads: 1, shard: None }, Some(&a));
    assert_eq!((one.failed, one.lanes), (0, 1), "{what}: {:?}", one.failures.first());
    let found = VectorInstructions::detect();
    let Some(lanes) = found.iter().map(|vectors| vectors.lanes()).min() else { return };
    let b = folder.sub("lanes");
    let many = go(text, Settings { lanes: Some(lanes), threads: 2, shard: None }, Some(&b));
    assert_eq!(many.lanes, lanes, "{what}: expected to run in lanes");
    assert_eq!(one.steps, many.steps, "{what}: steps");
    same(&a, &b, what);
}

/// The same problem with a pair and a tolerance in place of equal steps.
fn with_tolerance(text: &str, pair: &str, tol: &str) -> String {
    text.replace("rkmk4", pair).replace("step = 0.05", &format!("tol = {tol}"))
}

/// RATTLE iterates, and each lane stops by itself.
#[test]
fn rattle_in_lanes() {
    for (k, text) in spheres().iter().filter(|text| text.contains("pendulum-chain")).enumerate() {
        let text = text.replace("rkmk4", "rattle").replace("step = 0.05", "step = 0.02");
        alike(&text, &format!("rattle {k}"));
    }
}

/// Trajectories that fail among others that do not: their block is run alone, so that they say why, and the others are
/// what they are without them.
#[test]
fn a_lane_that_fails_spoils_no_other() {
    let folder = Folder::new("failing-lane");
    let list = "list = [1.0, 0.7, 1e5, 1.2, 0.9]";
    let all = spheres();
    let pick = |name: &str| all.iter().find(|text| text.contains(name)).unwrap();
    let cases = [
        pick("vortices").replace("uniform = [0.2, 2]", list),
        pick("spin-ring").replace("uniform = [-1, 1]", list),
        particles()[4].replace("uniform = [0.4, 0.9]", &list.replace("1e5", "1e200")),
    ];
    for (k, text) in cases.iter().enumerate() {
        let (a, b) = (folder.sub(&format!("alone {k}")), folder.sub(&format!("lanes {k}")));
        let one = go(text, Settings { lanes: Some(1), ..Settings::default() }, Some(&a));
        let many = go(text, Settings::default(), Some(&b));
        assert_eq!((one.failed, many.failed), (4, 4), "{k}: {:?}", one.failures);
        same(&a, &b, "a lane that fails");
    }
}

/// Lanes of very different kinds: slow and fast, straight and bent, at rest.
#[test]
fn lanes_that_disagree() {
    let all = spheres();
    let pick = |name: &str| all.iter().filter(|text| text.contains(name)).nth(1).unwrap();
    let chain = pick("pendulum-chain").replace(
        "normal = [[0.3, 1.0, 0.2], [0.3, 0.3, 0.3]]",
        "list = [[0, 0, 0], [0, 20, 0], [1e-9, 0, 0], [0, 0.1, 0], [0, -6, 3]]",
    );
    let ring = pick("spin-ring").replace("uniform = [-1, 1]", "list = [0, 30, 1e-9, -7, 0.1]");
    let vortices = pick("vortices").replace("uniform = [0.2, 2]", "list = [0, 90, 1e-9, -7, 0.1]");
    for (k, text) in [&chain, &ring, &vortices].into_iter().enumerate() {
        for method in ["rkmk4", "rkmk-dop853"] {
            alike(&text.replace("rkmk4", method), &format!("disagree {k} {method}"));
        }
    }
    let rattle = chain.replace("rkmk4", "rattle").replace("step = 0.05", "step = 0.01");
    alike(&rattle, "disagree rattle");
}

/// Roundings are taken out of directions after the same steps, and times lie between them.
#[test]
fn many_steps_in_lanes() {
    let short = |text: &String| text.replace("step = 0.05", "step = 0.0004");
    for (k, text) in spheres().iter().chain(&customs()).map(short).enumerate() {
        if k % 3 == 0 {
            alike(&text.replace("count = 21", "count = 9"), &format!("long {k}"));
        }
    }
}

/// What lanes cannot do is done alone: other charts, estimates, choices of isotropy.
#[test]
fn what_lanes_cannot_do_is_done_alone() {
    let all = spheres();
    let ring = all.first().unwrap();
    for (from, to) in [
        ("step = 0.05", "step = 0.05\nchart = \"cayley\""),
        ("step = 0.05", "step = 0.05\nisotropy = \"orthogonal\""),
        (
            "method = \"rkmk4\"\nstep = 0.05",
            "method = \"rkmk-dp54\"\ntol = 1e-6\nestimate = \"state\"",
        ),
        ("rkmk4", "cf4"),
    ] {
        let text = ring.replace(from, to);
        assert!(&text != ring);
        let outcome = go(&text, Settings::default(), None);
        assert_eq!((outcome.lanes, outcome.failed), (1, 0), "{to}: {:?}", outcome.failures);
    }
}

fn all_methods(texts: &[String], what: &str) {
    for (k, text) in texts.iter().enumerate() {
        for (card, _) in &rkmk::MEMBERS {
            // Low orders throw long chains off their manifold.
            let step = if card.order < 3 { "step = 0.01" } else { "step = 0.05" };
            let text = text.replace("rkmk4", card.id).replace("step = 0.05", step);
            alike(&text, &format!("{what} {k} {}", card.id));
        }
    }
}

#[test]
fn particles_in_lanes() {
    all_methods(&particles(), "particle");
}

#[test]
fn spheres_in_lanes() {
    all_methods(&spheres(), "spheres");
}

#[test]
fn formulas_in_lanes() {
    all_methods(&customs(), "custom");
}

/// Every pair, where neighbours need a few steps and many, and times lie inside steps and at their ends.
fn all_pairs(texts: &[String], what: &str) {
    for (k, text) in texts.iter().enumerate() {
        for (card, _) in rkmk::MEMBERS.iter().filter(|(card, _)| card.estimate_power.is_some()) {
            let text = with_tolerance(text, card.id, "1e-6")
                .replace("[0.33, 0.5]", "[0.0, 0.013, 0.33, 0.330001, 0.5]");
            alike(&text, &format!("{what} with a tolerance {k} {}", card.id));
        }
    }
}

#[test]
fn particles_with_a_tolerance() {
    all_pairs(&particles(), "particle");
}

#[test]
fn spheres_with_a_tolerance() {
    all_pairs(&spheres(), "spheres");
}

#[test]
fn formulas_with_a_tolerance() {
    all_pairs(&customs(), "custom");
}

/// Formulas that look at the clock see that of their lane.
#[test]
fn lanes_with_clocks_of_their_own() {
    let (particles, spheres, customs) = (particles(), spheres(), customs());
    let vortices = spheres.iter().find(|text| text.contains("exp(a*c)")).unwrap();
    let x = &customs[0].replace("s*(x2 - x1)", "s*(x2 - x1)*(1 + 0.5*sin(7*t))");
    let texts = [
        particles[5].replace("sin(t)", "sin(9*t)"),
        particles[8].replace("exp(q3 - q4)", "exp(q3 - q4)*cos(5*t)"),
        vortices.replace("exp(a*c)", "exp(a*c)*(2 + sin(11*t))"),
        spheres[2].replace("cos(t)", "cos(13*t)"),
        x.clone(),
    ];
    for (k, text) in texts.iter().enumerate() {
        for (pair, rule) in [("rkmk-dp54", "I"), ("rkmk-dop853", "PI"), ("rkmk-rkf45", "plain")] {
            let text = with_tolerance(text, pair, &format!("1e-7\ncontroller = \"{rule}\""));
            alike(&text, &format!("clocks {k} {pair}"));
        }
        let back = with_tolerance(text, "rkmk-bs32", "1e-5")
            .replace("until = 1.0", "until = -0.6")
            .replace("[0.33, 0.5]", "[-0.33, -0.5]");
        alike(&back, &format!("clocks back {k}"));
    }
}

/// Roundings are taken out of every lane after its own steps.
#[test]
fn many_steps_with_a_tolerance() {
    let (spheres, customs) = (spheres(), customs());
    for (k, text) in spheres.iter().step_by(4).chain(customs.iter().skip(2).take(1)).enumerate() {
        let text = with_tolerance(text, "rkmk-bs32", "1e-10").replace("count = 21", "count = 9");
        alike(&text, &format!("many steps with a tolerance {k}"));
    }
}

/// A trajectory that fails is reported as if it were alone, and its neighbours do not notice.
#[test]
fn a_lane_that_fails_with_a_tolerance() {
    let folder = Folder::new("failing-lane-tolerance");
    let few = |text: &String, list: &str| {
        with_tolerance(text, "rkmk-dop853", "1e-9\nmax_steps = 60")
            .replace("uniform = [-1, 1]", list)
    };
    let spheres = spheres();
    let ring = few(&spheres[0], "list = [1.0, 0.7, 90, 1.2, 0.9]");
    // One falls into the centre.
    let fall = particles()[3].replace("uniform = [0.4, 0.9]", "list = [0.5, 0.0, 0.7]");
    let fall = with_tolerance(&fall, "rkmk-dp54", "1e-6");
    for (k, text) in [ring, fall].iter().enumerate() {
        let (a, b) = (folder.sub(&format!("alone {k}")), folder.sub(&format!("lanes {k}")));
        let one = go(text, Settings { lanes: Some(1), ..Settings::default() }, Some(&a));
        let many = go(text, Settings::default(), Some(&b));
        assert!(one.failed > 0 && one.failed < 21, "{k}: {} failed", one.failed);
        assert_eq!((one.failed, one.steps), (many.failed, many.steps), "{k}");
        same(&a, &b, "a lane that fails with a tolerance");
    }
}
