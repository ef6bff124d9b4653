//! The coordinates of the flow itself to order four in the step size, for the free rigid body.
//!
//! ```text
//! m^(0) = m,  m^(j+1) = sum_i binom(j,i) m^(i) × A m^(j-i)       w^(j) = -A m^(j) [+ a m^(j)]
//! exp  xi = sum_{j=1..4} h^j/j! w^(j-1) + h^3/12 [w1,w] + h^4/24 [w2,w]
//! cay  the same + h^3/12 |w|^2 w + h^4/24 (|w|^2 w1 + 2 <w1,w> w)
//! ```
//!
//! With the orthogonal generator parts of these lie in the isotropy algebra and are left out:
//!
//! ```text
//! exp  xi = sum_j h^j/j! w^(j-1)
//! cay  the same + h^3/12 (|w|^2 w + <w2,m> m) + h^4/8 <w1,w> w
//! ```
//!
//! Lewis and Olver 2001, section 4 ("sy4"), for Cayley's map; the exponential forms are ours.
use super::body::Choice;
use super::exponential::Exponential;
use lieflow_kernel::{Real, Vec3};

/// `xi` at a point of norm one.
#[inline(always)]
pub(super) fn coordinates<S: Real>(
    choice: Choice,
    exponential: Exponential,
    a: Vec3<S>,
    m: Vec3<S>,
    h: S,
) -> Vec3<S> {
    let am = m.scaled_by(a);
    let m1 = super::body::field(a, m);
    let am1 = m1.scaled_by(a);
    let m2 = m1.cross(am) + m.cross(am1);
    let am2 = m2.scaled_by(a);
    let m3 = m2.cross(am) + m1.cross(am1) * 2.0 + m.cross(am2);
    let am3 = m3.scaled_by(a);
    let (w, w1, w2, w3) = match choice {
        Choice::Basic => (-am, -am1, -am2, -am3),
        Choice::Orthogonal => {
            // <m, A m> is constant along the flow.
            let e = am.dot(m);
            (m.times(e) - am, m1.times(e) - am1, m2.times(e) - am2, m3.times(e) - am3)
        }
    };
    let h2 = h * h;
    let (h3, h4) = (h2 * h, h2 * h2);
    let mut xi =
        w.times(h) + w1.times(h2 * 0.5) + w2.times(h3 * (1.0 / 6.0)) + w3.times(h4 * (1.0 / 24.0));
    match (choice, exponential) {
        (Choice::Basic, _) => {
            xi += w1.cross(w).times(h3 * (1.0 / 12.0)) + w2.cross(w).times(h4 * (1.0 / 24.0));
            if exponential == Exponential::Cayley {
                let n = w.norm_squared();
                xi += w.times(n * h3 * (1.0 / 12.0));
                xi += (w1.times(n) + w.times(w1.dot(w) * 2.0)).times(h4 * (1.0 / 24.0));
            }
        }
        (Choice::Orthogonal, Exponential::Exp) => {}
        (Choice::Orthogonal, Exponential::Cayley) => {
            let inner = w.times(w.norm_squared()) + m.times(w2.dot(m));
            xi += inner.times(h3 * (1.0 / 12.0)) + w.times(w1.dot(w) * h4 * (1.0 / 8.0));
        }
    }
    xi
}
