//! A group of one's own: the maps `x -> a x + b` of the line, with `a > 0`.
//!
//! The law suite says whether exponential, adjoint and differentials fit together. Run it with
//! `cargo run -p lieflow --example own_group`.
use lieflow::action::{Action, Flat};
use lieflow::chart::Chart;
use lieflow::group::{self, LieAlgebra, LieGroup, Rn};
use lieflow::method::rkmk::Rkmk;
use lieflow::problem::{Generator, Problem};
use lieflow::stepping::{Fixed, integrate};
use lieflow::tableau;

/// The map `x -> a x + b`.
#[derive(Clone, Debug)]
pub struct Affine {
    a: f64,
    b: f64,
}

/// An element of its algebra: growth and shift.
#[derive(Clone, Debug)]
pub struct Rate([f64; 2]);

impl LieAlgebra for Rate {
    type Scalar = f64;
    fn dim(&self) -> usize {
        2
    }
    fn coord(&self, i: usize) -> f64 {
        self.0[i]
    }
    fn set_coord(&mut self, i: usize, value: f64) {
        self.0[i] = value;
    }
    fn zero_like(&self) -> Self {
        Self([0.0; 2])
    }
    fn assign(&mut self, a: f64, x: &Self) {
        self.0 = x.0.map(|x| a * x);
    }
    fn axpy(&mut self, a: f64, x: &Self) {
        self.0[0] += a * x.0[0];
        self.0[1] += a * x.0[1];
    }
    fn bracket(&self, x: &Self) -> Self {
        Self([0.0, self.0[0] * x.0[1] - x.0[0] * self.0[1]])
    }
}

/// `(e^x - 1)/x`.
fn growth(x: f64) -> f64 {
    if x.abs() < 1e-5 { 1.0 + x * (0.5 + x / 6.0) } else { x.exp_m1() / x }
}

/// `(growth(x) - 1)/x`.
fn bend(x: f64) -> f64 {
    if x.abs() < 0.1 {
        // The series Σ x^k/(k+2)!.
        (0..12).rev().fold(0.0, |sum, k| sum * x / f64::from(k + 3) + 1.0) * 0.5
    } else {
        (growth(x) - 1.0) / x
    }
}

impl LieGroup for Affine {
    type Algebra = Rate;
    const HAS_CAYLEY: bool = false;
    fn identity(_: &Rate) -> Self {
        Self { a: 1.0, b: 0.0 }
    }
    fn compose(&self, g: &Self) -> Self {
        Self { a: self.a * g.a, b: self.a * g.b + self.b }
    }
    fn inverse(&self) -> Self {
        Self { a: 1.0 / self.a, b: -self.b / self.a }
    }
    fn exp(u: &Rate) -> Self {
        Self { a: u.0[0].exp(), b: u.0[1] * growth(u.0[0]) }
    }
    fn log(&self) -> Rate {
        let rate = self.a.ln();
        Rate([rate, self.b / growth(rate)])
    }
    fn adjoint(&self, v: &Rate) -> Rate {
        Rate([v.0[0], self.a * v.0[1] - self.b * v.0[0]])
    }
    fn dexp(u: &Rate, v: &Rate) -> Rate {
        // ad_u has the eigenvalue u_1 on brackets, so the series is a number.
        let mut out = v.clone();
        out.axpy(bend(u.0[0]), &u.bracket(v));
        out
    }
    fn dexpinv(u: &Rate, v: &Rate) -> Rate {
        let mut out = v.clone();
        out.axpy(-bend(u.0[0]) / growth(u.0[0]), &u.bracket(v));
        out
    }
    // Never called, because there is none.
    fn cay(u: &Rate) -> Self {
        Self::exp(u)
    }
    fn dcayinv(_: &Rate, v: &Rate) -> Rate {
        v.clone()
    }
}

impl Flat for Affine {
    fn distance_squared(&self, other: &Self) -> f64 {
        (self.a - other.a).powi(2) + (self.b - other.b).powi(2)
    }
}

/// How it moves points of the line.
pub struct OnLine;

impl Action for OnLine {
    type Group = Affine;
    type Point = Rn<f64, 1>;
    fn act(g: &Affine, x: &Rn<f64, 1>) -> Rn<f64, 1> {
        Rn([g.a * x.0[0] + g.b])
    }
}

/// A cup that cools in a room whose temperature changes: `x' = -k (x - room(t))`.
pub struct Cup;

impl Problem for Cup {
    type Point = Rn<f64, 1>;
    fn start(&self) -> Rn<f64, 1> {
        Rn([90.0])
    }
}

impl Generator for Cup {
    type Space = OnLine;
    fn field(&self, t: f64, _: &Rn<f64, 1>) -> Rate {
        let room = 20.0 + 5.0 * t.sin();
        Rate([-10.0, 10.0 * room])
    }
}

/// Checks the laws, and integrates with steps that are large for the cooling.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let samples: Vec<Rate> = [[0.0, 0.0], [1e-9, 1.0], [0.3, -0.7], [-1.2, 0.4], [2.0, 3.0]]
        .into_iter()
        .map(Rate)
        .collect();
    let report = group::laws::check::<Affine>(&samples)?;
    println!(
        "{} laws hold, at {:.0} % of the bound",
        report.findings.len(),
        100.0 * report.worst()
    );
    let mut method = Rkmk::new(&tableau::RK4, Chart::Exp);
    let end = integrate(&Cup, &mut method, &mut Fixed::new(), (0.0, 10.0), 0.2, &mut ())?;
    println!("x({}) = {:.6}", end.t, end.state.0[0]);
    Ok(())
}
