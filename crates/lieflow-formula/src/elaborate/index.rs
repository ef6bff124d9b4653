//! Indices: whole numbers that are known while the formula is read. They count from one.
use super::Reading;
use crate::error::{Error, Fault};
use crate::names::Role;
use crate::sheet::Sheet;
use crate::suggestion::suggestion;
use crate::syntax::{Expr, Node, Times};
use crate::value::Value;

/// Larger whole numbers are not counted with.
const LARGEST: i64 = 1 << 40;

impl Sheet {
    /// `a[i]`, `a[i, j]`: lists take an index each, vectors one, matrices two, or one for a row.
    pub(super) fn indexed(
        &mut self,
        at: &mut Reading,
        base: &Node,
        indices: &[Node],
        node: &Node,
    ) -> Result<Value, Error> {
        if let Expr::Name(name) = &base.expr
            && !self.values.contains_key(name)
            && let Some(Role::Definition(wanted, _)) = self.names.role(name).cloned()
            && !wanted.is_empty()
        {
            if indices.len() != wanted.len() {
                let message =
                    format!("'{name}' is defined with indices, as {name}[{}]", wanted.join(", "));
                let error = at.error(Fault::Index, &node.span, message);
                return Err(error.found(format!("{} indices", indices.len())));
            }
            let mut values = Vec::new();
            for index in indices {
                values.push(self.whole(at, index, None)?);
            }
            return self.defined(at, name, &values, &node.span);
        }
        let mut value = self.value(at, base)?;
        let mut rest = indices;
        if rest.is_empty() {
            return Err(at
                .error(Fault::Index, &node.span, "the index is missing")
                .expected("an index"));
        }
        while let Some((first, others)) = rest.split_first() {
            value = match (&value, others) {
                (Value::List(list), _) => list[self.position(at, first, list.len(), true)?].clone(),
                (Value::Vector(v), _) => Value::Number(v[self.position(at, first, 3, false)?]),
                (Value::Matrix(m), _) => Value::Vector(m[self.position(at, first, 3, false)?]),
                (other, _) => {
                    let found = other.kind().to_string();
                    let message = format!("{found} has no components");
                    let error = at.error(Fault::Index, &first.span, message).found(found);
                    return Err(error.expected("a vector, a matrix or a list"));
                }
            };
            rest = others;
        }
        Ok(value)
    }

    /// A place in a list, from zero.
    fn position(
        &self,
        at: &Reading,
        node: &Node,
        length: usize,
        list: bool,
    ) -> Result<usize, Error> {
        let k = self.whole(at, node, Some(length))?;
        if (1..=length as i64).contains(&k) {
            return Ok(k as usize - 1);
        }
        let round = if list { "; cyc(i) goes round" } else { "" };
        let message = format!("the index {k} is not between 1 and {length}{round}");
        let error = at.error(Fault::Index, &node.span, message);
        Err(error.found(k.to_string()).expected(format!("1 to {length}")))
    }

    /// A whole number from literals, indices, `+ - *`, and `cyc` where there is a length.
    pub(super) fn whole(
        &self,
        at: &Reading,
        node: &Node,
        length: Option<usize>,
    ) -> Result<i64, Error> {
        let wrong = |message: String, found: String| {
            let error = at.error(Fault::Index, &node.span, message);
            Err(error.found(found).expected("a whole number"))
        };
        let result = match &node.expr {
            Expr::Number(x) => {
                if x.fract() != 0.0 || x.abs() > LARGEST as f64 {
                    return wrong(
                        format!("an index is a whole number, and this is {x}"),
                        x.to_string(),
                    );
                }
                Some(*x as i64)
            }
            Expr::Name(name) => {
                let index = at.indices.iter().rev().find(|(index, _)| index == name);
                match (index, self.names.role(name)) {
                    (Some((_, k)), _) | (None, Some(Role::Whole(k))) => Some(*k),
                    (None, Some(_)) => {
                        let message = format!(
                            "an index is a whole number that is known now, and '{name}' is not"
                        );
                        return wrong(message, name.clone());
                    }
                    (None, None) => {
                        let known = at.indices.iter().map(|(index, _)| index.as_str());
                        let meant = suggestion(name, known);
                        let message = format!("unknown index '{name}'");
                        let error = at.error(Fault::UnknownName, &node.span, message);
                        return Err(error
                            .found(name.as_str())
                            .expected("an index")
                            .suggestion(meant));
                    }
                }
            }
            Expr::Negate(a) => self.whole(at, a, length)?.checked_neg(),
            Expr::Sum(first, rest) => {
                let mut sum = Some(self.whole(at, first, length)?);
                for (minus, term) in rest {
                    let k = self.whole(at, term, length)?;
                    sum =
                        sum.and_then(|s| if *minus { s.checked_sub(k) } else { s.checked_add(k) });
                }
                sum
            }
            Expr::Product(first, rest) if rest.iter().all(|(times, _)| *times == Times::Star) => {
                let mut product = Some(self.whole(at, first, length)?);
                for (_, factor) in rest {
                    let k = self.whole(at, factor, length)?;
                    product = product.and_then(|p| p.checked_mul(k));
                }
                product
            }
            Expr::Call(name, _, arguments) if name == "cyc" => {
                let ([inner], Some(length)) = (arguments.as_slice(), length) else {
                    return wrong(
                        "cyc(i) stands inside the index of a list, with one argument".into(),
                        name.clone(),
                    );
                };
                if length == 0 {
                    return wrong("the list is empty".into(), "an empty list".into());
                }
                let k = self.whole(at, inner, Some(length))?;
                Some((k - 1).rem_euclid(length as i64) + 1)
            }
            _ => {
                let message = "an index is made of whole numbers and indices, with + - * and cyc";
                return wrong(message.into(), at.source.text()[node.span.clone()].into());
            }
        };
        match result {
            Some(k) if k.abs() <= LARGEST => Ok(k),
            _ => wrong("the index is too large".into(), "a huge number".into()),
        }
    }
}
