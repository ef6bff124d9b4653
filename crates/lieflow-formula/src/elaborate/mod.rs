//! Trees to values: names are looked up, kinds checked, vectors and sums written out in numbers.
use crate::error::{Error, Fault, Source};
use crate::graph::{Id, Origin};
use crate::sheet::Sheet;
use crate::syntax::{Expr, Node, Span};
use crate::value::Value;

mod calculus;
mod functions;
mod geometry;
mod index;
mod lookup;
mod operators;

pub use functions::FUNCTIONS;

/// The names of constants.
pub const CONSTANTS: &[&str] = &["pi", "e1", "e2", "e3"];

/// How deeply brackets and definitions may stand in each other.
const DEEPEST: usize = 400;

/// The formula that is being read: its text, and the indices that have values.
#[derive(Clone, Debug)]
pub struct Reading {
    pub(crate) source: Source,
    /// The number of the text on the sheet.
    pub(crate) text: u32,
    /// Indices of sums and definitions, the innermost last.
    pub(crate) indices: Vec<(String, i64)>,
}

impl Reading {
    pub(crate) fn error(&self, fault: Fault, span: &Span, message: impl Into<String>) -> Error {
        self.source.error(fault, span.clone(), message)
    }
    /// That something of the wrong kind stands here.
    pub(crate) fn kind(&self, node: &Node, who: &str, wanted: &str, value: &Value) -> Error {
        let found = value.kind().to_string();
        let message = format!("{who} needs {wanted}, and this is {found}");
        self.error(Fault::Kind, &node.span, message).found(found).expected(wanted)
    }
}

impl Sheet {
    /// The value of a part of a formula.
    pub(crate) fn value(&mut self, at: &mut Reading, node: &Node) -> Result<Value, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message =
                format!("more than {DEEPEST} brackets and definitions stand in each other");
            return Err(at.error(Fault::Depth, &node.span, message));
        }
        let here =
            Origin { text: at.text, start: node.span.start as u32, end: node.span.end as u32 };
        let outer = std::mem::replace(&mut self.graph.here, here);
        self.graph.count_work(1);
        let value = self.expression(at, node);
        self.graph.here = outer;
        self.depth -= 1;
        if self.graph.is_full() {
            let message = "the formula unrolls to too many operations";
            return Err(at.error(Fault::Size, &node.span, message).expected("at most a million"));
        }
        value
    }

    fn expression(&mut self, at: &mut Reading, node: &Node) -> Result<Value, Error> {
        match &node.expr {
            Expr::Number(x) => Ok(Value::Number(self.graph.number(*x))),
            Expr::Name(name) => self.lookup(at, name, &node.span),
            Expr::List(items) => self.brackets(at, items, node),
            Expr::Call(name, place, arguments) => self.call(at, name, place, arguments, node),
            Expr::Index(base, indices) => self.indexed(at, base, indices, node),
            Expr::Field(base, name, place) => self.field(at, base, name, place),
            Expr::Transpose(a) => self.transpose(at, a, "transposing (')"),
            Expr::Negate(a) => {
                let value = self.value(at, a)?;
                Ok(value.map(&mut |x| self.graph.neg(x)))
            }
            Expr::Sum(first, rest) => self.sum(at, first, rest),
            Expr::Product(first, rest) => self.product(at, first, rest),
            Expr::Power(base, exponent) => self.power(at, base, exponent),
            Expr::Less(..) => {
                let message = "a comparison stands only as the first argument of if";
                let error = at.error(Fault::Kind, &node.span, message);
                Err(error.found("a comparison").expected("a value"))
            }
        }
    }

    /// A number, wanted by `who`.
    pub(crate) fn number(&mut self, at: &mut Reading, node: &Node, who: &str) -> Result<Id, Error> {
        match self.value(at, node)? {
            Value::Number(id) => Ok(id),
            Value::Zero => Ok(self.graph.number(0.0)),
            other => Err(at.kind(node, who, "a number", &other)),
        }
    }
    /// A vector, wanted by `who`.
    fn vector(&mut self, at: &mut Reading, node: &Node, who: &str) -> Result<[Id; 3], Error> {
        match self.value(at, node)? {
            Value::Vector(v) => Ok(v),
            Value::Zero => Ok([self.graph.number(0.0); 3]),
            other => Err(at.kind(node, who, "a vector", &other)),
        }
    }
    /// A matrix, wanted by `who`.
    fn matrix(&mut self, at: &mut Reading, node: &Node, who: &str) -> Result<[[Id; 3]; 3], Error> {
        match self.value(at, node)? {
            Value::Matrix(m) => Ok(m),
            Value::Zero => Ok([[self.graph.number(0.0); 3]; 3]),
            other => Err(at.kind(node, who, "a matrix", &other)),
        }
    }

    /// Three numbers are a vector, three vectors the rows of a matrix, anything else of one kind a
    /// list.
    fn brackets(&mut self, at: &mut Reading, items: &[Node], node: &Node) -> Result<Value, Error> {
        let mut list = Vec::new();
        for item in items {
            let value = match self.value(at, item)? {
                Value::Zero => Value::Number(self.graph.number(0.0)),
                value => value,
            };
            if let Some(first) = list.first().map(Value::kind)
                && first != value.kind()
            {
                let found = value.kind().to_string();
                let message = format!("the components differ: {first} and {found}");
                let error = at.error(Fault::Kind, &item.span, message);
                return Err(error.found(found).expected(first.to_string()));
            }
            list.push(value);
        }
        match list.as_slice() {
            [] => {
                let error = at.error(Fault::Arguments, &node.span, "the brackets are empty");
                Err(error.found("nothing").expected("three components"))
            }
            [Value::Number(a), Value::Number(b), Value::Number(c)] => {
                Ok(Value::Vector([*a, *b, *c]))
            }
            [Value::Vector(a), Value::Vector(b), Value::Vector(c)] => {
                Ok(Value::Matrix([*a, *b, *c]))
            }
            _ => Ok(Value::List(list.into())),
        }
    }
}
