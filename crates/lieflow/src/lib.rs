//! Structure-preserving integration of mechanical systems on Lie groups and homogeneous
//! manifolds.
//!
//! The folders are the mathematics, from the inside out:
//!
//! - [`kernel`]: real numbers, small vectors, closed forms of SO(3) and SE(3);
//! - [`group`]: Lie groups and their algebras, products of them, and a law suite;
//! - [`chart`]: coordinates at the identity (exponential, Cayley, second kind);
//! - [`action`]: how groups move points of a manifold;
//! - [`problem`]: the traits of a mechanical system, and the quantities that are watched;
//! - [`tableau`]: coefficients, as data checked when the program is built;
//! - [`method`]: one engine per family of methods;
//! - [`stepping`]: the driver, step-size control, dense output, events, observers.
//!
//! A method proposes a step, the control accepts or rejects it, observers look on. The driver
//! knows no method, and a method knows no file. Conventions are fixed in `NOTATION.md`.

pub mod action;
pub mod chart;
pub mod group;
pub mod method;
pub mod problem;
pub mod stepping;
pub mod tableau;

pub use lieflow_kernel as kernel;
pub use lieflow_kernel::{Dual, Jet, Lanes, Mask, Mat3, Quat, Real, Vec3, linalg::vec3};
