//! A rigid body seen from its own frame: attitude and body angular momentum.
//!
//! ```text
//! (g, b)·(R, P) = (R gᵀ, g P + b)               generator (-R û, u × P + b)
//! ```
//!
//! The group is SO(3) ⋉ so(3)*, which is SE(3). With the field `(u, b) = (-I⁻¹P, torque)` this is
//! Euler's equation `P' = P × I⁻¹P + torque`, `R' = R hat(I⁻¹P)`; where the torque vanishes the
//! spatial momentum `R P` is kept by every method. With torque this is the setting of the heavy
//! top in Celledoni et al., section 3.3, written in the body frame.
use super::{Action, Ways};
use crate::chart::Chart;
use crate::group::{LieGroup, Se3, Twist};
use core::marker::PhantomData;
use lieflow_kernel::{Mask, Mat3, Real, Vec3, se3, so3};

/// Attitude and body angular momentum of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState<S> {
    /// Attitude: body vectors to spatial vectors.
    pub rotation: Mat3<S>,
    /// Angular momentum in the body frame.
    pub momentum: Vec3<S>,
}

impl<S: Real> BodyState<S> {
    /// The pair (attitude, body angular momentum).
    #[inline(always)]
    pub fn new(rotation: Mat3<S>, momentum: Vec3<S>) -> Self {
        Self { rotation, momentum }
    }
    /// The angular momentum in the spatial frame.
    #[inline(always)]
    pub fn spatial_momentum(&self) -> Vec3<S> {
        self.rotation.apply(self.momentum)
    }
}

crate::flat!(BodyState { rotation, momentum });

/// SO(3) ⋉ so(3)* acting on body states.
#[derive(Clone, Copy, Debug)]
pub struct BodyFrame<S>(PhantomData<S>);

impl<S: Real> Action for BodyFrame<S> {
    type Group = Se3<S>;
    type Point = BodyState<S>;
    #[inline(always)]
    fn act(g: &Se3<S>, y: &BodyState<S>) -> BodyState<S> {
        let rotation = turned(&y.rotation, &g.rotation);
        BodyState::new(rotation, g.rotation.apply(y.momentum) + g.position)
    }
    #[inline(always)]
    fn advance(chart: Chart, u: &Twist<S>, y: &BodyState<S>, out: &mut BodyState<S>) {
        match chart {
            Chart::Exp | Chart::ExpSeries { .. } => {
                // The next step waits for the momentum. Without a torque it is only turned.
                let still = without(u.linear);
                let (g, momentum) = if still.all() {
                    so3::exp_with_rotated(u.angular, y.momentum)
                } else {
                    let (g, moved) = se3::exp_with_moved(u.angular, u.linear, y.momentum);
                    (g, mix(still, u.angular, y.momentum, moved))
                };
                *out = BodyState::new(turned(&y.rotation, &g), momentum);
            }
            _ => *out = Self::act(&Se3::map(chart, u), y),
        }
    }
    const SHIFTS: bool = true;
    fn shift(chart: Chart, u: &Twist<S>, y: &BodyState<S>, out: &mut BodyState<S>) {
        shift_body(&Ways::in_chart(chart, u.angular), y, out);
        if !without(u.linear).all() {
            out.momentum += Se3::map(chart, u).position;
        }
    }
}

/// The way of a body state whose rows and momentum are turned.
#[inline(always)]
pub(super) fn shift_body<S: Real>(turn: &Ways<S>, y: &BodyState<S>, out: &mut BodyState<S>) {
    let way = turn.ways_of_body(y);
    out.rotation = out.rotation + way.rotation;
    out.momentum += way.momentum;
}

/// The lanes in which a vector vanishes, with its derivatives; it is not certain of derivatives.
#[inline(always)]
fn without<S: Real>(v: Vec3<S>) -> S::Mask {
    if S::DERIVATIVES > 0 {
        return S::Mask::splat(false);
    }
    // What is not a number is not below anything.
    (v.x.abs() + v.y.abs() + v.z.abs()).lt(S::lift(f64::MIN_POSITIVE))
}

/// Where lanes disagree, each has the bits of a run by itself.
#[inline(always)]
fn mix<S: Real>(still: S::Mask, u: Vec3<S>, momentum: Vec3<S>, moved: Vec3<S>) -> Vec3<S> {
    if still.any() { Vec3::select(still, so3::rotate(u, momentum), moved) } else { moved }
}

/// `R gᵀ` row by row: each row of `R`, as a vector, is turned by `g`.
#[inline(always)]
pub(crate) fn turned<S: Real>(r: &Mat3<S>, g: &Mat3<S>) -> Mat3<S> {
    let [a, b, c] = r.rows;
    Mat3::from_rows(g.apply(a), g.apply(b), g.apply(c))
}
