//! The systems that GPUs know, as numbers.
use super::{AsNumbers, Column, Kind};
use crate::system::{Field, LiftedBody, RigidBody};
use lieflow::action::BodyState;
use lieflow::kernel::rigid::{Inertia, Round};
use lieflow::problem::TorqueField;
use lieflow::{Mat3, Vec3, vec3};

/// The parameters of a field.
pub trait FieldKind {
    /// The name of the body.
    const BODY: &'static str;
    /// The name of the body with two equal moments, the axis of the field that of symmetry.
    const ROUND: &'static str;
    /// The name of the body in the space SO(3) × R³.
    const LIFTED: &'static str;
    /// How many numbers it has.
    const NUMBERS: usize;
    /// Writes them; `false` if the field is another one.
    fn write(field: &Field<f64>, out: &mut [f64]) -> bool;
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
    const BODY: &'static str = "a free body";
    const ROUND: &'static str = "a free body with two equal moments";
    const LIFTED: &'static str = "a free body in the space lift";
    const NUMBERS: usize = 0;
    fn write(field: &Field<f64>, _: &mut [f64]) -> bool {
        matches!(field, Field::Free)
    }
    #[inline(always)]
    unsafe fn read(_: Column, _: usize) -> Field<f64> {
        Field::Free
    }
}

impl FieldKind for Top {
    const BODY: &'static str = "a top (lagrange-top)";
    const ROUND: &'static str = "a symmetric top (lagrange-top)";
    const LIFTED: &'static str = "a top (lagrange-top) in the space lift";
    const NUMBERS: usize = 1;
    fn write(field: &Field<f64>, out: &mut [f64]) -> bool {
        let Field::LagrangeTop { strength } = field else { return false };
        out.copy_from_slice(&[*strength]);
        true
    }
    #[inline(always)]
    unsafe fn read(column: Column, first: usize) -> Field<f64> {
        // SAFETY: as the caller says.
        Field::LagrangeTop { strength: unsafe { column.get(first) } }
    }
}

impl FieldKind for Linear {
    const BODY: &'static str = "a body in a linear field";
    const ROUND: &'static str = "a symmetric body in a linear field along its axis";
    const LIFTED: &'static str = "a body in a linear field in the space lift";
    const NUMBERS: usize = 7;
    fn write(field: &Field<f64>, out: &mut [f64]) -> bool {
        let Field::Linear { strength, axis: a, direction: d } = field else { return false };
        out.copy_from_slice(&[*strength, a.x, a.y, a.z, d.x, d.y, d.z]);
        true
    }
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

impl AsNumbers for RigidBody<f64, Field<f64>> {
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

impl AsNumbers for LiftedBody<f64, Field<f64>> {
    const STATE: usize = RigidBody::<f64, Field<f64>>::STATE;
    #[inline(always)]
    unsafe fn write_state(state: &BodyState<f64>, out: Column) {
        // SAFETY: as the caller says.
        unsafe { RigidBody::<f64, Field<f64>>::write_state(state, out) }
    }
    #[inline(always)]
    unsafe fn read_state(column: Column) -> BodyState<f64> {
        // SAFETY: as the caller says.
        unsafe { RigidBody::<f64, Field<f64>>::read_state(column) }
    }
}

impl<F: FieldKind> Kind for Body<F> {
    type System = RigidBody<f64, Field<f64>>;
    const NAME: &'static str = F::BODY;
    const PARAMETERS: usize = 3 + F::NUMBERS;

    fn write(system: &Self::System, parameters: &mut [f64]) -> bool {
        if !system.inertia.is_diagonal() || parameters.len() != Self::PARAMETERS {
            return false;
        }
        let Vec3 { x, y, z } = system.inertia.moments();
        parameters[..3].copy_from_slice(&[x, y, z]);
        F::write(&system.potential, &mut parameters[3..])
    }

    #[inline(always)]
    unsafe fn read(parameters: Column, start: BodyState<f64>) -> Self::System {
        // SAFETY: as the caller says.
        unsafe {
            let inertia = Inertia::principal(vector(parameters, 0));
            RigidBody { inertia, potential: F::read(parameters, 3), start }
        }
    }
}

impl<F: FieldKind> Kind for Symmetric<F> {
    type System = RigidBody<f64, Field<f64>>;
    const NAME: &'static str = F::ROUND;
    const PARAMETERS: usize = Body::<F>::PARAMETERS;
    fn write(system: &Self::System, parameters: &mut [f64]) -> bool {
        let Round::About(axis) = system.inertia.round() else { return false };
        let along = match system.potential.axis() {
            None => true,
            Some((chi, _)) => chi.cross(Vec3::unit(axis)) == Vec3::zero(),
        };
        along && Body::<F>::write(system, parameters)
    }
    #[inline(always)]
    unsafe fn read(parameters: Column, start: BodyState<f64>) -> Self::System {
        // SAFETY: as the caller says.
        unsafe { Body::<F>::read(parameters, start) }
    }
}

impl<F: FieldKind> Kind for Lifted<F> {
    type System = LiftedBody<f64, Field<f64>>;
    const NAME: &'static str = F::LIFTED;
    const PARAMETERS: usize = Body::<F>::PARAMETERS;
    fn write(system: &Self::System, parameters: &mut [f64]) -> bool {
        Body::<F>::write(&system.0, parameters)
    }
    #[inline(always)]
    unsafe fn read(parameters: Column, start: BodyState<f64>) -> Self::System {
        // SAFETY: as the caller says.
        LiftedBody(unsafe { Body::<F>::read(parameters, start) })
    }
}
