//! What is watched and what is shown of a state.
use super::Problem;
use crate::archive::Archive;

/// A named function of the state.
pub struct Quantity<P: Problem + ?Sized> {
    /// Its name in reports.
    pub name: &'static str,
    /// Its value.
    pub eval: fn(&P, &P::Point) -> f64,
}

/// A system with first integrals to keep an eye on.
pub trait Watched: Problem {
    /// The quantities that the exact motion conserves. Which ones may depend on the parameters of the
    /// system, but not on where it starts. None unless written.
    fn invariants(&self) -> Vec<Quantity<Self>> {
        Vec::new()
    }
    /// The names of all that is watched: the invariants, unless more is known only at run time.
    fn watched_names(&self) -> Vec<&'static str> {
        self.invariants().iter().map(|quantity| quantity.name).collect()
    }
    /// The value of what is watched, by its place in the list; `invariants` are those of this system.
    fn watched_value(&self, k: usize, invariants: &[Quantity<Self>], y: &Self::Point) -> f64 {
        (invariants[k].eval)(self, y)
    }
    /// The values of all that is watched, in the order of the names.
    fn watched_values(&self, invariants: &[Quantity<Self>], y: &Self::Point, values: &mut [f64]) {
        for (k, value) in values.iter_mut().enumerate() {
            *value = self.watched_value(k, invariants, y);
        }
    }
    /// How far a state is from the manifold on which it should lie (orthogonality of rotations,
    /// length of unit vectors, tangency), as one number that is zero on the manifold.
    fn manifold_error(&self, y: &Self::Point) -> f64;
    /// The distance from the manifold beyond which a state is no state of the system any more.
    /// Rounding never goes so far; infinite where methods are not asked to stay on the manifold.
    fn manifold_bound(&self, y: &Self::Point) -> f64 {
        let _ = y;
        MANIFOLD_BOUND
    }
}

/// How far a state may be from its manifold, for directions and rotations of size one.
pub const MANIFOLD_BOUND: f64 = 1e-6;

/// A value to show.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// One number.
    Number(f64),
    /// Several numbers.
    Numbers(Vec<f64>),
    /// A vector.
    Vector([f64; 3]),
    /// A list of vectors.
    Vectors(Vec<[f64; 3]>),
    /// A rotation, as a matrix by rows.
    Rotation([[f64; 3]; 3]),
}

impl Value {
    /// Names its numbers.
    pub fn archive(&mut self, archive: &mut Archive) {
        match self {
            Self::Number(x) => archive.number(x),
            Self::Numbers(x) => archive.numbers(x),
            Self::Vector(v) => archive.numbers(v),
            Self::Vectors(list) => list.iter_mut().for_each(|v| archive.numbers(v)),
            Self::Rotation(r) => r.iter_mut().for_each(|v| archive.numbers(v)),
        }
    }

    /// All its numbers in order.
    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Number(x) => vec![*x],
            Self::Numbers(x) => x.clone(),
            Self::Vector(v) => v.to_vec(),
            Self::Vectors(list) => list.as_flattened().to_vec(),
            Self::Rotation(r) => r.as_flattened().to_vec(),
        }
    }
}

/// A system whose states can be shown, compared and written to a file.
pub trait Described: Problem {
    /// The named parts of a state, in the order of the output.
    fn describe(&self, t: f64, y: &Self::Point) -> Vec<(&'static str, Value)>;
    /// What else is computed of a state, shown after its parts.
    fn observables(&self, t: f64, y: &Self::Point) -> Vec<(&'static str, Value)> {
        let _ = (t, y);
        Vec::new()
    }
    /// Which parts make up which error, such as `("attitude", &["rotation"])`.
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])];
}
