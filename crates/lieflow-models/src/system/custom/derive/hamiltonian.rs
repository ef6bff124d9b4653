//! What follows from an energy on momenta.
//!
//! ```text
//! T*SO(3)         R' = R hat(w)            P' = P × w + T + F          w = ∂H/∂P
//! T*SE(3)         X' = X (w, v)            m' = m × w + p × v + T + F  p' = p × w - Rᵀ ∂H/∂x + F
//! T*Rⁿ            x' = ∂H/∂p               p' = -∂H/∂x + F
//! so(3)*, S²      m' = m × ∂H/∂m + Σ p × ∂H/∂p        p' = p × ∂H/∂m
//! ```
//!
//! `T` is the torque of the energy in the body. The last line is Lie–Poisson, with vectors that are
//! carried along; se(3)* is so(3)* with one of them.
use super::super::factor::{Role, Space};
use super::super::layout::{Block, Frame};
use super::{Derivation, Pair, Refusal, V3, matrix, part, vector};
use lieflow_formula::{Rate, Source, Value};

/// A vector of the state: itself, and where it stands.
pub(super) type Vector = (Value, usize);

impl Derivation<'_> {
    pub(super) fn hamiltonian(&mut self, source: &Source) -> Result<(), Refusal> {
        self.refuse_role(
            |role| matches!(role, Role::Velocity(_)),
            "a momentum: a Hamiltonian is a function of momenta",
        )?;
        let energy = self.number(source)?;
        self.conserve_energy(energy.clone());
        for of in 0..self.factors.len() {
            if self.factors[of].role == Role::Free {
                self.follow(of, &energy)?;
            }
        }
        let paired: usize = self.pairs.iter().map(|pair| pair.space.kind().size()).sum();
        let free = self.factors.iter().filter(|factor| factor.role == Role::Free);
        if paired < free.map(|factor| factor.kind().size()).sum() {
            // Some parts have no momenta of their own.
            self.pairs.clear();
        }
        Ok(())
    }

    /// Notes that the next numbers of the algebra move a configuration, and from `force` on its
    /// momentum.
    fn pair(&mut self, (of, with): (usize, usize), k: usize, force: usize) {
        self.pairs.push(Pair {
            space: self.factors[of].space,
            configuration: self.at(of, k),
            momentum: self.at(with, k),
            velocity: self.field.len(),
            force: self.field.len() + force,
        });
    }

    fn follow(&mut self, of: usize, energy: &Value) -> Result<(), Refusal> {
        match self.factors[of].space {
            Space::Rotations => self.body_on_rotations(of, energy),
            Space::Motions => self.body_on_motions(of, energy),
            Space::Vectors(_) => self.particle(of, energy),
            Space::Sphere | Space::Momenta { .. } | Space::Wrenches => self.lie_poisson(of, energy),
            Space::Twists => Ok(()),
        }
    }

    fn body_on_rotations(&mut self, of: usize, energy: &Value) -> Result<(), Refusal> {
        let with = self.partner(Role::Momentum(of), "momentum")?;
        let forces = self.forces(of)?;
        let both = self.items(of).into_iter().zip(self.items(with));
        for (k, ((r, p), force)) in both.zip(forces).enumerate() {
            let w = self.slope3(energy, &p);
            let torque = self.torque(energy, &r);
            let torque = self.plus(torque, vector(&force));
            let across = self.cross(vector(&p), w);
            let rate = self.plus(across, torque);
            let block = Block::Body { rotation: self.at(of, k), momentum: self.at(with, k) };
            let u = self.minus(w);
            self.pair((of, with), k, 3);
            self.block(block, u.into_iter().chain(torque));
            let turning = self.graph().apply(matrix(&r), vector(&p));
            self.turning.push(turning);
            self.motion.push((r, Rate::Body(Value::Vector(w))));
            self.motion.push((p, Rate::Shift(Value::Vector(rate))));
        }
        Ok(())
    }

    fn body_on_motions(&mut self, of: usize, energy: &Value) -> Result<(), Refusal> {
        let with = self.partner(Role::Momentum(of), "momentum")?;
        let forces = self.wrenches(of)?;
        let both = self.items(of).into_iter().zip(self.items(with));
        for (k, ((x, p), force)) in both.zip(forces).enumerate() {
            let (m, l) = (part(&p, 0), part(&p, 1));
            let (w, v) = (self.slope3(energy, &m), self.slope3(energy, &l));
            self.pair((of, with), k, 6);
            self.twist(&x, self.at(of, k), (w, v), Frame::Body);
            let momentum = (vector(&m), vector(&l));
            let rates = self.body_rates(&x, momentum, (w, v), energy, force);
            let at = self.at(with, k);
            self.shift(m, at, Value::Vector(rates.0));
            self.shift(l, at + 3, Value::Vector(rates.1));
        }
        Ok(())
    }

    /// The rates of the momenta of a body at `X`, with the potential `of`.
    pub(super) fn body_rates(
        &mut self,
        x: &Value,
        (m, p): (V3, V3),
        (w, v): (V3, V3),
        of: &Value,
        (torque, force): (V3, V3),
    ) -> (V3, V3) {
        let (r, position) = (part(x, 0), part(x, 1));
        let (a, b, c) = (self.cross(m, w), self.cross(p, v), self.torque(of, &r));
        let (a, c) = (self.plus(a, b), self.plus(c, torque));
        let turning = self.plus(a, c);
        let slope = self.slope3(of, &position);
        let pull = self.seen_from_body(matrix(&r), slope);
        let pull = self.minus(pull);
        let (across, push) = (self.cross(p, w), self.plus(pull, force));
        let pushing = self.plus(across, push);
        // In space: R p, and R m + x × R p.
        let (m, p) = (self.graph().apply(matrix(&r), m), self.graph().apply(matrix(&r), p));
        let lever = self.cross(vector(&position), p);
        let total = self.plus(m, lever);
        self.turning.push(total);
        self.pushing.push(p);
        (turning, pushing)
    }

    fn particle(&mut self, of: usize, energy: &Value) -> Result<(), Refusal> {
        let with = self.partner(Role::Momentum(of), "momentum")?;
        let forces = self.forces(of)?;
        let both = self.items(of).into_iter().zip(self.items(with));
        for (k, ((x, p), force)) in both.zip(forces).enumerate() {
            let velocity = self.slope(energy, &p);
            self.pair((of, with), k, x.ids().len());
            self.shift(x.clone(), self.at(of, k), velocity);
            let slope = self.slope(energy, &x);
            let rate = self.difference(&force, &slope);
            self.shift(p.clone(), self.at(with, k), rate);
            self.particle_totals(&x, &p);
        }
        Ok(())
    }

    fn lie_poisson(&mut self, of: usize, energy: &Value) -> Result<(), Refusal> {
        let carried: Vec<usize> = (0..self.factors.len())
            .filter(|i| self.factors[*i].role == Role::Advected(of))
            .collect();
        let factor = &self.factors[of];
        let forces = match factor.space {
            Space::Momenta { unit: false } if self.forces.iter().any(|f| f.on == of) => {
                Some(self.forces(of)?)
            }
            _ => None,
        };
        let others: Vec<Vec<Value>> = carried.iter().map(|other| self.items(*other)).collect();
        for (k, whole) in self.items(of).into_iter().enumerate() {
            let at = self.at(of, k);
            let mut vectors: Vec<Vector> = Vec::new();
            let m = match factor.space {
                Space::Wrenches => {
                    vectors.push((part(&whole, 1), at + 3));
                    (part(&whole, 0), at)
                }
                _ => (whole, at),
            };
            for (other, items) in carried.iter().zip(&others) {
                vectors.push((items[k].clone(), self.at(*other, k)));
            }
            let force = forces.as_ref().map(|list| vector(&list[k]));
            self.carry(m, &vectors, energy, force);
        }
        self.casimirs(of, &carried)
    }

    /// `m' = m × ∂H/∂m + Σ p × ∂H/∂p + F`, `p' = p × ∂H/∂m`.
    fn carry(&mut self, m: Vector, carried: &[Vector], energy: &Value, force: Option<V3>) {
        let w = self.slope3(energy, &m.0);
        let u = self.minus(w);
        if carried.is_empty() && force.is_none() {
            self.spins.push(vector(&m.0));
            return self.turn(m.0, m.1, u);
        }
        let mut rate = self.cross(vector(&m.0), w);
        let mut numbers = u.to_vec();
        for (p, _) in carried {
            let v = self.slope3(energy, p);
            let across = self.cross(vector(p), v);
            rate = self.plus(rate, across);
            numbers.extend(self.minus(v));
        }
        if let Some(force) = force {
            // What leaves the orbits of the group is added by itself.
            rate = self.plus(rate, force);
            self.shift(m.0, m.1, Value::Vector(rate));
            for (p, at) in carried {
                self.turn(p.clone(), *at, u);
            }
            return;
        }
        let advected = carried.iter().map(|(_, at)| *at).collect();
        self.block(Block::Dual { momentum: m.1, advected }, numbers);
        self.motion.push((m.0, Rate::Shift(Value::Vector(rate))));
        for (p, _) in carried {
            self.motion.push((p.clone(), Rate::Turn(Value::Vector(u))));
        }
    }
}
