//! Groups, actions, tables, methods and the driver.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use lieflow_testing::counting::Counting;

mod common;

mod bodies;
mod examples;
mod fingerprints;
mod general;
mod isospectral;
mod isotropy;
mod laws;
mod magnus;
mod maps_son;
mod random_elements;
mod rates;
mod scalars;
mod spheres;
mod spherical;
mod stepping;
mod tableaux;
mod variational;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
