//! Newton's method for three equations in three unknowns.
use super::Inertia;
use super::elliptic::extended;
use crate::linalg::{Cofactors, Mat3, Vec3};
use crate::scalar::{Mask, Real};

/// Three equations for a 3-vector.
pub trait Equation<S: Real> {
    /// The residual and its derivative at `x`.
    fn linearise(&self, x: Vec3<S>) -> (Vec3<S>, Mat3<S>);
}

/// What Newton's method found.
#[derive(Clone, Copy, Debug)]
pub struct Root<S: Real> {
    /// The unknown.
    pub x: Vec3<S>,
    /// The lanes in which it solves the equations.
    pub solved: S::Mask,
    /// Iterations of the slowest lane.
    pub iterations: u32,
    /// The residual that was left, where a lane was not solved; otherwise zero.
    pub residual: f64,
}

/// Iterations after which a solve is given up.
const LIMIT: u32 = 50;

/// The iteration has settled when a correction is below this fraction of the unknown: convergence
/// is quadratic, so that the error left is its square. Rules on the residual would depend on the
/// units.
const SETTLED: f64 = 1e-9;

/// The same where one more correction by the last derivative follows, which leaves the cube.
const NEARLY: f64 = 4e-6;

/// The same where 1e-18 in every step would be seen.
const TIGHT: f64 = 1e-12;

/// Solves an equation from a guess. Lanes that have settled are not touched again; a lane that
/// leaves the finite numbers or does not settle is reported as unsolved.
#[inline(always)]
pub fn newton<S: Real, E: Equation<S>>(equation: &E, guess: Vec3<S>) -> Root<S> {
    iterate(equation, guess, SETTLED).0
}

/// [`newton`], which has settled later: where what is conserved depends on how well the equation is solved. The
/// square of the last correction, which is what is left, is below rounding with [`newton`] too, but of one sign,
/// and is seen after a million steps.
#[inline(always)]
pub fn newton_tight<S: Real, E: Equation<S>>(equation: &E, guess: Vec3<S>) -> Root<S> {
    iterate(equation, guess, TIGHT).0
}

/// The root to rounding, for where nothing else is left. After [`newton`] the square of the last correction is left,
/// below rounding, but of one sign: over very many steps it is seen. Here one correction more, by the last derivative,
/// leaves the cube.
///
/// The derivative at zero is that of `inertia`. Two corrections by it come first, each for a fifth of the price, and after
/// them one by the derivative there is enough, as a rule.
#[inline(always)]
pub fn newton_to_rounding<S: Real, E: Equation<S>>(
    equation: &E,
    inertia: &Inertia<S>,
    guess: Vec3<S>,
) -> Root<S> {
    let mut x = guess - inertia.velocity(equation.linearise(guess).0);
    x -= inertia.velocity(equation.linearise(x).0);
    let (residual, derivative) = equation.linearise(x);
    let cofactors = derivative.cofactors();
    let correction = cofactors.solve(residual);
    x -= correction;
    let near = correction.norm_squared().lt(x.norm_squared() * (NEARLY * NEARLY));
    if S::DERIVATIVES + usize::from(extended::<S>()) > 0 || !near.all() {
        return from_afar(equation, guess);
    }
    x -= cofactors.solve(equation.linearise(x).0);
    Root { x, solved: near, iterations: 2, residual: 0.0 }
}

/// The same wherever the guess is.
#[inline(never)]
fn from_afar<S: Real, E: Equation<S>>(equation: &E, guess: Vec3<S>) -> Root<S> {
    let (root, last) = iterate(equation, guess, NEARLY);
    let (residual, _) = equation.linearise(root.x);
    let x = root.x - last.solve(residual);
    Root { x: Vec3::select(root.solved, x, root.x), iterations: root.iterations + 1, ..root }
}

/// The iteration until corrections are below this fraction of the unknown, and the last derivative, to solve with.
#[inline(always)]
fn iterate<S: Real, E: Equation<S>>(
    equation: &E,
    guess: Vec3<S>,
    settled: f64,
) -> (Root<S>, Cofactors<S>) {
    let mut x = guess;
    let mut last = guess;
    let mut inverse = Mat3::identity().cofactors();
    let mut pace = Pace::new();
    while pace.goes_on() {
        let (residual, derivative) = equation.linearise(x);
        let cofactors = derivative.cofactors();
        let correction = cofactors.solve(residual);
        x = Vec3::select(pace.active, x - correction, x);
        last = residual;
        inverse = cofactors;
        let size = correction.norm_squared();
        pace.judge(size, x.norm_squared() * (settled * settled));
    }
    let residual = if pace.solved.all() { 0.0 } else { last.magnitude() };
    (Root { x, solved: pace.solved, iterations: pace.iterations, residual }, inverse)
}

/// Which lanes of an iteration are still moving.
pub(super) struct Pace<S: Real> {
    /// The lanes that take the next correction.
    pub active: S::Mask,
    /// The lanes that have settled.
    pub solved: S::Mask,
    /// How many corrections there were.
    pub iterations: u32,
    open: S::Mask,
    /// Corrections that follow when all lanes have settled: a derivative settles one iteration
    /// after its value, and so do the digits beyond `f64`.
    rounds: usize,
    done: bool,
}

impl<S: Real> Pace<S> {
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            active: S::Mask::splat(true),
            solved: S::Mask::splat(false),
            iterations: 0,
            open: S::Mask::splat(true),
            rounds: S::DERIVATIVES + usize::from(extended::<S>()),
            done: false,
        }
    }
    /// Whether there is another iteration.
    #[inline(always)]
    pub fn goes_on(&self) -> bool {
        !self.done && self.iterations < LIMIT
    }
    /// Takes note of a correction; lanes in which its square is not above the limit have settled.
    #[inline(always)]
    pub fn judge(&mut self, square: S, limit: S) {
        self.iterations += 1;
        let finite = square.finite();
        let settled = limit.lt(square).not().and(finite);
        self.solved = self.solved.or(self.open.and(settled));
        self.open = self.open.and(settled.not()).and(finite);
        self.active = self.open;
        if !self.open.any() {
            self.done = self.rounds == 0;
            self.rounds = self.rounds.saturating_sub(1);
            self.active = self.solved;
        }
    }
}
