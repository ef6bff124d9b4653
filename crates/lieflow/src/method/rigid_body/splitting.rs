//! Splittings of Runge–Kutta–Nyström type with the exact free motion.
//!
//! Exact motion over `a_i h` and kicks `Π <- Π + b_i h T(R)` in turn, palindromic. The kinetic
//! energy is quadratic in the momentum, so that sets with fewer order conditions apply. Explicit,
//! symmetric, symplectic; conserve the momentum about the axis of an axial field and the spin of
//! symmetric tops. Where a set starts and ends with a kick, the last torque of a step is the first
//! of the next. Blanes and Moan 2002; coefficients as recalled, orders measured by our tests.
use super::super::{
    Cost, InlineMethod, Inside, Method, Step, StepError, StepResult, compiled_once, remembers,
    worth_step_many,
};
use super::solving::{NOT_FINITE, settle, torque_once, turn_once};
use super::way::{Way, increments_by_way};
use crate::action::BodyState;
use crate::problem::SpinningBody;
use crate::stepping::EvenSteps;
use lieflow_kernel::rigid::{FreeMap, Glide, Round, Spin};
use lieflow_kernel::scalar::Apart;
use lieflow_kernel::{Mask, Mat3, Real, Vec3};

/// Coefficients of a palindromic splitting.
#[derive(Debug, PartialEq)]
pub struct SplittingScheme {
    /// What follows the `@`.
    pub id: &'static str,
    /// Its order.
    pub order: u8,
    /// Whether it starts with a kick; else with free motion.
    pub kick_first: bool,
    /// The coefficients from the start inwards, kicks and motions in turn. The two that are
    /// missing at the middle follow from the sums.
    pub outer: &'static [f64],
    stages: &'static [f64],
}

impl SplittingScheme {
    /// All coefficients, kicks and motions in turn.
    pub const fn stages(&self) -> &'static [f64] {
        self.stages
    }
    /// Torque evaluations in a step that follows another.
    pub const fn evaluations(&self) -> u32 {
        // 2 n + 3 stages: when the first is a kick there is one more kick than motions, but the
        // last torque serves twice.
        (self.outer.len() + 1) as u32
    }
}

/// All coefficients from the outer ones, of which there are `(N - 3)/2`.
const fn completed<const N: usize>(outer: &[f64]) -> [f64; N] {
    let n = outer.len();
    let mut stages = [0.0; N];
    // The inner neighbour of the middle completes a half, the middle a whole.
    let mut sums = [0.0; 2];
    let mut i = 0;
    while i < n {
        stages[i] = outer[i];
        sums[i % 2] += outer[i];
        i += 1;
    }
    stages[n] = 0.5 - sums[n % 2];
    stages[n + 1] = 1.0 - 2.0 * sums[(n + 1) % 2];
    let mut i = 0;
    while i <= n {
        stages[N - 1 - i] = stages[i];
        i += 1;
    }
    stages
}

/// A scheme with all its coefficients.
macro_rules! scheme {
    ($id:literal, $order:literal, $kick_first:literal, [$($outer:literal),* $(,)?]) => {{
        const OUTER: &[f64] = &[$($outer),*];
        const STAGES: [f64; 2 * OUTER.len() + 3] = completed(OUTER);
        SplittingScheme {
            id: $id,
            order: $order,
            kick_first: $kick_first,
            outer: OUTER,
            stages: &STAGES,
        }
    }};
}

/// Order 4, six stages, starting with free motion.
pub static BM4: SplittingScheme = scheme!(
    "bm4",
    4,
    false,
    [
        0.0792036964311957,
        0.209515106613362,
        0.353172906049774,
        -0.143851773179818,
        -0.0420650803577195,
    ]
);

/// Order 4, six stages, starting with a kick.
pub static RKN4: SplittingScheme = scheme!(
    "rkn4",
    4,
    true,
    [
        0.0829844064174052,
        0.245298957184271,
        0.396309801498368,
        0.604872665711080,
        -0.0390563049223486,
    ]
);

/// Order 6, eleven stages, starting with a kick.
pub static RKN6: SplittingScheme = scheme!(
    "rkn6",
    6,
    true,
    [
        0.0414649985182624,
        0.123229775946271,
        0.198128671918067,
        0.290553797799558,
        -0.0400061921041533,
        -0.127049212625417,
        0.0752539843015807,
        -0.246331761062075,
        -0.0115113874206879,
        0.357208872795928,
    ]
);

/// Order 6, fourteen stages, starting with free motion.
pub static RKN6A: SplittingScheme = scheme!(
    "rkn6a",
    6,
    false,
    [
        0.0378593198406116,
        0.09171915262446165,
        0.102635633102435,
        0.183983170005006,
        -0.0258678882665587,
        -0.05653436583288827,
        0.314241403071447,
        0.004914688774712854,
        -0.130144459517415,
        0.143761127168358,
        0.106417700369543,
        0.328567693746804,
        -0.00879424312851058,
    ]
);

/// A splitting with a free map, which must be the exact one for the order to hold.
#[derive(Debug)]
pub struct Splitting<S, F> {
    map: F,
    stages: &'static [f64],
    kick_first: bool,
    /// The torque at the last kick.
    torque: Vec3<S>,
    /// How many kicks and motions there are in a step.
    kicks: u64,
    motions: u64,
    /// The longest of the motions, as a part of the step.
    longest: f64,
    /// That kick ended an accepted step.
    follows: bool,
    /// Both while it looks aside.
    aside: (Vec3<S>, bool),
    cost: Cost,
}

impl<S: Real, F> Splitting<S, F> {
    /// The splitting with these coefficients.
    pub fn new(map: F, scheme: &SplittingScheme) -> Self {
        let (stages, kick_first) = (scheme.stages(), scheme.kick_first);
        let motions = (stages.len() / 2 + usize::from(!kick_first)) as u64;
        Self {
            map,
            kicks: stages.len() as u64 - motions,
            motions,
            longest: motions_of(stages, scheme.kick_first).fold(0.0, f64::max),
            stages,
            kick_first,
            torque: Vec3::zero(),
            follows: false,
            aside: (Vec3::zero(), false),
            cost: Cost::default(),
        }
    }
}

/// How long the motions are.
fn motions_of(stages: &[f64], kick_first: bool) -> impl Iterator<Item = f64> {
    stages.iter().skip(usize::from(kick_first)).step_by(2).map(|part| part.abs())
}

/// A step for any body and torque, in a function of its own: beside it, [`Splitting::glide`] is short.
/// What changes is copied, so that the originals may stay in registers.
struct General<'a, S: Real, F, P> {
    map: F,
    stages: &'static [f64],
    kick_first: bool,
    p: &'a P,
    t: f64,
    h: f64,
    state: BodyState<S>,
    torque: Vec3<S>,
    /// Whether `torque` is the one at the start.
    known: bool,
}

impl<S: Real, F: FreeMap<S>, P: SpinningBody<S>> Apart for General<'_, S, F, P> {
    /// The state and the last torque.
    type Output = Result<(BodyState<S>, Vec3<S>), StepError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { map, stages, kick_first, p, t, h, mut state, mut torque, known } = self;
        let inertia = p.inertia();
        let mut done = 0.0;
        let mut kick = kick_first;
        let mut i = 0;
        while i < stages.len() {
            let part = stages[i] * h;
            if kick {
                if i > 0 || !known {
                    torque = torque_once(p, t + done * h, &state.rotation);
                }
                state.momentum += torque * part;
            } else {
                let turn = turn_once(map, inertia, part, state.momentum);
                let turn = settle(&map, turn, inertia, part, state.momentum)?;
                state.rotation = state.rotation.matmul(&turn.rotation);
                state.momentum = turn.momentum;
                done += stages[i];
            }
            kick = !kick;
            i += 1;
        }
        Ok((state, torque))
    }
}

impl<S: Real, F: FreeMap<S>> Splitting<S, F> {
    /// The lanes in which [`Splitting::glide`] applies: the motion is exact, two moments are equal,
    /// and the torque is an axial one about the axis of the body (about any axis of a ball).
    #[inline(always)]
    fn glides<P: SpinningBody<S>>(p: &P) -> S::Mask {
        let inertia = p.inertia();
        let none = S::Mask::splat(false);
        if !F::EXACT || inertia.round() == Round::Nowhere || !inertia.is_diagonal() {
            return none;
        }
        match p.axis() {
            Some((chi, _)) if p.axial_torque(0.0, chi).is_some() => {
                let symmetry = inertia.symmetry();
                let off = chi.cross(symmetry.axis).norm_squared();
                // A ball has no spin to leave out, and any axis.
                let ball = S::zero().lt(symmetry.excess.abs()).not();
                symmetry.round.and(S::zero().lt(off).not().or(ball))
            }
            _ => none,
        }
    }

    /// A step in the frame that does not take part in the spin of the body; see
    /// [`Glide`](lieflow_kernel::rigid::Glide). `torque` is the one at the start, if the step begins
    /// with a kick, and becomes the one at the end. `SHORT` steps are those whose every motion is a small turn in all
    /// lanes and whose torque takes a few operations: they hold no call, and there is none of another step.
    #[inline(always)]
    fn glide<P: SpinningBody<S>, const SHORT: bool>(
        &self,
        p: &P,
        t: f64,
        h: f64,
        y: &BodyState<S>,
        torque: &mut Vec3<S>,
    ) -> Option<BodyState<S>> {
        let symmetry = p.inertia().symmetry();
        let mut body = Glide::new(y.momentum, p.direction(&y.rotation));
        let spin = Spin::new(&symmetry, h, y.momentum);
        let across = symmetry.across * (0.5 * h);
        let mut done = 0.0;
        let mut i = 0;
        if self.kick_first {
            body.momentum += *torque * (self.stages[0] * h);
            i = 1;
        }
        let last = self.stages.len() - 1;
        while i < last {
            if !advance::<S, SHORT>(&mut body, across * self.stages[i]) {
                return None;
            }
            done += self.stages[i];
            if i + 1 < last || !self.kick_first {
                let torque = axial_or::<S, P, SHORT>(p, t + done * h, body.direction)?;
                body.momentum += torque * (self.stages[i + 1] * h);
            }
            i += 2;
        }
        if !self.kick_first && !advance::<S, SHORT>(&mut body, across * self.stages[last]) {
            return None;
        }
        let rotation = y.rotation.matmul(&spin.turn(&body).unit_to_matrix());
        let mut momentum = spin.momentum(&body);
        if self.kick_first {
            // From the attitude itself, as the next step would take it.
            *torque = axial_or::<S, P, SHORT>(p, t + h, p.direction(&rotation))?;
            momentum += *torque * (self.stages[last] * h);
        }
        Some(BodyState::new(rotation, momentum))
    }

    /// [`Splitting::glide`] of any step.
    #[inline(always)]
    fn glide_any<P: SpinningBody<S>>(
        &self,
        p: &P,
        t: f64,
        h: f64,
        y: &BodyState<S>,
        torque: &mut Vec3<S>,
    ) -> BodyState<S> {
        // There is one of every step.
        self.glide::<P, false>(p, t, h, y, torque).unwrap_or(*y)
    }

    /// [`Splitting::glide`] of a step that is made singly: lanes have it in a function of its own.
    #[inline(always)]
    fn glide_once<P: SpinningBody<S>>(
        &self,
        p: &P,
        t: f64,
        h: f64,
        y: &BodyState<S>,
        torque: &mut Vec3<S>,
    ) -> BodyState<S> {
        if const { S::LANES == 1 } {
            return self.glide_any(p, t, h, y, torque);
        }
        let end;
        (end, *torque, _) =
            S::apart(Gliding { by: self, p, t, h, y: *y, torque: *torque, after: None });
        end
    }

    /// The torque with which a step begins, if it begins with a kick.
    #[inline(always)]
    fn first_torque<P: SpinningBody<S>>(&self, p: &P, t: f64, y: &BodyState<S>) -> Vec3<S> {
        if self.follows || !self.kick_first {
            return self.torque;
        }
        axial(p, t, p.direction(&y.rotation))
    }
}

/// [`Splitting::glide`] of one step or more, apart from others. What changes is copied, so that the originals may stay
/// in registers.
struct Gliding<'a, S, F, P> {
    by: &'a Splitting<S, F>,
    p: &'a P,
    t: f64,
    h: f64,
    y: BodyState<S>,
    torque: Vec3<S>,
    /// Equal steps, and which of them the first is: those after it are made too, while numbers are finite.
    after: Option<(&'a EvenSteps, u64)>,
}

impl<S: Real, F: FreeMap<S>, P: SpinningBody<S>> Apart for Gliding<'_, S, F, P> {
    /// The state, the last torque and, of several, how many steps were made.
    type Output = (BodyState<S>, Vec3<S>, u64);

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { by, p, mut t, h, y: mut state, mut torque, after } = self;
        let mut made = 0;
        loop {
            let next = by.glide_any(p, t, h, &state, &mut torque);
            let Some((steps, first)) = after else { return (next, torque, 1) };
            if !next.momentum.finite().any() {
                break;
            }
            state = next;
            made += 1;
            if first + made >= steps.count {
                break;
            }
            t = steps.time(first + made);
        }
        (state, torque, made)
    }
}

impl<S: Real, F: FreeMap<S>> Splitting<S, F> {
    /// The way of a step.
    fn go<P: SpinningBody<S>>(
        &mut self,
        Step { p, t, h, .. }: Step<'_, P>,
        way: &mut Way<'_, S>,
    ) -> Result<(), StepError> {
        let known = core::mem::take(&mut self.follows) && self.kick_first;
        self.count(1, self.kicks - u64::from(known));
        let mut done = 0.0;
        for (i, part) in self.stages.iter().enumerate() {
            if (i % 2 == 0) == self.kick_first {
                if i > 0 || !known {
                    self.torque = p.torque(t + done * h, &way.rotation());
                }
                way.kick(self.torque * (part * h));
            } else {
                way.drift(self.map, p.inertia(), part * h)?;
                done += part;
            }
        }
        Ok(())
    }

    /// Takes note of steps with so many kicks in all.
    #[inline(always)]
    fn count(&mut self, steps: u64, kicks: u64) {
        self.cost.field_evaluations += kicks;
        self.cost.exponentials += steps * self.motions * u64::from(F::PARTS);
    }

    /// Lanes disagree: those that glide are computed again, so that each has the bits of a run by
    /// itself.
    #[inline(always)]
    fn mix<P: SpinningBody<S>>(
        &mut self,
        p: &P,
        t: f64,
        h: f64,
        y: &BodyState<S>,
        out: &mut BodyState<S>,
        glides: S::Mask,
    ) {
        let mut torque = axial(p, t, p.direction(&y.rotation));
        let glide = self.glide_once(p, t, h, y, &mut torque);
        out.rotation = Mat3::select(glides, glide.rotation, out.rotation);
        out.momentum = Vec3::select(glides, glide.momentum, out.momentum);
        if self.kick_first {
            self.torque = p.torque(t + h, &out.rotation);
        }
    }
}

/// The free motion of a glide; false if it is no small turn and only those are asked for.
#[inline(always)]
fn advance<S: Real, const SHORT: bool>(body: &mut Glide<S>, half: S) -> bool {
    if SHORT {
        return body.advance_near(half);
    }
    if const { S::LANES > 1 } {
        body.advance_inline(half);
    } else {
        body.advance(half);
    }
    true
}

/// The axial torque; none if it is not simple and only those are asked for.
#[inline(always)]
fn axial_or<S: Real, P: SpinningBody<S>, const SHORT: bool>(
    p: &P,
    t: f64,
    g: Vec3<S>,
) -> Option<Vec3<S>> {
    if SHORT { p.simple_axial_torque(g) } else { Some(axial(p, t, g)) }
}

/// The axial torque, which is known to exist.
#[inline(always)]
fn axial<S: Real, P: SpinningBody<S>>(p: &P, t: f64, g: Vec3<S>) -> Vec3<S> {
    match p.axial_torque(t, g) {
        Some(torque) => torque,
        None => Vec3::zero(),
    }
}

impl<S: Real, P: SpinningBody<S>, F: FreeMap<S>> InlineMethod<P> for Splitting<S, F> {
    #[inline(always)]
    fn step_inline(&mut self, s: Step<'_, P>, out: &mut BodyState<S>) -> StepResult {
        let Step { p, t, h, y } = s;
        let known = self.follows && self.kick_first;
        let glides = Self::glides(p);
        let count = self.kicks - u64::from(known);
        if glides.all() {
            let mut torque = self.first_torque(p, t, y);
            self.follows = false;
            *out = self.glide_once(p, t, h, y, &mut torque);
            self.torque = torque;
            self.count(1, count);
            return if out.momentum.finite().any() { Ok(None) } else { Err(NOT_FINITE) };
        }
        self.follows = false;
        self.count(1, count);
        let Self { map, stages, kick_first, torque, .. } = *self;
        let general = General { map, stages, kick_first, p, t, h, state: *y, torque, known };
        (*out, self.torque) = S::apart(general)?;
        if const { S::LANES > 1 } && glides.any() {
            self.mix(p, t, h, y, out, glides);
        }
        Ok(None)
    }

    #[inline(always)]
    fn step_many_inline(&mut self, p: &P, steps: &EvenSteps, y: &mut BodyState<S>) -> u64 {
        if !Self::glides(p).all() {
            // The general motion would take so many registers of a GPU that all others were slower.
            return if crate::ON_GPU { 0 } else { self.step_singly_inline(p, steps, y) };
        }
        let mut state = *y;
        let mut torque = self.first_torque(p, steps.time(0), &state);
        let mut k = 0;
        let half = p.inertia().symmetry().across * (0.5 * self.longest * steps.h);
        let short = (half * half * y.momentum.norm_squared()).lt(S::one()).all();
        while k < steps.count {
            let (t, h) = (steps.time(k), steps.h);
            let next = if crate::ON_GPU {
                self.glide_any(p, t, h, &state, &mut torque)
            } else if short && let Some(next) = self.glide::<P, true>(p, t, h, &state, &mut torque)
            {
                next
            } else {
                // From the first large turn on, steps are made in a function of its own.
                let after = Some((steps, k));
                let made;
                (state, torque, made) =
                    S::apart(Gliding { by: self, p, t, h, y: state, torque, after });
                k += made;
                break;
            };
            if !next.momentum.finite().any() {
                break;
            }
            state = next;
            k += 1;
        }
        let known = u64::from(self.kick_first);
        let first = known * u64::from(!self.follows && k > 0);
        self.count(k, k * (self.kicks - known) + first);
        // The torque of a step that was not made is of no use.
        self.follows = k == steps.count;
        self.torque = torque;
        *y = state;
        k
    }
}

impl<S: Real, P: SpinningBody<S>, F: FreeMap<S>> Method<P> for Splitting<S, F> {
    compiled_once!(worth_step_many::<S>());

    remembers!(follows);

    increments_by_way!();
}
