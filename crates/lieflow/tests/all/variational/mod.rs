//! Variational methods, a few steps each; those of many steps are in `long`.
mod equivalence;
mod groups;
#[allow(dead_code)]
#[path = "../../long/variational/mechanics.rs"]
mod mechanics;
mod numbers;
mod schemes;
