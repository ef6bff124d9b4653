//! The group of any product of factors, chosen at run time.
//!
//! One type for all of them, so that engines are compiled once. `SO(3) ⋉ R³ᵏ` is a subgroup of
//! `SE(3)ᵏ`, whose elements share their rotation: each of its maps is that of SE(3), vector by vector.
use super::layout::{Layout, Part, Placed};
use lieflow::action::Flat;
use lieflow::archive::Archive;
use lieflow::chart::{Chart, OutOfChart};
use lieflow::group::{LieAlgebra, LieGroup, Se3, So3, Twist};
use lieflow::kernel::scalar::Apart;
use lieflow::{Mat3, Real, Vec3};
use std::sync::Arc;

/// The vector that begins at a place.
#[inline(always)]
pub(super) fn vector<S: Real>(x: &[S], at: usize) -> Vec3<S> {
    Vec3 { x: x[at], y: x[at + 1], z: x[at + 2] }
}
/// Replaces it.
#[inline(always)]
pub(super) fn put<S: Real>(x: &mut [S], at: usize, v: Vec3<S>) {
    x[at..at + 3].copy_from_slice(&v.to_array());
}
/// The matrix that begins at a place.
#[inline(always)]
pub(super) fn matrix<S: Real>(x: &[S], at: usize) -> Mat3<S> {
    Mat3::from_rows(vector(x, at), vector(x, at + 3), vector(x, at + 6))
}
/// Replaces it.
#[inline(always)]
pub(super) fn put_matrix<S: Real>(x: &mut [S], at: usize, m: &Mat3<S>) {
    for (i, row) in m.rows.into_iter().enumerate() {
        put(x, at + 3 * i, row);
    }
}

/// An element of the algebra.
#[derive(Clone, Debug)]
pub struct Element<S> {
    /// Which numbers belong to what.
    pub layout: Arc<Layout>,
    /// The numbers.
    pub numbers: Vec<S>,
}

impl<S: Real> Element<S> {
    /// Zero.
    pub fn zero(layout: Arc<Layout>) -> Self {
        let numbers = vec![S::zero(); layout.dim];
        Self { layout, numbers }
    }
    /// The rotational part of a block with vector number `i`, or with zero if it has none.
    #[inline(always)]
    pub(super) fn twist(&self, placed: &Placed, i: usize) -> Twist<S> {
        twist(&self.numbers, placed, i)
    }
}

#[inline(always)]
fn twist<S: Real>(x: &[S], Placed { part, algebra, .. }: &Placed, i: usize) -> Twist<S> {
    let linear =
        if *part == Part::Motion(0) { Vec3::zero() } else { vector(x, algebra + 3 + 3 * i) };
    Twist::new(vector(x, *algebra), linear)
}
#[inline(always)]
fn put_twist<S: Real>(x: &mut [S], Placed { part, algebra, .. }: &Placed, i: usize, v: Twist<S>) {
    put(x, *algebra, v.angular);
    if *part != Part::Motion(0) {
        put(x, algebra + 3 + 3 * i, v.linear);
    }
}

impl<S: Real> LieAlgebra for Element<S> {
    type Scalar = S;
    fn dim(&self) -> usize {
        self.numbers.len()
    }
    fn coord(&self, i: usize) -> S {
        self.numbers[i]
    }
    fn set_coord(&mut self, i: usize, value: S) {
        self.numbers[i] = value;
    }
    fn zero_like(&self) -> Self {
        Self::zero(self.layout.clone())
    }
    #[inline(always)]
    fn assign(&mut self, a: f64, x: &Self) {
        for (p, q) in self.numbers.iter_mut().zip(&x.numbers) {
            *p = *q * a;
        }
    }
    #[inline(always)]
    fn axpy(&mut self, a: f64, x: &Self) {
        for (p, q) in self.numbers.iter_mut().zip(&x.numbers) {
            *p += *q * a;
        }
    }
    fn bracket(&self, x: &Self) -> Self {
        let mut out = self.zero_like();
        out.axpy_bracket(1.0, self, x);
        out
    }
    fn axpy_bracket(&mut self, a: f64, x: &Self, y: &Self) {
        for placed in &x.layout.blocks {
            let Part::Motion(k) = placed.part else { continue };
            let at = placed.algebra;
            let (u, v) = (vector(&x.numbers, at), vector(&y.numbers, at));
            let sum = vector(&self.numbers, at) + u.cross(v) * a;
            put(&mut self.numbers, at, sum);
            for at in (0..k).map(|i| at + 3 + 3 * i) {
                let (b, c) = (vector(&x.numbers, at), vector(&y.numbers, at));
                let sum = vector(&self.numbers, at) + (u.cross(c) + b.cross(v)) * a;
                put(&mut self.numbers, at, sum);
            }
        }
    }
}

/// An element of the group.
#[derive(Clone, Debug)]
pub struct Move<S> {
    /// Which numbers belong to what.
    pub layout: Arc<Layout>,
    /// The numbers: shifts; and rotations by rows, with their vectors.
    pub numbers: Vec<S>,
}

impl<S: Real> Flat for Move<S> {
    fn distance_squared(&self, other: &Self) -> f64 {
        distance_squared(&self.numbers, &other.numbers)
    }
    fn archive(&mut self, archive: &mut Archive) {
        archive.reals(&mut self.numbers);
    }
}

/// The sum of squared differences.
pub(super) fn distance_squared<S: Real>(a: &[S], b: &[S]) -> f64 {
    let square = |(a, b): (&S, &S)| {
        let d = (*a - *b).magnitude();
        d * d
    };
    a.iter().zip(b).map(square).sum()
}

/// How many motions of space make up a part: at least one, whose vector may be missing.
fn motions(k: usize) -> usize {
    k.max(1)
}

impl<S: Real> Move<S> {
    fn empty(layout: &Arc<Layout>) -> Self {
        Self { layout: layout.clone(), numbers: vec![S::zero(); layout.size] }
    }
    /// The rotation of a block with vector number `i`, or with zero if it has none.
    pub(super) fn motion(&self, Placed { part, group, .. }: &Placed, i: usize) -> Se3<S> {
        let vectors = group + 9 + 3 * i;
        let position =
            if *part == Part::Motion(0) { Vec3::zero() } else { vector(&self.numbers, vectors) };
        Se3 { rotation: matrix(&self.numbers, *group), position }
    }
    fn put_motion(&mut self, Placed { part, group, .. }: &Placed, i: usize, g: &Se3<S>) {
        put_matrix(&mut self.numbers, *group, &g.rotation);
        if *part != Part::Motion(0) {
            put(&mut self.numbers, group + 9 + 3 * i, g.position);
        }
    }
    /// The element with these shifts and motions.
    fn build(
        layout: &Arc<Layout>,
        shift: &dyn Fn(&Placed, usize) -> S,
        motion: &dyn Fn(&Placed, usize) -> Se3<S>,
    ) -> Self {
        let mut out = Self::empty(layout);
        for placed in &layout.blocks {
            match placed.part {
                Part::Shift(n) => {
                    for i in 0..n {
                        out.numbers[placed.group + i] = shift(placed, i);
                    }
                }
                Part::Motion(k) => {
                    for i in 0..motions(k) {
                        out.put_motion(placed, i, &motion(placed, i));
                    }
                }
            }
        }
        out
    }
    /// The algebra element with these shifts and twists.
    fn algebra(
        &self,
        shift: &dyn Fn(&Placed, usize) -> S,
        motion: &dyn Fn(&Placed, usize) -> Twist<S>,
    ) -> Element<S> {
        let mut out = Element::zero(self.layout.clone());
        for placed in &self.layout.blocks {
            match placed.part {
                Part::Shift(n) => {
                    for i in 0..n {
                        out.numbers[placed.algebra + i] = shift(placed, i);
                    }
                }
                Part::Motion(k) => {
                    for i in 0..motions(k) {
                        put_twist(&mut out.numbers, placed, i, motion(placed, i));
                    }
                }
            }
        }
        out
    }
}

/// `v <- dphi_u^{-1} v`, or with `PUSH` `dphi_u v`, for the rotations and motions of every block; shifts
/// stay. One function for each scalar, compiled for its instructions, and without closures, which
/// would not be.
struct EachBlock<'a, S, const PUSH: bool> {
    chart: Chart,
    u: &'a Element<S>,
    v: &'a mut Element<S>,
}

impl<S: Real, const PUSH: bool> Apart for EachBlock<'_, S, PUSH> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { chart, u, v } = self;
        for placed in &u.layout.blocks {
            let Part::Motion(k) = placed.part else { continue };
            let at = placed.algebra;
            let before = vector(&v.numbers, at);
            if k == 0 {
                let (turn, mut x) = (vector(&u.numbers, at), before);
                if PUSH {
                    So3::push(chart, &turn, &mut x);
                } else {
                    So3::pull(chart, &turn, &mut x);
                }
                put(&mut v.numbers, at, x);
            }
            for i in 0..k {
                // What the vectors share was replaced with the first of them.
                let mut x = Twist::new(before, vector(&v.numbers, at + 3 + 3 * i));
                let twist = u.twist(placed, i);
                if PUSH {
                    Se3::push(chart, &twist, &mut x);
                } else {
                    Se3::pull(chart, &twist, &mut x);
                }
                put_twist(&mut v.numbers, placed, i, x);
            }
        }
    }
}

impl<S: Real> LieGroup for Move<S> {
    type Algebra = Element<S>;
    const HAS_CAYLEY: bool = true;

    fn identity(u: &Element<S>) -> Self {
        let unit = Se3 { rotation: Mat3::identity(), position: Vec3::zero() };
        Self::build(&u.layout, &|_, _| S::zero(), &|_, _| unit)
    }
    fn compose(&self, g: &Self) -> Self {
        Self::build(
            &self.layout,
            &|p, i| self.numbers[p.group + i] + g.numbers[p.group + i],
            &|p, i| self.motion(p, i).compose(&g.motion(p, i)),
        )
    }
    fn inverse(&self) -> Self {
        Self::build(&self.layout, &|p, i| -self.numbers[p.group + i], &|p, i| {
            self.motion(p, i).inverse()
        })
    }
    fn exp(u: &Element<S>) -> Self {
        Self::map(Chart::Exp, u)
    }
    fn log(&self) -> Element<S> {
        self.algebra(&|p, i| self.numbers[p.group + i], &|p, i| self.motion(p, i).log())
    }
    fn adjoint(&self, v: &Element<S>) -> Element<S> {
        self.algebra(&|p, i| v.numbers[p.algebra + i], &|p, i| {
            self.motion(p, i).adjoint(&v.twist(p, i))
        })
    }
    fn dexp(u: &Element<S>, v: &Element<S>) -> Element<S> {
        let mut out = v.clone();
        Self::push(Chart::Exp, u, &mut out);
        out
    }
    fn dexpinv(u: &Element<S>, v: &Element<S>) -> Element<S> {
        let mut out = v.clone();
        Self::pull(Chart::Exp, u, &mut out);
        out
    }
    fn cay(u: &Element<S>) -> Self {
        Self::map(Chart::Cayley, u)
    }
    fn dcayinv(u: &Element<S>, v: &Element<S>) -> Element<S> {
        let mut out = v.clone();
        Self::pull(Chart::Cayley, u, &mut out);
        out
    }
    fn map(chart: Chart, u: &Element<S>) -> Self {
        Self::build(&u.layout, &|p, i| u.numbers[p.algebra + i], &|p, i| {
            Se3::map(chart, &u.twist(p, i))
        })
    }
    fn pull(chart: Chart, u: &Element<S>, v: &mut Element<S>) {
        S::apart(EachBlock::<S, false> { chart, u, v });
    }
    fn push(chart: Chart, u: &Element<S>, v: &mut Element<S>) {
        S::apart(EachBlock::<S, true> { chart, u, v });
    }
    fn domain(chart: Chart, u: &Element<S>) -> Result<(), OutOfChart> {
        for placed in &u.layout.blocks {
            if let Part::Motion(_) = placed.part {
                So3::domain(chart, &vector(&u.numbers, placed.algebra))?;
            }
        }
        Ok(())
    }
}
