//! Which systems a problem file may name.
use super::{SYSTEMS, SystemEntry};

/// A list of systems: the built-in ones, and those of a user.
#[derive(Clone, Debug)]
pub struct Registry {
    entries: Vec<&'static SystemEntry>,
}

impl Default for Registry {
    /// The built-in systems.
    fn default() -> Self {
        Self { entries: SYSTEMS.iter().collect() }
    }
}

impl Registry {
    /// These systems too; one with a name that is there already takes its place.
    pub fn with(mut self, systems: &'static [SystemEntry]) -> Self {
        for system in systems {
            self.entries.retain(|entry| entry.id != system.id);
            self.entries.push(system);
        }
        self
    }

    /// The system of a name.
    pub fn find(&self, id: &str) -> Option<&'static SystemEntry> {
        self.iter().find(|entry| entry.id == id)
    }

    /// All systems, in the order of the list.
    pub fn iter(&self) -> impl Iterator<Item = &'static SystemEntry> {
        self.entries.iter().copied()
    }
}
