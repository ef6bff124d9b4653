//! Isotropy-corrected methods against the reference values and the properties of their
//! specification.

mod body;
mod conserve;
mod data;
mod fields;
mod homogeneous;
#[allow(dead_code)]
#[path = "../../../src/action/isotropy/least_squares.rs"]
mod least_squares;
mod orbit;
mod orders;
#[allow(dead_code)]
#[path = "../../../src/method/isotropy/principal.rs"]
mod principal;
mod properties;
mod spaces;
mod tables;

/// As in the module of the file that is read here.
const TINY: f64 = f64::MIN_POSITIVE;
