//! The exact free motion against extended-precision states, its group property for every kind of
//! body, and long times.
use lieflow_kernel::rigid::{Exact, FreeMap, Inertia, LieMidpoint, Turn};
use lieflow_kernel::{DoubleDouble, Dual, Mat3, Real, Vec3, so3, vec3};

fn distance(a: &Mat3<f64>, b: &Mat3<f64>) -> f64 {
    (*a - *b).norm_squared().sqrt() / 2f64.sqrt()
}

fn flow(j: Vec3<f64>, t: f64, m: Vec3<f64>) -> Turn<f64> {
    Exact.turn(&Inertia::principal(j), t, m)
}

/// Every ordering of the moments, equal ones, nearly equal ones.
const BODIES: [[f64; 3]; 13] = [
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

/// Generic directions, some near or on the axes (the middle one is unstable), some in a plane.
pub const MOMENTA: [[f64; 3]; 9] = [
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
    for j in BODIES {
        for m in MOMENTA {
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

/// With the group property, the right velocity at the start makes it the right motion.
#[test]
fn it_begins_with_the_angular_velocity() {
    for j in BODIES {
        for m in MOMENTA {
            let (inertia, m) = (Inertia::principal(Vec3::from(j)), Vec3::from(m));
            let h = 1e-3;
            let exact = Exact.turn(&inertia, h, m);
            // Of order two: its error is about h³.
            let midpoint = LieMidpoint.turn(&inertia, h, m);
            let e = distance(&exact.rotation, &midpoint.rotation);
            let e = e.max((exact.momentum - midpoint.momentum).norm());
            assert!(e < 1e-8, "{j:?} {m:?}: {e:e}");
            let turned = so3::log(&exact.rotation) * (1.0 / h);
            assert!((turned - inertia.velocity(m)).norm() < 1e-2, "{j:?} {m:?}");
        }
    }
}

/// One evaluation at any time errs by a few roundings of the angle turned.
#[test]
fn long_times() {
    for j in BODIES {
        for m in [[0.7, -1.1, 0.9], [-0.4, 0.1, -2.0], [0.9, 0.2, 0.4]] {
            let (j, m) = (Vec3::from(j), Vec3::from(m));
            let inertia = Inertia::principal(Vec3::<DoubleDouble>::lift(j));
            for t in [1e2, 1e4, 1e6] {
                let got = flow(j, t, m);
                let want = Exact.turn(&inertia, t, Vec3::lift(m));
                let difference = Mat3::<DoubleDouble>::lift(got.rotation.rows.map(Vec3::to_array))
                    - want.rotation;
                let e = difference.norm_squared().sqrt().magnitude();
                let angle = t * m.norm();
                assert!(e < 20.0 * f64::EPSILON * angle + 1e-14, "{j:?} {m:?} t = {t}: {e:e}");
            }
        }
    }
}

/// The value and the derivative of the attitude along a direction of the momentum.
fn along(j: [f64; 3], t: f64, m: [f64; 3], d: [f64; 3]) -> (Mat3<f64>, Mat3<f64>) {
    type E = Dual<f64, 1>;
    let e = |x: f64, d: f64| E { re: x, eps: [d] };
    let inertia = Inertia::principal(vec3(E::lift(j[0]), E::lift(j[1]), E::lift(j[2])));
    let momentum = vec3(e(m[0], d[0]), e(m[1], d[1]), e(m[2], d[2]));
    let turn: Turn<E> = Exact.turn(&inertia, t, momentum);
    (turn.rotation.map(|x| x.re), turn.rotation.map(|x| x.eps[0]))
}

/// Central differences of the closed form, which has no corner there in its values.
fn difference(j: [f64; 3], t: f64, m: [f64; 3], d: [f64; 3]) -> Mat3<f64> {
    const H: f64 = 1.0 / 65536.0;
    let at = |s: f64| {
        let x = |i: usize| m[i] + d[i] * s;
        flow(j.into(), t, vec3(x(0), x(1), x(2))).rotation
    };
    (at(H) - at(-H)).map(|x| x * (0.5 / H))
}

#[test]
fn derivatives_are_right_everywhere() {
    let corners = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]];
    for j in BODIES {
        for m in MOMENTA.into_iter().chain(corners) {
            for (t, d) in [(0.3, [1.0, 0.4, -0.3]), (4.0, [-0.2, 0.9, 0.5])] {
                let (value, slope) = along(j, t, m, d);
                let single = flow(j.into(), t, m.into());
                assert!(distance(&value, &single.rotation) < 1e-13, "{j:?} {m:?} {t}");
                let expected = difference(j, t, m, d);
                let scale = expected.norm_squared().sqrt().max(1.0);
                let error = (slope - expected).norm_squared().sqrt() / scale;
                assert!(error < 1e-8, "{j:?} {m:?} {t}: {error:e} of {scale}");
            }
        }
    }
}

/// The motion does not depend on the unit of mass: moments and momenta times a power of two make the same
/// turn, bit for bit, also where the motion is steady to rounding.
#[test]
fn units_do_not_matter() {
    let steady = [[1.0, 1e-19, 1e-19], [1e-19, 1.0, 0.0], [1e-19, 0.0, 1.0]];
    for j in BODIES {
        for m in MOMENTA.into_iter().chain(steady) {
            let one = flow(j.into(), 0.7, m.into());
            for unit in [f64::exp2(60.0), f64::exp2(-60.0)] {
                let other = flow(Vec3::from(j) * unit, 0.7, Vec3::from(m) * unit);
                assert_eq!(other.rotation, one.rotation, "{j:?} {m:?} {unit:e}");
                assert_eq!(other.momentum, one.momentum * unit, "{j:?} {m:?} {unit:e}");
            }
        }
    }
}

/// Derivatives of numbers with more digits: along the motion itself the derivative of the turn is the turn
/// times the angular velocity at its end. A time is a scale of the momentum: `F(t, s m) = F(s t, m)`.
#[test]
fn derivatives_have_further_digits() {
    type D = DoubleDouble;
    type E = Dual<D, 1>;
    let lift = |x: f64| D::lift(x);
    for (j, t) in [([1.0, 2.0, 3.0], 0.0625), ([3.0, 1.0, 2.0], 0.75), ([1.0, 2.0, 3.0], 2.3)] {
        for m in [[0.7, -1.1, 0.9], [0.25, 1.0, -0.5]] {
            let inertia = Inertia::principal(Vec3::<E>::lift(Vec3::from(j)));
            let start = vec3(m[0], m[1], m[2]);
            let e = |x: f64| E { re: lift(x), eps: [lift(x)] };
            let turn: Turn<E> = Exact.turn(&inertia, t, vec3(e(m[0]), e(m[1]), e(m[2])));
            let wide = Inertia::principal(Vec3::<D>::lift(Vec3::from(j)));
            let single = Exact.turn(&wide, t, Vec3::lift(start));
            let value = turn.rotation.map(|x| x.re) - single.rotation;
            let value = value.norm_squared().sqrt().magnitude();
            assert!(value < 1e-29, "{j:?} {m:?}: {value:e}");
            let velocity = wide.velocity(single.momentum) * t;
            let slope =
                turn.rotation.map(|x| x.eps[0]) - single.rotation.matmul(&Mat3::hat(velocity));
            let slope = slope.norm_squared().sqrt().magnitude();
            assert!(slope < 1e-28, "{j:?} {m:?}: {slope:e}");
        }
    }
}

/// What is not a number makes no motion: neither a turn by nothing nor an endless series.
#[test]
fn a_momentum_that_is_not_finite_has_no_turn() {
    type E = Dual<f64, 1>;
    for wrong in [f64::NAN, f64::INFINITY] {
        let m = [0.3, wrong, 0.4];
        let (value, _) = along([1.0, 2.0, 3.0], 1.0, m, [1.0, 0.0, 0.0]);
        assert!(!value.rows.iter().all(|row| row.norm_squared().is_finite()), "{value:?}");
        let inertia = Inertia::principal(Vec3::<E>::lift(vec3(1.0, 2.0, 3.0)));
        assert!(!Exact.turn(&inertia, 1.0, Vec3::<E>::lift(Vec3::from(m))).solved);
    }
    // Nor does what has no square.
    for wrong in [f64::NAN, f64::INFINITY, 1e200] {
        let turn = flow(vec3(1.0, 2.0, 3.0), 1.0, vec3(0.3, wrong, 0.4));
        assert!(!turn.solved, "{wrong:e}: {turn:?}");
    }
    // Nor does a body that turns beyond all numbers.
    assert!(!flow(vec3(1e-180, 2e-180, 3e-180), 1.0, vec3(0.3, 0.2, 0.4)).solved);
}
