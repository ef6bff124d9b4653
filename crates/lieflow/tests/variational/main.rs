//! Hamiltonian and variational methods: one binary, so that their engines are compiled once.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod allocations;
mod equivalence;
mod euclidean;
mod experiments;
mod fingerprints;
mod groups;
mod mechanics;
mod numbers;
mod structure;
