//! The driver: fixed and adaptive steps, events, observers, memory.
mod adaptive;
mod allocations;
mod calibration;
mod compositions;
mod driver;
mod estimates;
mod events;
mod fixed;
mod limits;
mod paced;
mod reversible;
mod support;
