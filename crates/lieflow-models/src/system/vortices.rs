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
//! `Γ_p` at its pole adds `Γ_p/(4π (1 - cos θ))`.
use super::{Spec, SystemEntry, cast_vector};
use crate::problem_file::SpecError;
use crate::run::{Model, ModelSystem};
use lieflow::action::Turn;
use lieflow::method::isotropy::with_conservation;
use lieflow::method::{Entry, generator};
use lieflow::problem::{
    Described, FirstIntegrals, Generator, Integral, Lift, Problem, Quantity, Value, Watched,
};
use lieflow::{Real, Vec3, vec3};
use std::f64::consts::PI;

/// Some vortices.
#[derive(Clone, Debug)]
pub struct Vortices<S> {
    /// `Γ_i`.
    pub strengths: Vec<S>,
    /// Where they are first, as unit vectors; as many as strengths.
    pub start: Vec<Vec3<S>>,
}

impl<S: Real> Vortices<S> {
    /// `1 - x·y` for unit vectors, without cancellation where they are close.
    #[inline(always)]
    fn apart(x: Vec3<S>, y: Vec3<S>) -> S {
        (x - y).norm_squared() * 0.5
    }

    /// `H`.
    pub fn energy(&self, x: &[Vec3<S>]) -> S {
        let mut sum = S::zero();
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
    fn velocities(&self, x: &[Vec3<S>], out: &mut [Vec3<S>]) {
        out.fill(Vec3::zero());
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
        Self { strengths, start }
    }

    /// The rate at which such a ring turns about its axis.
    pub fn ring_rate(n: usize, colatitude: f64, strength: f64, pole: Option<f64>) -> f64 {
        let (s, c) = colatitude.sin_cos();
        let ring = strength * (n as f64 - 1.0) * c / (4.0 * PI * s * s);
        ring + pole.unwrap_or(0.0) / (4.0 * PI * (1.0 - c))
    }

    /// The angular velocity of a pair, which turns rigidly.
    pub fn pair_rate(&self) -> Option<Vec3<f64>> {
        match self.start.as_slice() {
            [a, b] => Some(self.moment(&self.start) * (0.25 / (PI * Self::apart(*a, *b)))),
            _ => None,
        }
    }
}

impl<S: Real> Problem for Vortices<S> {
    type Point = Vec<Vec3<S>>;
    fn start(&self) -> Vec<Vec3<S>> {
        self.start.clone()
    }
}

impl<S: Real> Generator for Vortices<S> {
    type Space = Vec<Turn<S>>;
    fn field(&self, _t: f64, x: &Vec<Vec3<S>>) -> Vec<Vec3<S>> {
        let mut out = x.clone();
        self.velocities(x, &mut out);
        out
    }
    fn field_into(&self, _t: f64, x: &Vec<Vec3<S>>, out: &mut Vec<Vec3<S>>) {
        self.velocities(x, out);
    }
}

impl<S: Real> Lift for Vortices<S> {
    type Scalar = S;
    type Over<T: Real> = Vortices<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Vortices<T> {
        Vortices {
            strengths: self.strengths.iter().map(|g| embed(*g)).collect(),
            start: self.lift_point(&self.start, embed),
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
                        let over = 0.25 * pair / (PI * Self::apart(x[i], x[j]));
                        for k in 0..3 {
                            out[3 * i + k] += over * x[j].get(k);
                            out[3 * j + k] += over * x[i].get(k);
                        }
                    }
                }
            },
            change: None,
        };
        vec![energy, moment!("moment_x", 0), moment!("moment_y", 1), moment!("moment_z", 2)]
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
        with_conservation(generator::entries_on_homogeneous_space())
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "vortices",
    title: "point vortices on the sphere",
    parameters: "strengths",
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
    Ok(Box::new(Vortices { strengths, start }))
}
