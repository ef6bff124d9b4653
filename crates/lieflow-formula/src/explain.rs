//! Programs in symbols, for people.
use crate::graph::{Id, Map, Op};
use crate::kind::Kind;
use crate::program::Program;

/// Longer expressions are broken into several lines.
const LONGEST: usize = 160;

/// How tightly the outermost operation of an expression binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    Sum,
    Product,
    Sign,
    Power,
    Atom,
}

struct Text {
    words: String,
    binds: Binds,
}

impl Text {
    fn atom(words: impl Into<String>) -> Self {
        Self { words: words.into(), binds: Binds::Atom }
    }
    /// The words, in brackets if they bind less tightly than needed.
    fn at(self, least: Binds) -> String {
        if self.binds < least { format!("({})", self.words) } else { self.words }
    }
}

impl Program {
    /// The equations of an entry: first what occurs more than once, by auxiliary names, then its
    /// numbers.
    pub fn explain(&self, entry: usize) -> Vec<String> {
        let parts = &*self.0;
        let Some(this) = parts.entries.get(entry) else { return Vec::new() };
        let graph = &parts.graph;
        let cone = graph.cone(&this.ids);
        let mut uses: Map<Id, usize> = Map::default();
        for id in &cone {
            let op = graph.op(*id);
            let (operands, n) = op.operands();
            for (i, x) in operands[..n].iter().enumerate() {
                // A square or a double names its operand once.
                let once = matches!(op, Op::Mul(..) | Op::Add(..)) && operands[0] == *x;
                if i != 1 || !once {
                    *uses.entry(*x).or_default() += 1;
                }
            }
        }
        let prefix = self.free_prefix();
        let (mut lines, mut count) = (Vec::new(), 0);
        // A text is used up by the one place it is for; names can be repeated.
        let mut texts: Map<Id, Text> = Map::default();
        let mut names: Map<Id, String> = Map::default();
        for id in cone {
            let op = graph.op(id);
            let mut take = |id: Id| match names.get(&id) {
                Some(name) => Text::atom(name.as_str()),
                None => texts.remove(&id).unwrap_or(Text::atom("?")),
            };
            let text = match op {
                Op::Const(bits) => constant(f64::from_bits(bits)),
                Op::Input(k) => Text::atom(parts.inputs[k as usize].as_str()),
                Op::Param(k) => Text::atom(parts.parameters[k as usize].as_str()),
                op => operation(op, &mut take),
            };
            let small = !op.computes();
            let often = uses.get(&id).copied().unwrap_or(0) > 1;
            if small {
                names.insert(id, text.at(Binds::Power));
            } else if often || (text.words.len() > LONGEST && !this.ids.contains(&id)) {
                count += 1;
                let name = format!("{prefix}{count}");
                lines.push(format!("{name} = {}", text.words));
                names.insert(id, name);
            } else {
                texts.insert(id, text);
            }
        }
        for (id, name) in this.ids.iter().zip(output_names(&this.name, &this.kind)) {
            let words = match (names.get(id), texts.get(id)) {
                (Some(words), _) => words.as_str(),
                (None, Some(text)) => text.words.as_str(),
                (None, None) => "?",
            };
            lines.push(format!("{name} = {words}"));
        }
        lines
    }

    /// A beginning of names that nobody has given.
    fn free_prefix(&self) -> &'static str {
        let taken = |prefix: &str| {
            let all = self.0.inputs.iter().chain(&self.0.parameters);
            all.into_iter().any(|name| name.starts_with(prefix))
        };
        ["s", "q", "z", "y"].into_iter().find(|prefix| !taken(prefix)).unwrap_or("aux_")
    }
}

fn constant(x: f64) -> Text {
    if x == std::f64::consts::PI {
        return Text::atom("pi");
    }
    let words =
        if x == 0.0 || (1e-4..1e7).contains(&x.abs()) { format!("{x}") } else { format!("{x:e}") };
    Text { words, binds: if x < 0.0 { Binds::Sign } else { Binds::Atom } }
}

fn operation(op: Op, take: &mut dyn FnMut(Id) -> Text) -> Text {
    use Binds::{Atom, Power, Product, Sign, Sum};
    let mut call = |name: &str, list: &[Id]| {
        let words: Vec<String> = list.iter().map(|x| take(*x).words).collect();
        Text { words: format!("{name}({})", words.join(", ")), binds: Atom }
    };
    let (words, binds) = match op {
        Op::Sqrt(a) => return call("sqrt", &[a]),
        Op::Sin(a) => return call("sin", &[a]),
        Op::Cos(a) => return call("cos", &[a]),
        Op::Exp(a) => return call("exp", &[a]),
        Op::Ln(a) => return call("log", &[a]),
        Op::Abs(a) => return call("abs", &[a]),
        Op::Atan2(a, b) => return call("atan2", &[a, b]),
        Op::Sinh(a) => return call("sinh", &[a]),
        Op::Cosh(a) => return call("cosh", &[a]),
        Op::Tanh(a) => return call("tanh", &[a]),
        Op::Floor(a) => return call("floor", &[a]),
        Op::Select(a, b, c, d) => {
            let [a, b, c, d] = [a, b, c, d].map(|x| take(x).words);
            return Text::atom(format!("if({a} < {b}, {c}, {d})"));
        }
        // A slope, where the function it belongs to exists.
        Op::Guard(a, b) => {
            let _ = take(a);
            return take(b);
        }
        Op::Add(a, b) if a == b => (format!("2*{}", take(a).at(Product)), Product),
        Op::Add(a, b) => (format!("{} + {}", take(a).at(Sum), take(b).at(Sum)), Sum),
        Op::Sub(a, b) => (format!("{} - {}", take(a).at(Sum), take(b).at(Product)), Sum),
        Op::Mul(a, b) if a == b => (format!("{}^2", take(a).at(Atom)), Power),
        Op::Mul(a, b) => (format!("{}*{}", take(a).at(Product), take(b).at(Product)), Product),
        Op::Div(a, b) => (format!("{}/{}", take(a).at(Product), take(b).at(Sign)), Product),
        Op::Neg(a) => (format!("-{}", take(a).at(Product)), Sign),
        Op::Const(_) | Op::Input(_) | Op::Param(_) => ("?".into(), Atom),
    };
    Text { words, binds }
}

fn output_names(name: &str, kind: &Kind) -> Vec<String> {
    crate::sheet::component_names(name, kind)
}
