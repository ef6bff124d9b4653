//! Point vortices and spins: steps and flows against reference values, exact motions, invariants,
//! conservation, allocations, and the way through the door.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "isotropy/data.rs"]
mod data;
#[path = "isotropy/door.rs"]
mod door;
#[path = "isotropy/others.rs"]
mod others;
#[path = "isotropy/spins.rs"]
mod spins;
#[path = "isotropy/vortices.rs"]
mod vortices;
