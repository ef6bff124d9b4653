//! Operations with what can be said at once.
//!
//! Only identities that hold exactly for all finite numbers are used, and constants are not folded:
//! no scalar, whatever its precision, loses a digit, and what depends on constants and parameters
//! only is computed once for each system anyway.
use super::{Graph, Id, Op};

impl Graph {
    fn is(&self, a: Id, x: f64) -> bool {
        self.op(a) == Op::Const(x.to_bits())
    }
    /// Whether the node is the constant zero.
    pub fn is_zero(&self, a: Id) -> bool {
        self.is(a, 0.0)
    }
    /// `a + b`.
    pub fn add(&mut self, a: Id, b: Id) -> Id {
        if self.is_zero(a) {
            return b;
        }
        if self.is_zero(b) {
            return a;
        }
        match (self.op(a), self.op(b)) {
            (Op::Neg(a), Op::Neg(b)) => {
                let sum = self.add(a, b);
                self.neg(sum)
            }
            (_, Op::Neg(b)) => self.sub(a, b),
            (Op::Neg(a), _) => self.sub(b, a),
            _ => self.put(if a <= b { Op::Add(a, b) } else { Op::Add(b, a) }),
        }
    }
    /// `a - b`.
    pub fn sub(&mut self, a: Id, b: Id) -> Id {
        if self.is_zero(b) {
            return a;
        }
        if self.is_zero(a) {
            return self.neg(b);
        }
        if a == b {
            return self.number(0.0);
        }
        match (self.op(a), self.op(b)) {
            (Op::Neg(a), Op::Neg(b)) => self.sub(b, a),
            (_, Op::Neg(b)) => self.add(a, b),
            (Op::Neg(a), _) => {
                let sum = self.add(a, b);
                self.neg(sum)
            }
            _ => self.put(Op::Sub(a, b)),
        }
    }
    /// `a b`.
    pub fn mul(&mut self, a: Id, b: Id) -> Id {
        for (x, y) in [(a, b), (b, a)] {
            if self.is_zero(x) {
                return x;
            }
            if self.is(x, 1.0) {
                return y;
            }
            if self.is(x, -1.0) {
                return self.neg(y);
            }
            if let Op::Neg(x) = self.op(x) {
                let product = self.mul(x, y);
                return self.neg(product);
            }
        }
        self.put(if a <= b { Op::Mul(a, b) } else { Op::Mul(b, a) })
    }
    /// `a / b`.
    pub fn div(&mut self, a: Id, b: Id) -> Id {
        if self.is_zero(a) || self.is(b, 1.0) {
            return a;
        }
        let quotient = match (self.op(a), self.op(b)) {
            (Op::Neg(a), Op::Neg(b)) => return self.div(a, b),
            (Op::Neg(a), _) => self.div(a, b),
            (_, Op::Neg(b)) => self.div(a, b),
            _ => return self.put(Op::Div(a, b)),
        };
        self.neg(quotient)
    }
    /// `-a`.
    pub fn neg(&mut self, a: Id) -> Id {
        match self.op(a) {
            Op::Neg(a) => a,
            Op::Sub(a, b) => self.put(Op::Sub(b, a)),
            Op::Const(bits) => self.number(-f64::from_bits(bits)),
            _ => self.put(Op::Neg(a)),
        }
    }
    /// `|a|`.
    pub fn abs(&mut self, a: Id) -> Id {
        match self.op(a) {
            Op::Neg(a) => self.abs(a),
            Op::Abs(_) => a,
            _ => self.put(Op::Abs(a)),
        }
    }
    /// `c` where `a < b`, else `d`.
    pub fn select(&mut self, a: Id, b: Id, c: Id, d: Id) -> Id {
        if c == d {
            return c;
        }
        match (self.constant(a), self.constant(b)) {
            (Some(a), Some(b)) => {
                if a < b {
                    c
                } else {
                    d
                }
            }
            _ => self.put(Op::Select(a, b, c, d)),
        }
    }
    /// `b` where `a > 0`, else not a number.
    pub fn guard(&mut self, a: Id, b: Id) -> Id {
        match self.op(b) {
            Op::Guard(c, _) if c == a => b,
            _ => self.put(Op::Guard(a, b)),
        }
    }
    /// A whole power, by repeated squaring.
    pub fn powi(&mut self, a: Id, n: i32) -> Id {
        let mut left = n.unsigned_abs();
        let (mut base, mut product) = (a, None);
        while left > 0 {
            if left & 1 == 1 {
                product = Some(match product {
                    Some(p) => self.mul(p, base),
                    None => base,
                });
            }
            left >>= 1;
            if left > 0 {
                base = self.mul(base, base);
            }
        }
        let one = self.number(1.0);
        let power = product.unwrap_or(one);
        if n < 0 { self.div(one, power) } else { power }
    }
}
