//! Certificates: what a one-step method preserves, measured.
//!
//! A crate of its own, because every method is compiled here once more, over dual numbers; it is
//! built with little optimisation, since a certificate makes few steps. Methods that work on every
//! space are compiled for a space whose type is forgotten (`any_space`).
mod any_space;
mod by_differences;
mod called;
mod certificate;
mod measure;
mod nearby;
mod spheres;
mod symplectic;
mod test_problem;
mod turned;

pub use certificate::{Certificate, Degenerate};
pub use measure::{Source, Structure, certifiable, certify, certify_on, structure, test_problems};
pub use symplectic::{FormDefect, symplectic_defect};
