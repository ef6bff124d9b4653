//! Kirchhoff's equations: a body in an ideal fluid, Lie–Poisson on se(3)*.
//!
//! ```text
//! H = (Π·J⁻¹Π + P·M⁻¹P)/2        Π' = Π×W + P×V    P' = P×W    W = J⁻¹Π, V = M⁻¹P
//! ```
//!
//! As a generator of the coadjoint action of SE(3): `f = -(W, V)`, so that every Lie-group method
//! keeps the Casimirs `|P|²` and `Π·P`.
use super::{Spec, SystemEntry, cast_vector, finite_vector, vector_value};
use crate::problem_file::SpecError;
use crate::run::{Model, ModelSystem};
use lieflow::action::CoadjointAction;
use lieflow::group::{Se3, Twist};
use lieflow::method::isotropy::{with_conservation, without_isotropy_choice};
use lieflow::method::{Entry, generator, variational};
use lieflow::problem::{
    Described, FirstIntegrals, Generator, Integral, Lift, Problem, Quantity, Value, Watched,
};
use lieflow::{Real, Vec3};

/// The body, with diagonal inertia and added mass.
#[derive(Clone, Debug)]
pub struct Kirchhoff<S> {
    /// `J`.
    pub inertia: Vec3<S>,
    /// `M`.
    pub mass: Vec3<S>,
    /// Initial momentum and impulse `(Π, P)`.
    pub start: Twist<S>,
}

impl<S: Real> Kirchhoff<S> {
    /// `(W, V)`.
    #[inline(always)]
    pub fn velocity(&self, y: &Twist<S>) -> Twist<S> {
        Twist::new(y.angular.divided_by(self.inertia), y.linear.divided_by(self.mass))
    }
    /// `H`.
    pub fn energy(&self, y: &Twist<S>) -> S {
        let v = self.velocity(y);
        (v.angular.dot(y.angular) + v.linear.dot(y.linear)) * 0.5
    }
}

impl<S: Real> Problem for Kirchhoff<S> {
    type Point = Twist<S>;
    fn start(&self) -> Twist<S> {
        self.start
    }
}

impl<S: Real> Generator for Kirchhoff<S> {
    type Space = CoadjointAction<Se3<S>>;
    #[inline(always)]
    fn field(&self, _t: f64, y: &Twist<S>) -> Twist<S> {
        let v = self.velocity(y);
        Twist::new(-v.angular, -v.linear)
    }
}

impl<S: Real> Lift for Kirchhoff<S> {
    type Scalar = S;
    type Over<T: Real> = Kirchhoff<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Kirchhoff<T> {
        Kirchhoff {
            inertia: cast_vector(self.inertia, embed),
            mass: cast_vector(self.mass, embed),
            start: self.lift_point(&self.start, embed),
        }
    }
    fn lift_point<T: Real>(&self, y: &Twist<S>, embed: fn(S) -> T) -> Twist<T> {
        Twist::new(cast_vector(y.angular, embed), cast_vector(y.linear, embed))
    }
}

impl FirstIntegrals for Kirchhoff<f64> {
    fn integrals(&self) -> Vec<Integral<Self>> {
        vec![Integral {
            name: "energy",
            eval: |p, y| p.energy(y),
            gradient: |p, y, out| {
                let v = p.velocity(y);
                out[..3].copy_from_slice(&v.angular.to_array());
                out[3..].copy_from_slice(&v.linear.to_array());
            },
            change: None,
        }]
    }
}

impl Watched for Kirchhoff<f64> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        vec![
            Quantity { name: "energy", eval: |p, y| p.energy(y) },
            Quantity { name: "impulse_norm", eval: |_, y| y.linear.norm() },
            Quantity { name: "momentum_dot_impulse", eval: |_, y| y.angular.dot(y.linear) },
        ]
    }
    /// The dual of the algebra is a vector space, whose orbits are watched as invariants: zero for
    /// every finite state.
    fn manifold_error(&self, y: &Twist<f64>) -> f64 {
        super::zero_if_finite(y.angular.dot(y.linear))
    }
}

impl Described for Kirchhoff<f64> {
    fn describe(&self, _t: f64, y: &Twist<f64>) -> Vec<(&'static str, Value)> {
        vec![("momentum", vector_value(y.angular)), ("impulse", vector_value(y.linear))]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("momentum", &["momentum"]), ("impulse", &["impulse"])]
    }
}

impl ModelSystem for Kirchhoff<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    const ISOTROPY: bool = true;
    fn entries() -> Vec<Entry<Self>> {
        let mut entries = generator::entries_on_homogeneous_space();
        entries.extend(without_isotropy_choice(variational::reduced_entries()));
        with_conservation(entries)
    }
    fn set_initial(&mut self, key: &str, numbers: &[f64]) -> bool {
        let Some(vector) = finite_vector(numbers) else { return false };
        match key {
            "initial.momentum" => self.start.angular = vector,
            "initial.impulse" => self.start.linear = vector,
            _ => return false,
        }
        true
    }
    fn method_by_name(id: &str) -> Option<Entry<Self>> {
        with_conservation(without_isotropy_choice(vec![variational::reduced_entry(id)?])).pop()
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "kirchhoff",
    title: "body in an ideal fluid, Lie-Poisson on se(3)*",
    parameters: "inertia (six numbers)",
    initial: "momentum, impulse",
    state: "momentum, impulse",
    methods: super::cards::<Kirchhoff<f64>>,
    build,
};

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let inertia = spec.parameters.numbers("inertia")?;
    let expected = "six numbers above zero";
    let &[a, b, c, d, e, f] = inertia.as_slice() else {
        return Err(spec.parameters.refuse("inertia", expected));
    };
    if inertia.iter().any(|x| *x <= 0.0) {
        return Err(spec.parameters.refuse("inertia", expected));
    }
    let momentum = spec.initial.vector("momentum")?;
    let impulse = spec.initial.vector("impulse")?;
    Ok(Box::new(Kirchhoff {
        inertia: [a, b, c].into(),
        mass: [d, e, f].into(),
        start: Twist::new(momentum, impulse),
    }))
}
