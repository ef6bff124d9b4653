//! Rigid bodies: reference states, orders, identities between methods, lanes, short cuts.
mod bodies;
mod convergence;
mod golden;
mod identities;
mod ids;
mod lanes;
mod short_cuts;
mod spaces;
mod support;
mod workloads;
