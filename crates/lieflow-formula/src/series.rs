//! Tapes over power series in time, one order after the other.
//!
//! Where the inputs of a formula are known as series up to an order, so are its results; where they
//! solve a differential equation, the results of one order give the inputs of the next. So each order
//! of each step costs one sum of products, and a whole expansion to order `N` about `N²/2` for each
//! product of the formula (Moore 1966; Jorba and Zou 2005, section 2).
//!
//! ```text
//! c = a b      c_k = Σ a_j b_{k-j}
//! c = a / b    c_k = (a_k - Σ_{j<k} c_j b_{k-j}) / b_0
//! c = √a       c_k = (a_k - Σ_{0<j<k} c_j c_{k-j}) / 2 c_0
//! c = exp a    k c_k = Σ j a_j c_{k-j}               s = sin a    k s_k = Σ j a_j c_{k-j}
//! c = ln a     k a_0 c_k = k a_k - Σ_{j<k} j c_j a_{k-j}     c = cos a    k c_k = -Σ j a_j s_{k-j}
//! ```
use crate::formula::Formula;
use lieflow_kernel::Real;
use lieflow_kernel::tape::{Code, Instruction, cosh, sinh, tanh};
use lieflow_kernel::wide::{VectorWork, Vectors, run_vectorised};

/// Where the series of a number stands.
type Slot = usize;

/// An instruction whose result has a place of its own.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Signed products and terms.
    Sum {
        products: [(f64, Slot, Slot); 3],
        terms: [(f64, Slot); 3],
        counts: (usize, usize),
    },
    Div(Slot, Slot),
    Sqrt(Slot),
    Exp(Slot),
    Ln(Slot),
    /// The sine; the cosine follows.
    SinCos(Slot),
    /// The hyperbolic sine; the cosine follows.
    Hyperbolic(Slot),
    /// The hyperbolic tangent; one minus its square follows.
    Tanh(Slot),
    /// The angle of the point `(x, y)`; `x² + y²` follows.
    Atan2 {
        y: Slot,
        x: Slot,
    },
    Abs(Slot),
    Floor(Slot),
    Select([Slot; 4]),
    Guard(Slot, Slot),
}

/// An entry of a formula, over series.
#[derive(Clone, Debug)]
pub struct SeriesTape {
    steps: Vec<(Step, Slot)>,
    /// The inputs that are read, each with its place.
    read: Vec<(usize, Slot)>,
    outputs: Vec<Slot>,
    /// Which places hold the same number at all times.
    fixed: Vec<bool>,
    /// All series, those of a place one after the other.
    numbers: Vec<f64>,
    /// One more than the highest order.
    length: usize,
}

impl SeriesTape {
    /// An entry of a formula, up to an order; nothing if there is no such entry.
    pub fn new(formula: &Formula<f64>, entry: usize, order: usize) -> Option<Self> {
        let (tape, _) = formula.tape(entry)?;
        let mut place: Vec<Slot> = (0..tape.file.len()).collect();
        let mut fixed = vec![true; tape.file.len()];
        fixed.iter_mut().take(tape.read.len()).for_each(|x| *x = false);
        let mut steps = Vec::new();
        for instruction in tape.code {
            unfold(instruction, &mut place, &mut fixed, &mut steps);
        }
        let length = order + 1;
        let mut numbers = vec![0.0; fixed.len() * length];
        for (k, x) in tape.file.iter().enumerate() {
            numbers[k * length] = *x;
        }
        let read = tape.read.iter().enumerate().map(|(slot, input)| (*input as usize, slot));
        let outputs = tape.outputs.iter().map(|x| place[usize::from(*x)]);
        Some(Self {
            steps,
            read: read.collect(),
            outputs: outputs.collect(),
            fixed,
            numbers,
            length,
        })
    }

    /// The terms of order `k` of the results, from those of the inputs; all orders before must have
    /// been asked for. Nothing happens beyond the highest order.
    pub fn order(&mut self, k: usize, input: impl Fn(usize) -> f64, out: &mut [f64]) {
        if k >= self.length {
            return;
        }
        for (from, slot) in &self.read {
            self.numbers[slot * self.length + k] = input(*from);
        }
        run_vectorised::<f64, _>(Order { tape: self, k });
        for (slot, x) in self.outputs.iter().zip(out) {
            *x = self.numbers[slot * self.length + k];
        }
    }

    #[inline(always)]
    fn at(&self, slot: Slot, k: usize) -> f64 {
        self.numbers[slot * self.length + k]
    }
    #[inline(always)]
    fn set(&mut self, slot: Slot, k: usize, x: f64) {
        self.numbers[slot * self.length + k] = x;
    }
    #[inline(always)]
    fn series(&self, slot: Slot, k: usize) -> &[f64] {
        &self.numbers[slot * self.length..slot * self.length + k + 1]
    }
    /// `Σ a_j b_{k-j}`.
    #[inline(always)]
    fn product(&self, a: Slot, b: Slot, k: usize) -> f64 {
        match (self.fixed[a], self.fixed[b]) {
            (true, _) => self.at(a, 0) * self.at(b, k),
            (_, true) => self.at(a, k) * self.at(b, 0),
            _ => convolve(self.series(a, k), self.series(b, k)),
        }
    }
    /// `Σ_{0<j<k} a_j b_{k-j}`.
    #[inline(always)]
    fn inner(&self, a: Slot, b: Slot, k: usize) -> f64 {
        if k < 2 {
            return 0.0;
        }
        convolve(&self.series(a, k - 1)[1..], &self.series(b, k - 1)[1..])
    }
    /// `Σ_{0<j<=k} j a_j b_{k-j}`, over `k`.
    #[inline(always)]
    fn driven(&self, a: Slot, b: Slot, k: usize) -> f64 {
        let (a, b) = (self.series(a, k), self.series(b, k));
        let mut sum = 0.0;
        for j in 1..=k {
            sum += j as f64 * a[j] * b[k - j];
        }
        sum / k as f64
    }

    #[inline(always)]
    fn step(&mut self, step: &Step, to: Slot, k: usize) {
        let at = |slot| self.at(slot, k);
        let value = match *step {
            Step::Sum { ref products, ref terms, counts } => {
                let mut sum = 0.0;
                for (sign, a, b) in &products[..counts.0] {
                    sum += sign * self.product(*a, *b, k);
                }
                for (sign, a) in &terms[..counts.1] {
                    sum += sign * at(*a);
                }
                sum
            }
            Step::Div(a, b) if k == 0 || self.fixed[b] => at(a) / self.at(b, 0),
            Step::Div(a, b) => {
                let known = self.at(to, 0) * at(b) + self.inner(to, b, k);
                (at(a) - known) / self.at(b, 0)
            }
            Step::Sqrt(a) if k == 0 => Real::sqrt(at(a)),
            Step::Sqrt(a) => (at(a) - self.inner(to, to, k)) / (2.0 * self.at(to, 0)),
            Step::Exp(a) if k == 0 => Real::exp(at(a)),
            Step::Exp(a) => self.driven(a, to, k),
            Step::Ln(a) if k == 0 => Real::ln(at(a)),
            Step::Ln(a) => {
                let (c, s) = (self.series(to, k), self.series(a, k));
                let known: f64 = (1..k).map(|j| j as f64 * c[j] * s[k - j]).sum();
                (s[k] - known / k as f64) / s[0]
            }
            Step::SinCos(a) => {
                let (sin, cos) = match k {
                    0 => Real::sin_cos(at(a)),
                    _ => (self.driven(a, to + 1, k), -self.driven(a, to, k)),
                };
                self.set(to + 1, k, cos);
                sin
            }
            Step::Hyperbolic(a) => {
                let (sine, cosine) = match k {
                    0 => (sinh(at(a)), cosh(at(a))),
                    _ => (self.driven(a, to + 1, k), self.driven(a, to, k)),
                };
                self.set(to + 1, k, cosine);
                sine
            }
            Step::Tanh(a) => {
                let value = if k == 0 { tanh(at(a)) } else { self.driven(a, to + 1, k) };
                self.set(to, k, value);
                let square = convolve(self.series(to, k), self.series(to, k));
                self.set(to + 1, k, if k == 0 { 1.0 - square } else { -square });
                value
            }
            Step::Atan2 { y, x } => {
                let squares = self.product(x, x, k) + self.product(y, y, k);
                self.set(to + 1, k, squares);
                if k == 0 {
                    Real::atan2(self.at(y, 0), self.at(x, 0))
                } else {
                    let turned = self.driven(y, x, k) - self.driven(x, y, k);
                    let (c, r) = (self.series(to, k), self.series(to + 1, k));
                    let known: f64 = (1..k).map(|j| j as f64 * c[j] * r[k - j]).sum();
                    (turned - known / k as f64) / r[0]
                }
            }
            Step::Abs(a) if self.at(a, 0) < 0.0 => -at(a),
            Step::Abs(a) => at(a),
            Step::Floor(a) if k == 0 => Real::floor(at(a)),
            Step::Floor(_) => 0.0,
            Step::Select([a, b, c, _]) if self.at(a, 0) < self.at(b, 0) => at(c),
            Step::Select([.., d]) => at(d),
            Step::Guard(a, b) if self.at(a, 0) > 0.0 => at(b),
            Step::Guard(..) => f64::NAN,
        };
        self.set(to, k, value);
    }
}

/// The steps of one order.
struct Order<'a> {
    tape: &'a mut SeriesTape,
    k: usize,
}

impl VectorWork for Order<'_> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(self) {
        let Self { tape, k } = self;
        let steps = std::mem::take(&mut tape.steps);
        for (step, to) in &steps {
            // What never changes has no terms of higher order.
            if k == 0 || !tape.fixed[*to] {
                tape.step(step, *to, k);
            }
        }
        tape.steps = steps;
    }
}

/// `Σ a_j b_{n-j}` for two lists of the same length, in four sums, so that a processor works on
/// several at a time.
#[inline(always)]
pub fn convolve(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (fours, rest) = a.as_chunks::<4>();
    let (left, back) = b.as_rchunks::<4>();
    for (x, y) in fours.iter().zip(back.iter().rev()) {
        for i in 0..4 {
            sums[i] += x[i] * y[3 - i];
        }
    }
    for (x, y) in rest.iter().zip(left.iter().rev()) {
        sums[0] += x * y;
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// Turns an instruction over registers into steps with places of their own.
fn unfold(
    instruction: &Instruction,
    place: &mut [Slot],
    fixed: &mut Vec<bool>,
    steps: &mut Vec<(Step, Slot)>,
) {
    let register = |x: u16| usize::from(x) & (place.len() - 1);
    let [a, b, c, d, e, f] = instruction.from.map(|x| place[register(x)]);
    let to = register(instruction.to);
    let second = register(instruction.from[1]);
    // A result is fixed if all that it is made of is.
    let mut put = |step: Step, from: &[Slot], places: usize| {
        let slot = fixed.len();
        let still = from.iter().all(|x| fixed[*x]);
        fixed.extend(std::iter::repeat_n(still, places));
        steps.push((step, slot));
        slot
    };
    let sum = |products: &[(f64, Slot, Slot)], terms: &[(f64, Slot)]| {
        let mut all = ([(0.0, 0, 0); 3], [(0.0, 0); 3]);
        all.0[..products.len()].copy_from_slice(products);
        all.1[..terms.len()].copy_from_slice(terms);
        Step::Sum { products: all.0, terms: all.1, counts: (products.len(), terms.len()) }
    };
    let (plus, minus) = (1.0, -1.0);
    let slot = match instruction.code.single() {
        Code::Add => put(sum(&[], &[(plus, a), (plus, b)]), &[a, b], 1),
        Code::Sub => put(sum(&[], &[(plus, a), (minus, b)]), &[a, b], 1),
        Code::Mul => put(sum(&[(plus, a, b)], &[]), &[a, b], 1),
        Code::Div => put(Step::Div(a, b), &[a, b], 1),
        Code::Neg => put(sum(&[], &[(minus, a)]), &[a], 1),
        Code::Sqrt => put(Step::Sqrt(a), &[a], 1),
        Code::SinCos => {
            let slot = put(Step::SinCos(a), &[a], 2);
            place[second] = slot + 1;
            slot
        }
        Code::Exp => put(Step::Exp(a), &[a], 1),
        Code::Ln => put(Step::Ln(a), &[a], 1),
        Code::Abs => put(Step::Abs(a), &[a], 1),
        Code::Atan2 => put(Step::Atan2 { y: a, x: b }, &[a, b], 2),
        Code::Sinh => put(Step::Hyperbolic(a), &[a], 2),
        Code::Cosh => put(Step::Hyperbolic(a), &[a], 2) + 1,
        Code::Tanh => put(Step::Tanh(a), &[a], 2),
        Code::Floor => put(Step::Floor(a), &[a], 1),
        Code::Select => put(Step::Select([a, b, c, d]), &[a, b, c, d], 1),
        Code::Guard => put(Step::Guard(a, b), &[a, b], 1),
        Code::Sum3 => put(sum(&[], &[(plus, a), (plus, b), (plus, c)]), &[a, b, c], 1),
        Code::Product3 => {
            let first = put(sum(&[(plus, a, b)], &[]), &[a, b], 1);
            put(sum(&[(plus, first, c)], &[]), &[a, b, c], 1)
        }
        Code::MulAdd => put(sum(&[(plus, a, b)], &[(plus, c)]), &[a, b, c], 1),
        Code::MulSub => put(sum(&[(plus, a, b)], &[(minus, c)]), &[a, b, c], 1),
        Code::SubMul => put(sum(&[(minus, a, b)], &[(plus, c)]), &[a, b, c], 1),
        Code::Dot2 => put(sum(&[(plus, a, b), (plus, c, d)], &[]), &[a, b, c, d], 1),
        Code::Dot2Add => put(sum(&[(plus, a, b), (plus, c, d)], &[(plus, e)]), &[a, b, c, d, e], 1),
        Code::Dot3 => {
            put(sum(&[(plus, a, b), (plus, c, d), (plus, e, f)], &[]), &[a, b, c, d, e, f], 1)
        }
        Code::Cross => put(sum(&[(plus, a, b), (minus, c, d)], &[]), &[a, b, c, d], 1),
        Code::CrossAdd => {
            put(sum(&[(plus, a, b), (minus, c, d)], &[(plus, e)]), &[a, b, c, d, e], 1)
        }
        // Rows are taken one by one.
        _ => place[to],
    };
    // The sine is written last, over the cosine where nobody wants that.
    place[to] = slot;
}
