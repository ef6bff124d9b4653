//! Isotropy-corrected methods against the reference values and the properties of their
//! specification.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "isotropy/body.rs"]
mod body;
#[path = "isotropy/conserve.rs"]
mod conserve;
#[path = "isotropy/data.rs"]
mod data;
#[path = "isotropy/fields.rs"]
mod fields;
#[path = "isotropy/homogeneous.rs"]
mod homogeneous;
#[path = "isotropy/orbit.rs"]
mod orbit;
#[path = "isotropy/orders.rs"]
mod orders;
#[path = "isotropy/properties.rs"]
mod properties;
#[path = "isotropy/spaces.rs"]
mod spaces;
#[path = "isotropy/tables.rs"]
mod tables;
