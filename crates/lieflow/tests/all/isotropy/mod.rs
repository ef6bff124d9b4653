//! Isotropy-corrected methods against the reference values and the properties of their
//! specification.

mod body;
mod conserve;
mod data;
mod fields;
mod homogeneous;
mod orbit;
mod orders;
mod properties;
mod spaces;
mod tables;
