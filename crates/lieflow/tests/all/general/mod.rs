//! The general methods: convergence, dense output, lanes, errors, allocations.
// Measured errors that happen to look like 1/pi.
#![allow(clippy::approx_constant)]
mod convergence;
mod dense;
mod discrete_gradient;
mod lanes;
mod momentum;
mod packs;
mod products;
mod stage_times;
mod steps;
mod symmetry;
