//! Numbers with one derivative whose operations are called.
use super::parts::{one_makes_a_pack, own_lane};
use super::{Dual, Real};
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// The numbers of [`Dual<f64, 1>`](Dual), bit for bit, with each operation compiled once, here. Measuring what every method
/// keeps makes few steps of very many formulas: a call is shorter than a product with derivatives, in the code and in the
/// time to compile it. One derivative, because two numbers are handed over in registers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalledDual {
    /// The value.
    pub re: f64,
    /// The derivative.
    pub slope: f64,
}

impl CalledDual {
    /// A number with no derivative.
    #[inline(never)]
    pub fn constant(re: f64) -> Self {
        Self { re, slope: 0.0 }
    }
    /// The variable: its derivative is one.
    #[inline(never)]
    pub fn variable(re: f64) -> Self {
        Self { re, slope: 1.0 }
    }
}

impl From<Dual<f64, 1>> for CalledDual {
    #[inline(always)]
    fn from(Dual { re, eps: [slope] }: Dual<f64, 1>) -> Self {
        Self { re, slope }
    }
}

impl From<CalledDual> for Dual<f64, 1> {
    #[inline(always)]
    fn from(CalledDual { re, slope }: CalledDual) -> Self {
        Self { re, eps: [slope] }
    }
}

/// Operations and functions, each by that of dual numbers.
macro_rules! by_duals {
    ($($trait:ident::$name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {$(
        impl $trait $(<$type>)* for CalledDual {
            type Output = $out;
            #[inline(never)]
            fn $name(self $(, $arg: $type)*) -> Self {
                $trait::$name(Dual::from(self) $(, Plain::plain($arg))*).into()
            }
        }
    )*};
}

/// An operand as dual numbers take it.
trait Plain {
    type Of;
    fn plain(self) -> Self::Of;
}

impl Plain for CalledDual {
    type Of = Dual<f64, 1>;
    #[inline(always)]
    fn plain(self) -> Dual<f64, 1> {
        self.into()
    }
}

impl Plain for f64 {
    type Of = f64;
    #[inline(always)]
    fn plain(self) -> f64 {
        self
    }
}

by_duals! {
    Add::add(other: CalledDual) -> CalledDual;
    Sub::sub(other: CalledDual) -> CalledDual;
    Mul::mul(other: CalledDual) -> CalledDual;
    Div::div(other: CalledDual) -> CalledDual;
    Mul::mul(factor: f64) -> CalledDual;
    Neg::neg() -> CalledDual;
}

/// The same, in place.
macro_rules! in_place {
    ($($trait:ident::$name:ident;)*) => {$(
        impl $trait for CalledDual {
            #[inline(never)]
            fn $name(&mut self, other: Self) {
                let mut number = Dual::from(*self);
                number.$name(Dual::from(other));
                *self = number.into();
            }
        }
    )*};
}

in_place! {
    AddAssign::add_assign;
    SubAssign::sub_assign;
    MulAssign::mul_assign;
}

/// Functions of one number.
macro_rules! functions {
    ($($name:ident)*) => {$(
        #[inline(never)]
        fn $name(self) -> Self {
            Dual::from(self).$name().into()
        }
    )*};
}

impl Real for CalledDual {
    one_makes_a_pack!();
    own_lane!();
    type Mask = bool;
    type Primal = f64;
    const SERIES_TERMS: usize = <Dual<f64, 1> as Real>::SERIES_TERMS;
    const DERIVATIVES: usize = 1;
    const CALLED: bool = true;
    const VECTORS_CALLED: bool = true;

    functions!(all_squared sqrt exp ln abs floor frozen);

    #[inline(never)]
    fn lift(x: f64) -> Self {
        Self::constant(x)
    }
    #[inline(never)]
    fn from_primal(x: f64) -> Self {
        Self::constant(x)
    }
    #[inline(never)]
    fn ratio(numerator: f64, denominator: f64) -> Self {
        Self::constant(f64::ratio(numerator, denominator))
    }
    #[inline(never)]
    fn inverse_factorial(n: usize) -> Self {
        Self::constant(f64::inverse_factorial(n))
    }
    #[inline(never)]
    fn circle_coefficient(n: usize) -> Self {
        Self::constant(f64::circle_coefficient(n))
    }
    #[inline(always)]
    fn primal(self) -> f64 {
        self.re
    }
    #[inline(never)]
    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = Dual::from(self).sin_cos();
        (sine.into(), cosine.into())
    }
    #[inline(never)]
    fn atan2(self, x: Self) -> Self {
        Dual::from(self).atan2(x.into()).into()
    }
    #[inline(never)]
    fn powi(self, n: i32) -> Self {
        Dual::from(self).powi(n).into()
    }
    #[inline(never)]
    fn lt(self, other: Self) -> bool {
        self.re < other.re
    }
    #[inline(never)]
    fn finite(self) -> bool {
        Dual::from(self).finite()
    }
    #[inline(never)]
    fn select(mask: bool, a: Self, b: Self) -> Self {
        if mask { a } else { b }
    }
    #[inline(never)]
    fn magnitude(self) -> f64 {
        self.re.magnitude()
    }
}
