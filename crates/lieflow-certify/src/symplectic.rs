//! The symplectic defect of a step, for the systems that have a symplectic or a Poisson form.
use crate::any_space::on_any_space;
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
use lieflow::problem::{AnyTangent, Lift, Phase, Problem};
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

/// How much one step of a method, given by its start and its length, from the initial state of a system changes its form; nothing for
/// systems that have none, and for methods that are not compiled for the derivative.
pub fn symplectic_defect(
    model: &dyn Model,
    id: &str,
    options: &Options,
    step: (f64, f64),
) -> Option<FormDefect> {
    let any = model.as_any();
    if let Some(body) = any.downcast_ref::<RigidBody<f64>>() {
        let lifted = called(body.lift(Tangent::constant));
        let mut list = rigid_body::entries::<Tangent, CalledBody>();
        list.extend(on_any_space(generator::entries()));
        list.extend(variational::lagrangian_entries());
        list.extend(variational::lagrangian_entry(id));
        list.extend(discrete_gradient::entries());
        return on_group::<Rotations, _, _>(
            "canonical form of T*SO(3)",
            body,
            &lifted,
            list,
            id,
            options,
            step,
        );
    }
    if let Some(body) = any.downcast_ref::<LiftedBody<f64>>() {
        let lifted = LiftedBody(called(body.0.lift(Tangent::constant)));
        return on_group::<Rotations, _, _>(
            "canonical form of T*SO(3)",
            body,
            &lifted,
            on_any_space(generator::entries()),
            id,
            options,
            step,
        );
    }
    if let Some(top) = any.downcast_ref::<HeavyTop<f64>>() {
        let lifted = top.lift(Tangent::constant);
        let mut list = on_any_space(generator::entries());
        list.extend(variational::lagrangian_entries());
        list.extend(variational::lagrangian_entry(id));
        return on_group::<Rotations, _, _>(
            "canonical form of T*SO(3)",
            top,
            &lifted,
            list,
            id,
            options,
            step,
        );
    }
    if let Some(top) = any.downcast_ref::<QuadraticHeavyTop<f64>>() {
        let lifted = top.lift(Tangent::constant);
        let mut list = on_any_space(generator::entries());
        list.extend(variational::lagrangian_entries());
        list.extend(variational::lagrangian_entry(id));
        return on_group::<(Rotations, Translations<3>), _, _>(
            "canonical form of T*(SO(3) × R³)",
            top,
            &lifted,
            list,
            id,
            options,
            step,
        );
    }
    if let Some(body) = any.downcast_ref::<ReducedBody<f64>>() {
        let lifted = body.lift(Tangent::constant);
        let mut list = on_any_space(generator::entries());
        list.extend(sphere::entries());
        list.extend(spherical::all_entries());
        list.extend(variational::reduced_entries());
        list.extend(variational::reduced_entry(id));
        list.extend(discrete_gradient::entries());
        return on_dual("Lie–Poisson tensor of so(3)*", body, &lifted, list, id, options, step);
    }
    if let Some(body) = any.downcast_ref::<Kirchhoff<f64>>() {
        let lifted = body.lift(Tangent::constant);
        let mut list = on_any_space(generator::entries());
        list.extend(variational::reduced_entries());
        list.extend(variational::reduced_entry(id));
        return on_dual("Lie–Poisson tensor of se(3)*", body, &lifted, list, id, options, step);
    }
    if let Some(top) = any.downcast_ref::<DualHeavyTop<f64>>() {
        let lifted = top.lift(Tangent::constant);
        let list = on_any_space(generator::entries());
        return on_dual("Lie–Poisson tensor of se(3)*", top, &lifted, list, id, options, step);
    }
    if let Some(body) = any.downcast_ref::<SoNBody<f64>>() {
        let lifted = AnyTangent::new(Box::new(body.lift(Tangent::constant)));
        let mut list = on_any_space(generator::table_entries());
        list.extend(isospectral::entries::<Tangent, { so_n_body::MOST }, _>());
        return on_dual("Lie–Poisson tensor of so(n)*", body, &lifted, list, id, options, step);
    }
    particle::<1>(model, id, options, step)
        .or_else(|| particle::<2>(model, id, options, step))
        .or_else(|| spheres::defect(model, id, options, step))
        .or_else(|| turned::defect(model, id, options, step))
        .or_else(|| by_differences::defect(model, id, options, step))
}

fn particle<const N: usize>(
    model: &dyn Model,
    id: &str,
    options: &Options,
    step: (f64, f64),
) -> Option<FormDefect> {
    let particle = model.as_any().downcast_ref::<Particle<f64, N>>()?;
    let lifted = particle.lift(Tangent::constant);
    let mut list = variational::vector_entries();
    list.extend(on_any_space(generator::entries()));
    list.extend(variational::vector_entry(id));
    list.extend(discrete_gradient::entries());
    on_group::<Translations<N>, _, _>(
        "canonical form of T*Rⁿ",
        particle,
        &lifted,
        list,
        id,
        options,
        step,
    )
}

/// The canonical form of the cotangent bundle of a group.
fn on_group<F, P, Q>(
    form: &'static str,
    p: &P,
    lifted: &Q,
    list: Vec<Entry<Q>>,
    id: &str,
    options: &Options,
    step: (f64, f64),
) -> Option<FormDefect>
where
    F: GroupFamily,
    P: Problem<Point: Phase<Group = F::Over<f64>>>,
    Q: Problem<Point: Phase<Group = F::Over<Tangent>>>,
{
    let (t, h) = step;
    measured(form, list, id, lifted, options, |method| {
        let at = linearise::<F, _, _>(lifted, method, t, h, &p.start())?;
        Ok(at.measured())
    })
}

/// The Lie–Poisson tensor of the dual of an algebra.
fn on_dual<P, Q>(
    form: &'static str,
    p: &P,
    lifted: &Q,
    list: Vec<Entry<Q>>,
    id: &str,
    options: &Options,
    step: (f64, f64),
) -> Option<FormDefect>
where
    P: Problem<Point: LieAlgebra<Scalar = f64>>,
    Q: Problem<Point: LieAlgebra<Scalar = Tangent>>,
{
    let (t, h) = step;
    measured(form, list, id, lifted, options, |method| {
        poisson_measured(lifted, method, t, h, &p.start())
    })
}

/// Makes the method with this name and measures it.
pub(crate) fn measured<Q: Problem>(
    form: &'static str,
    list: Vec<Entry<Q>>,
    id: &str,
    lifted: &Q,
    options: &Options,
    measure: impl FnOnce(&mut dyn Method<Q>) -> Result<Measured, StepError>,
) -> Option<FormDefect> {
    let entry = list.into_iter().find(|entry| entry.card.id == id)?;
    let mut method = (entry.make)(lifted, options).ok()?;
    Some(FormDefect { form, defect: measure(method.as_mut()) })
}
