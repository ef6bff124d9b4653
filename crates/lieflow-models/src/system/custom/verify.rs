//! Derived things are tested, not believed: the rate of what should be conserved vanishes at random
//! states.
use super::factor::{Factor, Role, Space, places};
use super::group::{matrix, put, put_matrix, vector};
use super::shape::Shape;
use crate::formulas::Chance;
use lieflow::kernel::so3;
use lieflow_formula::Formula;

/// How many states are tried.
const STATES: u64 = 6;
/// The largest rate, beside its largest term.
const SMALL: f64 = 1e-12;

/// The state of a system with these parts, changed by about this distance from another one: attitudes
/// and directions are turned, vectors changed by so much of their size.
pub(super) fn random_state(
    factors: &[Factor],
    around: &[f64],
    distance: f64,
    chance: &mut Chance,
) -> Vec<f64> {
    let mut y = around.to_vec();
    let (places, _) = places(factors);
    for (factor, at) in factors.iter().zip(&places) {
        for at in (0..factor.items()).map(|k| at + k * factor.size()) {
            match factor.space {
                Space::Rotations => turn_matrix(&mut y, at, distance, chance),
                Space::Motions => {
                    turn_matrix(&mut y, at, distance, chance);
                    vary(&mut y[at + 9..at + 12], distance, chance);
                }
                Space::Sphere | Space::Momenta { unit: true } => {
                    let turned = so3::rotate(chance.vector() * distance, vector(&y, at));
                    put(&mut y, at, turned);
                }
                _ => vary(&mut y[at..at + factor.size()], distance, chance),
            }
        }
    }
    // Velocities on spheres are tangent.
    for (factor, at) in factors.iter().zip(&places) {
        let Role::Velocity(of) = factor.role else { continue };
        if factors[of].space == Space::Sphere {
            for k in 0..factor.items() {
                let q = vector(&y, places[of] + 3 * k);
                let v = vector(&y, at + 3 * k);
                put(&mut y, at + 3 * k, v - q * q.dot(v));
            }
        }
    }
    y
}

impl Shape {
    /// Which of the candidates are conserved, with these parameters.
    pub(super) fn conserved(&self, formula: &Formula<f64>, start: &[f64]) -> Vec<usize> {
        let mut chance = Chance(7);
        let state = |_| {
            let mut y = random_state(&self.factors, start, 0.3, &mut chance);
            y.push(chance.normal());
            y
        };
        let states: Vec<Vec<f64>> = (0..STATES).map(state).collect();
        let keeps = |candidate: &usize| {
            let c = &self.candidates[*candidate];
            let size = self.program.kind(c.terms).map_or(0, |kind| kind.size());
            let (mut terms, mut scratch, mut seen) = (vec![0.0; size], Vec::new(), 0);
            for y in &states {
                let mut rate = [0.0];
                formula.eval(c.rate, y, &mut rate, &mut scratch);
                formula.eval(c.terms, y, &mut terms, &mut scratch);
                let scale = terms.iter().fold(f64::MIN_POSITIVE, |m: f64, x| m.max(x.abs()));
                if !(rate[0].is_finite() && scale.is_finite()) {
                    continue;
                }
                if rate[0].abs() > SMALL * scale {
                    return false;
                }
                seen += 1;
            }
            2 * seen > STATES
        };
        (0..self.candidates.len()).filter(keeps).collect()
    }
}

fn turn_matrix(y: &mut [f64], at: usize, distance: f64, chance: &mut Chance) {
    let r = matrix(y, at).matmul(&so3::exp(chance.vector() * distance));
    put_matrix(y, at, &r);
}

fn vary(numbers: &mut [f64], distance: f64, chance: &mut Chance) {
    let size = numbers.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
    let scale = distance * if size > 0.0 { size } else { 1.0 };
    numbers.iter_mut().for_each(|x| *x += scale * chance.normal());
}
