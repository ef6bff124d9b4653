//! What makes a system move, as it is written.
use super::layout::Frame;
use lieflow_formula::Source;

/// The law of motion.
#[derive(Clone, Debug)]
pub enum Law {
    /// A rate for each part of the state, by its number.
    Field(Vec<(usize, Rule)>),
    /// The rates of all parts by one function of another language, in their order: angular velocities
    /// of rotations and velocities of motions in this frame, turns of directions, plain rates else.
    Function(Frame),
    /// The energy, on momenta.
    Hamiltonian(Source),
    /// Kinetic and potential energy, on velocities.
    Lagrangian {
        /// `T`.
        kinetic: Source,
        /// `U`.
        potential: Option<Source>,
    },
    /// Masses and potential energy, on spheres with velocities.
    Spheres {
        /// `M`.
        mass: Mass,
        /// `U`.
        potential: Option<Source>,
    },
}

/// How a part of the state moves; the formula of a list has the index `i`.
#[derive(Clone, Debug)]
pub enum Rule {
    /// `x' = …`.
    Rate(Source),
    /// `q' = ± … × q`.
    Turn {
        /// The formula.
        formula: Source,
        /// Whether the other way round.
        reversed: bool,
    },
    /// The angular velocity of a rotation.
    Spin(Source, Frame),
    /// The velocity of a motion: angular and linear.
    Twist(Source, Source, Frame),
    /// The rates of both vectors of a record `w`, `v`.
    Pair(Source, Source),
}

/// The masses of points on spheres.
#[derive(Clone, Debug)]
pub enum Mass {
    /// One formula for each, with the index `i`.
    Each(Source),
    /// One after the other.
    List(Vec<Source>),
    /// `T = ½ Σ M_ij dq_i·dq_j`, with a symmetric matrix.
    Matrix(Vec<Vec<Source>>),
}

/// A force on a part of the state, besides what follows from energies.
#[derive(Clone, Debug)]
pub struct Force {
    /// The number of the part.
    pub on: usize,
    /// What acts.
    pub push: Push,
    /// In which frame torques of bodies, and forces on them, are given.
    pub frame: Frame,
}

/// What acts.
#[derive(Clone, Debug)]
pub enum Push {
    /// A force on a point, or a torque on a rotation.
    One(Source),
    /// Torque and force on a motion; what is not given is zero.
    Both(Option<Source>, Option<Source>),
}
