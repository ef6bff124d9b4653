//! The exact free motion, attitude included, for any time by one evaluation.
//!
//! A body with two equal moments precesses ([`precession`]); any other one is moved by addition
//! theorems ([`tumbling`](super::tumbling)), several at a time in lanes. Numbers with more digits go by the integrals
//! themselves, which are below and to which the tests compare the other way.
//!
//! Sort the axes so that `J1 < J2 < J3`, write `g_ij = 1/J_i - 1/J_j`, and call `p` the
//! extreme axis that the momentum encircles (3 if `m3² g23 > m1² g12`, else 1), `s` the other:
//!
//! ```text
//! m_p = P dn u    m_2 = B sn u    m_s = S cn u    u = u0 + λ t    λ² = g_2p g_13 P²
//! P² = m_p² + m_2² g_s2/g_13    S² = m_s² + m_2² g_2p/g_13    B² = m_2² + m_s² g_13/g_2p
//! k² = g_s2 S²/(g_2p P²)        1 - k² = |m3² g23 - m1² g12|/(g_2p P²)
//! F = A(m(0))ᵀ Rz(ψ) A(m(t))    ψ = L t/J_o ± (L g_13 n/(3 λ)) [s³ RJ(c², dn², 1, 1 - n s²)]
//! ```
//!
//! with `L = |m|`; `A(m)` the frame whose rows are `r1 = r2 × r3`, `r2 ∥ e_r × m`, `r3 ∥ m` for
//! the extreme axis `r` from which the momentum stays away (`p` if `S > P`, with `n = -g_s2/g_2p`,
//! else `s`, with `n = -S²/P²`; upper sign for `r = 3`); `o` the extreme axis that is not `r`; and
//! the bracket the change of the incomplete integral of the third kind beyond its first part,
//! half periods counted. The term linear in `t` is the textbook one, `L t (1/J_r + q/d)`, after
//! `q/d = ±g_13`: written like this nothing cancels. Jacobi 1849; Whittaker, chapter 6; formulas
//! for every ordering of the moments derived here and tested against series in extended precision.
//!
//! The error is a few roundings of the angle that was turned. On the separatrix itself the motion
//! is taken with a complementary modulus of 1e-145. Numbers that carry derivatives go another way
//! ([`taylor`]), because steady rotations and the separatrix are corners of these formulas.
use super::elliptic::{Jacobi, carlson_rf, carlson_rj};
use super::free_map::{PrincipalMap, fine_in_principal_frame, in_principal_frame};
use super::precession::precession;
use super::tumbling::tumble;
use super::{FineTurn, FreeMap, Inertia, Memo, Round, Turn, taylor};
use crate::linalg::{Mat3, Vec3, vec3};
use crate::scalar::{Apart, Mask, Real};
use crate::so3;

/// The exact free motion.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exact;

/// A principal axis with its moment and the momentum along it.
#[derive(Clone, Copy)]
struct Axis<S> {
    moment: S,
    m: S,
    direction: Vec3<S>,
}

impl<S: Real> Axis<S> {
    #[inline(always)]
    fn select(mask: S::Mask, a: Self, b: Self) -> Self {
        Self {
            moment: S::select(mask, a.moment, b.moment),
            m: S::select(mask, a.m, b.m),
            direction: Vec3::select(mask, a.direction, b.direction),
        }
    }
}

/// The axes by growing moment, and the sign of their handedness.
#[inline]
fn sorted<S: Real>(moments: Vec3<S>, m: Vec3<S>) -> ([Axis<S>; 3], S) {
    let axis = |i: usize| Axis { moment: moments.get(i), m: m.get(i), direction: Vec3::unit(i) };
    let mut axes = [axis(0), axis(1), axis(2)];
    let mut hand = S::one();
    let mut k = 0;
    while k < 3 {
        let (i, j) = [(0, 1), (1, 2), (0, 1)][k];
        let swap = axes[j].moment.lt(axes[i].moment);
        let (a, b) = (axes[i], axes[j]);
        axes[i] = Axis::select(swap, b, a);
        axes[j] = Axis::select(swap, a, b);
        hand = S::select(swap, -hand, hand);
        k += 1;
    }
    (axes, hand)
}

/// The frame with third row along the momentum and second row across the axis.
#[inline]
fn frame<S: Real>(axis: Vec3<S>, momentum: Vec3<S>) -> Mat3<S> {
    let r3 = momentum.times(S::one() / momentum.norm());
    let across = axis.cross(momentum);
    let r2 = across.times(S::one() / across.norm());
    Mat3::from_rows(r2.cross(r3), r2, r3)
}

/// Motion of a body with three different moments, by integrals.
#[inline]
fn by_integrals<S: Real>(
    [one, two, three]: [Axis<S>; 3],
    hand: S,
    t: f64,
    momentum: Vec3<S>,
) -> Mat3<S> {
    let (unit, zero) = (S::one(), S::zero());
    let gap = |a: Axis<S>, b: Axis<S>| (b.moment - a.moment) / (a.moment * b.moment);
    let (g12, g23, g13) = (gap(one, two), gap(two, three), gap(one, three));
    let side = three.m * three.m * g23 - one.m * one.m * g12;
    let upper = zero.lt(side);
    let p = Axis::select(upper, three, one);
    let s = Axis::select(upper, one, three);
    let gs2 = S::select(upper, g12, g23);
    let g2p = S::select(upper, g23, g12);
    let m2 = two.m;

    let s2 = s.m * s.m + m2 * m2 * (g2p / g13);
    let p2 = p.m * p.m + m2 * m2 * (gs2 / g13);
    let b2 = m2 * m2 + s.m * s.m * (g13 / g2p);
    // The phase is counted from the nearest zero of m_2, so that cn >= 0 at the start: this fixes
    // the signs of the amplitudes.
    let sign = |x: S| S::select(x.lt(zero), -unit, unit);
    let (sp, ss) = (sign(p.m), sign(s.m));
    let amplitude_s = s2.sqrt() * ss;
    let amplitude_p = p2.sqrt() * sp;
    let amplitude_2 = b2.sqrt() * hand * sp * ss;
    let kc = (side.abs() / (g2p * p2)).max(S::lift(1e-290)).sqrt();
    let lambda = (g2p * g13 * p2).sqrt();

    let (sin0, cos0, dn0) = (m2 / amplitude_2, s.m / amplitude_s, p.m / amplitude_p);
    let functions = Jacobi::new(kc);
    let u = sin0 * carlson_rf(cos0, dn0) + lambda * t;
    let phase = u * functions.rate();
    let (sin, cos) = phase.sin_cos();
    let (sn, cn, dn) = functions.at(sin, cos);
    let end = p.direction.times(amplitude_p * dn)
        + two.direction.times(amplitude_2 * sn)
        + s.direction.times(amplitude_s * cn);

    let far = p2.lt(s2);
    let n = -S::select(far, gs2 / g2p, s2 / p2);
    let reference = Axis::select(far, p, s);
    let opposite = Axis::select(far, s, p);
    // The half periods gone through, and the sine in the last one.
    let turn = sign(cos);
    let rest = (sin * turn).atan2(cos * turn);
    let halves = (phase - rest) * core::f64::consts::FRAC_1_PI;
    let last = sn * turn;
    let third = |sin: S, cos: S, dn: S| sin * sin * sin * carlson_rj(cos, dn, unit - n * sin * sin);
    let mut change = third(last, cn * turn, dn) - third(sin0, cos0, dn0);
    if S::lift(0.5).lt(halves.abs()).any() {
        change += halves * carlson_rj(zero, kc, unit - n) * 2.0;
    }
    let size = momentum.norm();
    // Upper sign where the reference is the third axis.
    let slope = S::select(reference.moment.lt(opposite.moment), -g13, g13);
    let psi = size * t / opposite.moment + size * slope * n * change / (lambda * 3.0);
    let (sin, cos) = psi.sin_cos();
    let [r1, r2, r3] = frame(reference.direction, end).rows;
    let turned = Mat3::from_rows(r1.times(cos) - r2.times(sin), r1.times(sin) + r2.times(cos), r3);
    frame(reference.direction, momentum).transpose().matmul(&turned)
}

/// Motion of a body with three different moments, for numbers with derivatives or more digits.
#[inline(never)]
fn general<S: Real>(inertia: &Inertia<S>, t: f64, momentum: Vec3<S>) -> Mat3<S> {
    if S::DERIVATIVES > 0
        && let Some(turn) = taylor::turn(inertia, t, momentum)
    {
        return turn;
    }
    let velocity = inertia.inverse_moments().scaled_by(momentum);
    let swing = momentum.cross(velocity).norm_squared();
    let bound = momentum.norm_squared() * velocity.norm_squared() * 1e-36;
    if bound.lt(swing).all() {
        let (axes, hand) = sorted(inertia.moments(), momentum);
        by_integrals(axes, hand, t, momentum)
    } else {
        so3::exp(velocity * t)
    }
}

/// [`tumble`] for one body, compiled once.
#[inline(never)]
fn alone<S: Real>(inertia: &Inertia<S>, t: f64, m: [S; 3]) -> Turn<S> {
    tumble::<S, false>(inertia, t, m.into()).0
}

/// The same with all digits of a small turn.
#[inline(never)]
fn fine_alone<S: Real>(inertia: &Inertia<S>, t: f64, m: [S; 3]) -> FineTurn<S> {
    let (turn, quat) = tumble::<S, true>(inertia, t, m.into());
    match quat {
        Some(quat) => FineTurn { quat, solved: turn.solved, iterations: 0, residual: 0.0 },
        None => FineTurn::of(&turn),
    }
}

/// [`tumble`] for several bodies, in one place for each kind of pack.
struct Tumble<'a, S> {
    inertia: &'a Inertia<S>,
    t: f64,
    momentum: Vec3<S>,
}
impl<S: Real> Apart for Tumble<'_, S> {
    type Output = Turn<S>;
    #[inline(always)]
    fn run(self) -> Turn<S> {
        tumble::<S, false>(self.inertia, self.t, self.momentum).0
    }
}

/// Whether the addition theorems have digits enough, and no corner that matters.
const fn plain<S: Real>() -> bool {
    S::DERIVATIVES == 0 && S::SERIES_TERMS == <f64 as Real>::SERIES_TERMS
}

/// Lane by lane, where some bodies have two equal moments.
#[inline(never)]
fn one_by_one<S: Real>(inertia: &Inertia<S>, t: f64, m: [S; 3]) -> Turn<S> {
    // As many lanes at a time as there is room for; no pack of numbers here has more.
    const ROOM: usize = 16;
    const { assert!(S::LANES <= ROOM, "a pack of more than sixteen numbers") };
    let mut given = [[S::zero().lane(0); ROOM]; 6];
    let j = inertia.moments().to_array();
    let mut k = 0;
    while k < 3 {
        j[k].write_lanes(&mut given[k]);
        m[k].write_lanes(&mut given[3 + k]);
        k += 1;
    }
    // The entries of the rotation, then the momentum.
    let mut found = [[S::zero().lane(0); ROOM]; 12];
    let mut i = 0;
    while i < S::LANES {
        let [j1, j2, j3, m1, m2, m3] = [0, 1, 2, 3, 4, 5].map(|k| given[k][i]);
        let body = Inertia::principal(vec3(j1, j2, j3));
        let turn = Exact.principal_turn(&body, t, vec3(m1, m2, m3));
        let [a, b, c] = turn.rotation.rows;
        let mut row = 0;
        while row < 4 {
            let v = [a, b, c, turn.momentum][row];
            found[3 * row][i] = v.x;
            found[3 * row + 1][i] = v.y;
            found[3 * row + 2][i] = v.z;
            row += 1;
        }
        i += 1;
    }
    let mut rows = [Vec3::<S>::zero(); 4];
    let mut row = 0;
    while row < 4 {
        rows[row] = vec3(
            S::read_lanes(&found[3 * row]),
            S::read_lanes(&found[3 * row + 1]),
            S::read_lanes(&found[3 * row + 2]),
        );
        row += 1;
    }
    let [a, b, c, end] = rows;
    let rotation = Mat3::from_rows(a, b, c);
    let [x, y, z] = m;
    Turn { momentum: end, solved: vec3(x, y, z).finite(), ..Turn::explicit(rotation, end) }
}

/// The turn of a body with two equal moments.
#[inline(always)]
fn round<S: Real>(
    inertia: &Inertia<S>,
    t: f64,
    momentum: Vec3<S>,
    memo: &mut Memo<S>,
) -> Option<Turn<S>> {
    Some(match inertia.round() {
        Round::About(2) => precession::<S, 2>(inertia, t, momentum, memo),
        Round::About(1) => precession::<S, 1>(inertia, t, momentum, memo),
        Round::About(_) => precession::<S, 0>(inertia, t, momentum, memo),
        _ => return None,
    })
}

impl<S: Real> PrincipalMap<S> for Exact {
    #[inline(always)]
    fn principal_turn(&self, inertia: &Inertia<S>, t: f64, momentum: Vec3<S>) -> Turn<S> {
        if let Some(turn) = round(inertia, t, momentum, &mut Memo::new()) {
            return turn;
        }
        // Known while compiling, so that each way is compiled only for the numbers that go it.
        if const { plain::<S>() } {
            if const { S::LANES == 1 } {
                // Taken apart and put together again, so that the usual way above may keep its
                // numbers in registers and not where the call left its own.
                let turn = alone(inertia, t, momentum.to_array());
                let Vec3 { x, y, z } = turn.momentum;
                // Not together with parts of the rotation, which comes later: the next turn waits for the momentum alone.
                let momentum = vec3(x.unpaired(), y.unpaired(), z.unpaired());
                return Turn { rotation: turn.rotation, momentum, ..turn };
            }
            if inertia.round() == Round::Nowhere {
                return S::apart(Tumble { inertia, t, momentum });
            }
        }
        if const { S::LANES > 1 } {
            // Lanes with and without two equal moments go their own ways.
            let turn = one_by_one(inertia, t, momentum.to_array());
            return Turn { rotation: turn.rotation, momentum: turn.momentum, ..turn };
        }
        let [a, b, c] = general(inertia, t, momentum).rows;
        let rotation = Mat3::from_rows(a, b, c);
        Turn { solved: momentum.finite(), ..Turn::explicit(rotation, momentum) }
    }
    #[inline(always)]
    fn fine_principal_turn(&self, inertia: &Inertia<S>, t: f64, momentum: Vec3<S>) -> FineTurn<S> {
        if const { plain::<S>() && S::LANES == 1 } && inertia.round() == Round::Nowhere {
            return fine_alone(inertia, t, momentum.to_array());
        }
        FineTurn::of(&self.principal_turn(inertia, t, momentum))
    }
}

impl<S: Real> FreeMap<S> for Exact {
    const EQUATION: &'static str = "the exact free motion";
    const EXACT: bool = true;

    #[inline(always)]
    fn turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        in_principal_frame(self, inertia, h, momentum)
    }
    #[inline(always)]
    fn fine_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> FineTurn<S> {
        fine_in_principal_frame(self, inertia, h, momentum)
    }
    #[inline(always)]
    fn usual_turn(
        &self,
        inertia: &Inertia<S>,
        h: f64,
        momentum: Vec3<S>,
        memo: &mut Memo<S>,
    ) -> Option<Turn<S>> {
        if !inertia.is_diagonal() {
            return None;
        }
        if const { S::LANES > 1 && plain::<S>() } && inertia.round() == Round::Nowhere {
            return Some(S::apart(Tumble { inertia, t: h, momentum }));
        }
        round(inertia, h, momentum, memo)
    }
}
