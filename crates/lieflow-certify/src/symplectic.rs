//! The symplectic defect of a step, for the systems that have a symplectic or a Poisson form.
use crate::any_space::{Space, on_any_space};
use crate::called::{CalledBody, called};
use crate::{by_differences, spheres, turned};
use lieflow::group::LieAlgebra;
use lieflow::group::family::{GroupFamily, Rotations, Translations};
use lieflow::method::cotangent::structure::{Measured, Tangent, linearise};
use lieflow::method::isotropy::sphere;
use lieflow::method::lie_poisson::poisson_measured;
use lieflow::method::{
    Entry, Method, Options, StepError, discrete_gradient, generator, isospectral, rigid_body,
    spherical, variational,
};
use lieflow::problem::{AnyTangent, Generator, Lagrangian, Lift, Phase, Problem};
use lieflow_models::run::Model;
use lieflow_models::system::euclidean::Particle;
use lieflow_models::system::heavy_top::{DualHeavyTop, HeavyTop, QuadraticHeavyTop};
use lieflow_models::system::kirchhoff::Kirchhoff;
use lieflow_models::system::reduced_body::ReducedBody;
use lieflow_models::system::rigid_body::{LiftedBody, RigidBody};
use lieflow_models::system::so_n_body::{self, SoNBody};

/// What was measured of the form, and which form it is.
#[derive(Clone, Debug, PartialEq)]
pub struct FormDefect {
    /// The form.
    pub form: &'static str,
    /// `|Jᵀ Ω₁ J − Ω₀|` for a symplectic form, `|D B₀ Dᵀ − B₁|` for a Poisson tensor.
    pub defect: Result<Measured, StepError>,
}

/// A step whose map is measured: by which method, and from when and how long it is.
#[derive(Clone, Copy)]
pub(crate) struct MeasuredStep<'a> {
    pub id: &'a str,
    pub options: &'a Options,
    pub step: (f64, f64),
}

/// How much one step of a method, given by its start and its length, from the initial state of a system changes its form; nothing for
/// systems that have none, and for methods that are not compiled for the derivative.
pub fn symplectic_defect(
    model: &dyn Model,
    id: &str,
    options: &Options,
    step: (f64, f64),
) -> Option<FormDefect> {
    let by = MeasuredStep { id, options, step };
    on_body(model, by)
        .or_else(|| on_reduced(model, by))
        .or_else(|| particle::<1>(model, by))
        .or_else(|| particle::<2>(model, by))
        .or_else(|| spheres::defect(model, by))
        .or_else(|| turned::defect(model, by))
        .or_else(|| by_differences::defect(model, by))
}

/// Bodies and tops whose states are an attitude and a momentum.
fn on_body(model: &dyn Model, by: MeasuredStep<'_>) -> Option<FormDefect> {
    const FORM: &str = "canonical form of T*SO(3)";
    let any = model.as_any();
    if let Some(body) = any.downcast_ref::<RigidBody<f64>>() {
        let lifted = called(body.lift(Tangent::constant));
        let mut list = rigid_body::entries::<Tangent, CalledBody>();
        list.extend(with_lagrangian(by.id));
        list.extend(discrete_gradient::entries());
        return measured(FORM, list, &lifted, by, canonical::<Rotations, _, _>(body, &lifted, by));
    }
    if let Some(body) = any.downcast_ref::<LiftedBody<f64>>() {
        let lifted = LiftedBody(called(body.0.lift(Tangent::constant)));
        let list = on_any_space(generator::entries());
        return measured(FORM, list, &lifted, by, canonical::<Rotations, _, _>(body, &lifted, by));
    }
    if let Some(top) = any.downcast_ref::<HeavyTop<f64>>() {
        let lifted = top.lift(Tangent::constant);
        let list = with_lagrangian(by.id);
        return measured(FORM, list, &lifted, by, canonical::<Rotations, _, _>(top, &lifted, by));
    }
    let top = any.downcast_ref::<QuadraticHeavyTop<f64>>()?;
    let form = "canonical form of T*(SO(3) × R³)";
    let (lifted, list) = (top.lift(Tangent::constant), with_lagrangian(by.id));
    let measure = canonical::<(Rotations, Translations<3>), _, _>(top, &lifted, by);
    measured(form, list, &lifted, by, measure)
}

/// Systems on the dual of an algebra.
fn on_reduced(model: &dyn Model, by: MeasuredStep<'_>) -> Option<FormDefect> {
    let any = model.as_any();
    if let Some(body) = any.downcast_ref::<ReducedBody<f64>>() {
        let lifted = body.lift(Tangent::constant);
        let mut list = on_any_space(generator::entries());
        list.extend(sphere::entries());
        list.extend(spherical::all_entries());
        list.extend(variational::reduced_entries());
        list.extend(variational::reduced_entry(by.id));
        list.extend(discrete_gradient::entries());
        return measured(
            "Lie–Poisson tensor of so(3)*",
            list,
            &lifted,
            by,
            lie_poisson(body, &lifted, by),
        );
    }
    if let Some(body) = any.downcast_ref::<Kirchhoff<f64>>() {
        let lifted = body.lift(Tangent::constant);
        let mut list = on_any_space(generator::entries());
        list.extend(variational::reduced_entries());
        list.extend(variational::reduced_entry(by.id));
        return measured(
            "Lie–Poisson tensor of se(3)*",
            list,
            &lifted,
            by,
            lie_poisson(body, &lifted, by),
        );
    }
    if let Some(top) = any.downcast_ref::<DualHeavyTop<f64>>() {
        let lifted = top.lift(Tangent::constant);
        let list = on_any_space(generator::entries());
        return measured(
            "Lie–Poisson tensor of se(3)*",
            list,
            &lifted,
            by,
            lie_poisson(top, &lifted, by),
        );
    }
    if let Some(body) = any.downcast_ref::<SoNBody<f64>>() {
        let lifted = AnyTangent::new(Box::new(body.lift(Tangent::constant)));
        let mut list = on_any_space(generator::table_entries());
        list.extend(isospectral::entries::<Tangent, { so_n_body::MOST }, _>());
        return measured(
            "Lie–Poisson tensor of so(n)*",
            list,
            &lifted,
            by,
            lie_poisson(body, &lifted, by),
        );
    }
    None
}

/// What every space has, with the variational methods that need a Lagrangian.
fn with_lagrangian<P>(id: &str) -> Vec<Entry<P>>
where
    P: Generator<Space: Space> + Lagrangian + Clone + 'static,
{
    let mut list = on_any_space(generator::entries());
    list.extend(variational::lagrangian_entries());
    list.extend(variational::lagrangian_entry(id));
    list
}

fn particle<const N: usize>(model: &dyn Model, by: MeasuredStep<'_>) -> Option<FormDefect> {
    const FORM: &str = "canonical form of T*Rⁿ";
    let particle = model.as_any().downcast_ref::<Particle<f64, N>>()?;
    let lifted = particle.lift(Tangent::constant);
    let mut list = variational::vector_entries();
    list.extend(on_any_space(generator::entries()));
    list.extend(variational::vector_entry(by.id));
    list.extend(discrete_gradient::entries());
    measured(FORM, list, &lifted, by, canonical::<Translations<N>, _, _>(particle, &lifted, by))
}

/// What is asked of a method.
type Measurement<'a, Q> = dyn Fn(&mut dyn Method<Q>) -> Result<Measured, StepError> + 'a;

/// The canonical form of the cotangent bundle of a group.
fn canonical<'a, F, P, Q>(p: &'a P, lifted: &'a Q, by: MeasuredStep<'_>) -> Box<Measurement<'a, Q>>
where
    F: GroupFamily,
    P: Problem<Point: Phase<Group = F::Over<f64>>>,
    Q: Problem<Point: Phase<Group = F::Over<Tangent>>>,
{
    let (t, h) = by.step;
    Box::new(move |method| Ok(linearise::<F, _, _>(lifted, method, t, h, &p.start())?.measured()))
}

/// The Lie–Poisson tensor of the dual of an algebra.
fn lie_poisson<'a, P, Q>(p: &'a P, lifted: &'a Q, by: MeasuredStep<'_>) -> Box<Measurement<'a, Q>>
where
    P: Problem<Point: LieAlgebra<Scalar = f64>>,
    Q: Problem<Point: LieAlgebra<Scalar = Tangent>>,
{
    let (t, h) = by.step;
    Box::new(move |method| poisson_measured(lifted, method, t, h, &p.start()))
}

/// Makes the method with this name and measures it.
pub(crate) fn measured<Q: Problem>(
    form: &'static str,
    list: Vec<Entry<Q>>,
    lifted: &Q,
    by: MeasuredStep<'_>,
    measure: impl FnOnce(&mut dyn Method<Q>) -> Result<Measured, StepError>,
) -> Option<FormDefect> {
    let entry = list.into_iter().find(|entry| entry.card.id == by.id)?;
    let mut method = (entry.make)(lifted, by.options).ok()?;
    Some(FormDefect { form, defect: measure(method.as_mut()) })
}
