//! The text of the GPU's entries.
//!
//! One file has them all, compressed to a fifth; the driver is given one entry with what it calls, because it
//! compiles all that it is given. Formulas of a run become functions ([`formula`]) that are put in the places where
//! they are called (`inline`): the compiler of the driver would call them, and keep the state in memory for it.
pub mod formula;
mod inline;
mod operations;
mod parts;
mod tapes;

use formula::Formulas;
use inline::{Function, inline};
use parts::{Part, cut, split};
use std::sync::LazyLock;

/// The text, written by `tools/gpu/build`. Empty if it is damaged, which a test would see.
static TEXT: LazyLock<String> = LazyLock::new(|| {
    let packed = include_bytes!("../../kernels/lieflow.ptx.zlib");
    let text = miniz_oxide::inflate::decompress_to_vec_zlib(packed).unwrap_or_default();
    String::from_utf8(text).unwrap_or_default()
});

/// The SHA-256 of the sources that it was made of, in the first line.
pub fn sources() -> &'static str {
    TEXT.lines().next().and_then(|line| line.strip_prefix("// sources ")).unwrap_or_default()
}

/// The parts of the text, which is looked through once.
fn parts() -> &'static [Part<'static>] {
    static PARTS: LazyLock<Vec<Part<'static>>> = LazyLock::new(|| split(&TEXT));
    &PARTS
}

/// The text of one entry, with the functions and numbers that it uses. Functions of formulas are only declared.
pub fn entry(name: &str) -> Option<String> {
    cut(name, parts())
}

/// The text of one entry with these formulas, or of one function of them; nothing if there is no such entry or function
/// or it cannot have them.
pub fn entry_with(name: &str, formulas: &Formulas) -> Option<String> {
    let declared = entry(name)?;
    let mut parts: Vec<Part<'_>> = parts()
        .iter()
        .filter(|part| !part.is_entry() || part.name == Some(name))
        .cloned()
        .collect();
    // Functions of the kernel go into those of formulas, and these into whatever calls them.
    let small = |part: &&Part<'_>| part.name.is_some_and(|name| name.starts_with("lieflow_"));
    let small: Vec<Function> = parts.iter().filter(small).filter_map(Function::read).collect();
    let mut written = Vec::new();
    for part in &mut parts {
        let used = part.name.filter(|name| declared.contains(name));
        let (Some(head), Some(name)) = (part.text.strip_prefix(formula::DECLARED), used) else {
            continue;
        };
        part.text = inline(&formulas.define(name, head)?, &small).into();
        written.push(Function::read(part)?);
    }
    let calls = |part: &Part<'_>| written.iter().any(|f| part.text.contains(f.name()));
    for part in parts.iter_mut().filter(|part| calls(part)) {
        if !written.iter().any(|function| Some(function.name()) == part.name) {
            part.text = inline(&part.text, &written).into();
        }
    }
    cut(name, &parts)
}
