//! Point vortices on the unit sphere.
//!
//! ```text
//! x_i' = w_i × x_i      w_i = sum_{j≠i} Γ_j x_j / (4π (1 - x_i·x_j))
//! H    = -(1/4π) sum_{i<j} Γ_i Γ_j ln(2 (1 - x_i·x_j))        M = sum Γ_i x_i
//! ```
//!
//! A positive strength turns anticlockwise seen from outside. Energy and moment are conserved. Two
//! vortices turn rigidly with angular velocity `M/(4π (1 - x_1·x_2))`; so does a ring of `n` equal
//! ones at colatitude `θ`, about its axis, at the rate `Γ(n-1) cos θ/(4π sin²θ)`, and a vortex
//! `Γ_p` at its pole adds `Γ_p/(4π (1 - cos θ))`. Another law of pairs than the logarithm can be given
//! by formula (the module `law`).
mod law;

pub use law::PairLaw;

use super::law_table::{Given, LawTable, definitions, part};
use super::{Spec, SystemEntry, cast_vector, unit_vectors};
use crate::formulas::{Equations, Motion, Space, Text, Values};
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

/// Some vortices.
#[derive(Clone, Debug)]
pub struct Vortices<S> {
    /// `Γ_i`.
    pub strengths: Vec<S>,
    /// Where they are first, as unit vectors; as many as strengths.
    pub start: Vec<Vec3<S>>,
    /// The law of a pair, in place of the logarithm.
    pub law: Option<Box<PairLaw<S>>>,
}

impl<S: Real> Vortices<S> {
    /// Vortices of these strengths at these places, as many as strengths.
    pub fn new(strengths: Vec<S>, start: Vec<Vec3<S>>) -> Self {
        Self { strengths, start, law: None }
    }

    /// `1 - x·y` for unit vectors, without cancellation where they are close.
    #[inline(always)]
    fn apart(x: Vec3<S>, y: Vec3<S>) -> S {
        (x - y).norm_squared() * 0.5
    }

    /// `H`; at the time zero if it depends on time.
    pub fn energy(&self, x: &[Vec3<S>]) -> S {
        let mut sum = S::zero();
        if let Some(law) = &self.law {
            for i in 0..x.len() {
                for j in i + 1..x.len() {
                    sum += self.strengths[i] * self.strengths[j] * law.energy(0.0, x[i], x[j]);
                }
            }
            return sum;
        }
        for (i, (a, g)) in x.iter().zip(&self.strengths).enumerate() {
            for (b, k) in x.iter().zip(&self.strengths).skip(i + 1) {
                sum += *g * *k * (Self::apart(*a, *b) * 2.0).ln();
            }
        }
        sum * (-0.25 / PI)
    }

    /// `M`.
    pub fn moment(&self, x: &[Vec3<S>]) -> Vec3<S> {
        let mut sum = Vec3::zero();
        for (x, g) in x.iter().zip(&self.strengths) {
            sum += x.times(*g);
        }
        sum
    }

    /// The field, one pair at a time.
    #[inline(always)]
    fn velocities(&self, t: f64, x: &[Vec3<S>], out: &mut [Vec3<S>]) {
        out.fill(Vec3::zero());
        if let Some(law) = &self.law {
            for i in 0..x.len() {
                for j in i + 1..x.len() {
                    let slope = law.slope(t, x[i], x[j]);
                    out[i] += x[j].times(self.strengths[j] * slope);
                    out[j] += x[i].times(self.strengths[i] * slope);
                }
            }
            return;
        }
        for i in 0..x.len() {
            for j in i + 1..x.len() {
                let over = S::lift(0.25 / PI) / Self::apart(x[i], x[j]);
                out[i] += x[j].times(self.strengths[j] * over);
                out[j] += x[i].times(self.strengths[i] * over);
            }
        }
    }
}

impl Vortices<f64> {
    /// A ring of `n` equal vortices at a colatitude, with one at the pole if it has a strength;
    /// the pole comes last.
    pub fn ring(n: usize, colatitude: f64, strength: f64, pole: Option<f64>) -> Self {
        let (s, c) = colatitude.sin_cos();
        let on_ring = |k: usize| {
            let (sin, cos) = (2.0 * PI * k as f64 / n as f64).sin_cos();
            vec3(s * cos, s * sin, c)
        };
        let mut start: Vec<_> = (0..n).map(on_ring).collect();
        let mut strengths = vec![strength; n];
        if let Some(pole) = pole {
            start.push(vec3(0.0, 0.0, 1.0));
            strengths.push(pole);
        }
        Self::new(strengths, start)
    }

    /// The rate at which such a ring turns about its axis.
    pub fn ring_rate(n: usize, colatitude: f64, strength: f64, pole: Option<f64>) -> f64 {
        let (s, c) = colatitude.sin_cos();
        let ring = strength * (n as f64 - 1.0) * c / (4.0 * PI * s * s);
        ring + pole.unwrap_or(0.0) / (4.0 * PI * (1.0 - c))
    }

    /// `U'` of two places, at the time zero.
    fn slope(&self, a: Vec3<f64>, b: Vec3<f64>) -> f64 {
        match &self.law {
            None => 0.25 / (PI * Self::apart(a, b)),
            Some(law) => law.slope(0.0, a, b),
        }
    }

    /// The angular velocity of a pair, which turns rigidly.
    pub fn pair_rate(&self) -> Option<Vec3<f64>> {
        match self.start.as_slice() {
            [a, b] => Some(self.moment(&self.start) * self.slope(*a, *b)),
            _ => None,
        }
    }
}

impl<S: Real> Problem for Vortices<S> {
    type Point = Vec<Vec3<S>>;
    fn start(&self) -> Vec<Vec3<S>> {
        self.start.clone()
    }
    fn restore(&self, y: &mut Vec<Vec3<S>>) {
        y.iter_mut().for_each(|q| *q = unit(*q));
    }
}

impl<S: Real> Generator for Vortices<S> {
    type Space = Vec<Turn<S>>;
    fn set_times(&mut self, t: S) {
        if let Some(law) = &mut self.law {
            law.set_times(t);
        }
    }
    fn field(&self, t: f64, x: &Vec<Vec3<S>>) -> Vec<Vec3<S>> {
        let mut out = x.clone();
        self.velocities(t, x, &mut out);
        out
    }
    #[inline(always)]
    fn field_into(&self, t: f64, x: &Vec<Vec3<S>>, out: &mut Vec<Vec3<S>>) {
        self.velocities(t, x, out);
    }
}

impl<S: Real> Lift for Vortices<S> {
    type Scalar = S;
    type Over<T: Real> = Vortices<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Vortices<T> {
        Vortices {
            strengths: self.strengths.iter().map(|g| embed(*g)).collect(),
            start: self.lift_point(&self.start, embed),
            law: self.law.as_ref().map(|law| Box::new(law.lift(embed))),
        }
    }
    fn lift_point<T: Real>(&self, x: &Vec<Vec3<S>>, embed: fn(S) -> T) -> Vec<Vec3<T>> {
        x.iter().map(|x| cast_vector(*x, embed)).collect()
    }
}

/// One component of the moment as an integral.
macro_rules! moment {
    ($name:literal, $axis:literal) => {
        Integral {
            name: $name,
            eval: |p, x| p.moment(x).get($axis),
            gradient: |p, _, out| {
                for (out, g) in out.chunks_mut(3).zip(&p.strengths) {
                    out.fill(0.0);
                    out[$axis] = *g;
                }
            },
            change: None,
        }
    };
}

impl FirstIntegrals for Vortices<f64> {
    fn integrals(&self) -> Vec<Integral<Self>> {
        let energy = Integral {
            name: "energy",
            eval: |p: &Self, x: &Vec<Vec3<f64>>| p.energy(x),
            gradient: |p, x, out| {
                // Γ_i w_i, without work space.
                out.fill(0.0);
                for i in 0..x.len() {
                    for j in i + 1..x.len() {
                        let pair = p.strengths[i] * p.strengths[j];
                        let over = match &p.law {
                            None => 0.25 * pair / (PI * Self::apart(x[i], x[j])),
                            Some(law) => pair * law.slope(0.0, x[i], x[j]),
                        };
                        for k in 0..3 {
                            out[3 * i + k] += over * x[j].get(k);
                            out[3 * j + k] += over * x[i].get(k);
                        }
                    }
                }
            },
            change: None,
        };
        let mut list =
            vec![energy, moment!("moment_x", 0), moment!("moment_y", 1), moment!("moment_z", 2)];
        if self.law.as_ref().is_some_and(|law| law.is_timed()) {
            list.remove(0);
        }
        list
    }
}

impl Watched for Vortices<f64> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        let all = self.integrals().into_iter();
        all.map(|i| Quantity { name: i.name, eval: i.eval }).collect()
    }
    fn manifold_error(&self, x: &Vec<Vec3<f64>>) -> f64 {
        super::sphere_error(x)
    }
}

impl Described for Vortices<f64> {
    fn describe(&self, _t: f64, x: &Vec<Vec3<f64>>) -> Vec<(&'static str, Value)> {
        vec![("q", Value::Vectors(x.iter().map(|x| x.to_array()).collect()))]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("position", &["q"])]
    }
}

impl ModelSystem for Vortices<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    const ISOTROPY: bool = true;
    fn entries() -> Vec<Entry<Self>> {
        let mut entries = generator::entries_on_homogeneous_space();
        entries.extend(spherical::entries_on_space());
        with_conservation(entries)
    }
    fn set_part(&self, y: &mut Vec<Vec3<f64>>, part: &str, numbers: &[f64]) -> bool {
        match unit_vectors(numbers) {
            Some(x) if part == "q" && x.len() == y.len() => *y = x,
            _ => return false,
        }
        true
    }
    fn breakdown(&self, t: f64, x: &Vec<Vec3<f64>>) -> Option<String> {
        self.law.as_ref()?.breakdown(t, x)
    }
    fn meter(&self) -> Option<MeterOf<Self>> {
        field_meter(self, self.law.as_ref().is_some_and(|law| law.is_timed()))
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "vortices",
    title: "point vortices on the sphere",
    parameters: "strengths, law { formula } of c, the cosine of the angle between two",
    initial: "q (unit vectors)",
    state: "q",
    methods: super::cards::<Vortices<f64>>,
    build,
};

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let strengths = spec.parameters.numbers("strengths")?;
    if strengths.len() < 2 {
        return Err(spec.parameters.refuse("strengths", "at least two strengths"));
    }
    let start = spec.initial.any_unit_vectors("q")?;
    if start.len() != strengths.len() {
        let expected = format!("{} unit vectors, one for each strength", strengths.len());
        return Err(spec.initial.refuse("q", &expected));
    }
    for (i, a) in start.iter().enumerate() {
        if start[..i].iter().any(|b| (*a - *b).norm_squared() < 1e-24) {
            let expected = format!("vortex {} in a place of its own", i + 1);
            return Err(spec.initial.refuse("q", &expected));
        }
    }
    let table = LawTable::read(spec, "law")?;
    let mut values = Values::default();
    values.push("G", Kind::Number.list(strengths.len()), None, &strengths);
    spec.explain(|| equations(&table, &values, strengths.len()));
    let given = Given { state: vec![("c", Kind::Number)], whole: Vec::new(), values };
    let make = |sheet, text: Text<'_>| law::program(sheet, text.label(), text.text);
    let law = table.formula(spec, given, make)?.map(|formula| Box::new(PairLaw::new(formula)));
    Ok(Box::new(Vortices { strengths, start, law }))
}

/// The vortices in formulas.
fn equations(table: &LawTable<'_>, values: &Values<'_>, n: usize) -> Equations {
    let text = table.term("(-log(2*(1 - c))/(4*pi))");
    // Indices that are no names of a user.
    let pair = law::of_pair(&text, "i_", "j_");
    let pull = |first: &str, last: &str| {
        format!("sum(j_, {first}, {last}, G[j_]*grad(law_[i, j_], x[i]))")
    };
    Equations {
        state: vec![part("x", "q", Kind::Vector.list(n), Space::Spheres)],
        whole: vec![("n".into(), n as i64)],
        parameters: table.values(values).parameters(),
        definitions: definitions([
            ("law_[i_, j_]", &pair),
            ("moment", "sum(i_, 1, n, G[i_]*x[i_])"),
            ("energy", "sum(i_, 1, n - 1, sum(j_, i_ + 1, n, G[i_]*G[j_]*law_[i_, j_]))"),
        ]),
        motion: vec![(
            "x".into(),
            Motion::Turn(format!("{} + {}", pull("1", "i - 1"), pull("i + 1", "n"))),
        )],
        ..Equations::default()
    }
}
