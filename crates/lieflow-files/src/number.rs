//! Numbers in text files.
use std::fmt::Write as _;

/// Appends a number as `{:?}` prints it: with as many digits as it takes to read the same bits back, and an exponent
/// where it helps.
pub fn write_number(text: &mut String, x: f64) {
    let size = x.abs();
    let fine = size * 134_217_728.0;
    // zmij is three times faster than the standard library, and prints the same digits unless the
    // number lies half way between the two shortest decimals. Such a number has one decimal more than
    // those, at most 18 + p near 10^-p, and as many binary places at most: it is a multiple of 2^-27.
    // From 1e-5 to 1e-4 zmij uses the other notation.
    let usual = size < 1e-5 || (1e-4..1e7).contains(&size);
    if usual && fine as i64 as f64 != fine {
        text.push_str(zmij::Buffer::new().format_finite(x));
    } else {
        let _ = write!(text, "{x:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::write_number;

    /// Numbers of all sizes, and those at which the notation changes.
    #[test]
    fn numbers_are_printed_as_always() {
        let check = |x: f64| {
            let mut text = String::from("1,");
            write_number(&mut text, x);
            assert_eq!(text, format!("1,{x:?}"));
        };
        let edges = [0.0, 1e-5, 1e-4, 1.0, 1e15, 1e16, 9007199254740993.0, 5e-324, f64::MAX];
        for x in edges.into_iter().chain([f64::INFINITY, f64::NAN, f64::MIN_POSITIVE]) {
            for x in [x, x.next_up(), x.next_down(), -x] {
                check(x);
            }
        }
        // Half way between two decimals of 17 digits, and powers of two, whose neighbours are not
        // equally far.
        check(1.0 + 1.0 / 131072.0);
        (-1074..1024).for_each(|k| check(2f64.powi(k)));
        // Marsaglia's generator of 64 bits.
        let mut state = 11_u64;
        let mut bits = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let unit = |bits: u64| (bits >> 11) as f64 / 9007199254740992.0;
        for k in 0..300_000 {
            let x = (unit(bits()) - 0.5) * 10f64.powi((unit(bits()) * 40.0) as i32 - 20);
            check(x);
            // With few binary digits.
            check(f64::from_bits(x.to_bits() & (u64::MAX << (k % 50))));
            check(f64::from_bits(bits()));
        }
    }
}
