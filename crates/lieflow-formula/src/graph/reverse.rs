//! Derivatives by one sweep back, whatever the number of variables.
use super::{Graph, Id, Op, Table};

impl Graph {
    /// The derivatives of `of` by the variables `by`: nodes of the kinds [`Op::Input`] and
    /// [`Op::Param`].
    pub fn gradient(&mut self, of: Id, by: &[Id]) -> Vec<Id> {
        let outer = self.here;
        let slopes = self.sweep_back(of, by);
        self.here = outer;
        let zero = self.number(0.0);
        by.iter().map(|x| slopes.get(*x).unwrap_or(zero)).collect()
    }

    fn sweep_back(&mut self, of: Id, by: &[Id]) -> Table<Id> {
        // Only what leads to the variables is worth a derivative.
        let cone = self.cone(&[of]);
        self.count_work(cone.len());
        let mut active: Table<()> = Table::default();
        by.iter().for_each(|x| active.put(*x, ()));
        for id in &cone {
            let (operands, n) = self.op(*id).operands();
            if operands[..n].iter().any(|x| active.has(*x)) {
                active.put(*id, ());
            }
        }
        let one = self.number(1.0);
        let mut slopes: Table<Id> = Table::default();
        slopes.put(of, one);
        for id in cone.into_iter().rev() {
            let Some(g) = slopes.get(id) else { continue };
            if self.is_full() {
                break;
            }
            self.here = self.origin(id);
            let (parts, n) = self.parts(id, g);
            for &(to, part) in &parts[..n] {
                if !active.has(to) {
                    continue;
                }
                let sum = match slopes.get(to) {
                    Some(old) => self.merge(old, part),
                    None => part,
                };
                slopes.put(to, sum);
            }
        }
        slopes
    }

    /// What the derivative `g` by node `id` gives to each of its operands.
    fn parts(&mut self, id: Id, g: Id) -> ([(Id, Id); 2], usize) {
        let none = (0, 0);
        let one = |to: Id, part: Id| ([(to, part), none], 1);
        match self.op(id) {
            Op::Const(_) | Op::Input(_) | Op::Param(_) | Op::Floor(_) => ([none; 2], 0),
            Op::Add(a, b) => ([(a, g), (b, g)], 2),
            Op::Sub(a, b) => ([(a, g), (b, self.inside(g, &Graph::neg))], 2),
            Op::Mul(a, b) if a == b => {
                let twice = self.add(a, a);
                one(a, self.scaled(g, twice))
            }
            Op::Mul(a, b) => ([(a, self.scaled(g, b)), (b, self.scaled(g, a))], 2),
            Op::Div(a, b) => {
                let over = self.inside(g, &|graph: &mut Graph, g| graph.div(g, b));
                let below = self.scaled(over, id);
                ([(a, over), (b, self.inside(below, &Graph::neg))], 2)
            }
            Op::Neg(a) => one(a, self.inside(g, &Graph::neg)),
            Op::Abs(a) => {
                let zero = self.number(0.0);
                let signed = |graph: &mut Graph, g| {
                    let minus = graph.neg(g);
                    graph.select(a, zero, minus, g)
                };
                one(a, self.inside(g, &signed))
            }
            Op::Atan2(y, x) => {
                let r = self.squares(y, x);
                let q = self.inside(g, &|graph: &mut Graph, g| graph.div(g, r));
                let (gy, gx) = (self.scaled(q, x), self.scaled(q, y));
                ([(y, gy), (x, self.inside(gx, &Graph::neg))], 2)
            }
            Op::Ln(a) => {
                let over = |graph: &mut Graph, g| {
                    let slope = graph.div(g, a);
                    graph.guard(a, slope)
                };
                one(a, self.inside(g, &over))
            }
            Op::Sqrt(a) | Op::Sin(a) | Op::Cos(a) | Op::Exp(a) | Op::Sinh(a) | Op::Cosh(a) => {
                let slope = self.slope(id);
                one(a, self.scaled(g, slope))
            }
            Op::Tanh(a) => {
                let slope = self.slope(id);
                one(a, self.scaled(g, slope))
            }
            Op::Select(a, b, c, d) => {
                let zero = self.number(0.0);
                let yes = self.select(a, b, g, zero);
                let no = self.select(a, b, zero, g);
                ([(c, yes), (d, no)], 2)
            }
            Op::Guard(a, b) => one(b, self.inside(g, &|graph: &mut Graph, g| graph.guard(a, g))),
        }
    }

    /// The derivative of a function of one variable by it.
    pub(super) fn slope(&mut self, id: Id) -> Id {
        match self.op(id) {
            Op::Sqrt(_) => {
                // Zero at zero, as everywhere in the kernel; not a number where the root is none.
                let (half, zero) = (self.number(0.5), self.number(0.0));
                let slope = self.div(half, id);
                self.select(zero, id, slope, id)
            }
            Op::Sin(a) => self.put(Op::Cos(a)),
            Op::Cos(a) => {
                let sine = self.put(Op::Sin(a));
                self.neg(sine)
            }
            Op::Exp(_) => id,
            Op::Sinh(a) => self.put(Op::Cosh(a)),
            Op::Cosh(a) => self.put(Op::Sinh(a)),
            Op::Tanh(_) => {
                let (one, square) = (self.number(1.0), self.mul(id, id));
                self.sub(one, square)
            }
            _ => self.number(0.0),
        }
    }

    /// `a² + b²`.
    pub(super) fn squares(&mut self, a: Id, b: Id) -> Id {
        let (aa, bb) = (self.mul(a, a), self.mul(b, b));
        self.add(aa, bb)
    }

    /// `g s`, inside the choices of `g`.
    fn scaled(&mut self, g: Id, s: Id) -> Id {
        self.inside(g, &|graph: &mut Graph, g| graph.mul(g, s))
    }

    /// `f(g)` for a linear `f`. Where `g` is zero by choice, because it belongs to the value of an
    /// `if` that was not taken, `f` is applied inside the choice: a slope that is not finite there is
    /// then never multiplied by zero.
    fn inside(&mut self, g: Id, f: &dyn Fn(&mut Self, Id) -> Id) -> Id {
        match self.op(g) {
            Op::Select(a, b, c, d) if self.is_zero(c) => {
                let inner = self.inside(d, f);
                self.select(a, b, c, inner)
            }
            Op::Select(a, b, c, d) if self.is_zero(d) => {
                let inner = self.inside(c, f);
                self.select(a, b, inner, d)
            }
            Op::Add(a, b) if self.is_chosen(a) && self.is_chosen(b) => {
                let (a, b) = (self.inside(a, f), self.inside(b, f));
                self.add(a, b)
            }
            _ => f(self, g),
        }
    }

    /// Whether the node is zero by choice somewhere.
    fn is_chosen(&self, id: Id) -> bool {
        match self.op(id) {
            Op::Select(_, _, c, d) => self.is_zero(c) || self.is_zero(d),
            Op::Add(a, b) => {
                // Sums of choices are built from the left, one choice at a time.
                let last = |x: Id| matches!(self.op(x), Op::Select(_, _, c, d) if self.is_zero(c) || self.is_zero(d));
                last(a) && last(b)
            }
            _ => false,
        }
    }

    /// `a + b`; of two values chosen by the same question one value.
    fn merge(&mut self, x: Id, y: Id) -> Id {
        if let (Op::Select(a, b, c, d), Op::Select(e, f, g, h)) = (self.op(x), self.op(y))
            && (a, b) == (e, f)
            && ((self.is_zero(c) && self.is_zero(g)) || (self.is_zero(d) && self.is_zero(h)))
        {
            let (yes, no) = (self.merge(c, g), self.merge(d, h));
            return self.select(a, b, yes, no);
        }
        self.add(x, y)
    }
}
