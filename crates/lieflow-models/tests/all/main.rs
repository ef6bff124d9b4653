//! The systems, their problem files, and the studies.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use lieflow_testing::counting::Counting;

mod door;
mod fuzz;
mod isotropy;
mod liegroup_reference;
mod march;
#[allow(dead_code)]
#[path = "../../src/door/near.rs"]
mod near;
mod options;
mod order;
mod put;
mod quadrotors;
mod rigid;
mod spheres;
mod study;
mod variational;
mod written;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
