//! What a name stands for.
use super::{CONSTANTS, Reading};
use crate::error::{Error, Fault};
use crate::kind::Kind;
use crate::names::{Role, component, fits};
use crate::sheet::Sheet;
use crate::suggestion::suggestion;
use crate::syntax::{Node, Span};
use crate::value::Value;

/// How many known names a message lists.
const LISTED: usize = 16;

impl Sheet {
    /// The value of a name: an index, a name of the sheet, a constant, or a component.
    pub(super) fn lookup(
        &mut self,
        at: &mut Reading,
        name: &str,
        span: &Span,
    ) -> Result<Value, Error> {
        if let Some((_, k)) = at.indices.iter().rev().find(|(index, _)| index == name) {
            return Ok(Value::Number(self.graph.number(*k as f64)));
        }
        if let Some(value) = self.values.get(name) {
            return Ok(value.clone());
        }
        if let Some(Role::Definition(indices, _)) = self.names.role(name) {
            if indices.is_empty() {
                return self.defined(at, name, &[], span);
            }
            let message =
                format!("'{name}' is defined with indices, as {name}[{}]", indices.join(", "));
            return Err(at.error(Fault::Index, span, message).found(name));
        }
        match name {
            "pi" => return Ok(Value::Number(self.graph.number(std::f64::consts::PI))),
            "e1" => return Ok(Value::Vector(self.graph.unit(0))),
            "e2" => return Ok(Value::Vector(self.graph.unit(1))),
            "e3" => return Ok(Value::Vector(self.graph.unit(2))),
            _ => {}
        }
        if let Some(value) = self.by_digits(at, name, span)? {
            return Ok(value);
        }
        Err(self.unknown(at, name, span))
    }

    /// `R33` is `R[3, 3]`, `w2` is `w[2]`.
    fn by_digits(
        &mut self,
        at: &mut Reading,
        name: &str,
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        let Some((base, digits)) = component(name) else { return Ok(None) };
        let is_definition =
            matches!(self.names.role(base), Some(Role::Definition(i, _)) if i.is_empty());
        if !self.values.contains_key(base) && !is_definition {
            return Ok(None);
        }
        let value = self.lookup(at, base, span)?;
        if !fits(&value.kind(), digits) {
            return Ok(None);
        }
        let digit = |k: usize| usize::from(digits.as_bytes()[k] - b'1');
        Ok(match &value {
            Value::Vector(v) => Some(Value::Number(v[digit(0)])),
            Value::Matrix(m) => Some(Value::Number(m[digit(0)][digit(1)])),
            Value::List(list) => {
                let k: usize = digits.parse().unwrap_or(0);
                k.checked_sub(1).and_then(|k| list.get(k)).cloned()
            }
            _ => None,
        })
    }

    fn unknown(&self, at: &Reading, name: &str, span: &Span) -> Error {
        let mut known: Vec<&str> = at.indices.iter().map(|(index, _)| index.as_str()).collect();
        known.extend(self.names.iter().map(|(known, _)| known));
        known.extend(
            self.values.keys().map(String::as_str).filter(|k| self.names.role(k).is_none()),
        );
        let meant = suggestion(name, known.iter().copied().chain(CONSTANTS.iter().copied()));
        let mut message = format!("unknown name '{}'", crate::syntax::short(name));
        if super::FUNCTIONS.iter().any(|(function, _)| *function == name) {
            message = format!("'{name}' is a function, and needs its arguments in brackets");
            return at.error(Fault::UnknownName, span, message).found(name).expected("a name");
        }
        if let Some((base, _)) = component(name)
            && let Some(kind) = self.values.get(base).map(Value::kind)
            && matches!(kind, Kind::Vector | Kind::Matrix)
        {
            let message = format!("'{name}' is no component of '{base}', which is {kind}");
            let error = at.error(Fault::UnknownName, span, message).found(name);
            return error.expected(if kind == Kind::Vector { "1 to 3" } else { "11 to 33" });
        }
        let more = if known.len() > LISTED { ", …" } else { "" };
        known.truncate(LISTED);
        let expected = match known.is_empty() {
            true => "a number or a constant".into(),
            false => format!("one of {}{more}", known.join(", ")),
        };
        if meant.is_none() && !known.is_empty() {
            message.push_str(&format!(" (known: {}{more})", known.join(", ")));
        }
        at.error(Fault::UnknownName, span, message).found(name).expected(expected).suggestion(meant)
    }

    /// The value of a definition, worked out when it is first used.
    pub(super) fn defined(
        &mut self,
        at: &Reading,
        name: &str,
        values: &[i64],
        span: &Span,
    ) -> Result<Value, Error> {
        let key = (name.to_string(), values.to_vec());
        if let Some(value) = self.known.get(&key) {
            return Ok(value.clone());
        }
        let Some(Role::Definition(indices, source)) = self.names.role(name).cloned() else {
            return Err(self.unknown(at, name, span));
        };
        if let Some(k) = self.open.iter().position(|open| open == name) {
            let mut circle = self.open[k..].join(" → ");
            circle.push_str(&format!(" → {name}"));
            let message = format!("the definition of '{name}' needs itself ({circle})");
            return Err(at.error(Fault::Circle, span, message).found(circle));
        }
        let tree = self.tree(&source)?;
        let text = self.text(&source);
        let indices = indices.into_iter().zip(values.iter().copied()).collect();
        let mut inner = Reading { source, text, indices };
        self.open.push(name.into());
        let value = self.value(&mut inner, &tree);
        self.open.pop();
        let value = value?;
        self.known.insert(key, value.clone());
        Ok(value)
    }

    /// `X.R`.
    pub(super) fn field(
        &mut self,
        at: &mut Reading,
        base: &Node,
        name: &str,
        span: &Span,
    ) -> Result<Value, Error> {
        let value = self.value(at, base)?;
        let Value::Record(fields) = &value else {
            let found = value.kind().to_string();
            let message = format!("{found} has no part '{name}'");
            return Err(at.error(Fault::Kind, span, message).found(found).expected("a record"));
        };
        if let Some((_, value)) = fields.iter().find(|(known, _)| known == name) {
            return Ok(value.clone());
        }
        let names: Vec<&str> = fields.iter().map(|(known, _)| known.as_str()).collect();
        let message = format!("there is no part '{name}', only {}", names.join(", "));
        let error = at.error(Fault::UnknownName, span, message).found(name);
        Err(error
            .expected(format!("one of {}", names.join(", ")))
            .suggestion(suggestion(name, names)))
    }
}
