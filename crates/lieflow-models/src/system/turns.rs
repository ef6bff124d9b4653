//! Turns of space that leave a law as it is, found by sampling: torques have no component along the
//! axis of such a turn.
use lieflow::Vec3;

/// A component below this part of the torque is rounding.
const ROUNDING: f64 = 1e-13;

/// How often laws are looked at.
pub(super) const SAMPLES: usize = 10;

/// Turns that leave a law as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Turns {
    /// None.
    None,
    /// Those about a direction.
    About(Vec3<f64>),
    /// All.
    All,
}

impl Turns {
    /// From the torques at some states; `scale` is the size of the terms that they are sums of.
    pub(super) fn of(torques: &[Vec3<f64>], scale: f64) -> Self {
        let vanishes = |v: &Vec3<f64>| v.norm() <= ROUNDING * scale;
        if torques.is_empty() {
            return Self::None;
        }
        if torques.iter().all(vanishes) {
            return Self::All;
        }
        null_vector(torques).map_or(Self::None, Self::About)
    }
}

/// Numbers between -1 and 1 in no particular relation to each other, the same each time.
pub(super) fn scattered(sample: usize, place: usize) -> f64 {
    let x = 0.754_877_666_246_692_7 * (sample + 1) as f64
        + 0.569_840_290_998_053_2 * (place + 1) as f64;
    2.0 * (x * (1.0 + 0.1 * (sample + place) as f64)).fract() - 1.0
}

/// The direction to which all vectors are orthogonal, if there is just one.
pub(super) fn null_vector(vectors: &[Vec3<f64>]) -> Option<Vec3<f64>> {
    let largest = vectors.iter().fold(0.0, |a: f64, v| a.max(v.norm()));
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    // The cross product of two of the vectors, the one that is best determined.
    let mut best = Vec3::zero();
    for (i, a) in vectors.iter().enumerate() {
        for b in &vectors[i + 1..] {
            let across = a.cross(*b);
            if across.norm_squared() > best.norm_squared() {
                best = across;
            }
        }
    }
    if best.norm() <= 1e-6 * largest * largest {
        return None;
    }
    let direction = best.times(1.0 / best.norm());
    // A coordinate axis is meant exactly.
    let snapped =
        [0, 1, 2].map(Vec3::<f64>::unit).into_iter().find(|e| e.dot(direction).abs() > 1.0 - 1e-12);
    let direction = snapped.unwrap_or(direction);
    vectors.iter().all(|v| v.dot(direction).abs() <= ROUNDING * largest).then_some(direction)
}
