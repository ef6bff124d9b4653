//! The inputs of formulas of a rigid body, in their order.
use crate::{Mat3, Real, Vec3};

/// The inputs of formulas that know `R` and `t`. Copied, so that the caller may keep the attitude in
/// registers.
#[inline(always)]
pub fn attitude<S: Real>(t: f64, r: &Mat3<S>) -> [S; 10] {
    let [a, b, c] = r.rows;
    [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, S::lift(t)]
}

/// The inputs of formulas that know `R`, of which only one row counts, and `t`.
#[inline(always)]
pub fn one_row<S: Real>(t: f64, row: usize, g: Vec3<S>) -> [S; 10] {
    let mut inputs = [S::zero(); 10];
    inputs[9] = S::lift(t);
    // Written so that no index can be wrong.
    let first = if row == 0 { 0 } else { 3 * if row == 1 { 1 } else { 2 } };
    inputs[first] = g.x;
    inputs[first + 1] = g.y;
    inputs[first + 2] = g.z;
    inputs
}

/// The inputs of formulas that know `R`, `w`, `P` and `t`.
#[inline(always)]
pub fn moving<S: Real>(t: f64, r: &Mat3<S>, w: Vec3<S>, p: Vec3<S>) -> [S; 16] {
    let [a, b, c, d, e, f, g, h, i, t] = attitude(t, r);
    [a, b, c, d, e, f, g, h, i, w.x, w.y, w.z, p.x, p.y, p.z, t]
}
