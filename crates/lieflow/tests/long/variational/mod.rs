//! Hamiltonian and variational methods over many steps; `tests/all/variational` has those of few.
mod allocations;
mod euclidean;
mod experiments;
mod fingerprints;
mod mechanics;
mod structure;
