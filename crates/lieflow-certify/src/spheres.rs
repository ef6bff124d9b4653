//! Chains and dipoles as one type, so that methods on spheres are compiled over dual numbers once
//! for each space and not once more for each system.
use crate::any_space::on_any_space;
use crate::symplectic::{FormDefect, MeasuredStep, measured};
use lieflow::Real;
use lieflow::action::Link;
use lieflow::method::cotangent::structure::Tangent;
use lieflow::method::spheres::structure;
use lieflow::method::{classical, generator, spheres};
use lieflow::problem::spheres::{
    Coordinates, Coupling, FlatCoordinates, LiftCoordinates, MomentumCoordinates, OnSpheres,
    Se3Coordinates, Slot, SphereProblem, SphereSystem, Symmetry,
};
use lieflow::problem::{Lift, Problem};
use lieflow_models::run::Model;
use lieflow_models::system::dipoles::Dipoles;
use lieflow_models::system::pendulum_chain::PendulumChain;

/// Either system.
#[derive(Clone)]
enum Either<S: Real> {
    Chain(PendulumChain<S>),
    Dipoles(Dipoles<S>),
}

/// The same call to the system that is there.
macro_rules! of {
    ($self:ident, $m:ident => $call:expr) => {
        match $self {
            Either::Chain($m) => $call,
            Either::Dipoles($m) => $call,
        }
    };
}

impl<S: Real> SphereSystem for Either<S> {
    type Scalar = S;
    type Over<T: Real> = Either<T>;
    fn over<T: Real>(&self, embed: fn(S) -> T) -> Either<T> {
        match self {
            Self::Chain(m) => Either::Chain(m.over(embed)),
            Self::Dipoles(m) => Either::Dipoles(m.over(embed)),
        }
    }
    fn count(&self) -> usize {
        of!(self, m => m.count())
    }
    fn coupling(&self) -> Coupling {
        of!(self, m => m.coupling())
    }
    fn mass(&self, i: usize, j: usize) -> S {
        of!(self, m => m.mass(i, j))
    }
    fn inverse_mass(&self, i: usize, j: usize) -> S {
        of!(self, m => m.inverse_mass(i, j))
    }
    fn potential(&self, y: &[Link<S>]) -> S {
        of!(self, m => m.potential(y))
    }
    fn add_gradient<O: Slot<S>>(&self, y: &[Link<S>], out: &mut [O]) {
        of!(self, m => m.add_gradient(y, out));
    }
    fn symmetry(&self) -> Symmetry<S> {
        of!(self, m => m.symmetry())
    }
    fn weighted_gradient<O: Slot<S>>(&self, y: &[Link<S>], out: &mut [O]) {
        of!(self, m => m.weighted_gradient(y, out));
    }
    fn acceleration<O: Slot<S>>(&self, y: &[Link<S>], out: &mut [O]) {
        of!(self, m => m.acceleration(y, out));
    }
    fn acceleration_anywhere<O: Slot<S>>(&self, y: &[Link<S>], out: &mut [O]) {
        of!(self, m => m.acceleration_anywhere(y, out));
    }
    fn momentum<O: Slot<S>>(&self, y: &[Link<S>], out: &mut [O]) {
        of!(self, m => m.momentum(y, out));
    }
}

/// The defect for chains and dipoles in all coordinates.
pub(crate) fn defect(model: &dyn Model, by: MeasuredStep<'_>) -> Option<FormDefect> {
    posed::<Se3Coordinates>(model, by)
        .or_else(|| posed::<MomentumCoordinates>(model, by))
        .or_else(|| posed::<LiftCoordinates>(model, by))
        .or_else(|| posed::<FlatCoordinates>(model, by))
}

fn posed<C: Coordinates>(model: &dyn Model, by: MeasuredStep<'_>) -> Option<FormDefect> {
    let any = model.as_any();
    let chain = any.downcast_ref::<OnSpheres<PendulumChain<f64>, C>>();
    let array = any.downcast_ref::<OnSpheres<Dipoles<f64>, C>>();
    let (system, start) = match (chain, array) {
        (Some(p), _) => (Either::Chain(SphereProblem::system(p).clone()), Problem::start(p)),
        (_, Some(p)) => (Either::Dipoles(SphereProblem::system(p).clone()), Problem::start(p)),
        _ => return None,
    };
    type Lifted<C> = OnSpheres<Either<Tangent>, C>;
    let lifted: Lifted<C> = OnSpheres::<Either<f64>, C>::new(system, &[]).lift(Tangent::constant);
    let mut list = spheres::entries::<Lifted<C>>();
    list.extend(on_any_space(generator::entries()));
    if C::NAME == FlatCoordinates::NAME {
        list.extend(on_any_space(classical::entries()));
    }
    let form = if C::MOMENTA {
        "canonical form of T*(S²)ⁿ"
    } else {
        "Lagrangian form Σ dqᵢ∧dpᵢ on T(S²)ⁿ, p = M q'"
    };
    measured(form, list, &lifted, by, |method| {
        structure::measured(&lifted, method, by.step.0, by.step.1, &start)
    })
}
