//! Sums over indices, derivatives and choices.
use super::Reading;
use crate::error::{Error, Fault};
use crate::graph::{Id, Op};
use crate::names::check_word;
use crate::sheet::Sheet;
use crate::syntax::{Expr, Node};
use crate::value::Value;

/// The longest sum.
const LONGEST: i64 = 1_000_000;

impl Sheet {
    /// `sum(i, first, last, …)`, written out.
    pub(super) fn unroll(
        &mut self,
        at: &mut Reading,
        name: &str,
        x: &[Node],
    ) -> Result<Value, Error> {
        let index = self.index_name(at, &x[0], name)?;
        let (first, last) = (self.whole(at, &x[1], None)?, self.whole(at, &x[2], None)?);
        if last - first >= LONGEST {
            let message = format!("a {name} has at most {LONGEST} terms");
            let error = at.error(Fault::Size, &(x[1].span.start..x[2].span.end), message);
            return Err(error.found((last - first + 1).to_string()));
        }
        let body = &x[3];
        let mut total = match name {
            "sum" => Value::Zero,
            _ => Value::Number(self.graph.number(1.0)),
        };
        at.indices.push((index, first));
        for k in first..=last {
            if let Some((_, index)) = at.indices.last_mut() {
                *index = k;
            }
            let term = self.value(at, body)?;
            let next = match (name, &total, &term) {
                ("sum", ..) => total.add(&term, &mut self.graph),
                (_, Value::Number(a), Value::Number(b)) => {
                    Some(Value::Number(self.graph.mul(*a, *b)))
                }
                _ => return Err(at.kind(body, name, "a number", &term)),
            };
            // The kind of a term can only change with the kinds in a list, which are all the same.
            total = next.ok_or_else(|| at.kind(body, name, &total.kind().to_string(), &term))?;
        }
        at.indices.pop();
        Ok(total)
    }

    fn index_name(&self, at: &Reading, node: &Node, who: &str) -> Result<String, Error> {
        let Expr::Name(name) = &node.expr else {
            let message = format!("{who} needs the name of its index first, as {who}(i, 1, 3, …)");
            return Err(at.error(Fault::Syntax, &node.span, message).expected("a name"));
        };
        let shadow = |message: String| {
            let error = at.error(Fault::Shadow, &node.span, message);
            Err(error.found(name.as_str()).expected("a name that means nothing else"))
        };
        if check_word(&at.source, name).is_err() {
            return shadow(format!(
                "'{name}' has a meaning already; choose another name for the index"
            ));
        }
        if self.values.contains_key(name) || self.names.role(name).is_some() {
            return shadow(format!(
                "'{name}' is already a name here; choose another for the index"
            ));
        }
        if at.indices.iter().any(|(index, _)| index == name) {
            return shadow(format!("'{name}' is already the index of a sum around this one"));
        }
        Ok(name.clone())
    }

    /// `grad(f, x)`: the derivatives of a number by a part of the state or by parameters, arranged
    /// like them.
    pub(super) fn grad(&mut self, at: &mut Reading, x: &[Node]) -> Result<Value, Error> {
        let of = self.number(at, &x[0], "grad")?;
        let by = self.value(at, &x[1])?;
        let ids = by.ids();
        let free = |id: &Id| matches!(self.graph.op(*id), Op::Input(_) | Op::Param(_));
        if ids.is_empty() || !ids.iter().all(free) {
            let shown = &at.source.text()[x[1].span.clone()];
            let message = format!(
                "grad differentiates by a name of the state or a parameter, and '{}' is neither",
                crate::syntax::short(shown)
            );
            let error = at.error(Fault::Derivative, &x[1].span, message);
            return Err(error.found(shown).expected("a name of the state or a parameter"));
        }
        Ok(self.gradient_nodes(of, &by))
    }

    /// `ddt(f)`: the derivative by the time where it stands in the formula.
    pub(super) fn ddt(&mut self, at: &mut Reading, node: &Node) -> Result<Value, Error> {
        let value = self.value(at, node)?;
        let Some(Value::Number(t)) = self.values.get("t").cloned() else {
            let message = "ddt differentiates by t, and there is no t here";
            return Err(at.error(Fault::Derivative, &node.span, message).expected("the time t"));
        };
        let one = self.graph.number(1.0);
        let ids = value.ids();
        let mut slopes = self.graph.along(&ids, &[(t, one)]).into_iter();
        let zero = self.graph.number(0.0);
        Ok(value.map(&mut |_| slopes.next().unwrap_or(zero)))
    }

    /// `if(a < b, c, d)`.
    pub(super) fn choose(
        &mut self,
        at: &mut Reading,
        x: &[Node],
        node: &Node,
    ) -> Result<Value, Error> {
        let Expr::Less(a, b) = &x[0].expr else {
            let message = "if needs a comparison first, such as x < 1";
            let error = at.error(Fault::Kind, &x[0].span, message);
            return Err(error.found("a value").expected("a comparison"));
        };
        let (a, b) = (self.number(at, a, "a comparison")?, self.number(at, b, "a comparison")?);
        let (c, d) = (self.value(at, &x[1])?, self.value(at, &x[2])?);
        let zero = self.graph.number(0.0);
        let (c, d) = match (c, d) {
            (Value::Zero, d) => (d.map(&mut |_| zero), d),
            (c, Value::Zero) => (c.clone(), c.map(&mut |_| zero)),
            both => both,
        };
        c.zip(&d, &mut |c, d| self.graph.select(a, b, c, d)).ok_or_else(|| {
            let (c, d) = (c.kind(), d.kind());
            let message = format!("the two values of if differ: {c} and {d}");
            let error = at.error(Fault::Kind, &(x[1].span.start..node.span.end - 1), message);
            error.found(d.to_string()).expected(c.to_string())
        })
    }
}
