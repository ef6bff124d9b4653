//! Systems and methods on products of two-spheres. One program, because every file here uses the
//! same engines, which take time to compile.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod compositions;
mod costs;
mod data;
mod dipole_oracle;
mod experiments;
mod flows;
mod long;
mod random;
mod solvers;
mod states;
mod structure;
