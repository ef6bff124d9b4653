//! The tool, through its binary and its library. One program: linking the tool takes longer than most
//! of the tests.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod bad_input;
mod certificates;
mod common;
mod data;
mod device;
mod ensemble;
mod limits;
mod manual;
mod output;
mod overlay;
mod own_system;
mod play;
mod reference;
mod studies;
mod terminal;
mod trust;
