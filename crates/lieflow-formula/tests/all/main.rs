//! Everything about formulas in one program, so that it is linked once.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod bits;
mod body;
mod chance;
mod derivatives;
mod fuzz;
mod language;
mod messages;
mod problems;
mod series;
mod speed;
