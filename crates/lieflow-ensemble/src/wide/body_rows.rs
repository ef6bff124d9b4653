//! The rows of bodies, side by side as their states are.
use super::dispatch::{Detected, LaneWork, Number};
use crate::table::{Shape, TrajectoryTable};
use lieflow::action::BodyState;
use lieflow::kernel::Mask;
use lieflow::problem::MANIFOLD_BOUND;
use lieflow_models::system::rigid_body::{BodyIntegral, Field, RigidBody};

/// The most first integrals that a body has.
const MOST: usize = BodyIntegral::ALL.len();

/// Writes the rows of bodies, of which all have the same first integrals, if every number is finite and every
/// attitude a rotation. With events, there are columns that only runs alone have.
pub fn write<N: Number>(
    body: &RigidBody<N, Field<N>>,
    states: &[(f64, BodyState<N>)],
    detected: Detected<N>,
    table: &mut TrajectoryTable,
) -> Option<()> {
    let shape = table.shape.clone();
    let Shape { invariants, width, .. } = &*shape;
    let mut integrals = [BodyIntegral::Energy; MOST];
    let integrals = integrals.get_mut(..invariants.len())?;
    for (integral, name) in integrals.iter_mut().zip(invariants) {
        *integral = BodyIntegral::named(name)?;
    }
    if shape.block != N::LANES || !shape.events.is_empty() {
        return None;
    }
    for (time, (_, y)) in states.iter().enumerate() {
        let rows = table.rows_mut(time);
        let work = Rows { body, y, integrals, width: *width, out: rows };
        N::compiled(detected, work).then_some(())?;
    }
    Some(())
}

/// The rows at one time.
struct Rows<'a, N> {
    body: &'a RigidBody<N, Field<N>>,
    y: &'a BodyState<N>,
    integrals: &'a [BodyIntegral],
    width: usize,
    out: &'a mut [f64],
}

impl<N: Number> LaneWork for Rows<'_, N> {
    /// Whether all numbers are finite and all attitudes rotations.
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { body, y, integrals, width, out } = self;
        let columns = body.columns(y);
        let count = integrals.len();
        if columns.len() + 2 * count != width || out.len() != width * N::LANES {
            return false;
        }
        let (numbers, changes) = out.split_at_mut((width - count) * N::LANES);
        let (numbers, values) = numbers.split_at_mut(columns.len() * N::LANES);
        let mut finite = columns[0].finite();
        for (x, out) in columns.iter().zip(numbers.chunks_exact_mut(N::LANES)) {
            finite = finite.and(x.finite());
            x.write_lanes(out);
        }
        let places = values.chunks_exact_mut(N::LANES).zip(changes.chunks_exact_mut(N::LANES));
        for (which, (value, change)) in integrals.iter().zip(places) {
            let now = body.integral(*which, y);
            finite = finite.and(now.finite());
            now.write_lanes(value);
            (now - body.integral(*which, &body.start)).write_lanes(change);
        }
        finite.all() && y.rotation.orthogonality_error() <= MANIFOLD_BOUND
    }
}
