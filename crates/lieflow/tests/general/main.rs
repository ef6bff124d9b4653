//! The general methods: convergence, dense output, lanes, errors, allocations.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#[path = "../common/mod.rs"]
mod common;

mod convergence;
mod dense;
mod lanes;
mod products;
mod steps;
mod symmetry;
