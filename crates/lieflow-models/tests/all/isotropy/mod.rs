//! Point vortices and spins: steps and flows against reference values, exact motions, invariants,
//! conservation, allocations, and the way through the door.

mod data;
mod door;
mod others;
mod spins;
mod vortices;
