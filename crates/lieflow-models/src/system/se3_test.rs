//! A field on SE(3) with no symmetry at all, for tests of convergence: on it no method can be
//! better by luck than it is in general.
//!
//! ```text
//! f(R, r) = (0.3 r2 + R12, 0.5 - r1 R33, 0.7 R21 - 0.2 r3,
//!            R31 + 0.4 r2, -0.6 r1 + R22, 0.8 R13 r2 + 0.1)
//! ```
use super::{Spec, SystemEntry, cast_matrix, cast_vector, rotation_value, vector_value};
use crate::problem_file::SpecError;
use crate::run::{Model, ModelSystem};
use lieflow::action::Multiply;
use lieflow::group::{Se3, Twist};
use lieflow::method::{Entry, generator};
use lieflow::problem::{Described, Generator, Lift, Problem, Quantity, Value, Watched};
use lieflow::stepping::Rotations;
use lieflow::{Mat3, Real, vec3};

/// The test field.
#[derive(Clone, Debug)]
pub struct Se3Test<S> {
    /// Initial motion.
    pub start: Se3<S>,
}

impl<S: Real> Problem for Se3Test<S> {
    type Point = Se3<S>;
    fn start(&self) -> Se3<S> {
        self.start
    }
    fn restore(&self, y: &mut Se3<S>) {
        Rotations::restore(y);
    }
}

impl<S: Real> Generator for Se3Test<S> {
    type Space = Multiply<Se3<S>>;
    #[inline(always)]
    fn field(&self, _t: f64, y: &Se3<S>) -> Twist<S> {
        let ([a, b, c], p) = (y.rotation.rows, y.position);
        Twist::new(
            vec3(p.y * 0.3 + a.y, S::lift(0.5) - p.x * c.z, b.x * 0.7 - p.z * 0.2),
            vec3(c.x + p.y * 0.4, b.y - p.x * 0.6, a.z * p.y * 0.8 + S::lift(0.1)),
        )
    }
}

impl<S: Real> Lift for Se3Test<S> {
    type Scalar = S;
    type Over<T: Real> = Se3Test<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Se3Test<T> {
        Se3Test { start: self.lift_point(&self.start, embed) }
    }
    fn lift_point<T: Real>(&self, y: &Se3<S>, embed: fn(S) -> T) -> Se3<T> {
        Se3 { rotation: cast_matrix(&y.rotation, embed), position: cast_vector(y.position, embed) }
    }
}

impl Watched for Se3Test<f64> {
    /// It has none.
    fn invariants(&self) -> Vec<Quantity<Self>> {
        Vec::new()
    }
    fn manifold_error(&self, y: &Se3<f64>) -> f64 {
        y.rotation.orthogonality_error()
    }
}

impl Described for Se3Test<f64> {
    fn describe(&self, _t: f64, y: &Se3<f64>) -> Vec<(&'static str, Value)> {
        vec![("rotation", rotation_value(&y.rotation)), ("position", vector_value(y.position))]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("attitude", &["rotation"]), ("position", &["position"])]
    }
}

impl ModelSystem for Se3Test<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        generator::entries_on_space()
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "se3-test",
    title: "a field on SE(3) without symmetry, for convergence tests",
    parameters: "none",
    initial: "rotation (the identity unless given), position",
    state: "rotation, position",
    methods: super::cards::<Se3Test<f64>>,
    build,
};

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let rotation = spec.initial.optional_rotation("rotation")?.unwrap_or_else(Mat3::identity);
    let position = spec.initial.vector("position")?;
    Ok(Box::new(Se3Test { start: Se3 { rotation, position } }))
}
