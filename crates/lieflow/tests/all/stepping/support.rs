//! Small problems with known answers, for the tests of the driver.
use lieflow::action::{Multiply, Turn};
use lieflow::chart::Chart;
use lieflow::group::Rn;
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Cost, Method, Step, StepError, StepResult};
use lieflow::problem::{Generator, Problem, Quantity, Watched};
use lieflow::{Vec3, tableau, vec3};

/// Euler's equations of a free body, `m' = m × J^-1 m`, on a sphere: nonlinear and periodic.
pub struct Body {
    pub inertia: Vec3<f64>,
    pub start: Vec3<f64>,
}

pub fn body() -> Body {
    Body { inertia: vec3(0.8, 1.7, 2.6), start: vec3(0.6, 0.48, 0.64) }
}

impl Problem for Body {
    type Point = Vec3<f64>;
    fn start(&self) -> Vec3<f64> {
        self.start
    }
}
impl Generator for Body {
    type Space = Turn<f64>;
    fn field(&self, _: f64, m: &Vec3<f64>) -> Vec3<f64> {
        -m.divided_by(self.inertia)
    }
}
impl Watched for Body {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        vec![Quantity { name: "energy", eval: |p, m| 0.5 * m.dot(m.divided_by(p.inertia)) }]
    }
    fn manifold_error(&self, m: &Vec3<f64>) -> f64 {
        (m.norm() - 1.0).abs()
    }
}

/// A ball above a floor: height and speed, `x'' = -g`. Runge–Kutta methods of order two solve it
/// exactly.
pub struct Ball {
    pub gravity: f64,
    pub height: f64,
    pub speed: f64,
}

impl Problem for Ball {
    type Point = Rn<f64, 2>;
    fn start(&self) -> Rn<f64, 2> {
        Rn([self.height, self.speed])
    }
}
impl Generator for Ball {
    type Space = Multiply<Rn<f64, 2>>;
    fn field(&self, _: f64, y: &Rn<f64, 2>) -> Rn<f64, 2> {
        Rn([y.0[1], -self.gravity])
    }
}

/// `y' = f(t, y)` in one dimension.
pub struct Scalar {
    pub start: f64,
    pub f: fn(f64, f64) -> f64,
}

impl Problem for Scalar {
    type Point = Rn<f64, 1>;
    fn start(&self) -> Rn<f64, 1> {
        Rn([self.start])
    }
}
impl Generator for Scalar {
    type Space = Multiply<Rn<f64, 1>>;
    fn field(&self, t: f64, y: &Rn<f64, 1>) -> Rn<f64, 1> {
        Rn([(self.f)(t, y.0[0])])
    }
}
impl Watched for Scalar {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        vec![Quantity { name: "value", eval: |_, y| y.0[0] }]
    }
    fn manifold_error(&self, y: &Rn<f64, 1>) -> f64 {
        0.0 * y.0[0]
    }
}

/// Kutta's method in the exponential chart.
pub fn rk4<P: Generator>() -> Rkmk<P> {
    Rkmk::new(&tableau::RK4, Chart::Exp)
}

/// A method that follows a script: it moves nothing, returns the errors it was given, and writes
/// down what it was asked.
pub struct Scripted {
    pub replies: Vec<Result<Option<f64>, StepError>>,
    pub asked: Vec<(f64, f64)>,
}

impl Scripted {
    pub fn new(replies: Vec<Result<Option<f64>, StepError>>) -> Self {
        Self { replies, asked: Vec::new() }
    }
    /// The same reply forever.
    pub fn always(reply: Result<Option<f64>, StepError>) -> Self {
        Self::new(vec![reply])
    }
}

impl<P: Problem> Method<P> for Scripted {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { t, h, y, .. } = s;
        let reply = self.replies[self.asked.len().min(self.replies.len() - 1)].clone();
        self.asked.push((t, h));
        out.clone_from(y);
        reply
    }
    fn cost(&self) -> Cost {
        Cost { field_evaluations: self.asked.len() as u64, ..Cost::default() }
    }
}
