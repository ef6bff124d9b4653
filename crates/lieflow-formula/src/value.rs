//! Values of formulas: nodes of the graph, arranged by kind.
use crate::graph::{Graph, Id};
use crate::kind::Kind;
use std::sync::Arc;

/// A value of a formula on a [`Sheet`](crate::Sheet), to be used on that sheet only.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The sum of nothing: zero of whatever kind is needed.
    Zero,
    /// A number.
    Number(Id),
    /// A vector.
    Vector([Id; 3]),
    /// A matrix, by rows.
    Matrix([[Id; 3]; 3]),
    /// Several values of one kind.
    List(Arc<[Value]>),
    /// Several values with names.
    Record(Arc<[(String, Value)]>),
}

impl Value {
    /// The kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Zero | Self::Number(_) => Kind::Number,
            Self::Vector(_) => Kind::Vector,
            Self::Matrix(_) => Kind::Matrix,
            Self::List(list) => list.first().map_or(Kind::Number, Self::kind).list(list.len()),
            Self::Record(fields) => Kind::Record(
                fields.iter().map(|(name, value)| (name.clone(), value.kind())).collect(),
            ),
        }
    }
    /// A value of this kind, whose numbers come from `next` one after the other.
    pub fn build(kind: &Kind, next: &mut dyn FnMut() -> Id) -> Self {
        match kind {
            Kind::Number => Self::Number(next()),
            Kind::Vector => Self::Vector([next(), next(), next()]),
            Kind::Matrix => Self::Matrix([0; 3].map(|_| [0; 3].map(|_| next()))),
            Kind::List(kind, count) => {
                Self::List((0..*count).map(|_| Self::build(kind, next)).collect())
            }
            Kind::Record(fields) => {
                let field = |(name, kind): &(String, Kind)| (name.clone(), Self::build(kind, next));
                Self::Record(fields.iter().map(field).collect())
            }
        }
    }
    /// All its nodes in order.
    pub fn ids(&self) -> Vec<Id> {
        let mut list = Vec::new();
        self.collect(&mut list);
        list
    }
    fn collect(&self, out: &mut Vec<Id>) {
        match self {
            Self::Zero => {}
            Self::Number(id) => out.push(*id),
            Self::Vector(v) => out.extend(v),
            Self::Matrix(m) => out.extend(m.iter().flatten()),
            Self::List(list) => list.iter().for_each(|value| value.collect(out)),
            Self::Record(fields) => fields.iter().for_each(|(_, value)| value.collect(out)),
        }
    }
    /// The value with `f` applied to each number.
    pub fn map(&self, f: &mut dyn FnMut(Id) -> Id) -> Self {
        match self {
            Self::Zero => Self::Zero,
            Self::Number(id) => Self::Number(f(*id)),
            Self::Vector(v) => Self::Vector(v.map(&mut *f)),
            Self::Matrix(m) => Self::Matrix(m.map(|row| row.map(&mut *f))),
            Self::List(list) => Self::List(list.iter().map(|value| value.map(f)).collect()),
            Self::Record(fields) => Self::Record(
                fields.iter().map(|(name, value)| (name.clone(), value.map(f))).collect(),
            ),
        }
    }
    /// The value of `f` for each two numbers in the same place; nothing if the kinds differ.
    pub fn zip(&self, other: &Self, f: &mut dyn FnMut(Id, Id) -> Id) -> Option<Self> {
        Some(match (self, other) {
            (Self::Number(a), Self::Number(b)) => Self::Number(f(*a, *b)),
            (Self::Vector(a), Self::Vector(b)) => Self::Vector([0, 1, 2].map(|i| f(a[i], b[i]))),
            (Self::Matrix(a), Self::Matrix(b)) => {
                Self::Matrix([0, 1, 2].map(|i| [0, 1, 2].map(|j| f(a[i][j], b[i][j]))))
            }
            (Self::List(a), Self::List(b)) if a.len() == b.len() => {
                let pairs = a.iter().zip(b.iter());
                Self::List(pairs.map(|(a, b)| a.zip(b, f)).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }
    /// `self + other`; the sum of nothing fits all kinds.
    pub fn add(&self, other: &Self, graph: &mut Graph) -> Option<Self> {
        match (self, other) {
            (Self::Zero, x) | (x, Self::Zero) => Some(x.clone()),
            _ => self.zip(other, &mut |a, b| graph.add(a, b)),
        }
    }
    /// `self - other`.
    pub fn sub(&self, other: &Self, graph: &mut Graph) -> Option<Self> {
        match (self, other) {
            (x, Self::Zero) => Some(x.clone()),
            (Self::Zero, x) => Some(x.map(&mut |a| graph.neg(a))),
            _ => self.zip(other, &mut |a, b| graph.sub(a, b)),
        }
    }
}
