//! Systems that run in lanes by a line each: [`Lift`](lieflow::problem::Lift) says how several of them become one.
//!
//! A line says which engines they have, and what is not a number of theirs but must be the same in all lanes, such as a
//! formula or the name of a potential; how many numbers there are is compared anyway. Its last word replaces the state in
//! a lane, for steps with a tolerance.
use super::dispatch::{Detected, Number};
use super::gather::{put_links, put_numbers, put_particle, put_vectors};
use super::lane_field::LaneField;
use super::methods::engines;
use super::systems::runner_of;
use super::{InLanes, LaneRunner, Packed, Refilled, lifted, methods, refilled};
use lieflow::method::Method;
use lieflow::problem::spheres::{Coordinates, OnSpheres, Se3Coordinates, SphereProblem};
use lieflow_formula::Formula;
use lieflow_models::run::{Model, Plan};
use lieflow_models::system::custom::Custom;
use lieflow_models::system::custom::space::Numbers;
use lieflow_models::system::euclidean::{Landscape, Particle, PotentialLaw};
use lieflow_models::system::pendulum_chain::PendulumChain;
use lieflow_models::system::spin_ring::SpinRing;
use lieflow_models::system::vortices::{PairLaw, Vortices};
use lieflow_models::system::{ExtraPotential, SpinField};

/// What two systems have in common besides their numbers: a name, and a formula, which is the same if only its
/// numbers differ.
struct Kind<'a, T>(T, Option<&'a Formula<f64>>);

impl<T: PartialEq> PartialEq for Kind<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        let same = match (self.1, other.1) {
            (Some(a), Some(b)) => a.program().same(b.program()),
            (a, b) => a.is_none() && b.is_none(),
        };
        same && self.0 == other.0
    }
}

macro_rules! joined {
    ($($system:ty: $engines:ident, $kind:path, $put:expr;)*) => {
        /// How a system of one of these types runs under this plan, if its method is compiled for lanes.
        pub fn find<N: Number>(
            model: &dyn Model,
            plan: &Plan,
            detected: Detected<N>,
        ) -> Option<LaneRunner> {
            None$(.or_else(|| runner_of::<N, $system>(model, plan, detected)))*
        }

        $(impl<N: Number> InLanes<N> for $system {
            fn pack(items: &[&Self]) -> Option<Packed<Self, N>> {
                lifted::pack(items, |a, b| $kind(a) == $kind(b))
            }
            engines!($engines);
        })*

        refilled! { $($system: false, $put;)* }
    };
}

joined! {
    Particle<f64, 1>: particle, particle, put_particle;
    Particle<f64, 2>: particle, particle, put_particle;
    Particle<f64, 6>: particle, particle, put_particle;
    SpinRing<f64>: on_space, ring, put_vectors;
    Vortices<f64>: on_space, vortices, put_vectors;
    OnSpheres<PendulumChain<f64>, Se3Coordinates>: chains, chain, put_links;
    Custom<f64>: on_space, custom, put_custom;
}

fn particle<const N: usize>(p: &Particle<f64, N>) -> Kind<'_, Landscape> {
    Kind(p.landscape, p.law.as_deref().map(PotentialLaw::formula))
}
fn ring(p: &SpinRing<f64>) -> Kind<'_, ()> {
    Kind((), p.law.as_deref().map(SpinField::formula))
}
fn vortices(p: &Vortices<f64>) -> Kind<'_, ()> {
    Kind((), p.law.as_deref().map(PairLaw::formula))
}
fn chain<C: Coordinates>(p: &OnSpheres<PendulumChain<f64>, C>) -> Kind<'_, ()> {
    Kind((), SphereProblem::system(p).extra().map(ExtraPotential::formula))
}
/// Functions of other languages know no lanes: what is not a number is like nothing.
fn custom(p: &Custom<f64>) -> Kind<'_, f64> {
    Kind(if p.calls() { f64::NAN } else { 0.0 }, Some(p.formula()))
}

fn put_custom<N: Number>(all: &mut Numbers<N>, lane: usize, one: &Numbers<f64>) {
    put_numbers(&mut all.0, lane, &one.0);
}
