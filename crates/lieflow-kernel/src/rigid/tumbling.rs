//! The exact free motion of a body with three different moments by addition theorems: without
//! inverse functions, with one path for every body, momentum and time, so that it runs in lanes.
//!
//! With the axes by role as in [`exact`](super::exact) (`p` the extreme axis that the momentum
//! encircles, `s` the other one, `r` the one from which it stays away, `o` the one that is not `r`),
//! `g_ij = 1/J_i - 1/J_j > 0` and `m' = m × J⁻¹m` at the start:
//!
//! ```text
//! λ² = g_2p (g_13 m_p² + g_s2 m_2²)    κ² = g_s2 (g_13 m_s² + g_2p m_2²)    λ² - κ² = g_13 |side|
//! σ = sn(λt)/λ    c = cn(λt)    d = dn(λt)    k = κ/λ
//! m_p(t) = (m_p d + m_p' σ c)/D    m_s(t) = (m_s c + m_s' σ d)/D    m_2(t) = (m_2 c d + m_2' σ)/D
//! D = d² + g_13 g_s2 m_s² σ²
//! ψ = L t/J_o ∓ (Θ(t) + arg(A + (g_2o/g_13) (m_2(t)² - m_2 σ m_2'(t)) + i L g_2o m_2 m_2(t) σ))
//! Θ(t) = ∫ M/(1/σ² + N)    M = L g_13 N    (N, A) = (g_13 g_2p S², P²) for r = s, (g_13 g_s2 P², S²) for r = p
//! ```
//!
//! Functions of time alone are begun where `λt` is at most a sixteenth, by the Laurent series of
//! Weierstrass' function, and doubled, in forms without cancellation:
//!
//! ```text
//! 1/σ² = ℘ + (λ² + κ²)/3 = (1 + (l + q)/3 + G + H + G²/3 + 3 G H/11 + …)/t²
//! l = λ²t²    q = κ²t²    G = (l² - l q + q²)/15    H = -(l + q)(2l - q)(2q - l)/189
//! σ' = 2σcd/E    c' = (c²d² - (λ² - κ²)σ²)/E    d' = (c²d² + (λ² - κ²)σ²)/E    E = c² + λ²σ²d²
//! c' = (c² - λ²σ²d²)/E    1 - d' = 2κ²σ²c²/E
//! Θ' = 2Θ + arg(1 + N (σ'² - σ²c'd') + i M σ²σ')
//! ```
//!
//! A turn waits for the turn before it, and each doubling for the one before; so nothing is divided there. Carried along are
//! σ, c and d times a common unit `u`, and a number whose argument is that of Θ, of any size:
//!
//! ```text
//! u' = c²u² + λ²σ²d²    σ' = 2σcdu    c' = c²u² - λ²σ²d²    d' = u' - 2κ²σ²c²
//! arg(u'²u² + N (σ'²u² - σ²c'd') + i M σ²σ'u')
//! ```
//!
//! To rounding `c'/u'` and `d'/u'` depend on `c/u` and `d/u` only by what these are short of one.
//!
//! Each of σ, c and d would err by the same rounding in every step of a free motion, and energy and
//! momentum would drift. So the momentum that comes out is put back onto the intersection of its
//! sphere and its ellipsoid, `m_p² + (g_s2/g_13) m_2²` and `m_s² + (g_2p/g_13) m_2²` as they were, by
//! one step of Newton's method from differences of squares, which are small and nearly exact: what
//! is left are the roundings of the momentum itself, a random walk.
//!
//! The addition theorem of the integral of the third kind is DLMF 19.11.1; all else is derived
//! here, and compared with double-double numbers in the tests.
use super::{Inertia, Turn};
use crate::linalg::{Mat3, Quat, Vec3, vec3};
use crate::scalar::{Mask, Real};
use crate::so3;

/// `λt` with which the series begin, squared: what they leave out is then below rounding.
const BEGIN: f64 = 1.0 / 256.0;

/// After how many doublings the unit has to be one again. Till then `λt` is at most four and the unit at least 0.009, and
/// that is on the separatrix; after three more it would be 1e-200.
const ROOM: u32 = 6;

/// The axes by role, lane by lane: for each axis of the body whether it has that role.
#[derive(Clone, Copy)]
struct Role<S: Real>([S::Mask; 3]);

impl<S: Real> Role<S> {
    #[inline(always)]
    fn of(self, v: Vec3<S>) -> S {
        S::select(self.0[0], v.x, S::select(self.0[1], v.y, v.z))
    }
    /// Where `mask` is true this role, elsewhere the other one.
    #[inline(always)]
    fn or(self, mask: S::Mask, other: Self) -> Self {
        let ([a, b, c], [x, y, z], not) = (self.0, other.0, mask.not());
        Self([mask.and(a).or(not.and(x)), mask.and(b).or(not.and(y)), mask.and(c).or(not.and(z))])
    }
    /// The unit vector.
    #[inline(always)]
    fn direction(self) -> Vec3<S> {
        let (one, zero) = (S::one(), S::zero());
        let [x, y, z] = self.0;
        vec3(S::select(x, one, zero), S::select(y, one, zero), S::select(z, one, zero))
    }
}

/// The roles of the smallest, the middle and the largest moment.
#[inline(always)]
fn by_moment<S: Real>(j: Vec3<S>) -> [Role<S>; 3] {
    let (xy, xz, yz) = (j.x.lt(j.y), j.x.lt(j.z), j.y.lt(j.z));
    let one = [xy.and(xz), xy.not().and(yz), xz.not().and(yz.not())];
    let three = [xy.not().and(xz.not()), xy.and(yz.not()), xz.and(yz)];
    let two = [one[0].or(three[0]).not(), one[1].or(three[1]).not(), one[2].or(three[2]).not()];
    [Role(one), Role(two), Role(three)]
}

/// The parts of three vectors along the axes of the smallest, the middle and the largest moment.
#[inline(always)]
fn parts<S: Real>(roles: [Role<S>; 3], v: [Vec3<S>; 3]) -> [[S; 3]; 3] {
    let [a, b, c] = v;
    if const { S::LANES == 1 } {
        // One way to go, which hardly ever changes, and not one for each part.
        let [first, second, _] = roles;
        let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (a.to_array(), b.to_array(), c.to_array());
        return if first.0[0].all() {
            if second.0[1].all() {
                [[ax, ay, az], [bx, by, bz], [cx, cy, cz]]
            } else {
                [[ax, az, ay], [bx, bz, by], [cx, cz, cy]]
            }
        } else if first.0[1].all() {
            if second.0[0].all() {
                [[ay, ax, az], [by, bx, bz], [cy, cx, cz]]
            } else {
                [[ay, az, ax], [by, bz, bx], [cy, cz, cx]]
            }
        } else if second.0[0].all() {
            [[az, ax, ay], [bz, bx, by], [cz, cx, cy]]
        } else {
            [[az, ay, ax], [bz, by, bx], [cz, cy, cx]]
        };
    }
    let [first, second, third] = roles;
    [
        [first.of(a), second.of(a), third.of(a)],
        [first.of(b), second.of(b), third.of(b)],
        [first.of(c), second.of(c), third.of(c)],
    ]
}

/// The vector with these parts along the axes of the middle moment, of `p` and of the third one.
#[inline(always)]
fn by_role<S: Real>(second: Role<S>, p: Role<S>, two: S, along_p: S, along_s: S) -> Vec3<S> {
    vec3(
        S::select(second.0[0], two, S::select(p.0[0], along_p, along_s)),
        S::select(second.0[1], two, S::select(p.0[1], along_p, along_s)),
        S::select(second.0[2], two, S::select(p.0[2], along_p, along_s)),
    )
}

/// `σ`, `c` and `d`, all three times the same `unit`, and the phase `Θ = angle + arg w` after a time.
struct Elapsed<S> {
    sigma: S,
    c: S,
    d: S,
    unit: S,
    angle: S,
    w: (S, S),
}

impl<S: Real> Elapsed<S> {
    /// The same with one for the unit and the size of `w`, in some lanes.
    #[inline(always)]
    fn normalise(&mut self, lanes: S::Mask) {
        let one = S::one();
        let inverse = one / S::select(lanes, self.unit, one);
        let size = self.w.0 * self.w.0 + self.w.1 * self.w.1;
        let scale = one / S::select(lanes, size, one).sqrt();
        self.sigma *= inverse;
        self.c *= inverse;
        self.d *= inverse;
        self.unit = S::select(lanes, one, self.unit);
        self.w = (self.w.0 * scale, self.w.1 * scale);
    }
}

/// What they depend on: `λ²`, `κ²`, their difference, `N` and `M`.
struct Constants<S> {
    lambda: S,
    kappa: S,
    gap: S,
    n: S,
    m: S,
}

#[inline(always)]
fn multiply<S: Real>((a, b): (S, S), (c, d): (S, S)) -> (S, S) {
    (a * c - b * d, a * d + b * c)
}

impl<S: Real> Constants<S> {
    /// By the series, where `λz` is small.
    #[inline(always)]
    fn begin(&self, z: S) -> Elapsed<S> {
        let one = S::one();
        let y = z * z;
        let (l, q) = ((self.lambda * y).unpaired(), (self.kappa * y).unpaired());
        let sum = (l + q) * S::ratio(1.0, 3.0);
        let g = (l * (l - q) + q * q) * S::ratio(1.0, 15.0);
        let h = (l + q) * S::ratio(1.0, 189.0) * ((l * 2.0 - q) * (l - q * 2.0));
        let tail = g * (g * S::ratio(1.0, 3.0) + h * S::ratio(3.0, 11.0));
        let whole = one + (sum + (g + h) + tail);
        // 1/(1/σ² + N) = z² (1 + f1 + f2 + …).
        let e = sum + self.n * y;
        let f2 = e * e - g;
        let f3 = e * (g - f2) - h;
        let f4 = e * (h - f3) - g * f2;
        let f5 = -(e * f4 + g * f3);
        let series = S::ratio(1.0, 3.0) - e * S::ratio(1.0, 5.0)
            + f2 * S::ratio(1.0, 7.0)
            + (f3 * S::ratio(1.0, 9.0) + f4 * S::ratio(1.0, 11.0) + f5 * S::ratio(1.0, 13.0));
        Elapsed {
            sigma: z,
            c: (whole - l).sqrt(),
            d: (whole - q).sqrt(),
            unit: whole.sqrt(),
            angle: self.m * z * y * series,
            w: (one, S::zero()),
        }
    }

    /// The same at twice the time, in some lanes.
    #[inline(always)]
    fn double(&self, e: &mut Elapsed<S>, lanes: S::Mask) {
        let (s2, c2, d2, u2) = (e.sigma * e.sigma, e.c * e.c, e.d * e.d, e.unit * e.unit);
        let (near, away) = (c2 * u2, self.lambda * s2 * d2);
        let unit = near + away;
        let sigma = e.sigma * e.c * (e.d * e.unit) * 2.0;
        // Near one by what is missing to it: from the other forms, which are needed where less than half is left, errors
        // would grow fourfold.
        let miss_d = self.kappa * s2 * c2 * 2.0;
        let (mut c, mut d) = (near - away, unit - miss_d);
        let (near_c, near_d) = ((away * 4.0).lt(unit), (miss_d * 2.0).lt(unit));
        if !near_c.and(near_d).all() {
            let (both, gap) = (c2 * d2, self.gap * s2 * u2);
            c = S::select(near_c, c, both - gap);
            d = S::select(near_d, d, both + gap);
        }
        let turn = (
            unit * unit * u2 + self.n * (sigma * sigma * u2 - s2 * (c * d)),
            self.m * s2 * (sigma * unit),
        );
        let w = multiply(multiply(e.w, e.w), turn);
        e.sigma = S::select(lanes, sigma, e.sigma).unpaired();
        e.c = S::select(lanes, c, e.c).unpaired();
        e.d = S::select(lanes, d, e.d).unpaired();
        e.unit = S::select(lanes, unit, e.unit).unpaired();
        e.angle = S::select(lanes, e.angle * 2.0, e.angle);
        e.w.0 = S::select(lanes, w.0, e.w.0).unpaired();
        e.w.1 = S::select(lanes, w.1, e.w.1).unpaired();
    }

    /// After the time `t`.
    #[inline(always)]
    fn after(&self, t: f64) -> Elapsed<S> {
        let (one, begin) = (S::one(), S::lift(BEGIN));
        let mut z = S::lift(t);
        let mut times = one;
        // What is not finite would be halved for ever; it makes no motion.
        let bounded = (self.lambda * z * z).finite();
        loop {
            let long = begin.lt(self.lambda * z * z).and(bounded);
            if !long.any() {
                break;
            }
            z = S::select(long, z * 0.5, z);
            times = S::select(long, times * 2.0, times);
        }
        let mut elapsed = self.begin(z);
        let mut doublings = 0;
        loop {
            let lanes = one.lt(times);
            if !lanes.any() {
                return elapsed;
            }
            if ROOM <= doublings {
                elapsed.normalise(lanes);
            }
            self.double(&mut elapsed, lanes);
            times = S::select(lanes, times * 0.5, times);
            doublings += 1;
        }
    }
}

/// Parts of a vector along the axes `p`, `s` and `2`.
struct ByRole<S> {
    p: S,
    s: S,
    two: S,
}

/// The momentum at the start, its rates, and the constants of its orbit: `g_s2/g_13`, `g_2p/g_13`, `λ²`, `κ²` and
/// `g_13 g_s2 m_s²`.
struct Orbit<S> {
    m: ByRole<S>,
    rates: ByRole<S>,
    of_p: S,
    of_s: S,
    lambda: S,
    kappa: S,
    rest: S,
}

impl<S: Real> Orbit<S> {
    /// The momentum at the end and how far it has gone, by the addition theorems.
    ///
    /// After short motions (`near`) they give how far it goes, where what `c` and `d` are short of the unit takes the
    /// place of `d unit - D`, `c unit - D` and `c d - D`, and the sum with the momentum is rounded once. Of several
    /// roundings the step onto the orbit would mend those only that are larger than a rounding, and energies of splittings
    /// drifted by 1e-19 of themselves a step. After others they give the momentum itself, whose small parts near the
    /// separatrix need all their digits. In `ALL` lanes the same, or in each as it is.
    #[inline(always)]
    fn end<const ALL: bool>(&self, e: &Elapsed<S>, near: S::Mask) -> (ByRole<S>, ByRole<S>) {
        let Self { m, rates, of_p, of_s, lambda, kappa, .. } = self;
        let (of_p, of_s) = (*of_p, *of_s);
        let (sigma, c, d, unit) = (e.sigma, e.c, e.d, e.unit);
        let square = sigma * sigma;
        let (sum_c, sum_d) = (unit + c, unit + d);
        let shares = square / (sum_c * sum_d);
        let (miss_c, miss_d) = (*lambda * sum_d * shares, *kappa * sum_c * shares);
        let rest = self.rest * square;
        let share = S::one() / (d * d + rest);
        let mut times_p = d * miss_d - rest;
        let mut times_s = *kappa * square - unit * miss_c - rest;
        let mut times_2 = d * (miss_d - miss_c) - rest;
        let mut from = ByRole { p: m.p, s: m.s, two: m.two };
        if const { !ALL } {
            let zero = S::zero();
            times_p = S::select(near, times_p, d * unit);
            times_s = S::select(near, times_s, c * unit);
            times_2 = S::select(near, times_2, c * d);
            from.p = S::select(near, m.p, zero);
            from.s = S::select(near, m.s, zero);
            from.two = S::select(near, m.two, zero);
        }
        let way = ByRole {
            p: ((m.p * times_p + rates.p * (sigma * c)) * share).unpaired(),
            s: ((m.s * times_s + rates.s * (sigma * d)) * share).unpaired(),
            two: ((m.two * times_2 + rates.two * (sigma * unit)) * share).unpaired(),
        };
        let (end_p, end_s, end_2) = (from.p + way.p, from.s + way.s, from.two + way.two);
        let mut gone = ByRole { p: way.p, s: way.s, two: way.two };
        if const { !ALL } {
            gone.p -= m.p - from.p;
            gone.s -= m.s - from.s;
            gone.two -= m.two - from.two;
        }
        // Back onto sphere and ellipsoid, by the shortest way. What `m_2` gained is taken out where it
        // would cancel.
        let gain = gone.two * (end_2 + m.two);
        let gain_p = gone.p * (end_p + m.p);
        let gain_s = gone.s * (end_s + m.s);
        let (off_p, off_s) = (gain_p + of_p * gain, gain_s + of_s * gain);
        let (pp, ss, tt) = (end_p * end_p, end_s * end_s, end_2 * end_2);
        let apart = (of_s * gain_p - of_p * gain_s) * tt;
        let det = ss * pp + (of_p * of_p * ss + of_s * of_s * pp) * tt;
        let half = S::lift(0.5) / det.max(S::lift(f64::MIN_POSITIVE));
        let off_p_part = end_p * (off_p * ss + of_s * apart) * half;
        let off_s_part = end_s * (off_s * pp - of_p * apart) * half;
        let off_2_part = end_2 * (of_p * off_p * ss + of_s * off_s * pp) * half;
        let end = ByRole {
            p: (from.p + (way.p - off_p_part)).unpaired(),
            s: (from.s + (way.s - off_s_part)).unpaired(),
            two: (from.two + (way.two - off_2_part)).unpaired(),
        };
        gone.p -= off_p_part;
        gone.s -= off_s_part;
        gone.two -= off_2_part;
        (end, gone)
    }
}

/// The turn with all digits of a small angle, as a quaternion; nothing beyond a quarter turn or so.
///
/// In the frames of the start, `e1 ∥ along`, `e2 ∥ away`, `e3 ∥ m`, the turn is `Rz(ψ) G` with `G_ji = f_j·e_i`
/// for the frame `f` of the end. All that makes up its skew part is a product with `gone = m(t) - m`:
///
/// ```text
/// G31 = gone·along/(L²A)    G32 = gone·away/(LA)     G13 = (L² gone_r - m_r(t) |gone|²/2)/(L²A')
/// G23 = -gone·away/(LA')    G21 - G12 = -(m_r + m_r(t)) gone·away/(LAA')
/// ```
#[inline(always)]
fn short_turn<S: Real>(
    m: Vec3<S>,
    gone: Vec3<S>,
    axis: Vec3<S>,
    [mr, gone_r, size]: [S; 3],
    (cos, sin): (S, S),
) -> Option<Quat<S>> {
    let (square, end_r) = (size * size, mr + gone_r);
    let (away, along) = (axis.cross(m), m.times(mr) - axis.times(square));
    let (a, a_end) = ((square - mr * mr).sqrt(), (square - end_r * end_r).sqrt());
    let across = gone.dot(away);
    let g31 = gone.dot(along) / (square * a);
    let (g32, g23) = (across / (size * a), -across / (size * a_end));
    let g13 = (gone_r - end_r * (gone.norm_squared() * 0.5) / square) / a_end;
    let twist = -(mr + end_r) * across / (size * a * a_end);
    let inner = (m + gone).dot(m);
    let g11 = (end_r * mr * (inner / square) - end_r * end_r - mr * mr + square) / (a * a_end);
    let g22 = (inner - end_r * mr) / (a * a_end);
    let axial =
        (g32 - sin * g13 - cos * g23, cos * g13 - sin * g23 - g31, sin * (g11 + g22) + cos * twist);
    let trace = cos * (g11 + g22) - sin * twist + inner / square;
    // What the vector is divided by vanishes at half a turn.
    if !S::zero().lt(trace).all() {
        return None;
    }
    let twice = (S::one() + trace).sqrt();
    let turned = along.times(axial.0 / (size * a)) + away.times(axial.1 / a);
    let v = (turned + m.times(axial.2 / size)).times(S::lift(0.5) / twice);
    Some(Quat { w: twice * 0.5, v })
}

/// Motion of bodies with three different moments over the time `t`, in all lanes.
///
/// If it is to be `FINE`, small turns have all their digits, where the usual one is right to a rounding of
/// one: they are quaternions, and there is no matrix.
#[inline(always)]
pub(super) fn tumble<S: Real, const FINE: bool>(
    inertia: &Inertia<S>,
    t: f64,
    m: Vec3<S>,
) -> (Turn<S>, Option<Quat<S>>) {
    let (one, zero) = (S::one(), S::zero());
    let (moments, inverse) = (inertia.moments(), inertia.inverse_moments());
    let [first, second, third] = by_moment(moments);
    let [[j1, j2, j3], [i1, i2, i3], [m1, m2, m3]] =
        parts([first, second, third], [moments, inverse, m]);
    let [x, y, z] = second.0;
    let even = first.0[0].and(y).or(first.0[1].and(z)).or(first.0[2].and(x));
    let hand = S::select(even, one, -one);
    let (g12, g23, g13) = ((j2 - j1) * i1 * i2, (j3 - j2) * i2 * i3, (j3 - j1) * i1 * i3);
    let side = m3 * m3 * g23 - m1 * m1 * g12;
    let upper = zero.lt(side);
    let (p, s) = (third.or(upper, first), first.or(upper, third));
    let (mp, ms) = (S::select(upper, m3, m1), S::select(upper, m1, m3));
    let (gs2, g2p) = (S::select(upper, g12, g23), S::select(upper, g23, g12));
    let (p_square, s_square, two_square) = (mp * mp, ms * ms, m2 * m2);
    let share = one / g13;
    let (of_s, of_p) = (g2p * share, gs2 * share);
    // Euler's equations; the hand is that of the axes by growing moment.
    let (rate_p, rate_s) = (-(hand * gs2 * m2 * ms), -(hand * g2p * m2 * mp));
    let rate_2 = g13 * hand * mp * ms;
    let (p2, s2) = (p_square + two_square * of_p, s_square + two_square * of_s);
    let square = m.norm_squared();
    let size = square.sqrt();

    // The axis from which the momentum stays away, and what goes with it.
    let swap = p2.lt(s2);
    let r = p.or(swap, s);
    let a = S::select(swap, s2, p2);
    let n = g13 * S::select(swap, gs2 * p2, g2p * s2);
    let g2o = S::select(swap, gs2, g2p);
    let (lambda, kappa) = (g13 * g2p * p2, g13 * gs2 * s2);
    let constants = Constants {
        lambda,
        kappa,
        // On the separatrix itself the period would be infinite.
        gap: (g13 * side.abs()).max(lambda * 1e-290),
        n,
        m: size * g13 * n,
    };
    let mut elapsed = constants.after(t);
    if FINE {
        elapsed.normalise(S::Mask::splat(true));
    }
    let Elapsed { sigma, c, unit, angle, w, .. } = elapsed;

    let orbit = Orbit {
        m: ByRole { p: mp, s: ms, two: m2 },
        rates: ByRole { p: rate_p, s: rate_s, two: rate_2 },
        of_p,
        of_s,
        lambda,
        kappa,
        rest: g13 * gs2 * s_square,
    };
    let near = unit.lt(c * 2.0);
    // Two functions, so that the usual one has nothing to choose.
    let (end, gone) = if near.all() {
        orbit.end::<true>(&elapsed, near)
    } else {
        orbit.end::<false>(&elapsed, near)
    };
    let ByRole { p: end_p, s: end_s, two: end_2 } = end;
    let end = by_role(second, p, end_2, end_p, end_s);

    // The phase about the momentum.
    let sigma = sigma / unit;
    let re = a + g2o * share * (end_2 * end_2 - m2 * sigma * (g13 * hand) * (end_p * end_s));
    let im = size * g2o * m2 * end_2 * sigma;
    // Reckoned backwards where the reference is the axis of the largest moment.
    let backwards = swap.and(upper).or(swap.not().and(upper.not()));
    let opposite = S::select(backwards, i1, i3);
    let turned = size * opposite * t;
    let (sin, cos) = (angle + S::select(backwards, -turned, turned)).sin_cos();
    let (re, im) = multiply(multiply((re, im), w), (cos, sin));
    let im = S::select(backwards, -im, im);

    // The frames with third axis along the momentum, second across the reference.
    let axis = r.direction();
    let (mr, end_r) = (S::select(swap, mp, ms), S::select(swap, end_p, end_s));
    let solved = square.finite().and((lambda * (t * t)).finite());
    // A steady rotation, to rounding: there the phases of the rest are of no meaning.
    let swing = rate_p * rate_p + rate_s * rate_s + rate_2 * rate_2;
    let swings = (square * square * (i1 * i1) * 1e-36).lt(swing);
    if FINE && zero.lt(c).and(swings).all() {
        let sizes = [mr, S::select(swap, gone.p, gone.s), size];
        let gone = by_role(second, p, gone.two, gone.p, gone.s);
        let norm = (re * re + im * im).sqrt();
        let short = short_turn(m, gone, axis, sizes, (re / norm, im / norm));
        if short.is_some() {
            return (Turn { solved, ..Turn::explicit(Mat3::identity(), end) }, short);
        }
    }
    let (away, away_end) = (axis.cross(m), axis.cross(end));
    let (along, along_end) =
        (m.times(mr) - axis.times(square), end.times(end_r) - axis.times(square));
    let sizes = (re * re + im * im) * ((square - mr * mr) * (square - end_r * end_r));
    let (scale, flat) = (one / sizes.sqrt(), one / square);
    let (re, im) = (re * scale, im * scale * (size * flat));
    let first = along_end.times(re * flat) - away_end.times(im);
    let second = along_end.times(im) + away_end.times(re);
    let third = end.times(flat);
    let rotation = Mat3::from_rows(
        first.times(along.x) + second.times(away.x) + third.times(m.x),
        first.times(along.y) + second.times(away.y) + third.times(m.y),
        first.times(along.z) + second.times(away.z) + third.times(m.z),
    );
    // The momentum at the end is turned into that at the start: the rotation errs by roundings that
    // repeat where the motion nearly does, and the spatial momentum would drift.
    let rest = (m - rotation.apply(end)).times(flat);
    let rotation = rotation + Mat3::outer(rest, end);
    if swings.all() {
        return (Turn { momentum: end, solved, ..Turn::explicit(rotation, end) }, None);
    }
    let steady = so3::exp(inverse.scaled_by(m) * t);
    let rotation = Mat3::select(swings, rotation, steady);
    let end = Vec3::select(swings, end, m);
    (Turn { momentum: end, solved, ..Turn::explicit(rotation, end) }, None)
}
