//! Samples that the tests of the kernel share.
pub use lieflow_testing::Draw;

pub mod everything;

/// Angles where a formula may go wrong: at zero, at half a turn, at a full turn, beyond, and on
/// both sides of every change of form.
pub const ANGLES: [f64; 24] = {
    use std::f64::consts::{PI, TAU};
    [
        0.0,
        1e-300,
        1e-12,
        1e-8,
        1e-4,
        0.009,
        0.02,
        0.5,
        0.999999,
        1.000001,
        1.999999,
        2.000001,
        3.0,
        PI - 1e-8,
        PI - 1e-15,
        PI,
        PI + 1e-8,
        3.999999,
        4.000001,
        TAU - 0.1,
        TAU - 1e-4,
        TAU + 1e-4,
        7.999999,
        12.0,
    ]
};
