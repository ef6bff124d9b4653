//! The first guess of an unknown of a step, extrapolated from the steps before.
//!
//! The unknowns of equal steps that follow each other are values of a smooth function at equal
//! distances. Their backward differences `∇ᵏ` give the value of the polynomial through the last ones
//! one step further: `f ≈ Σ ∇ᵏ f_last`. Differences shrink like powers of the step until rounding, of
//! which each difference doubles the share; the sum ends before the first one that does not shrink.
use crate::archive::Archive;
use crate::method::few::{Few, copies};
use lieflow_kernel::{Mask, Real, Vec3};

/// The most differences that are kept.
const MOST: usize = 14;
/// The square of the rate of an iteration, if nothing is known of it.
const UNKNOWN: f64 = f64::INFINITY;
/// What is forgotten of the square of a rate with every step that does not show it: it is measured
/// again after a while.
const FORGOTTEN: f64 = 1.1;

/// What is known from the last steps.
#[derive(Clone, Debug)]
pub(in crate::method) struct Predictor<S: Real> {
    /// `∇ᵏ` of the generators, as many as are known.
    differences: [Few<Vec3<S>>; MOST],
    known: usize,
    /// By how much a sweep shrinks changes, squared.
    rate: S,
}

impl<S: Real> Predictor<S> {
    /// For so many generators.
    pub(in crate::method) fn new(count: usize) -> Self {
        let differences = core::array::from_fn(|_| copies(Vec3::zero(), count));
        Self { differences, known: 0, rate: S::lift(UNKNOWN) }
    }

    /// Knows nothing any more; memory is kept.
    pub(in crate::method) fn forget(&mut self) {
        self.known = 0;
        self.rate = S::lift(UNKNOWN);
    }

    /// Names all that is known.
    pub(in crate::method) fn archive(&mut self, archive: &mut Archive) {
        let mut known = self.known as u64;
        archive.bits(&mut known);
        match usize::try_from(known) {
            Ok(known) if known <= MOST => self.known = known,
            _ => return archive.refuse("it is that of a run of another shape"),
        }
        archive.real(&mut self.rate);
        for v in self.differences[..self.known].iter_mut().flat_map(|list| list.iter_mut()) {
            archive.algebra(v);
        }
    }

    /// Forgets the rate of the iteration, where it has become another one.
    pub(in crate::method) fn forget_rate(&mut self, lanes: S::Mask) {
        self.rate = S::select(lanes, S::lift(UNKNOWN), self.rate);
    }

    /// Whether as many steps are known as ever will be.
    pub(in crate::method) fn is_full(&self) -> bool {
        self.known == MOST
    }

    /// By how much a sweep shrinks changes, squared.
    pub(in crate::method) fn rate(&self) -> S {
        self.rate
    }

    /// Takes note of the generators of a step that was accepted and, in the lanes where it was seen,
    /// of the square of the rate of its iteration.
    pub(in crate::method) fn learn(&mut self, f: &[Vec3<S>], rate: S, seen: S::Mask) {
        self.rate = S::select(seen, rate, self.rate * FORGOTTEN);
        let orders = (self.known + 1).min(MOST);
        for (i, f) in f.iter().enumerate() {
            let mut new = *f;
            for difference in &mut self.differences[..orders] {
                let old = core::mem::replace(&mut difference[i], new);
                new -= old;
            }
        }
        self.known = orders;
    }

    /// Writes the expected generators, if there are any.
    pub(in crate::method) fn predict(&self, out: &mut [Vec3<S>]) -> bool {
        let Some((first, more)) = self.differences[..self.known].split_first() else {
            return false;
        };
        out.copy_from_slice(first);
        let mut open = S::Mask::splat(true);
        let mut before = size(first);
        for difference in more {
            let here = size(difference);
            open = open.and(here.lt(before));
            if !open.any() {
                break;
            }
            for (out, difference) in out.iter_mut().zip(difference.iter()) {
                *out = Vec3::select(open, *out + *difference, *out);
            }
            before = here;
        }
        true
    }
}

/// The sum of squares, with those of derivatives.
fn size<S: Real>(list: &[Vec3<S>]) -> S {
    let mut sum = S::zero();
    for v in list {
        sum += v.x.all_squared() + v.y.all_squared() + v.z.all_squared();
    }
    sum
}
