//! The door between names and numbers that people type and the generic mathematics.
//!
//! ```text
//! text ──tree──▶ Node ──reader──▶ system + Plan ──model──▶ Record ──▶ JSON, CSV, report
//! ```
//!
//! A [`Node`] remembers where each value stands, so that every error can name the file, the line
//! and the key. A [`Reader`] takes values out of a table and knows which keys were asked for. What
//! comes out, a boxed [`Model`] and a [`Plan`], cannot be wrong any more. Running it yields a
//! [`Record`], also when the run fails half way.

mod asked;
mod columns;
mod document;
mod drive;
mod error;
mod isotropy;
mod model;
mod near;
mod overlay;
mod plan;
mod reader;
mod record;
mod shapes;
mod slot;
mod tree;
mod view;
mod write;

pub use document::Document;
pub use error::{SpecError, Warning, Warnings};
pub use model::{Faces, Model, RunError, RunFailure, Silent, Sink};
pub use near::near;
pub use overlay::{Setting, overlay};
pub use plan::{Extras, Pace, Plan, read_times};
pub use reader::Reader;
pub use record::{Record, State};
pub use slot::Slot;
pub use tree::{Kind, Node, Place, Table, parse_toml};

/// Reads a problem file from a text, as far as a value can be wrong without running it: the syntax,
/// the system with its parameters and initial data, and the plan. The entry point for fuzzing.
pub fn parse(text: &str) -> Result<(), SpecError> {
    let document = Document::parse(text, "fuzz", &[])?;
    document.build()?;
    document.plan()?;
    Ok(())
}
