//! Attitude from a log of measured angular velocities ([`lieflow::rates`]).
//!
//! ```text
//! R' = R hat(w(t) - b)     frame "body", as of a gyroscope
//! R' = hat(w(t) - b) R     frame "space"
//! ```
//!
//! The bias `b` is constant and known up to an error; the derivative of the attitude with respect to it
//! is a part of the state, and so is the covariance that follows from the standard deviation of `b`.
use super::{Spec, SystemEntry, rotation_value, vector_value};
use crate::formulas::Programs;
use crate::problem_file::{Place, Reader, SpecError};
use crate::run::{Model, ModelSystem};
use lieflow::method::{Card, Entry, gyro};
use lieflow::problem::{Described, Problem, Value, Watched};
use lieflow::rates::{Frame, Measured, Order, Sampled, Scheme, Turned, Window};
use lieflow::{Mat3, Vec3};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file in which an ensemble keeps its problem.
const STORED_PROBLEM: &str = "ensemble.json";

mod log;
pub use log::{Log, LogError, Reading};

/// The attitude of a log.
#[derive(Clone, Debug)]
pub struct Rates {
    /// The samples.
    pub log: Arc<Log>,
    /// How they are read, but for the order.
    pub scheme: Scheme,
    /// The first attitude.
    pub start: Mat3<f64>,
    /// Standard deviations of the bias.
    pub bias_sigma: Option<Vec3<f64>>,
}

impl Rates {
    /// The angular velocity at a time, by the polynomial of order six or less.
    fn velocity(&self, t: f64) -> Vec3<f64> {
        let orders = [Order::Six, Order::Four, Order::Two];
        let schemes = orders.map(|order| Scheme { order, ..self.scheme });
        let count = self.log.times.len();
        let Some(scheme) = schemes.iter().find(|scheme| scheme.samples() <= count) else {
            return Vec3::zero();
        };
        let t = t.clamp(self.log.first(), self.log.last());
        let i = self.log.times.partition_point(|s| *s <= t).saturating_sub(1).min(count - 2);
        let window = Window::around(&self.log.times, &self.log.samples, scheme, i);
        scheme.velocity(&window, t)
    }
}

impl Problem for Rates {
    type Point = Turned;
    fn start(&self) -> Turned {
        Turned::new(self.start)
    }
    fn archive(&self, y: &mut Turned, archive: &mut lieflow::archive::Archive) {
        lieflow::action::Flat::archive(y, archive);
    }
}

impl Sampled for Rates {
    fn times(&self) -> &[f64] {
        &self.log.times
    }
    fn samples(&self) -> &[Vec3<f64>] {
        &self.log.samples
    }
    fn scheme(&self) -> Scheme {
        self.scheme
    }
}

impl Watched for Rates {
    fn manifold_error(&self, y: &Turned) -> f64 {
        (y.attitude.norm_squared() - 1.0).abs()
    }
}

fn rows(m: &Mat3<f64>) -> Value {
    Value::Vectors(m.rows.iter().map(|row| row.to_array()).collect())
}

impl Described for Rates {
    fn describe(&self, t: f64, y: &Turned) -> Vec<(&'static str, Value)> {
        let mut parts = vec![
            ("rotation", rotation_value(&y.rotation())),
            ("omega", vector_value(self.velocity(t))),
            ("bias_derivative", rows(&y.bias_derivative)),
        ];
        if let Some(sigma) = self.bias_sigma {
            parts.push(("covariance", rows(&y.covariance(sigma))));
        }
        parts
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("attitude", &["rotation"])]
    }
}

impl ModelSystem for Rates {
    const SYSTEM: &'static str = ENTRY.id;
    const STEPS_FIXED_BY: Option<&'static str> = Some(
        "its samples fix the steps, whatever --step says; compare runs with \
         `--set parameters.thin=2`, 4 and so on, which take each second or fourth sample",
    );
    fn entries() -> Vec<Entry<Self>> {
        gyro::entries()
    }
    fn refuses(&self, card: &Card) -> Option<String> {
        let order = Order::of(card.order.into())?;
        let needed = Scheme { order, ..self.scheme }.samples();
        let found = self.log.times.len();
        (found < needed).then(|| format!("the log has {found} samples, and it needs {needed}"))
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "rates",
    title: "attitude from a log of angular velocities, with the effect of a bias",
    parameters: "samples (a file with t, wx, wy, wz); measured, units, frame, bias, bias_sigma, max_gap, thin",
    initial: "rotation (the identity unless given)",
    state: "rotation, omega, bias_derivative, covariance",
    methods: super::cards::<Rates>,
    build,
};

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let parameters = &spec.parameters;
    let log = log_of(parameters, spec.formulas.programs)?;
    let unit = unit(parameters)?;
    let frame = match parameters.choice_or("frame", &["body", "space"], "body")? {
        "space" => Frame::Space,
        _ => Frame::Body,
    };
    let bias = parameters.optional_vector("bias")?.unwrap_or_else(Vec3::zero) * unit;
    let bias_sigma = match parameters.has("bias_sigma") {
        false => None,
        true => {
            let sigma = parameters.numbers_or_one("bias_sigma", 3)?;
            if sigma.iter().any(|sigma| *sigma < 0.0) {
                let expected = "standard deviations, zero or above: three, or one for all";
                return Err(parameters.refuse("bias_sigma", expected));
            }
            super::finite_vector(&sigma).map(|sigma| sigma * unit)
        }
    };
    let start = spec.initial.optional_rotation("rotation")?.unwrap_or_else(Mat3::identity);
    let scheme = Scheme { frame, bias, measured: measured(parameters)?, ..Scheme::new(Order::Six) };
    Ok(Box::new(Rates { log, scheme, start, bias_sigma }))
}

fn measured(parameters: &Reader<'_>) -> Result<Measured, SpecError> {
    Ok(match parameters.choice_or("measured", &["rates", "increments"], "rates")? {
        "increments" => Measured::Increments,
        _ => Measured::Rates,
    })
}

/// Radians in the unit of the log.
fn unit(parameters: &Reader<'_>) -> Result<f64, SpecError> {
    let units = parameters.choice_or("units", &["radians", "degrees"], "radians")?;
    Ok(if units == "degrees" { std::f64::consts::PI / 180.0 } else { 1.0 })
}

/// The log of a problem, read once for all that ask.
pub(crate) fn log_of(parameters: &Reader<'_>, programs: &Programs) -> Result<Arc<Log>, SpecError> {
    let name = parameters.text("samples")?;
    let thin = parameters.optional_integer("thin")?.unwrap_or(1);
    if thin == 0 {
        return Err(parameters.refuse("thin", "a whole number of samples above zero"));
    }
    let reading = Reading {
        measured: measured(parameters)?,
        unit: unit(parameters)?,
        thin: usize::try_from(thin).unwrap_or(usize::MAX),
        max_gap: parameters.optional_positive("max_gap")?,
    };
    let place = parameters.place_of("samples");
    let path = beside(&place, name);
    programs.keep(&format!("log {reading:?} {}", path.display()), || {
        let read = log::text_of(name, &path).and_then(|text| Log::parse(&text, &reading));
        read.map_err(|source| SpecError::Log { place, source: Box::new(source) })
    })
}

/// A path that stands in a problem file is relative to that file; one on the command line is relative to
/// where the command runs, and so is one in a problem that is no file. The problem of a stored ensemble was
/// a file that lay elsewhere: above the result, as a rule, or where the command runs.
fn beside(place: &Place, name: &str) -> PathBuf {
    let file = Path::new(place.origin.as_ref());
    let Some(folder) = file.parent().filter(|_| place.in_problem() && file.is_file()) else {
        return name.into();
    };
    let here = folder.join(name);
    if here.is_file() || !file.ends_with(STORED_PROBLEM) {
        return here;
    }
    let above = folder.ancestors().skip(1).map(|folder| folder.join(name));
    above.chain([name.into()]).find(|path| path.is_file()).unwrap_or(here)
}
