//! The splitting of the kinetic energy into its three principal parts.
//!
//! `B_i(s)`, the exact flow of `Π_i²/(2 J_i)`, is a rotation about the axis `i` by `s Π_i/J_i`;
//! the map is `B_a(h/2) B_b(h/2) B_c(h) B_b(h/2) B_a(h/2)` for the axes in the given order
//! (McLachlan 1993; Reich 1994). Explicit, order 2, symmetric, symplectic.
use super::free_map::{PrincipalMap, in_principal_frame};
use super::{FineTurn, FreeMap, Inertia, Turn};
use crate::linalg::{Mat3, Vec3};
use crate::scalar::{Real, circle};

/// Rotations about the principal axes, in this order and back.
#[derive(Clone, Copy, Debug)]
pub struct ThreeRotations {
    /// The axes, numbered from 0.
    pub axes: [usize; 3],
}

/// Turns the body about axis `i`; `columns` are those of the turn so far.
#[inline(always)]
fn about<S: Real>(
    i: usize,
    s: f64,
    inertia: &Inertia<S>,
    columns: &mut [Vec3<S>; 3],
    m: &mut Vec3<S>,
) {
    let (j, k) = if i == 0 {
        (1, 2)
    } else if i == 1 {
        (2, 0)
    } else {
        (0, 1)
    };
    let angle = m.get(i) * inertia.inverse_moments().get(i) * s;
    let (sin, cos) = circle::sine_and_cosine(angle);
    let (p, q) = (columns[j], columns[k]);
    columns[j] = p.times(cos) + q.times(sin);
    columns[k] = q.times(cos) - p.times(sin);
    let (p, q) = (m.get(j), m.get(k));
    m.set(j, p * cos + q * sin);
    m.set(k, q * cos - p * sin);
}

impl<S: Real> PrincipalMap<S> for ThreeRotations {
    #[inline(always)]
    fn principal_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        let mut columns = [Vec3::unit(0), Vec3::unit(1), Vec3::unit(2)];
        let mut m = momentum;
        let [a, b, c] = self.axes;
        about(a, 0.5 * h, inertia, &mut columns, &mut m);
        about(b, 0.5 * h, inertia, &mut columns, &mut m);
        about(c, h, inertia, &mut columns, &mut m);
        about(b, 0.5 * h, inertia, &mut columns, &mut m);
        about(a, 0.5 * h, inertia, &mut columns, &mut m);
        let [p, q, r] = columns;
        Turn { momentum: m, ..Turn::explicit(Mat3::from_columns(p, q, r), momentum) }
    }
    fn fine_principal_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> FineTurn<S> {
        FineTurn::of(&self.principal_turn(inertia, h, momentum))
    }
}

impl<S: Real> FreeMap<S> for ThreeRotations {
    const EQUATION: &'static str = "the splitting into three rotations";
    const PARTS: u32 = 5;

    #[inline(always)]
    fn turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        in_principal_frame(self, inertia, h, momentum)
    }
}
