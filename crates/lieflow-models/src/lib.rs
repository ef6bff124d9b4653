//! Mechanical systems: from problem files to records.
//!
//! The mathematics of [`lieflow`] is generic; people type names and numbers. This crate is where
//! the two meet:
//!
//! - [`problem_file`]: problem files and command-line settings become a checked tree of values, the
//!   tree becomes a system and a plan;
//! - [`formulas`]: formulas in problem files, and what is watched by them;
//! - [`foreign`]: laws that are functions of another language;
//! - [`run`]: a run of the plan yields one plain record;
//! - [`system`]: the systems, one file each, and the list of them;
//! - [`problems`]: the problems that come with the tool;
//! - [`catalogue`]: all methods of all systems;
//! - [`method_names`]: what else methods are called, and which to try first;
//! - [`study`]: questions asked of many runs, such as the order of convergence.

pub mod catalogue;
pub mod foreign;
pub mod formulas;
pub mod method_names;
pub mod problem_file;
pub mod problems;
pub mod run;
pub mod study;
pub mod system;
