//! What a [`Pack`] asks of the registers that hold it.
use super::{Machine, Pack};
use crate::tape::{Instruction, Tape};

/// Some numbers in registers, and the instructions on them.
///
/// # Safety
///
/// Implementors hold the numbers of `Array`, in its order and nothing else: both are the same bytes.
///
/// Every function here is undefined on machines that lack its instructions, and has no other
/// requirement. All work lane by lane.
#[allow(clippy::missing_safety_doc)]
pub unsafe trait Registers: Copy + Send + Sync + 'static {
    /// The numbers in memory.
    type Array: Copy + AsRef<[f64]> + AsMut<[f64]>;
    /// One answer per lane.
    type Answers: Copy;
    /// How many numbers there are.
    const LANES: usize;

    /// The same number in every lane.
    unsafe fn splat(x: f64) -> Self;
    /// `a + b`.
    unsafe fn add(a: Self, b: Self) -> Self;
    /// `a - b`.
    unsafe fn sub(a: Self, b: Self) -> Self;
    /// `a b`.
    unsafe fn mul(a: Self, b: Self) -> Self;
    /// `a / b`.
    unsafe fn div(a: Self, b: Self) -> Self;
    /// The square root.
    unsafe fn sqrt(a: Self) -> Self;
    /// `-a`.
    unsafe fn neg(a: Self) -> Self;
    /// `|a|`.
    unsafe fn abs(a: Self) -> Self;
    /// `a < b`.
    unsafe fn lt(a: Self, b: Self) -> Self::Answers;
    /// `a = b`.
    unsafe fn eq(a: Self, b: Self) -> Self::Answers;
    /// `a` where the answer is yes, `b` elsewhere.
    unsafe fn select(yes: Self::Answers, a: Self, b: Self) -> Self;
    /// Sine and cosine, from those of the rest after whole quarter turns, whose number is in the
    /// low bits of each lane of `turns`: odd quadrants exchange the two, and signs are set by bit
    /// operations.
    unsafe fn quadrants(turns: Self, sin: Self, cos: Self) -> (Self, Self);

    /// Where both are yes.
    unsafe fn and(a: Self::Answers, b: Self::Answers) -> Self::Answers;
    /// Where one is yes.
    unsafe fn or(a: Self::Answers, b: Self::Answers) -> Self::Answers;
    /// Where the answer is no.
    unsafe fn not(a: Self::Answers) -> Self::Answers;
    /// The answers as bits, the first lane lowest.
    unsafe fn bits(a: Self::Answers) -> u32;
    /// The same answer in every lane.
    unsafe fn answer(yes: bool) -> Self::Answers;

    /// [`Real::stumpff_far`](crate::Real::stumpff_far), in a function compiled for these registers.
    unsafe fn stumpff_far<M: Machine<Registers = Self>>(z: Pack<M>) -> [Pack<M>; 6];

    /// [`Real::stumpff_far_low`](crate::Real::stumpff_far_low), likewise.
    unsafe fn stumpff_far_low<M: Machine<Registers = Self>>(z: Pack<M>) -> [Pack<M>; 3];

    /// [`Real::dexpinv_far`](crate::Real::dexpinv_far): inlined where it serves loops over many
    /// bodies, elsewhere in a function compiled for these registers.
    unsafe fn dexpinv_far<M: Machine<Registers = Self>>(z: Pack<M>) -> (Pack<M>, Pack<M>);

    /// [`Real::apart`](crate::Real::apart), in a function compiled for these registers.
    unsafe fn apart<W: crate::scalar::Apart>(work: W) -> W::Output;

    /// [`Real::interpret`](crate::Real::interpret), in a function compiled for these registers.
    unsafe fn interpret<M: Machine<Registers = Self>>(code: &[Instruction], file: &mut [Pack<M>]);

    /// [`Real::evaluate`](crate::Real::evaluate), in a function compiled for these registers.
    unsafe fn evaluate<M: Machine<Registers = Self>>(
        tape: Tape<'_, Pack<M>>,
        inputs: &[Pack<M>],
        out: &mut [Pack<M>],
        scratch: &mut [Pack<M>],
    );
}

/// The long functions of packs, compiled once for these instructions.
macro_rules! compiled_for {
    ($feature:literal) => {
        #[cold]
        #[target_feature(enable = $feature)]
        #[inline(never)]
        pub(super) fn stumpff_far<M: Machine>(z: Pack<M>) -> [Pack<M>; 6] {
            crate::scalar::stumpff::far(z)
        }

        #[cold]
        #[target_feature(enable = $feature)]
        #[inline(never)]
        pub(super) fn stumpff_far_low<M: Machine>(z: Pack<M>) -> [Pack<M>; 3] {
            crate::scalar::stumpff::far_low(z)
        }

        #[cold]
        #[target_feature(enable = $feature)]
        #[inline(never)]
        pub(super) fn dexpinv_far<M: Machine>(z: Pack<M>) -> (Pack<M>, Pack<M>) {
            crate::scalar::stumpff::long_dexpinv(z)
        }

        #[target_feature(enable = $feature)]
        #[inline(never)]
        pub(super) fn apart<W: crate::scalar::Apart>(work: W) -> W::Output {
            work.run()
        }

        #[target_feature(enable = $feature)]
        #[inline(never)]
        pub(super) fn interpret<M: Machine>(code: &[Instruction], file: &mut [Pack<M>]) {
            crate::tape::interpret(code, file);
        }

        #[target_feature(enable = $feature)]
        #[inline(never)]
        pub(super) fn evaluate<M: Machine>(
            tape: Tape<'_, Pack<M>>,
            inputs: &[Pack<M>],
            out: &mut [Pack<M>],
            scratch: &mut [Pack<M>],
        ) {
            crate::tape::evaluate(tape, inputs, out, scratch);
        }
    };
}

/// Functions whose arguments and result are registers.
macro_rules! each {
    ($($name:ident($($arg:ident),+) = $body:expr;)*) => {$(
        #[inline(always)]
        unsafe fn $name($($arg: Self),+) -> Self {
            // SAFETY: the caller has the instructions.
            unsafe { Self($body) }
        }
    )*};
}

/// The functions that a module has [compiled](compiled_for), for registers.
macro_rules! long_functions_of {
    ($module:ident) => {
        #[inline(always)]
        unsafe fn stumpff_far<M: Machine<Registers = Self>>(z: Pack<M>) -> [Pack<M>; 6] {
            // SAFETY: the caller has the instructions; so for every such block below.
            unsafe { $module::stumpff_far(z) }
        }
        #[inline(always)]
        unsafe fn stumpff_far_low<M: Machine<Registers = Self>>(z: Pack<M>) -> [Pack<M>; 3] {
            // SAFETY: see above.
            unsafe { $module::stumpff_far_low(z) }
        }
        #[inline(always)]
        unsafe fn apart<W: crate::scalar::Apart>(work: W) -> W::Output {
            // SAFETY: see above.
            unsafe { $module::apart(work) }
        }
        #[inline(always)]
        unsafe fn interpret<M: Machine<Registers = Self>>(
            code: &[Instruction],
            file: &mut [Pack<M>],
        ) {
            // SAFETY: see above.
            unsafe { $module::interpret(code, file) }
        }
        #[inline(always)]
        unsafe fn evaluate<M: Machine<Registers = Self>>(
            tape: Tape<'_, Pack<M>>,
            inputs: &[Pack<M>],
            out: &mut [Pack<M>],
            scratch: &mut [Pack<M>],
        ) {
            // SAFETY: see above.
            unsafe { $module::evaluate(tape, inputs, out, scratch) }
        }
    };
}

pub(super) use {compiled_for, each, long_functions_of};
