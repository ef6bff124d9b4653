//! The systems, one file each, and the list of them.
//!
//! To add one: write its struct, generic over the scalar, with the traits that it can honour
//! (`Problem`, `Generator`, `Lift`, …), `Watched` and `Described`; say which methods fit by
//! [`ModelSystem`]; write `build`, which reads its two tables; add a line here.
use crate::formulas::{Equations, FileFormulas};
use crate::problem_file::{Reader, SpecError};
use crate::run::{Model, ModelSystem};
use lieflow::method::Card;
use lieflow::{Mat3, Real, Vec3, vec3};
use std::cell::RefCell;
use std::fmt;

pub mod bloch;
mod chain_few;
mod chain_forces;
mod chain_slopes;
mod chain_text;
pub mod custom;
pub mod dipoles;
mod error;
pub mod euclidean;
mod extra_potential;
pub mod heavy_top;
mod invariant;
pub mod kirchhoff;
pub mod landau_zener;
mod law_table;
pub mod links;
pub mod macrospin;
mod material;
mod off_sphere;
pub mod on_spheres;
pub mod pendulum_chain;
pub mod quadrotors;
pub mod rates;
pub mod reduced_body;
mod registry;
pub mod rigid_body;
mod row;
mod scratch;
pub mod se3_test;
pub mod so_n_body;
mod spin_field;
pub mod spin_ring;
pub mod spins;
mod tensions;
mod textbook;
pub mod toda;
mod turns;
mod vector_formula;
pub mod vortices;

pub use error::SystemError;
pub use extra_potential::ExtraPotential;
pub use registry::Registry;
pub use spin_field::SpinField;

/// The tables that describe a system. Keys that `build` does not ask for are reported as unknown
/// afterwards.
#[derive(Debug)]
pub struct Spec<'a> {
    /// `[parameters]`.
    pub parameters: Reader<'a>,
    /// `[initial]`.
    pub initial: Reader<'a>,
    /// `[state]`, of systems that are given by formulas.
    pub state: Reader<'a>,
    /// `[motion]`, likewise.
    pub motion: Reader<'a>,
    /// What the file brings for formulas.
    pub formulas: FileFormulas<'a>,
    /// The system in formulas, if it says so: what observables, invariants and events may use.
    pub equations: RefCell<Option<Equations>>,
}

impl Spec<'_> {
    /// Says what the system is in formulas. It is asked for only where the file has some.
    pub fn explain(&self, equations: impl FnOnce() -> Equations) {
        if self.formulas.any() {
            *self.equations.borrow_mut() = Some(equations());
        }
    }
}

/// A system in the list.
pub struct SystemEntry {
    /// Its name in problem files.
    pub id: &'static str,
    /// One line for a listing.
    pub title: &'static str,
    /// The keys of `[parameters]`.
    pub parameters: &'static str,
    /// The keys of `[initial]`.
    pub initial: &'static str,
    /// The parts of a state in the output.
    pub state: &'static str,
    /// The methods that fit it.
    pub methods: fn() -> Vec<Card>,
    /// Makes it from its tables.
    pub build: fn(&Spec<'_>) -> Result<Box<dyn Model>, SpecError>,
}

impl fmt::Debug for SystemEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SystemEntry").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The built-in systems.
pub static SYSTEMS: &[SystemEntry] = &[
    rigid_body::ENTRY,
    reduced_body::ENTRY,
    heavy_top::ENTRY,
    kirchhoff::ENTRY,
    se3_test::ENTRY,
    euclidean::ENTRY,
    vortices::ENTRY,
    macrospin::ENTRY,
    spin_ring::ENTRY,
    bloch::ENTRY,
    landau_zener::ENTRY,
    toda::ENTRY,
    so_n_body::ENTRY,
    pendulum_chain::ENTRY,
    dipoles::ENTRY,
    quadrotors::ENTRY,
    rates::ENTRY,
    custom::ENTRY,
];

/// The cards of the methods for one type of problem.
pub fn cards<P: ModelSystem>() -> Vec<Card> {
    P::entries().into_iter().map(|entry| entry.card).collect()
}

/// Zero, or NaN if `x` is not finite: the distance of a state from a vector space.
pub fn zero_if_finite(x: f64) -> f64 {
    if x.is_finite() { 0.0 } else { f64::NAN }
}

/// How far some vectors are from having length one; NaN if one of them is not a number.
pub fn sphere_error(x: &[Vec3<f64>]) -> f64 {
    let errors = x.iter().map(|x| (x.norm() - 1.0).abs());
    errors.fold(0.0, |a: f64, b| if a.is_nan() || b <= a { a } else { b })
}

/// A vector over other numbers.
pub fn cast_vector<S: Real, T: Real>(v: Vec3<S>, embed: fn(S) -> T) -> Vec3<T> {
    vec3(embed(v.x), embed(v.y), embed(v.z))
}

/// A matrix over other numbers.
pub fn cast_matrix<S: Real, T: Real>(m: &Mat3<S>, embed: fn(S) -> T) -> Mat3<T> {
    let [a, b, c] = m.rows;
    Mat3::from_rows(cast_vector(a, embed), cast_vector(b, embed), cast_vector(c, embed))
}

/// A rotation as a value to show.
pub fn rotation_value(r: &Mat3<f64>) -> lieflow::problem::Value {
    lieflow::problem::Value::Rotation(r.rows.map(Vec3::to_array))
}

/// A vector of finite numbers, as a problem file may have it.
pub fn finite_vector(numbers: &[f64]) -> Option<Vec3<f64>> {
    let numbers: [f64; 3] = numbers.try_into().ok()?;
    numbers.iter().all(|x| x.is_finite()).then(|| numbers.into())
}

/// Vectors of length one along these, if they have a direction.
pub fn unit_vectors(numbers: &[f64]) -> Option<Vec<Vec3<f64>>> {
    let unit = |v: &[f64]| {
        let v = finite_vector(v)?;
        (v.norm() > 0.0).then(|| v * (1.0 / v.norm()))
    };
    numbers.chunks(3).map(unit).collect()
}

/// A vector as a value to show.
pub fn vector_value(v: Vec3<f64>) -> lieflow::problem::Value {
    lieflow::problem::Value::Vector(v.to_array())
}
