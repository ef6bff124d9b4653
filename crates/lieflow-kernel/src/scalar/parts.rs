//! What several kinds of numbers have in common, word by word.

/// For numbers of which one makes a pack.
macro_rules! one_makes_a_pack {
    () => {
        type Pack<V: crate::wide::Vectors> = Self;

        #[inline(always)]
        fn pack<V: crate::wide::Vectors>(list: [Self; 4]) -> Self {
            list[0]
        }
        #[inline(always)]
        fn unpack<V: crate::wide::Vectors>(pack: Self) -> [Self; 4] {
            [pack; 4]
        }
    };
}

/// For numbers without derivatives.
macro_rules! own_primal {
    () => {
        type Primal = Self;

        #[inline(always)]
        fn primal(self) -> Self {
            self
        }
        #[inline(always)]
        fn from_primal(x: Self) -> Self {
            x
        }
    };
}

/// For numbers of one lane.
macro_rules! own_lane {
    () => {
        type Lane = Self;

        #[inline(always)]
        fn lane(self, _: usize) -> Self {
            self
        }
        #[inline(always)]
        fn set_lane(&mut self, _: usize, x: Self) {
            *self = x;
        }
    };
}

/// Tapes, compiled where this is written and not in each crate that uses them.
macro_rules! tapes {
    () => {
        /// Carries out a [tape](crate::tape::interpret), in one place for each scalar.
        #[inline(never)]
        fn interpret(code: &[Instruction], file: &mut [Self]) {
            crate::tape::interpret(code, file);
        }

        /// Evaluates a [tape](crate::tape::evaluate), in one place for each scalar.
        #[inline(never)]
        fn evaluate(tape: Tape<'_, Self>, inputs: &[Self], out: &mut [Self], scratch: &mut [Self]) {
            crate::tape::evaluate(tape, inputs, out, scratch);
        }
    };
}

/// Sums and differences by `+=` and `-=`, and `*=` by the product.
macro_rules! operators_by_each_other {
    ($name:ident) => {
        impl<S: Real, const N: usize> Add for $name<S, N> {
            type Output = Self;
            #[inline]
            fn add(mut self, o: Self) -> Self {
                self += o;
                self
            }
        }
        impl<S: Real, const N: usize> Sub for $name<S, N> {
            type Output = Self;
            #[inline]
            fn sub(mut self, o: Self) -> Self {
                self -= o;
                self
            }
        }
        impl<S: Real, const N: usize> MulAssign for $name<S, N> {
            #[inline]
            fn mul_assign(&mut self, o: Self) {
                *self = *self * o;
            }
        }
    };
}

/// Constants of numbers over others, and what is made of constants.
macro_rules! by_constants {
    () => {
        type Mask = S::Mask;
        type Primal = S::Primal;
        const LANES: usize = S::LANES;

        #[inline]
        fn lift(x: f64) -> Self {
            Self::constant(S::lift(x))
        }
        #[inline]
        fn from_primal(x: S::Primal) -> Self {
            Self::constant(S::from_primal(x))
        }
        #[inline]
        fn ratio(numerator: f64, denominator: f64) -> Self {
            Self::constant(S::ratio(numerator, denominator))
        }
        #[inline]
        fn inverse_factorial(n: usize) -> Self {
            Self::constant(S::inverse_factorial(n))
        }
        #[inline]
        fn circle_coefficient(n: usize) -> Self {
            Self::constant(S::circle_coefficient(n))
        }
    };
}

pub(super) use {
    by_constants, one_makes_a_pack, operators_by_each_other, own_lane, own_primal, tapes,
};
