//! Certificates: what a one-step method preserves, measured.
//!
//! A crate of its own, because every method is compiled here once more, over dual numbers; it is
//! built with little optimisation, since a certificate makes few steps.
mod certificate;
mod spheres;
mod symplectic;

pub use certificate::{Certificate, Structure, certifiable, certify, structure, test_problems};
pub use symplectic::{FormDefect, symplectic_defect};
