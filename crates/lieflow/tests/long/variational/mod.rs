//! Hamiltonian and variational methods: one binary, so that their engines are compiled once.
mod allocations;
mod equivalence;
mod euclidean;
mod experiments;
mod fingerprints;
mod groups;
mod mechanics;
mod numbers;
mod structure;
