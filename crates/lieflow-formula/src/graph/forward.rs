//! Derivatives along one direction, by one sweep forward, whatever the number of results.
use super::{Graph, Id, Op, Table};

impl Graph {
    /// The derivatives of `of` where the variables change at the given rates, and the others not.
    pub fn along(&mut self, of: &[Id], rates: &[(Id, Id)]) -> Vec<Id> {
        let outer = self.here;
        let cone = self.cone(of);
        self.count_work(cone.len());
        // What is not in the list does not change.
        let mut rate: Table<Id> = Table::default();
        for (variable, value) in rates {
            if !self.is_zero(*value) {
                rate.put(*variable, *value);
            }
        }
        for id in cone {
            if self.is_full() {
                break;
            }
            self.here = self.origin(id);
            if let Some(value) = self.rate(id, &rate)
                && !self.is_zero(value)
            {
                rate.put(id, value);
            }
        }
        self.here = outer;
        let zero = self.number(0.0);
        of.iter().map(|x| rate.get(*x).unwrap_or(zero)).collect()
    }

    fn rate(&mut self, id: Id, rates: &Table<Id>) -> Option<Id> {
        let op = self.op(id);
        let (operands, n) = op.operands();
        if !operands[..n].iter().any(|x| rates.has(*x)) {
            return None;
        }
        let zero = self.number(0.0);
        let of = |x: Id| rates.get(x).unwrap_or(zero);
        Some(match op {
            Op::Const(_) | Op::Input(_) | Op::Param(_) | Op::Floor(_) => return None,
            Op::Add(a, b) => self.add(of(a), of(b)),
            Op::Sub(a, b) => self.sub(of(a), of(b)),
            Op::Mul(a, b) if a == b => {
                let twice = self.add(a, a);
                self.mul(twice, of(a))
            }
            Op::Mul(a, b) => {
                let (x, y) = (self.mul(of(a), b), self.mul(a, of(b)));
                self.add(x, y)
            }
            Op::Div(a, b) => {
                let below = self.mul(id, of(b));
                let above = self.sub(of(a), below);
                self.div(above, b)
            }
            Op::Neg(a) => self.neg(of(a)),
            Op::Abs(a) => {
                let minus = self.neg(of(a));
                self.select(a, zero, minus, of(a))
            }
            Op::Atan2(y, x) => {
                let r = self.squares(y, x);
                let (p, q) = (self.mul(x, of(y)), self.mul(y, of(x)));
                let above = self.sub(p, q);
                self.div(above, r)
            }
            Op::Ln(a) => {
                let slope = self.div(of(a), a);
                self.guard(a, slope)
            }
            Op::Sqrt(a)
            | Op::Sin(a)
            | Op::Cos(a)
            | Op::Exp(a)
            | Op::Sinh(a)
            | Op::Cosh(a)
            | Op::Tanh(a) => {
                let slope = self.slope(id);
                self.mul(slope, of(a))
            }
            Op::Select(a, b, c, d) => self.select(a, b, of(c), of(d)),
            Op::Guard(a, b) => self.guard(a, of(b)),
        })
    }
}
