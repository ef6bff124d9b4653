//! Ensembles: the same bits whatever the lanes, threads and shards, and what is written.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod columns;
mod same_bits;
