//! The general methods: convergence, dense output, lanes, errors, allocations.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
// Measured errors that happen to look like 1/pi.
#![allow(clippy::approx_constant)]
#[path = "../common/mod.rs"]
mod common;

mod convergence;
mod dense;
mod lanes;
mod packs;
mod products;
mod steps;
mod symmetry;
