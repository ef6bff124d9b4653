//! Methods that choose the isotropy.
//!
//! On a homogeneous manifold the generator of a field is fixed only up to the isotropy algebra of
//! the point. Lewis and Olver (2001) use this freedom: the right choice makes a method follow the
//! orbits to one order more, or conserve a first integral exactly, at the same order of the state.
//!
//! - [`update`], [`sphere`]: their own updates for the free rigid body, with closed forms;

pub mod body;
pub mod exponential;
pub mod sphere;
mod taylor;
pub mod update;

pub use body::{Choice, FreeMomentum, Local};
pub use exponential::Exponential;
pub use sphere::OnSphere;
pub use update::{Correction, Scheme, Update};
