//! The free rigid body reduced by its symmetry: Euler's equation on so(3)*.
//!
//! ```text
//! H = m·J⁻¹m/2        m' = m × J⁻¹m
//! ```
//!
//! As a generator of the coadjoint action of SO(3): `f = -J⁻¹m`, so that every Lie-group method
//! keeps the sphere `|m|`.
use super::law_table::{LawTable, definitions, part};
use super::{Spec, SystemEntry, finite_vector, vector_value};
use crate::formulas::{Equations, Motion, Space, Values};
use crate::problem_file::SpecError;
use crate::run::{MeterOf, Model, ModelSystem, field_meter};
use lieflow::method::isotropy::{FreeMomentum, sphere, with_conservation, without_isotropy_choice};
use lieflow::method::{Entry, discrete_gradient, generator, spherical, variational};
use lieflow::problem::{
    Described, FirstIntegrals, GradientFlow, Integral, MANIFOLD_BOUND, Quantity, Value, Watched,
};
use lieflow::{Mat3, Real, Vec3};
use lieflow_formula::Kind;

mod body;
pub use body::ReducedBody;

impl<S: Real> FreeMomentum for ReducedBody<S> {
    type Scalar = S;
    fn inverse_inertia(&self) -> Mat3<S> {
        self.inverse
    }
}

impl FirstIntegrals for ReducedBody<f64> {
    fn integrals(&self) -> Vec<Integral<Self>> {
        vec![Integral {
            name: "energy",
            eval: |p, m| p.energy(m),
            gradient: |p, m, out| out.copy_from_slice(&p.inverse.apply(*m).to_array()),
            change: Some(|p, m, y| (*y - *m).dot(p.inverse.apply(*y + *m)) * 0.5),
        }]
    }
}

impl<S: Real> GradientFlow for ReducedBody<S> {
    fn energy(&self, _t: f64, m: &Vec3<S>) -> S {
        self.energy(m)
    }
    fn energy_change(&self, _t: f64, m: &Vec3<S>, y: &Vec3<S>) -> S {
        (*y - *m).dot(self.inverse.apply(*y + *m)) * 0.5
    }
    fn differential(&self, _t: f64, m: &Vec3<S>) -> Vec3<S> {
        m.cross(self.inverse.apply(*m))
    }
    /// `-J⁻¹m` without its part along `m`.
    fn response(&self, _t: f64, m: &Vec3<S>, g: &Vec3<S>) -> Vec3<S> {
        let square = m.norm_squared();
        if square.magnitude() > 0.0 { m.cross(*g).times(S::one() / square) } else { Vec3::zero() }
    }
}

impl Watched for ReducedBody<f64> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        vec![
            Quantity { name: "energy", eval: |p, m| p.energy(m) },
            Quantity { name: "momentum_norm", eval: |_, m| m.norm() },
        ]
    }
    /// The sphere on which the motion lies.
    fn manifold_error(&self, m: &Vec3<f64>) -> f64 {
        (m.norm() - self.start.norm()).abs()
    }
    fn manifold_bound(&self, _: &Vec3<f64>) -> f64 {
        MANIFOLD_BOUND * self.start.norm().max(1.0)
    }
}

impl Described for ReducedBody<f64> {
    fn describe(&self, _t: f64, m: &Vec3<f64>) -> Vec<(&'static str, Value)> {
        vec![("momentum", vector_value(*m))]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("momentum", &["momentum"])]
    }
}

impl ModelSystem for ReducedBody<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    const ISOTROPY: bool = true;
    fn entries() -> Vec<Entry<Self>> {
        let mut entries = generator::entries_on_homogeneous_space();
        entries.extend(without_isotropy_choice(sphere::entries()));
        entries.extend(without_isotropy_choice(variational::reduced_entries()));
        entries.extend(spherical::all_entries_on_space());
        entries.extend(without_isotropy_choice(discrete_gradient::entries()));
        with_conservation(entries)
    }
    fn set_initial(&mut self, key: &str, numbers: &[f64]) -> bool {
        let Some(vector) = finite_vector(numbers) else { return false };
        match key {
            "initial.momentum" => self.start = vector,
            _ => return false,
        }
        true
    }
    fn set_part(&self, y: &mut Vec3<f64>, part: &str, numbers: &[f64]) -> bool {
        match finite_vector(numbers) {
            Some(vector) if part == "momentum" => *y = vector,
            _ => return false,
        }
        true
    }
    fn method_by_name(id: &str) -> Option<Entry<Self>> {
        let entry = variational::reduced_entry(id)?;
        with_conservation(without_isotropy_choice(vec![entry])).pop()
    }
    fn meter(&self) -> Option<MeterOf<Self>> {
        field_meter(self, false)
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "reduced-body",
    title: "free rigid body on so(3)*",
    parameters: "inertia",
    initial: "momentum",
    state: "momentum",
    methods: super::cards::<ReducedBody<f64>>,
    build,
};

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let inertia = spec.parameters.inertia("inertia")?;
    let names = LawTable::names_only(spec)?;
    spec.explain(|| equations(&inertia, &names));
    Ok(Box::new(ReducedBody::new(inertia, spec.initial.vector("momentum")?)))
}

/// The body in formulas.
fn equations(inertia: &Mat3<f64>, names: &LawTable<'_>) -> Equations {
    let mut values = Values::default();
    values.push_matrix("J", inertia);
    Equations {
        state: vec![part("P", "momentum", Kind::Vector, Space::Vectors)],
        parameters: names.values(&values).parameters(),
        definitions: definitions([("w", "inv(J)*P"), ("energy", "0.5*dot(P, inv(J)*P)")]),
        motion: vec![("P".into(), Motion::Shift("cross(P, inv(J)*P)".into()))],
        ..Equations::default()
    }
}
