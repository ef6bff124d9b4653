//! Which group moves which numbers of a state.
//!
//! A state is one list of numbers, in the order of the names of its parts; an element of the algebra
//! is another. A [`Block`] says where its numbers stand in the state, and its [`Part`] what it has of
//! the group: a direct product of vector spaces and of `SO(3) ⋉ R³ᵏ`, rotations with `k` vectors
//! beside them (`k = 0` is SO(3), `k = 1` is SE(3)).

/// On which side of an attitude its velocity stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// `R' = R hat(w)`: the velocity is seen from the body.
    Body,
    /// `R' = hat(w) R`: it is seen from space.
    Space,
}

/// Numbers of a state that move together, each by its place in the state. Matrices stand by rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// `x' = v`: so many numbers.
    Shift {
        /// The first number.
        at: usize,
        /// How many.
        count: usize,
    },
    /// `q' = u × q`.
    Turn {
        /// The vector.
        at: usize,
    },
    /// A rotation: `g·R = R gᵀ` in the body, with `u = -w`; `g·R = g R` in space, with `u = w`.
    Attitude {
        /// The matrix.
        at: usize,
        /// Where its velocity is seen from.
        frame: Frame,
    },
    /// Attitude and momentum in the body: `(g, b)·(R, P) = (R gᵀ, g P + b)`.
    Body {
        /// The matrix.
        rotation: usize,
        /// The vector.
        momentum: usize,
    },
    /// A motion of space: `g·X = X g⁻¹` in the body, with `u = -V`; `g·X = g X` in space.
    Motion {
        /// The matrix.
        rotation: usize,
        /// The vector.
        position: usize,
        /// Where its velocity is seen from.
        frame: Frame,
    },
    /// The coadjoint action: `g·m = R m + Σ x_i × R p_i`, `g·p_i = R p_i`, with the generator
    /// `m' = u × m + Σ a_i × p_i`, `p_i' = u × p_i`.
    Dual {
        /// The vector `m`.
        momentum: usize,
        /// The vectors `p_i`.
        advected: Vec<usize>,
    },
}

/// What a block has of the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// So many numbers that are added.
    Shift(usize),
    /// A rotation with so many vectors beside it.
    Motion(usize),
}

impl Block {
    /// Whether it is a rotation or a motion whose velocity is seen from the body.
    pub fn is_in_body(&self) -> bool {
        matches!(
            self,
            Self::Attitude { frame: Frame::Body, .. } | Self::Motion { frame: Frame::Body, .. }
        )
    }
    /// What it has of the group.
    pub fn part(&self) -> Part {
        match self {
            Self::Shift { count, .. } => Part::Shift(*count),
            Self::Turn { .. } | Self::Attitude { .. } => Part::Motion(0),
            Self::Body { .. } | Self::Motion { .. } => Part::Motion(1),
            Self::Dual { advected, .. } => Part::Motion(advected.len()),
        }
    }
}

impl Part {
    /// How many numbers it has in the algebra.
    pub fn dim(self) -> usize {
        match self {
            Self::Shift(n) => n,
            Self::Motion(k) => 3 + 3 * k,
        }
    }
    /// How many numbers it has in the group.
    pub fn size(self) -> usize {
        match self {
            Self::Shift(n) => n,
            Self::Motion(k) => 9 + 3 * k,
        }
    }
}

/// A block with the places of its part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// What moves.
    pub block: Block,
    /// What moves it.
    pub part: Part,
    /// Its first number in the algebra.
    pub algebra: usize,
    /// Its first number in the group.
    pub group: usize,
}

/// All blocks of a system.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Layout {
    /// The blocks, in the order of their numbers in the algebra.
    pub blocks: Vec<Placed>,
    /// How many numbers an element of the algebra has.
    pub dim: usize,
    /// How many numbers an element of the group has.
    pub size: usize,
}

impl Layout {
    /// These blocks, one after the other.
    pub fn new(blocks: impl IntoIterator<Item = Block>) -> Self {
        let mut layout = Self::default();
        for block in blocks {
            let part = block.part();
            let (algebra, group) = (layout.dim, layout.size);
            layout.dim += part.dim();
            layout.size += part.size();
            layout.blocks.push(Placed { block, part, algebra, group });
        }
        layout
    }
}
