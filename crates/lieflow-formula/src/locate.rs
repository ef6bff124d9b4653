//! Where a number stopped being one.
use crate::error::Place;
use crate::formula::Formula;
use crate::graph::{Map, Op};
use crate::sheet::Sheet;
use lieflow_kernel::Real;
use lieflow_kernel::tape::{cosh, sinh, tanh};
use std::fmt;

/// The first operation that made something infinite or undefined of finite numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakdown {
    /// What it was: `log of -0.31`.
    pub what: String,
    /// Where it stands in a formula; nothing where the numbers given were broken already.
    pub place: Option<Place>,
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        let Some(place) = &self.place else { return Ok(()) };
        let text: String = place.text().chars().take(60).collect();
        let more = if text.len() < place.text().len() { "…" } else { "" };
        write!(f, " in {}, column {}: {text}{more}", place.source.label(), place.column())
    }
}

impl std::error::Error for Breakdown {}

/// A number as messages show it.
fn shown(x: f64) -> String {
    if x == 0.0 || (1e-4..1e6).contains(&x.abs()) {
        let text = format!("{x:.6}");
        text.trim_end_matches('0').trim_end_matches('.').into()
    } else {
        format!("{x:.3e}")
    }
}

impl Formula<f64> {
    /// Evaluates an entry once more, step by step, and tells where it breaks down; nothing if all is
    /// finite. Derivatives name the place of what they derive.
    pub fn locate(&self, entry: usize, inputs: &[f64]) -> Option<Breakdown> {
        let parts = &*self.program().0;
        let graph = &parts.graph;
        let mut values: Map<u32, f64> = Map::default();
        let mut told: Map<u32, String> = Map::default();
        let entry = parts.entries.get(entry)?;
        for id in graph.cone(&entry.ids) {
            let op = graph.op(id);
            let x = |id: u32| values[&id];
            let (value, what) = match op {
                Op::Const(bits) => (f64::from_bits(bits), None),
                Op::Input(k) => {
                    let value = inputs.get(k as usize).copied().unwrap_or(0.0);
                    (value, Some(format!("{} is {value}", parts.inputs[k as usize])))
                }
                Op::Param(k) => {
                    let value = self.numbers()[k as usize];
                    (value, Some(format!("{} is {value}", parts.parameters[k as usize])))
                }
                Op::Add(a, b) => (x(a) + x(b), None),
                Op::Sub(a, b) => (x(a) - x(b), None),
                Op::Mul(a, b) => (x(a) * x(b), None),
                Op::Div(a, b) => (x(a) / x(b), None),
                Op::Neg(a) => (-x(a), None),
                Op::Sqrt(a) => (Real::sqrt(x(a)), None),
                Op::Sin(a) => (Real::sin_cos(x(a)).0, None),
                Op::Cos(a) => (Real::sin_cos(x(a)).1, None),
                Op::Exp(a) => (Real::exp(x(a)), None),
                Op::Ln(a) => (Real::ln(x(a)), None),
                Op::Abs(a) => (Real::abs(x(a)), None),
                Op::Atan2(a, b) => (Real::atan2(x(a), x(b)), None),
                Op::Sinh(a) => (sinh(x(a)), None),
                Op::Cosh(a) => (cosh(x(a)), None),
                Op::Tanh(a) => (tanh(x(a)), None),
                Op::Floor(a) => (Real::floor(x(a)), None),
                Op::Select(a, b, c, d) => (if x(a) < x(b) { x(c) } else { x(d) }, None),
                Op::Guard(a, b) => (if x(a) > 0.0 { x(b) } else { f64::NAN }, None),
            };
            values.insert(id, value);
            if let Some(what) = what {
                told.insert(id, what);
            }
        }
        let broken = |id: &u32| !values[id].is_finite();
        let mut id = *entry.ids.iter().find(|id| broken(id))?;
        // Down to what broke first, past what an `if` leaves aside.
        let guilty = loop {
            let op = graph.op(id);
            let next = match op {
                Op::Select(a, b, c, d) => Some(if values[&a] < values[&b] { c } else { d }),
                Op::Guard(a, b) if values[&a] > 0.0 => Some(b),
                op => {
                    let (operands, n) = op.operands();
                    operands[..n].iter().copied().find(broken)
                }
            };
            match next {
                Some(next) => id = next,
                None => break id,
            }
        };
        let op = graph.op(guilty);
        let place = Sheet::place(&parts.sources, graph.origin(guilty));
        let text = place.as_ref().map_or("", |place| place.text());
        let what = told.remove(&guilty).unwrap_or_else(|| story(op, &values, text));
        let place = place.filter(|_| op.computes());
        Some(Breakdown { what, place })
    }
}

fn story(op: Op, values: &Map<u32, f64>, text: &str) -> String {
    let x = |id: u32| shown(values[&id]);
    match op {
        Op::Sqrt(_) if text.starts_with("asin") => "asin of a number beyond one".into(),
        Op::Sqrt(_) if text.starts_with("acos") => "acos of a number beyond one".into(),
        Op::Sqrt(a) => format!("sqrt of {}", x(a)),
        Op::Ln(a) | Op::Guard(a, _) if text.starts_with("log") => format!("log of {}", x(a)),
        Op::Ln(a) | Op::Guard(a, _) => {
            format!("a power of {} whose exponent is no whole number", x(a))
        }
        Op::Exp(a) => format!("exp of {}", x(a)),
        Op::Sinh(a) => format!("sinh of {}", x(a)),
        Op::Cosh(a) => format!("cosh of {}", x(a)),
        Op::Div(a, b) if values[&b] == 0.0 => format!("division of {} by zero", x(a)),
        Op::Div(a, b) => format!("{} / {} is too large", x(a), x(b)),
        Op::Mul(a, b) => format!("{} * {} is too large", x(a), x(b)),
        Op::Add(a, b) => format!("{} + {} is too large", x(a), x(b)),
        Op::Sub(a, b) => format!("{} - {} is too large", x(a), x(b)),
        _ => "not a finite number".into(),
    }
}
