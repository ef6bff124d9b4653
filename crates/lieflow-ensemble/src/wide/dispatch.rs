//! The steps of a method, compiled for wide vectors.
//!
//! The build is for every machine of its kind, so vector instructions beyond the oldest ones have
//! to be chosen at run time. A function with `#[target_feature]` is compiled for them, and with it
//! everything that is inlined into it: the steps and all that they call. That is why kernels and
//! engines are marked for inlining and have no closures on their way; `lieflow bench w4` and the
//! instruction counts show it when that breaks.
use lieflow::Real;
use lieflow::method::{Cost, Inlined, Inside, Method, Step, StepError, StepResult};
use lieflow::problem::Problem;
use lieflow::stepping::Even;

/// Vector instructions that this machine has; there is no other way to get a value than to ask the
/// machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vectors(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Vectors {
    /// What the machine has, the widest first.
    pub fn found() -> Vec<Self> {
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
        self.choose(Lanes)
    }

    /// Does something with the numbers of these vectors.
    pub(super) fn choose<C: Choice>(self, choice: C) -> C::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => choice.with::<x86::Sixteen>(Found(())),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => choice.with::<x86::Eight>(Found(())),
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => choice.with::<lieflow::Lanes<8>>(Found(())),
        }
    }
}

struct Lanes;
impl Choice for Lanes {
    type Output = usize;
    fn with<N: Number>(self, _: Found) -> usize {
        N::LANES
    }
}

/// That the machine has the vectors of the numbers that were chosen.
#[derive(Clone, Copy, Debug)]
pub struct Found(());

/// Something to be done with numbers of some width.
pub trait Choice {
    /// What comes out.
    type Output;
    /// Does it.
    fn with<N: Number>(self, found: Found) -> Self::Output;
}

/// Numbers side by side, one for each trajectory, and how steps over them are compiled.
pub trait Number: Real<Lane = f64> {
    /// Whether the methods of all systems are compiled for these numbers, or only those of rigid
    /// bodies, which people run in the greatest numbers: each takes seconds to build.
    const EVERYWHERE: bool;

    /// [`Inlined::march_inlined`], or `SINGLY` [`Inlined::singly_inlined`], compiled for these
    /// numbers.
    fn march<P: Problem, M: Inlined<P>, const SINGLY: bool>(
        found: Found,
        method: &mut M,
        p: &P,
        ahead: &Even,
        y: &mut P::Point,
    ) -> u64;

    /// [`Inlined::between`], compiled for these numbers.
    fn between<P: Problem, M: Inlined<P>>(
        found: Found,
        method: &mut M,
        inside: Inside<'_, P>,
        out: &mut P::Point,
    ) -> Option<Result<(), StepError>>;
}

/// What [`Number::march`] compiles.
#[inline(always)]
fn march<P: Problem, M: Inlined<P>, const SINGLY: bool>(
    method: &mut M,
    p: &P,
    ahead: &Even,
    y: &mut P::Point,
) -> u64 {
    if const { SINGLY } {
        method.singly_inlined(p, ahead, y)
    } else {
        method.march_inlined(p, ahead, y)
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Number for lieflow::Lanes<8> {
    const EVERYWHERE: bool = true;

    fn march<P: Problem, M: Inlined<P>, const SINGLY: bool>(
        _: Found,
        method: &mut M,
        p: &P,
        ahead: &Even,
        y: &mut P::Point,
    ) -> u64 {
        march::<P, M, SINGLY>(method, p, ahead, y)
    }

    fn between<P: Problem, M: Inlined<P>>(
        _: Found,
        method: &mut M,
        inside: Inside<'_, P>,
        out: &mut P::Point,
    ) -> Option<Result<(), StepError>> {
        method.between(inside, out)
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

    // SAFETY: systems and methods over these numbers are made only by a `Choice` with a `Found`,
    // which exists only after `Vectors::found` has seen the instructions; nothing outside this
    // crate can name the types.
    unsafe impl Machine for WithAvx2 {
        type Registers = Pair<Quad>;
    }
    // SAFETY: as above.
    unsafe impl Machine for WithAvx512 {
        type Registers = Pair<Whole>;
    }

    /// Eight numbers.
    pub type Eight = Pack<WithAvx2>;
    /// Sixteen numbers.
    pub type Sixteen = Pack<WithAvx512>;

    macro_rules! compiled {
        ($number:ident, $feature:literal, $everywhere:literal) => {
            impl Number for $number {
                const EVERYWHERE: bool = $everywhere;

                fn march<P: Problem, M: Inlined<P>, const SINGLY: bool>(
                    Found(()): Found,
                    method: &mut M,
                    p: &P,
                    ahead: &Even,
                    y: &mut P::Point,
                ) -> u64 {
                    #[target_feature(enable = $feature)]
                    fn with<P: Problem, M: Inlined<P>, const SINGLY: bool>(
                        method: &mut M,
                        p: &P,
                        ahead: &Even,
                        y: &mut P::Point,
                    ) -> u64 {
                        march::<P, M, SINGLY>(method, p, ahead, y)
                    }
                    // SAFETY: a safe function but for the need of these instructions, and a `Found`
                    // for these numbers exists only where the machine has them.
                    unsafe { with::<P, M, SINGLY>(method, p, ahead, y) }
                }

                fn between<P: Problem, M: Inlined<P>>(
                    Found(()): Found,
                    method: &mut M,
                    inside: Inside<'_, P>,
                    out: &mut P::Point,
                ) -> Option<Result<(), StepError>> {
                    #[target_feature(enable = $feature)]
                    fn with<P: Problem, M: Inlined<P>>(
                        method: &mut M,
                        inside: Inside<'_, P>,
                        out: &mut P::Point,
                    ) -> Option<Result<(), StepError>> {
                        method.between(inside, out)
                    }
                    // SAFETY: as in `march`.
                    unsafe { with(method, inside, out) }
                }
            }
        };
    }
    compiled!(Eight, "avx2", true);
    compiled!(Sixteen, "avx512f,avx512vl,avx512dq", false);
}

/// A method that makes its steps with wide vectors.
#[derive(Debug)]
pub struct Wide<N, M> {
    inner: M,
    found: Found,
    numbers: std::marker::PhantomData<N>,
}

impl<N: Number, M> Wide<N, M> {
    /// The method, on a machine that has the vectors.
    pub fn new(inner: M, found: Found) -> Self {
        Self { inner, found, numbers: std::marker::PhantomData }
    }
}

impl<N: Number, P: Problem, M: Inlined<P>> Method<P> for Wide<N, M> {
    /// One step ahead. Those that fail need no reason: their trajectories are run again, each
    /// alone.
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        out.clone_from(y);
        match self.march(p, &Even { from: t, h, first: 0, count: 1 }, out) {
            1 => Ok(None),
            _ => Err(StepError::NoSolution { reason: "a step of several trajectories", step: h }),
        }
    }

    fn march(&mut self, p: &P, ahead: &Even, y: &mut P::Point) -> u64 {
        /// The steps that are made singly before the usual way is tried again.
        const PATIENCE: u64 = 64;
        let made = N::march::<P, M, false>(self.found, &mut self.inner, p, ahead, y);
        if const { !M::LEAVES } || made == ahead.count {
            return made;
        }
        let (first, count) = (ahead.first + made, (ahead.count - made).min(PATIENCE));
        let left = Even { first, count, ..*ahead };
        made + N::march::<P, M, true>(self.found, &mut self.inner, p, &left, y)
    }

    fn reset(&mut self) {
        self.inner.reset();
    }

    fn interpolate(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Result<(), StepError> {
        match N::between(self.found, &mut self.inner, at, out) {
            Some(done) => done,
            None => at.by_shorter_step(self, out),
        }
    }

    fn cost(&self) -> Cost {
        self.inner.cost()
    }
}
