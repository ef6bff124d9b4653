//! From a law of motion to the field that integrators want, on one sheet.
//!
//! Everything is symbolic: gradients and torques by sweeps over the graph, momenta and accelerations
//! by elimination in the mass matrix. What comes out is the element of the algebra at a state, block
//! by block, and the same motion as rates of the parts of the state, by which invariants are tested.
use super::factor::{Factor, Role, Space, places};
use super::law::{Force, Law, Push};
use super::layout::{Block, Frame, Layout};
use lieflow_formula::graph::{Graph, Id};
use lieflow_formula::{Error, Kind, Rate, Sheet, Source, Value};

mod conserved;
mod elimination;
mod field;
pub(super) use field::how;
mod hamiltonian;
mod lagrangian;
mod spheres;

pub(super) type V3 = [Id; 3];

/// The equations of a system.
#[derive(Clone, Debug)]
pub struct Derived {
    /// How each part of the state moves.
    pub motion: Vec<(Value, Rate)>,
    /// What moves what.
    pub layout: Layout,
    /// The element of the algebra, in the order of the layout.
    pub field: Value,
    /// Numbers that must be positive at every state: the mass matrix has an inverse.
    pub pivots: Value,
    /// Configurations with their momenta, where the whole state is made of them.
    pub pairs: Vec<Pair>,
    /// Whether the state is nothing but vectors, each on a sphere or in so(3)*, that an energy turns.
    pub spins: bool,
    /// What may be conserved, by name. Some are not, for some numbers of the parameters.
    pub candidates: Vec<(String, Value)>,
}

/// A configuration with its momentum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Where the configuration lies: SO(3), SE(3) or Rⁿ.
    pub space: Space,
    /// Its first number in the state.
    pub configuration: usize,
    /// The first number of the momentum in the state.
    pub momentum: usize,
    /// The first number of the velocity in the algebra, which has the other sign on groups.
    pub velocity: usize,
    /// The first number of the force in the algebra: on SE(3) of the whole rate of the momentum.
    pub force: usize,
}

/// Why a law has no equations.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// A formula is wrong.
    Formula(Box<Error>),
    /// A key does not fit the others.
    Key {
        /// Which one, such as `state.P`.
        key: String,
        /// What it holds.
        found: String,
        /// What it should hold.
        expected: String,
    },
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Formula(Box::new(error))
    }
}

impl Refusal {
    pub(super) fn new(key: impl Into<String>, found: &str, expected: &str) -> Self {
        Self::Key { key: key.into(), found: found.into(), expected: expected.into() }
    }
}

/// The equations that follow from a law. The names of the sheet are those of the parts of the state,
/// in their order, then the time, then whatever formulas may use; it knows the `energy` afterwards, if
/// the law has one.
pub fn derive(
    factors: &[Factor],
    law: &Law,
    forces: &[Force],
    sheet: &mut Sheet,
) -> Result<Derived, Refusal> {
    let mut work = Derivation::new(factors, forces, sheet);
    if let (Law::Field(_), Some(force)) = (law, forces.first()) {
        let key = format!("motion.force.{}", factors[force.on].name);
        let expected = "forces only beside energies; here they belong into the formulas";
        return Err(Refusal::new(key, "a force", expected));
    }
    match law {
        Law::Field(rules) => work.field_law(rules)?,
        Law::Function(frame) => work.function_law(*frame),
        Law::Hamiltonian(energy) => work.hamiltonian(energy)?,
        Law::Lagrangian { kinetic, potential } => work.lagrangian(kinetic, potential.as_ref())?,
        Law::Spheres { mass, potential } => work.spheres(mass, potential.as_ref())?,
    }
    work.finish()
}

/// Equations in the making.
struct Derivation<'a> {
    factors: &'a [Factor],
    places: Vec<usize>,
    forces: &'a [Force],
    used_forces: Vec<usize>,
    sheet: &'a mut Sheet,
    motion: Vec<(Value, Rate)>,
    blocks: Vec<Block>,
    field: Vec<Id>,
    pivots: Vec<Id>,
    pairs: Vec<Pair>,
    candidates: Vec<(String, Value)>,
    /// Terms of the total spin, and of the angular and linear momentum in space.
    spins: Vec<V3>,
    turning: Vec<V3>,
    pushing: Vec<V3>,
}

impl<'a> Derivation<'a> {
    fn new(factors: &'a [Factor], forces: &'a [Force], sheet: &'a mut Sheet) -> Self {
        Self {
            factors,
            places: places(factors).0,
            forces,
            used_forces: Vec::new(),
            sheet,
            motion: Vec::new(),
            blocks: Vec::new(),
            field: Vec::new(),
            pivots: Vec::new(),
            pairs: Vec::new(),
            candidates: Vec::new(),
            spins: Vec::new(),
            turning: Vec::new(),
            pushing: Vec::new(),
        }
    }

    fn finish(mut self) -> Result<Derived, Refusal> {
        if let Some(force) = self.forces.iter().find(|f| !self.used_forces.contains(&f.on)) {
            let factor = &self.factors[force.on];
            let key = format!("motion.force.{}", factor.name);
            let found = format!("a force on '{}' in {}", factor.name, factor.space.name());
            return Err(Refusal::new(key, &found, "a force on a part that has a momentum"));
        }
        // Every vector is moved by the energy alone.
        let spins = !self.blocks.is_empty() && self.spins.len() == self.blocks.len();
        self.totals();
        let list = |ids: Vec<Id>| Value::List(ids.into_iter().map(Value::Number).collect());
        Ok(Derived {
            motion: self.motion,
            layout: Layout::new(self.blocks),
            field: list(self.field),
            pivots: list(self.pivots),
            pairs: self.pairs,
            spins,
            candidates: self.candidates,
        })
    }

    fn graph(&mut self) -> &mut Graph {
        self.sheet.graph()
    }

    /// A block, with its numbers of the algebra.
    fn block(&mut self, block: Block, numbers: impl IntoIterator<Item = Id>) {
        self.blocks.push(block);
        self.field.extend(numbers);
    }

    /// The number of a formula.
    fn number(&mut self, source: &Source) -> Result<Value, Refusal> {
        Ok(self.sheet.formula_of(source.label(), source.text(), &Kind::Number)?)
    }

    /// A formula for each item of a part, with the index `i` if it is a list.
    fn each(&mut self, of: usize, source: &Source, kind: &Kind) -> Result<Vec<Value>, Refusal> {
        let (label, text) = (source.label(), source.text());
        let indices: Vec<Option<i64>> = match self.factors[of].count {
            Some(n) => (1..=n as i64).map(Some).collect(),
            None => vec![None],
        };
        let mut list = Vec::with_capacity(indices.len());
        for index in indices {
            let index = index.map(|i| [("i", i)]);
            let value =
                self.sheet.formula_at(label, text, index.as_ref().map_or(&[], |i| &i[..]))?;
            list.push(self.sheet.expect(label, text, value, kind)?);
        }
        Ok(list)
    }

    /// The same for vectors.
    fn each_vector(&mut self, of: usize, source: &Source) -> Result<Vec<V3>, Refusal> {
        let list = self.each(of, source, &Kind::Vector)?;
        Ok(list.iter().map(vector).collect())
    }

    /// The items of a part.
    fn items(&self, of: usize) -> Vec<Value> {
        self.factors[of].values(self.sheet)
    }

    /// Where an item stands in the state.
    fn at(&self, of: usize, item: usize) -> usize {
        self.places[of] + item * self.factors[of].size()
    }

    /// The one part that is the momentum, or the velocity, of another.
    fn partner(&self, role: Role, word: &str) -> Result<usize, Refusal> {
        let (Role::Momentum(of) | Role::Velocity(of) | Role::Advected(of)) = role else {
            return Err(Refusal::new("state", "no other part", "a partner"));
        };
        let all: Vec<usize> =
            (0..self.factors.len()).filter(|i| self.factors[*i].role == role).collect();
        match all[..] {
            [one] => Ok(one),
            [] => {
                let name = &self.factors[of].name;
                let expected = format!("another part {{ {word} = \"{name}\" }}");
                let found = format!("'{name}' without a {word}");
                Err(Refusal::new(format!("state.{name}"), &found, &expected))
            }
            [_, second, ..] => {
                let found = format!("a second {word} of '{}'", self.factors[of].name);
                let key = format!("state.{}", self.factors[second].name);
                Err(Refusal::new(key, &found, "one only"))
            }
        }
    }

    /// Parts that the law has no use for are an error.
    fn refuse_role(&self, unwanted: fn(Role) -> bool, expected: &str) -> Result<(), Refusal> {
        match self.factors.iter().find(|factor| unwanted(factor.role)) {
            None => Ok(()),
            Some(factor) => {
                let found = match factor.role {
                    Role::Momentum(_) => "a momentum",
                    Role::Velocity(_) => "a velocity",
                    Role::Advected(_) => "an advected vector",
                    Role::Free => "a part by itself",
                };
                Err(Refusal::new(format!("state.{}", factor.name), found, expected))
            }
        }
    }

    /// The force on a part, if it has one.
    fn force_on(&mut self, of: usize) -> Option<&'a Force> {
        self.used_forces.push(of);
        self.forces.iter().find(|force| force.on == of)
    }

    /// The forces on the items of a part of a vector space, or the torques on those of rotations, in
    /// the body; zero where there are none.
    fn forces(&mut self, of: usize) -> Result<Vec<Value>, Refusal> {
        let rotations = self.factors[of].space == Space::Rotations;
        let kind = if rotations { Kind::Vector } else { self.factors[of].space.kind() };
        let Some(Force { push, frame, .. }) = self.force_on(of) else {
            let zero = self.graph().number(0.0);
            return Ok(vec![Value::build(&kind, &mut || zero); self.factors[of].items()]);
        };
        let Push::One(source) = push else {
            let key = format!("motion.force.{}", self.factors[of].name);
            return Err(Refusal::new(key, "torque and force", "one formula"));
        };
        let mut list = self.each(of, source, &kind)?;
        if rotations && *frame == Frame::Space {
            for (value, r) in list.iter_mut().zip(self.items(of)) {
                *value = Value::Vector(self.seen_from_body(matrix(&r), vector(value)));
            }
        }
        Ok(list)
    }

    /// Torques and forces on the items of a part in SE(3), in the body.
    fn wrenches(&mut self, of: usize) -> Result<Vec<(V3, V3)>, Refusal> {
        let zero = self.graph().number(0.0);
        let mut both = vec![([zero; 3], [zero; 3]); self.factors[of].items()];
        let Some(Force { push, frame, .. }) = self.force_on(of) else { return Ok(both) };
        let Push::Both(torque, force) = push else {
            let key = format!("motion.force.{}", self.factors[of].name);
            let expected = "{ torque = \"…\", force = \"…\" } on a part in SE(3)";
            return Err(Refusal::new(key, "one formula", expected));
        };
        if let Some(source) = torque {
            for (slot, value) in both.iter_mut().zip(self.each_vector(of, source)?) {
                slot.0 = value;
            }
        }
        if let Some(source) = force {
            for (slot, value) in both.iter_mut().zip(self.each_vector(of, source)?) {
                slot.1 = value;
            }
        }
        if *frame == Frame::Space {
            for (slot, x) in both.iter_mut().zip(self.items(of)) {
                let r = matrix(&part(&x, 0));
                *slot = (self.seen_from_body(r, slot.0), self.seen_from_body(r, slot.1));
            }
        }
        Ok(both)
    }

    fn seen_from_body(&mut self, r: [V3; 3], v: V3) -> V3 {
        self.graph().apply(Graph::transposed(r), v)
    }

    /// The derivatives of a number by a part of the state.
    fn slope(&mut self, of: &Value, by: &Value) -> Value {
        let zero = self.graph().number(0.0);
        self.sheet.gradient(of, by).unwrap_or_else(|| by.map(&mut |_| zero))
    }

    fn slope3(&mut self, of: &Value, by: &Value) -> V3 {
        vector(&self.slope(of, by))
    }

    /// The torque of a potential on a rotation, in the body.
    fn torque(&mut self, of: &Value, r: &Value) -> V3 {
        let slopes = matrix(&self.slope(of, r));
        self.graph().torque(matrix(r), slopes)
    }

    fn minus(&mut self, v: V3) -> V3 {
        v.map(|x| self.graph().neg(x))
    }
    fn plus(&mut self, a: V3, b: V3) -> V3 {
        self.graph().plus(a, b)
    }
    fn cross(&mut self, a: V3, b: V3) -> V3 {
        self.graph().cross(a, b)
    }
    /// `a - b`, number by number.
    fn difference(&mut self, a: &Value, b: &Value) -> Value {
        let zero = self.graph().number(0.0);
        let both = a.zip(b, &mut |a, b| self.sheet.graph().sub(a, b));
        both.unwrap_or_else(|| a.map(&mut |_| zero))
    }
}

/// The numbers of a vector.
fn vector(value: &Value) -> V3 {
    match value {
        Value::Vector(v) => *v,
        _ => [0; 3],
    }
}
/// The rows of a matrix.
fn matrix(value: &Value) -> [V3; 3] {
    match value {
        Value::Matrix(m) => *m,
        _ => [[0; 3]; 3],
    }
}
/// A part of a record.
fn part(value: &Value, k: usize) -> Value {
    match value {
        Value::Record(fields) => fields.get(k).map_or(Value::Zero, |(_, value)| value.clone()),
        _ => Value::Zero,
    }
}
