//! What follows from a kinetic and a potential energy on velocities.
//!
//! ```text
//! μ = ∂T/∂V        M = ∂μ/∂V        M V' = Q - (∂μ/∂q) q' - ∂μ/∂t
//! SO(3)   Q = μ × w + torque(U - T) + F
//! SE(3)   Q = (m × w + p × v + torque(U - T), p × w - Rᵀ ∂(U - T)/∂x) + F
//! Rⁿ      Q = -∂(U - T)/∂x + F
//! ```
//!
//! The kinetic energy is a polynomial of degree two in the velocities, so that `M` does not depend on
//! them: then the velocities follow from the momenta by elimination.
use super::super::factor::{Role, Space};
use super::super::layout::Frame;
use super::elimination::solve;
use super::{Derivation, Refusal, V3, matrix, part, vector};
use lieflow_formula::graph::{Graph, Id};
use lieflow_formula::{Source, Value};

/// Most velocities that are eliminated in symbols: the work grows with the cube.
const MOST: usize = 60;

impl Derivation<'_> {
    pub(super) fn lagrangian(
        &mut self,
        kinetic: &Source,
        potential: Option<&Source>,
    ) -> Result<(), Refusal> {
        self.refuse_role(
            |role| matches!(role, Role::Momentum(_) | Role::Advected(_)),
            "a velocity: a kinetic energy is a function of velocities",
        )?;
        let pairs = self.velocity_pairs()?;
        let t = self.number(kinetic)?;
        let u = match potential {
            Some(source) => self.number(source)?,
            None => Value::Number(self.graph().number(0.0)),
        };
        let mut velocities = Vec::new();
        for (_, with) in &pairs {
            velocities.extend(self.items(*with).iter().flat_map(Value::ids));
        }
        if velocities.len() > MOST {
            let found = format!("{} velocities", velocities.len());
            return Err(Refusal::new("motion.kinetic", &found, "at most 60 that are coupled"));
        }
        let all = Value::List(velocities.iter().map(|id| Value::Number(*id)).collect());
        let momenta = self.slope(&t, &all).ids();
        let mass = self.mass_matrix(kinetic, &momenta, &velocities)?;
        self.lagrangian_energy(&t, &u, &momenta, &velocities);
        // The potential of the equations is U - T.
        let potential = self.difference(&u, &t);
        let rates = self.time_rate();
        let mut terms = Terms { potential, momenta, next: 0, rates, forces: Vec::new() };
        for (of, with) in &pairs {
            self.generalised_forces(*of, *with, &mut terms)?;
        }
        let moved = self.graph().along(&terms.momenta, &terms.rates);
        let both = terms.forces.iter().zip(moved);
        let right: Vec<Id> = both.map(|(f, m)| self.sheet.graph().sub(*f, m)).collect();
        let (accelerations, pivots) = solve(self.graph(), &mass, &right);
        self.pivots = pivots;
        let mut next = accelerations.into_iter();
        for (_, with) in pairs {
            for (k, v) in self.items(with).into_iter().enumerate() {
                let mut at = self.at(with, k);
                for piece in pieces(&v) {
                    let size = piece.ids().len();
                    let rate = piece.map(&mut |id| next.next().unwrap_or(id));
                    self.shift(piece, at, rate);
                    at += size;
                }
            }
        }
        Ok(())
    }

    /// Every part by itself with its velocity.
    fn velocity_pairs(&self) -> Result<Vec<(usize, usize)>, Refusal> {
        let mut pairs = Vec::new();
        for (of, factor) in self.factors.iter().enumerate() {
            if factor.role != Role::Free {
                continue;
            }
            match factor.space {
                Space::Rotations | Space::Motions | Space::Vectors(_) => {
                    pairs.push((of, self.partner(Role::Velocity(of), "velocity")?));
                }
                Space::Sphere => {
                    let expected = "SO(3), SE(3) or R^n beside `kinetic`; S2 has `mass`";
                    return Err(Refusal::new(format!("state.{}", factor.name), "S2", expected));
                }
                space => {
                    let (key, found) = (format!("state.{}", factor.name), space.name());
                    return Err(Refusal::new(key, &found, "SO(3), SE(3) or R^n"));
                }
            }
        }
        Ok(pairs)
    }

    /// `∂μ/∂V`, which must not depend on the velocities.
    fn mass_matrix(
        &mut self,
        kinetic: &Source,
        momenta: &[Id],
        velocities: &[Id],
    ) -> Result<Vec<Vec<Id>>, Refusal> {
        let mut mass = Vec::new();
        for (i, momentum) in momenta.iter().enumerate() {
            // The lower triangle is enough.
            let row = self.graph().gradient(*momentum, &velocities[..=i]);
            mass.push(row);
        }
        let all: Vec<Id> = mass.concat();
        let read = self.graph().cone(&all);
        if read.iter().any(|id| velocities.contains(id)) {
            let expected = "a kinetic energy of degree two in the velocities";
            let source = kinetic.label().to_string();
            return Err(Refusal::new(source, "another function of them", expected));
        }
        Ok(mass)
    }

    /// `μ·V - T + U`.
    fn lagrangian_energy(&mut self, t: &Value, u: &Value, momenta: &[Id], velocities: &[Id]) {
        let graph = self.graph();
        let mut sum = graph.number(0.0);
        for (m, v) in momenta.iter().zip(velocities) {
            let term = graph.mul(*m, *v);
            sum = graph.add(sum, term);
        }
        let rest = self.difference(&Value::Number(sum), t);
        let energy = rest.add(u, self.graph());
        self.conserve_energy(energy.unwrap_or(rest));
    }

    /// The time moves at the rate one.
    fn time_rate(&mut self) -> Vec<(Id, Id)> {
        match self.sheet.get("t") {
            Some(Value::Number(t)) => vec![(t, self.graph().number(1.0))],
            _ => Vec::new(),
        }
    }

    /// How a part moves, with the rates of its numbers, and the forces on it.
    fn generalised_forces(
        &mut self,
        of: usize,
        with: usize,
        terms: &mut Terms,
    ) -> Result<(), Refusal> {
        let (items, velocities) = (self.items(of), self.items(with));
        let space = self.factors[of].space;
        let wrenches = if space == Space::Motions { self.wrenches(of)? } else { Vec::new() };
        let forces = if space == Space::Motions { Vec::new() } else { self.forces(of)? };
        let size = self.factors[with].size();
        for (k, (q, v)) in items.into_iter().zip(velocities).enumerate() {
            let mu = terms.momenta[terms.next..terms.next + size].to_vec();
            terms.next += size;
            let at = self.at(of, k);
            match space {
                Space::Rotations => {
                    let w = vector(&v);
                    terms.rates.extend(spun(self.graph(), matrix(&q), w));
                    let m = [mu[0], mu[1], mu[2]];
                    let (a, b) = (self.cross(m, w), self.torque(&terms.potential, &q));
                    let sum = self.plus(a, b);
                    terms.forces.extend(self.plus(sum, vector(&forces[k])));
                    let turning = self.graph().apply(matrix(&q), m);
                    self.turning.push(turning);
                    self.spin(q, at, w, Frame::Body);
                }
                Space::Motions => {
                    let (w, b) = (vector(&part(&v, 0)), vector(&part(&v, 1)));
                    let (r, x) = (matrix(&part(&q, 0)), part(&q, 1));
                    terms.rates.extend(spun(self.graph(), r, w));
                    let drift = self.graph().apply(r, b);
                    terms.rates.extend(vector(&x).into_iter().zip(drift));
                    let m = ([mu[0], mu[1], mu[2]], [mu[3], mu[4], mu[5]]);
                    let (a, c) = self.body_rates(&q, m, (w, b), &terms.potential, wrenches[k]);
                    terms.forces.extend(a.into_iter().chain(c));
                    self.twist(&q, at, (w, b), Frame::Body);
                }
                _ => {
                    terms.rates.extend(q.ids().into_iter().zip(v.ids()));
                    let slope = self.slope(&terms.potential, &q);
                    terms.forces.extend(self.difference(&forces[k], &slope).ids());
                    let mut next = mu.iter();
                    let p = q.map(&mut |id| next.next().copied().unwrap_or(id));
                    self.particle_totals(&q, &p);
                    self.shift(q, at, v);
                }
            }
        }
        Ok(())
    }
}

/// What the equations of motion are made of.
struct Terms {
    potential: Value,
    /// `μ`, and how many of them are done.
    momenta: Vec<Id>,
    next: usize,
    /// The rates of the numbers of all places, and of the time.
    rates: Vec<(Id, Id)>,
    /// `Q`.
    forces: Vec<Id>,
}

/// The vectors of a record, or the value itself.
fn pieces(value: &Value) -> Vec<Value> {
    match value {
        Value::Record(fields) => fields.iter().map(|(_, value)| value.clone()).collect(),
        value => vec![value.clone()],
    }
}

/// The rates of the numbers of `R` for `R' = R hat(w)`: rows move by `r × w`.
fn spun(graph: &mut Graph, r: [V3; 3], w: V3) -> Vec<(Id, Id)> {
    let mut rates = Vec::new();
    for row in r {
        rates.extend(row.into_iter().zip(graph.cross(row, w)));
    }
    rates
}
