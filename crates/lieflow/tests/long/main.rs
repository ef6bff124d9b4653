//! Hamiltonian and variational methods, and runs of very many steps: the tests of lieflow for which
//! optimised engines pay.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use lieflow_testing::counting::Counting;

mod body;
#[allow(dead_code, unused_imports)]
#[path = "../all/common/mod.rs"]
mod common;
mod compensated;
mod million_steps;
mod roundings;
mod variational;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
