//! Real numbers of several kinds behind one trait.
mod called;
pub mod circle;
#[cfg(feature = "double-double")]
mod double_double;
mod dual;
mod elementary;
mod jet;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod pack;
mod parts;
mod plain;
mod real;
pub mod scaled;
pub mod stumpff;

pub use called::CalledDual;
#[cfg(feature = "double-double")]
pub use double_double::{DoubleDouble, ParseDecimalError};
pub use dual::Dual;
pub use jet::Jet;
pub use lanes::Lanes;
#[cfg(target_arch = "x86_64")]
pub use pack::{Machine, Pack, PackMask, Pair, Quad, Registers, Whole};
pub use real::{Apart, Mask, Real};
