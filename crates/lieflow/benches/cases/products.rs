//! Products of run-time length, which work on four factors at a time.
use super::Case;
use lieflow::action::{Action, Link, TangentSphere};
use lieflow::chart::Chart;
use lieflow::group::{LieAlgebra, LieGroup, Se3, Twist};
use lieflow::{Vec3, vec3};
use std::hint::black_box;

/// Factors of the product.
const FACTORS: usize = 64;

fn direction(i: usize) -> Vec3<f64> {
    let (sin, cos) = (0.3 * i as f64).sin_cos();
    vec3(sin, 0.6 * cos, 0.8 * cos)
}

fn twists(size: f64) -> Vec<Twist<f64>> {
    (0..FACTORS).map(|i| Twist::new(direction(i) * size, direction(i + 7))).collect()
}

pub fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "64 links, move",
            run: |calls| {
                let u = twists(0.05);
                let y: Vec<_> =
                    (0..FACTORS).map(|i| Link::new(direction(i), direction(i + 3))).collect();
                let mut out = y.clone();
                for _ in 0..calls {
                    let u = black_box(&u);
                    <Vec<TangentSphere<f64>> as Action>::advance(Chart::Exp, u, &y, &mut out);
                }
                black_box(out);
            },
        },
        Case {
            name: "64 links, dexpinv",
            run: |calls| {
                let (u, mut v) = (twists(0.05), twists(1.0));
                for _ in 0..calls {
                    Vec::<Se3<f64>>::pull(Chart::Exp, black_box(&u), &mut v);
                }
                black_box(v);
            },
        },
        Case {
            name: "64 links, sum of 8 stages",
            run: |calls| {
                let k = vec![twists(1.0); 8];
                let mut u = twists(1.0);
                for _ in 0..calls {
                    u.combine(0.1, black_box(&[0.5; 8]), &k);
                }
                black_box(u);
            },
        },
    ]
}
