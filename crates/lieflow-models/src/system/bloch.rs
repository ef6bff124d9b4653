//! A spin 1/2 in a turning field, as its Bloch vector.
//!
//! ```text
//! m' = w(t) × m      w = (ω₁ cos φ, ω₁ sin φ, ω₀)      φ = ω t + c t²/2
//! ```
//!
//! `ω₀` is the Larmor frequency, `ω₁` the Rabi frequency of the drive, `ω` its frequency and `c` its
//! chirp. Linear: the field does not look at the spin. Without a chirp the motion has a closed form, a
//! constant rotation in the frame that turns with the drive:
//!
//! ```text
//! m(t) = Z(ωt) exp((t - t₀) (ω₁, 0, ω₀ - ω)) Z(-ωt₀) m₀
//! ```
use super::law_table::{definitions, part};
use super::{Spec, SystemEntry, cast_vector, unit_vectors, vector_value};
use crate::formulas::{Equations, Motion, Space, Values};
use crate::problem_file::SpecError;
use crate::run::{Model, ModelSystem};
use lieflow::action::Turn;
use lieflow::kernel::so3;
use lieflow::method::{Entry, generator, magnus, spherical};
use lieflow::problem::{Described, Generator, Lift, Problem, Value, Watched};
use lieflow::{Real, Vec3, vec3};
use lieflow_formula::Kind;

/// The spin.
#[derive(Clone, Debug)]
pub struct Bloch<S> {
    /// `ω₀`.
    pub larmor: S,
    /// `ω₁`.
    pub rabi: S,
    /// `ω`.
    pub drive: S,
    /// `c`.
    pub chirp: S,
    /// Its first direction, a unit vector.
    pub start: Vec3<S>,
}

impl Bloch<f64> {
    /// The state at `t` after that at `from`, where there is a closed form: without a chirp.
    pub fn exact(&self, from: f64, t: f64) -> Option<Vec3<f64>> {
        if self.chirp != 0.0 {
            return None;
        }
        let about = |angle: f64, v| so3::rotate(vec3(0.0, 0.0, angle), v);
        let seen = about(-self.drive * from, self.start);
        let turn = vec3(self.rabi, 0.0, self.larmor - self.drive) * (t - from);
        Some(about(self.drive * t, so3::rotate(turn, seen)))
    }
}

impl<S: Real> Problem for Bloch<S> {
    type Point = Vec3<S>;
    fn start(&self) -> Vec3<S> {
        self.start
    }
}

impl<S: Real> Generator for Bloch<S> {
    type Space = Turn<S>;
    fn is_linear(&self) -> bool {
        true
    }
    #[inline(always)]
    fn field(&self, t: f64, _: &Vec3<S>) -> Vec3<S> {
        let (sine, cosine) = ((self.drive + self.chirp * (0.5 * t)) * t).sin_cos();
        vec3(self.rabi * cosine, self.rabi * sine, self.larmor)
    }
}

impl<S: Real> Lift for Bloch<S> {
    type Scalar = S;
    type Over<T: Real> = Bloch<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Bloch<T> {
        Bloch {
            larmor: embed(self.larmor),
            rabi: embed(self.rabi),
            drive: embed(self.drive),
            chirp: embed(self.chirp),
            start: cast_vector(self.start, embed),
        }
    }
    fn lift_point<T: Real>(&self, m: &Vec3<S>, embed: fn(S) -> T) -> Vec3<T> {
        cast_vector(*m, embed)
    }
}

impl Watched for Bloch<f64> {
    fn manifold_error(&self, m: &Vec3<f64>) -> f64 {
        super::sphere_error(std::slice::from_ref(m))
    }
}

impl Described for Bloch<f64> {
    fn describe(&self, _t: f64, m: &Vec3<f64>) -> Vec<(&'static str, Value)> {
        vec![("m", vector_value(*m))]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("direction", &["m"])]
    }
}

impl ModelSystem for Bloch<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        let mut entries = generator::entries_on_space();
        entries.extend(spherical::all_entries_on_space());
        entries.extend(magnus::entries_on_space());
        entries
    }
    fn set_part(&self, y: &mut Vec3<f64>, part: &str, numbers: &[f64]) -> bool {
        match unit_vectors(numbers).as_deref() {
            Some([m]) if part == "m" => *y = *m,
            _ => return false,
        }
        true
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "bloch",
    title: "a spin 1/2 in a turning or chirped field, as its Bloch vector",
    parameters: "larmor, rabi, drive, chirp",
    initial: "m (unit vector)",
    state: "m",
    methods: super::cards::<Bloch<f64>>,
    build,
};

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let parameters = &spec.parameters;
    let larmor = parameters.number("larmor")?;
    let bloch = Bloch {
        larmor,
        rabi: parameters.number("rabi")?,
        drive: parameters.number_or("drive", larmor)?,
        chirp: parameters.number_or("chirp", 0.0)?,
        start: spec.initial.unit_vector("m")?,
    };
    spec.explain(|| equations(&bloch));
    Ok(Box::new(bloch))
}

/// The spin in formulas.
fn equations(bloch: &Bloch<f64>) -> Equations {
    let mut values = Values::default();
    for (name, value) in [
        ("larmor", bloch.larmor),
        ("rabi", bloch.rabi),
        ("drive", bloch.drive),
        ("chirp", bloch.chirp),
    ] {
        values.push(name, Kind::Number, None, &[value]);
    }
    Equations {
        state: vec![part("m", "m", Kind::Vector, Space::Spheres)],
        parameters: values.parameters(),
        definitions: definitions([("phase", "(drive + 0.5*chirp*t)*t")]),
        motion: vec![(
            "m".into(),
            Motion::Turn("[rabi*cos(phase), rabi*sin(phase), larmor]".into()),
        )],
        ..Equations::default()
    }
}
