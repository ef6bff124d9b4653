//! Steps with equations to solve, and what happens when they can't be.
use super::super::{Cost, Step, StepError, StepResult};
use super::way::Way;
use crate::action::BodyState;
use crate::problem::SpinningBody;
use lieflow_kernel::rigid::{Equation, FreeMap, Inertia, Root, Turn, newton, newton_tight};
use lieflow_kernel::scalar::Apart;
use lieflow_kernel::{Mask, Mat3, Quat, Real, Vec3, so3};

/// A number that is not finite.
pub(super) const NOT_FINITE: StepError =
    StepError::NotFinite { what: "the state or the torque in a step of a rigid body" };

/// The torque, where it is not one of many steps in a row. Lanes have it in one function for all methods: what they do
/// singly is what the usual way declines.
#[inline(always)]
pub(super) fn torque_once<S: Real, P: SpinningBody<S>>(p: &P, t: f64, r: &Mat3<S>) -> Vec3<S> {
    if const { S::LANES > 1 } { S::apart(Torque { p, t, r: *r }) } else { p.torque(t, r) }
}

struct Torque<'a, S, P> {
    p: &'a P,
    t: f64,
    /// A copy, so that the original may stay in registers.
    r: Mat3<S>,
}

impl<S: Real, P: SpinningBody<S>> Apart for Torque<'_, S, P> {
    type Output = Vec3<S>;
    #[inline(always)]
    fn run(self) -> Vec3<S> {
        self.p.torque(self.t, &self.r)
    }
}

/// The turn of a map, likewise, and for numbers with derivatives, with which it is long.
#[inline(always)]
pub(super) fn turn_once<S: Real, F: FreeMap<S>>(
    map: F,
    inertia: &Inertia<S>,
    h: f64,
    momentum: Vec3<S>,
) -> Turn<S> {
    if const { S::LANES > 1 || S::CALLED } {
        S::apart(Turned { map, inertia, h, momentum })
    } else {
        map.turn(inertia, h, momentum)
    }
}

struct Turned<'a, S, F> {
    map: F,
    inertia: &'a Inertia<S>,
    h: f64,
    momentum: Vec3<S>,
}

impl<S: Real, F: FreeMap<S>> Apart for Turned<'_, S, F> {
    type Output = Turn<S>;
    #[inline(always)]
    fn run(self) -> Turn<S> {
        self.map.turn(self.inertia, self.h, self.momentum)
    }
}

/// The turn, if its equations were solved. In a pack, lanes that were not solved are given values
/// that are not finite; the step fails when no lane was solved.
#[inline(always)]
pub(super) fn settle<S: Real, F: FreeMap<S>>(
    _: &F,
    turn: Turn<S>,
    inertia: &Inertia<S>,
    h: f64,
    momentum: Vec3<S>,
) -> Result<Turn<S>, StepError> {
    if turn.solved.all() {
        return Ok(turn);
    }
    settle_rest::<S, F>(turn, inertia, h, momentum)
}

/// [`settle`] where some lanes were not solved.
#[inline(always)]
pub(super) fn settle_rest<S: Real, F: FreeMap<S>>(
    turn: Turn<S>,
    inertia: &Inertia<S>,
    h: f64,
    momentum: Vec3<S>,
) -> Result<Turn<S>, StepError> {
    settle_some(turn, inertia, h, momentum, (F::EQUATION, F::SPIN_LIMIT))
}

/// The same for any map, of which its equation and its bound on the spin are asked: compiled once.
#[cold]
#[inline(never)]
fn settle_some<S: Real>(
    turn: Turn<S>,
    inertia: &Inertia<S>,
    h: f64,
    momentum: Vec3<S>,
    (equation, limit): (&'static str, Option<f64>),
) -> Result<Turn<S>, StepError> {
    if turn.solved.any() {
        let poison = not_a_vector();
        let nothing = Mat3::from_rows(poison, poison, poison);
        return Ok(Turn {
            rotation: Mat3::select(turn.solved, turn.rotation, nothing),
            momentum: Vec3::select(turn.solved, turn.momentum, poison),
            ..turn
        });
    }
    let spin = inertia.velocity(momentum).magnitude() * h.abs();
    match limit {
        // Off the principal axes the true bound lies somewhat higher or lower than the one about
        // them.
        Some(limit) if spin > 0.9 * limit => {
            Err(StepError::TurnsTooFar { equation, spin, limit, step: h })
        }
        _ => Err(unsolved(equation, spin, turn.iterations, turn.residual, h)),
    }
}

/// The root, if the equation was solved; see [`settle`].
#[inline(always)]
pub(super) fn settle_root<S: Real>(
    root: Root<S>,
    equation: &'static str,
    h: f64,
) -> Result<Root<S>, StepError> {
    if root.solved.all() {
        return Ok(root);
    }
    if root.solved.any() {
        return Ok(Root { x: Vec3::select(root.solved, root.x, not_a_vector()), ..root });
    }
    Err(unsolved(equation, root.residual, root.iterations, root.residual, h))
}

/// `R <- R exp(x)`, `Π <- Eᵀ (Eᵀ Π + h T(R E))` with `E = exp(x/2)`, for the root `x` of an equation.
///
/// The momentum is not turned by the matrix, whose diagonal is rounded as it was in the equation: where the root
/// knows that rounding, its mean is not zero, and the momentum changes by 1e-19 to 1e-18 in every step.
#[inline(always)]
pub(super) fn midpoint<S: Real, P: SpinningBody<S>>(
    s: Step<'_, P>,
    equation: &impl Equation<S>,
    name: &'static str,
    tight: bool,
    cost: &mut Cost,
    out: &mut BodyState<S>,
) -> StepResult {
    let Step { p, t, h, y } = s;
    let x = midpoint_root(s, equation, name, tight, cost)? * 0.5;
    let half = so3::exp(x);
    let half_turned = y.rotation.matmul(&half);
    let torque = p.torque(t + 0.5 * h, &half_turned);
    let momentum = so3::rotate(-x, y.momentum) + torque * h;
    out.rotation = half_turned.matmul(&half);
    out.momentum = so3::rotate(-x, momentum);
    Ok(None)
}

/// The same as a way, with `E`.
pub(super) fn midpoint_way<S: Real, P: SpinningBody<S>>(
    Step { p, t, h, .. }: Step<'_, P>,
    half: Quat<S>,
    way: &mut Way<'_, S>,
) {
    way.turn(half);
    way.kick(p.torque(t + 0.5 * h, &way.rotation()) * h);
    way.turn(half);
}

/// `x`; `tight` where energy depends on how well the equation is solved.
#[inline(always)]
pub(super) fn midpoint_root<S: Real, P: SpinningBody<S>>(
    Step { p, h, y, .. }: Step<'_, P>,
    equation: &impl Equation<S>,
    name: &'static str,
    tight: bool,
    cost: &mut Cost,
) -> Result<Vec3<S>, StepError> {
    let guess = p.inertia().velocity(y.momentum) * h;
    let root = if tight { newton_tight(equation, guess) } else { newton(equation, guess) };
    cost.newton_iterations += u64::from(root.iterations);
    cost.field_evaluations += u64::from(root.iterations) + 1;
    cost.exponentials += 1;
    Ok(settle_root(root, name, h)?.x)
}

/// The error for a solve that ended without a solution; `size` is not finite if the state or the
/// torque was not.
#[cold]
fn unsolved(
    equation: &'static str,
    size: f64,
    iterations: u32,
    residual: f64,
    h: f64,
) -> StepError {
    if size.is_finite() {
        StepError::NotConverged { equation, iterations, residual, step: h }
    } else {
        NOT_FINITE
    }
}

fn not_a_vector<S: Real>() -> Vec3<S> {
    let nan = S::lift(f64::NAN);
    Vec3 { x: nan, y: nan, z: nan }
}
