//! The motion of a rigid body as a power series in time.
//!
//! Where the torque is linear in a row of the attitude, or there is none, the series is that of [`TwoRows`], of
//! fifteen products for each pair of orders; under any other torque that of [`FourVectors`].
use super::axial_body::AxialBody;
use super::four_vectors::FourVectors;
use super::two_rows::TwoRows;
use super::{Field, RigidBody};
use lieflow::action::BodyState;
use lieflow::method::taylor::{Expansion, work};
use lieflow::stepping::EvenSteps;
use lieflow::{Mat3, Vec3};

type Body = RigidBody<f64, Field<f64>>;

/// The terms of a motion.
pub enum BodySeries {
    /// Under a torque that is linear in a row.
    Axial(Box<TwoRows>),
    /// Under any other.
    Any(FourVectors),
}

impl BodySeries {
    /// For this body, up to an order.
    pub fn new(body: &Body, order: usize) -> Option<Self> {
        Some(match axial(body) {
            Some(body) => Self::Axial(Box::new(TwoRows::new(body, order))),
            None => Self::Any(FourVectors::new(body, order)?),
        })
    }
}

/// The body with its torque, if that is linear in a row of the attitude.
fn axial(body: &Body) -> Option<AxialBody> {
    let (axis, row) = match &body.potential {
        Field::Free => (Vec3::zero(), 2),
        Field::LagrangeTop { strength } => (Vec3::unit(2).times(*strength), 2),
        Field::Linear { strength, axis, direction } => {
            let along = direction.to_array();
            let row = along.iter().position(|x| *x != 0.0).unwrap_or(2);
            if along.iter().skip(row + 1).any(|x| *x != 0.0) {
                return None;
            }
            (axis.times(*strength * along[row]), row)
        }
        _ => return None,
    };
    Some(AxialBody::new(&body.inertia, axis, row))
}

impl Expansion<Body> for BodySeries {
    fn expand(&mut self, body: &Body, t: f64, y: &BodyState<f64>, order: usize) {
        match self {
            Self::Axial(series) => series.expand(y, order),
            Self::Any(series) => series.expand(body, t, y, order),
        }
    }

    fn step_many(
        &mut self,
        body: &Body,
        steps: &EvenSteps,
        order: usize,
        y: &mut BodyState<f64>,
    ) -> u64 {
        match self {
            Self::Axial(series) => series.step_many(steps.h, steps.count, order, y),
            Self::Any(series) => series.step_many(body, steps, order, y),
        }
    }

    fn size(&self, k: usize) -> f64 {
        match self {
            Self::Axial(series) => series.size(k),
            Self::Any(series) => series.size(k),
        }
    }

    fn is_finite(&self, order: usize) -> bool {
        match self {
            Self::Axial(series) => series.is_finite(order),
            Self::Any(series) => series.is_finite(order),
        }
    }

    fn work(&self, order: usize) -> f64 {
        match self {
            Self::Axial(series) => series.work(order),
            Self::Any(_) => work(order),
        }
    }

    fn after(&self, _: &Body, _: &BodyState<f64>, h: f64, out: &mut BodyState<f64>) {
        *out = match self {
            Self::Axial(series) => series.after(h),
            Self::Any(series) => series.after(h),
        };
    }
}

/// The rotation next to a matrix that nearly is one: `R (3 - RᵀR) / 2`, as often as it takes.
pub fn nearest_rotation(r: Mat3<f64>) -> Mat3<f64> {
    nearest(r)
}

#[inline(always)]
pub(super) fn nearest(mut r: Mat3<f64>) -> Mat3<f64> {
    for _ in 0..6 {
        let [a, b, c] = r.transpose().rows;
        let (ab, bc, ca) = (a.dot(b), b.dot(c), c.dot(a));
        let (aa, bb, cc) = (a.dot(a) - 1.0, b.dot(b) - 1.0, c.dot(c) - 1.0);
        let rows = [[aa, ab, ca], [ab, bb, bc], [ca, bc, cc]].map(Vec3::from);
        r = r - r.matmul(&Mat3 { rows }) * 0.5;
        let far = [aa, bb, cc, ab, bc, ca].iter().any(|x| x.abs() > 1e-8);
        if !far {
            break;
        }
    }
    r
}
