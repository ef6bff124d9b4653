//! What instructions do.

/// So many instructions of equal codes are carried out at once.
pub const LONGEST_ROW: usize = 3;

/// Codes that come alone, and the rows that some of them form.
macro_rules! codes {
    (alone { $($(#[$doc:meta])* $code:ident,)* } rows { $($one:ident $two:ident $three:ident,)* }) => {
        /// What an instruction does. The operands are called `a` to `f`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Code {
            $($(#[$doc])* $code,)*
            $(
                #[doc = concat!("[`Code::", stringify!($one), "`], here and in the next instruction.")]
                $two,
                #[doc = concat!("[`Code::", stringify!($one), "`], here and in the next two instructions.")]
                $three,
            )*
        }

        impl Code {
            /// All codes, each in the place of its number.
            pub const ALL: &[Self] = &[$(Self::$code,)* $(Self::$two, Self::$three,)*];

            /// The code of the first of several instructions in a row that do this. The codes of those that
            /// follow are not looked at: each keeps its own, so that one may also take them one by one.
            pub const fn row(self, count: usize) -> Option<Self> {
                match (self.single(), count) {
                    (code, 1) => Some(code),
                    $((Self::$one, 2) => Some(Self::$two),
                    (Self::$one, 3) => Some(Self::$three),)*
                    _ => None,
                }
            }

            /// What this instruction does if it is taken alone.
            pub const fn single(self) -> Self {
                match self {
                    $(Self::$code => self,)*
                    $(Self::$two | Self::$three => Self::$one,)*
                }
            }
        }
    };
}

codes! {
    alone {
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
    rows {
        Add TwoAdd ThreeAdd,
        Sub TwoSub ThreeSub,
        Mul TwoMul ThreeMul,
        Div TwoDiv ThreeDiv,
        Product3 TwoProduct3 ThreeProduct3,
        MulAdd TwoMulAdd ThreeMulAdd,
        SubMul TwoSubMul ThreeSubMul,
        Dot2 TwoDot2 ThreeDot2,
        Dot2Add TwoDot2Add ThreeDot2Add,
        Dot3 TwoDot3 ThreeDot3,
        Cross TwoCross ThreeCross,
        CrossAdd TwoCrossAdd ThreeCrossAdd,
    }
}
