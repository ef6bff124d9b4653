//! Methods that choose the isotropy.
//!
//! On a homogeneous manifold the generator of a field is fixed only up to the isotropy algebra of
//! the point. Lewis and Olver (2001) use this freedom: the right choice makes a method follow the
//! orbits to one order more, or conserve a first integral exactly, at the same order of the state.
//!
//! - [`update`], [`sphere`]: their own updates for the free rigid body, with closed forms;
//! - [`generator`]: any method with another generator for the same field (`--isotropy`);
//! - [`conserve`]: any method, corrected at each step so that first integrals keep their values
//!   (`--conserve`);
//! - [`orbit`]: the correction for any update on any space, from its Taylor series;
//! - [`with_isotropy_options`]: adds the two options to a list of methods.

pub mod body;
pub mod conserve;
pub mod exponential;
pub mod generator;
mod options;
pub mod orbit;
mod principal;
pub mod sphere;
mod taylor;
pub mod update;

pub use body::{Choice, FreeMomentum, Local};
pub use conserve::{Conserve, Conserving};
pub use exponential::Exponential;
pub use generator::{ChosenGenerator, Part};
pub use options::{
    with_conservation, with_isotropy_choice, with_isotropy_options, without_isotropy_choice,
};
pub use sphere::OnSphere;
pub use update::{Correction, Scheme, Update};
