//! Named measurements, and formulas over them.
//!
//! A study names what it measures by a path, such as `drift/liemid-ea/0.125/energy/slope`. A claim
//! refers to it in brackets and may calculate: `[a] / [b]`, `abs([a])`, `max([a], [b])`,
//! `log10([a])`, with `+ - * /` and parentheses. `[pattern*]` inside `max`, `min` or `sum` stands
//! for all measurements whose names fit.
use std::collections::BTreeMap;

/// What was measured, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured(pub BTreeMap<String, f64>);

/// Why a formula has no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FormulaError {
    /// Nothing of this name was measured.
    #[error("nothing called '{name}' was measured; near it: {}", near.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// Names that begin alike.
        near: Vec<String>,
    },
    /// Not a formula.
    #[error("'{formula}' is not a formula: expected {expected} at character {at}")]
    Syntax {
        /// The formula.
        formula: String,
        /// What should stand there.
        expected: &'static str,
        /// Where, counted from one.
        at: usize,
    },
}

impl Measured {
    /// Adds a measurement.
    pub fn put(&mut self, name: impl Into<String>, value: f64) {
        self.0.insert(name.into(), value);
    }

    /// The value of a formula.
    pub fn evaluate(&self, formula: &str) -> Result<f64, FormulaError> {
        let mut parser = Parser { measured: self, formula, at: 0 };
        let value = parser.sum()?;
        parser.skip_space();
        if parser.at < formula.len() { Err(parser.expected("the end")) } else { Ok(value) }
    }

    fn all(&self, pattern: &str) -> Vec<f64> {
        let parts: Vec<&str> = pattern.split('*').collect();
        let fits = |name: &str| {
            let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
            if !name.starts_with(first) || !name.ends_with(last) {
                return false;
            }
            let mut rest = &name[first.len()..];
            for part in &parts[1..] {
                match rest.find(part) {
                    Some(at) => rest = &rest[at + part.len()..],
                    None => return false,
                }
            }
            true
        };
        self.0.iter().filter(|(name, _)| fits(name)).map(|(_, v)| *v).collect()
    }

    fn one(&self, name: &str) -> Result<f64, FormulaError> {
        if let Some(value) = self.0.get(name) {
            return Ok(*value);
        }
        // The longest beginning that some name shares.
        let shared =
            |known: &str| known.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
        let mut near: Vec<&String> = self.0.keys().collect();
        near.sort_by_key(|known| std::cmp::Reverse(shared(known)));
        let near = near.into_iter().take(4).cloned().collect();
        Err(FormulaError::Unknown { name: name.into(), near })
    }
}

struct Parser<'a> {
    measured: &'a Measured,
    formula: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.formula[self.at..]
    }
    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }
    fn expected(&self, expected: &'static str) -> FormulaError {
        FormulaError::Syntax { formula: self.formula.into(), expected, at: self.at + 1 }
    }
    fn take(&mut self, symbol: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(symbol);
        if found {
            self.at += symbol.len_utf8();
        }
        found
    }
    fn sum(&mut self) -> Result<f64, FormulaError> {
        let mut value = self.product()?;
        loop {
            if self.take('+') {
                value += self.product()?;
            } else if self.take('-') {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }
    fn product(&mut self) -> Result<f64, FormulaError> {
        let mut value = self.factor()?;
        loop {
            if self.take('*') {
                value *= self.factor()?;
            } else if self.take('/') {
                value /= self.factor()?;
            } else {
                return Ok(value);
            }
        }
    }
    fn factor(&mut self) -> Result<f64, FormulaError> {
        if self.take('-') {
            return Ok(-self.factor()?);
        }
        if self.take('(') {
            let value = self.sum()?;
            return if self.take(')') { Ok(value) } else { Err(self.expected("')'")) };
        }
        self.skip_space();
        if self.rest().starts_with('[') {
            let name = self.name()?;
            return self.measured.one(&name);
        }
        let word =
            self.rest().find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest().len());
        if word > 0 && self.rest().starts_with(|c: char| c.is_ascii_alphabetic()) {
            return self.function(word);
        }
        let end = self.rest().char_indices().find(|(i, c)| {
            let exponent_sign =
                *i > 0 && matches!(c, '+' | '-') && self.rest()[..*i].ends_with(['e', 'E']);
            !(c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E') || exponent_sign)
        });
        let end = end.map_or(self.rest().len(), |(i, _)| i);
        let Ok(value) = self.rest()[..end].parse() else {
            return Err(self.expected("a number, a [name] or a function"));
        };
        self.at += end;
        Ok(value)
    }
    fn name(&mut self) -> Result<String, FormulaError> {
        let Some(end) = self.rest().find(']') else { return Err(self.expected("']'")) };
        let name = self.rest()[1..end].to_string();
        self.at += end + 1;
        Ok(name)
    }
    fn function(&mut self, length: usize) -> Result<f64, FormulaError> {
        let name = self.rest()[..length].to_string();
        let start = self.at;
        self.at += length;
        if !self.take('(') {
            return Err(self.expected("'('"));
        }
        let mut values = Vec::new();
        loop {
            self.skip_space();
            let pattern = self.rest().starts_with('[')
                && self.rest().find(']').is_some_and(|end| self.rest()[..end].contains('*'));
            if pattern {
                let name = self.name()?;
                let found = self.measured.all(&name);
                if found.is_empty() {
                    return Err(FormulaError::Unknown { name, near: Vec::new() });
                }
                values.extend(found);
            } else {
                values.push(self.sum()?);
            }
            if self.take(')') {
                break;
            }
            if !self.take(',') {
                return Err(self.expected("',' or ')'"));
            }
        }
        match (name.as_str(), values.as_slice()) {
            ("abs", [x]) => Ok(x.abs()),
            ("log10", [x]) => Ok(x.log10()),
            ("log2", [x]) => Ok(x.log2()),
            ("sqrt", [x]) => Ok(x.sqrt()),
            ("max", [_, ..]) => Ok(values.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
            ("min", [_, ..]) => Ok(values.iter().copied().fold(f64::INFINITY, f64::min)),
            ("sum", [_, ..]) => Ok(values.iter().sum()),
            _ => {
                self.at = start;
                Err(self.expected("abs, log10, log2, sqrt, max, min or sum, with arguments"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured() -> Measured {
        let mut m = Measured::default();
        m.put("drift/ea@su4/0.25/energy/slope", -4.0);
        m.put("drift/mcg/0.25/energy/slope", 8.0);
        m.put("x", 0.5);
        m
    }

    #[test]
    fn formulas_have_values() {
        let m = measured();
        for (formula, value) in [
            ("[x]", 0.5),
            ("1 + 2*[x] - 3/ (1+1)", 0.5),
            ("abs([drift/ea@su4/0.25/energy/slope]) / [x]", 8.0),
            ("max([drift/*/slope], 1e2)", 100.0),
            ("min([drift/*/slope])", -4.0),
            ("-log10(1e-3)", 3.0),
        ] {
            assert_eq!(m.evaluate(formula), Ok(value), "{formula}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let m = measured();
        assert!(
            matches!(m.evaluate("[drift/mcg/0.5]"), Err(FormulaError::Unknown { near, .. }) if near[0].contains("mcg"))
        );
        for bad in ["", "[x", "1 +", "2 3", "sin(1)", "max()", "(1"] {
            assert!(matches!(m.evaluate(bad), Err(FormulaError::Syntax { .. })), "{bad}");
        }
        assert!(m.evaluate("max([nothing*])").is_err());
    }
}
