//! Numbers for people: so many digits, and an exponent where it helps.

/// The digits that are shown unless somebody asks for more.
pub const DIGITS: usize = 6;

/// A number with so many significant digits, without zeros at its end. Seventeen and more are the
/// shortest form that reads back with the same bits.
pub fn number(x: f64, digits: usize) -> String {
    if digits >= 17 || x == 0.0 || !x.is_finite() {
        return format!("{x:?}");
    }
    let digits = digits.max(1);
    let exponent = format!("{x:.*e}", digits - 1);
    let power: i32 = exponent.split_once('e').and_then(|(_, p)| p.parse().ok()).unwrap_or(0);
    if (-4..digits as i32).contains(&power) {
        let places = usize::try_from(digits as i32 - 1 - power).unwrap_or(0);
        return trimmed(&format!("{x:.places$}"));
    }
    match exponent.split_once('e') {
        Some((mantissa, power)) => format!("{}e{power}", trimmed(mantissa)),
        None => exponent,
    }
}

/// Without zeros after the last digit that says something.
fn trimmed(text: &str) -> String {
    if !text.contains('.') {
        return text.into();
    }
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// The nearest of 1, 2 and 5 times a power of ten that is not above `x`.
pub fn round_down(x: f64) -> f64 {
    let power = x.log10().floor() as i32;
    let candidates = [5.0, 2.0, 1.0].map(|digit| format!("{digit}e{power}").parse().unwrap_or(x));
    candidates.into_iter().find(|candidate| *candidate <= x * (1.0 + 1e-9)).unwrap_or(x)
}

/// A count with its noun.
pub fn counted(count: u64, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if count == 1 => format!("{count} {noun}"),
        Some(stem) => format!("{count} {stem}ies"),
        None => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_what_says_something() {
        let shown = |x| number(x, 6);
        assert_eq!(shown(47.76682445628047), "47.7668");
        assert_eq!(shown(50.0), "50");
        assert_eq!(shown(-0.1644226029731592), "-0.164423");
        assert_eq!(shown(1.651e-14), "1.651e-14");
        assert_eq!(shown(123456789.0), "1.23457e8");
        assert_eq!(shown(0.0), "0.0");
        assert_eq!(shown(f64::NAN), "NaN");
        assert_eq!(number(1.0 / 3.0, 17), "0.3333333333333333");
        assert_eq!(number(999999.7, 6), "1e6");
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(round_down(0.0137), 0.01);
        assert_eq!(round_down(0.02), 0.02);
        assert_eq!(round_down(7.3e-5), 5e-5);
    }

    #[test]
    fn one_step_is_no_plural() {
        assert_eq!(counted(1, "step"), "1 step");
        assert_eq!(counted(0, "step"), "0 steps");
        assert_eq!(counted(1, "trajectory"), "1 trajectory");
        assert_eq!(counted(2, "trajectory"), "2 trajectories");
    }
}
