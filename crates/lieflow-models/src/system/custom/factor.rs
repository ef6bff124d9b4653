//! The parts of a state: in which space each of them lies, and what it is to another.
use lieflow_formula::{Kind, Sheet, Value};

/// Where a part of the state lies, or each of its items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// SO(3): a matrix.
    Rotations,
    /// SE(3): a record of the rotation `R` and the position `x`.
    Motions,
    /// S²: a vector of length one.
    Sphere,
    /// Rⁿ: a number, a vector or a list of numbers.
    Vectors(usize),
    /// so(3)*: a vector; on spheres of length one if so wanted.
    Momenta {
        /// Whether its length is one.
        unit: bool,
    },
    /// se(3)*: a record of vectors, `w` for rotations and `v` for translations.
    Wrenches,
    /// Velocities or momenta of SE(3): likewise, as a vector space.
    Twists,
}

impl Space {
    /// Of which kind an item is.
    pub fn kind(self) -> Kind {
        let record = |list: [(&str, Kind); 2]| {
            Kind::Record(list.into_iter().map(|(name, kind)| (name.into(), kind)).collect())
        };
        match self {
            Self::Rotations => Kind::Matrix,
            Self::Motions => record([("R", Kind::Matrix), ("x", Kind::Vector)]),
            Self::Sphere | Self::Momenta { .. } => Kind::Vector,
            Self::Vectors(n) => Kind::coordinates(n),
            Self::Wrenches | Self::Twists => record([("w", Kind::Vector), ("v", Kind::Vector)]),
        }
    }
    /// What it is called.
    pub fn name(self) -> String {
        match self {
            Self::Rotations => "SO(3)".into(),
            Self::Motions => "SE(3)".into(),
            Self::Sphere => "S2".into(),
            Self::Vectors(n) => format!("R{n}"),
            Self::Momenta { .. } => "so(3)*".into(),
            Self::Wrenches => "se(3)*".into(),
            Self::Twists => "R6".into(),
        }
    }
    /// Where the velocities and the momenta of its points lie.
    pub fn tangent(self) -> Option<Self> {
        match self {
            Self::Rotations | Self::Sphere => Some(Self::Vectors(3)),
            Self::Motions => Some(Self::Twists),
            Self::Vectors(n) => Some(Self::Vectors(n)),
            Self::Momenta { .. } | Self::Wrenches | Self::Twists => None,
        }
    }
}

/// What a part is to another one, given by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    Free,
    /// Its momentum.
    Momentum(usize),
    /// Its velocity.
    Velocity(usize),
    /// A vector that is carried along by it.
    Advected(usize),
}

/// A part of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// Its name.
    pub name: String,
    /// Where it lies.
    pub space: Space,
    /// What it is to another one.
    pub role: Role,
    /// How many items it has, if it is a list.
    pub count: Option<usize>,
}

impl Factor {
    /// Of which kind it is.
    pub fn kind(&self) -> Kind {
        match self.count {
            Some(n) => self.space.kind().list(n),
            None => self.space.kind(),
        }
    }
    /// How many items it has.
    pub fn items(&self) -> usize {
        self.count.unwrap_or(1)
    }
    /// How many numbers an item has.
    pub fn size(&self) -> usize {
        self.space.kind().size()
    }
    /// Its items on a sheet.
    pub fn values(&self, sheet: &Sheet) -> Vec<Value> {
        match (sheet.get(&self.name), self.count) {
            (Some(Value::List(list)), Some(_)) => list.to_vec(),
            (Some(value), _) => vec![value],
            (None, _) => Vec::new(),
        }
    }
}

/// Where each part begins among the numbers of a state, and how many numbers there are.
pub fn places(factors: &[Factor]) -> (Vec<usize>, usize) {
    let mut at = 0;
    let mut list = Vec::new();
    for factor in factors {
        list.push(at);
        at += factor.kind().size();
    }
    (list, at)
}
