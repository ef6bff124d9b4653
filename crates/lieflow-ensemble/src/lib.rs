//! Many trajectories of one problem with varied data.
//!
//! ```text
//! [ensemble] ──design──▶ index ──draw──▶ system ──trajectory or wide──▶ rows ──▶ keeper, statistics
//! ```
//!
//! - [`design`]: what varies and how; a trajectory is a function of the design and its index alone;
//! - [`draw`], [`philox`]: values by distribution, list, grid or file, from counted random numbers;
//! - [`trajectory`]: one trajectory alone; [`wide`]: several side by side, with the same bits;
//! - [`table`]: what is kept of them, several in one table of numbers;
//! - [`statistics`]: means, extremes and quantiles in constant memory, in the order of the index;
//! - [`keeper`]: where the rows go, as numbers: to files, to columns in memory, to a user's code;
//! - [`store`]: the files, which can be cut short and continued, cut into shards and merged;
//! - [`run`]: any range of trajectories on all cores, block by block, until done or stopped.
//!
//! The same design gives the same bytes for any number of threads, any width of lanes and any
//! sharding.

pub mod design;
pub mod draw;
pub mod keeper;
pub mod memory;
pub mod philox;
pub mod run;
pub mod statistics;
pub mod store;
pub mod table;
pub mod trajectory;
pub mod wide;
