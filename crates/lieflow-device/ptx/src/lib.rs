//! The entries of the GPU, one for each pair of `src/kernel/pairs.rs`. `tools/gpu/build` compiles this to the
//! PTX text in `../kernels/`; nobody else needs it.
#![no_std]
#![feature(abi_ptx, stdarch_nvptx, prelude_import)]
#![allow(internal_features)]

// As in the core: what every file knows where there is no standard library.
#[prelude_import]
#[allow(unused_imports)]
use lieflow::device_prelude::*;

// The host reads and writes what is not used here.
#[allow(dead_code)]
#[path = "../../src/kernel/mod.rs"]
mod kernel;

#[allow(dead_code)]
/// The systems, of the same files as those of problem files.
mod system {
    #[path = "../../../../lieflow-models/src/system/rigid_body/body.rs"]
    mod body;
    mod law;
    #[path = "../../../../lieflow-models/src/system/rigid_body/lifted.rs"]
    mod lifted;
    #[path = "../../../../lieflow-models/src/system/material.rs"]
    mod material;
    #[path = "../../../../lieflow-models/src/system/rigid_body/potential.rs"]
    mod potential;
    #[path = "../../../../lieflow-models/src/system/reduced_body/body.rs"]
    mod reduced_body;
    #[path = "../../../../lieflow-models/src/system/macrospin/spin.rs"]
    mod spin;

    pub use body::RigidBody;
    use law::{Law, SpinField};
    pub use lifted::LiftedBody;
    pub use material::Material;
    pub use potential::Field;
    pub use reduced_body::ReducedBody;
    pub use spin::Macrospin;
}

use core::alloc::{GlobalAlloc, Layout};
use core::arch::nvptx::{_block_dim_x, _block_idx_x, _thread_idx_x, trap};
use kernel::pairs::*;
use kernel::{Arguments, trajectory};
use lieflow::Real;
use lieflow::kernel::tape;

macro_rules! entries {
    ($($name:ident: $kind:ty, $($method:literal)|+, $engine:expr;)*) => {
        $(
            /// One pair.
            mod $name {
                use super::*;

                /// Trajectories in the usual way.
                ///
                /// # Safety
                /// As for [`trajectory`].
                #[unsafe(export_name = stringify!($name))]
                pub unsafe extern "ptx-kernel" fn usual(arguments: *const Arguments) {
                    // SAFETY: each thread has an index of its own; the rest is up to the caller.
                    unsafe { trajectory::<$kind, _, false>(arguments, index(), $engine) }
                }

                /// Those that were left.
                ///
                /// # Safety
                /// As for [`trajectory`].
                #[unsafe(export_name = concat!(stringify!($name), "_patient"))]
                pub unsafe extern "ptx-kernel" fn patient(arguments: *const Arguments) {
                    // SAFETY: as above.
                    unsafe { trajectory::<$kind, _, true>(arguments, index(), $engine) }
                }
            }
        )*
    };
}
kernel::pairs::for_all_pairs!(entries);

/// Two numbers as functions hand them back.
#[repr(C)]
pub struct Two {
    first: f64,
    second: f64,
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($x:ident)*) -> $result:ty, $value:expr;)*) => {
        // What the functions of formulas call: those of the kernel, so that bits are those of the CPU.
        $($(#[$doc])* #[unsafe(no_mangle)] pub extern "C" fn $name($($x: f64),*) -> $result { $value })*
    };
}
functions! {
    /// Sine and cosine.
    lieflow_sin_cos(x) -> Two, { let (first, second) = Real::sin_cos(x); Two { first, second } };
    /// The exponential.
    lieflow_exp(x) -> f64, Real::exp(x);
    /// The natural logarithm.
    lieflow_ln(x) -> f64, Real::ln(x);
    /// The angle of a point.
    lieflow_atan2(y x) -> f64, Real::atan2(y, x);
    /// The hyperbolic sine.
    lieflow_sinh(x) -> f64, tape::sinh(x);
    /// The hyperbolic cosine.
    lieflow_cosh(x) -> f64, tape::cosh(x);
    /// The hyperbolic tangent.
    lieflow_tanh(x) -> f64, tape::tanh(x);
}

/// The number of this thread.
#[inline(always)]
unsafe fn index() -> u64 {
    // SAFETY: these only read registers.
    unsafe { _block_idx_x() as u64 * _block_dim_x() as u64 + _thread_idx_x() as u64 }
}

/// Nothing is allocated: steps of fixed size have no need of it.
struct NoHeap;

// SAFETY: it never returns memory.
unsafe impl GlobalAlloc for NoHeap {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static HEAP: NoHeap = NoHeap;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: it ends the launch, which the host reports.
    unsafe { trap() }
}
