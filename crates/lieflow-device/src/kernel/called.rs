//! The functions of formulas, as a thread calls them: by name on a GPU, by the interpreter on this machine.
use super::Column;
use lieflow::Vec3;

/// The formulas of a run, with the constants of a trajectory.
#[derive(Clone, Copy, Debug)]
pub struct Called {
    /// The words, which a GPU has no need of.
    #[cfg_attr(target_arch = "nvptx64", allow(dead_code))]
    program: *const u128,
    constants: Column,
}

impl Called {
    /// The formulas of a program.
    ///
    /// # Safety
    /// As for [`TapeLaw::new`](super::formula::TapeLaw::new).
    #[inline(always)]
    pub unsafe fn new(program: *const u128, constants: Column) -> Self {
        Self { program, constants }
    }
}

#[cfg(target_arch = "nvptx64")]
mod by_name {
    use super::*;

    /// Three numbers as functions hand them back.
    #[repr(C)]
    struct Three {
        x: f64,
        y: f64,
        z: f64,
    }

    macro_rules! functions {
        ($($(#[$doc:meta])* $name:ident($($x:ident)*) -> $result:ty;)*) => {
            // The host writes them after these declarations (`ptx::formula`); arguments are the inputs of a tape
            // in their order, then where the constants are.
            unsafe extern "C" {
                $($(#[$doc])* fn $name($($x: f64,)* constants: *const f64) -> $result;)*
            }
        };
    }
    functions! {
        /// One above the row of `R` that counts; zero if all do.
        lieflow_formula_row() -> u64;
        /// The torque of the potential.
        lieflow_formula_potential(a b c d e f g h i t) -> Three;
        /// With the torque beside it.
        lieflow_formula_whole(a b c d e f g h i u v w p q r t) -> Three;
        /// The field on a spin.
        lieflow_formula_field(x y z t) -> Three;
    }

    impl Called {
        #[inline(always)]
        pub fn row(&self) -> usize {
            // SAFETY: it only hands back a number.
            unsafe { lieflow_formula_row(self.constants.first) as usize }
        }
        #[inline(always)]
        pub fn potential(&self, inputs: [f64; 10]) -> Vec3<f64> {
            let [a, b, c, d, e, f, g, h, i, t] = inputs;
            // SAFETY: it reads no more constants than there are, and writes nothing.
            let Three { x, y, z } = unsafe {
                lieflow_formula_potential(a, b, c, d, e, f, g, h, i, t, self.constants.first)
            };
            Vec3 { x, y, z }
        }
        #[inline(always)]
        pub fn whole(&self, inputs: [f64; 16]) -> Vec3<f64> {
            let [a, b, c, d, e, f, g, h, i, u, v, w, p, q, r, t] = inputs;
            // SAFETY: as above.
            let Three { x, y, z } = unsafe {
                lieflow_formula_whole(
                    a,
                    b,
                    c,
                    d,
                    e,
                    f,
                    g,
                    h,
                    i,
                    u,
                    v,
                    w,
                    p,
                    q,
                    r,
                    t,
                    self.constants.first,
                )
            };
            Vec3 { x, y, z }
        }
        #[inline(always)]
        pub fn field(&self, t: f64, m: Vec3<f64>) -> Vec3<f64> {
            // SAFETY: as above.
            let Three { x, y, z } =
                unsafe { lieflow_formula_field(m.x, m.y, m.z, t, self.constants.first) };
            Vec3 { x, y, z }
        }
    }
}

#[cfg(not(target_arch = "nvptx64"))]
mod interpreted {
    use super::super::formula::{HEAD, REGISTERS};
    use super::*;
    use lieflow::Real;
    use lieflow::kernel::tape::Instruction;

    impl Called {
        #[inline(always)]
        fn word(&self, k: usize) -> usize {
            // SAFETY: the program has its head.
            unsafe { *self.program.add(k) as usize }
        }

        /// One above the row of `R` that counts; zero if all do.
        #[inline(always)]
        pub fn row(&self) -> usize {
            self.word(2)
        }

        /// The torque of the potential.
        #[inline(always)]
        pub fn potential(&self, inputs: [f64; 10]) -> Vec3<f64> {
            match self.word(0) {
                0 => Vec3::zero(),
                at => self.call(at, &inputs),
            }
        }

        /// With the torque beside it.
        #[inline(always)]
        pub fn whole(&self, inputs: [f64; 16]) -> Vec3<f64> {
            let [a, b, c, d, e, f, g, h, i, _, _, _, _, _, _, t] = inputs;
            let torque = self.potential([a, b, c, d, e, f, g, h, i, t]);
            match self.word(1) {
                0 => torque,
                at => torque + self.call(at, &inputs),
            }
        }

        /// The field on a spin.
        #[inline(always)]
        pub fn field(&self, t: f64, m: Vec3<f64>) -> Vec3<f64> {
            match self.word(0) {
                0 => Vec3::zero(),
                at => self.call(at, &[m.x, m.y, m.z, t]),
            }
        }

        /// Evaluates the tape at a place of the program.
        #[inline(never)]
        fn call(&self, at: usize, inputs: &[f64]) -> Vec3<f64> {
            let mut file = [0.0; REGISTERS];
            // SAFETY: the tape is where the program says, reads inputs that there are, and has no more
            // registers than this file.
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
    }
}
