//! Straight-line programs over any numbers.
//!
//! A tape is a list of [instructions](Instruction) on a file of registers. There is one
//! interpreter for each scalar, [`Real::interpret`], so that a formula that is only known at run
//! time is worth as much as one that was compiled: it runs over `f64`, over dual numbers for
//! derivatives, over double-doubles for reference values, and over packs, where one decoded
//! instruction does the work of eight or sixteen.
//!
//! Fused forms (`a b + c` and their like) and [rows](Code::row) of equal codes exist to decode less
//! often: that is what a tape's time is spent on. Each operation is rounded as if it stood apart, so
//! that neither changes a bit.
use crate::{Mask, Real};

mod code;
mod hyperbolic;
mod inputs;

pub use code::{Code, LONGEST_ROW};
pub use hyperbolic::{cosh, sinh, tanh};
pub use inputs::{attitude, moving, one_row};

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

/// Carries out the instructions in order. A row whose end is missing is cut to its first instruction.
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
    macro_rules! carry_out {
        ($instruction:expr, [$($x:ident)*], $value:expr) => {{
            let Instruction { to, from: [$($x),*], .. } = *$instruction;
            let _ = ($($x),*);
            let result = $value;
            r!(to) = result;
        }};
    }
    // Rows are written out: the end of a loop would be guessed wrong too often.
    macro_rules! instructions {
        ($rest:ident, $x:tt;
            alone { $($code:ident => $value:expr;)* }
            rows { $($one:ident $two:ident $three:ident => $sum:expr;)* }
        ) => {
            while let [first, after @ ..] = $rest {
                $rest = after;
                match first.code {
                    $(Code::$code => carry_out!(first, $x, $value),)*
                    $(Code::$one => carry_out!(first, $x, $sum),
                    Code::$two => {
                        carry_out!(first, $x, $sum);
                        if let [second, after @ ..] = after {
                            $rest = after;
                            carry_out!(second, $x, $sum);
                        }
                    }
                    Code::$three => {
                        carry_out!(first, $x, $sum);
                        if let [second, third, after @ ..] = after {
                            $rest = after;
                            carry_out!(second, $x, $sum);
                            carry_out!(third, $x, $sum);
                        }
                    })*
                }
            }
        };
    }
    let mut rest = code;
    instructions! { rest, [a b c d e f];
        alone {
            Neg => -r!(a);
            Sqrt => r!(a).sqrt();
            SinCos => {
                let (sin, cos) = r!(a).sin_cos();
                r!(b) = cos;
                sin
            };
            Exp => r!(a).exp();
            Ln => r!(a).ln();
            Abs => r!(a).abs();
            Atan2 => r!(a).atan2(r!(b));
            Sinh => sinh(r!(a));
            Cosh => cosh(r!(a));
            Tanh => tanh(r!(a));
            Floor => r!(a).floor();
            Select => S::select(r!(a).lt(r!(b)), r!(c), r!(d));
            Guard => S::select(S::zero().lt(r!(a)), r!(b), S::lift(f64::NAN));
            Sum3 => (r!(a) + r!(b)) + r!(c);
            MulSub => r!(a) * r!(b) - r!(c);
        }
        rows {
            Add TwoAdd ThreeAdd => r!(a) + r!(b);
            Sub TwoSub ThreeSub => r!(a) - r!(b);
            Mul TwoMul ThreeMul => r!(a) * r!(b);
            Div TwoDiv ThreeDiv => r!(a) / r!(b);
            Product3 TwoProduct3 ThreeProduct3 => (r!(a) * r!(b)) * r!(c);
            MulAdd TwoMulAdd ThreeMulAdd => r!(a) * r!(b) + r!(c);
            SubMul TwoSubMul ThreeSubMul => r!(c) - r!(a) * r!(b);
            Dot2 TwoDot2 ThreeDot2 => r!(a) * r!(b) + r!(c) * r!(d);
            Dot2Add TwoDot2Add ThreeDot2Add => (r!(a) * r!(b) + r!(c) * r!(d)) + r!(e);
            Dot3 TwoDot3 ThreeDot3 => (r!(a) * r!(b) + r!(c) * r!(d)) + r!(e) * r!(f);
            Cross TwoCross ThreeCross => r!(a) * r!(b) - r!(c) * r!(d);
            CrossAdd TwoCrossAdd ThreeCrossAdd => (r!(a) * r!(b) - r!(c) * r!(d)) + r!(e);
        }
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

    /// All instructions `times` in a row, the copies of each from registers 64 and 128 on.
    fn in_rows(times: usize) -> Vec<Instruction> {
        let mut list = Vec::new();
        for i in all() {
            let copies = if i.code.row(times).is_some() { times } else { 1 };
            let mut row: Vec<_> = (0..copies as u16)
                .map(|k| Instruction { code: i.code, to: i.to + 64 * k, from: i.from })
                .collect();
            row[0].code = i.code.row(copies).unwrap();
            assert_eq!(row[0].code.single(), i.code);
            list.extend(row);
        }
        list
    }

    #[test]
    fn a_row_does_what_its_instructions_do_alone() {
        let inputs = [0.1, 0.7, -0.3, 1.9, 1e-3, 7.7];
        let one = run(inputs);
        for times in 1..=LONGEST_ROW {
            let mut file = [0.0; 256];
            file[..6].copy_from_slice(&inputs);
            f64::interpret(&in_rows(times), &mut file);
            let mut rows = 0;
            for i in all() {
                let copies = if i.code.row(times).is_some() { times } else { 1 };
                rows += usize::from(copies > 1);
                for k in 0..copies {
                    let (got, want) = (file[64 * k + i.to as usize], one[i.to as usize]);
                    assert_eq!(got.to_bits(), want.to_bits(), "{:?} {k} of {times}", i.code);
                }
            }
            assert_eq!(rows, if times > 1 { 12 } else { 0 });
        }
        assert_eq!(Code::Exp.row(2), None);
        assert_eq!(Code::Add.row(LONGEST_ROW + 1), None);
    }

    #[test]
    fn members_of_a_row_see_what_those_before_them_did() {
        let i = |code, to, from| Instruction { code, to, from };
        let mut file = [1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let sums = [
            i(Code::ThreeAdd, 2, [0, 1, 0, 0, 0, 0]),
            i(Code::Add, 3, [2, 1, 0, 0, 0, 0]),
            i(Code::Add, 2, [3, 2, 0, 0, 0, 0]),
            // Its end is missing.
            i(Code::ThreeAdd, 4, [0, 0, 0, 0, 0, 0]),
        ];
        f64::interpret(&sums, &mut file);
        assert_eq!(file[..5], [1.0, 2.0, 8.0, 5.0, 2.0]);
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
