//! Problem files: from the names and numbers that people type to a system and a plan.
//!
//! ```text
//! text ──tree──▶ Node ──reader──▶ system + Plan
//! ```
//!
//! A [`Node`] remembers where each value stands, so that every error can name the file, the line
//! and the key. A [`Reader`] takes values out of a table and knows which keys were read. What comes
//! out of a [`Document`], a boxed [`Model`](crate::run::Model) and a [`Plan`](crate::run::Plan),
//! cannot be wrong any more.

mod cache;
mod document;
mod error;
mod euler;
mod geometry;
mod key_path;
mod overlay;
mod reader;
mod shown;
mod source;
mod suggestion;
mod tree;
mod used_keys;
mod write;

pub use document::Document;
pub use error::{SpecError, Warning, Warnings};
pub(crate) use geometry::{TOLERANCE, as_unit, as_vector, is_unit, orthogonal};
pub use key_path::KeyPath;
pub use overlay::{Setting, overlay};
pub use reader::Reader;
pub(crate) use reader::{as_function, as_list, as_number, wrong};
pub use shown::{Number, Shown, harmless, list_shown, quoted, shown};
pub use source::{MOST_BYTES, MOST_TABLE_BYTES, read_text};
pub use suggestion::suggestion;
pub use tree::{Kind, Node, Place, Table, parse_toml};

/// Reads a problem file from a text, as far as a value can be wrong without running it: the syntax,
/// the system with its parameters and initial data, and the plan. The entry point for fuzzing.
pub fn parse(text: &str) -> Result<(), SpecError> {
    let document = Document::parse(text, "fuzz", &[])?;
    document.build()?;
    document.plan()?;
    Ok(())
}
