//! Point vortices and spins: steps and flows against reference values, exact motions, invariants,
//! conservation, allocations, and the options of problem files.

mod data;
mod options;
mod others;
mod spins;
mod vortices;
