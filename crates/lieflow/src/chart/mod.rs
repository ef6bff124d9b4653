//! Coordinates at the identity of a group: `phi: g -> G` with `phi(0) = e` and `dphi_0 = id`.
//!
//! A method that works in a chart needs two things: the map, and the inverse of its
//! right-trivialised differential. Groups offer both through
//! [`LieGroup::map`](crate::group::LieGroup::map) and
//! [`LieGroup::pull`](crate::group::LieGroup::pull).

pub mod second_kind;

/// Which coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Chart {
    /// The exponential, with its exact inverse differential.
    #[default]
    Exp,
    /// The exponential, with the Bernoulli series cut after so many brackets.
    ExpSeries {
        /// The highest power of `ad` that is kept.
        brackets: usize,
    },
    /// Cayley's map.
    Cayley,
    /// Canonical coordinates of the second kind: a product of one-parameter subgroups.
    SecondKind,
}
