//! Random numbers, graphs and formulas that are the same in every run.
use lieflow_formula::graph::{Graph, Id, Op};

pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    pub fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 33) % n as u64) as usize
    }
    pub fn number(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// How often, from the environment.
pub fn count(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|x| x.parse().ok()).unwrap_or(usual)
}

/// Random operations on `leaves`, in which the latest nodes are the likeliest operands.
pub fn grow(draw: &mut Draw, g: &mut Graph, leaves: &[Id], size: usize, calls: bool) -> Vec<Id> {
    let mut ids = leaves.to_vec();
    for _ in 0..size {
        let mut pick = || {
            let back = draw.below(ids.len()).min(draw.below(ids.len()));
            ids[ids.len() - 1 - back]
        };
        let (a, b, c, d) = (pick(), pick(), pick(), pick());
        let id = match draw.below(if calls { 22 } else { 14 }) {
            0..=2 => g.add(a, b),
            3..=4 => g.sub(a, b),
            5..=8 => g.mul(a, b),
            9 => g.div(a, b),
            10 => g.neg(a),
            11 => g.abs(a),
            12 => g.put(Op::Sqrt(a)),
            13 => g.select(a, b, c, d),
            14 => g.put(Op::Sin(a)),
            15 => g.put(Op::Cos(a)),
            16 => g.put(Op::Exp(a)),
            17 => g.put(Op::Ln(a)),
            18 => g.put(Op::Atan2(a, b)),
            19 => g.put(Op::Tanh(a)),
            20 => g.put(Op::Floor(a)),
            _ => g.guard(a, b),
        };
        ids.push(id);
    }
    ids
}

/// A random formula over `R`, `v`, `x`, `k` and `t` that is finite and tame wherever these are between
/// minus two and two.
pub fn formula(draw: &mut Draw, depth: usize) -> String {
    if depth == 0 {
        return match draw.below(9) {
            0 => format!("{:.3}", draw.number(0.1, 2.0)),
            1 => "k".into(),
            2 => "t".into(),
            3 => "x".into(),
            4 => format!("v{}", 1 + draw.below(3)),
            5 => format!("dot({}, {})", vector(draw), vector(draw)),
            6 => "trace(R)".into(),
            _ => format!("R{}{}", 1 + draw.below(3), 1 + draw.below(3)),
        };
    }
    let mut part = || formula(draw, depth - 1);
    let (a, b) = (part(), part());
    match draw.below(20) {
        0..=3 => format!("({a} + {b})"),
        4..=5 => format!("({a} - {b})"),
        6..=9 => format!("({a})*({b})/4"),
        10 => format!("sin({a})"),
        11 => format!("cos({a})"),
        12 => format!("exp(-({a})^2/8)"),
        13 => format!("sqrt(1 + ({a})^2)"),
        14 => format!("log(2 + ({a})^2)"),
        15 => format!("({a})/(1.5 + ({b})^2)"),
        16 => format!("atan2({a}, 2 + ({b})^2)"),
        17 => format!("tanh({a})"),
        18 => format!("sinh(sin({a}))*({b})"),
        _ => format!("if({a} < {b}, {a}, sin({b}))"),
    }
}

pub fn vector(draw: &mut Draw) -> &'static str {
    draw.pick(&["v", "R*e1", "R'*v", "cross(v, R*e3)", "e2", "normalise(v + 4*e1)", "axial(R)"])
}
