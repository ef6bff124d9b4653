//! Structure-preserving integration of mechanical systems on Lie groups and homogeneous
//! manifolds.
//!
//! A free rigid body, flipping about its middle axis, over a hundred time units:
//!
//! ```
//! use lieflow::action::{BodyFrame, BodyState};
//! use lieflow::chart::Chart;
//! use lieflow::group::Twist;
//! use lieflow::kernel::rigid::Inertia;
//! use lieflow::method::rkmk::Rkmk;
//! use lieflow::problem::{Generator, Problem};
//! use lieflow::stepping::{Adaptive, integrate};
//! use lieflow::{Mat3, tableau, vec3};
//!
//! struct Body(Inertia<f64>);
//!
//! // What a state is, and where it starts: attitude and body momentum.
//! impl Problem for Body {
//!     type Point = BodyState<f64>;
//!     fn start(&self) -> BodyState<f64> {
//!         BodyState::new(Mat3::identity(), self.0.momentum(vec3(0.0, 5.0, 0.01)))
//!     }
//! }
//!
//! // Which group moves it, and how fast: (-ω, torque), both in the body.
//! impl Generator for Body {
//!     type Space = BodyFrame<f64>;
//!     fn field(&self, _t: f64, y: &BodyState<f64>) -> Twist<f64> {
//!         Twist::new(-self.0.velocity(y.momentum), vec3(0.0, 0.0, 0.0))
//!     }
//! }
//!
//! let body = Body(Inertia::principal(vec3(1.0, 2.0, 3.0)));
//! let mut method = Rkmk::new(&tableau::DP54, Chart::Exp); // `rkmk-dp54` of the command line
//! let control = &mut Adaptive::pi(1e-9, 5);
//! let end = integrate(&body, &mut method, control, (0.0, 100.0), 0.01, &mut ())?;
//!
//! assert!(end.state.rotation.orthogonality_error() < 1e-12); // still a rotation
//! let lost = end.state.spatial_momentum() - body.start().spatial_momentum();
//! assert!(lost.norm() < 1e-12); // momentum kept by every method in this space
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Which action for which state:
//!
//! | state | [action] | field |
//! | --- | --- | --- |
//! | a vector of fixed length | [`Turn`](action::Turn) | `w`, for `q' = w × q` |
//! | a direction and its angular velocity | [`TangentSphere`](action::TangentSphere) | `(w, q × w')` |
//! | a rigid body with any torque | [`BodyFrame`](action::BodyFrame) | `Twist::new(-ω, T)`, in the body |
//! | an element of a group | [`Multiply`](action::Multiply) | its velocity in space, `g' = v g` |
//! | a momentum on a coadjoint orbit | [`CoadjointAction`](action::CoadjointAction) | `-dH/dm` |
//! | a vector of Rⁿ | `Multiply<Rn<S, N>>` | the right-hand side itself |
//! | several of these | pairs, arrays and vectors of actions | the same of their fields |
//!
//! An id of the command line is a table and a chart here (`rkmk4` is
//! `Rkmk::new(&tableau::RK4, Chart::Exp)`, `cf4` is `ProductMethod::new(&tableau::CF4)`, `exs` is
//! `KickFreeKick::new(Exact)`), or is looked up by its [`Card`](method::Card) in a list such as
//! [`method::generator::entries`]. Ten short programs are in `examples/`.
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
//! - [`stepping`]: the driver, step-size control, dense output, events, observers;
//! - [`rates`]: attitude from measured angular velocities;
//! - [`archive`]: what a run remembers, to go on later with the same bits.
//!
//! A method proposes a step, the control accepts or rejects it, observers look on. The driver
//! knows no method, and a method knows no file. Conventions are fixed in `NOTATION.md`.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(prelude_import), allow(internal_features))]

extern crate alloc;

#[cfg(target_arch = "nvptx64")]
#[allow(unused_imports)]
pub mod device_prelude;
// On a GPU there is no standard library; what every file of it knows comes from here.
#[cfg(target_arch = "nvptx64")]
#[prelude_import]
#[allow(unused_imports)]
use device_prelude::*;

/// Whether this is compiled for a GPU, where nobody looks inside steps and nothing is allocated.
pub(crate) const ON_GPU: bool = cfg!(target_arch = "nvptx64");

pub mod action;
pub mod archive;
pub mod chart;
pub mod group;
pub mod method;
pub mod problem;
pub mod rates;
mod shown;
pub mod stepping;
pub mod tableau;

pub use lieflow_kernel as kernel;
pub use lieflow_kernel::{Dual, Jet, Lanes, Mask, Mat3, Quat, Real, Vec3, linalg::vec3};
