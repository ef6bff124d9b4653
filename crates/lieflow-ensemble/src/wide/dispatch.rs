//! The steps of a method, compiled for wide vectors.
//!
//! The build is for every machine of its kind, so vector instructions beyond the oldest ones have
//! to be chosen at run time. A function with `#[target_feature]` is compiled for them, and with it
//! everything that is inlined into it: the steps and all that they call. That is why kernels and
//! engines are marked for inlining and have no closures on their way; `lieflow bench w4` and the
//! instruction counts show it when that breaks.
use lieflow::Real;
use lieflow::group::ScalarOf;
use lieflow::method::rkmk::{InExponential, LaneStep};
use lieflow::method::{Cost, InlineMethod, Inside, Method, Step, StepError, StepResult};
use lieflow::problem::{Generator, GroupOf, Problem};
use lieflow::stepping::EvenSteps;
use std::marker::PhantomData;

/// Vector instructions that this machine has; there is no other way to get a value than to ask the
/// machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorInstructions(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl VectorInstructions {
    /// What the machine has, the widest first.
    pub fn detect() -> Vec<Self> {
        let mut list = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx512f") && has!("avx512vl") && has!("avx512dq") {
                list.push(Self(Kind::Avx512));
            }
            if has!("avx2") {
                list.push(Self(Kind::Avx2));
            }
        }
        #[cfg(target_arch = "aarch64")]
        list.push(Self(Kind::Neon));
        list
    }

    /// How many trajectories run side by side with them.
    pub fn lanes(self) -> usize {
        self.dispatch(Lanes)
    }

    /// Does something with the numbers of these instructions.
    pub(super) fn dispatch<C: DispatchTask>(self, task: C) -> C::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => task.with::<x86::Sixteen>(Detected::seen()),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => task.with::<x86::Eight>(Detected::seen()),
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => task.with::<lieflow::Lanes<8>>(Detected::seen()),
        }
    }
}

struct Lanes;
impl DispatchTask for Lanes {
    type Output = usize;
    fn with<N: Number>(self, _: Detected<N>) -> usize {
        N::LANES
    }
}

/// Proof that the machine has the instructions for the numbers `N`, and for no others: only asking it
/// makes one, in [`VectorInstructions::dispatch`].
#[derive(Debug)]
pub struct Detected<N>(PhantomData<fn() -> N>);

impl<N> Detected<N> {
    /// The machine was asked.
    fn seen() -> Self {
        Self(PhantomData)
    }
}

impl<N> Clone for Detected<N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<N> Copy for Detected<N> {}

/// Something to be done with numbers of a width known only at run time.
pub trait DispatchTask {
    /// What comes out.
    type Output;
    /// Does it.
    fn with<N: Number>(self, detected: Detected<N>) -> Self::Output;
}

/// Numbers side by side, one for each trajectory, and how steps over them are compiled.
pub trait Number: Real<Lane = f64> {
    /// Whether the methods of all systems are compiled for these numbers, or only those of rigid
    /// bodies, which people run in the greatest numbers: each takes seconds to build.
    const ALL_SYSTEMS: bool;

    /// Does some work that is compiled for these numbers.
    fn compiled<W: LaneWork>(detected: Detected<Self>, work: W) -> W::Output;

    /// [`InlineMethod::step_many_inline`], or `SINGLY` [`InlineMethod::step_singly_inline`], compiled for these numbers.
    /// What it works on comes as arguments: that references to it do not overlap is known of arguments, and in work it
    /// would be lost. Some steps took 1.4 times as long then.
    fn step_many<P: Problem, M: InlineMethod<P>, const SINGLY: bool>(
        detected: Detected<Self>,
        method: &mut M,
        p: &P,
        steps: &EvenSteps,
        y: &mut P::Point,
    ) -> u64;

    /// [`InExponential::step_lanes_inline`], compiled for these numbers.
    fn step_lanes<P: Generator>(
        detected: Detected<Self>,
        method: &mut InExponential<P>,
        step: LaneStep<'_, P>,
        out: &mut P::Point,
    ) -> Option<ScalarOf<GroupOf<P>>> {
        Self::compiled(detected, LanesStep { method, step, out })
    }

    /// [`InlineMethod::interpolate_inline`], compiled for these numbers.
    fn interpolate<P: Problem, M: InlineMethod<P>>(
        detected: Detected<Self>,
        method: &mut M,
        inside: Inside<'_, P>,
        out: &mut P::Point,
    ) -> Option<Result<(), StepError>> {
        Self::compiled(detected, Between { method, inside, out })
    }

    /// Powers of numbers above zero, by logarithms as the control of adaptive steps takes them.
    fn power(detected: Detected<Self>, base: Self, exponent: f64) -> Self {
        Self::compiled(detected, Power { base, exponent })
    }
}

/// Work over several numbers side by side. Its function must be marked `#[inline(always)]`.
pub trait LaneWork {
    /// What it returns.
    type Output;
    /// Does the work.
    fn run(self) -> Self::Output;
}

/// What [`Number::step_many`] compiles.
#[inline(always)]
fn step_many<P: Problem, M: InlineMethod<P>, const SINGLY: bool>(
    method: &mut M,
    p: &P,
    steps: &EvenSteps,
    y: &mut P::Point,
) -> u64 {
    if const { SINGLY } {
        method.step_singly_inline(p, steps, y)
    } else {
        method.step_many_inline(p, steps, y)
    }
}

struct LanesStep<'a, P: Generator> {
    method: &'a mut InExponential<P>,
    step: LaneStep<'a, P>,
    out: &'a mut P::Point,
}

impl<P: Generator> LaneWork for LanesStep<'_, P> {
    type Output = Option<ScalarOf<GroupOf<P>>>;
    #[inline(always)]
    fn run(self) -> Self::Output {
        self.method.step_lanes_inline(self.step, self.out)
    }
}

struct Between<'a, P: Problem, M> {
    method: &'a mut M,
    inside: Inside<'a, P>,
    out: &'a mut P::Point,
}

impl<P: Problem, M: InlineMethod<P>> LaneWork for Between<'_, P, M> {
    type Output = Option<Result<(), StepError>>;
    #[inline(always)]
    fn run(self) -> Self::Output {
        self.method.interpolate_inline(self.inside, self.out)
    }
}

struct Power<N> {
    base: N,
    exponent: f64,
}

impl<N: Number> LaneWork for Power<N> {
    type Output = N;
    #[inline(always)]
    fn run(self) -> N {
        (self.base.ln() * self.exponent).exp()
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Number for lieflow::Lanes<8> {
    const ALL_SYSTEMS: bool = true;

    fn compiled<W: LaneWork>(_: Detected<Self>, work: W) -> W::Output {
        work.run()
    }

    fn step_many<P: Problem, M: InlineMethod<P>, const SINGLY: bool>(
        _: Detected<Self>,
        method: &mut M,
        p: &P,
        steps: &EvenSteps,
        y: &mut P::Point,
    ) -> u64 {
        step_many::<P, M, SINGLY>(method, p, steps, y)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;
    use lieflow::kernel::{Machine, Pack, Pair, Quad, Whole};

    /// Machines with AVX2.
    #[derive(Debug)]
    pub enum WithAvx2 {}
    /// Machines with AVX-512.
    #[derive(Debug)]
    pub enum WithAvx512 {}

    // SAFETY: systems and methods over these numbers are made only by a `DispatchTask` with a
    // `Detected`, which exists only after `VectorInstructions::detect` has seen the instructions;
    // nothing outside this crate can name the types.
    unsafe impl Machine for WithAvx2 {
        type Registers = Pair<Quad>;
        const CHARTS: bool = false;
    }
    // SAFETY: as above.
    unsafe impl Machine for WithAvx512 {
        type Registers = Pair<Whole>;
        const CHARTS: bool = false;
    }

    /// Eight numbers.
    pub type Eight = Pack<WithAvx2>;
    /// Sixteen numbers.
    pub type Sixteen = Pack<WithAvx512>;

    macro_rules! compiled {
        ($number:ident, $feature:literal, $all_systems:literal) => {
            impl Number for $number {
                const ALL_SYSTEMS: bool = $all_systems;

                fn compiled<W: LaneWork>(_: Detected<Self>, work: W) -> W::Output {
                    #[target_feature(enable = $feature)]
                    fn with<W: LaneWork>(work: W) -> W::Output {
                        work.run()
                    }
                    // SAFETY: a safe function but for the need of these instructions, and a
                    // `Detected` for these numbers exists only where the machine has them.
                    unsafe { with(work) }
                }

                fn step_many<P: Problem, M: InlineMethod<P>, const SINGLY: bool>(
                    _: Detected<Self>,
                    method: &mut M,
                    p: &P,
                    steps: &EvenSteps,
                    y: &mut P::Point,
                ) -> u64 {
                    #[target_feature(enable = $feature)]
                    fn with<P: Problem, M: InlineMethod<P>, const SINGLY: bool>(
                        method: &mut M,
                        p: &P,
                        steps: &EvenSteps,
                        y: &mut P::Point,
                    ) -> u64 {
                        step_many::<P, M, SINGLY>(method, p, steps, y)
                    }
                    // SAFETY: as in `compiled`.
                    unsafe { with::<P, M, SINGLY>(method, p, steps, y) }
                }
            }
        };
    }
    compiled!(Eight, "avx2", true);
    compiled!(Sixteen, "avx512f,avx512vl,avx512dq", false);
}

/// States are long, and what drives lanes is not compiled for them: in one place for each kind.
#[inline(never)]
pub fn copy<Y: Clone>(from: &Y, to: &mut Y) {
    to.clone_from(from);
}

/// [`Inside::by_shorter_step`], compiled once for all methods of a system.
#[inline(never)]
pub fn by_shorter_step<P: Problem>(
    method: &mut dyn Method<P>,
    at: Inside<'_, P>,
    out: &mut P::Point,
) -> Result<(), StepError> {
    at.by_shorter_step(method, out)
}

/// A method that makes its steps with wide vectors.
#[derive(Debug)]
pub struct WideMethod<N, M> {
    inner: M,
    detected: Detected<N>,
}

impl<N: Number, M> WideMethod<N, M> {
    /// The method, on a machine that has the vectors.
    pub fn new(inner: M, detected: Detected<N>) -> Self {
        Self { inner, detected }
    }
}

impl<N: Number, P: Problem, M: InlineMethod<P>> Method<P> for WideMethod<N, M> {
    /// One step ahead. Those that fail need no reason: their trajectories are run again, each
    /// alone.
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        copy(y, out);
        match self.step_many(p, &EvenSteps { from: t, h, first: 0, count: 1 }, out) {
            1 => Ok(None),
            _ => Err(StepError::NoSolution { reason: "a step of several trajectories", step: h }),
        }
    }

    fn step_many(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        /// The steps that are made singly before the usual way is tried again.
        const PATIENCE: u64 = 64;
        let made = N::step_many::<P, M, false>(self.detected, &mut self.inner, p, steps, y);
        if const { !M::LEAVES_STEPS } || made == steps.count {
            return made;
        }
        let (first, count) = (steps.first + made, (steps.count - made).min(PATIENCE));
        let left = EvenSteps { first, count, ..*steps };
        made + N::step_many::<P, M, true>(self.detected, &mut self.inner, p, &left, y)
    }

    fn reset(&mut self) {
        self.inner.reset();
    }
    fn set_aside(&mut self) {
        self.inner.set_aside();
    }
    fn take_back(&mut self) {
        self.inner.take_back();
    }

    fn interpolate(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Result<(), StepError> {
        match N::interpolate(self.detected, &mut self.inner, at, out) {
            Some(done) => done,
            None => by_shorter_step(self, at, out),
        }
    }

    fn cost(&self) -> Cost {
        self.inner.cost()
    }
}
