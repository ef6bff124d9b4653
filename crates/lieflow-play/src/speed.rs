//! How fast a motion is shown, as a factor of real time.

/// Degrees from one picture to the next that an eye can follow.
const STROBE: f64 = 20.0;
/// Pictures a second.
pub const PICTURES: f64 = 60.0;

/// A speed to begin with, for a motion over such a time whose fastest rotation is this, in radians
/// per unit of time.
pub fn preferred(length: f64, rate: f64) -> f64 {
    let bound = if rate > 0.0 { STROBE * PICTURES / rate.to_degrees() } else { f64::INFINITY };
    // In units that are no seconds the whole would be over at once, or take an hour.
    let speed = if (3.0..=1000.0).contains(&length) { 1.0 } else { round(length / 20.0) };
    if speed > bound && length / bound < 900.0 { round(bound) } else { speed }
}

/// The largest of 1, 2 and 5 times a power of ten that is not above `x`.
fn round(x: f64) -> f64 {
    if !(x.is_finite() && x > 0.0) {
        return 1.0;
    }
    let power = 10f64.powf(x.log10().floor());
    let unit = [5.0, 2.0, 1.0].into_iter().find(|unit| unit * power <= x * 1.0001).unwrap_or(1.0);
    // As it would be typed.
    format!("{:.3e}", unit * power).parse().unwrap_or(1.0)
}
