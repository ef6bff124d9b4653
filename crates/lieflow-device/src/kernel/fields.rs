//! The fields of bodies, as numbers.
use super::Column;
use crate::system::Field;
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
/// An attracting plane behind a soft wall.
pub enum SoftWall {}
/// A valley about the identity, and an attracting centre.
pub enum Attractor {}
/// Any of them; which one is the first number.
pub enum AnyField {}

impl AnyField {
    /// The numbers of the kinds, in this order.
    pub const FREE: f64 = 0.0;
    /// A top.
    pub const TOP: f64 = 1.0;
    /// A linear field.
    pub const LINEAR: f64 = 2.0;
    /// A soft wall.
    pub const SOFT_WALL: f64 = 3.0;
    /// An attractor.
    pub const ATTRACTOR: f64 = 4.0;
}

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

impl FieldKind for SoftWall {
    #[inline(always)]
    unsafe fn read(column: Column, first: usize) -> Field<f64> {
        // SAFETY: as the caller says.
        unsafe {
            Field::SoftWall {
                attraction: column.get(first),
                repulsion: column.get(first + 1),
                offset: column.get(first + 2),
                // A whole number of 32 bits, as the host has written it.
                power: column.get(first + 3) as i32,
                printed: column.get(first + 4) != 0.0,
            }
        }
    }
}

impl FieldKind for Attractor {
    #[inline(always)]
    unsafe fn read(column: Column, first: usize) -> Field<f64> {
        // SAFETY: as the caller says.
        unsafe { Field::Attractor { alpha: column.get(first), center: matrix(column, first + 1) } }
    }
}

impl FieldKind for AnyField {
    #[inline(always)]
    unsafe fn read(column: Column, first: usize) -> Field<f64> {
        // SAFETY: as the caller says; the numbers are those of the kind that is named.
        unsafe {
            let (kind, first) = (column.get(first), first + 1);
            if kind == Self::TOP {
                Top::read(column, first)
            } else if kind == Self::LINEAR {
                Linear::read(column, first)
            } else if kind == Self::SOFT_WALL {
                SoftWall::read(column, first)
            } else if kind == Self::ATTRACTOR {
                Attractor::read(column, first)
            } else {
                Field::Free
            }
        }
    }
}

/// The vector whose numbers begin at `first`.
///
/// # Safety
/// The column has them.
#[inline(always)]
pub unsafe fn vector(column: Column, first: usize) -> Vec3<f64> {
    // SAFETY: as the caller says.
    unsafe { vec3(column.get(first), column.get(first + 1), column.get(first + 2)) }
}

/// The matrix whose rows begin at `first`.
///
/// # Safety
/// The column has them.
#[inline(always)]
pub unsafe fn matrix(column: Column, first: usize) -> Mat3<f64> {
    // SAFETY: as the caller says.
    unsafe {
        Mat3::from_rows(vector(column, first), vector(column, first + 3), vector(column, first + 6))
    }
}
