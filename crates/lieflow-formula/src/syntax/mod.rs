//! Text to tree.
//!
//! Chains of the same strength (`a + b - c`, `a*b/c`) are one node with a list and not a tower of
//! pairs: what is deep in the tree is then only what is deep in brackets, which is bounded, and a
//! sum of a hundred thousand terms needs no more stack than one of two.
mod lexer;
mod parser;

pub use lexer::short;
pub use parser::{DEEPEST, parse};

use std::ops::Range;

/// Bytes of a text, from and to.
pub type Span = Range<usize>;

/// A part of a formula and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its bytes, with the brackets around it.
    pub span: Span,
    /// What it is.
    pub expr: Expr,
}

/// What a part of a formula says.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Number(f64),
    /// A name.
    Name(String),
    /// `[a, b, c]`.
    List(Vec<Node>),
    /// `f(a, b)`, with the place of `f`.
    Call(String, Span, Vec<Node>),
    /// `a[i]` or `a[i, j]`.
    Index(Box<Node>, Vec<Node>),
    /// `a.name`.
    Field(Box<Node>, String, Span),
    /// `a'`.
    Transpose(Box<Node>),
    /// `-a`.
    Negate(Box<Node>),
    /// `a + b - c`: the first term, then each with whether it is subtracted.
    Sum(Box<Node>, Vec<(bool, Node)>),
    /// `a*b/c`: the first factor, then each with its sign.
    Product(Box<Node>, Vec<(Times, Node)>),
    /// `a^b`.
    Power(Box<Node>, Box<Node>),
    /// `a < b`; `a > b` is the same with the two exchanged.
    Less(Box<Node>, Box<Node>),
}

/// The signs between factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// `*`.
    Star,
    /// `/`.
    Over,
    /// `·`, of vectors the inner product.
    Dot,
    /// `×`, of vectors the outer product.
    Cross,
}
