//! Formulas.
pub mod body;
pub mod derive;
mod elaborate;
pub mod error;
mod explain;
mod facts;
mod formula;
pub mod graph;
mod kind;
mod locate;
mod names;
mod near;
mod program;
mod sheet;
pub mod syntax;
mod tape;
mod value;

pub use derive::{Change, Rate};
pub use error::{Error, Fault, Place, Source};
pub use facts::{Cost, Kink};
pub use formula::{Formula, WrongCount};
pub use kind::Kind;
pub use locate::Breakdown;
pub use names::{Names, Role};
pub use program::{Program, Variable};
pub use sheet::Sheet;
pub use value::Value;

/// The functions of the language, each with its arguments.
pub fn functions() -> &'static [(&'static str, &'static str)] {
    elaborate::FUNCTIONS
}
