//! Closed forms; each call depends on the one before.
use super::Case;
use lieflow::kernel::rigid::{Exact, FreeMap, Inertia};
use lieflow::kernel::scalar::stumpff::stumpff;
use lieflow::{Vec3, kernel, vec3};
use std::hint::black_box;

/// Calls a function of a vector again and again; `angle` is the length of the first one.
macro_rules! chain {
    ($name:literal, $angle:expr, $u:ident => $next:expr) => {
        Case {
            name: $name,
            run: |calls| {
                let start = vec3(0.6, -0.48, 0.64) * $angle;
                let mut $u = black_box(start);
                for _ in 0..calls {
                    // A small part of the result keeps the argument where it is.
                    $u = start + $next * 1e-9;
                }
                black_box($u);
            },
        }
    };
}

const W: Vec3<f64> = vec3(0.3, 0.2, -0.5);

pub fn cases() -> Vec<Case> {
    use kernel::{se3, so3};
    vec![
        chain!("stumpff, small angle", 0.05, u => vec3(stumpff(u.norm_squared())[1], 0.0, 0.0)),
        chain!("stumpff, angle below one", 0.7, u => vec3(stumpff(u.norm_squared())[1], 0.0, 0.0)),
        chain!("stumpff, large angle", 2.0, u => vec3(stumpff(u.norm_squared())[1], 0.0, 0.0)),
        chain!("so3 exp", 0.05, u => so3::exp(u).rows[0]),
        chain!("so3 exp, large angle", 2.0, u => so3::exp(u).rows[0]),
        chain!("so3 dexpinv", 0.05, u => so3::dexpinv(u, W)),
        chain!("so3 log", 0.7, u => so3::log(&so3::exp(u))),
        chain!("se3 exp", 0.05, u => se3::exp(u, W).1),
        chain!("se3 dexpinv", 0.05, u => se3::dexpinv(u, W, u, W).1),
        chain!("se3 log", 0.7, u => se3::log(&so3::exp(u), W).1),
        chain!("exact motion, symmetric", 0.7, u => exact(vec3(5.0, 5.0, 1.0), u)),
        chain!("exact motion, general", 0.7, u => exact(vec3(5.0, 4.0, 1.0), u)),
    ]
}

fn exact(moments: Vec3<f64>, momentum: Vec3<f64>) -> Vec3<f64> {
    Exact.turn(&Inertia::principal(black_box(moments)), 0.1, momentum).rotation.rows[0]
}
