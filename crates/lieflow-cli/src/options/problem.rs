//! The problem that a command is about: a built-in one by name, or a file.
use super::Changes;
use crate::command::Context;
use crate::error::Failure;
use clap::Args;
use lieflow_models::problem_file::{Document, MOST_BYTES, Place, read_text};
use lieflow_models::problems;
use std::path::Path;

/// What standard input is called in messages and on pages.
const STDIN: &str = "standard input";

/// A problem and the changes to it.
#[derive(Args, Debug)]
pub struct ProblemOptions {
    /// A built-in problem (see `lieflow list problems`), a problem file, or `-` for standard input
    #[arg(value_name = "PROBLEM")]
    pub problem: String,
    #[command(flatten)]
    pub changes: Changes,
}

impl ProblemOptions {
    /// What the problem is called on pages.
    pub fn name(&self) -> &str {
        if self.problem == "-" { STDIN } else { &self.problem }
    }

    /// Opens it with the changes laid over it.
    pub fn open(&self, context: &Context<'_>) -> Result<Document, Failure> {
        let settings = self.changes.settings()?;
        let (text, origin) = problem_text(&self.problem)?;
        Ok(Document::parse_with(context.systems, &text, &origin, &settings)?)
    }
}

/// The text of a problem, a built-in one by name or a file, and what messages call it.
pub fn problem_text(name: &str) -> Result<(String, String), Failure> {
    if let Some(builtin) = problems::find(name) {
        return Ok((builtin.text.into(), format!("problem {name}")));
    }
    let path = Path::new(name);
    let is_path = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"))
        || name.contains(std::path::is_separator)
        || name == "-"
        || path.exists();
    if !is_path {
        return Err(problems::unknown(Place::whole("argument"), "problem or file", name).into());
    }
    let text = read_text(path, MOST_BYTES).map_err(Failure::reading(path))?;
    Ok((text, if name == "-" { STDIN.into() } else { name.into() }))
}
