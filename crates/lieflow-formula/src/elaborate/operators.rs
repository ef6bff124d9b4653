//! Sums, products and powers.
use super::Reading;
use super::geometry::numbers;
use crate::error::{Error, Fault};
use crate::graph::{Id, Op};
use crate::sheet::Sheet;
use crate::syntax::{Expr, Node, Times};
use crate::value::Value;

impl Sheet {
    /// `a + b - c`.
    pub(super) fn sum(
        &mut self,
        at: &mut Reading,
        first: &Node,
        rest: &[(bool, Node)],
    ) -> Result<Value, Error> {
        let mut sum = self.value(at, first)?;
        for (minus, term) in rest {
            let value = self.value(at, term)?;
            let next = match minus {
                true => sum.sub(&value, &mut self.graph),
                false => sum.add(&value, &mut self.graph),
            };
            let Some(next) = next else {
                let (a, b) = (sum.kind(), value.kind());
                let message = match minus {
                    true => format!("cannot subtract {b} from {a}"),
                    false => format!("cannot add {a} and {b}"),
                };
                let error = at.error(Fault::Kind, &(first.span.start..term.span.end), message);
                return Err(error.found(b.to_string()).expected(a.to_string()));
            };
            sum = next;
        }
        Ok(sum)
    }

    /// `a*b/c`.
    pub(super) fn product(
        &mut self,
        at: &mut Reading,
        first: &Node,
        rest: &[(Times, Node)],
    ) -> Result<Value, Error> {
        let mut product = self.value(at, first)?;
        for (times, factor) in rest {
            let value = self.value(at, factor)?;
            let Some(next) = self.times(*times, &product, &value) else {
                let (a, b) = (product.kind(), value.kind());
                let message = why_not(*times, &product, &value);
                let error = at.error(Fault::Kind, &(first.span.start..factor.span.end), message);
                return Err(error
                    .found(format!("{a} and {b}"))
                    .expected("kinds that have a product"));
            };
            product = next;
        }
        Ok(product)
    }

    fn times(&mut self, times: Times, a: &Value, b: &Value) -> Option<Value> {
        use Value::{List, Matrix, Number, Vector, Zero};
        if let (Times::Dot, List(_), List(_)) = (times, a, b) {
            let (a, b) = (numbers(a)?, numbers(b)?);
            return (a.len() == b.len()).then(|| Number(self.inner_of(&a, &b)));
        }
        let graph = &mut self.graph;
        Some(match (times, a, b) {
            (Times::Over, Zero, Number(_)) => Zero,
            (Times::Over, a, Number(s)) => a.map(&mut |x| graph.div(x, *s)),
            (Times::Over, ..) => return None,
            (Times::Cross, Vector(a), Vector(b)) => Vector(graph.cross(*a, *b)),
            (Times::Cross, ..) => return None,
            (Times::Dot, Vector(a), Vector(b)) => Number(graph.dot(*a, *b)),
            (_, Zero, _) | (_, _, Zero) => Zero,
            (_, Number(s), x) | (_, x, Number(s)) => x.map(&mut |x| graph.mul(*s, x)),
            (Times::Star, Matrix(m), Vector(v)) => Vector(graph.apply(*m, *v)),
            (Times::Star, Matrix(a), Matrix(b)) => Matrix(graph.matmul(*a, *b)),
            _ => return None,
        })
    }

    /// `a^b`: whole exponents by squaring, halves by a root, others by `exp(b log a)`.
    pub(super) fn power(
        &mut self,
        at: &mut Reading,
        base: &Node,
        exponent: &Node,
    ) -> Result<Value, Error> {
        let a = match self.value(at, base)? {
            Value::Number(id) => id,
            Value::Zero => self.graph.number(0.0),
            other => {
                let found = other.kind().to_string();
                let meant = match other {
                    Value::Vector(_) => "; its square is dot(a, a)",
                    Value::Matrix(_) => "; a product is A*B, a transposed matrix A'",
                    _ => "",
                };
                let message = format!("a power needs a number, and this is {found}{meant}");
                let error = at.error(Fault::Kind, &base.span, message);
                return Err(error.found(found).expected("a number"));
            }
        };
        let known = literal(at, exponent);
        if let Some(x) = known
            && let Some(id) = self.plain_power(a, x)
        {
            return Ok(Value::Number(id));
        }
        let b = self.number(at, exponent, "an exponent")?;
        let log = self.graph.put(Op::Ln(a));
        let product = self.graph.mul(b, log);
        Ok(Value::Number(self.graph.put(Op::Exp(product))))
    }

    /// A power that needs no logarithm.
    fn plain_power(&mut self, a: Id, x: f64) -> Option<Id> {
        const LARGEST: f64 = 1000.0;
        let twice = 2.0 * x;
        if twice.fract() != 0.0 || twice.abs() > LARGEST {
            return None;
        }
        if x.fract() == 0.0 {
            return Some(self.graph.powi(a, x as i32));
        }
        let root = self.graph.put(Op::Sqrt(a));
        Some(self.graph.powi(root, twice as i32))
    }
}

/// The value of an exponent that is written in numbers and indices.
fn literal(at: &Reading, node: &Node) -> Option<f64> {
    match &node.expr {
        Expr::Number(x) => Some(*x),
        Expr::Name(name) => {
            let index = at.indices.iter().rev().find(|(index, _)| index == name);
            index.map(|(_, k)| *k as f64)
        }
        Expr::Negate(a) => Some(-literal(at, a)?),
        Expr::Sum(first, rest) => {
            let mut sum = literal(at, first)?;
            for (minus, term) in rest {
                let x = literal(at, term)?;
                sum += if *minus { -x } else { x };
            }
            Some(sum)
        }
        Expr::Product(first, rest) => {
            let mut product = literal(at, first)?;
            for (times, factor) in rest {
                let x = literal(at, factor)?;
                product = if *times == Times::Over { product / x } else { product * x };
            }
            Some(product)
        }
        _ => None,
    }
}

/// Why there is no such product, and what may have been meant.
fn why_not(times: Times, a: &Value, b: &Value) -> String {
    use Value::{Matrix, Vector};
    match (times, a, b) {
        (Times::Star, Vector(_), Vector(_)) => {
            "a product of two vectors is dot(a, b) (a number) or cross(a, b) (a vector)".into()
        }
        (Times::Star, Vector(_), Matrix(_)) => {
            "cannot multiply a vector and a matrix in this order; A'*v is the row times the matrix"
                .into()
        }
        (Times::Over, ..) => format!("cannot divide {} by {}", a.kind(), b.kind()),
        (Times::Cross, ..) => {
            format!("× needs two vectors, and these are {} and {}", a.kind(), b.kind())
        }
        (Times::Dot, ..) => {
            format!("· needs two vectors, and these are {} and {}", a.kind(), b.kind())
        }
        _ => format!("cannot multiply {} and {}", a.kind(), b.kind()),
    }
}
