//! Decimal text to double-double numbers.
use super::{DoubleDouble, Real};
use core::fmt;
use core::str::FromStr;

/// The text is not a decimal number such as `-1.25e-3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseDecimalError {
    /// Position of the first character that does not fit; the length of the text if more was
    /// expected.
    pub position: usize,
}

impl fmt::Display for ParseDecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a decimal number: unexpected character or end at byte {}", self.position)
    }
}
impl core::error::Error for ParseDecimalError {}

/// Powers of ten up to here are exact.
const EXACT_POWER: i32 = 44;

/// `10^n` for `0 <= n <= 44`.
fn power_of_ten(n: i32) -> DoubleDouble {
    let mut p = DoubleDouble::from(1.0);
    for _ in 0..n {
        p = p * 10.0;
    }
    p
}

impl FromStr for DoubleDouble {
    type Err = ParseDecimalError;

    /// Reads digits with an optional sign, point and exponent. The relative error is below 1e-30.
    fn from_str(text: &str) -> Result<Self, ParseDecimalError> {
        let bytes = text.as_bytes();
        let at = |i: usize| bytes.get(i).copied().unwrap_or(0);
        let mut i = usize::from(matches!(at(0), b'+' | b'-'));
        let negative = at(0) == b'-';
        let mut value = Self::from(0.0);
        let (mut exponent, mut digits, mut point) = (0i32, 0usize, false);
        loop {
            match at(i) {
                d @ b'0'..=b'9' => {
                    digits += 1;
                    // More than 44 digits don't change the value.
                    if value.magnitude() < 1e44 {
                        value = value * 10.0 + Self::from(f64::from(d - b'0'));
                        exponent -= i32::from(point);
                    } else {
                        exponent += i32::from(!point);
                    }
                }
                b'.' if !point => point = true,
                _ => break,
            }
            i += 1;
        }
        if digits == 0 {
            return Err(ParseDecimalError { position: i });
        }
        if matches!(at(i), b'e' | b'E') {
            let sign = at(i + 1);
            i += 1 + usize::from(matches!(sign, b'+' | b'-'));
            let first = i;
            let mut e = 0i32;
            while let d @ b'0'..=b'9' = at(i) {
                e = e.saturating_mul(10).saturating_add(i32::from(d - b'0')).min(10_000);
                i += 1;
            }
            if i == first {
                return Err(ParseDecimalError { position: i });
            }
            exponent += if sign == b'-' { -e } else { e };
        }
        if i != bytes.len() {
            return Err(ParseDecimalError { position: i });
        }
        while exponent != 0 && value.hi != 0.0 && value.hi.is_finite() {
            let n = exponent.clamp(-EXACT_POWER, EXACT_POWER);
            exponent -= n;
            let p = power_of_ten(n.abs());
            value = if n < 0 { value / p } else { value * p };
        }
        Ok(if negative { -value } else { value })
    }
}
