//! What can be wrong with what people typed, and what is only suspicious.
use super::shown::{Number, Shown, list_shown};
use super::{Place, suggestion};
use crate::system::SystemError;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Something typed that cannot be used. Every variant says where, what was found and what was
/// expected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// Data that no system can have.
    #[error("{place}: {source}{remedy}")]
    System {
        /// Where.
        place: Place,
        /// What is wrong with them.
        source: SystemError,
        /// What can be done, after a semicolon; may be empty.
        remedy: &'static str,
    },
    /// A log of samples that cannot be used.
    #[error("{place}: {source}")]
    Log {
        /// Where it is named.
        place: Place,
        /// What is wrong with it.
        source: Box<crate::system::rates::LogError>,
    },
    /// A mistake in a formula.
    #[error("{place}: {error}\n{}", error.place.caret())]
    Formula {
        /// Where, inside the formula.
        place: Place,
        /// What is wrong.
        error: Box<lieflow_formula::Error>,
    },
    /// Something declared that is not so.
    #[error("{place}: {message}")]
    Untrue {
        /// Where.
        place: Place,
        /// What was declared, and what was measured.
        message: String,
    },
    /// The text does not follow the format.
    #[error("{place}: {message}")]
    Syntax {
        /// Where.
        place: Place,
        /// What the parser says.
        message: String,
    },
    /// A value of the wrong type or out of range.
    #[error("{place}: found {found}, expected {expected}")]
    Wrong {
        /// Where.
        place: Place,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// A key that must be there is not.
    #[error("{place}: the key '{key}' is missing ({expected}){}", Meant(suggestion))]
    Missing {
        /// The table that lacks it.
        place: Place,
        /// The key.
        key: String,
        /// What it should hold.
        expected: String,
        /// A key that is there and has nearly this name.
        suggestion: Option<Box<str>>,
    },
    /// A key that nothing reads.
    #[error("{place}: unknown key{}; known keys here: {}", DidYouMean(suggestion), Names(known))]
    UnknownKey {
        /// Where.
        place: Place,
        /// A known key of nearly this name.
        suggestion: Option<Box<str>>,
        /// All keys that may stand here.
        known: Vec<String>,
    },
    /// A key that would have no effect beside the others.
    #[error("{place}: the key has no effect here, because {because}")]
    Idle {
        /// Where.
        place: Place,
        /// Why.
        because: &'static str,
    },
    /// A name of a system, method or problem that does not exist.
    #[error(
        "{place}: no {what} is called '{}'{}; there are: {}",
        Shown(found),
        DidYouMean(suggestion),
        Few { what, found, known }
    )]
    UnknownName {
        /// Where.
        place: Place,
        /// What it should have named.
        what: &'static str,
        /// What was typed.
        found: String,
        /// A known one of nearly this name.
        suggestion: Option<Box<str>>,
        /// All of them.
        known: Vec<String>,
    },
    /// Two keys that exclude each other.
    #[error(
        "{place}: '{first}' and '{second}' are both given; expected only one of {}",
        Names(choices)
    )]
    Contradiction {
        /// The table.
        place: Place,
        /// One of them.
        first: String,
        /// The other.
        second: String,
        /// The keys of which one is enough.
        choices: Vec<String>,
    },
    /// A matrix that should be a rotation and is not.
    #[error(
        "{place}: found a matrix with |RᵀR − I| = {error:.3e} and determinant {}, expected a rotation \
         (orthogonal within {tolerance:e}, determinant one); add `project = true` to take the nearest rotation",
        Number(*determinant)
    )]
    NotRotation {
        /// Where.
        place: Place,
        /// The defect.
        error: f64,
        /// The determinant.
        determinant: f64,
        /// The accepted defect.
        tolerance: f64,
    },
    /// A vector or quaternion that should have length one and has not.
    #[error("{place}: found length {}, expected length one within {tolerance:e}; {remedy}", Number(*length))]
    NotUnit {
        /// Where.
        place: Place,
        /// Its length.
        length: f64,
        /// The accepted deviation.
        tolerance: f64,
        /// How to have it scaled.
        remedy: &'static str,
    },
}

impl SpecError {
    /// An unknown name, with the nearest known one.
    pub fn unknown_name<'a>(
        place: Place,
        what: &'static str,
        found: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<&str> = known.into_iter().collect();
        Self::UnknownName {
            place,
            what,
            found: found.into(),
            suggestion: suggestion(found, known.iter().copied()).map(Box::from),
            known: known.into_iter().map(String::from).collect(),
        }
    }
}

struct DidYouMean<'a>(&'a Option<Box<str>>);
impl fmt::Display for DidYouMean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |name| write!(f, " (did you mean '{}'?)", Shown(name)))
    }
}

struct Meant<'a>(&'a Option<Box<str>>);
impl fmt::Display for Meant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |name| write!(f, "; is it meant by '{}'?", Shown(name)))
    }
}

/// Lists longer than this are no help in a message.
const MANY: usize = 24;
/// So many of them are shown.
const FEW: usize = 8;

/// All names, or of very many those in which the typed one is found, and how to see all of them.
struct Few<'a> {
    what: &'a str,
    found: &'a str,
    known: &'a [String],
}
impl fmt::Display for Few<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.known.len() <= MANY {
            return Names(self.known).fmt(f);
        }
        let typed = self.found.to_lowercase();
        let with = |name: &&String| typed.chars().count() > 2 && name.contains(&typed);
        let mut few: Vec<String> = self.known.iter().filter(with).take(FEW).cloned().collect();
        if few.is_empty() {
            few = self.known[..FEW].to_vec();
        }
        write!(f, "{}, … ({} in all", list_shown(&few), self.known.len())?;
        for list in ["problem", "experiment", "method"] {
            if self.what.starts_with(list) {
                write!(f, ": `lieflow list {list}s`")?;
            }
        }
        write!(f, ")")
    }
}

struct Names<'a>(&'a [String]);
impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return write!(f, "none");
        }
        write!(f, "{}", list_shown(self.0))
    }
}

/// Something legal that is probably not what was meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// Where.
    pub place: Place,
    /// What is suspicious.
    pub text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

/// As many warnings are kept.
const MOST_WARNINGS: usize = 100;

/// Collects warnings while a document is read.
#[derive(Debug, Default)]
pub struct Warnings(Mutex<Vec<Warning>>);

impl Clone for Warnings {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.list()))
    }
}

impl Warnings {
    /// The list, also after a panic elsewhere: it is never half changed.
    fn lock(&self) -> MutexGuard<'_, Vec<Warning>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Adds one, unless it is there already.
    pub fn push(&self, place: &Place, text: String) {
        let warning = Warning { place: place.clone(), text };
        let mut list = self.lock();
        // Each is compared with all others, and nobody reads more.
        if list.len() < MOST_WARNINGS && !list.contains(&warning) {
            list.push(warning);
        }
    }
    /// Forgets them.
    pub fn clear(&self) {
        self.lock().clear();
    }
    /// Those collected so far, each once.
    pub fn list(&self) -> Vec<Warning> {
        self.lock().clone()
    }
}
