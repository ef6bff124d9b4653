//! Straight-line programs over any numbers.
//!
//! A tape is a list of [instructions](Instruction) on a file of registers. There is one
//! interpreter for each scalar, [`Real::interpret`], so that a formula that is only known at run
//! time is worth as much as one that was compiled: it runs over `f64`, over dual numbers for
//! derivatives, over double-doubles for reference values, and over packs, where one decoded
//! instruction does the work of eight or sixteen.
//!
//! Fused forms (`a b + c` and their like) exist to decode less often. Each is rounded as if its
//! operations stood apart, so that fusing never changes a bit.
use crate::{Mask, Real};

mod hyperbolic;
mod inputs;

pub use hyperbolic::{cosh, sinh, tanh};
pub use inputs::{attitude, moving, one_row};

/// What an instruction does. The operands are called `a` to `f`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Code {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a b`.
    Mul,
    /// `a / b`.
    Div,
    /// `-a`.
    Neg,
    /// The square root of `a`.
    Sqrt,
    /// The sine of `a`; its cosine goes to the register that stands in the place of `b`.
    SinCos,
    /// The exponential of `a`.
    Exp,
    /// The natural logarithm of `a`.
    Ln,
    /// The absolute value of `a`.
    Abs,
    /// The angle of the point `(b, a)`.
    Atan2,
    /// The hyperbolic sine of `a`.
    Sinh,
    /// The hyperbolic cosine of `a`.
    Cosh,
    /// The hyperbolic tangent of `a`.
    Tanh,
    /// The largest whole number that is not above `a`.
    Floor,
    /// `c` where `a < b`, else `d`.
    Select,
    /// `b` where `a` is positive, else not a number: for slopes of functions that end at zero.
    Guard,
    /// `(a + b) + c`.
    Sum3,
    /// `(a b) c`.
    Product3,
    /// `a b + c`.
    MulAdd,
    /// `a b - c`.
    MulSub,
    /// `c - a b`.
    SubMul,
    /// `a b + c d`.
    Dot2,
    /// `(a b + c d) + e`.
    Dot2Add,
    /// `(a b + c d) + e f`.
    Dot3,
    /// `a b - c d`.
    Cross,
    /// `(a b - c d) + e`.
    CrossAdd,
}

/// An instruction: sixteen bytes, a quarter of a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Instruction {
    /// What is done.
    pub code: Code,
    /// The register that receives the result.
    pub to: u16,
    /// The registers of the operands; those that the code does not use are ignored.
    pub from: [u16; 6],
}

/// Carries out the instructions in order.
///
/// The length of `file` is a power of two above the number of every register, so that no index can
/// be wrong and none needs a check; with another length the registers are mixed up, and nothing
/// worse. Call [`Real::interpret`], which is compiled once for each scalar.
#[inline(always)]
pub fn interpret<S: Real>(code: &[Instruction], file: &mut [S]) {
    if file.is_empty() {
        return;
    }
    let mask = file.len() - 1;
    macro_rules! r {
        ($i:expr) => {
            file[$i as usize & mask]
        };
    }
    let mut k = 0;
    while k < code.len() {
        let Instruction { code, to, from: [a, b, c, d, e, f] } = code[k];
        k += 1;
        let result = match code {
            Code::Add => r!(a) + r!(b),
            Code::Sub => r!(a) - r!(b),
            Code::Mul => r!(a) * r!(b),
            Code::Div => r!(a) / r!(b),
            Code::Neg => -r!(a),
            Code::Sqrt => r!(a).sqrt(),
            Code::SinCos => {
                let (sin, cos) = r!(a).sin_cos();
                r!(b) = cos;
                sin
            }
            Code::Exp => r!(a).exp(),
            Code::Ln => r!(a).ln(),
            Code::Abs => r!(a).abs(),
            Code::Atan2 => r!(a).atan2(r!(b)),
            Code::Sinh => sinh(r!(a)),
            Code::Cosh => cosh(r!(a)),
            Code::Tanh => tanh(r!(a)),
            Code::Floor => r!(a).floor(),
            Code::Select => S::select(r!(a).lt(r!(b)), r!(c), r!(d)),
            Code::Guard => S::select(S::zero().lt(r!(a)), r!(b), S::lift(f64::NAN)),
            Code::Sum3 => (r!(a) + r!(b)) + r!(c),
            Code::Product3 => (r!(a) * r!(b)) * r!(c),
            Code::MulAdd => r!(a) * r!(b) + r!(c),
            Code::MulSub => r!(a) * r!(b) - r!(c),
            Code::SubMul => r!(c) - r!(a) * r!(b),
            Code::Dot2 => r!(a) * r!(b) + r!(c) * r!(d),
            Code::Dot2Add => (r!(a) * r!(b) + r!(c) * r!(d)) + r!(e),
            Code::Dot3 => (r!(a) * r!(b) + r!(c) * r!(d)) + r!(e) * r!(f),
            Code::Cross => r!(a) * r!(b) - r!(c) * r!(d),
            Code::CrossAdd => (r!(a) * r!(b) - r!(c) * r!(d)) + r!(e),
        };
        r!(to) = result;
    }
}

/// A program with the numbers it begins with.
#[derive(Clone, Copy, Debug)]
pub struct Tape<'a, S> {
    /// What is done.
    pub code: &'a [Instruction],
    /// What the registers hold at the start; see [`interpret`] for its length.
    pub file: &'a [S],
    /// Which inputs go to the first registers, one after the other.
    pub read: &'a [u32],
    /// Which registers hold the results.
    pub outputs: &'a [u16],
}

/// Evaluates a tape with registers on the stack, or in `scratch` where there are more than 256 of
/// them: then it must be as long as the file, or nothing is done. Inputs that are missing keep what
/// the file says. Call [`Real::evaluate`], which is compiled once for each scalar.
#[inline(always)]
pub fn evaluate<S: Real>(tape: Tape<'_, S>, inputs: &[S], out: &mut [S], scratch: &mut [S]) {
    macro_rules! on_stack {
        ($($size:literal)*) => {
            match tape.file.len() {
                $($size => {
                    // Copied at once: registers that are not read cost least like this.
                    if let Ok(file) = <&[S; $size]>::try_from(tape.file) {
                        let mut file = *file;
                        around(tape, &mut file, inputs, out);
                    }
                })*
                size => {
                    if let Some(file) = scratch.get_mut(..size) {
                        file.copy_from_slice(tape.file);
                        around(tape, file, inputs, out);
                    }
                }
            }
        };
    }
    on_stack!(8 16 32 64 128 256);
}

/// Inputs in, instructions, results out.
#[inline(always)]
fn around<S: Real>(tape: Tape<'_, S>, file: &mut [S], inputs: &[S], out: &mut [S]) {
    let mut k = 0;
    while k < tape.read.len() && k < file.len() {
        let from = tape.read[k] as usize;
        if from < inputs.len() {
            file[k] = inputs[from];
        }
        k += 1;
    }
    S::interpret(tape.code, file);
    let mut k = 0;
    while k < tape.outputs.len() && k < out.len() {
        let from = tape.outputs[k] as usize;
        if from < file.len() {
            out[k] = file[from];
        }
        k += 1;
    }
}

/// Whether every number is finite, in all lanes.
#[inline(always)]
pub fn finite<S: Real>(list: &[S]) -> bool {
    let mut k = 0;
    while k < list.len() {
        if !list[k].finite().all() {
            return false;
        }
        k += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dual, Lanes};

    /// Every code once, operands in registers 0 to 5, results from register 8 on.
    fn all() -> Vec<Instruction> {
        use Code::*;
        let codes = [
            Add, Sub, Mul, Div, Neg, Sqrt, Exp, Ln, Abs, Atan2, Sinh, Cosh, Tanh, Floor, Select,
            Guard, Sum3, Product3, MulAdd, MulSub, SubMul, Dot2, Dot2Add, Dot3, Cross, CrossAdd,
        ];
        let mut list: Vec<Instruction> = codes
            .iter()
            .zip(8..)
            .map(|(code, to)| Instruction { code: *code, to, from: [0, 1, 2, 3, 4, 5] })
            .collect();
        list.push(Instruction { code: SinCos, to: 60, from: [0, 61, 0, 0, 0, 0] });
        list
    }

    fn run<S: Real>(inputs: [S; 6]) -> [S; 64] {
        let mut file = [S::zero(); 64];
        file[..6].copy_from_slice(&inputs);
        S::interpret(&all(), &mut file);
        file
    }

    #[test]
    fn fused_forms_are_rounded_as_if_apart() {
        let [a, b, c, d, e, f] = [0.1, 0.7, -0.3, 1.9, 1e-3, 7.7];
        let file = run([a, b, c, d, e, f]);
        assert_eq!(file[8 + 16..8 + 18], [(a + b) + c, (a * b) * c]);
        assert_eq!(file[8 + 18..8 + 21], [a * b + c, a * b - c, c - a * b]);
        assert_eq!(file[8 + 21..8 + 24], [a * b + c * d, a * b + c * d + e, a * b + c * d + e * f]);
        assert_eq!(file[8 + 24..8 + 26], [a * b - c * d, a * b - c * d + e]);
        assert_eq!((file[60], file[61]), Real::sin_cos(a));
    }

    #[test]
    fn lanes_and_values_of_duals_have_the_bits_of_single_numbers() {
        for k in 0..200 {
            let x = [0, 1, 2, 3, 4, 5].map(|i| (f64::from(k * 7 + i * 13) * 0.37 - 9.0) / 3.0);
            let one = run(x);
            let lanes = run(x.map(Lanes::<4>::lift));
            let duals = run(x.map(Dual::<f64, 2>::constant));
            for i in 0..64 {
                for got in [lanes[i].0[0], lanes[i].0[3], duals[i].re] {
                    assert!(got.to_bits() == one[i].to_bits() || (got.is_nan() && one[i].is_nan()));
                }
            }
        }
    }

    #[test]
    fn hyperbolic_functions_keep_their_digits_at_every_size() {
        for x in [1e-300, 1e-9, 0.3, 0.499, 0.5, 0.99, 1.0, 3.0, 40.0, 700.0] {
            for x in [x, -x] {
                let pairs = [(sinh(x), x.sinh()), (cosh(x), x.cosh()), (tanh(x), x.tanh())];
                for (got, want) in pairs {
                    assert!((got - want).abs() <= 4e-15 * want.abs(), "{x}: {got:e} {want:e}");
                }
            }
        }
        let slope = tanh(Dual::<f64, 1>::variable(-0.7, 0)).eps[0];
        assert!((slope - 1.0 / 0.7f64.cosh().powi(2)).abs() < 1e-15);
    }

    #[test]
    fn a_short_file_or_none_is_no_error() {
        let mut file = [1.0; 3];
        f64::interpret(&all(), &mut file);
        f64::interpret(&all(), &mut []);
        assert!(finite(&[1.0, 2.0]) && !finite(&[1.0, f64::NAN]));
    }
}
