//! One spin in a field, with anisotropy and damping ([`spins`](super::spins)).
//!
//! Closed solutions, with `z` the component along the axis and `φ` the azimuth about it:
//!
//! ```text
//! field along the axis     z = tanh(α g b t + artanh z0)                φ = φ0 + g b t
//! D = (p, p, q), K = p-q   z² = z0² E/(1 - z0² + z0² E), E = exp(2 α g K t)
//!                          φ = φ0 + (artanh z - artanh z0)/α            (α = 0: φ0 + γ K z0 t)
//! ```
//!
//! Without field and damping it is the free rigid body with inverse inertia `γ D`. A field by formula
//! may be added ([`SpinField`]).
use super::law_table::{LawTable, definitions, part};
use super::spin_field::SpinField;
use super::spins::Material;
use super::{Spec, SystemEntry, finite_vector, unit_vectors, vector_value};
use crate::formulas::{Equations, Motion, Space, Values};
use crate::problem_file::{SpecError, is_unit};
use crate::run::{MeterOf, Model, ModelSystem, field_meter};
use lieflow::kernel::so3;
use lieflow::method::isotropy::{with_conservation, without_isotropy_choice};
use lieflow::method::{Card, Entry, discrete_gradient, generator, magnus, spherical};
use lieflow::problem::{
    Described, FirstIntegrals, Generator, GradientFlow, Integral, Quantity, Value, Watched,
};
use lieflow::{Real, Vec3};
use lieflow_formula::Kind;

mod spin;
pub use spin::Macrospin;

impl<S: Real> Macrospin<S> {
    /// The field by formula, if it has an energy.
    fn conservative_law(&self) -> Option<&SpinField<S>> {
        self.law.as_deref().filter(|law| law.is_conservative())
    }
}

impl Macrospin<f64> {
    /// `E`, as far as it is known.
    fn energy(&self, m: &Vec3<f64>) -> f64 {
        let law = self.law.as_ref().map_or(0.0, |law| law.energy(&[*m]));
        self.material.energy(*m) + law
    }

    /// The exact state at time `t`, where there is a closed form: in a field without anisotropy,
    /// and with uniaxial anisotropy without field.
    pub fn exact(&self, t: f64) -> Option<Vec3<f64>> {
        let Material { gamma, alpha, b, d } = self.material;
        if self.law.is_some() {
            return None;
        }
        let g = self.material.rate();
        let strength = b.norm();
        if d == Vec3::zero() {
            if strength == 0.0 {
                return Some(self.start);
            }
            let axis = b * (1.0 / strength);
            let z0 = self.start.dot(axis);
            let z = (alpha * g * strength * t + z0.atanh()).tanh();
            return Some(self.placed(axis, z, g * strength * t));
        }
        if strength != 0.0 {
            return None;
        }
        // The axis is the one whose value differs from two equal ones.
        let axis = (0..3).find(|&k| d.get((k + 1) % 3) == d.get((k + 2) % 3))?;
        let k = d.get((axis + 1) % 3) - d.get(axis);
        let axis = Vec3::unit(axis);
        let z0 = self.start.dot(axis);
        if alpha == 0.0 {
            return Some(self.placed(axis, z0, gamma * k * z0 * t));
        }
        let e = (2.0 * alpha * g * k * t).exp();
        let z = (z0 * z0 * e / (1.0 - z0 * z0 + z0 * z0 * e)).sqrt().copysign(z0);
        let turn = if z0 == 0.0 { 0.0 } else { (z.atanh() - z0.atanh()) / alpha };
        Some(self.placed(axis, z, turn))
    }

    /// The unit vector at height `z` over the plane across `axis`, turned by `angle` from the
    /// azimuth of the start.
    fn placed(&self, axis: Vec3<f64>, z: f64, angle: f64) -> Vec3<f64> {
        let z0 = self.start.dot(axis);
        let across = self.start - axis * z0;
        let length = across.norm();
        if length == 0.0 {
            return self.start;
        }
        let radius = (1.0 - z * z).max(0.0).sqrt();
        axis * z + so3::rotate(axis * angle, across * (radius / length))
    }
}

impl FirstIntegrals for Macrospin<f64> {
    /// The energy, unless it is damped or a formula has none that is known.
    fn integrals(&self) -> Vec<Integral<Self>> {
        let known = self.law.as_ref().is_none_or(|law| law.is_conservative());
        if !self.material.conservative() || !known {
            return Vec::new();
        }
        let change = |p: &Self, m: &Vec3<f64>, y: &Vec3<f64>| {
            let (step, sum) = (*y - *m, *y + *m);
            sum.scaled_by(p.material.d).dot(step) * 0.5 - p.material.b.dot(step)
        };
        vec![Integral {
            name: "energy",
            eval: |p, m| p.energy(m),
            gradient: |p, m, out| out.copy_from_slice(&(-p.effective_field(0.0, *m)).to_array()),
            change: self.law.is_none().then_some(change),
        }]
    }
}

impl<S: Real> GradientFlow for Macrospin<S> {
    /// That of the material, and of the formula where it has one that does not depend on time.
    fn energy(&self, t: f64, m: &Vec3<S>) -> S {
        // The field is affine in `m`, so its energy is that of the mean of both ends.
        let law = self
            .conservative_law()
            .map_or(S::zero(), |law| m.dot(law.on_one(t, *m) + law.on_one(t, Vec3::zero())) * -0.5);
        self.material.energy(*m) + law
    }
    fn energy_change(&self, t: f64, m: &Vec3<S>, y: &Vec3<S>) -> S {
        match self.conservative_law() {
            Some(_) => GradientFlow::energy(self, t, y) - GradientFlow::energy(self, t, m),
            None => {
                let (step, sum) = (*y - *m, *y + *m);
                sum.scaled_by(self.material.d).dot(step) * 0.5 - self.material.b.dot(step)
            }
        }
    }
    fn differential(&self, t: f64, m: &Vec3<S>) -> Vec3<S> {
        let law = self.conservative_law().map_or_else(Vec3::zero, |law| law.on_one(t, *m));
        (self.material.field(*m) + law).cross(*m)
    }
    /// `g (h + α m × h)` without its part along `m`: `m × (h × m)` is `h` without it. The sign of the
    /// second term makes the energy decrease.
    fn response(&self, t: f64, m: &Vec3<S>, g: &Vec3<S>) -> Vec3<S> {
        let Material { alpha, .. } = self.material;
        let turn = (m.cross(*g) - g.times(alpha)).times(self.material.rate());
        match &self.law {
            Some(law) if !law.is_conservative() => {
                turn + self.material.generator(*m, law.on_one(t, *m))
            }
            _ => turn,
        }
    }
}

impl Watched for Macrospin<f64> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        let all = self.integrals().into_iter();
        all.map(|i| Quantity { name: i.name, eval: i.eval }).collect()
    }
    fn manifold_error(&self, m: &Vec3<f64>) -> f64 {
        super::sphere_error(std::slice::from_ref(m))
    }
}

impl Described for Macrospin<f64> {
    fn describe(&self, _t: f64, m: &Vec3<f64>) -> Vec<(&'static str, Value)> {
        vec![("m", vector_value(*m))]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("direction", &["m"])]
    }
}

impl ModelSystem for Macrospin<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    const ISOTROPY: bool = true;
    fn entries() -> Vec<Entry<Self>> {
        let mut entries = generator::entries_on_homogeneous_space();
        entries.extend(spherical::all_entries_on_space());
        entries.extend(without_isotropy_choice(magnus::entries_on_space()));
        entries.extend(without_isotropy_choice(discrete_gradient::entries()));
        with_conservation(entries)
    }
    fn set_initial(&mut self, key: &str, numbers: &[f64]) -> bool {
        match finite_vector(numbers) {
            Some(m) if key == "initial.m" && is_unit(m) => self.start = m,
            _ => return false,
        }
        true
    }
    fn set_part(&self, y: &mut Vec3<f64>, part: &str, numbers: &[f64]) -> bool {
        match unit_vectors(numbers).as_deref() {
            Some([m]) if part == "m" => *y = *m,
            _ => return false,
        }
        true
    }
    fn refuses(&self, card: &Card) -> Option<String> {
        let refused = card.family == magnus::FAMILY && !self.is_linear();
        refused.then(|| magnus::NOT_LINEAR.into())
    }
    fn breakdown(&self, t: f64, m: &Vec3<f64>) -> Option<String> {
        self.law.as_ref()?.breakdown(t, &[*m])
    }
    fn meter(&self) -> Option<MeterOf<Self>> {
        field_meter(self, self.law.as_ref().is_some_and(|law| law.is_timed()))
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "macrospin",
    title: "one spin, Landau-Lifshitz-Gilbert",
    parameters: "gamma, alpha, b, D (diagonal), field { formula }",
    initial: "m (unit vector)",
    state: "m",
    methods: super::cards::<Macrospin<f64>>,
    build,
};

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let start = spec.initial.unit_vector("m")?;
    let material = Material::read(spec)?;
    let law = LawTable::read(spec, "field")?;
    let mut values = Values::default();
    material.push_values(&mut values);
    spec.explain(|| equations(&law, &values));
    let law = SpinField::read(&law, spec, &values, None)?;
    Ok(Box::new(Macrospin { material, start, law }))
}

/// The spin in formulas.
fn equations(law: &LawTable<'_>, values: &Values<'_>) -> Equations {
    let field = format!("(b - diag(D)*m + {})", law.term("0*b"));
    let mut list = definitions([("h", &field)]);
    if law.text.is_none() {
        list.push(("energy".into(), "0.5*dot(m, diag(D)*m) - dot(b, m)".into()));
    }
    Equations {
        state: vec![part("m", "m", Kind::Vector, Space::Spheres)],
        parameters: law.values(values).parameters(),
        definitions: list,
        motion: vec![("m".into(), Motion::Turn(Material::turn("m", &field)))],
        ..Equations::default()
    }
}
