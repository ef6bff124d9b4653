//! Finds a problem: a built-in one by name, or a file.
use crate::error::Failure;
use lieflow_models::door::{Document, Place, Setting, SpecError};
use lieflow_models::problems::{self, PROBLEMS};
use std::path::Path;

/// Opens the problem of a name or file with settings laid over it.
pub fn open(name: &str, settings: &[Setting]) -> Result<Document, Failure> {
    if let Some(builtin) = problems::find(name) {
        return Ok(Document::parse(builtin.text, &format!("problem {name}"), settings)?);
    }
    let path = Path::new(name);
    let is_path = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"))
        || name.contains(std::path::is_separator)
        || path.exists();
    if !is_path {
        let known = PROBLEMS.iter().map(|problem| problem.id);
        let place = Place::whole("argument");
        return Err(SpecError::unknown_name(place, "problem or file", name, known).into());
    }
    let text = std::fs::read_to_string(path).map_err(Failure::reading(path))?;
    Ok(Document::parse(&text, name, settings)?)
}
