//! The names that formulas may use.
use crate::elaborate::{CONSTANTS, FUNCTIONS};
use crate::error::{Error, Fault, Source};
use crate::kind::Kind;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// A part of the state.
    State(Kind),
    /// The time.
    Time,
    /// Something that stays the same along a trajectory.
    Parameter(Kind),
    /// A whole number that is known now: how many bodies there are, say.
    Whole(i64),
    /// A definition: its indices, and its text.
    Definition(Vec<String>, Source),
}

/// The names of a problem, with what they stand for. Inputs of programs are the numbers of the state
/// and the time, in the order in which they were named; parameters likewise.
#[derive(Clone, Debug, Default)]
pub struct Names {
    list: Vec<(String, Role)>,
}

impl Names {
    /// No names.
    pub fn new() -> Self {
        Self::default()
    }
    /// A part of the state.
    pub fn state(self, name: &str, kind: Kind) -> Result<Self, Error> {
        self.with(name, Role::State(kind))
    }
    /// The time, `t`.
    pub fn time(self) -> Result<Self, Error> {
        self.with("t", Role::Time)
    }
    /// A parameter.
    pub fn parameter(self, name: &str, kind: Kind) -> Result<Self, Error> {
        self.with(name, Role::Parameter(kind))
    }
    /// A whole number, which may stand in indices and bounds of sums.
    pub fn whole(self, name: &str, value: i64) -> Result<Self, Error> {
        self.with(name, Role::Whole(value))
    }
    /// A definition, `name` or `name[i]`. Definitions may come in any order; `label` is what messages
    /// call the text.
    pub fn define(self, key: &str, label: &str, text: &str) -> Result<Self, Error> {
        let place = Source::new(label, key);
        let wrong = |message: &str| {
            let error = place.error(Fault::Syntax, 0..key.len(), message);
            Err(error.found(key).expected("a name, or a name with indices such as x[i]"))
        };
        let (name, rest) = key.trim().split_once('[').unwrap_or((key.trim(), ""));
        let mut indices = Vec::new();
        if key.contains('[') {
            let Some(inner) = rest.trim_end().strip_suffix(']') else {
                return wrong("a definition with indices is written x[i]");
            };
            for index in inner.split(',') {
                let index = index.trim();
                check_word(&place, index)?;
                if indices.iter().any(|known| known == index) {
                    return wrong("the indices of a definition must differ");
                }
                indices.push(index.to_string());
            }
        }
        self.with(name.trim(), Role::Definition(indices, Source::new(label, text)))
    }
    /// What a name stands for.
    pub fn role(&self, name: &str) -> Option<&Role> {
        self.list.iter().find(|(known, _)| known == name).map(|(_, role)| role)
    }
    /// All names in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Role)> {
        self.list.iter().map(|(name, role)| (name.as_str(), role))
    }

    fn with(mut self, name: &str, role: Role) -> Result<Self, Error> {
        let place = match &role {
            Role::Definition(_, source) => Source::new(source.label(), name),
            _ => Source::new(name, name),
        };
        check_word(&place, name)?;
        self.check_free(&place, name, &role)?;
        self.list.push((name.into(), role));
        Ok(self)
    }

    /// Refuses a name that hides another, whichever of the two came first.
    fn check_free(&self, place: &Source, name: &str, role: &Role) -> Result<(), Error> {
        let shadow = |message: String| {
            let error = place.error(Fault::Shadow, 0..name.len(), message);
            Err(error.found(name).expected("a name that means nothing else"))
        };
        if self.role(name).is_some() {
            return shadow(format!("the name '{name}' is given twice"));
        }
        if name == "t" && *role != Role::Time {
            return shadow("'t' is the time".into());
        }
        if let Some((base, digits)) = component(name)
            && let Some(kind) = self.role(base).and_then(kind_of)
            && fits(kind, digits)
        {
            return shadow(format!("'{name}' is already a component of '{base}'"));
        }
        if let Some(kind) = kind_of(role) {
            for (known, _) in self.iter() {
                if let Some((base, digits)) = component(known)
                    && base == name
                    && fits(kind, digits)
                {
                    return shadow(format!("'{known}' would be a component of '{name}' too"));
                }
            }
        }
        Ok(())
    }
}

fn kind_of(role: &Role) -> Option<&Kind> {
    match role {
        Role::State(kind) | Role::Parameter(kind) => Some(kind),
        _ => None,
    }
}

/// A name with digits at its end, as base and digits: `R33`, `w2`.
pub fn component(name: &str) -> Option<(&str, &str)> {
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &name[base.len()..];
    (!base.is_empty() && (1..=4).contains(&digits.len())).then_some((base, digits))
}

/// Whether these digits name a component of something of this kind.
pub fn fits(kind: &Kind, digits: &str) -> bool {
    let small = digits.bytes().all(|d| (b'1'..=b'3').contains(&d));
    match kind {
        Kind::Vector => digits.len() == 1 && small,
        Kind::Matrix => digits.len() == 2 && small,
        Kind::List(item, count) if **item == Kind::Number => {
            !digits.starts_with('0') && digits.parse().is_ok_and(|k: usize| k <= *count)
        }
        _ => false,
    }
}

/// Refuses what is no name, and names of functions and constants.
pub fn check_word(place: &Source, name: &str) -> Result<(), Error> {
    let whole = 0..place.text().len();
    let mut letters = name.chars();
    let good = letters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && letters.all(|c| c.is_alphabetic() || c == '_' || c.is_ascii_digit());
    if !good || name.len() > 100 {
        let message = "a name is letters, digits and _, and does not begin with a digit";
        return Err(place.error(Fault::Syntax, whole, message).found(name).expected("a name"));
    }
    let reason = if FUNCTIONS.iter().any(|(known, _)| *known == name) {
        format!("'{name}' is a function of formulas")
    } else if CONSTANTS.contains(&name) {
        format!("'{name}' is a constant of formulas")
    } else if name == "e" {
        "'e' could be read as Euler's number, which is exp(1)".into()
    } else {
        return Ok(());
    };
    let message = format!("{reason}; choose another name");
    let error = place.error(Fault::Shadow, whole, message);
    Err(error.found(name).expected("a name that means nothing else"))
}
