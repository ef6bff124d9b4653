//! The text of the GPU's entries.
//!
//! One file has them all, compressed to a fifth; the driver is given one entry with what it calls, because it
//! compiles all that it is given.
use std::sync::LazyLock;

/// The text, written by `tools/gpu/build`. Empty if it is damaged, which a test would see.
static TEXT: LazyLock<String> = LazyLock::new(|| {
    let packed = include_bytes!("../kernels/lieflow.ptx.zlib");
    let text = miniz_oxide::inflate::decompress_to_vec_zlib(packed).unwrap_or_default();
    String::from_utf8(text).unwrap_or_default()
});

/// The SHA-256 of the sources that it was made of, in the first line.
pub fn sources() -> &'static str {
    TEXT.lines().next().and_then(|line| line.strip_prefix("// sources ")).unwrap_or_default()
}

/// How an entry begins.
const ENTRY: &str = ".visible .entry ";

/// A part of the text.
struct Part {
    /// Functions have a name; what has none is needed by all.
    name: Option<&'static str>,
    text: &'static str,
}

/// The text of one entry, with the functions and numbers that it uses.
pub fn entry(name: &str) -> Option<String> {
    // No entry needs another one.
    let needed = |part: &&Part| part.name == Some(name) || !part.text.starts_with(ENTRY);
    let parts: Vec<&Part> = parts().iter().filter(needed).collect();
    let mut taken: Vec<bool> = parts.iter().map(|part| part.name == Some(name)).collect();
    if !taken.contains(&true) {
        return None;
    }
    // What is used by something that is taken is taken too.
    let mut more = true;
    while more {
        more = false;
        for k in 0..parts.len() {
            let Some(name) = parts[k].name.filter(|_| !taken[k]) else { continue };
            let used =
                parts.iter().zip(&taken).any(|(part, taken)| *taken && part.text.contains(name));
            taken[k] = used;
            more |= used;
        }
    }
    let text = parts.iter().zip(&taken).filter(|(part, taken)| **taken || part.name.is_none());
    Some(text.map(|(part, _)| part.text).collect())
}

/// The parts of the text, which is looked through once.
fn parts() -> &'static [Part] {
    static PARTS: LazyLock<Vec<Part>> = LazyLock::new(split);
    &PARTS
}

/// Lines outside functions by themselves, functions up to the brace that closes them.
fn split() -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest: &'static str = &TEXT;
    while !rest.is_empty() {
        let name = named(rest);
        let end = match name {
            // A declaration ends with a semicolon before any brace opens.
            Some(_) => match (rest.find(";\n"), rest.find("\n{\n")) {
                (Some(declared), Some(opened)) if declared < opened => declared + 2,
                _ => rest.find("\n}\n").map_or(rest.len(), |at| at + 3),
            },
            None => rest.find('\n').map_or(rest.len(), |at| at + 1),
        };
        let (text, later) = rest.split_at(end);
        parts.push(Part { name, text });
        rest = later;
    }
    parts
}

/// The name of the entry, function or number that a text begins with.
fn named(text: &'static str) -> Option<&'static str> {
    let line = text.lines().next()?;
    if line.starts_with(ENTRY) || line.starts_with(".func") {
        let line = line.trim_end_matches('(').trim_end();
        return line.rsplit([' ', ')']).next().filter(|name| !name.is_empty());
    }
    let number = line.strip_prefix(".global ")?;
    number.split('[').next()?.rsplit(' ').next()
}
