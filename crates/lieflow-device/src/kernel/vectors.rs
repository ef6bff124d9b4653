//! Systems whose state is one vector, as numbers.
use super::fields::{matrix, vector};
use super::{AsNumbers, Column, Kind, write_numbers};
use crate::system::{Macrospin, Material, ReducedBody};
use lieflow::{Mat3, Vec3};

/// A free body on so(3)*.
pub enum Reduced {}
/// A spin in a field, without a formula.
pub enum Spin {}

macro_rules! one_vector {
    ($($system:ty),*) => {
        $(impl AsNumbers for $system {
            const STATE: usize = 3;
            #[inline(always)]
            unsafe fn write_state(state: &Vec3<f64>, out: Column) {
                // SAFETY: as the caller says.
                unsafe { write_numbers(&[state.x, state.y, state.z], out) }
            }
            #[inline(always)]
            unsafe fn read_state(column: Column) -> Vec3<f64> {
                // SAFETY: as the caller says.
                unsafe { vector(column, 0) }
            }
        })*
    };
}
one_vector!(ReducedBody<f64>, Macrospin<f64>);

impl Kind for Reduced {
    type System = ReducedBody<f64>;
    #[inline(always)]
    unsafe fn read(p: Column, start: Vec3<f64>, _: *const u128) -> Self::System {
        // SAFETY: as the caller says. Steps ask for the inverse alone.
        ReducedBody { inertia: Mat3::zero(), inverse: unsafe { matrix(p, 0) }, start }
    }
}

impl Kind for Spin {
    type System = Macrospin<f64>;
    #[inline(always)]
    unsafe fn read(p: Column, start: Vec3<f64>, _: *const u128) -> Self::System {
        // SAFETY: as the caller says.
        let material = unsafe {
            Material { gamma: p.get(0), alpha: p.get(1), b: vector(p, 2), d: vector(p, 5) }
        };
        Macrospin::new(material, start)
    }
}
