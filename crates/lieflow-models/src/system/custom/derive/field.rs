//! Rates that are given one by one.
use super::super::factor::Space;
use super::super::law::Rule;
use super::super::layout::{Block, Frame};
use super::{Derivation, Refusal, V3, matrix, part, vector};
use lieflow_formula::{Rate, Value};

impl Derivation<'_> {
    pub(super) fn field_law(&mut self, rules: &[(usize, Rule)]) -> Result<(), Refusal> {
        for (of, rule) in rules {
            self.rule(*of, rule)?;
        }
        for (of, factor) in self.factors.iter().enumerate() {
            if !rules.iter().any(|(ruled, _)| *ruled == of) {
                let key = format!("motion.{}", factor.name);
                return Err(Refusal::new(key, "nothing", how(factor.space)));
            }
        }
        Ok(())
    }

    /// The blocks of a field that only a function knows. Nothing is known of the motion, so that there
    /// is nothing to derive from it.
    pub(super) fn function_law(&mut self, frame: Frame) {
        let zero = self.graph().number(0.0);
        for (of, factor) in self.factors.iter().enumerate() {
            for k in 0..factor.items() {
                let at = self.at(of, k);
                let block = match factor.space {
                    Space::Rotations => Block::Attitude { at, frame },
                    Space::Motions => Block::Motion { rotation: at, position: at + 9, frame },
                    Space::Sphere | Space::Momenta { unit: true } => Block::Turn { at },
                    _ => Block::Shift { at, count: factor.size() },
                };
                let numbers = vec![zero; block.part().dim()];
                self.block(block, numbers);
            }
        }
    }

    fn rule(&mut self, of: usize, rule: &Rule) -> Result<(), Refusal> {
        let factor = &self.factors[of];
        let items = self.items(of);
        match (factor.space, rule) {
            (Space::Rotations, Rule::Spin(formula, frame)) => {
                for (k, w) in self.each_vector(of, formula)?.into_iter().enumerate() {
                    self.spin(items[k].clone(), self.at(of, k), w, *frame);
                }
            }
            (Space::Motions, Rule::Twist(angular, linear, frame)) => {
                let angular = self.each_vector(of, angular)?;
                let linear = self.each_vector(of, linear)?;
                for (k, (w, v)) in angular.into_iter().zip(linear).enumerate() {
                    self.twist(&items[k], self.at(of, k), (w, v), *frame);
                }
            }
            (
                Space::Sphere | Space::Momenta { .. } | Space::Vectors(3),
                Rule::Turn { formula, reversed },
            ) => {
                for (k, mut u) in self.each_vector(of, formula)?.into_iter().enumerate() {
                    if *reversed {
                        u = self.minus(u);
                    }
                    self.turn(items[k].clone(), self.at(of, k), u);
                }
            }
            (Space::Vectors(_) | Space::Momenta { unit: false }, Rule::Rate(formula)) => {
                let kind = factor.space.kind();
                for (k, value) in self.each(of, formula, &kind)?.into_iter().enumerate() {
                    self.shift(items[k].clone(), self.at(of, k), value);
                }
            }
            (Space::Twists | Space::Wrenches, Rule::Pair(angular, linear)) => {
                let angular = self.each_vector(of, angular)?;
                let linear = self.each_vector(of, linear)?;
                for (k, (w, v)) in angular.into_iter().zip(linear).enumerate() {
                    let at = self.at(of, k);
                    self.shift(part(&items[k], 0), at, Value::Vector(w));
                    self.shift(part(&items[k], 1), at + 3, Value::Vector(v));
                }
            }
            (space, rule) => {
                let key = format!("motion.{}", factor.name);
                return Err(Refusal::new(key, given(rule), how(space)));
            }
        }
        Ok(())
    }

    /// `x' = v`.
    pub(super) fn shift(&mut self, x: Value, at: usize, v: Value) {
        let numbers = v.ids();
        self.block(Block::Shift { at, count: numbers.len() }, numbers);
        self.motion.push((x, Rate::Shift(v)));
    }

    /// `q' = u × q`.
    pub(super) fn turn(&mut self, q: Value, at: usize, u: V3) {
        self.block(Block::Turn { at }, u);
        self.motion.push((q, Rate::Turn(Value::Vector(u))));
    }

    /// `R' = R hat(w)` or `R' = hat(w) R`.
    pub(super) fn spin(&mut self, r: Value, at: usize, w: V3, frame: Frame) {
        let (u, rate) = match frame {
            Frame::Body => (self.minus(w), Rate::Body(Value::Vector(w))),
            Frame::Space => (w, Rate::Space(Value::Vector(w))),
        };
        self.block(Block::Attitude { at, frame }, u);
        self.motion.push((r, rate));
    }

    /// `R' = R hat(w)`, `x' = R v` in the body; `R' = hat(w) R`, `x' = w × x + v` in space.
    pub(super) fn twist(&mut self, x: &Value, at: usize, (w, v): (V3, V3), frame: Frame) {
        let (r, position) = (part(x, 0), part(x, 1));
        let (u, b, spin, drift) = match frame {
            Frame::Body => {
                let drift = self.graph().apply(matrix(&r), v);
                (self.minus(w), self.minus(v), Rate::Body(Value::Vector(w)), drift)
            }
            Frame::Space => {
                let across = self.cross(w, vector(&position));
                (w, v, Rate::Space(Value::Vector(w)), self.plus(across, v))
            }
        };
        let block = Block::Motion { rotation: at, position: at + 9, frame };
        self.block(block, u.into_iter().chain(b));
        self.motion.push((r, spin));
        self.motion.push((position, Rate::Shift(Value::Vector(drift))));
    }
}

/// What moves a part in this space.
pub fn how(space: Space) -> &'static str {
    match space {
        Space::Rotations => "{ body = \"…\" } or { space = \"…\" }, an angular velocity",
        Space::Motions => {
            "{ body = { w = \"…\", v = \"…\" } } or { space = { w = \"…\", v = \"…\" } }"
        }
        Space::Sphere | Space::Momenta { unit: true } => {
            "{ turn = \"…\" }, a rate u with q' = u × q"
        }
        Space::Momenta { unit: false } | Space::Vectors(3) => "a formula, or { turn = \"…\" }",
        Space::Vectors(_) => "a formula",
        Space::Wrenches | Space::Twists => "{ w = \"…\", v = \"…\" }",
    }
}

fn given(rule: &Rule) -> &'static str {
    match rule {
        Rule::Rate(_) => "a formula",
        Rule::Turn { .. } => "{ turn = \"…\" }",
        Rule::Spin(_, Frame::Body) => "{ body = \"…\" }",
        Rule::Spin(_, Frame::Space) => "{ space = \"…\" }",
        Rule::Twist(..) => "a velocity of a motion",
        Rule::Pair(..) => "{ w = \"…\", v = \"…\" }",
    }
}
