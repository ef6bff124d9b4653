//! The systems that GPUs know, as numbers.
use super::formula::TapeLaw;
use super::{AsNumbers, Column, Kind};
use crate::system::{Field, LiftedBody, RigidBody};
use lieflow::action::BodyState;
use lieflow::kernel::rigid::Inertia;
use lieflow::problem::TorqueField;
use lieflow::{Mat3, Vec3, vec3};

/// The parameters of a field.
pub trait FieldKind {
    /// Reads them, from number `first` on.
    ///
    /// # Safety
    /// The column has them.
    unsafe fn read(column: Column, first: usize) -> Field<f64>;
}

/// No field.
pub enum Free {}
/// A top.
pub enum Top {}
/// A field that is linear in the attitude.
pub enum Linear {}

impl FieldKind for Free {
    #[inline(always)]
    unsafe fn read(_: Column, _: usize) -> Field<f64> {
        Field::Free
    }
}

impl FieldKind for Top {
    #[inline(always)]
    unsafe fn read(column: Column, first: usize) -> Field<f64> {
        // SAFETY: as the caller says.
        Field::LagrangeTop { strength: unsafe { column.get(first) } }
    }
}

impl FieldKind for Linear {
    #[inline(always)]
    unsafe fn read(column: Column, first: usize) -> Field<f64> {
        // SAFETY: as the caller says.
        unsafe {
            Field::Linear {
                strength: column.get(first),
                axis: vector(column, first + 1),
                direction: vector(column, first + 4),
            }
        }
    }
}

/// The vector whose numbers begin at `first`.
#[inline(always)]
unsafe fn vector(column: Column, first: usize) -> Vec3<f64> {
    // SAFETY: as the caller says.
    unsafe { vec3(column.get(first), column.get(first + 1), column.get(first + 2)) }
}

/// A rigid body in its principal frame, in this field.
pub struct Body<F>(core::marker::PhantomData<F>);
/// A body with two equal moments, whose exact motion is simple.
pub struct Symmetric<F>(core::marker::PhantomData<F>);
/// A rigid body in the space SO(3) × R³.
pub struct Lifted<F>(core::marker::PhantomData<F>);

/// A rigid body by formulas.
pub enum Formula {}

impl<U: TorqueField<f64>> AsNumbers for RigidBody<f64, U> {
    const STATE: usize = 12;
    #[inline(always)]
    unsafe fn write_state(state: &BodyState<f64>, out: Column) {
        let ([a, b, c], p) = (state.rotation.rows, state.momentum);
        let numbers = [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, p.x, p.y, p.z];
        let mut k = 0;
        while k < Self::STATE {
            // SAFETY: as the caller says.
            unsafe { out.set(k, numbers[k]) };
            k += 1;
        }
    }
    #[inline(always)]
    unsafe fn read_state(column: Column) -> BodyState<f64> {
        // SAFETY: as the caller says.
        unsafe {
            let rotation = Mat3::from_rows(vector(column, 0), vector(column, 3), vector(column, 6));
            BodyState::new(rotation, vector(column, 9))
        }
    }
}

impl<U: TorqueField<f64>> AsNumbers for LiftedBody<f64, U> {
    const STATE: usize = RigidBody::<f64, U>::STATE;
    #[inline(always)]
    unsafe fn write_state(state: &BodyState<f64>, out: Column) {
        // SAFETY: as the caller says.
        unsafe { RigidBody::<f64, U>::write_state(state, out) }
    }
    #[inline(always)]
    unsafe fn read_state(column: Column) -> BodyState<f64> {
        // SAFETY: as the caller says.
        unsafe { RigidBody::<f64, U>::read_state(column) }
    }
}

impl<F: FieldKind> Kind for Body<F> {
    type System = RigidBody<f64, Field<f64>>;
    #[inline(always)]
    unsafe fn read(p: Column, start: BodyState<f64>, _: *const u128) -> Self::System {
        // SAFETY: as the caller says.
        unsafe {
            let inertia = Inertia::principal(vector(p, 0));
            RigidBody { inertia, potential: F::read(p, 3), start }
        }
    }
}

impl<F: FieldKind> Kind for Symmetric<F> {
    type System = RigidBody<f64, Field<f64>>;
    #[inline(always)]
    unsafe fn read(p: Column, start: BodyState<f64>, program: *const u128) -> Self::System {
        // SAFETY: as the caller says.
        unsafe { Body::<F>::read(p, start, program) }
    }
}

impl<F: FieldKind> Kind for Lifted<F> {
    type System = LiftedBody<f64, Field<f64>>;
    #[inline(always)]
    unsafe fn read(p: Column, start: BodyState<f64>, program: *const u128) -> Self::System {
        // SAFETY: as the caller says.
        LiftedBody(unsafe { Body::<F>::read(p, start, program) })
    }
}

impl Kind for Formula {
    type System = RigidBody<f64, TapeLaw>;
    #[inline(always)]
    unsafe fn read(p: Column, start: BodyState<f64>, program: *const u128) -> Self::System {
        // SAFETY: as the caller says; the constants follow the moments.
        unsafe {
            let inertia = Inertia::principal(vector(p, 0));
            RigidBody { inertia, potential: TapeLaw::new(program, p.from(3)), start }
        }
    }
}
