//! Systems whose state is one vector, as numbers.
use super::called::Called;
use super::fields::{matrix, vector};
use super::{AsNumbers, Column, Kind, write_numbers};
use crate::system::{Macrospin, Material, ReducedBody};
use lieflow::action::Turn;
use lieflow::problem::{Generator, Problem};
use lieflow::stepping::unit;
use lieflow::{Mat3, Vec3};

/// A free body on so(3)*.
pub enum Reduced {}
/// A spin in a field, without a formula.
pub enum Spin {}
/// A spin with a field by formula.
pub enum SpinFormula {}

/// [`Macrospin`] with its formula as a thread has it.
pub struct DrivenSpin {
    material: Material<f64>,
    start: Vec3<f64>,
    law: Called,
}

impl Problem for DrivenSpin {
    type Point = Vec3<f64>;
    fn start(&self) -> Vec3<f64> {
        self.start
    }
    fn restore(&self, y: &mut Vec3<f64>) {
        *y = unit(*y);
    }
}

impl Generator for DrivenSpin {
    type Space = Turn<f64>;
    #[inline(always)]
    fn field(&self, t: f64, m: &Vec3<f64>) -> Vec3<f64> {
        self.material.generator(*m, self.material.field(*m) + self.law.field(t, *m))
    }
}

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
one_vector!(ReducedBody<f64>, Macrospin<f64>, DrivenSpin);

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
        Macrospin::new(unsafe { material(p) }, start)
    }
}

/// The numbers of a material.
const MATERIAL: usize = 8;

/// The material whose numbers a column begins with.
///
/// # Safety
/// The column has them.
#[inline(always)]
unsafe fn material(p: Column) -> Material<f64> {
    // SAFETY: as the caller says.
    unsafe { Material { gamma: p.get(0), alpha: p.get(1), b: vector(p, 2), d: vector(p, 5) } }
}

impl Kind for SpinFormula {
    type System = DrivenSpin;
    #[inline(always)]
    unsafe fn read(p: Column, start: Vec3<f64>, program: *const u128) -> Self::System {
        // SAFETY: as the caller says; the constants follow the material.
        unsafe {
            let law = Called::new(program, p.from(MATERIAL));
            DrivenSpin { material: material(p), start, law }
        }
    }
}
