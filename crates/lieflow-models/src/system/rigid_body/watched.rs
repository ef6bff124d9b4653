//! What is watched and shown of a rigid body, in every space.
use super::RigidBody;
use super::columns::BodyIntegral;
use super::symmetry::is_round;
use crate::system::{rotation_value, vector_value};
use lieflow::Vec3;
use lieflow::action::BodyState;
use lieflow::problem::{Described, Problem, Quantity, TorqueField, Value, Watched};

impl<U: TorqueField<f64>> RigidBody<f64, U> {
    /// The body axis `χ` if the body is round about it too, so that its spin is conserved.
    fn spin_axis(&self) -> Option<Vec3<f64>> {
        let (_, chi) = self.potential.symmetry();
        chi.filter(|chi| is_round(self.inertia.matrix(), *chi))
    }

    /// The first integrals, for this body or for a system that has it.
    pub(super) fn invariants_of<P>(&self) -> Vec<Quantity<P>>
    where
        P: Problem<Point = BodyState<f64>> + AsRef<Self>,
    {
        use BodyIntegral::{AxialMomentum, Energy, SpatialMomentum, Spin};
        let mut list: Vec<Quantity<P>> = Vec::new();
        let mut add = |name, eval| list.push(Quantity { name, eval });
        if self.potential.conserves_energy() {
            add("energy", |p: &P, y: &BodyState<f64>| p.as_ref().integral(Energy, y));
        }
        if self.potential.is_free() {
            add("spatial_momentum_x", |p, y| p.as_ref().integral(SpatialMomentum(0), y));
            add("spatial_momentum_y", |p, y| p.as_ref().integral(SpatialMomentum(1), y));
            add("spatial_momentum_z", |p, y| p.as_ref().integral(SpatialMomentum(2), y));
        }
        if self.potential.symmetry().0.is_some() {
            add("axial_momentum", |p, y| p.as_ref().integral(AxialMomentum, y));
        }
        if self.spin_axis().is_some() {
            add("spin", |p, y| p.as_ref().integral(Spin, y));
        }
        list
    }
}

impl<S, U> AsRef<Self> for RigidBody<S, U> {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl<U: TorqueField<f64>> Watched for RigidBody<f64, U> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        self.invariants_of()
    }
    fn manifold_error(&self, y: &BodyState<f64>) -> f64 {
        y.rotation.orthogonality_error()
    }
}

impl<U: TorqueField<f64>> Described for RigidBody<f64, U> {
    fn describe(&self, _t: f64, y: &BodyState<f64>) -> Vec<(&'static str, Value)> {
        vec![
            ("rotation", rotation_value(&y.rotation)),
            ("omega", vector_value(self.inertia.velocity(y.momentum))),
            ("momentum", vector_value(y.momentum)),
            ("spatial_momentum", vector_value(y.spatial_momentum())),
        ]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("attitude", &["rotation"]), ("momentum", &["momentum"])]
    }
}
