//! Anderson's acceleration of a fixed-point iteration `u <- u + r(u)` with few unknowns.
//!
//! Differences of the last iterates and of their residuals show how residuals change; the combination of
//! them that cancels most of a residual is taken off before the step is made. With as many differences as
//! unknowns this is a secant method. Anderson 1965; Walker and Ni 2011.
use lieflow_kernel::Real;

/// So many differences are kept.
const DEPTH: usize = 3;
/// The square of the part of a difference that must be new.
const NEW: f64 = 1e-10;
/// The square of how much longer than its residual a correction may be.
const LONGEST: f64 = 1e4;

/// The differences of one iteration.
#[derive(Clone, Debug)]
pub(super) struct Anderson<S> {
    /// The iterate before and its residual, if there are any.
    before: [Vec<S>; 2],
    begun: bool,
    /// Differences of iterates and of residuals, the last ones first.
    pairs: Vec<[Vec<S>; 2]>,
    known: usize,
    /// The same, orthogonal to each other in the residuals, with the squares of their sizes.
    apart: Vec<[Vec<S>; 2]>,
    sizes: [S; DEPTH],
    rest: Vec<S>,
}

impl<S: Real> Anderson<S> {
    /// Nothing is known.
    pub(super) fn new() -> Self {
        let pair = || [Vec::new(), Vec::new()];
        let pairs = || (0..DEPTH).map(|_| pair()).collect();
        let (before, rest) = (pair(), Vec::new());
        let sizes = [S::zero(); DEPTH];
        Self { before, begun: false, pairs: pairs(), known: 0, apart: pairs(), sizes, rest }
    }

    /// Begins an iteration on so many unknowns; memory is kept.
    pub(super) fn begin(&mut self, dim: usize) {
        (self.begun, self.known) = (false, 0);
        let all = self.pairs.iter_mut().chain(&mut self.apart).chain([&mut self.before]).flatten();
        all.chain([&mut self.rest]).for_each(|list| list.resize(dim, S::zero()));
    }

    /// Replaces a residual at `u` by a better correction.
    pub(super) fn correct(&mut self, u: &[S], r: &mut [S]) {
        if self.begun {
            self.pairs.rotate_right(1);
            self.known = (self.known + 1).min(DEPTH);
            for i in 0..r.len() {
                self.pairs[0][0][i] = u[i] - self.before[0][i];
                self.pairs[0][1][i] = r[i] - self.before[1][i];
            }
        }
        self.begun = true;
        self.before[0].copy_from_slice(u);
        self.before[1].copy_from_slice(r);
        self.rest.copy_from_slice(r);
        let residual = dot(r, r);
        for k in 0..self.known {
            self.take_apart(k);
            let size = self.sizes[k];
            let [step, change] = &self.apart[k];
            let part = dot(change, &self.rest) / S::select(S::zero().lt(size), size, S::one());
            for i in 0..r.len() {
                self.rest[i] -= change[i] * part;
                r[i] -= (step[i] + change[i]) * part;
            }
        }
        // Differences that are rounding point anywhere.
        let wild = (residual * LONGEST).lt(dot(r, r));
        for (r, before) in r.iter_mut().zip(&self.before[1]) {
            *r = S::select(wild, *before, *r);
        }
    }

    /// Makes pair `k` orthogonal to those before; where nothing new is left it becomes zero.
    fn take_apart(&mut self, k: usize) {
        let (done, open) = self.apart.split_at_mut(k);
        let [step, change] = &mut open[0];
        step.copy_from_slice(&self.pairs[k][0]);
        change.copy_from_slice(&self.pairs[k][1]);
        let full = dot(change, change);
        for ([s, c], size) in done.iter().zip(&self.sizes) {
            let part = dot(c, change) / S::select(S::zero().lt(*size), *size, S::one());
            for i in 0..step.len() {
                step[i] -= s[i] * part;
                change[i] -= c[i] * part;
            }
        }
        let size = dot(change, change);
        let new = (full * NEW).lt(size);
        for x in step.iter_mut().chain(change) {
            *x = S::select(new, *x, S::zero());
        }
        self.sizes[k] = S::select(new, size, S::zero());
    }
}

fn dot<S: Real>(a: &[S], b: &[S]) -> S {
    let mut sum = S::zero();
    for (a, b) in a.iter().zip(b) {
        sum += *a * *b;
    }
    sum
}
