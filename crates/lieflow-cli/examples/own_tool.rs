//! The whole tool with a system of your own beside the built-in ones: a moment in a field that turns.
use lieflow::action::Turn;
use lieflow::method::{Entry, generator};
use lieflow::problem::{Described, Generator, Problem, Value, Watched};
use lieflow::{Real, Vec3, vec3};
use lieflow_models::run::ModelSystem;
use lieflow_models::system::{Registry, SystemEntry, cards};
struct Moment {
    rate: f64,
    start: Vec3<f64>,
}
impl Problem for Moment {
    type Point = Vec3<f64>;
    fn start(&self) -> Vec3<f64> {
        self.start
    }
}
impl Generator for Moment {
    type Space = Turn<f64>;
    fn field(&self, t: f64, _: &Vec3<f64>) -> Vec3<f64> {
        let (sin, cos) = Real::sin_cos(self.rate * t);
        vec3(cos, sin, 0.5)
    }
}
impl Watched for Moment {
    fn manifold_error(&self, m: &Vec3<f64>) -> f64 {
        (m.norm() - 1.0).abs()
    }
}
impl Described for Moment {
    fn describe(&self, _: f64, m: &Vec3<f64>) -> Vec<(&'static str, Value)> {
        vec![("m", Value::Vector(m.to_array()))]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("m", &["m"])]
    }
}
impl ModelSystem for Moment {
    const SYSTEM: &'static str = "moment";
    fn entries() -> Vec<Entry<Self>> {
        generator::entries()
    }
}
/// To be registered.
pub static SYSTEMS: &[SystemEntry] = &[SystemEntry {
    id: "moment",
    title: "a magnetic moment in a field that turns",
    parameters: "rate",
    initial: "m",
    state: "m",
    methods: cards::<Moment>,
    build: |spec| {
        let (rate, start) = (spec.parameters.number("rate")?, spec.initial.unit_vector("m")?);
        Ok(Box::new(Moment { rate, start }))
    },
}];
fn main() -> std::process::ExitCode {
    lieflow_cli::run_with(&Registry::default().with(SYSTEMS), std::env::args_os()).into()
}
