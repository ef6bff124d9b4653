//! All order conditions of the tables for linear problems, those of fields that do not commute too.
//!
//! A field `A = sum_n a_n x^(n-1)`, with `x` the time from the middle of a step of length one, has the
//! solution `sum over words of integrals`, in which the letter `a_n` has the weight `n`. A method has
//! order `p` if all words up to the weight `p` have the right coefficients.
use lieflow::method::magnus::MEMBERS;
use lieflow::tableau::MagnusTable;
use std::collections::BTreeMap;

/// A sum of words, cut behind a weight.
#[derive(Clone)]
struct Words {
    cut: u8,
    terms: BTreeMap<Vec<u8>, f64>,
}

fn weight(word: &[u8]) -> u8 {
    word.iter().sum()
}

impl Words {
    fn new(cut: u8, terms: impl IntoIterator<Item = (Vec<u8>, f64)>) -> Self {
        Self { cut, terms: terms.into_iter().filter(|(w, _)| weight(w) <= cut).collect() }
    }
    fn add(&mut self, a: f64, x: &Self) {
        for (word, value) in &x.terms {
            *self.terms.entry(word.clone()).or_default() += a * value;
        }
    }
    fn combined(cut: u8, weights: &[f64], list: &[Self]) -> Self {
        let mut sum = Self::new(cut, []);
        weights.iter().zip(list).for_each(|(a, x)| sum.add(*a, x));
        sum
    }
    fn times(&self, x: &Self) -> Self {
        let mut out = Self::new(self.cut, []);
        for (a, p) in &self.terms {
            for (b, q) in &x.terms {
                if weight(a) + weight(b) <= self.cut {
                    *out.terms.entry([&a[..], b].concat()).or_default() += p * q;
                }
            }
        }
        out
    }
    fn bracket(&self, x: &Self) -> Self {
        let mut out = self.times(x);
        out.add(-1.0, &x.times(self));
        out
    }
    fn exp(&self) -> Self {
        let one = Self::new(self.cut, [(Vec::new(), 1.0)]);
        let (mut sum, mut power) = (one.clone(), one);
        for k in 1..=self.cut {
            power = Self::combined(self.cut, &[1.0 / f64::from(k)], &[power.times(self)]);
            sum.add(1.0, &power);
        }
        sum
    }
}

/// The solution at the end of the step, the latest letter first.
fn solution(cut: u8) -> Words {
    let mut all = vec![(Vec::new(), vec![1.0])];
    let mut done = 0;
    while done < all.len() {
        let (word, polynomial): (Vec<u8>, Vec<f64>) = all[done].clone();
        for letter in 1..=cut.saturating_sub(weight(&word)) {
            let mut integral = vec![0.0; usize::from(letter)];
            for (k, c) in polynomial.iter().enumerate() {
                integral.push(c / (k + usize::from(letter)) as f64);
            }
            integral[0] = -value(&integral, -0.5);
            all.push(([&[letter][..], &word].concat(), integral));
        }
        done += 1;
    }
    Words::new(cut, all.into_iter().map(|(word, p)| (word, value(&p, 0.5))))
}

fn value(polynomial: &[f64], x: f64) -> f64 {
    polynomial.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

fn step(table: &MagnusTable, cut: u8) -> Words {
    let field = |c: &f64| {
        let letter = |n: u8| (vec![n], (c - 0.5).powi(i32::from(n) - 1));
        Words::new(cut, (1..=cut).map(letter))
    };
    let fields: Vec<_> = table.c.iter().map(field).collect();
    let mut terms: Vec<_> =
        table.moments.iter().map(|row| Words::combined(cut, row, &fields)).collect();
    for bracket in table.brackets {
        let [left, right] =
            [bracket.left, bracket.right].map(|row| Words::combined(cut, row, &terms));
        terms.push(left.bracket(&right));
    }
    let one = Words::new(cut, [(Vec::new(), 1.0)]);
    let exps = table.factors.iter().map(|row| Words::combined(cut, row, &terms).exp());
    exps.fold(one, |before, next| next.times(&before))
}

/// The largest error of the words of each weight.
fn errors(table: &MagnusTable, cut: u8) -> Vec<f64> {
    let (exact, mut made) = (solution(cut), step(table, cut));
    made.add(-1.0, &exact);
    let mut list = vec![0f64; usize::from(cut) + 1];
    for (word, error) in &made.terms {
        let worst = &mut list[usize::from(weight(word))];
        *worst = worst.max(error.abs());
    }
    list
}

#[test]
fn every_table_has_its_order_and_no_more() {
    for (card, table) in &MEMBERS {
        let order = usize::from(card.order);
        let errors = errors(table, card.order + 1);
        let worst = errors[..=order].iter().fold(0.0, |a: f64, b| a.max(*b));
        assert!(worst < 1e-14, "{}: {errors:?}", card.id);
        assert!(errors[order + 1] > 1e-6, "{}: {errors:?}", card.id);
    }
}
