//! Where axes have their marks and what stands there.
use super::Scale;

/// A mark on an axis.
pub(super) struct Tick {
    /// Position in the units of the data.
    pub at: f64,
    /// What stands there; empty for a minor mark.
    pub label: String,
}

/// Numbers whose spread is below this part of their size are constant but for rounding.
const CONSTANT: f64 = 1e-12;
/// Numbers whose spread is below this part of their size are counted from one near them.
const NARROW: f64 = 1e-4;

/// An axis.
pub(super) struct Axis {
    /// Where it begins.
    pub lo: f64,
    /// Where it ends.
    pub hi: f64,
    /// Its marks.
    pub ticks: Vec<Tick>,
    /// What is to be added to the numbers, to stand at the end of the axis; mostly nothing.
    pub more: String,
}

/// The range of an axis and its marks, from the range of the data.
pub(super) fn axis(scale: Scale, lo: f64, hi: f64) -> Axis {
    match scale {
        Scale::Linear => linear(lo, hi),
        Scale::Log => log(lo, hi),
    }
}

fn linear(lo: f64, hi: f64) -> Axis {
    let size = lo.abs().max(hi.abs());
    let (lo, hi) = if hi - lo > CONSTANT * size {
        let pad = 0.04 * (hi - lo);
        (lo - pad, hi + pad)
    } else {
        let pad = if lo == 0.0 { 1.0 } else { 0.1 * lo.abs() };
        (lo - pad, hi + pad)
    };
    let (from, more) = origin(lo, hi);
    let raw = (hi - lo) / 5.0;
    let power = 10f64.powf(raw.log10().floor());
    let unit = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|m| m * power >= raw).unwrap_or(10.0);
    let step = unit * power;
    let first = ((lo - from) / step).ceil() as i64;
    let last = ((hi - from) / step).floor() as i64;
    let tick = |k: i64| {
        let x = k as f64 * step;
        Tick { at: from + x, label: number(x, step) }
    };
    Axis { lo, hi, ticks: (first..=last).map(tick).collect(), more }
}

/// Where numbers differ in their last digits only, marks count from a round number near them: that
/// number, and how the axis says so.
fn origin(lo: f64, hi: f64) -> (f64, String) {
    if hi - lo > NARROW * lo.abs().max(hi.abs()) {
        return (0.0, String::new());
    }
    let power = (hi - lo).log10().floor() as i32 + 1;
    let unit = 10f64.powi(power);
    let from = (0.5 * (lo + hi) / unit).round() * unit;
    let size = from.abs();
    let digits = (size.log10().floor() as i32 - power).clamp(0, 16) as usize;
    let text = match (1e-3..1e6).contains(&size) {
        true => format!("{size:.*}", (-power).clamp(0, 20) as usize),
        false => format!("{size:.digits$e}"),
    };
    (from, format!("{} {text}", if from < 0.0 { "−" } else { "+" }))
}

fn log(lo: f64, hi: f64) -> Axis {
    let (mut a, mut b) = (lo.log10(), hi.log10());
    if b - a < 1.0 {
        let middle = 0.5 * (a + b);
        (a, b) = (middle - 0.5, middle + 0.5);
    }
    let pad = 0.04 * (b - a);
    let (a, b) = (a - pad, b + pad);
    let (first, last) = (a.ceil() as i32, b.floor() as i32);
    let every = ((last - first) / 8 + 1).max(1);
    let mut ticks = Vec::new();
    for k in first - 1..=last {
        let decade = 10f64.powi(k);
        if k >= first {
            let label = if k.rem_euclid(every) == 0 { power_of_ten(k) } else { String::new() };
            ticks.push(Tick { at: decade, label });
        }
        if every == 1 {
            for m in 2..10 {
                let at = m as f64 * decade;
                if at.log10() >= a && at.log10() <= b {
                    ticks.push(Tick { at, label: String::new() });
                }
            }
        }
    }
    Axis { lo: 10f64.powf(a), hi: 10f64.powf(b), ticks, more: String::new() }
}

fn power_of_ten(k: i32) -> String {
    match k {
        0 => "1".into(),
        1 => "10".into(),
        _ => format!("10^{k}"),
    }
}

/// The power of ten in a number, whatever the rounding of its logarithm.
fn exponent(x: f64) -> f64 {
    (x.log10() + 1e-9).floor()
}

/// A number with no more digits than the distance of the marks needs.
fn number(x: f64, step: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let size = x.abs().max(step);
    let place = exponent(step);
    // A step of 2.5 needs one digit more.
    let unit = step / 10f64.powf(place);
    let more = if (unit - unit.round()).abs() < 1e-6 { 0.0 } else { 1.0 };
    if !(1e-3..1e5).contains(&size) {
        let power = exponent(size);
        let digits = (power - place + more).clamp(0.0, 6.0) as usize;
        return format!("{:.*}·10^{power}", digits, x / 10f64.powf(power));
    }
    format!("{:.*}", (more - place).max(0.0) as usize, x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, lo: f64, hi: f64) -> Vec<String> {
        axis(scale, lo, hi).ticks.into_iter().map(|t| t.label).filter(|l| !l.is_empty()).collect()
    }

    #[test]
    fn linear_marks_are_round_numbers() {
        assert_eq!(
            labels(Scale::Linear, 0.0, 1.0),
            ["0.00", "0.25", "0.50", "0.75", "1.00"].map(|s| if s == "0.00" { "0" } else { s })
        );
        assert_eq!(labels(Scale::Linear, -200.0, 200.0), ["-200", "-100", "0", "100", "200"]);
        let small = ["0", "2.5·10^-6", "5.0·10^-6", "7.5·10^-6", "1.00·10^-5"];
        assert_eq!(labels(Scale::Linear, 0.0, 1e-5), small);
    }

    #[test]
    fn logarithmic_marks_are_powers_of_ten() {
        assert_eq!(labels(Scale::Log, 1e-3, 1.0), ["10^-3", "10^-2", "10^-1", "1"]);
        assert!(labels(Scale::Log, 1e-16, 1e2).len() <= 10);
    }

    #[test]
    fn degenerate_ranges_have_room() {
        let Axis { lo, hi, ticks, .. } = axis(Scale::Linear, 2.0, 2.0);
        assert!(lo < 2.0 && 2.0 < hi && !ticks.is_empty());
        let Axis { lo, hi, .. } = axis(Scale::Log, 3.0, 3.0);
        assert!(lo < 3.0 && 3.0 < hi);
        // Rounding is no range.
        let Axis { lo, hi, .. } = axis(Scale::Linear, 6.8, 6.8 + 1e-14);
        assert!(hi - lo > 1.0);
    }

    #[test]
    fn last_digits_are_counted_from_a_number_near_them() {
        let narrow = axis(Scale::Linear, -0.872_869_649_858, -0.872_869_649_849);
        assert_eq!(narrow.more, "− 0.87286964985");
        assert!(narrow.ticks.iter().all(|tick| tick.label.len() < 12));
        assert!(narrow.ticks.iter().all(|tick| (narrow.lo..=narrow.hi).contains(&tick.at)));
        assert_eq!(axis(Scale::Linear, 17.188_733_83, 17.188_733_85).more, "+ 17.1887338");
        assert_eq!(axis(Scale::Linear, 40.0, 50.0).more, "");
    }
}
