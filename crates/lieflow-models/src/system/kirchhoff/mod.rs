//! Kirchhoff's equations: a body in an ideal fluid, Lie–Poisson on se(3)*.
//!
//! ```text
//! H = (Π·J⁻¹Π + P·M⁻¹P)/2        Π' = Π×W + P×V    P' = P×W    W = J⁻¹Π, V = M⁻¹P
//! ```
//!
//! As a generator of the coadjoint action of SE(3): `f = -(W, V)`, so that every Lie-group method
//! keeps the Casimirs `|P|²` and `Π·P`. Another energy can be given by formula (the module `energy`):
//! then `(W, V) = dH/d(Π, P)`.
mod energy;

pub use energy::Energy;

use super::law_table::{Given, LawTable, definitions, is_variational, part};
use super::{Spec, SystemEntry, cast_vector, finite_vector, vector_value};
use crate::formulas::{Equations, Motion, Space, Text, Values};
use crate::problem_file::SpecError;
use crate::run::{MeterOf, Model, ModelSystem, field_meter};
use lieflow::action::CoadjointAction;
use lieflow::group::{Se3, Twist};
use lieflow::method::isotropy::{with_conservation, without_isotropy_choice};
use lieflow::method::{Card, Entry, generator, variational};
use lieflow::problem::{
    Described, FirstIntegrals, Generator, Integral, Lift, Problem, Quantity, Value, Watched,
};
use lieflow::{Mat3, Real, Vec3, vec3};
use lieflow_formula::Kind;

/// The body, with diagonal inertia and added mass.
#[derive(Clone, Debug)]
pub struct Kirchhoff<S> {
    /// `J`.
    pub inertia: Vec3<S>,
    /// `M`.
    pub mass: Vec3<S>,
    /// Initial momentum and impulse `(Π, P)`.
    pub start: Twist<S>,
    /// The energy in place of the quadratic one.
    pub law: Option<Box<Energy<S>>>,
}

impl<S: Real> Kirchhoff<S> {
    /// `(W, V)` at the time zero.
    #[inline(always)]
    pub fn velocity(&self, y: &Twist<S>) -> Twist<S> {
        self.velocity_at(0.0, y)
    }
    /// `(W, V)`.
    #[inline(always)]
    pub fn velocity_at(&self, t: f64, y: &Twist<S>) -> Twist<S> {
        match &self.law {
            None => Twist::new(y.angular.divided_by(self.inertia), y.linear.divided_by(self.mass)),
            Some(law) => law.velocity(t, y),
        }
    }
    /// The momentum of a velocity.
    pub fn momentum(&self, w: &Twist<S>) -> Twist<S> {
        match &self.law {
            None => Twist::new(w.angular.scaled_by(self.inertia), w.linear.scaled_by(self.mass)),
            Some(law) => law.momentum(w, &self.start),
        }
    }
    /// `H`; at the time zero if it depends on time.
    pub fn energy(&self, y: &Twist<S>) -> S {
        if let Some(law) = &self.law {
            return law.value(0.0, y);
        }
        let v = self.velocity(y);
        (v.angular.dot(y.angular) + v.linear.dot(y.linear)) * 0.5
    }
    /// Whether the energy is conserved.
    fn is_timed(&self) -> bool {
        self.law.as_ref().is_some_and(|law| law.is_timed())
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
    fn set_times(&mut self, t: S) {
        if let Some(law) = &mut self.law {
            law.set_times(t);
        }
    }
    #[inline(always)]
    fn field(&self, t: f64, y: &Twist<S>) -> Twist<S> {
        let v = self.velocity_at(t, y);
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
            law: self.law.as_ref().map(|law| Box::new(law.lift(embed))),
        }
    }
    fn lift_point<T: Real>(&self, y: &Twist<S>, embed: fn(S) -> T) -> Twist<T> {
        Twist::new(cast_vector(y.angular, embed), cast_vector(y.linear, embed))
    }
}

impl FirstIntegrals for Kirchhoff<f64> {
    /// The energy, unless it depends on time.
    fn integrals(&self) -> Vec<Integral<Self>> {
        if self.is_timed() {
            return Vec::new();
        }
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
        let mut list = vec![
            Quantity { name: "energy", eval: |p: &Self, y| p.energy(y) },
            Quantity { name: "impulse_norm", eval: |_, y| y.linear.norm() },
            Quantity { name: "momentum_dot_impulse", eval: |_, y| y.angular.dot(y.linear) },
        ];
        if self.is_timed() {
            list.remove(0);
        }
        list
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
        let key = key.strip_prefix("initial.").unwrap_or_default();
        set(&mut self.start, key, numbers)
    }
    fn set_part(&self, y: &mut Twist<f64>, part: &str, numbers: &[f64]) -> bool {
        set(y, part, numbers)
    }
    /// Variational methods work with the Lagrangian, a function of the velocity alone.
    fn refuses(&self, card: &Card) -> Option<String> {
        let law = self.law.as_ref()?;
        if !is_variational(card) {
            return None;
        }
        if law.is_timed() {
            return Some(
                "the energy depends on time, and this method needs one that does not".into(),
            );
        }
        let regular = law.is_regular(&self.start);
        (!regular).then(|| {
            "the velocities do not determine the momenta for this energy, and this method needs \
             its Lagrangian"
                .into()
        })
    }
    fn breakdown(&self, t: f64, y: &Twist<f64>) -> Option<String> {
        self.law.as_ref()?.breakdown(t, y)
    }
    fn method_by_name(id: &str) -> Option<Entry<Self>> {
        with_conservation(without_isotropy_choice(vec![variational::reduced_entry(id)?])).pop()
    }
    fn meter(&self) -> Option<MeterOf<Self>> {
        field_meter(self, self.is_timed())
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "kirchhoff",
    title: "body in an ideal fluid, Lie-Poisson on se(3)*",
    parameters: "inertia (six numbers), or energy { formula }",
    initial: "momentum, impulse",
    state: "momentum, impulse",
    methods: super::cards::<Kirchhoff<f64>>,
    build,
};

/// Gives a state another momentum or impulse.
fn set(y: &mut Twist<f64>, part: &str, numbers: &[f64]) -> bool {
    let Some(vector) = finite_vector(numbers) else { return false };
    match part {
        "momentum" => y.angular = vector,
        "impulse" => y.linear = vector,
        _ => return false,
    }
    true
}

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    // A formula may use the inertia, which it needs not have.
    let by_formula = spec.parameters.has("energy");
    let given = spec.parameters.has("inertia") || !by_formula;
    let (inertia, mass) =
        if given { six(spec)? } else { (vec3(1.0, 1.0, 1.0), vec3(1.0, 1.0, 1.0)) };
    let law = LawTable::read(spec, "energy")?;
    let mut values = Values::default();
    if given {
        values.push_matrix("J", &Mat3::diagonal(inertia));
        values.push_matrix("M", &Mat3::diagonal(mass));
    }
    let start = Twist::new(spec.initial.vector("momentum")?, spec.initial.vector("impulse")?);
    let state = vec![("m", Kind::Vector), ("p", Kind::Vector)];
    spec.explain(|| equations(&law, &values));
    let given = Given { state, whole: Vec::new(), values };
    let make = |sheet, text: Text<'_>| energy::program(sheet, text.label(), text.text);
    let law = law.formula(spec, given, make)?.map(|formula| Box::new(Energy::new(formula)));
    Ok(Box::new(Kirchhoff { inertia, mass, start, law }))
}

fn six(spec: &Spec<'_>) -> Result<(Vec3<f64>, Vec3<f64>), SpecError> {
    let inertia = spec.parameters.numbers("inertia")?;
    match inertia.as_slice() {
        &[a, b, c, d, e, f] if inertia.iter().all(|x| *x > 0.0) => {
            Ok((vec3(a, b, c), vec3(d, e, f)))
        }
        _ => Err(spec.parameters.refuse("inertia", "six numbers above zero")),
    }
}

/// The body in formulas.
fn equations(law: &LawTable<'_>, values: &Values<'_>) -> Equations {
    let energy = law.term("0.5*dot(m, inv(J)*m) + 0.5*dot(p, inv(M)*p)");
    Equations {
        state: vec![
            part("m", "momentum", Kind::Vector, Space::Vectors),
            part("p", "impulse", Kind::Vector, Space::Vectors),
        ],
        parameters: law.values(values).parameters(),
        definitions: definitions([
            ("energy", &energy),
            ("w", "grad(energy, m)"),
            ("v", "grad(energy, p)"),
        ]),
        motion: vec![
            ("m".into(), Motion::Shift("cross(m, w) + cross(p, v)".into())),
            ("p".into(), Motion::Shift("cross(p, w)".into())),
        ],
        ..Equations::default()
    }
}
