//! What the tests of several crates share. Nothing here is published: where a test would panic, so
//! do these functions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod counting;
mod draw;
pub mod golden;
pub mod gpu;
#[cfg(target_arch = "x86_64")]
pub mod packs;
pub mod problems;
pub mod reference;
pub mod ten_terms;

pub use draw::{Draw, SplitMix64};

use lieflow::method::{Method, Step};
use lieflow::problem::Problem;

/// The state after `steps` steps of size `h`, each accepted.
pub fn run<P: Problem, M: Method<P> + ?Sized>(
    p: &P,
    method: &mut M,
    h: f64,
    steps: usize,
) -> P::Point {
    observe(p, method, h, steps, |_, _| {})
}

/// The same; `see` looks at each new state, the first being number one.
pub fn observe<P: Problem, M: Method<P> + ?Sized>(
    p: &P,
    method: &mut M,
    h: f64,
    steps: usize,
    mut see: impl FnMut(usize, &P::Point),
) -> P::Point {
    let mut y = p.start();
    let mut out = y.clone();
    for k in 0..steps {
        method.step(Step::new(p, k as f64 * h, h, &y), &mut out).unwrap();
        method.accept();
        std::mem::swap(&mut y, &mut out);
        see(k + 1, &y);
    }
    y
}

/// Euclidean distance of two lists.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// `|a - b| / |b|`.
pub fn relative(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let d: f64 = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum();
    (d / b.iter().map(|y| y * y).sum::<f64>()).sqrt()
}
