//! Spins on a ring, each coupled to its two neighbours ([`spins`](super::spins)).
//!
//! ```text
//! E = sum_i (-b·m_i + m_i·Dm_i/2) - J sum_i m_i·m_{i+1}     h_i = b - D m_i + J (m_{i+1} + m_{i-1})
//! ```
//!
//! Without damping the energy is conserved; if besides no direction is preferred, so is the sum of
//! all spins. A spin wave, at polar angle `θ` with the azimuth growing by `k = 2πq/n` from spin to
//! spin, turns rigidly about the pole at the rate `2 γ J cos θ (1 - cos k)`.
//!
//! A field by formula may be added to `h_i` ([`SpinField`]).
use super::law_table::{LawTable, definitions, part};
use super::spin_field::SpinField;
use super::spins::Material;
use super::{Spec, SystemEntry, cast_vector, unit_vectors};
use crate::formulas::{Equations, Motion, Space, Values};
use crate::problem_file::SpecError;
use crate::run::{MeterOf, Model, ModelSystem, field_meter};
use lieflow::action::Turn;
use lieflow::method::isotropy::with_conservation;
use lieflow::method::{Entry, generator, spherical};
use lieflow::problem::{
    Described, FirstIntegrals, Generator, Integral, Lift, Problem, Quantity, Value, Watched,
};
use lieflow::stepping::unit;
use lieflow::{Real, Vec3, vec3};
use lieflow_formula::Kind;
use std::f64::consts::PI;

/// The ring.
#[derive(Clone, Debug)]
pub struct SpinRing<S> {
    /// What the spins obey.
    pub material: Material<S>,
    /// Coupling `J`.
    pub coupling: S,
    /// Their first directions, unit vectors; at least two.
    pub start: Vec<Vec3<S>>,
    /// A field by formula, added to that of the material and the neighbours.
    pub law: Option<Box<SpinField<S>>>,
}

impl<S: Real> SpinRing<S> {
    /// The sum of the two neighbours.
    #[inline(always)]
    fn neighbours(m: &[Vec3<S>], i: usize) -> Vec3<S> {
        let n = m.len();
        m[if i + 1 < n { i + 1 } else { 0 }] + m[if i > 0 { i - 1 } else { n - 1 }]
    }
    /// `h_i`.
    #[inline(always)]
    fn field_at(&self, m: &[Vec3<S>], i: usize) -> Vec3<S> {
        self.material.field(m[i]) + Self::neighbours(m, i).times(self.coupling)
    }
    /// `E`, without that of a field by formula.
    pub fn energy(&self, m: &[Vec3<S>]) -> S {
        let mut sum = S::zero();
        for (i, x) in m.iter().enumerate() {
            // Each bond is seen from both of its ends.
            let bonds = x.dot(Self::neighbours(m, i)) * 0.5;
            sum += self.material.energy(*x) - self.coupling * bonds;
        }
        sum
    }
    #[inline(always)]
    fn generators(&self, t: f64, m: &[Vec3<S>], out: &mut [Vec3<S>]) {
        if let Some(law) = &self.law {
            law.put(t, m, out);
            for (i, out) in out.iter_mut().enumerate() {
                *out = self.material.generator(m[i], self.field_at(m, i) + *out);
            }
            return;
        }
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.material.generator(m[i], self.field_at(m, i));
        }
    }
}

impl SpinRing<f64> {
    /// Takes the field by formula, if there is one, from the numbers of a gradient.
    fn subtract_law(&self, m: &[Vec3<f64>], out: &mut [f64]) {
        let Some(law) = &self.law else { return };
        let mut fields = m.to_vec();
        law.put(0.0, m, &mut fields);
        for (out, field) in out.iter_mut().zip(fields.iter().flat_map(|h| h.to_array())) {
            *out -= field;
        }
    }
    /// A spin wave of `n` spins in mode `q` at polar angle `theta`.
    pub fn wave(n: usize, q: usize, theta: f64, gamma: f64, coupling: f64) -> Self {
        let (s, c) = theta.sin_cos();
        let spin = |i: usize| {
            let (sin, cos) = (2.0 * PI * (q * i % n) as f64 / n as f64).sin_cos();
            vec3(s * cos, s * sin, c)
        };
        let zero = Vec3::zero();
        Self {
            material: Material { gamma, alpha: 0.0, b: zero, d: zero },
            coupling,
            start: (0..n).map(spin).collect(),
            law: None,
        }
    }
    /// The rate at which it turns.
    pub fn wave_rate(n: usize, q: usize, theta: f64, gamma: f64, coupling: f64) -> f64 {
        2.0 * gamma * coupling * theta.cos() * (1.0 - (2.0 * PI * q as f64 / n as f64).cos())
    }
}

impl<S: Real> Problem for SpinRing<S> {
    type Point = Vec<Vec3<S>>;
    fn start(&self) -> Vec<Vec3<S>> {
        self.start.clone()
    }
    fn restore(&self, y: &mut Vec<Vec3<S>>) {
        y.iter_mut().for_each(|q| *q = unit(*q));
    }
}

impl<S: Real> Generator for SpinRing<S> {
    type Space = Vec<Turn<S>>;
    fn set_times(&mut self, t: S) {
        if let Some(law) = &mut self.law {
            law.set_times(t);
        }
    }
    fn field(&self, t: f64, m: &Vec<Vec3<S>>) -> Vec<Vec3<S>> {
        let mut out = m.clone();
        self.generators(t, m, &mut out);
        out
    }
    #[inline(always)]
    fn field_into(&self, t: f64, m: &Vec<Vec3<S>>, out: &mut Vec<Vec3<S>>) {
        self.generators(t, m, out);
    }
}

impl<S: Real> Lift for SpinRing<S> {
    type Scalar = S;
    type Over<T: Real> = SpinRing<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> SpinRing<T> {
        SpinRing {
            material: self.material.lift(embed),
            coupling: embed(self.coupling),
            start: self.lift_point(&self.start, embed),
            law: self.law.as_ref().map(|law| Box::new(law.lift(embed))),
        }
    }
    fn lift_point<T: Real>(&self, m: &Vec<Vec3<S>>, embed: fn(S) -> T) -> Vec<Vec3<T>> {
        m.iter().map(|m| cast_vector(*m, embed)).collect()
    }
}

/// One component of the sum of all spins as an integral.
macro_rules! total {
    ($name:literal, $axis:literal) => {
        Integral {
            name: $name,
            eval: |_, m: &Vec<Vec3<f64>>| m.iter().map(|m| m.get($axis)).sum(),
            gradient: |_, _, out| {
                for out in out.chunks_mut(3) {
                    out.fill(0.0);
                    out[$axis] = 1.0;
                }
            },
            change: None,
        }
    };
}

impl FirstIntegrals for SpinRing<f64> {
    /// The energy unless it is damped or a formula has none that is known, and the sum of the spins
    /// if besides no direction is preferred.
    fn integrals(&self) -> Vec<Integral<Self>> {
        if !self.material.conservative() {
            return Vec::new();
        }
        let mut list = Vec::new();
        if self.law.as_ref().is_none_or(|law| law.is_conservative()) {
            list.push(Integral {
                name: "energy",
                eval: |p: &Self, m: &Vec<Vec3<f64>>| {
                    p.energy(m) + p.law.as_ref().map_or(0.0, |law| law.energy(m))
                },
                gradient: |p, m, out| {
                    for (i, out) in out.chunks_mut(3).enumerate() {
                        out.copy_from_slice(&(-p.field_at(m, i)).to_array());
                    }
                    p.subtract_law(m, out);
                },
                change: None,
            });
        }
        if self.material.isotropic() && self.law.as_ref().is_none_or(|law| law.keeps_total()) {
            list.extend([total!("spin_x", 0), total!("spin_y", 1), total!("spin_z", 2)]);
        }
        list
    }
}

impl Watched for SpinRing<f64> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        let all = self.integrals().into_iter();
        all.map(|i| Quantity { name: i.name, eval: i.eval }).collect()
    }
    fn manifold_error(&self, m: &Vec<Vec3<f64>>) -> f64 {
        super::sphere_error(m)
    }
}

impl Described for SpinRing<f64> {
    fn describe(&self, _t: f64, m: &Vec<Vec3<f64>>) -> Vec<(&'static str, Value)> {
        vec![("m", Value::Vectors(m.iter().map(|m| m.to_array()).collect()))]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("direction", &["m"])]
    }
}

impl ModelSystem for SpinRing<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    const ISOTROPY: bool = true;
    fn entries() -> Vec<Entry<Self>> {
        let mut entries = generator::entries_on_homogeneous_space();
        entries.extend(spherical::all_entries_on_space());
        with_conservation(entries)
    }
    fn set_part(&self, y: &mut Vec<Vec3<f64>>, part: &str, numbers: &[f64]) -> bool {
        match unit_vectors(numbers) {
            Some(m) if part == "m" && m.len() == y.len() => *y = m,
            _ => return false,
        }
        true
    }
    fn breakdown(&self, t: f64, m: &Vec<Vec3<f64>>) -> Option<String> {
        self.law.as_ref()?.breakdown(t, m)
    }
    fn meter(&self) -> Option<MeterOf<Self>> {
        field_meter(self, self.law.as_ref().is_some_and(|law| law.is_timed()))
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "spin-ring",
    title: "spins on a ring, Landau-Lifshitz-Gilbert",
    parameters: "J, gamma, alpha, b, D (diagonal), field { formula }",
    initial: "m (unit vectors)",
    state: "m",
    methods: super::cards::<SpinRing<f64>>,
    build,
};

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let start = spec.initial.any_unit_vectors("m")?;
    if start.len() < 2 {
        return Err(spec.initial.refuse("m", "at least two unit vectors"));
    }
    let coupling = spec.parameters.number("J")?;
    let material = Material::read(spec)?;
    let law = LawTable::read(spec, "field")?;
    let mut values = Values::default();
    values.push("J", Kind::Number, None, &[coupling]);
    material.push_values(&mut values);
    spec.explain(|| equations(&law, &values, start.len()));
    let law = SpinField::read(&law, spec, &values, Some(start.len()))?;
    Ok(Box::new(SpinRing { material, coupling, start, law }))
}

/// The ring in formulas.
fn equations(law: &LawTable<'_>, values: &Values<'_>, n: usize) -> Equations {
    let around = "J*(m[cyc(i+1)] + m[cyc(i-1)])";
    let field = format!("(b - diag(D)*m[i] + {around} + {})", law.term("0*b"));
    let mut list = definitions([("h[i]", &field), ("total", "sum(i_, 1, n, m[i_])")]);
    if law.text.is_none() {
        let each = "0.5*dot(m[i_], diag(D)*m[i_]) - dot(b + J*m[cyc(i_+1)], m[i_])";
        list.push(("energy".into(), format!("sum(i_, 1, n, {each})")));
    }
    Equations {
        state: vec![part("m", "m", Kind::Vector.list(n), Space::Spheres)],
        whole: vec![("n".into(), n as i64)],
        parameters: law.values(values).parameters(),
        definitions: list,
        motion: vec![("m".into(), Motion::Turn(Material::turn("m[i]", &field)))],
        ..Equations::default()
    }
}
