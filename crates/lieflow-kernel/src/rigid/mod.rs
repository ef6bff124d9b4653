//! The rotation of a rigid body: inertia, the free-motion maps that every integrator of the
//! family is composed of, and the exact free motion.
//!
//! A free map `F(h)` turns the body, `R <- R F`, and its momentum with it, `Π <- Fᵀ Π`, so that
//! the spatial momentum `R Π` never changes. The maps differ in how the turn `F` follows from the
//! momentum; with kicks `Π <- Π + c T(R)` between them they make up the methods (Krysl 2004;
//! Ortolan 2011, chapter 4).
//!
//! All of them are generic over [`Real`](crate::Real); lanes that have converged are frozen, so
//! that a lane gives the bits of the run with one number.

mod cayley_midpoint;
pub mod elliptic;
mod exact;
mod free_map;
mod inertia;
mod lie_midpoint;
mod moser_veselov;
mod newton;
mod precession;
mod preprocessed;
mod preprocessing;
mod taylor;
mod three_rotations;
mod tumbling;
mod verlet;

pub use cayley_midpoint::{CayleyMidpoint, EulerHalfStep};
pub use exact::Exact;
pub use free_map::{FineTurn, FreeMap, Halves, Memo, Turn};
pub use inertia::{Inertia, Round, Symmetry};
pub use lie_midpoint::LieMidpoint;
pub use moser_veselov::MoserVeselov;
pub use newton::{Equation, Root, newton, newton_tight, newton_to_rounding};
pub use precession::{Glide, Spin};
pub use preprocessed::PreprocessedMoserVeselov;
pub use three_rotations::ThreeRotations;
pub use verlet::{VerletCayley, VerletExp};
