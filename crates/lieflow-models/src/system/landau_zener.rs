//! Two levels that cross: Landau and Zener's model, on SU(2).
//!
//! ```text
//! i ψ' = H(t) ψ      H = ½ ( v t    Δ  )        g' = A(t) g,  ψ = first column of g
//!                          ( Δ    -v t )
//! ```
//!
//! From long before the crossing to long after it the first level keeps its population with the
//! probability `exp(-2πΓ)`, `Γ = Δ²/(4|v|)` (Landau 1932, Zener 1932). At finite times solutions are
//! parabolic cylinder functions, with which the tests compare.
use super::{Spec, SystemEntry};
use crate::problem_file::SpecError;
use crate::run::{Model, ModelSystem};
use lieflow::action::Multiply;
use lieflow::group::{LieGroup, Su2};
use lieflow::method::{Entry, generator, magnus, on_field};
use lieflow::problem::{AnyFieldOf, Described, Generator, Lift, Problem, Value, Watched};
use lieflow::{Quat, Real, Vec3, vec3};
use std::f64::consts::PI;

/// The two levels.
#[derive(Clone, Debug)]
pub struct LandauZener<S> {
    /// `v`, how fast the levels approach each other.
    pub sweep: S,
    /// `Δ`, how far apart they stay.
    pub gap: S,
    /// The first state.
    pub start: Su2<S>,
}

impl LandauZener<f64> {
    /// `exp(-2πΓ)`: the probability to stay in the first level, from infinite time to infinite time.
    pub fn probability(&self) -> f64 {
        (-0.5 * PI * self.gap * self.gap / self.sweep.abs()).exp()
    }
}

/// Amplitudes of the two levels, real and imaginary parts: the first column of the matrix.
fn spinor(g: &Su2<f64>) -> [f64; 4] {
    let Quat { w, v } = g.quaternion;
    [w, -v.z, v.y, -v.x]
}

/// The element of the group with this spinor.
fn with_spinor([a, b, c, d]: [f64; 4]) -> Su2<f64> {
    Su2 { quaternion: Quat::new(a, -d, c, -b) }
}

/// The spinor in these numbers, made of length one.
fn read_spinor(numbers: &[f64]) -> Option<Su2<f64>> {
    let numbers: [f64; 4] = numbers.try_into().ok()?;
    let length = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
    let sound = length > 0.0 && length.is_finite();
    sound.then(|| with_spinor(numbers.map(|x| x / length)))
}

impl<S: Real> Problem for LandauZener<S> {
    type Point = Su2<S>;
    fn start(&self) -> Su2<S> {
        self.start
    }
}

impl<S: Real> Generator for LandauZener<S> {
    type Space = Multiply<Su2<S>>;
    fn is_linear(&self) -> bool {
        true
    }
    /// `-i H = -i/2 (Δ σx + v t σz)`.
    fn field(&self, t: f64, _: &Su2<S>) -> Vec3<S> {
        vec3(self.gap, S::zero(), self.sweep * t)
    }
}

impl<S: Real> Lift for LandauZener<S> {
    type Scalar = S;
    type Over<T: Real> = LandauZener<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> LandauZener<T> {
        let start = self.lift_point(&self.start, embed);
        LandauZener { sweep: embed(self.sweep), gap: embed(self.gap), start }
    }
    fn lift_point<T: Real>(&self, y: &Su2<S>, embed: fn(S) -> T) -> Su2<T> {
        let Quat { w, v } = y.quaternion;
        Su2 { quaternion: Quat { w: embed(w), v: super::cast_vector(v, embed) } }
    }
}

impl Watched for LandauZener<f64> {
    /// `||ψ|² - 1|`.
    fn manifold_error(&self, y: &Su2<f64>) -> f64 {
        y.unitarity_error()
    }
}

impl Described for LandauZener<f64> {
    fn describe(&self, _t: f64, y: &Su2<f64>) -> Vec<(&'static str, Value)> {
        let [a, b, c, d] = spinor(y);
        vec![
            ("spinor", Value::Numbers(vec![a, b, c, d])),
            ("population", Value::Number(a * a + b * b)),
            ("m", Value::Vector(y.adjoint(&vec3(0.0, 0.0, 1.0)).to_array())),
        ]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("state", &["spinor"])]
    }
}

impl ModelSystem for LandauZener<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        let mut entries = generator::table_entries::<AnyFieldOf<Self, 1>>();
        entries.extend(magnus::entries());
        on_field(entries)
    }
    fn set_part(&self, y: &mut Su2<f64>, part: &str, numbers: &[f64]) -> bool {
        match read_spinor(numbers) {
            Some(state) if part == "spinor" => *y = state,
            _ => return false,
        }
        true
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "landau-zener",
    title: "two levels that cross, on SU(2)",
    parameters: "sweep, gap",
    initial: "spinor (four numbers, the first level unless given)",
    state: "spinor, population, m",
    methods: super::cards::<LandauZener<f64>>,
    build,
};

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let (sweep, gap) = (spec.parameters.number("sweep")?, spec.parameters.number("gap")?);
    let start = if spec.initial.has("spinor") {
        let numbers = spec.initial.numbers("spinor")?;
        let wrong = || spec.initial.refuse("spinor", "four numbers, not all zero");
        read_spinor(&numbers).ok_or_else(wrong)?
    } else {
        Su2::unit()
    };
    Ok(Box::new(LandauZener { sweep, gap, start }))
}
