//! The functions of the language.
use super::Reading;
use crate::error::{Error, Fault};
use crate::graph::{Id, Op};
use crate::sheet::Sheet;
use crate::suggestion::suggestion;
use crate::syntax::{Node, Span};
use crate::value::Value;

/// All functions, each with its arguments as messages show them.
pub const FUNCTIONS: &[(&str, &str)] = &[
    ("dot", "dot(a, b)"),
    ("cross", "cross(a, b)"),
    ("norm", "norm(v)"),
    ("square", "square(v)"),
    ("normalise", "normalise(v)"),
    ("angle", "angle(a, b) or angle(R)"),
    ("trace", "trace(A)"),
    ("transpose", "transpose(A)"),
    ("axial", "axial(A)"),
    ("hat", "hat(v)"),
    ("det", "det(A)"),
    ("inv", "inv(A)"),
    ("diag", "diag(v)"),
    ("columns", "columns(a, b, c)"),
    ("sin", "sin(x)"),
    ("cos", "cos(x)"),
    ("tan", "tan(x)"),
    ("asin", "asin(x)"),
    ("acos", "acos(x)"),
    ("atan2", "atan2(y, x)"),
    ("sinh", "sinh(x)"),
    ("cosh", "cosh(x)"),
    ("tanh", "tanh(x)"),
    ("exp", "exp(x)"),
    ("log", "log(x)"),
    ("sqrt", "sqrt(x)"),
    ("pow", "pow(a, b)"),
    ("abs", "abs(x)"),
    ("min", "min(a, b, …)"),
    ("max", "max(a, b, …)"),
    ("sign", "sign(x)"),
    ("floor", "floor(x)"),
    ("mod", "mod(a, b)"),
    ("clamp", "clamp(x, low, high)"),
    ("smoothstep", "smoothstep(low, high, x)"),
    ("if", "if(a < b, c, d)"),
    ("sum", "sum(i, first, last, …)"),
    ("prod", "prod(i, first, last, …)"),
    ("grad", "grad(f, x)"),
    ("ddt", "ddt(f)"),
    ("cyc", "cyc(i)"),
];

/// Names from other languages, and ours.
const FOREIGN: &[(&str, &str)] = &[
    ("ln", "log"),
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan2", "atan2"),
    ("atan", "atan2"),
    ("arctan", "atan2"),
    ("fabs", "abs"),
    ("length", "norm"),
    ("normalize", "normalise"),
    ("unit", "normalise"),
    ("skew", "hat"),
    ("vee", "axial"),
    ("tr", "trace"),
    ("inverse", "inv"),
    ("sgn", "sign"),
    ("where", "if"),
    ("select", "if"),
    ("gradient", "grad"),
    ("product", "prod"),
    ("fmod", "mod"),
    ("log10", "log"),
    ("cbrt", "pow"),
];

impl Sheet {
    /// `f(a, b)`.
    pub(super) fn call(
        &mut self,
        at: &mut Reading,
        name: &str,
        place: &Span,
        arguments: &[Node],
        node: &Node,
    ) -> Result<Value, Error> {
        let Some((_, usage)) = FUNCTIONS.iter().find(|(known, _)| *known == name) else {
            return Err(self.unknown_function(at, name, place));
        };
        let (least, most) = match name {
            "sum" | "prod" => (4, 4),
            "if" | "clamp" | "smoothstep" | "columns" => (3, 3),
            "min" | "max" => (2, usize::MAX),
            "angle" => (1, 2),
            "dot" | "cross" | "atan2" | "pow" | "mod" | "grad" => (2, 2),
            _ => (1, 1),
        };
        if !(least..=most).contains(&arguments.len()) {
            let many = |n: usize| match n {
                1 => "one argument".to_string(),
                n => format!("{n} arguments"),
            };
            let wanted = match (least, most) {
                (1, 2) => "one or two arguments".into(),
                (n, usize::MAX) => format!("at least {}", many(n)),
                (n, _) => many(n),
            };
            let given = arguments.len();
            let message = format!("{name} takes {wanted}, as {usage}, and here are {given}");
            let error = at.error(Fault::Arguments, &node.span, message);
            return Err(error.found(format!("{given} arguments")).expected(wanted));
        }
        match name {
            "dot" | "cross" | "norm" | "square" | "normalise" | "angle" | "trace" | "transpose"
            | "axial" | "hat" | "det" | "inv" | "diag" | "columns" => {
                self.geometric(at, name, arguments)
            }
            "sum" | "prod" => self.unroll(at, name, arguments),
            "grad" => self.grad(at, arguments),
            "ddt" => self.ddt(at, &arguments[0]),
            "if" => self.choose(at, arguments, node),
            "pow" => self.power(at, &arguments[0], &arguments[1]),
            "cyc" => {
                let message = "cyc(i) stands inside the index of a list";
                Err(at.error(Fault::Index, &node.span, message).found("cyc").expected("a value"))
            }
            _ => {
                let mut numbers = Vec::new();
                for argument in arguments {
                    numbers.push(self.number(at, argument, name)?);
                }
                Ok(Value::Number(self.numeric(name, &numbers)))
            }
        }
    }

    fn unknown_function(&self, at: &Reading, name: &str, place: &Span) -> Error {
        let shown = crate::syntax::short(name);
        let foreign = FOREIGN.iter().find(|(word, _)| *word == name).map(|(_, ours)| *ours);
        let error = |message: String| {
            at.error(Fault::UnknownFunction, place, message).found(name).expected("a function")
        };
        let is_name = self.values.contains_key(name) || self.names.role(name).is_some();
        if is_name || at.indices.iter().any(|(index, _)| index == name) {
            return error(format!("'{shown}' is no function; a product is written {shown}*(…)"));
        }
        if name == "table" || name == "random" || name == "rand" {
            return error(format!(
                "there is no function '{shown}': formulas know no files and no chance"
            ));
        }
        let meant = foreign.or_else(|| suggestion(name, FUNCTIONS.iter().map(|(known, _)| *known)));
        error(format!("unknown function '{shown}'")).suggestion(meant)
    }

    /// Functions of numbers.
    fn numeric(&mut self, name: &str, x: &[Id]) -> Id {
        let g = &mut self.graph;
        // Two missing arguments never matter: their number was checked.
        let (a, b) = (x[0], *x.last().unwrap_or(&x[0]));
        match name {
            "sin" => g.put(Op::Sin(a)),
            "cos" => g.put(Op::Cos(a)),
            "tan" => {
                let (s, c) = (g.put(Op::Sin(a)), g.put(Op::Cos(a)));
                g.div(s, c)
            }
            // The angle whose sine is x has the cosine √((1 - x)(1 + x)), which is none beyond one.
            "asin" | "acos" => {
                let one = g.number(1.0);
                let (p, q) = (g.sub(one, a), g.add(one, a));
                let product = g.mul(p, q);
                let other = g.put(Op::Sqrt(product));
                g.put(if name == "asin" { Op::Atan2(a, other) } else { Op::Atan2(other, a) })
            }
            "atan2" => g.put(Op::Atan2(a, b)),
            "sinh" => g.put(Op::Sinh(a)),
            "cosh" => g.put(Op::Cosh(a)),
            "tanh" => g.put(Op::Tanh(a)),
            "exp" => g.put(Op::Exp(a)),
            "log" => g.put(Op::Ln(a)),
            "sqrt" => g.put(Op::Sqrt(a)),
            "abs" => g.abs(a),
            "floor" => g.put(Op::Floor(a)),
            "mod" => {
                let quotient = g.div(a, b);
                let whole = g.put(Op::Floor(quotient));
                let multiple = g.mul(b, whole);
                g.sub(a, multiple)
            }
            "sign" => {
                let [minus, zero, one] = [-1.0, 0.0, 1.0].map(|x| g.number(x));
                let up = g.select(zero, a, one, zero);
                g.select(a, zero, minus, up)
            }
            "min" => x[1..].iter().fold(a, |least, x| g.select(*x, least, *x, least)),
            "max" => x[1..].iter().fold(a, |most, x| g.select(most, *x, *x, most)),
            "clamp" => {
                let above = g.select(a, x[1], x[1], a);
                g.select(x[2], above, x[2], above)
            }
            _ => {
                // smoothstep: 3 u² - 2 u³ between the two bounds.
                let [zero, one, two, three] = [0.0, 1.0, 2.0, 3.0].map(|x| g.number(x));
                let (way, width) = (g.sub(x[2], a), g.sub(x[1], a));
                let u = g.div(way, width);
                let u = g.select(u, zero, zero, u);
                let u = g.select(one, u, one, u);
                let (square, twice) = (g.mul(u, u), g.mul(two, u));
                let rest = g.sub(three, twice);
                g.mul(square, rest)
            }
        }
    }
}
