//! A body whose torque is linear in a row of its attitude, and that row with the next one: the third follows from them.
use lieflow::action::BodyState;
use lieflow::kernel::Real;
use lieflow::kernel::rigid::Inertia;
use lieflow::{Mat3, Vec3};

/// A body, and a torque that is linear in a row of its attitude.
#[derive(Clone, Debug)]
pub struct AxialBody {
    /// The inverses of the principal moments.
    pub inverse: Vec3<f64>,
    /// The principal axes, where they are not those of the body.
    frame: Option<Mat3<f64>>,
    /// `a`, in principal axes.
    pub axis: Vec3<f64>,
    /// Which row is `γ`; the next one is `r`.
    pub row: usize,
}

impl AxialBody {
    /// Of this inertia, with the torque `γ × axis` of this row.
    pub fn new(inertia: &Inertia<f64>, axis: Vec3<f64>, row: usize) -> Self {
        let frame = (!inertia.is_diagonal()).then(|| *inertia.frame());
        let axis = frame.map_or(axis, |q| q.apply_transpose(axis));
        Self { inverse: subtractable(inertia.inverse_moments()), frame, axis, row: row % 3 }
    }

    /// From the axes of the body to principal ones.
    #[inline(always)]
    pub fn principal(&self, v: Vec3<f64>) -> Vec3<f64> {
        if let Some(frame) = &self.frame { frame.apply_transpose(v) } else { v }
    }

    /// Back.
    #[inline(always)]
    pub fn body(&self, v: Vec3<f64>) -> Vec3<f64> {
        if let Some(frame) = &self.frame { frame.apply(v) } else { v }
    }
}

/// Numbers next to these whose differences are exact where that changes them by roundings only: then `P' = P × ω` to
/// the last bit of every product, and energy and spatial momentum have no error that is the same in every step.
fn subtractable(v: Vec3<f64>) -> Vec3<f64> {
    let most = Real::max(Real::max(v.x, v.y), v.z);
    let least = -Real::max(Real::max(-v.x, -v.y), -v.z);
    let unit = f64::from_bits(most.to_bits() & f64::INFINITY.to_bits()) * f64::EPSILON;
    if least * 16.0 < most || !unit.is_normal() {
        return v;
    }
    let near = |x: f64| (x / unit).round() * unit;
    Vec3 { x: near(v.x), y: near(v.y), z: near(v.z) }
}

/// What a step begins and ends with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// `γ`.
    pub row: Vec3<f64>,
    /// `r`.
    pub next: Vec3<f64>,
    /// `P`, in the axes of the body.
    pub momentum: Vec3<f64>,
}

impl Ends {
    /// Of this state.
    #[inline(always)]
    pub fn of(y: &BodyState<f64>, row: usize) -> Self {
        let rows = &y.rotation.rows;
        Self { row: rows[row], next: rows[(row + 1) % 3], momentum: y.momentum }
    }

    /// The state.
    #[inline(always)]
    pub fn state(&self, row: usize) -> BodyState<f64> {
        let mut rows = [self.row.cross(self.next); 3];
        rows[row] = self.row;
        rows[(row + 1) % 3] = self.next;
        BodyState::new(Mat3 { rows }, self.momentum)
    }
}

/// The orthonormal vectors next to two that nearly are so: `(γ, r) (1 + E)^(-1/2)` with `E` their scalar products
/// less the identity, to third order and as often as it takes. What is as near as roundings let anybody see stays as
/// it is: their mean, added in every step, would turn the body by and by.
#[inline(always)]
pub fn orthonormal(mut row: Vec3<f64>, mut next: Vec3<f64>) -> [Vec3<f64>; 2] {
    for _ in 0..6 {
        let (a, b, c) = (row.dot(row) - 1.0, next.dot(next) - 1.0, row.dot(next));
        let far = Real::max(Real::max(a.abs(), b.abs()), c.abs());
        if far < SEEN {
            break;
        }
        let (f, g, m) = (0.375 - 0.3125 * a, 0.375 - 0.3125 * b, -0.3125 * c);
        let (f, g, m) = (0.5 - (a * f + c * m), 0.5 - (b * g + c * m), -(a * m + c * g));
        // What is added is small, so that its roundings are.
        let (f, g, m) = (a * f + c * m, b * g + c * m, a * m + c * g);
        (row, next) = (row - (row * f + next * m), next - (next * g + row * m));
        if far < CUBED {
            break;
        }
    }
    [row, next]
}

/// Below this scalar products are not told from their roundings.
const SEEN: f64 = 4e-16;
/// The fourth power of what is smaller is lost in roundings.
const CUBED: f64 = 1e-4;
