//! Spins, vortices and other vectors on spheres, each of which is a phase space: all as one type, so
//! that methods are compiled over dual numbers once for this space.
use crate::any_space::on_any_space;
use crate::symplectic::{FormDefect, MeasuredStep, measured};
use lieflow::Vec3;
use lieflow::action::Turn;
use lieflow::method::cotangent::structure::Tangent;
use lieflow::method::spherical::{TurnedVectors, structure};
use lieflow::method::{discrete_gradient, generator, magnus, spherical};
use lieflow::problem::{AnyTangent, Generator, Lift, Problem};
use lieflow_models::run::Model;
use lieflow_models::system::bloch::Bloch;
use lieflow_models::system::custom::space::{Numbers, Product};
use lieflow_models::system::custom::{Custom, group::Element};
use lieflow_models::system::macrospin::Macrospin;
use lieflow_models::system::spin_ring::SpinRing;
use lieflow_models::system::vortices::Vortices;

/// The form.
const FORM: &str = "symplectic form of (S²)ⁿ";
/// The same with strengths as weights.
const WEIGHTED: &str = "symplectic form of (S²)ⁿ, weighted by the strengths";

type Vectors = Vec<Vec3<Tangent>>;

/// The defect for systems on products of spheres.
pub(crate) fn defect(model: &dyn Model, by: MeasuredStep<'_>) -> Option<FormDefect> {
    let any = model.as_any();
    if let Some(spin) = any.downcast_ref::<Macrospin<f64>>() {
        let lifted = spin.lift(Tangent::constant);
        let by_energy = measured(FORM, discrete_gradient::entries(), &lifted, by, |method| {
            structure::measured(&lifted, method, by.step, &[spin.start], &[1.0])
        });
        if by_energy.is_some() {
            return by_energy;
        }
        let one = AsList(lifted);
        return on_spheres(FORM, one, &[spin.start], &[1.0], by);
    }
    if let Some(spin) = any.downcast_ref::<Bloch<f64>>() {
        let one = AsList(spin.lift(Tangent::constant));
        return on_spheres(FORM, one, &[spin.start], &[1.0], by);
    }
    if let Some(ring) = any.downcast_ref::<SpinRing<f64>>() {
        let lifted = ring.lift(Tangent::constant);
        let weights = vec![1.0; ring.start.len()];
        return on_spheres(FORM, lifted, &ring.start, &weights, by);
    }
    if let Some(vortices) = any.downcast_ref::<Vortices<f64>>() {
        let lifted = vortices.lift(Tangent::constant);
        let weights = &vortices.strengths;
        return on_spheres(WEIGHTED, lifted, &vortices.start, weights, by);
    }
    // Vectors that an energy turns are momenta, whose orbits have a form of their own; one sphere has
    // one form, that of areas. Several that are turned by formulas may have any weights.
    let has_form = |custom: &&Custom<f64>| {
        let shape = custom.shape();
        shape.spins || (shape.turns_only() && shape.size == 3)
    };
    let custom = any.downcast_ref::<Custom<f64>>().filter(has_form)?;
    let start: Vec<Vec3<f64>> = Problem::start(custom).0.chunks(3).map(to_vector).collect();
    let weights = vec![1.0; start.len()];
    let lifted = OnList(custom.lift(Tangent::constant));
    on_spheres(FORM, lifted, &start, &weights, by)
}

fn on_spheres(
    form: &'static str,
    system: impl Generator<Space = Vec<Turn<Tangent>>, Point = Vectors> + 'static,
    start: &[Vec3<f64>],
    weights: &[f64],
    by: MeasuredStep<'_>,
) -> Option<FormDefect> {
    let lifted = AnyTangent::new(Box::new(system));
    let mut list = spherical::all_entries::<AnyTangent<Vec<Turn<Tangent>>>>();
    list.extend(on_any_space(generator::entries()));
    list.extend(on_any_space(magnus::entries()));
    measured(form, list, &lifted, by, |method| {
        structure::measured(&lifted, method, by.step, start, weights)
    })
}

/// One spin as a list of one.
struct AsList<P>(P);

impl<P: Problem<Point = Vec3<Tangent>>> Problem for AsList<P> {
    type Point = Vectors;
    fn start(&self) -> Vectors {
        vec![self.0.start()]
    }
}

impl<P: Generator<Space = Turn<Tangent>, Point = Vec3<Tangent>>> Generator for AsList<P> {
    type Space = Vec<Turn<Tangent>>;
    fn is_linear(&self) -> bool {
        self.0.is_linear()
    }
    fn field(&self, t: f64, y: &Vectors) -> Vectors {
        y.iter().map(|m| self.0.field(t, m)).collect()
    }
}

/// A system by formulas whose state is a list of vectors.
struct OnList(Custom<Tangent>);

impl Problem for OnList {
    type Point = Vectors;
    fn start(&self) -> Vectors {
        Problem::start(&self.0).0.chunks(3).map(to_vector).collect()
    }
}

impl Generator for OnList {
    type Space = Vec<Turn<Tangent>>;
    fn is_linear(&self) -> bool {
        self.0.is_linear()
    }
    fn field(&self, t: f64, y: &Vectors) -> Vectors {
        let numbers = Numbers(y.iter().flat_map(|v| v.to_array()).collect());
        let u: Element<Tangent> = self.0.field(t, &numbers);
        (0..y.len()).map(|i| Product::turn(&u, i)).collect()
    }
}

fn to_vector<S: Copy>(v: &[S]) -> Vec3<S> {
    Vec3 { x: v[0], y: v[1], z: v[2] }
}
