//! Midpoint rules on products of spheres.
mod iteration;
mod structure;
mod systems;
