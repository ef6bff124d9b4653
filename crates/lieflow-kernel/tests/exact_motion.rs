//! The exact free motion against extended-precision states, and its group property for every kind
//! of body.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use lieflow_kernel::rigid::{Exact, FreeMap, Inertia, Turn};
use lieflow_kernel::{Mat3, Vec3, vec3};

fn distance(a: &Mat3<f64>, b: &Mat3<f64>) -> f64 {
    (*a - *b).norm_squared().sqrt() / 2f64.sqrt()
}

fn flow(j: Vec3<f64>, t: f64, m: Vec3<f64>) -> Turn<f64> {
    Exact.turn(&Inertia::principal(j), t, m)
}

#[test]
fn free_body_states() {
    let j = vec3(0.9144, 1.098, 1.66);
    let m = vec3(0.45549, 0.82623, 0.03476).scaled_by(j);
    let states = [
        (
            1.0,
            [
                [0.67948695072138188, 0.15978651402103336, 0.71607663956895307],
                [0.18508239274714738, 0.90710109646680992, -0.37803717897014039],
                [-0.70995914790525028, 0.38940450783949249, 0.58678968769051632],
            ],
            [0.4099474209026594, 0.91194295973663841, -0.010850868577784114],
        ),
        (
            100.0,
            [
                [0.93798239127549843, -0.1155781812238259, -0.32684968667889264],
                [0.28616210704355854, 0.79032917472943798, 0.54174813711158842],
                [0.19570457876475136, -0.60168220814353313, 0.77438894507478173],
            ],
            [0.66156860385276528, 0.63413070903878399, 0.40002477087941279],
        ),
    ];
    for (t, r, p) in states {
        let turn = flow(j, t, m);
        let er = distance(&turn.rotation, &Mat3::lift(r));
        let ep = (turn.momentum - Vec3::from(p)).norm();
        assert!(er < 1e-13 && ep < 1e-13, "t = {t}: {er:e} {ep:e}");
    }
}

#[test]
fn group_property() {
    let bodies = [
        [1.0, 2.0, 3.0],
        [1.0, 3.0, 2.0],
        [2.0, 1.0, 3.0],
        [2.0, 3.0, 1.0],
        [3.0, 1.0, 2.0],
        [3.0, 2.0, 1.0],
        [1.0, 1.0, 2.0],
        [2.0, 1.0, 1.0],
        [1.0, 2.0, 1.0],
        [1.0, 1.0, 1.0],
        [1.0, 1.0 + 1e-10, 2.0],
        [2.0, 1.0, 1.0 + 1e-13],
        [1.0, 1.0 + 1e-7, 1.0 + 3e-7],
    ];
    let momenta = [
        [0.7, -1.1, 0.9],
        [1e-3, 1.0, 2e-3],
        [-0.4, 0.1, -2.0],
        [3.0, 1e-6, -1e-7],
        [0.0, 1.0, 0.5],
        [0.5, 0.0, -1.0],
        [1.0, 0.3, 0.0],
        [0.0, 0.0, 1.0],
        [1e-12, 1.0, 1e-12],
    ];
    for j in bodies {
        for m in momenta {
            let (j, m) = (Vec3::from(j), Vec3::from(m));
            for (a, b) in [(0.3, 0.4), (2.0, 5.0), (11.0, -3.0), (7.0, 30.0)] {
                let first = flow(j, a, m);
                let second = flow(j, b, first.momentum);
                let whole = flow(j, a + b, m);
                let e = distance(&first.rotation.matmul(&second.rotation), &whole.rotation);
                let e = e.max((second.momentum - whole.momentum).norm());
                // A few roundings of the angle, which is up to 111.
                assert!(e < 2e-13, "{j:?} {m:?} {a} + {b}: {e:e}");
            }
        }
    }
}
