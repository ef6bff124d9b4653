//! Magnus steps from angular velocities at Gauss points.
//!
//! ```text
//! Y' = A Y,  Y(h) = exp(W) Y(0)
//! order 4    W = h (A1 + A2)/2 - (√3/12) h² [A1, A2]
//! order 6    W = a1 + a3/12 + [-20 a1 - a3 + c1, a2 + c2]/240
//!            a1 = h A2,  a2 = (√15/3) h (A3 - A1),  a3 = (10/3) h (A3 - 2 A2 + A1)
//!            c1 = [a1, a2],  c2 = -[a1, 2 a3 + c1]/60
//! ```
//!
//! Blanes, Casas, Oteo and Ros, 2009, section 5. In space `A = hat(w)` and the bracket is the vector
//! product. In the body `R' = R hat(w)` is the same for the inverse with `-w`; its turn is that of the
//! formulas with the bracket of the other sign.
use super::Frame;
use lieflow_kernel::{Real, Vec3};

/// The middle of an interval, relative to its middle and length.
pub const MIDDLE: [f64; 1] = [0.0];
/// The two Gauss points, `∓√3/6`.
pub const GAUSS2: [f64; 2] = [-0.288675134594812882, 0.288675134594812882];
/// The three Gauss points, `∓√15/10` and zero.
pub const GAUSS3: [f64; 3] = [-0.387298334620741689, 0.0, 0.387298334620741689];

/// `√3/12`.
const FOURTH: f64 = 0.144337567297406441;
/// `√15/3`.
const SIXTH: f64 = 1.29099444873580563;

/// `[a, b]`.
#[inline(always)]
fn bracket<S: Real>(frame: Frame, a: Vec3<S>, b: Vec3<S>) -> Vec3<S> {
    match frame {
        Frame::Body => b.cross(a),
        Frame::Space => a.cross(b),
    }
}

/// The turn by the velocity in the middle.
#[inline(always)]
pub fn second<S: Real>([w]: [Vec3<S>; 1], h: f64) -> Vec3<S> {
    w * h
}

/// The turn of order four.
#[inline(always)]
pub fn fourth<S: Real>([a, b]: [Vec3<S>; 2], h: f64, frame: Frame) -> Vec3<S> {
    (a + b) * (0.5 * h) - bracket(frame, a, b) * (FOURTH * h * h)
}

/// The turn of order six.
#[inline(always)]
pub fn sixth<S: Real>([a, b, c]: [Vec3<S>; 3], h: f64, frame: Frame) -> Vec3<S> {
    let a1 = b * h;
    let a2 = (c - a) * (SIXTH * h);
    let a3 = (a + c - b * 2.0) * (10.0 / 3.0 * h);
    let c1 = bracket(frame, a1, a2);
    let c2 = bracket(frame, a1, a3 * 2.0 + c1) * (-1.0 / 60.0);
    let last = bracket(frame, c1 - a1 * 20.0 - a3, a2 + c2);
    a1 + a3 * (1.0 / 12.0) + last * (1.0 / 240.0)
}
