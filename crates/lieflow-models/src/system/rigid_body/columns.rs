//! What tables have of a body, over numbers of every kind: one body, or several side by side.
use super::RigidBody;
use lieflow::action::BodyState;
use lieflow::problem::TorqueField;
use lieflow::{Quat, Real};

/// A first integral of a body, where it has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyIntegral {
    /// The energy.
    Energy,
    /// The momentum in space along an axis.
    SpatialMomentum(usize),
    /// The momentum about the axis of the field in space.
    AxialMomentum,
    /// The momentum about the axis of the field in the body.
    Spin,
}

impl BodyIntegral {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Self); 6] = [
        ("energy", Self::Energy),
        ("spatial_momentum_x", Self::SpatialMomentum(0)),
        ("spatial_momentum_y", Self::SpatialMomentum(1)),
        ("spatial_momentum_z", Self::SpatialMomentum(2)),
        ("axial_momentum", Self::AxialMomentum),
        ("spin", Self::Spin),
    ];

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, integral)| *integral)
    }
}

impl<S: Real, U: TorqueField<S>> RigidBody<S, U> {
    /// The columns of a state: the unit quaternion of the attitude with `qw >= 0`, velocity, momentum, momentum in space.
    #[inline(always)]
    pub fn columns(&self, y: &BodyState<S>) -> [S; 13] {
        let q = Quat::from_matrix(&y.rotation);
        let (v, m) = (self.inertia.velocity(y.momentum), y.momentum);
        let s = y.spatial_momentum();
        [q.w, q.v.x, q.v.y, q.v.z, v.x, v.y, v.z, m.x, m.y, m.z, s.x, s.y, s.z]
    }

    /// A first integral at a state.
    #[inline(always)]
    pub fn integral(&self, which: BodyIntegral, y: &BodyState<S>) -> S {
        match which {
            BodyIntegral::Energy => self.energy(0.0, y),
            BodyIntegral::SpatialMomentum(axis) => y.spatial_momentum().get(axis),
            BodyIntegral::AxialMomentum => match self.potential.symmetry() {
                (Some(k), _) => y.spatial_momentum().dot(k),
                _ => S::zero(),
            },
            BodyIntegral::Spin => match self.potential.symmetry() {
                (_, Some(chi)) => y.momentum.dot(chi),
                _ => S::zero(),
            },
        }
    }
}
