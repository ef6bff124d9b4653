//! The symplectic defect of a step, for the systems that live on a cotangent bundle.
use lieflow::group::family::{GroupFamily, Rotations, Translations};
use lieflow::method::cotangent::structure::{Tangent, linearise};
use lieflow::method::{Entry, Options, StepError, generator, rigid_body, variational};
use lieflow::problem::{Lift, Phase, Problem};
use lieflow_models::door::Model;
use lieflow_models::system::euclidean::{
    DoubleWell, Harmonic, HenonHeiles, Kepler, Landscape, Particle, Pendulum,
};
use lieflow_models::system::heavy_top::HeavyTop;
use lieflow_models::system::rigid_body::RigidBody;

/// `|Jᵀ Ω₁ J − Ω₀|` of one step of a method from the initial state of a system; nothing for systems
/// that have no symplectic form, and for methods that are not compiled for the derivative.
pub fn symplectic_defect(
    model: &dyn Model,
    id: &str,
    options: &Options,
    h: f64,
) -> Option<Result<f64, StepError>> {
    let any = model.as_any();
    if let Some(body) = any.downcast_ref::<RigidBody<f64>>() {
        let lifted = body.lift(Tangent::constant);
        let listed = rigid_body::entries::<Tangent, RigidBody<Tangent>>()
            .into_iter()
            .chain(generator::entries())
            .chain(variational::lagrangian_entries())
            .find(|entry| entry.card.id == id);
        let entry = listed.or_else(|| variational::lagrangian_entry(id));
        return defect::<Rotations, _, _>(body, &lifted, entry, options, h);
    }
    if let Some(top) = any.downcast_ref::<HeavyTop<f64>>() {
        let lifted = top.lift(Tangent::constant);
        let listed = generator::entries()
            .into_iter()
            .chain(variational::lagrangian_entries())
            .find(|entry| entry.card.id == id);
        let entry = listed.or_else(|| variational::lagrangian_entry(id));
        return defect::<Rotations, _, _>(top, &lifted, entry, options, h);
    }
    particle::<Harmonic, 1>(model, id, options, h)
        .or_else(|| particle::<Pendulum, 1>(model, id, options, h))
        .or_else(|| particle::<DoubleWell, 1>(model, id, options, h))
        .or_else(|| particle::<Kepler, 2>(model, id, options, h))
        .or_else(|| particle::<HenonHeiles, 2>(model, id, options, h))
}

fn particle<V: Landscape<N> + 'static, const N: usize>(
    model: &dyn Model,
    id: &str,
    options: &Options,
    h: f64,
) -> Option<Result<f64, StepError>> {
    let particle = model.as_any().downcast_ref::<Particle<f64, V, N>>()?;
    let lifted = particle.lift(Tangent::constant);
    let listed = variational::vector_entries().into_iter().find(|entry| entry.card.id == id);
    let entry = listed.or_else(|| variational::vector_entry(id));
    defect::<Translations<N>, _, _>(particle, &lifted, entry, options, h)
}

fn defect<F, P, Q>(
    p: &P,
    lifted: &Q,
    entry: Option<Entry<Q>>,
    options: &Options,
    h: f64,
) -> Option<Result<f64, StepError>>
where
    F: GroupFamily,
    P: Problem<Point: Phase<Group = F::Over<f64>>>,
    Q: Problem<Point: Phase<Group = F::Over<Tangent>>>,
{
    let mut method = (entry?.make)(lifted, options).ok()?;
    let at = linearise::<F, _, _>(lifted, method.as_mut(), 0.0, h, &p.start());
    Some(at.map(|at| at.symplectic_defect()))
}
