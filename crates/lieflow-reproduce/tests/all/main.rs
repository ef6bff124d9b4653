//! The experiments as files.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod files;
