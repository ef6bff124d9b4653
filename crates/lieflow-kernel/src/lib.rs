//! The innermost layer of lieflow: real numbers, small vectors, and the closed forms of the
//! rotation group and the Euclidean group.
//!
//! Everything here is generic over one small trait, [`Real`], and is written so that the same
//! source runs on `f64`, on dual numbers, on SIMD lanes, on double-double numbers and inside a
//! GPU kernel: no allocation, no closures, no iterators, no panics, no standard library.
//!
//! - [`scalar`]: the trait [`Real`], its implementations, and [`scalar::stumpff`], the one place
//!   where small angles are handled;
//! - [`linalg`]: [`Vec3`], [`Mat3`], [`Quat`], and a small dense solver;
//! - [`so2`], [`se2`], [`so3`], [`se3`], [`se23`], [`sim3`]: exponential, logarithm, adjoint maps, left and
//!   right Jacobians with their inverses, and for rotations and motions of space Cayley's map;
//! - [`rigid`]: the free motion of a rigid body, exact and by the maps of the literature;
//! - [`tape`]: programs that are known only at run time, interpreted over any numbers;
//! - [`wide`]: loops over many bodies, compiled for the vectors of the machine.
//!
//! Conventions are those of `NOTATION.md`: left actions, right-trivialised differentials, angular
//! part first, quaternions as (w, x, y, z).
#![cfg_attr(any(not(feature = "std"), target_arch = "nvptx64"), no_std)]
// The compiler for GPUs is a nightly one, and has square roots without the standard library.
#![cfg_attr(target_arch = "nvptx64", feature(core_float_math))]

mod group;
pub mod linalg;
pub mod rigid;
pub mod scalar;
pub mod tape;
pub mod wide;

pub use group::{se2, se3, se23, sim3, so2, so3};
pub use linalg::{Mat3, Quat, Vec3, vec3};
#[cfg(feature = "double-double")]
pub use scalar::DoubleDouble;
pub use scalar::{CalledDual, Dual, Jet, Lanes, Mask, Real};
#[cfg(target_arch = "x86_64")]
pub use scalar::{Machine, Pack, Pair, Quad, Whole};
