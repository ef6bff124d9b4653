//! Mechanical systems behind one door.
//!
//! The mathematics of [`lieflow`] is generic; people type names and numbers. This crate is where
//! the two meet:
//!
//! - [`door`]: problem files and command-line settings become a checked tree of values, the tree
//!   becomes a system and a plan, a run of the plan yields one plain record;
//! - [`system`]: the systems, one file each, and the list of them;
//! - [`problems`]: the problems that come with the tool;
//! - [`catalogue`]: all methods of all systems;
//! - [`study`]: questions asked of many runs, such as the order of convergence.

pub mod catalogue;
pub mod door;
pub mod problems;
pub mod study;
pub mod system;
