//! Midpoint rules on products of spheres.
mod iteration;
mod radii;
mod structure;
pub mod systems;
