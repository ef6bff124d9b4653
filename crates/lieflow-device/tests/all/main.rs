//! Texts for GPUs without a GPU.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod formulas;
mod machine;
mod operands;
