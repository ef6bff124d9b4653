//! Nodes to steps: products that only one sum uses become part of it.
use crate::graph::{Graph, Id, Op, Table};
use lieflow_kernel::tape::Code;

/// An instruction before registers are given.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub code: Code,
    /// The result; of sine and cosine perhaps nobody wants the sine.
    pub to: Option<Id>,
    /// The cosine.
    pub second: Option<Id>,
    from: [Id; 6],
    operands: usize,
}

impl Step {
    fn new<const N: usize>(code: Code, to: Id, list: [Id; N]) -> Self {
        let mut from = [0; 6];
        from[..N].copy_from_slice(&list);
        Self { code, to: Some(to), second: None, from, operands: N }
    }
    /// The operands.
    pub fn from(&self) -> &[Id] {
        &self.from[..self.operands]
    }
}

struct Fuse<'a> {
    graph: &'a Graph,
    varies: &'a Table<()>,
    uses: &'a Table<u32>,
    /// Nodes that have become part of another.
    gone: Table<()>,
}

/// The steps that compute the varying nodes of `cone`, in its order.
pub fn fuse(graph: &Graph, cone: &[Id], varies: &Table<()>, uses: &Table<u32>) -> Vec<Step> {
    let mut fuse = Fuse { graph, varies, uses, gone: Table::default() };
    let mut steps = Vec::new();
    for id in cone.iter().rev() {
        if varies.has(*id) && graph.op(*id).computes() && !fuse.gone.has(*id) {
            steps.push(fuse.step(*id));
        }
    }
    steps.reverse();
    pair_sines(graph, &mut steps);
    steps
}

impl Fuse<'_> {
    /// Whether a node is computed here and used once only.
    fn once(&self, id: Id) -> bool {
        self.varies.has(id) && self.uses.get(id) == Some(1)
    }
    fn product(&self, id: Id) -> Option<[Id; 2]> {
        match self.graph.op(id) {
            Op::Mul(a, b) if self.once(id) => Some([a, b]),
            _ => None,
        }
    }
    /// `a b ± c d` as a whole: the factors, and whether it is a difference.
    fn pair(&self, id: Id) -> Option<([Id; 4], [Id; 2], bool)> {
        let (x, y, minus) = match self.graph.op(id) {
            Op::Add(x, y) => (x, y, false),
            Op::Sub(x, y) => (x, y, true),
            _ => return None,
        };
        let ([a, b], [c, d]) = (self.product(x)?, self.product(y)?);
        (x != y && self.once(id)).then_some(([a, b, c, d], [x, y], minus))
    }
    fn swallow(&mut self, ids: &[Id]) {
        for id in ids {
            self.gone.put(*id, ());
        }
    }

    fn step(&mut self, id: Id) -> Step {
        let one = |code, a| Step::new(code, id, [a]);
        match self.graph.op(id) {
            Op::Add(x, y) => self.sum(id, x, y),
            Op::Sub(x, y) => match (self.product(x), self.product(y)) {
                (Some([a, b]), Some([c, d])) => {
                    self.swallow(&[x, y]);
                    Step::new(Code::Cross, id, [a, b, c, d])
                }
                (Some([a, b]), None) => {
                    self.swallow(&[x]);
                    Step::new(Code::MulSub, id, [a, b, y])
                }
                (None, Some([a, b])) => {
                    self.swallow(&[y]);
                    Step::new(Code::SubMul, id, [a, b, x])
                }
                (None, None) => Step::new(Code::Sub, id, [x, y]),
            },
            Op::Mul(x, y) => {
                for (inner, other) in [(x, y), (y, x)] {
                    if let Some([a, b]) = self.product(inner) {
                        self.swallow(&[inner]);
                        return Step::new(Code::Product3, id, [a, b, other]);
                    }
                }
                Step::new(Code::Mul, id, [x, y])
            }
            Op::Div(a, b) => Step::new(Code::Div, id, [a, b]),
            Op::Atan2(a, b) => Step::new(Code::Atan2, id, [a, b]),
            Op::Guard(a, b) => Step::new(Code::Guard, id, [a, b]),
            Op::Select(a, b, c, d) => Step::new(Code::Select, id, [a, b, c, d]),
            Op::Neg(a) => one(Code::Neg, a),
            Op::Sqrt(a) => one(Code::Sqrt, a),
            Op::Exp(a) => one(Code::Exp, a),
            Op::Ln(a) => one(Code::Ln, a),
            Op::Abs(a) => one(Code::Abs, a),
            Op::Sinh(a) => one(Code::Sinh, a),
            Op::Cosh(a) => one(Code::Cosh, a),
            Op::Tanh(a) => one(Code::Tanh, a),
            Op::Floor(a) => one(Code::Floor, a),
            Op::Sin(a) => one(Code::SinCos, a),
            Op::Cos(a) => Step { to: None, second: Some(id), ..one(Code::SinCos, a) },
            // Leaves are not computed; see the caller.
            Op::Const(_) | Op::Input(_) | Op::Param(_) => one(Code::Neg, id),
        }
    }

    fn sum(&mut self, id: Id, x: Id, y: Id) -> Step {
        for (pair, other) in [(x, y), (y, x)] {
            let Some(([a, b, c, d], parts, minus)) = self.pair(pair) else { continue };
            self.swallow(&[pair, parts[0], parts[1]]);
            if minus {
                return Step::new(Code::CrossAdd, id, [a, b, c, d, other]);
            }
            if let Some([e, f]) = self.product(other) {
                self.swallow(&[other]);
                return Step::new(Code::Dot3, id, [a, b, c, d, e, f]);
            }
            return Step::new(Code::Dot2Add, id, [a, b, c, d, other]);
        }
        match (self.product(x), self.product(y)) {
            (Some([a, b]), Some([c, d])) => {
                self.swallow(&[x, y]);
                return Step::new(Code::Dot2, id, [a, b, c, d]);
            }
            (Some([a, b]), None) => {
                self.swallow(&[x]);
                return Step::new(Code::MulAdd, id, [a, b, y]);
            }
            (None, Some([a, b])) => {
                self.swallow(&[y]);
                return Step::new(Code::MulAdd, id, [a, b, x]);
            }
            (None, None) => {}
        }
        for (inner, other) in [(x, y), (y, x)] {
            // A sum that has products of its own does better without us.
            if let Op::Add(a, b) = self.graph.op(inner)
                && self.once(inner)
                && self.product(a).is_none()
                && self.product(b).is_none()
                && self.pair(a).is_none()
                && self.pair(b).is_none()
            {
                self.swallow(&[inner]);
                return Step::new(Code::Sum3, id, [a, b, other]);
            }
        }
        Step::new(Code::Add, id, [x, y])
    }
}

/// Sine and cosine of the same angle are one step, where the first of them stood.
fn pair_sines(graph: &Graph, steps: &mut Vec<Step>) {
    let mut first: Table<usize> = Table::default();
    let mut kept: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps.drain(..) {
        if step.code == Code::SinCos {
            if let Some(k) = first.get(step.from[0]) {
                kept[k].to = kept[k].to.or(step.to);
                kept[k].second = kept[k].second.or(step.second);
                continue;
            }
            first.put(step.from[0], kept.len());
        }
        kept.push(step);
    }
    debug_assert!(kept.iter().all(|s| s.to.or(s.second).is_some_and(|id| graph.op(id).computes())));
    *steps = kept;
}
