//! Conversions from and to the types of other crates, each behind a feature of its name. Matrices here
//! are kept by rows and quaternions as (w, x, y, z), whatever the others do; both sides mean the same.
#[cfg(feature = "glam")]
mod glam;
#[cfg(feature = "mint")]
mod mint;
#[cfg(feature = "nalgebra")]
mod nalgebra;
