//! The kernel against tables, identities, other libraries, and itself over other numbers.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod circle;
mod common;

mod accuracy;
mod double_double;
mod duals;
mod elliptic;
mod exact_motion;
mod free_maps;
mod glam_and_mint;
mod identities;
mod lanes;
mod maps;
mod matrices;
mod nalgebra;
mod rows;
mod stumpff;
mod tumbling;
