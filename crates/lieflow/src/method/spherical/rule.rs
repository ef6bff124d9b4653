//! Where the midpoint of a sphere lies, by closed forms.
use lieflow_kernel::{Mat3, Real, Vec3};

/// Where a midpoint rule evaluates the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Midpoint {
    /// On the sphere, at the middle of the arc.
    Spherical,
    /// Inside it, where the middle of the chord of quaternions comes down.
    Collective,
}

/// A midpoint of a sphere.
pub(super) struct Middle<S> {
    /// Where the field is evaluated.
    pub(super) point: Vec3<S>,
    /// The end of the step.
    pub(super) end: Vec3<S>,
    /// The square of the cosine of half the angle of the step; one where it does not matter.
    pub(super) cosine: S,
}

impl Midpoint {
    /// The midpoint of a step from `w` with the generator `f`.
    #[inline(always)]
    pub(super) fn middle<S: Real>(self, w: Vec3<S>, f: Vec3<S>, h: f64) -> Middle<S> {
        match self {
            Self::Spherical => spherical(w, f * (0.5 * h)),
            Self::Collective => collective(w, f * (0.25 * h)),
        }
    }

    /// By how much this midpoint moves with the generator.
    #[inline(always)]
    pub(super) fn slope<S: Real>(self, middle: &Middle<S>, f: Vec3<S>, h: f64) -> Mat3<S> {
        match self {
            Self::Spherical => spherical_slope(middle, f * (0.5 * h)).times(S::lift(0.5 * h)),
            Self::Collective => collective_slope(middle, f * (0.25 * h)).times(S::lift(0.25 * h)),
        }
    }
}

/// `c m - a × m = w`, `w1 = w + 2 a × m`, with `c > 0` such that `|m| = |w|`:
/// `c⁴ - (1 - |a|²) c² - (a·w)²/|w|² = 0`.
#[inline(always)]
fn spherical<S: Real>(w: Vec3<S>, a: Vec3<S>) -> Middle<S> {
    let (size, along, square) = (a.norm_squared(), a.dot(w), w.norm_squared());
    // A vector of length zero stays where it is.
    let square = S::select(S::zero().lt(square), square, S::one());
    let part = along * along / square;
    let d = S::one() - size;
    let root = (d * d + part * 4.0).sqrt();
    // The root of the quadratic equation without cancellation.
    let large = (d.abs() + root) * 0.5;
    let cosine = S::select(d.lt(S::zero()), part / large, large);
    let c = cosine.sqrt();
    let over = S::one() / (cosine + size);
    let m = (w.times(c) + a.cross(w) + a.times(along / c)).times(over);
    // Not `2 c m - w`, whose rounding is that of larger numbers and adds up in the sums of vectors.
    Middle { point: m, end: w + a.cross(m) * 2.0, cosine }
}

/// `(1 + a) w (1 - a)` over `1 + |a|²` is a rotation: half of the step. The midpoint is shorter by
/// the same factor again.
#[inline(always)]
fn collective<S: Real>(w: Vec3<S>, a: Vec3<S>) -> Middle<S> {
    let size = a.norm_squared();
    let over = S::one() / (S::one() + size);
    let turned = |w: Vec3<S>| {
        (w.times(S::one() - size) + a.times(a.dot(w) * 2.0) + a.cross(w) * 2.0).times(over)
    };
    let half = turned(w);
    Middle { point: half.times(over), end: turned(half), cosine: S::one() }
}

/// `c δm - a × δm = δa × m - δc m`, with `δc` such that `m·δm = 0`.
#[inline(always)]
fn spherical_slope<S: Real>(Middle { point: m, cosine, .. }: &Middle<S>, a: Vec3<S>) -> Mat3<S> {
    let (c, over) = (cosine.sqrt(), S::one() / (*cosine + a.norm_squared()));
    let upon_c = S::one() / c;
    // The inverse of `c - a ×`, times the denominator that is put in at the end.
    let inverse = |x: Vec3<S>| x.times(c) + a.cross(x) + a.times(a.dot(x) * upon_c);
    let back = inverse(*m);
    let size = m.dot(back);
    let back = back.times(S::one() / S::select(S::zero().lt(size), size, S::one()));
    let along = |k: usize| {
        let free = inverse(Vec3::unit(k).cross(*m));
        (free - back.times(m.dot(free))).times(over)
    };
    Mat3::from_columns(along(0), along(1), along(2))
}

/// `δm = (1 - a)⁻¹ δa m - m δa (1 + a)⁻¹` in quaternions.
#[inline(always)]
fn collective_slope<S: Real>(Middle { point: m, .. }: &Middle<S>, a: Vec3<S>) -> Mat3<S> {
    let (over, inside) = (S::one() / (S::one() + a.norm_squared()), a.dot(*m));
    let along = |k: usize| {
        let unit = Vec3::unit(k);
        let turned = unit.cross(*m) - m.times(a.get(k)) + unit.times(inside);
        (turned - a.times(m.get(k))).times(over) * 2.0
    };
    Mat3::from_columns(along(0), along(1), along(2))
}
