//! What a free-motion map is.
use super::Inertia;
use crate::linalg::{Mat3, Quat, Vec3};
use crate::scalar::{Mask, Real};

/// The motion of a body over a step without torque.
#[derive(Clone, Copy, Debug)]
pub struct Turn<S: Real> {
    /// `F`: the attitude becomes `R F`.
    pub rotation: Mat3<S>,
    /// `Fᵀ Π`, the body momentum at the end.
    pub momentum: Vec3<S>,
    /// The lanes in which the equations of the map were solved.
    pub solved: S::Mask,
    /// Newton iterations.
    pub iterations: u32,
    /// The residual where a lane was not solved.
    pub residual: f64,
}

impl<S: Real> Turn<S> {
    /// A turn that needed no equation.
    #[inline(always)]
    pub fn explicit(rotation: Mat3<S>, momentum: Vec3<S>) -> Self {
        let momentum = rotation.apply_transpose(momentum);
        Self { rotation, momentum, solved: S::Mask::splat(true), iterations: 0, residual: 0.0 }
    }
    /// The turn by `rotation` after its equations were solved, or not.
    #[inline(always)]
    pub fn solved(rotation: Mat3<S>, momentum: Vec3<S>, root: &super::Root<S>) -> Self {
        Self {
            rotation,
            momentum: rotation.apply_transpose(momentum),
            solved: root.solved,
            iterations: root.iterations,
            residual: root.residual,
        }
    }
}

/// A turn by its quaternion, whose vector has all digits of a small angle: for whoever adds up what is beyond
/// the identity.
#[derive(Clone, Copy, Debug)]
pub struct FineTurn<S: Real> {
    /// The quaternion of `F`. Its norm is one to rounding.
    pub quat: Quat<S>,
    /// The lanes in which the equations of the map were solved.
    pub solved: S::Mask,
    /// Newton iterations.
    pub iterations: u32,
    /// The residual where a lane was not solved.
    pub residual: f64,
}

impl<S: Real> FineTurn<S> {
    /// A turn whose rotation has these digits.
    #[inline(always)]
    pub(super) fn of(turn: &Turn<S>) -> Self {
        let Turn { rotation, solved, iterations, residual, .. } = *turn;
        Self { quat: Quat::from_matrix(&rotation), solved, iterations, residual }
    }
    /// The turn by a quaternion after its equations were solved, or not.
    #[inline(always)]
    pub(super) fn solved(quat: Quat<S>, root: &super::Root<S>) -> Self {
        let super::Root { solved, iterations, residual, .. } = *root;
        Self { quat, solved, iterations, residual }
    }
    /// This turn and then another one.
    #[inline(always)]
    pub(super) fn then(self, next: Self) -> Self {
        Self {
            quat: self.quat.times(next.quat),
            solved: self.solved.and(next.solved),
            iterations: self.iterations + next.iterations,
            residual: self.residual + next.residual,
        }
    }
}

/// What turns of one body over steps of one size may share: cosine and sine of half the spin of a
/// symmetric body, and the momentum about the axis at which they hold. It rarely changes.
#[derive(Clone, Copy, Debug)]
pub struct Memo<S> {
    pub(super) about: S,
    pub(super) cos: S,
    pub(super) sin: S,
}

impl<S: Real> Memo<S> {
    /// Nothing to share yet.
    #[inline(always)]
    pub fn new() -> Self {
        // Not a number is no momentum.
        let none = S::lift(f64::NAN);
        Self { about: none, cos: none, sin: none }
    }
}

impl<S: Real> Default for Memo<S> {
    fn default() -> Self {
        Self::new()
    }
}

/// A map that moves a free body over a step, `R <- R F`, `Π <- Fᵀ Π`.
pub trait FreeMap<S: Real>: Copy {
    /// What its equations are called in messages.
    const EQUATION: &'static str;
    /// For maps that have no solution when the body turns too far in a step: the bound on
    /// `h |ω|`.
    const SPIN_LIMIT: Option<f64> = None;
    /// How many maps with an equation or an exponential it is made of.
    const PARTS: u32 = 1;
    /// Whether it is the exact motion.
    const EXACT: bool = false;

    /// The turn over a step `h` from this momentum.
    fn turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S>;

    /// The turn with all digits of a small angle, and its equation solved to rounding. Unless written, by the
    /// matrix, whose skew part must have them.
    #[inline(always)]
    fn fine_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> FineTurn<S> {
        FineTurn::of(&self.turn(inertia, h, momentum))
    }

    /// The turn, if it is found in the usual way: without calls, so that the numbers of many steps
    /// in a row may stay in registers. Lanes that are not solved are left to [`FreeMap::turn`].
    /// `memo` is kept from turn to turn of the same body over the same step.
    #[inline(always)]
    fn usual_turn(
        &self,
        inertia: &Inertia<S>,
        h: f64,
        momentum: Vec3<S>,
        memo: &mut Memo<S>,
    ) -> Option<Turn<S>> {
        let _ = memo;
        Some(self.turn(inertia, h, momentum))
    }

    /// [`FreeMap::usual_turn`] over two steps of `h/2`.
    #[inline(always)]
    fn usual_half_turns(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Option<Turn<S>> {
        Some(self.half_turns(inertia, h, momentum))
    }

    /// The turn over two steps of `h/2`.
    #[inline(always)]
    fn half_turns(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        let first = self.turn(inertia, 0.5 * h, momentum);
        let second = self.turn(inertia, 0.5 * h, first.momentum);
        Turn {
            rotation: first.rotation.matmul(&second.rotation),
            momentum: second.momentum,
            solved: first.solved.and(second.solved),
            iterations: first.iterations + second.iterations,
            residual: first.residual + second.residual,
        }
    }
}

/// A free map applied twice with half the step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Halves<F>(
    /// The map.
    pub F,
);

impl<S: Real, F: FreeMap<S>> FreeMap<S> for Halves<F> {
    const EQUATION: &'static str = F::EQUATION;
    const SPIN_LIMIT: Option<f64> = F::SPIN_LIMIT;
    const PARTS: u32 = 2 * F::PARTS;

    #[inline(always)]
    fn turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        self.0.half_turns(inertia, h, momentum)
    }
    #[inline(always)]
    fn fine_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> FineTurn<S> {
        let first = self.0.fine_turn(inertia, 0.5 * h, momentum);
        let momentum = first.quat.unit_rotate_back(momentum);
        first.then(self.0.fine_turn(inertia, 0.5 * h, momentum))
    }
    #[inline(always)]
    fn usual_turn(
        &self,
        inertia: &Inertia<S>,
        h: f64,
        momentum: Vec3<S>,
        _: &mut Memo<S>,
    ) -> Option<Turn<S>> {
        self.0.usual_half_turns(inertia, h, momentum)
    }
}

/// Carries out a map in the principal frame of the body.
#[inline(always)]
pub(super) fn in_principal_frame<S: Real, F: PrincipalMap<S>>(
    map: &F,
    inertia: &Inertia<S>,
    h: f64,
    momentum: Vec3<S>,
) -> Turn<S> {
    // One call for both cases: it is long, and compiled where it stands.
    let diagonal = inertia.is_diagonal();
    let inside = if diagonal { momentum } else { inertia.frame().apply_transpose(momentum) };
    let turn = map.principal_turn(inertia, h, inside);
    if diagonal {
        return turn;
    }
    let q = inertia.frame();
    Turn {
        rotation: q.matmul(&turn.rotation).matmul(&q.transpose()),
        momentum: q.apply(turn.momentum),
        ..turn
    }
}

/// [`in_principal_frame`] with all digits of a small turn.
#[inline(always)]
pub(super) fn fine_in_principal_frame<S: Real, F: PrincipalMap<S>>(
    map: &F,
    inertia: &Inertia<S>,
    h: f64,
    momentum: Vec3<S>,
) -> FineTurn<S> {
    let (diagonal, q) = (inertia.is_diagonal(), inertia.frame());
    let inside = if diagonal { momentum } else { q.apply_transpose(momentum) };
    let mut turn = map.fine_principal_turn(inertia, h, inside);
    if !diagonal {
        turn.quat.v = q.apply(turn.quat.v);
    }
    turn
}

/// A map that works in the principal frame.
pub(super) trait PrincipalMap<S: Real> {
    /// The turn, with all vectors in the principal frame; only the moments of `inertia` count.
    fn principal_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S>;

    /// The same with all digits of a small turn.
    fn fine_principal_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> FineTurn<S>;
}
