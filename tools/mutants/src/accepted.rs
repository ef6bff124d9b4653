//! Mutants that no test can notice, each with the reason.
use crate::plant::read;
use std::collections::BTreeMap;
use std::path::Path;

/// The list of `accepted.txt`: a mutant by its name, and below it, indented, why it is equivalent.
pub struct Accepted(BTreeMap<String, String>);

impl Accepted {
    /// Reads the list. A mutant without a reason is refused.
    pub fn read(path: &Path) -> Result<Self, String> {
        let mut list: BTreeMap<String, String> = BTreeMap::new();
        let mut last = None;
        for line in
            read(path)?.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        {
            match (line.strip_prefix(' '), &last) {
                (Some(reason), Some(name)) => {
                    let reasons = list.entry(String::clone(name)).or_default();
                    *reasons += reason.trim();
                }
                (Some(_), None) => return Err(format!("a reason for no mutant: {line}")),
                (None, _) => {
                    list.insert(line.to_string(), String::new());
                    last = Some(line.to_string());
                }
            }
        }
        match list.iter().find(|(_, reason)| reason.is_empty()) {
            Some((name, _)) => Err(format!("no reason is given for {name}")),
            None => Ok(Self(list)),
        }
    }

    /// Whether a mutant is in the list.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Those that are none of these mutants.
    pub fn unused(&self, names: &[String]) -> Vec<&String> {
        self.0.keys().filter(|name| !names.contains(name)).collect()
    }
}
