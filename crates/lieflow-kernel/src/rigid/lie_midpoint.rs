//! The midpoint Lie map: the free part of the LIEMID methods, of MCG and of NEW3.
//!
//! ```text
//! J x = h exp(-x/2) Π        F = exp(x)
//! ```
//!
//! Krysl 2004, equations (12) and (13), solved for the rotation vector. Order 2, symmetric, not
//! symplectic unless the body is a ball; solvable beyond half a turn in a step. With `y = x/2`
//! and `v = h exp(-y) Π` the derivative of the residual is `J - hat(v) dexp_{-y} / 2`, where
//!
//! ```text
//! hat(v) dexp_{-y} = c1 hat(v) - c2 (y vᵀ - (v·y) I) + c3 (v × y) yᵀ
//! ```
use super::{Equation, FreeMap, Inertia, Turn, newton};
use crate::linalg::{Mat3, Vec3};
use crate::scalar::{Real, stumpff::stumpff};
use crate::so3;

/// The midpoint Lie map.
#[derive(Clone, Copy, Debug, Default)]
pub struct LieMidpoint;

/// `J x - exp(-x/2) q = 0` with `q = h Π`.
struct Midpoint<'a, S> {
    inertia: &'a Inertia<S>,
    impulse: Vec3<S>,
}

impl<S: Real> Equation<S> for Midpoint<'_, S> {
    #[inline(always)]
    fn linearise(&self, x: Vec3<S>) -> (Vec3<S>, Mat3<S>) {
        let y = x * 0.5;
        let [_, c1, c2, c3, ..] = stumpff(y.norm_squared());
        let q = self.impulse;
        let w = y.cross(q);
        let v = q - w.times(c1) + y.cross(w).times(c2);
        let turned = rotated_derivative(v, y, c1, c2, c3);
        (self.inertia.momentum(x) - v, *self.inertia.matrix() - turned * 0.5)
    }
}

/// `hat(v) dexp_{-y}` from the Stumpff functions at `|y|²`.
#[inline(always)]
fn rotated_derivative<S: Real>(v: Vec3<S>, y: Vec3<S>, c1: S, c2: S, c3: S) -> Mat3<S> {
    let mut m =
        Mat3::hat(v.times(c1)) - Mat3::outer(y.times(c2), v) + Mat3::outer(v.cross(y).times(c3), y);
    let d = v.dot(y) * c2;
    m.rows[0].x += d;
    m.rows[1].y += d;
    m.rows[2].z += d;
    m
}

impl<S: Real> FreeMap<S> for LieMidpoint {
    const EQUATION: &'static str = "the midpoint Lie equation";

    #[inline(always)]
    fn turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        let impulse = momentum * h;
        let guess = inertia.velocity(impulse);
        let root = newton(&Midpoint { inertia, impulse }, guess);
        Turn::solved(so3::exp(root.x), momentum, &root)
    }
}
