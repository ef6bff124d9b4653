//! Laws by formula.
//!
//! On a GPU they are functions that the host writes for the formulas of a run (`ptx::formula`): the entries call
//! them by name, and the compiler of the driver puts them in their places. On this machine the tapes are
//! interpreted, from a list of words:
//!
//! ```text
//! program   place of the potential's tape (0: none) · of the torque's · 1 + the row of R (0: all)
//! tape      registers · inputs read · constants · instructions · results · first constant among the parameters
//!           then the inputs, then the instructions
//! ```
//!
//! Each is a word of sixteen bytes, which is what an instruction takes. The host writes its functions from them too.
use super::Column;
use super::called::Called;
use crate::system::Field;
use lieflow::kernel::tape::{attitude, moving, one_row};
use lieflow::problem::TorqueField;
use lieflow::{Mat3, Real, Vec3};

/// The registers that a tape may have at most.
pub const REGISTERS: usize = 256;
/// The words at the head of a program.
pub const PROGRAM_HEAD: usize = 3;
/// The words at the head of a tape.
pub const HEAD: usize = 6;

/// The torque of a body by formulas.
#[derive(Clone, Copy, Debug)]
pub struct TapeLaw(Called);

impl TapeLaw {
    /// The law of a program with these constants.
    ///
    /// # Safety
    /// The program is as described above, with tapes of at most [`REGISTERS`] registers and of inputs that
    /// bodies have, and lives as long as this; the column has as many numbers as its tapes have constants.
    #[inline(always)]
    pub unsafe fn new(program: *const u128, constants: Column) -> Self {
        // SAFETY: as the caller says.
        Self(unsafe { Called::new(program, constants) })
    }

    /// The row of `R` on which the potential depends, if it is one and there is no other torque.
    #[inline(always)]
    fn row(&self) -> Option<usize> {
        self.0.row().checked_sub(1)
    }
}

impl TorqueField<f64> for TapeLaw {
    // Nobody asks a GPU for derivatives.
    type Over<T: Real> = Field<T>;
    fn lift<T: Real>(&self, _: fn(f64) -> T) -> Field<T> {
        Field::Free
    }
    fn energy(&self, _: f64, _: &Mat3<f64>) -> f64 {
        0.0
    }

    #[inline(always)]
    fn torque(&self, t: f64, r: &Mat3<f64>) -> Vec3<f64> {
        self.0.potential(attitude(t, r))
    }

    #[inline(always)]
    fn torque_at_rest(&self, t: f64, r: &Mat3<f64>) -> Vec3<f64> {
        self.torque_in_motion(t, r, Vec3::zero(), Vec3::zero())
    }

    #[inline(always)]
    fn torque_in_motion(&self, t: f64, r: &Mat3<f64>, w: Vec3<f64>, p: Vec3<f64>) -> Vec3<f64> {
        self.0.whole(moving(t, r, w, p))
    }

    #[inline(always)]
    fn direction(&self, r: &Mat3<f64>) -> Vec3<f64> {
        match self.row() {
            Some(0) => r.rows[0],
            Some(1) => r.rows[1],
            _ => r.rows[2],
        }
    }

    #[inline(always)]
    fn has_axial_torque(&self) -> bool {
        self.row().is_some()
    }

    #[inline(always)]
    fn axial_torque(&self, t: f64, g: Vec3<f64>) -> Option<Vec3<f64>> {
        Some(self.0.potential(one_row(t, self.row()?, g)))
    }
}
