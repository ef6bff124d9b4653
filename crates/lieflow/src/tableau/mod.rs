//! Coefficients of methods, as data that are checked when the program is built.
//!
//! A wrong table does not compile: the macro [`tableaux!`](crate::tableaux) evaluates
//! [`Tableau::checked`] or [`CommutatorFree::checked`] at compile time, and both test every
//! classical order condition up to the order that the table claims. A misprint in the last weight
//! of Kutta's method stops the build:
//!
//! ```compile_fail,E0080
//! lieflow::tableaux! {
//!     /// Kutta's classical method, with 1/3 for 1/6 at the end and 1/6 for 1/3 before it: the
//!     /// weights still sum to one.
//!     WRONG = lieflow::tableau::Tableau {
//!         name: "wrong",
//!         order: 4,
//!         a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
//!         b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 6.0, 1.0 / 3.0],
//!         embedded: &[],
//!         dense: None,
//!         c: &[0.0, 0.5, 0.5, 1.0],
//!         cite: "kutta1901",
//!     };
//! }
//! ```
//!
//! The same table with the right weights compiles:
//!
//! ```
//! lieflow::tableaux! {
//!     /// Kutta's classical method.
//!     RIGHT = lieflow::tableau::Tableau {
//!         name: "right",
//!         order: 4,
//!         a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
//!         b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
//!         embedded: &[],
//!         dense: None,
//!         c: &[0.0, 0.5, 0.5, 1.0],
//!         cite: "kutta1901",
//!     };
//! }
//! assert!(RIGHT.explicit());
//! ```
//!
//! The conditions that only matter where fields do not commute are in [`planar`].

mod butcher;
mod commutator_free;
pub mod conditions;
mod data;
mod magnus;
pub mod planar;
mod quadrature;

pub use butcher::Tableau;
pub use commutator_free::{CommutatorFree, Move};
pub use data::*;
pub use magnus::{Bracket, MagnusTable};
pub use quadrature::Quadrature;

/// Declares tables as statics that are checked while compiling: `NAME = Tableau { … };`, or
/// `NAME: CommutatorFree = …;` for tables of another type.
#[macro_export]
macro_rules! tableaux {
    ($($(#[$doc:meta])* $name:ident = $table:expr;)*) => {
        $($(#[$doc])* pub static $name: $crate::tableau::Tableau = $table.checked();)*
    };
    ($($(#[$doc:meta])* $name:ident: $kind:ty = $table:expr;)*) => {
        $($(#[$doc])* pub static $name: $kind = $table.checked();)*
    };
}
