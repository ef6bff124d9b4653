//! Laws by formula: the tapes of the kernel, from memory that all threads read.
//!
//! ```text
//! program   place of the potential's tape (0: none) · of the torque's · 1 + the row of R (0: all)
//! tape      registers · inputs read · constants · instructions · results · first constant among the parameters
//!           then the inputs, then the instructions
//! ```
//!
//! Each is a word of sixteen bytes, which is what an instruction takes.
use super::Column;
use crate::system::Field;
use lieflow::kernel::tape::{Instruction, attitude, moving, one_row};
use lieflow::problem::TorqueField;
use lieflow::{Mat3, Real, Vec3};

/// The registers that a tape may have at most.
pub const REGISTERS: usize = 64;
/// The words at the head of a tape.
pub const HEAD: usize = 6;

/// The torque of a body by formulas.
#[derive(Clone, Copy, Debug)]
pub struct TapeLaw {
    program: *const u128,
    constants: Column,
}

impl TapeLaw {
    /// The law of a program with these constants.
    ///
    /// # Safety
    /// The program is as described above, with tapes of at most [`REGISTERS`] registers, and lives as long as
    /// this; the column has as many numbers as its tapes have constants.
    #[inline(always)]
    pub unsafe fn new(program: *const u128, constants: Column) -> Self {
        Self { program, constants }
    }

    #[inline(always)]
    fn word(&self, k: usize) -> usize {
        // SAFETY: the program has its head.
        unsafe { *self.program.add(k) as usize }
    }

    /// The row of `R` on which the potential depends, if it is one and there is no other torque.
    #[inline(always)]
    fn row(&self) -> Option<usize> {
        self.word(2).checked_sub(1)
    }

    /// Evaluates the tape at a place of the program.
    #[inline(never)]
    fn call(&self, at: usize, inputs: &[f64; 16]) -> Vec3<f64> {
        let mut file = [0.0; REGISTERS];
        // SAFETY: the tape is where the program says, reads inputs that there are, and has no more registers
        // than this file.
        unsafe {
            let tape = self.program.add(at);
            let head = |k: usize| *tape.add(k) as usize;
            let (reads, constants) = (head(1), head(2));
            let mut k = 0;
            while k < reads {
                *file.get_unchecked_mut(k) = *inputs.get_unchecked(head(HEAD + k));
                k += 1;
            }
            let first = head(5);
            let mut k = 0;
            while k < constants {
                *file.get_unchecked_mut(reads + k) = self.constants.get(first + k);
                k += 1;
            }
            let code = tape.add(HEAD + reads).cast::<Instruction>();
            f64::interpret(
                core::slice::from_raw_parts(code, head(3)),
                file.get_unchecked_mut(..head(0)),
            );
            let results = head(4);
            let result = |k: usize| *file.get_unchecked(results >> (16 * k) & 0xFFFF);
            Vec3 { x: result(0), y: result(1), z: result(2) }
        }
    }

    /// The potential's torque; `inputs` are those that know `R` and `t`.
    #[inline(always)]
    fn potential(&self, inputs: [f64; 10]) -> Vec3<f64> {
        let [a, b, c, d, e, f, g, h, i, t] = inputs;
        let o = 0.0;
        self.call(self.word(0), &[a, b, c, d, e, f, g, h, i, t, o, o, o, o, o, o])
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
        match self.word(0) {
            0 => Vec3::zero(),
            _ => self.potential(attitude(t, r)),
        }
    }

    #[inline(always)]
    fn torque_at_rest(&self, t: f64, r: &Mat3<f64>) -> Vec3<f64> {
        self.torque_in_motion(t, r, Vec3::zero(), Vec3::zero())
    }

    #[inline(always)]
    fn torque_in_motion(&self, t: f64, r: &Mat3<f64>, w: Vec3<f64>, p: Vec3<f64>) -> Vec3<f64> {
        let torque = self.torque(t, r);
        match self.word(1) {
            0 => torque,
            at => torque + self.call(at, &moving(t, r, w, p)),
        }
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
        Some(self.potential(one_row(t, self.row()?, g)))
    }
}
