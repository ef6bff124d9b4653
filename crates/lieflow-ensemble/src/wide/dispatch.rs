//! The step of a method, compiled for wide vectors.
//!
//! The build is for every machine of its kind, so vector instructions beyond the oldest ones have
//! to be chosen at run time. A function with `#[target_feature]` is compiled for them, and with it
//! everything that is inlined into it: the step and all that the step calls. That is why kernels
//! and engines are marked for inlining and have no closures on their way; `lieflow bench w4` and
//! the instruction counts show it when that breaks.
use super::LANES;
use lieflow::method::{Cost, Inlined, Method, StepError};
use lieflow::problem::Problem;

/// That this machine has the vector instructions of a `Wide` step; there is no other way to get
/// one than to ask the machine.
#[derive(Clone, Copy, Debug)]
pub struct Vectors(());

impl Vectors {
    /// Asks the machine.
    pub fn found() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            std::arch::is_x86_feature_detected!("avx2").then_some(Self(()))
        }
        // Elsewhere the baseline has vectors, or lanes are not worth it.
        #[cfg(not(target_arch = "x86_64"))]
        {
            cfg!(target_arch = "aarch64").then_some(Self(()))
        }
    }
}

/// The machines on which [`Number`] is computed with.
#[cfg(target_arch = "x86_64")]
#[derive(Debug)]
pub enum WithVectors {}

// SAFETY: methods over `Number` are made only by those who hold a `Vectors` (the functions of
// `super::methods`), systems over it only in `super::run` with such a method, and nothing outside
// this crate can name the type.
#[cfg(target_arch = "x86_64")]
unsafe impl lieflow::kernel::Avx2 for WithVectors {}

/// `LANES` numbers.
#[cfg(target_arch = "x86_64")]
pub type Number = lieflow::kernel::Octet<WithVectors>;
/// `LANES` numbers.
#[cfg(not(target_arch = "x86_64"))]
pub type Number = lieflow::Lanes<LANES>;

/// One number per lane.
#[inline]
pub fn number(x: [f64; LANES]) -> Number {
    #[cfg(target_arch = "x86_64")]
    {
        Number::from_array(x)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        lieflow::Lanes(x)
    }
}

/// A method that makes its steps with wide vectors. `DENSE` says whether it has an interpolant of
/// its own; otherwise states between two steps come from a shorter step, as in [`Method`].
#[derive(Debug)]
pub struct Wide<M, const DENSE: bool> {
    inner: M,
    vectors: Vectors,
}

impl<M, const DENSE: bool> Wide<M, DENSE> {
    /// The method, on a machine that has the vectors.
    pub fn new(inner: M, vectors: Vectors) -> Self {
        Self { inner, vectors }
    }
}

/// The step with 256-bit vectors.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn step_avx2<P: Problem, M: Inlined<P>>(
    method: &mut M,
    p: &P,
    t: f64,
    h: f64,
    y: &P::Point,
    out: &mut P::Point,
) -> Result<Option<f64>, StepError> {
    method.step_inlined(p, t, h, y, out)
}

impl<P: Problem, M: Inlined<P>, const DENSE: bool> Method<P> for Wide<M, DENSE> {
    #[inline]
    fn step(
        &mut self,
        p: &P,
        t: f64,
        h: f64,
        y: &P::Point,
        out: &mut P::Point,
    ) -> Result<Option<f64>, StepError> {
        let Vectors(()) = self.vectors;
        #[cfg(target_arch = "x86_64")]
        {
            // SAFETY: `step_avx2` is a safe function but for the need of AVX2, and a `Vectors`
            // exists only where `Vectors::found` has seen that the machine has it.
            unsafe { step_avx2(&mut self.inner, p, t, h, y, out) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            self.inner.step(p, t, h, y, out)
        }
    }

    fn accept(&mut self) {
        self.inner.accept();
    }

    fn reset(&mut self) {
        self.inner.reset();
    }

    fn interpolate(
        &mut self,
        p: &P,
        t: f64,
        h: f64,
        y: &P::Point,
        end: &P::Point,
        theta: f64,
        out: &mut P::Point,
    ) -> Result<(), StepError> {
        if DENSE {
            return self.inner.interpolate(p, t, h, y, end, theta, out);
        }
        self.reset();
        let step = self.step(p, t, theta * h, y, out);
        self.reset();
        step.map(|_| ())
    }

    fn cost(&self) -> Cost {
        self.inner.cost()
    }
}
