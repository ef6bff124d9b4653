//! Where axes have their marks and what stands there.
use super::Scale;

/// A mark on an axis.
pub(super) struct Tick {
    /// Position in the units of the data.
    pub at: f64,
    /// What stands there; empty for a minor mark.
    pub label: String,
}

/// The range of an axis and its marks, from the range of the data.
pub(super) fn axis(scale: Scale, lo: f64, hi: f64) -> (f64, f64, Vec<Tick>) {
    match scale {
        Scale::Linear => linear(lo, hi),
        Scale::Log => log(lo, hi),
    }
}

fn linear(lo: f64, hi: f64) -> (f64, f64, Vec<Tick>) {
    let (lo, hi) = if lo < hi {
        let pad = 0.04 * (hi - lo);
        (lo - pad, hi + pad)
    } else {
        let pad = if lo == 0.0 { 1.0 } else { 0.1 * lo.abs() };
        (lo - pad, hi + pad)
    };
    let raw = (hi - lo) / 5.0;
    let power = 10f64.powf(raw.log10().floor());
    let unit = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|m| m * power >= raw).unwrap_or(10.0);
    let step = unit * power;
    let first = (lo / step).ceil() as i64;
    let last = (hi / step).floor() as i64;
    let ticks = (first..=last)
        .map(|k| Tick { at: k as f64 * step, label: number(k as f64 * step, step) })
        .collect();
    (lo, hi, ticks)
}

fn log(lo: f64, hi: f64) -> (f64, f64, Vec<Tick>) {
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
    (10f64.powf(a), 10f64.powf(b), ticks)
}

fn power_of_ten(k: i32) -> String {
    match k {
        0 => "1".into(),
        1 => "10".into(),
        _ => format!("10^{k}"),
    }
}

/// A number with no more digits than the distance of the marks needs.
fn number(x: f64, step: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let size = x.abs().max(step);
    if !(1e-3..1e5).contains(&size) {
        let power = size.log10().floor();
        let digits = (power - step.log10().floor()).clamp(0.0, 6.0) as usize;
        return format!("{:.*}·10^{power}", digits, x / 10f64.powf(power));
    }
    let digits = (-step.log10().floor()).max(0.0) as usize;
    // A step of 2.5 needs one digit more.
    let exact = (step * 10f64.powi(digits as i32)).fract().abs() < 1e-9;
    format!("{:.*}", if exact { digits } else { digits + 1 }, x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, lo: f64, hi: f64) -> Vec<String> {
        axis(scale, lo, hi).2.into_iter().map(|t| t.label).filter(|l| !l.is_empty()).collect()
    }

    #[test]
    fn linear_marks_are_round_numbers() {
        assert_eq!(
            labels(Scale::Linear, 0.0, 1.0),
            ["0.00", "0.25", "0.50", "0.75", "1.00"].map(|s| if s == "0.00" { "0" } else { s })
        );
        assert_eq!(labels(Scale::Linear, -200.0, 200.0), ["-200", "-100", "0", "100", "200"]);
    }

    #[test]
    fn logarithmic_marks_are_powers_of_ten() {
        assert_eq!(labels(Scale::Log, 1e-3, 1.0), ["10^-3", "10^-2", "10^-1", "1"]);
        assert!(labels(Scale::Log, 1e-16, 1e2).len() <= 10);
    }

    #[test]
    fn degenerate_ranges_have_room() {
        let (lo, hi, ticks) = axis(Scale::Linear, 2.0, 2.0);
        assert!(lo < 2.0 && 2.0 < hi && !ticks.is_empty());
        let (lo, hi, _) = axis(Scale::Log, 3.0, 3.0);
        assert!(lo < 3.0 && 3.0 < hi);
    }
}
