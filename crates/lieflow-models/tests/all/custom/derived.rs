//! What follows from laws: equations, invariants, and steps that take no memory.
use super::{numbers, run};
use lieflow::method::Options;
use lieflow::{Vec3, vec3};
use lieflow_models::problem_file::Document;
use lieflow_models::problems;
use lieflow_models::run::{Model, ModelSystem, Record};
use lieflow_models::system::custom::Custom;
use lieflow_testing::counting::after_the_first;

const FINE: &str = "rkmk-dop853";

fn vector(x: &[f64]) -> Vec3<f64> {
    vec3(x[0], x[1], x[2])
}

#[track_caller]
fn near(a: &[f64], b: &[f64], bound: f64) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() < bound, "{a} and {b}");
    }
}

fn invariants(record: &Record) -> Vec<&'static str> {
    record.invariants.iter().map(|q| q.name).collect()
}

#[track_caller]
fn keeps(record: &Record, names: &[&str], bound: f64) {
    assert_eq!(invariants(record), names);
    for q in &record.invariants {
        assert!(q.max_error < bound, "{} moves by {:e}", q.name, q.max_error);
    }
}

/// A top by velocities and by momenta, with an inertia that is no diagonal.
#[test]
fn rotations_by_velocities_and_by_momenta() {
    let common = "system = 'custom'\nparameters.J = [[2.0, 0.3, 0.1], [0.3, 1.5, -0.2], [0.1, -0.2, 1.0]]\n\
         parameters.a = [0.3, 0.1, 0.8]\nstate.R = 'SO(3)'\ninitial.R = { vector = [0.3, 0.5, -0.2] }\n";
    let kinetic = format!(
        "{common}state.w = {{ velocity = 'R' }}\ninitial.w = [1.0, -0.5, 2.0]\n\
         motion.kinetic = '0.5*w·(J*w)'\nmotion.potential = '3*e3·(R*a)'\n"
    );
    let hamiltonian = format!(
        "{common}state.P = {{ momentum = 'R' }}\ninitial.P = [2.05, -0.85, 2.2]\n\
         motion.hamiltonian = '0.5*P·(inv(J)*P) + 3*e3·(R*a)'\n"
    );
    let ((_, a), (_, b)) = (run(&kinetic, FINE, 0.02, 50), run(&hamiltonian, FINE, 0.02, 50));
    keeps(&a, &["energy", "angular_momentum_z"], 1e-12);
    keeps(&b, &["energy", "angular_momentum_z"], 1e-12);
    let (a, b) = (numbers(&a), numbers(&b));
    near(&a[..9], &b[..9], 1e-12);
    let w = vector(&a[9..]);
    let p = vec3(
        2.0 * w.x + 0.3 * w.y + 0.1 * w.z,
        0.3 * w.x + 1.5 * w.y - 0.2 * w.z,
        0.1 * w.x - 0.2 * w.y + w.z,
    );
    near(&p.to_array(), &b[9..], 1e-12);
}

/// A body on SE(3) whose velocities are coupled, in a field that depends on place and attitude.
#[test]
fn motions_by_velocities_and_by_momenta() {
    let common = "system = 'custom'\nstate.X = 'SE(3)'\nparameters.c = [0.1, -0.2, 0.3]\n\
         initial.X = { rotation = { vector = [0.3, 0.5, -0.2] }, position = [0.4, -0.3, 1.0] }\n";
    let potential = "0.5*square(X.x) + e1·(X.R*c) + 0.3*X.x[1]*(X.R*c)[3]";
    // T = ½|v + w × c|² + ½|w|²: momenta p = v + w × c and m = w + c × p.
    let kinetic = format!(
        "{common}state.V = {{ velocity = 'X' }}\n\
         initial.V = {{ w = [1.0, -0.5, 0.7], v = [0.2, 0.4, -0.3] }}\n\
         motion.kinetic = '0.5*square(V.v + V.w × c) + 0.5*square(V.w)'\nmotion.potential = '{potential}'\n"
    );
    let (w, v, c) = (vec3(1.0, -0.5, 0.7), vec3(0.2, 0.4, -0.3), vec3(0.1, -0.2, 0.3));
    let p = v + w.cross(c);
    let m = w + c.cross(p);
    let hamiltonian = format!(
        "{common}state.P = {{ momentum = 'X' }}\ninitial.P = {{ w = {:?}, v = {:?} }}\n\
         motion.hamiltonian = '0.5*square(P.v) + 0.5*square(P.w - c × P.v) + {potential}'\n",
        m.to_array(),
        p.to_array()
    );
    let ((_, a), (_, b)) = (run(&kinetic, FINE, 0.02, 50), run(&hamiltonian, FINE, 0.02, 50));
    keeps(&a, &["energy"], 1e-12);
    keeps(&b, &["energy"], 1e-12);
    let (a, b) = (numbers(&a), numbers(&b));
    near(&a[..12], &b[..12], 1e-11);
    let (w, v) = (vector(&a[12..]), vector(&a[15..]));
    let p = v + w.cross(c);
    near(&p.to_array(), &b[15..18], 1e-11);
    near(&(w + c.cross(p)).to_array(), &b[12..15], 1e-11);
}

/// Without a field the momenta of space stay, too.
#[test]
fn a_free_body_keeps_its_momenta() {
    let text = "system = 'custom'\nstate.X = 'SE(3)'\nstate.V = { velocity = 'X' }\n\
         motion.kinetic = '0.5*V.w·(diag([2, 1.5, 1])*V.w) + 0.5*V.v·(diag([1, 2, 3])*V.v) + 0.2*V.w·V.v'\n\
         initial.X = { rotation = { vector = [0.3, 0.5, -0.2] }, position = [0.4, -0.3, 1.0] }\n\
         initial.V = { w = [1.0, -0.5, 0.7], v = [0.2, 0.4, -0.3] }\n";
    let (_, record) = run(text, FINE, 0.02, 50);
    let all = [
        "energy",
        "angular_momentum_x",
        "angular_momentum_y",
        "angular_momentum_z",
        "momentum_x",
        "momentum_y",
        "momentum_z",
    ];
    keeps(&record, &all, 1e-12);
}

/// Masses that depend on the place, and forces that are linear in the velocity.
#[test]
fn kinetic_energies_in_the_plane() {
    let text = |kinetic: &str, potential: &str| {
        format!(
            "system = 'custom'\nstate.x = 'R2'\nstate.v = {{ velocity = 'x' }}\n\
             motion.kinetic = '{kinetic}'\nmotion.potential = '{potential}'\n\
             initial.x = [0.4, 1.0]\ninitial.v = [0.3, -0.5]\n"
        )
    };
    // Two planar pendulums in a chain.
    let chain = text("v1^2 + 0.5*v2^2 + v1*v2*cos(x1 - x2)", "-2*cos(x1) - cos(x2)");
    keeps(&run(&chain, FINE, 0.02, 100).1, &["energy"], 1e-12);
    // A charge in a magnetic field: it goes in circles of period 2π/3.
    let charge = text("0.5*v·v + 1.5*(x1*v2 - x2*v1)", "0");
    let step = std::f64::consts::TAU / 3.0 / 100.0;
    let (_, record) = run(&charge, FINE, step, 100);
    keeps(&record, &["energy", "angular_momentum_z"], 1e-12);
    near(&numbers(&record), &[0.4, 1.0, 0.3, -0.5], 1e-12);
}

/// Two spherical pendulums in a chain, whose masses are coupled, as the built-in chain has them.
#[test]
fn coupled_masses_on_spheres() {
    let rust = r#"
        system = "pendulum-chain"
        [parameters]
        masses = [2.0, 1.0]
        lengths = [1.0, 0.5]
        gravity = [0.0, 0.0, 9.81]
        [initial]
        q = [[0.6, 0.0, 0.8], [0.0, 0.6, -0.8]]
        omega = [[0.8, 1.0, -0.6], [1.0, 0.4, 0.3]]
    "#;
    let (q, omega) =
        ([vec3(0.6, 0.0, 0.8), vec3(0.0, 0.6, -0.8)], [vec3(0.8, 1.0, -0.6), vec3(1.0, 0.4, 0.3)]);
    let dq = [0, 1].map(|i| omega[i].cross(q[i]).to_array());
    let text = format!(
        "system = 'custom'\nstate.q = {{ space = 'S2', count = 2 }}\nparameters.g = 9.81\n\
         motion.mass = [[3.0, 0.5], [0.5, 0.25]]\nmotion.potential = '-g*(3*q[1][3] + 0.5*q[2][3])'\n\
         initial.q = [[0.6, 0.0, 0.8], [0.0, 0.6, -0.8]]\ninitial.dq = {dq:?}\n"
    );
    let ((_, a), (_, b)) = (run(rust, FINE, 0.005, 200), run(&text, FINE, 0.005, 200));
    keeps(&b, &["energy", "angular_momentum_z"], 1e-11);
    assert!(b.manifold_error < 1e-13, "{:e}", b.manifold_error);
    let (a, b) = (numbers(&a), numbers(&b));
    near(&a[..6], &b[..6], 1e-10);
    for i in 0..2 {
        let rate = vector(&a[6 + 3 * i..]).cross(vector(&a[3 * i..]));
        near(&rate.to_array(), &b[6 + 3 * i..9 + 3 * i], 1e-10);
    }
}

/// Forces in either frame, and what they leave of the invariants.
#[test]
fn forces_beside_energies() {
    let top = |force: &str| {
        format!(
            "system = 'custom'\nstate.R = 'SO(3)'\nstate.P = {{ momentum = 'R' }}\n\
             motion.hamiltonian = '0.5*P·P + 2*R33'\nmotion.force = {force}\n\
             initial.R = {{ vector = [0.3, 0.5, -0.2] }}\ninitial.P = [1.0, -0.5, 2.0]\n"
        )
    };
    let body = top("{ R = '-0.3*P + R\\'*[0.1, 0, 0]' }")
        .replace("'-0.3*P + R\\'*[0.1, 0, 0]'", "\"-0.3*P + R'*[0.1, 0, 0]\"");
    let space = top("{ R = '-0.3*R*P + [0.1, 0, 0]', frame = 'space' }");
    let ((_, a), (_, b)) = (run(&body, FINE, 0.02, 50), run(&space, FINE, 0.02, 50));
    near(&numbers(&a), &numbers(&b), 1e-13);
    assert_eq!(invariants(&a), Vec::<&str>::new());
    // A torque across the momentum does no work here.
    let across = top("{ R = \"0.7*P × (R'*e3)\" }");
    let kept = invariants(&run(&across, FINE, 0.02, 5).1);
    assert!(kept.contains(&"energy"), "{kept:?}");
    // Friction on so(3)*: the vector that is carried along keeps its length.
    let dual = "system = 'custom'\nstate.m = 'so(3)*'\nstate.u = { advected = 'm' }\n\
         motion.hamiltonian = '0.5*m·(diag([1, 2, 3])*m) + u3'\nmotion.force = { m = '-0.1*m' }\n\
         initial.m = [1.0, -0.5, 2.0]\ninitial.u = [0.6, 0.0, 0.8]\n";
    keeps(&run(dual, "rkmk4", 0.02, 50).1, &["u_norm"], 1e-13);
}

/// What is found in the built-in problems.
#[test]
fn invariants_are_found_and_tested() {
    for (problem, names) in [
        ("pendulum-on-turntable", &["energy"][..]),
        ("coupled-bodies", &["energy", "angular_momentum_x"]),
        ("spin-chain", &["energy"]),
        ("driven-macrospin", &[]),
        ("screened-vortices", &["interaction", "moment_x", "moment_y", "moment_z"]),
        ("buoyant-body", &["energy", "p_norm", "u_norm", "p_dot_u"]),
        ("underwater-vehicle", &[]),
        ("oblate-planet", &["axial momentum"]),
        ("tracking-quadrotor", &[]),
    ] {
        let document =
            Document::parse(problems::find(problem).unwrap().text, problem, &[]).unwrap();
        assert_eq!(document.build().unwrap().invariants(), names, "{problem}");
    }
    // Without a field and an axis the sum of the spins is kept.
    let text = problems::find("spin-chain").unwrap().text;
    let text = text.replace("h = [0.1, 0.0, 0.0]", "h = [0.0, 0.0, 0.0]");
    let axial = Document::parse(&text, "axial", &[]).unwrap().build().unwrap();
    assert_eq!(axial.invariants(), ["energy", "spin_z"]);
    let text =
        text.replace("K = 0.3", "K = 0.0").replace("D = [0.0, 0.0, 0.2]", "D = [0.0, 0.0, 0.0]");
    let plain = Document::parse(&text, "plain", &[]).unwrap().build().unwrap();
    assert_eq!(plain.invariants(), ["energy", "spin_x", "spin_y", "spin_z"]);
}

#[test]
fn steps_take_no_memory_after_the_first() {
    for problem in ["spin-chain", "coupled-bodies", "buoyant-body", "tracking-quadrotor"] {
        let text =
            problems::find(problem).unwrap().text.replace("[[observables]]", "[[unwatched]]");
        let text: String = text.split("[[unwatched]]").next().unwrap().into();
        let text = if text.contains("[solve]") { text } else { text + "\n[solve]\n" };
        let document = Document::parse(&text, problem, &[]).unwrap();
        let model: Box<dyn Model> = document.build().unwrap();
        let system = model.as_any().downcast_ref::<Custom<f64>>().unwrap();
        let entries = Custom::<f64>::entries();
        for wanted in ["rkmk4", "rkmk-dp54", "cf4", "cg3", "rkmk-gl4", "gl4-sym"] {
            let entry = entries.iter().find(|e| e.card.id == wanted).unwrap();
            let mut method = (entry.make)(system, &Options::default()).unwrap();
            let taken = after_the_first(system, method.as_mut(), 0.001, 20);
            assert_eq!(taken, 0, "{problem} by {wanted}");
        }
    }
}

/// Work and memory grow with the number of parts, not with its square.
#[test]
fn long_lists_are_no_trouble() {
    for law in [
        "mass = 'i'\npotential = 'sum(i, 1, 1000, q[i][3])'",
        "hamiltonian = 'sum(i, 1, 1000, q[i][3]*q[cyc(i+1)][1])'",
        "q = { turn = 'q[cyc(i+1)]' }",
    ] {
        let velocity = if law.starts_with("mass") { "dq = { formula = '0*e1' }" } else { "" };
        let text = format!(
            "system = 'custom'\n[state]\nq = {{ space = 'S2', count = 1000 }}\n[motion]\n{law}\n\
             [initial]\nq = {{ formula = '[sin(i), cos(i), 0]' }}\n{velocity}\n"
        );
        let (model, record) = run(&text, "rkmk4", 0.01, 2);
        assert!(record.manifold_error < 1e-13);
        assert_eq!(model.invariants().contains(&"energy"), !law.starts_with('q'));
    }
}
