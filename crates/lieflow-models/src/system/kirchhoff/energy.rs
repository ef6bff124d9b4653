//! The energy of a body in a fluid by formula: `H(t, Π, P)`, with velocities `(W, V) = dH/d(Π, P)`.
//!
//! Kept apart from the engines, so that the built-in energy pays nothing for it.
use lieflow::Real;
use lieflow::group::Twist;
use lieflow::kernel::linalg::solve_in_place;
use lieflow_formula::{Error, Formula, Kind, Program, Sheet, Value};

/// The energy with its numbers.
#[derive(Clone, Debug)]
pub struct Energy<S> {
    formula: Formula<S>,
    timed: bool,
}

/// Entries of the program.
const VALUE: usize = 0;
const VELOCITY: usize = 1;
const HESSIAN: usize = 2;

/// Newton's method for the momentum of a velocity settles in a few rounds, or not at all.
const ROUNDS: usize = 50;

/// The program of an energy: its value, its gradient and its Hessian.
pub(super) fn program(mut sheet: Sheet, label: &str, text: &str) -> Result<Program, Error> {
    let energy = sheet.formula_of(label, text, &Kind::Number)?;
    let parts = ["m", "p"].map(|name| sheet.get(name).unwrap_or(Value::Zero));
    let state = Value::List(parts.into());
    let velocity = sheet.gradient(&energy, &state).unwrap_or(Value::Zero);
    let hessian = sheet.jacobian(&velocity, &state).unwrap_or(Value::Zero);
    sheet.program(&[("energy", &energy), ("velocity", &velocity), ("hessian", &hessian)])
}

impl<S: Real> Energy<S> {
    /// From a program that [`program`] has made.
    pub(super) fn new(formula: Formula<S>) -> Self {
        let timed = formula.program().reads(VALUE, "t");
        Self { formula, timed }
    }
    /// The same energy over other numbers.
    pub(super) fn lift<T: Real>(&self, embed: fn(S) -> T) -> Energy<T> {
        Energy { formula: self.formula.lift(embed), timed: self.timed }
    }
    /// Several energies of one program side by side, one for each lane.
    pub fn gather(list: &[&Energy<S::Lane>]) -> Option<Self> {
        let formulas: Vec<_> = list.iter().map(|energy| &energy.formula).collect();
        Some(Self { formula: Formula::gather(&formulas)?, timed: list.first()?.timed })
    }
    /// Whether it depends on time.
    pub fn is_timed(&self) -> bool {
        self.timed
    }
    /// The times of all lanes.
    #[inline]
    pub(super) fn set_times(&mut self, t: S) {
        self.formula.set_times(t);
    }
    /// `H`.
    #[inline(never)]
    pub(super) fn value(&self, t: f64, y: &Twist<S>) -> S {
        let [value] = self.formula.call(VALUE, &inputs(t, y));
        value
    }
    /// `(W, V)`.
    #[inline(never)]
    pub(super) fn velocity(&self, t: f64, y: &Twist<S>) -> Twist<S> {
        twist(self.formula.call(VELOCITY, &self.formula.at_times(inputs(t, y))))
    }
    /// The momentum with this velocity, near a guess; not a number where there is none.
    #[inline(never)]
    pub(super) fn momentum(&self, w: &Twist<S>, guess: &Twist<S>) -> Twist<S> {
        let mut y = *guess;
        let (mut before, mut rounds_left) = (f64::INFINITY, None);
        for _ in 0..ROUNDS {
            let v = self.velocity(0.0, &y);
            let mut step = array(&Twist::new(v.angular - w.angular, v.linear - w.linear));
            let mut hessian: [S; 36] = self.formula.call(HESSIAN, &inputs(0.0, &y));
            solve_in_place(6, &mut hessian, &mut step);
            let step = twist(step);
            y = Twist::new(y.angular - step.angular, y.linear - step.linear);
            // Once the numbers stand still, each round settles one more order of the derivatives
            // that they carry.
            let size = step.angular.norm_squared() + step.linear.norm_squared();
            let size = size.magnitude().sqrt();
            let scale = y.angular.norm_squared() + y.linear.norm_squared();
            let size = size / scale.magnitude().sqrt();
            let still = size <= 1e-15 || size >= before && size < 1e-10;
            rounds_left = match rounds_left {
                None if still => Some(S::DERIVATIVES),
                Some(n) => Some(n - 1),
                None => None,
            };
            if rounds_left == Some(0) {
                return y;
            }
            before = size;
        }
        let nothing = S::lift(f64::NAN);
        twist([nothing; 6])
    }
}

impl Energy<f64> {
    /// Where the formula breaks down, if it does.
    pub(super) fn breakdown(&self, t: f64, y: &Twist<f64>) -> Option<String> {
        let place = |entry| self.formula.locate(entry, &inputs(t, y));
        [VALUE, VELOCITY].into_iter().find_map(place).map(|breakdown| breakdown.to_string())
    }
    /// Whether velocities near this state determine the momenta.
    pub(super) fn is_regular(&self, y: &Twist<f64>) -> bool {
        let v = self.velocity(0.0, y);
        let near = Twist::new(v.angular * 1.1, v.linear * 0.9);
        array(&self.momentum(&near, y)).iter().all(|x| x.is_finite())
    }
}

#[inline(always)]
fn array<S: Real>(y: &Twist<S>) -> [S; 6] {
    let (m, p) = (y.angular, y.linear);
    [m.x, m.y, m.z, p.x, p.y, p.z]
}

#[inline(always)]
fn twist<S: Real>([a, b, c, d, e, f]: [S; 6]) -> Twist<S> {
    Twist::new([a, b, c].into(), [d, e, f].into())
}

/// Copied, so that the caller may keep the state in registers.
#[inline(always)]
fn inputs<S: Real>(t: f64, y: &Twist<S>) -> [S; 7] {
    let [a, b, c, d, e, f] = array(y);
    [a, b, c, d, e, f, S::lift(t)]
}
