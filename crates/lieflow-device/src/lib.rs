//! Trajectories on a GPU, with the bits of the CPU.
//!
//! ```text
//! kernel/ (one thread, one trajectory) ──ptx/, tools/gpu/build──▶ kernels/*.ptx ──driver──▶ Cuda
//!                                      ──this machine───────────────────────────────────▶ Emulated
//! ```
//!
//! - [`kernel`]: what a thread does, compiled for GPUs and for this machine from the same files;
//! - [`catalogue`]: which systems and methods there are, and why another one is not among them;
//! - [`schedule`]: the steps of a plan, laid out before the run;
//! - [`tiles`]: numbers as threads read and write them;
//! - [`Device`]: something that runs many trajectories: [`Cuda`], or `Emulated` (feature `emulated`) for tests;
//! - [`ptx`]: the text for the driver, which compiles it for the GPU that there is.
//!
//! Additions and products are rounded one by one on GPUs as on the CPU, functions are our own, and so
//! results do not depend on who computed them.

pub mod catalogue;
#[cfg(feature = "cuda")]
mod cuda;
mod device;
#[cfg(feature = "emulated")]
mod emulated;
pub mod kernel;
pub mod ptx;
pub mod schedule;
pub mod tiles;
mod written;

#[cfg(feature = "cuda")]
pub use cuda::{Cuda, load_all};
pub use device::{Answer, Device, DeviceError, Numbers, ReachableMemory, Running, Work};
#[cfg(feature = "emulated")]
pub use emulated::{Emulated, Mishap};

/// The systems as [`kernel`] names them, on both machines.
mod system {
    pub use lieflow_models::system::SpinField;
    pub use lieflow_models::system::macrospin::Macrospin;
    pub use lieflow_models::system::reduced_body::ReducedBody;
    pub use lieflow_models::system::rigid_body::{Field, LiftedBody, RigidBody};
    pub use lieflow_models::system::spins::Material;
}

/// All devices of this machine; at least one.
pub fn find_devices() -> Result<Vec<Box<dyn Device>>, DeviceError> {
    #[cfg(feature = "cuda")]
    {
        let all = Cuda::all()?.into_iter();
        Ok(all.map(|gpu| Box::new(gpu) as Box<dyn Device>).collect())
    }
    #[cfg(not(feature = "cuda"))]
    {
        Err(DeviceError::NotBuilt)
    }
}
