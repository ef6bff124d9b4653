//! The live viewer: a page on the loopback address, and the real integrator behind it.
//!
//! ```text
//! browser ──WebSocket──▶ session (one for each viewer: clock, sliders, picture)
//!                           ├──▶ lane: a thread that steps one method
//!                           └──▶ lane: another one, beside it
//! ```
//!
//! A [`Server`] listens on 127.0.0.1 and nowhere else. Its address has a random token in it, and who
//! does not know it, or comes from another site (`Host`, `Origin`), gets nothing. Every viewer has a
//! session of its own, with its own motion; there are at most [`MOST_VIEWERS`]. States are those of
//! `lieflow run`, bit for bit, as long as nothing is switched.
mod config;
mod errors;
mod http;
mod lane;
mod message;
mod page;
mod server;
mod session;
mod sliders;
mod socket;
mod speed;
mod task;
mod view;

pub use lane::{Advanced, Lane, Order, Report, Sample};
pub use server::{MOST_VIEWERS, Server, ServerError};
pub use sliders::{Slider, sliders};
pub use task::{Begin, Pacing, Show, Task};
