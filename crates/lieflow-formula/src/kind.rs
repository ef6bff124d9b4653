//! What a value is: a number, a vector, a matrix, or several of them.
use std::fmt;

/// The kinds of values. None is ever turned into another without being asked to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One number.
    Number,
    /// Three numbers.
    Vector,
    /// Three rows of three numbers.
    Matrix,
    /// So many of a kind. A point of `R^n` is a list of `n` numbers, unless `n` is one or three.
    List(Box<Kind>, usize),
    /// Several values with names, read as `X.R`.
    Record(Vec<(String, Kind)>),
}

impl Kind {
    /// So many of this kind.
    pub fn list(self, count: usize) -> Self {
        Self::List(Box::new(self), count)
    }
    /// A point of `R^n`: a number, a vector, or a list.
    pub fn coordinates(n: usize) -> Self {
        match n {
            1 => Self::Number,
            3 => Self::Vector,
            n => Self::Number.list(n),
        }
    }
    /// How many numbers it has.
    pub fn size(&self) -> usize {
        match self {
            Self::Number => 1,
            Self::Vector => 3,
            Self::Matrix => 9,
            Self::List(kind, count) => kind.size().saturating_mul(*count),
            Self::Record(fields) => fields.iter().map(|(_, kind)| kind.size()).sum(),
        }
    }
    fn plural(&self) -> &'static str {
        match self {
            Self::Number => "numbers",
            Self::Vector => "vectors",
            Self::Matrix => "matrices",
            Self::List(..) => "lists",
            Self::Record(_) => "records",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number => f.write_str("a number"),
            Self::Vector => f.write_str("a vector"),
            Self::Matrix => f.write_str("a matrix"),
            Self::List(_, 0) => f.write_str("an empty list"),
            Self::List(kind, count) => write!(f, "a list of {count} {}", kind.plural()),
            Self::Record(fields) => {
                let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
                write!(f, "a record of {}", names.join(", "))
            }
        }
    }
}
