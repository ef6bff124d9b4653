//! The tables.
mod commutator_free;
mod crouch_grossman;
mod dop853;
mod explicit;
mod gauss;
mod magnus;
mod two_storage;

pub use commutator_free::*;
pub use crouch_grossman::*;
pub use dop853::*;
pub use explicit::*;
pub use gauss::*;
pub use magnus::*;
pub use two_storage::*;
