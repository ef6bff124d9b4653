//! What every file knows where there is no standard library: the prelude of `core` with lists and
//! texts of `alloc`, and the functions of `f64` that only the standard library has.
pub use alloc::borrow::ToOwned;
pub use alloc::boxed::Box;
pub use alloc::string::{String, ToString};
pub use alloc::vec::Vec;
pub use alloc::{format, vec};
pub use core::prelude::rust_2024::*;
pub use lieflow_kernel::Real;

/// Functions of `f64` that [`Real`] lacks, by pure Rust.
pub trait Float {
    /// The nearest whole number above.
    fn ceil(self) -> Self;
    /// The nearest whole number.
    fn round(self) -> Self;
    /// Sine.
    fn sin(self) -> Self;
    /// The length of a pair.
    fn hypot(self, y: f64) -> Self;
}

impl Float for f64 {
    fn ceil(self) -> Self {
        libm::ceil(self)
    }
    fn round(self) -> Self {
        libm::round(self)
    }
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    fn hypot(self, y: f64) -> Self {
        libm::hypot(self, y)
    }
}
