//! Two bodies side by side give the bits of two single runs, also when one of them needs more
//! iterations than the other, or another formula.
use super::bodies::{self, Body, attractor, body, steps};
use lieflow::action::BodyState;
use lieflow::kernel::{rigid::Inertia, so3};
use lieflow::method::{Method, Options, Step, rigid_body};
use lieflow::{Lanes, Mat3, Vec3, vec3};
use lieflow_models::system::rigid_body::{Field, RigidBody};

type Pack = Lanes<2>;

/// Different bodies, fields and states; the second turns so far in a step that Newton's method works
/// hard.
fn singles() -> [Body<f64>; 2] {
    let mut bodies = [
        body([1.2, 2.0, 2.7], attractor(), [0.3, -0.2, 0.5], [0.7, -1.1, 0.9]),
        body([2.7, 1.2, 2.0], attractor(), [-0.5, 0.4, 0.9], [0.6, -2.1, 1.2]),
    ];
    for (i, body) in bodies.iter_mut().enumerate() {
        if let Field::Attractor { alpha, .. } = &mut body.potential {
            *alpha = 0.3 + 0.1 * i as f64;
        }
    }
    bodies
}

fn vector(v: [Vec3<f64>; 2]) -> Vec3<Pack> {
    vec3(Lanes(v.map(|v| v.x)), Lanes(v.map(|v| v.y)), Lanes(v.map(|v| v.z)))
}

fn matrix(m: [Mat3<f64>; 2]) -> Mat3<Pack> {
    let row = |i: usize| vector(m.map(|m| m.rows[i]));
    Mat3::from_rows(row(0), row(1), row(2))
}

fn pack(bodies: &[Body<f64>; 2], full: bool) -> Body<Pack> {
    let each = [0, 1].map(|i| &bodies[i]);
    let alpha = each.map(|b| match b.potential {
        Field::Attractor { alpha, .. } => alpha,
        _ => panic!("an attractor"),
    });
    let Field::Attractor { center, .. } = &bodies[0].potential else { panic!("an attractor") };
    let inertia = if full {
        Inertia::full(&matrix(each.map(|b| *b.inertia.matrix())))
    } else {
        Inertia::principal(vector(each.map(|b| b.inertia.moments())))
    };
    RigidBody {
        inertia,
        potential: Field::Attractor { alpha: Lanes(alpha), center: matrix([*center; 2]) },
        start: BodyState::new(
            matrix(each.map(|b| b.start.rotation)),
            vector(each.map(|b| b.start.momentum)),
        ),
    }
}

fn lane(y: &BodyState<Pack>, i: usize) -> BodyState<f64> {
    let vector = |v: Vec3<Pack>| vec3(v.x.0[i], v.y.0[i], v.z.0[i]);
    let [a, b, c] = y.rotation.rows;
    BodyState::new(Mat3::from_rows(vector(a), vector(b), vector(c)), vector(y.momentum))
}

fn packed_steps(p: &Body<Pack>, id: &str, hs: &[f64]) -> BodyState<Pack> {
    let list = rigid_body::entries::<Pack, Body<Pack>>();
    let entry = list.iter().find(|e| e.card.id == id).unwrap();
    let mut method = (entry.make)(p, &Options::default()).unwrap();
    let mut y = p.start;
    for h in hs {
        let mut out = y;
        method.step(Step::new(p, 0.0, *h, &y), &mut out).unwrap();
        method.accept();
        y = out;
    }
    y
}

fn compare(bodies: &[Body<f64>; 2], pack: &Body<Pack>, ids: &[&str]) {
    for id in ids {
        let hs = [0.1, 0.05, -0.02, 0.15, 0.1];
        let together = packed_steps(pack, id, &hs);
        for (i, body) in bodies.iter().enumerate() {
            let alone = steps(body, id, &body.start, &hs);
            let lane = lane(&together, i);
            assert_eq!(lane, alone, "{id}, lane {i}");
        }
    }
}

#[test]
fn lanes_have_the_bits_of_single_runs() {
    let bodies = singles();
    let ids: Vec<&str> = bodies::entries().iter().map(|e| e.card.id).collect();
    let ids: Vec<&str> = ids.into_iter().filter(|id| *id != "liemid").collect();
    assert!(ids.len() > 100);
    compare(&bodies, &pack(&bodies, false), &ids);
}

#[test]
fn lanes_have_the_bits_of_single_runs_with_full_inertia() {
    let bodies = singles().map(|b| {
        let turn = so3::exp(vec3(0.4, 1.1, -0.7));
        let matrix = turn.matmul(b.inertia.matrix()).matmul(&turn.transpose());
        RigidBody { inertia: Inertia::full(&matrix), ..b }
    });
    let ids =
        ["mcg", "prk", "rattle", "vlv", "vlvexp", "akw", "tln", "new3", "swc1", "sp123", "exs"];
    compare(&bodies, &pack(&bodies, true), &ids);
}

#[test]
fn a_lane_without_a_solution_does_not_spoil_the_others() {
    let mut bodies = singles();
    bodies[1].start.momentum = vec3(0.0, 0.0, 40.0);
    let p = pack(&bodies, false);
    let list = rigid_body::entries::<Pack, Body<Pack>>();
    let entry = list.iter().find(|e| e.card.id == "rattle").unwrap();
    let mut method: Box<dyn Method<_>> = (entry.make)(&p, &Options::default()).unwrap();
    let mut out = p.start;
    method.step(Step::new(&p, 0.0, 0.1, &p.start), &mut out).unwrap();
    for (i, body) in bodies.iter().enumerate() {
        if i == 1 {
            assert!(lane(&out, i).momentum.x.is_nan() && lane(&out, i).rotation.trace().is_nan());
        } else {
            assert_eq!(lane(&out, i), steps(body, "rattle", &body.start, &[0.1]));
        }
    }
    // Nothing is left when no lane has a solution.
    let mut p = p;
    p.start.momentum = vector([vec3(0.0, 0.0, 40.0); 2]);
    assert!(method.step(Step::new(&p, 0.0, 0.1, &p.start), &mut out).is_err());
}
