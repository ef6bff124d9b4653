//! Two quadrotors with a payload: controller, method states, motions, tracking, and what is refused.
use lieflow::action::Link;
use lieflow::method::{Method, Options, Step, generator};
use lieflow::problem::{Problem, Watched};
use lieflow::{Mat3, Vec3, vec3};
use lieflow_models::system::SystemError;
use lieflow_models::system::quadrotors::{Carried, Control, Gains, Parameters, Quadrotors};
use lieflow_testing::reference::{numbers, vector};
use lieflow_testing::{distance, observe};
use serde_json::Value;

type Model = Quadrotors<f64>;

fn cases() -> Vec<Value> {
    let data = lieflow_testing::reference::public("spheres");
    data["quadrotors"].as_array().unwrap().clone()
}

fn case(name: &str) -> Value {
    cases().into_iter().find(|c| c["name"] == name).unwrap()
}

fn parameters(case: &Value) -> Parameters {
    let p = &case["parameters"];
    let number = |v: &Value| v.as_f64().unwrap();
    let pair = |key: &str| [number(&p[key][0]), number(&p[key][1])];
    let gain = |key: &str| number(&p["gains"][key]);
    let coefficients = p["y_d_polynomial_coefficients_t0_to_t4"].as_array().unwrap();
    Parameters {
        payload: number(&p["m_y"]),
        masses: pair("m"),
        lengths: pair("L"),
        gravity: number(&p["g"]),
        inertias: ["J1", "J2"].map(|key| Mat3::diagonal(vector(&p[key]))),
        gains: Gains {
            position: gain("k_y"),
            velocity: gain("k_v"),
            direction: gain("k_q"),
            spin: gain("k_w"),
            attitude: number(&p["k_R"]),
            body_spin: number(&p["k_Omega"]),
        },
        formation: [vector(&p["r1"]), vector(&p["r2"])],
        heading: vector(&p["s"]),
        moments: [vector(&p["M1_constant"]), vector(&p["M2_constant"])],
        control: if p["full_attitude_model"] == true { Control::Full } else { Control::Published },
        path: coefficients.iter().map(vector).collect(),
    }
}

fn start(case: &Value) -> Carried<f64> {
    let i = &case["initial"];
    // The data are exactly normalised in the reference computation.
    let link = |q: &str, w: &str| {
        let direction = vector(&i[q]);
        Link::new(direction * (1.0 / direction.norm()), vector(&i[w]))
    };
    Carried {
        position: vector(&i["y"]),
        velocity: vector(&i["v"]),
        rotations: [Mat3::identity(); 2],
        spins: [vector(&i["Omega1"]), vector(&i["Omega2"])],
        links: [link("q1", "w1"), link("q2", "w2")],
    }
}

fn model(case: &Value) -> Model {
    Quadrotors::new(parameters(case), start(case)).unwrap()
}

/// In the order of the data files.
fn flat(c: &Carried<f64>) -> Vec<f64> {
    let mut x = Vec::new();
    let mut add = |v: Vec3<f64>| x.extend(v.to_array());
    add(c.position);
    add(c.velocity);
    for i in 0..2 {
        (0..3).for_each(|j| add(c.rotations[i].column(j)));
        add(c.spins[i]);
    }
    c.links.iter().for_each(|l| {
        add(l.q);
        add(l.omega);
    });
    x
}

fn method(m: &Model, id: &str) -> Box<dyn Method<Model>> {
    let entries = generator::entries::<Model>();
    let entry = entries.iter().find(|e| e.card.id == id).unwrap();
    (entry.make)(m, &Options::default()).unwrap()
}

fn run(
    m: &Model,
    id: &str,
    until: f64,
    steps: u32,
    see: &mut dyn FnMut(f64, &Carried<f64>),
) -> Carried<f64> {
    let mut method = method(m, id);
    let h = until / f64::from(steps);
    let look = |k: usize, y: &_| see(k as f64 * h, &Carried::of(y));
    Carried::of(&observe(m, &mut *method, h, steps as usize, look))
}

#[test]
fn the_controller_is_the_published_one() {
    for case in cases() {
        let (m, c) = (model(&case), start(&case));
        let (command, want) = (m.command(0.0, &c), &case["control_at_t0"]);
        let (payload, links, _) = m.accelerations(0.0, &c);
        let mut pairs = vec![("vdot", payload)];
        for (key, v) in [
            (["upar1", "upar2"], command.along),
            (["uperp1", "uperp2"], command.across),
            (["q1d", "q2d"], command.q),
            (["w1d", "w2d"], command.omega),
            (["w1dot", "w2dot"], links),
        ] {
            pairs.extend([(key[0], v[0]), (key[1], v[1])]);
        }
        for (key, found) in pairs {
            let d = (found - vector(&want[key])).norm();
            assert!(d < 2e-14 * found.norm().max(1.0), "{} {key}: {d:e}", case["name"]);
        }
    }
}

#[test]
fn the_closed_loop_moves_as_the_controller_wants() {
    let case = case("quad_published");
    let m = model(&case);
    let mut worst = 0.0f64;
    run(&m, "rkmk4", 1.0, 100, &mut |t, c| {
        let command = m.command(t, c);
        let (payload, links, _) = m.accelerations(t, c);
        let pull = payload - vec3(0.0, 0.0, m.gravity);
        worst = worst.max((pull - command.pull).norm() / command.pull.norm());
        for i in 0..2 {
            // The command has a part along q_i, which does not turn the link.
            let q = c.links[i].q;
            let turn = command.turn[i] - q.times(q.dot(command.turn[i]));
            worst = worst.max((links[i] - turn).norm() / turn.norm().max(1.0));
        }
    });
    assert!(worst < 1e-13, "{worst:e}");
}

#[test]
fn every_method_returns_its_reference_state() {
    for case in cases() {
        let m = model(&case);
        for set in case["method_states"].as_array().unwrap() {
            let (h, steps) = (set["h"].as_f64().unwrap(), set["steps"].as_u64().unwrap() as u32);
            for (name, want) in set["methods"].as_object().unwrap() {
                let id = match name.as_str() {
                    "LieEuler" => "lie-euler",
                    "LieHeun" => "rkmk2-heun",
                    "RKMK3" => "rkmk3",
                    "RKMK4" => "rkmk4",
                    "CF4" => "cf4",
                    "RKMK5" => "rkmk-dp54",
                    _ => panic!("{name}"),
                };
                let end = run(&m, id, h * f64::from(steps), steps, &mut |_, _| {});
                let d = distance(&flat(&end), &numbers(want));
                println!("{} {name}: {d:.1e}", case["name"]);
                assert!(d < 1e-12, "{} {name}: {d:e}", case["name"]);
            }
        }
    }
}

#[test]
fn motions_agree_with_the_reference() {
    for case in cases() {
        let m = model(&case);
        for state in case["states"].as_array().unwrap() {
            let t = state["t"].as_f64().unwrap();
            let end = run(&m, "rkmk-dop853", t, (t * 200.0) as u32, &mut |_, _| {});
            let d = distance(&flat(&end), &numbers(&state["state"]));
            println!("{} t = {t}: {d:.1e}", case["name"]);
            assert!(d < 1e-11, "{} t = {t}: {d:e}", case["name"]);
            let [goal, ..] = m.trajectory(t);
            let tracking = (end.position - goal).norm();
            let want = state["tracking_error"].as_f64().unwrap();
            assert!((tracking - want).abs() < 1e-5 * want, "{tracking:e} {want:e}");
            let command = m.command(t, &end);
            for (i, want) in numbers(&state["link_error"]).into_iter().enumerate() {
                let off = (end.links[i].q - command.q[i]).norm();
                assert!((off - want).abs() < 1e-5 * want, "{off:e} {want:e}");
            }
        }
    }
}

#[test]
fn errors_are_those_measured() {
    // At h = 1/1600; the last method at h = 1/400.
    let names = ["lie-euler", "rkmk2-heun", "rkmk3", "rkmk4", "cf4", "rkmk-dp54"];
    for (name, want) in [
        ("quad_published", [9.8e-2, 3.57e-5, 1.16e-7, 1.85e-11, 3.11e-11, 2.6e-12]),
        ("quad_nomoment", [8.8e-2, 2.14e-5, 1.15e-7, 1.54e-11, 1.53e-11, 2.3e-12]),
        ("quad_full", [8.7e-4, 9.9e-7, 9.7e-10, 4.9e-12, 5.0e-12, 1e-11]),
    ] {
        let case = case(name);
        let m = model(&case);
        let states = case["states"].as_array().unwrap();
        let exact = states.iter().find(|s| s["t"].as_f64() == Some(1.0)).unwrap();
        let exact = numbers(&exact["state"]);
        for (id, want) in names.into_iter().zip(want) {
            let steps = if id == "rkmk-dp54" { 400 } else { 1600 };
            let error = |steps| distance(&flat(&run(&m, id, 1.0, steps, &mut |_, _| {})), &exact);
            let found = error(steps);
            println!("{name} {id}: {found:.2e} ({want:.2e})");
            if want > 1e-11 {
                assert!((found - want).abs() < 0.06 * want, "{name} {id}: {found:e} {want:e}");
            } else {
                assert!(found < 2.0 * want, "{name} {id}: {found:e} {want:e}");
            }
            let order =
                [1.0, 2.0, 3.0, 4.0, 4.0, 5.0][names.iter().position(|n| *n == id).unwrap()];
            let seen = (error(200) / error(400)).log2();
            // The stable attitude loop of the last case damps the leading error term of the fifth order.
            let slack = if name == "quad_full" { 1.3 } else { 0.3 };
            assert!(seen > order - 0.3 && seen < order + slack, "{name} {id}: order {seen}");
        }
    }
}

#[test]
fn the_payload_follows_its_trajectory_on_the_manifold() {
    let rows = [
        (0.5, 2.9308, 0.553, 0.468),
        (1.0, 1.2061, 6.72e-2, 8.09e-2),
        (2.0, 9.55e-2, 5.24e-3, 6.41e-3),
        (3.0, 3.45e-3, 4.09e-4, 5.1e-4),
        (4.0, 2.37e-4, 3.2e-5, 4.0e-5),
        (5.0, 5.118e-5, 2.47e-6, 3.18e-6),
    ];
    let m = model(&case("quad_nomoment"));
    let mut worst = [0.0f64; 3];
    run(&m, "rkmk4", 5.0, 2000, &mut |t, c| {
        for link in &c.links {
            worst[0] = worst[0].max((link.q.norm() - 1.0).abs());
            worst[1] = worst[1].max(link.q.dot(link.omega).abs());
        }
        for r in &c.rotations {
            worst[2] = worst[2].max(r.orthogonality_error());
        }
        for (at, y, q1, q2) in rows {
            if (t - at).abs() < 1e-9 {
                let command = m.command(t, c);
                let off = |i: usize| (c.links[i].q - command.q[i]).norm();
                let found = [(c.position - m.trajectory(t)[0]).norm(), off(0), off(1)];
                for (found, want) in found.into_iter().zip([y, q1, q2]) {
                    assert!((found - want).abs() < 0.02 * want, "t = {t}: {found:e} {want:e}");
                }
            }
        }
    });
    println!("{worst:?}");
    assert!(worst[0] < 1e-14 && worst[1] < 1e-14 && worst[2] < 5e-14, "{worst:?}");
    // With the attitudes in the loop.
    let m = model(&case("quad_full"));
    let rows =
        [(0.5, 0.881), (1.0, 0.527), (2.0, 4.6e-2), (3.0, 1.5e-2), (4.0, 4.9e-3), (5.0, 5.06e-4)];
    let mut seen = 0;
    run(&m, "rkmk4", 5.0, 2000, &mut |t, c| {
        for (at, want) in rows {
            if (t - at).abs() < 1e-9 {
                let found = (c.position - m.trajectory(t)[0]).norm();
                // Two digits are given.
                assert!((found - want).abs() < 0.035 * want, "t = {t}: {found:e} {want:e}");
                seen += 1;
            }
        }
    });
    assert_eq!(seen, rows.len());
    let m = model(&case("quad_nomoment"));
    let names: Vec<_> = m.invariants().iter().map(|q| q.name).collect();
    assert_eq!(names, ["body_energy_1", "body_energy_2"]);
    assert!(model(&case("quad_published")).invariants().is_empty());
}

#[test]
fn bad_data_and_singular_thrust_are_refused() {
    let case = case("quad_published");
    let made = |change: &dyn Fn(&mut Parameters, &mut Carried<f64>)| {
        let (mut p, mut c) = (parameters(&case), start(&case));
        change(&mut p, &mut c);
        Quadrotors::new(p, c)
    };
    let refused = |change: &dyn Fn(&mut Parameters, &mut Carried<f64>)| made(change).unwrap_err();
    assert!(matches!(refused(&|p, _| p.payload = 0.0), SystemError::NotPositive { .. }));
    assert!(matches!(
        refused(&|p, _| p.masses[1] = -1.0),
        SystemError::NotPositive { index: 2, .. }
    ));
    assert!(matches!(
        refused(&|p, _| p.lengths[0] = 0.0),
        SystemError::NotPositive { index: 1, .. }
    ));
    assert!(matches!(
        refused(&|p, _| p.formation[0].z = 0.9),
        SystemError::NotUnit { index: 1, .. }
    ));
    let sideways = refused(&|p, _| p.formation[1] = vec3(0.0, 0.6, 0.8));
    assert!(sideways.to_string().contains("sum"), "{sideways}");
    assert!(matches!(refused(&|p, _| p.formation[0].z *= -1.0), SystemError::Vector { .. }));
    assert!(matches!(refused(&|p, _| p.path.clear()), SystemError::Empty { .. }));
    assert!(matches!(refused(&|p, _| p.heading = Vec3::zero()), SystemError::Vector { .. }));
    assert!(matches!(refused(&|_, c| c.links[0].q.z += 0.1), SystemError::NotUnit { .. }));
    // The force that the controller wants vanishes: free fall is just what the gains ask for.
    let falling = made(&|p, c| {
        p.path = vec![vec3(0.0, 0.0, 0.0)];
        let z = -p.gravity / p.gains.position;
        (c.position, c.velocity) = (vec3(0.0, 0.0, z), Vec3::zero());
    })
    .unwrap();
    let c = Carried::of(&falling.start());
    assert_eq!(falling.check_thrust(0.0, &c), Err(SystemError::NoThrust { t: 0.0 }));
    let mut out = falling.start();
    let error =
        method(&falling, "rkmk4").step(Step::new(&falling, 0.0, 0.01, &falling.start()), &mut out);
    assert!(error.is_err());
    // It is parallel to the heading.
    let parallel = made(&|p, _| p.heading = vec3(0.0, 0.0, 1.0)).unwrap();
    let mut c = Carried::of(&parallel.start());
    (c.position, c.velocity) = (parallel.trajectory(0.0)[0], parallel.trajectory(0.0)[1]);
    assert!(parallel.check_thrust(0.0, &c).is_err());
    assert!(model(&case).check_thrust(0.0, &start(&case)).is_ok());
}
