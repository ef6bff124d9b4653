//! Numbers as a graph in which nothing occurs twice.
//!
//! Every operation on the same operands is one node, whoever asks for it: common parts are shared
//! from the first token on, also between a function and its derivatives. Nodes come after their
//! operands, so that the order of the list is an order of evaluation.
//!
//! Each node remembers from which text it comes, derivatives that of what they derive.
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

mod algebra;
mod forward;
mod reverse;
mod rewrite;
mod table;

pub use table::Table;

/// The number of a node.
pub type Id = u32;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant, by its bits.
    Const(u64),
    /// A number of the state, or the time.
    Input(u32),
    /// A number that stays the same along a trajectory.
    Param(u32),
    /// `a + b`.
    Add(Id, Id),
    /// `a - b`.
    Sub(Id, Id),
    /// `a b`.
    Mul(Id, Id),
    /// `a / b`.
    Div(Id, Id),
    /// `-a`.
    Neg(Id),
    /// The square root.
    Sqrt(Id),
    /// The sine.
    Sin(Id),
    /// The cosine.
    Cos(Id),
    /// The exponential.
    Exp(Id),
    /// The natural logarithm.
    Ln(Id),
    /// The absolute value.
    Abs(Id),
    /// The angle of the point `(b, a)`.
    Atan2(Id, Id),
    /// The hyperbolic sine.
    Sinh(Id),
    /// The hyperbolic cosine.
    Cosh(Id),
    /// The hyperbolic tangent.
    Tanh(Id),
    /// The largest whole number that is not above.
    Floor(Id),
    /// `c` where `a < b`, else `d`.
    Select(Id, Id, Id, Id),
    /// `b` where `a` is positive, else not a number: slopes that must not go on where the function
    /// itself has ended.
    Guard(Id, Id),
}

impl Op {
    /// The operands, and how many there are.
    pub fn operands(self) -> ([Id; 4], usize) {
        match self {
            Self::Const(_) | Self::Input(_) | Self::Param(_) => ([0; 4], 0),
            Self::Neg(a)
            | Self::Sqrt(a)
            | Self::Sin(a)
            | Self::Cos(a)
            | Self::Exp(a)
            | Self::Ln(a)
            | Self::Abs(a)
            | Self::Sinh(a)
            | Self::Cosh(a)
            | Self::Tanh(a)
            | Self::Floor(a) => ([a, 0, 0, 0], 1),
            Self::Add(a, b)
            | Self::Sub(a, b)
            | Self::Mul(a, b)
            | Self::Div(a, b)
            | Self::Atan2(a, b)
            | Self::Guard(a, b) => ([a, b, 0, 0], 2),
            Self::Select(a, b, c, d) => ([a, b, c, d], 4),
        }
    }
    /// Whether this is an operation, and neither a constant nor a variable.
    pub fn computes(self) -> bool {
        !matches!(self, Self::Const(_) | Self::Input(_) | Self::Param(_))
    }
}

/// From which text a node comes: its number, and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The text, by its number.
    pub text: u32,
    /// The first byte.
    pub start: u32,
    /// Behind the last byte.
    pub end: u32,
}

/// Multiplies and turns: the keys are small numbers that nobody chooses to collide.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fast(u64);

impl Hasher for Fast {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }
    fn write_u32(&mut self, x: u32) {
        self.write_u64(u64::from(x));
    }
    fn write_isize(&mut self, x: isize) {
        self.write_u64(x as u64);
    }
    fn write_u64(&mut self, x: u64) {
        self.0 = (self.0 ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 31)
    }
}

/// A map from small numbers.
pub type Map<K, V> = HashMap<K, V, BuildHasherDefault<Fast>>;

/// How many nodes there may be: a quarter of a gigabyte.
const MOST_NODES: usize = 1 << 20;
/// How many steps of work one sheet may take: about a second.
const MOST_WORK: u64 = 1 << 24;

/// The graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Op>,
    origins: Vec<Origin>,
    known: Map<Op, Id>,
    /// The origin that new nodes get.
    pub here: Origin,
    work: u64,
}

impl Graph {
    /// The nodes in order of evaluation.
    pub fn nodes(&self) -> &[Op] {
        &self.nodes
    }
    /// What node `id` is.
    pub fn op(&self, id: Id) -> Op {
        self.nodes[id as usize]
    }
    /// The nodes and where they come from, to be looked at only: nodes that are added to this copy may
    /// occur twice.
    pub fn closed(&self) -> Self {
        Self {
            nodes: self.nodes.clone(),
            origins: self.origins.clone(),
            known: Map::default(),
            here: self.here,
            work: self.work,
        }
    }
    /// From which text node `id` comes.
    pub fn origin(&self, id: Id) -> Origin {
        self.origins[id as usize]
    }
    /// Counts work that makes no nodes.
    pub fn count_work(&mut self, steps: usize) {
        self.work += steps as u64;
    }
    /// Whether there is too much of everything. Then nodes are no longer made, and the result must
    /// not be used.
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= MOST_NODES || self.work > MOST_WORK
    }
    /// The node, made if there is none like it.
    pub fn put(&mut self, op: Op) -> Id {
        self.work += 1;
        if let Some(id) = self.known.get(&op) {
            return *id;
        }
        if self.is_full() && !self.nodes.is_empty() {
            return 0;
        }
        let id = self.nodes.len() as Id;
        self.nodes.push(op);
        self.origins.push(self.here);
        self.known.insert(op, id);
        id
    }
    /// A constant. Minus zero is zero.
    pub fn number(&mut self, x: f64) -> Id {
        self.put(Op::Const(if x == 0.0 { 0 } else { x.to_bits() }))
    }
    /// The value of a constant.
    pub fn constant(&self, id: Id) -> Option<f64> {
        match self.op(id) {
            Op::Const(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }
    /// All nodes that these need, in order of evaluation.
    pub fn cone(&self, of: &[Id]) -> Vec<Id> {
        let mut seen = Table::default();
        let mut stack = of.to_vec();
        while let Some(id) = stack.pop() {
            if seen.slot(id).replace(()).is_none() {
                let (operands, n) = self.op(id).operands();
                stack.extend_from_slice(&operands[..n]);
            }
        }
        seen.ids()
    }
    /// How many operations depend on inputs, of all that these need: what an evaluation costs.
    pub fn cost(&self, of: &[Id]) -> usize {
        let mut varies: Table<()> = Table::default();
        let mut count = 0;
        for id in self.cone(of) {
            let op = self.op(id);
            let (operands, n) = op.operands();
            if matches!(op, Op::Input(_)) || operands[..n].iter().any(|x| varies.has(*x)) {
                count += usize::from(op.computes());
                varies.put(id, ());
            }
        }
        count
    }
}
