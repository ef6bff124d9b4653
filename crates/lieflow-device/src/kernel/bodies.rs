//! Rigid bodies, as numbers.
use super::fields::{AnyField, FieldKind, matrix, vector};
use super::formula::TapeLaw;
use super::{AsNumbers, Column, Kind, write_numbers};
use crate::system::{Field, LiftedBody, RigidBody};
use core::marker::PhantomData;
use lieflow::action::BodyState;
use lieflow::kernel::rigid::Inertia;
use lieflow::problem::TorqueField;

/// A rigid body in its principal frame, in this field.
pub struct Body<F>(PhantomData<F>);
/// A body with two equal moments, whose exact motion is simple.
pub struct Symmetric<F>(PhantomData<F>);
/// A rigid body whose axes are not the principal ones, in any field: torques are chosen at run time.
pub enum Tilted {}
/// A rigid body by formulas, in its principal frame.
pub enum Formula {}
/// The same with other axes.
pub enum TiltedFormula {}
/// Bodies of this kind in the space SO(3) × R³.
pub struct Lifted<K>(PhantomData<K>);

impl<U: TorqueField<f64>> AsNumbers for RigidBody<f64, U> {
    const STATE: usize = 12;
    #[inline(always)]
    unsafe fn write_state(state: &BodyState<f64>, out: Column) {
        let ([a, b, c], p) = (state.rotation.rows, state.momentum);
        let numbers = [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, p.x, p.y, p.z];
        // SAFETY: as the caller says.
        unsafe { write_numbers(&numbers, out) }
    }
    #[inline(always)]
    unsafe fn read_state(column: Column) -> BodyState<f64> {
        // SAFETY: as the caller says.
        unsafe { BodyState::new(matrix(column, 0), vector(column, 9)) }
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

impl Kind for Tilted {
    type System = RigidBody<f64, Field<f64>>;
    #[inline(always)]
    unsafe fn read(p: Column, start: BodyState<f64>, _: *const u128) -> Self::System {
        // SAFETY: as the caller says.
        unsafe {
            let inertia = Inertia::full(&matrix(p, 0));
            RigidBody { inertia, potential: AnyField::read(p, 9), start }
        }
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

impl Kind for TiltedFormula {
    type System = RigidBody<f64, TapeLaw>;
    #[inline(always)]
    unsafe fn read(p: Column, start: BodyState<f64>, program: *const u128) -> Self::System {
        // SAFETY: as the caller says; the constants follow the inertia.
        unsafe {
            let inertia = Inertia::full(&matrix(p, 0));
            RigidBody { inertia, potential: TapeLaw::new(program, p.from(9)), start }
        }
    }
}

impl<U: TorqueField<f64>, K: Kind<System = RigidBody<f64, U>>> Kind for Lifted<K> {
    type System = LiftedBody<f64, U>;
    #[inline(always)]
    unsafe fn read(p: Column, start: BodyState<f64>, program: *const u128) -> Self::System {
        // SAFETY: as the caller says.
        LiftedBody(unsafe { K::read(p, start, program) })
    }
}
