//! The free motion by its Taylor series, for numbers that carry derivatives.
//!
//! ```text
//! m' = m × ω      q' = q ω/2      ω = J⁻¹ m
//! m_{k+1} = sum_i m_i × ω_{k-i} / (k+1)      q_{k+1} = sum_i q_i ω_{k-i} / (2 (k+1))
//! ```
//!
//! The closed form by elliptic functions has the right value everywhere, but no derivative on steady
//! rotations and on the separatrix, where moduli and amplitudes have corners. The series has none:
//! what dual numbers make of it is the derivative of the motion, wherever it starts. Singularities in
//! complex time are at least `π/2` over the largest angular velocity away, so that pieces of a
//! quarter over it gain a factor of six with each term.
use super::Inertia;
use super::elliptic::extended;
use crate::linalg::{Mat3, Quat, Vec3};
use crate::scalar::Real;

/// The most terms: for a double-double number.
const MOST_TERMS: usize = 44;
/// The largest angle of a piece.
const PIECE: f64 = 0.25;
/// More pieces than this take longer than anybody waits.
const MOST_PIECES: f64 = 1e5;

/// The turn of a body over the time `t`; nothing if it turns too far for a series.
#[inline(never)]
pub(super) fn turn<S: Real>(inertia: &Inertia<S>, t: f64, momentum: Vec3<S>) -> Option<Mat3<S>> {
    let inverse = inertia.inverse_moments();
    // The norm of the momentum is kept, so this bounds the angular velocity for all times.
    let fastest = momentum.magnitude()
        * f64::max(inverse.x.magnitude(), f64::max(inverse.y.magnitude(), inverse.z.magnitude()));
    let pieces = libm::ceil(fastest * t.abs() / PIECE);
    if pieces.is_nan() || pieces >= MOST_PIECES {
        return None;
    }
    let pieces = if pieces < 1.0 { 1.0 } else { pieces };
    // Further digits need pieces that divide the time without rounding.
    let pieces = if extended::<S>() { libm::exp2(libm::ceil(libm::log2(pieces))) } else { pieces };
    let (h, terms) = (t / pieces, if extended::<S>() { MOST_TERMS } else { 24 });
    let mut whole = Mat3::identity();
    let mut m = momentum;
    let mut k = 0.0;
    while k < pieces {
        let (end, turned) = piece(inverse, h, m, terms);
        whole = whole.matmul(&turned.unit_to_matrix());
        m = end;
        k += 1.0;
    }
    Some(whole)
}

/// One piece: the momentum at its end, and the turn.
fn piece<S: Real>(inverse: Vec3<S>, h: f64, start: Vec3<S>, terms: usize) -> (Vec3<S>, Quat<S>) {
    let none = Quat { w: S::zero(), v: Vec3::zero() };
    let mut m = [Vec3::<S>::zero(); MOST_TERMS];
    let mut w = [Vec3::<S>::zero(); MOST_TERMS];
    let mut q = [none; MOST_TERMS];
    m[0] = start;
    q[0].w = S::one();
    let mut k = 0;
    while k + 1 < terms {
        w[k] = inverse.scaled_by(m[k]);
        let (mut swing, mut turn) = (Vec3::zero(), none);
        let mut i = 0;
        while i <= k {
            swing += m[i].cross(w[k - i]);
            let part = q[i].times(Quat { w: S::zero(), v: w[k - i] });
            turn = Quat { w: turn.w + part.w, v: turn.v + part.v };
            i += 1;
        }
        let share = S::ratio(1.0, (k + 1) as f64);
        m[k + 1] = swing.times(share);
        q[k + 1] = Quat { w: turn.w * share * 0.5, v: turn.v.times(share) * 0.5 };
        k += 1;
    }
    let (mut end, mut turn) = (m[terms - 1], q[terms - 1]);
    let mut k = terms - 1;
    while k > 0 {
        k -= 1;
        end = m[k] + end * h;
        turn = Quat { w: q[k].w + turn.w * h, v: q[k].v + turn.v * h };
    }
    (end, turn)
}
