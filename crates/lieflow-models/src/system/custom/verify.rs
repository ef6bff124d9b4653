//! Derived things are tested, not believed: the rate of what should be conserved vanishes at random
//! states.
use super::factor::{Role, Space};
use super::group::{matrix, put, put_matrix, vector};
use super::shape::Shape;
use lieflow::kernel::so3;
use lieflow::{Vec3, vec3};
use lieflow_formula::Formula;

/// How many states are tried.
const STATES: u64 = 6;
/// The largest rate, beside its largest term.
const SMALL: f64 = 1e-12;

/// Repeatable numbers between -1 and 1 (splitmix64).
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    /// Numbers that belong to a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn vector(&mut self) -> Vec3<f64> {
        vec3(self.number(), self.number(), self.number())
    }
}

impl Shape {
    /// A state on the manifold not far from another one: attitudes and directions are turned, vectors
    /// changed by up to a third of their size and of one.
    pub fn random_state(&self, around: &[f64], draw: &mut Draw) -> Vec<f64> {
        let mut y = around.to_vec();
        for (factor, at) in self.factors.iter().zip(&self.places) {
            for at in (0..factor.items()).map(|k| at + k * factor.size()) {
                match factor.space {
                    Space::Rotations => turn_matrix(&mut y, at, draw),
                    Space::Motions => {
                        turn_matrix(&mut y, at, draw);
                        vary(&mut y[at + 9..at + 12], draw);
                    }
                    Space::Sphere | Space::Momenta { unit: true } => {
                        let turned = so3::rotate(draw.vector(), vector(&y, at));
                        put(&mut y, at, turned);
                    }
                    _ => vary(&mut y[at..at + factor.size()], draw),
                }
            }
        }
        // Velocities on spheres are tangent.
        for (factor, at) in self.factors.iter().zip(&self.places) {
            let Role::Velocity(of) = factor.role else { continue };
            if self.factors[of].space == Space::Sphere {
                for k in 0..factor.items() {
                    let q = vector(&y, self.places[of] + 3 * k);
                    let v = vector(&y, at + 3 * k);
                    put(&mut y, at + 3 * k, v - q * q.dot(v));
                }
            }
        }
        y
    }

    /// Which of the candidates are conserved, with these parameters.
    pub(super) fn conserved(&self, formula: &Formula<f64>, start: &[f64]) -> Vec<usize> {
        let mut draw = Draw::new(7);
        let states: Vec<Vec<f64>> = (0..STATES)
            .map(|_| {
                let mut y = self.random_state(start, &mut draw);
                y.push(2.0 * draw.number());
                y
            })
            .collect();
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

fn turn_matrix(y: &mut [f64], at: usize, draw: &mut Draw) {
    let r = matrix(y, at).matmul(&so3::exp(draw.vector()));
    put_matrix(y, at, &r);
}

fn vary(numbers: &mut [f64], draw: &mut Draw) {
    for x in numbers {
        *x += (1.0 + x.abs()) * draw.number() / 3.0;
    }
}
