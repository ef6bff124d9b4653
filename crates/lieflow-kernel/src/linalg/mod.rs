//! Vectors and matrices of three dimensions, quaternions, and a small dense solver.
mod interop;
mod mat3;
mod quat;
mod solve;
mod vec3;

pub(crate) use mat3::Cofactors;
pub use mat3::Mat3;
pub use quat::Quat;
pub use solve::solve_in_place;
pub use vec3::{Vec3, vec3};
