//! Reading of `data/reference/isotropy.json`, and the free body that the tests integrate.
use lieflow::action::Turn;
use lieflow::chart::Chart;
use lieflow::method::isotropy::generator::ChoosableGenerator;
use lieflow::method::isotropy::{ChosenGenerator, Exponential, FreeMomentum, OnSphere, sphere};
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Method, OnField, Options};
use lieflow::problem::{Differentiable, FirstIntegrals, Generator, Integral, Lift, Problem};
use lieflow::tableau::Tableau;
use lieflow::{Mat3, Real, Vec3, vec3};
pub use lieflow_testing::SplitMix64;
use lieflow_testing::observe;
pub use lieflow_testing::reference::{number, numbers as list, vector};
use serde_json::Value;
use std::convert::Infallible;

pub fn reference() -> Value {
    lieflow_testing::reference::public("isotropy")
}

pub fn exponential(v: &Value) -> Exponential {
    match v.as_str().unwrap() {
        "exp" => Exponential::Exp,
        "cay" => Exponential::Cayley,
        other => panic!("unknown map {other}"),
    }
}

/// The method of a name of the reference file.
pub fn method(name: &str, exponential: Exponential) -> OnSphere<f64> {
    let id = name.to_lowercase().replace('_', "-");
    OnSphere::new(sphere::update(&id).unwrap_or_else(|| panic!("no update {id}")), exponential)
}

/// A free body with principal moments.
#[derive(Clone, Copy, Debug)]
pub struct Body<S> {
    pub a: Vec3<S>,
    pub start: Vec3<S>,
}

impl Body<f64> {
    pub fn new(inertia: Vec3<f64>, start: Vec3<f64>) -> Self {
        Self { a: vec3(1.0, 1.0, 1.0).divided_by(inertia), start }
    }
    pub fn of(row: &Value, start: &str) -> Self {
        Self::new(vector(&row["I"]), vector(&row[start]))
    }
}

impl<S: Real> Body<S> {
    pub fn energy(&self, m: Vec3<S>) -> S {
        m.scaled_by(self.a).dot(m) * 0.5
    }
    /// `H(y) - H(m)` without cancellation.
    pub fn energy_change(&self, m: Vec3<S>, y: Vec3<S>) -> S {
        (y - m).dot((y + m).scaled_by(self.a)) * 0.5
    }
}

impl<S: Real> Problem for Body<S> {
    type Point = Vec3<S>;
    fn start(&self) -> Vec3<S> {
        self.start
    }
}

impl<S: Real> FreeMomentum for Body<S> {
    type Scalar = S;
    fn inverse_inertia(&self) -> Mat3<S> {
        Mat3::diagonal(self.a)
    }
}

impl<S: Real> Generator for Body<S> {
    type Space = Turn<S>;
    fn field(&self, _: f64, m: &Vec3<S>) -> Vec3<S> {
        -m.scaled_by(self.a)
    }
}

impl<S: Real> Lift for Body<S> {
    type Scalar = S;
    type Over<T: Real> = Body<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Body<T> {
        Body { a: cast(self.a, embed), start: cast(self.start, embed) }
    }
    fn lift_point<T: Real>(&self, y: &Vec3<S>, embed: fn(S) -> T) -> Vec3<T> {
        cast(*y, embed)
    }
}

pub fn cast<S: Real, T: Real>(v: Vec3<S>, embed: fn(S) -> T) -> Vec3<T> {
    vec3(embed(v.x), embed(v.y), embed(v.z))
}

impl FirstIntegrals for Body<f64> {
    fn integrals(&self) -> Vec<Integral<Self>> {
        vec![Integral {
            name: "energy",
            eval: |p, m| p.energy(*m),
            gradient: |p, m, out| out.copy_from_slice(&m.scaled_by(p.a).to_array()),
            change: Some(|p, m, y| p.energy_change(*m, *y)),
        }]
    }
}

/// Steps of size `h` from `y`; `see` looks at each state.
pub fn run<P: Problem, M: Method<P> + ?Sized>(
    p: &P,
    method: &mut M,
    h: f64,
    steps: usize,
    mut see: impl FnMut(&P::Point),
) -> P::Point {
    observe(p, method, h, steps, |_, y| see(y))
}

/// The largest energy error of a run.
pub fn energy_error(p: &Body<f64>, method: &mut OnSphere<f64>, h: f64, steps: usize) -> f64 {
    let first = p.energy(p.start);
    let mut worst = 0.0f64;
    run(p, method, h, steps, |m| worst = worst.max((p.energy(*m) - first).abs()));
    worst
}

pub fn distance(a: Vec3<f64>, b: Vec3<f64>) -> f64 {
    (a - b).norm()
}

/// All ids, through the registry.
pub fn ids() -> Vec<&'static str> {
    sphere::entries::<Body<f64>>().iter().map(|e| e.card.id).collect()
}

/// A method made through the registry.
pub fn made(p: &Body<f64>, id: &str, exponential: Exponential) -> Box<dyn Method<Body<f64>>> {
    let entries = sphere::entries::<Body<f64>>();
    let entry = entries.iter().find(|e| e.card.id == id).unwrap();
    let options = Options { chart: exponential.chart(), ..Options::default() };
    (entry.make)(p, &options).unwrap()
}

/// A method for the field of a system with a chosen generator.
pub type ChosenGeneratorMethod<P> =
    OnField<<P as Generator>::Space, <<P as Differentiable<1>>::Lifted as Generator>::Space, 1>;

/// A Runge–Kutta–Munthe-Kaas method on a system with a chosen generator.
pub fn represented<P: ChoosableGenerator<1> + 'static>(
    chosen: ChosenGenerator<P>,
    tableau: &'static Tableau,
    chart: Chart,
) -> ChosenGeneratorMethod<P>
where
    P::Space: 'static,
{
    let made = OnField::choosing(chosen, |_| -> Result<Box<dyn Method<_>>, Infallible> {
        Ok(Box::new(Rkmk::new(tableau, chart)))
    });
    match made {
        Ok(method) => method,
    }
}
