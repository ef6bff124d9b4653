//! Fields on the sphere that are not those of a rigid body, and the choice of their generator.
use super::data::*;
use lieflow::action::{Action, Turn};
use lieflow::chart::Chart;
use lieflow::method::Method;
use lieflow::method::isotropy::orbit::{Coordinates, Explicit};
use lieflow::method::isotropy::{ChosenGenerator, Part};
use lieflow::problem::{FirstIntegrals, Generator, Integral, Lift, Problem};
use lieflow::tableau::{self, Tableau};
use lieflow::{Real, Vec3, vec3};
use serde_json::Value;

/// A field on the sphere, by its generator.
#[derive(Clone, Debug)]
pub enum Sphere<S> {
    /// `H = c0 m1m2m3 + c1 m1^2 + c2 m2^3 + c3 m3 + c4 m3^4`, generator `-grad H`.
    Polynomial { c: [S; 5], start: Vec3<S> },
    /// Landau–Lifshitz: `w = g (h + alpha m × h)`, `h = b - D m`.
    Macrospin { g: S, alpha: S, b: Vec3<S>, d: Vec3<S>, start: Vec3<S> },
}

impl<S: Real> Sphere<S> {
    pub fn gradient(&self, m: Vec3<S>) -> Vec3<S> {
        match self {
            Self::Polynomial { c, .. } => vec3(
                c[0] * m.y * m.z + c[1] * m.x * 2.0,
                c[0] * m.x * m.z + c[2] * m.y * m.y * 3.0,
                c[0] * m.x * m.y + c[3] + c[4] * m.z * m.z * m.z * 4.0,
            ),
            Self::Macrospin { b, d, .. } => m.scaled_by(*d) - *b,
        }
    }
    pub fn energy(&self, m: Vec3<S>) -> S {
        match self {
            Self::Polynomial { c, .. } => {
                c[0] * m.x * m.y * m.z
                    + c[1] * m.x * m.x
                    + c[2] * m.y.powi(3)
                    + c[3] * m.z
                    + c[4] * m.z.powi(4)
            }
            Self::Macrospin { b, d, .. } => m.scaled_by(*d).dot(m) * 0.5 - b.dot(m),
        }
    }
}

impl<S: Real> Problem for Sphere<S> {
    type Point = Vec3<S>;
    fn start(&self) -> Vec3<S> {
        match self {
            Self::Polynomial { start, .. } | Self::Macrospin { start, .. } => *start,
        }
    }
}

impl<S: Real> Generator for Sphere<S> {
    type Space = Turn<S>;
    fn field(&self, _: f64, m: &Vec3<S>) -> Vec3<S> {
        let minus = -self.gradient(*m);
        match self {
            Self::Polynomial { .. } => minus,
            Self::Macrospin { g, alpha, .. } => (minus + m.cross(minus).times(*alpha)).times(*g),
        }
    }
}

impl<S: Real> Lift for Sphere<S> {
    type Scalar = S;
    type Over<T: Real> = Sphere<T>;
    fn lift<T: Real>(&self, f: fn(S) -> T) -> Sphere<T> {
        match self {
            Self::Polynomial { c, start } => {
                Sphere::Polynomial { c: c.map(f), start: cast(*start, f) }
            }
            Self::Macrospin { g, alpha, b, d, start } => Sphere::Macrospin {
                g: f(*g),
                alpha: f(*alpha),
                b: cast(*b, f),
                d: cast(*d, f),
                start: cast(*start, f),
            },
        }
    }
    fn lift_point<T: Real>(&self, y: &Vec3<S>, f: fn(S) -> T) -> Vec3<T> {
        cast(*y, f)
    }
}

impl FirstIntegrals for Sphere<f64> {
    fn integrals(&self) -> Vec<Integral<Self>> {
        vec![Integral {
            name: "energy",
            eval: |p, m| p.energy(*m),
            gradient: |p, m, out| out.copy_from_slice(&p.gradient(*m).to_array()),
            change: None,
        }]
    }
}

pub fn polynomial(row: &Value) -> Sphere<f64> {
    let c = list(&row["coefficients"]);
    Sphere::Polynomial { c: [c[0], c[1], c[2], c[3], c[4]], start: vector(&row["m"]) }
}

pub fn macrospin(row: &Value) -> Sphere<f64> {
    let p = &row["params"];
    let alpha = number(&p["alpha"]);
    Sphere::Macrospin {
        g: number(&p["gamma"]) / (1.0 + alpha * alpha),
        alpha,
        b: vector(&p["b"]),
        d: vector(&p["D"]),
        start: vector(&row["m"]),
    }
}

pub fn both() -> [(Sphere<f64>, Value); 2] {
    let data = reference();
    let (a, b) = (&data["s2_fields"][0], &data["s2_fields"][1]);
    [(polynomial(a), a.clone()), (macrospin(b), b.clone())]
}

/// A Runge–Kutta step with this part of the isotropy; Heun's is not pulled back.
pub fn table_step(
    p: &Sphere<f64>,
    part: Part,
    tableau: &'static Tableau,
    chart: Chart,
    h: f64,
) -> Vec3<f64> {
    let y = p.start();
    let chosen = ChosenGenerator::new(p.clone(), part);
    let u = Explicit { tableau, chart, pulled: tableau.order > 2 }.coordinates(&chosen, 0.0, &y, h);
    let mut out = y;
    Turn::advance(chart, &u, &y, &mut out);
    out
}

#[test]
fn steps_of_general_fields() {
    let mut worst = 0.0f64;
    for (p, row) in both() {
        let (m, h) = (p.start(), number(&row["h"]));
        let w = ChosenGenerator::new(p.clone(), Part::Orthogonal).field(0.0, &m);
        assert!(distance(w, vector(&row["omega_o"])) < 1e-15);
        assert!(distance(p.field(0.0, &m).cross(m), vector(&row["X"])) < 1e-15);
        let i = ChosenGenerator::new(p.clone(), Part::Curvature);
        let sigma = (i.field(0.0, &m) - w).dot(m) / m.norm_squared();
        assert!((sigma - number(&row["sigma_i"])).abs() < 1e-14, "{sigma}");
        assert_eq!((i.corrections().made, i.corrections().skipped), (1, 0));
        for (word, chart) in [("exp", Chart::Exp), ("cay", Chart::Cayley)] {
            let want = &row["steps"][word];
            let mut near = |y, key: &str| worst = worst.max(distance(y, vector(&want[key])));
            let (o, g, c) = (Part::Orthogonal, Part::Given, Part::Curvature);
            near(table_step(&p, o, &tableau::EULER, chart, h), "Eul_o");
            near(table_step(&p, c, &tableau::EULER, chart, h), "Eul_i");
            near(table_step(&p, o, &tableau::HEUN2, chart, h), "Heun_o");
            near(table_step(&p, g, &tableau::HEUN2, chart, h), "Heun_b");
            near(table_step(&p, o, &tableau::RK4, chart, h), "RKMK4_o");
            near(table_step(&p, g, &tableau::RK4, chart, h), "RKMK4_b");
        }
    }
    println!("general fields: {worst:e}");
    assert!(worst < 1e-15);
}

#[test]
fn flows_of_general_fields() {
    for (p, row) in both() {
        let until = number(&row["T"]);
        for part in [Part::Given, Part::Orthogonal, Part::Curvature] {
            let chosen = ChosenGenerator::new(p.clone(), part);
            let mut m = represented(chosen, &tableau::RK4, Chart::Exp);
            let steps = 4000;
            let end = run(&p, &mut m, until / steps as f64, steps, |_| {});
            let error = distance(end, vector(&row["flow_T"]));
            assert!(error < 1e-12, "{part:?} {error:e}");
        }
    }
}

/// The largest energy error of Euler's rule on the polynomial field.
fn euler_energy(part: Part, chart: Chart, steps: usize) -> f64 {
    let [(p, _), _] = both();
    let mut m = represented(ChosenGenerator::new(p.clone(), part), &tableau::EULER, chart);
    let first = p.energy(p.start());
    let mut worst = 0.0f64;
    run(&p, &mut m, 10.0 / steps as f64, steps, |y| {
        worst = worst.max((p.energy(*y) - first).abs());
    });
    worst
}

#[test]
fn curvature_gives_euler_an_order_of_energy() {
    for chart in [Chart::Exp, Chart::Cayley] {
        for (part, want) in [(Part::Given, 1.0), (Part::Orthogonal, 1.0), (Part::Curvature, 2.0)] {
            let [a, b] = [400, 800].map(|n| euler_energy(part, chart, n));
            let order = (a / b).log2();
            println!("{part:?} {chart:?}: {a:e} {b:e} order {order}");
            assert!((order - want).abs() < 0.15, "{part:?} {chart:?} {order}");
        }
    }
}

#[test]
fn curvature_on_the_free_body_is_the_closed_form() {
    for p in super::tables::triaxial(20011009) {
        for (chart, map) in [
            (Chart::Exp, lieflow::method::isotropy::Exponential::Exp),
            (Chart::Cayley, lieflow::method::isotropy::Exponential::Cayley),
        ] {
            // Any length of the momentum.
            let p = Body { start: p.start * 3.0, ..p };
            let chosen = ChosenGenerator::new(p, Part::Curvature);
            let mut m = represented(chosen, &tableau::EULER, chart);
            let a = run(&p, &mut m, 0.1, 50, |_| {});
            let b = run(&p, &mut method("Eul_i", map), 0.1, 50, |_| {});
            assert!(distance(a, b) < 1e-13, "{:e}", distance(a, b));
            let count = Method::<Body<f64>>::corrections(&m).unwrap();
            assert!(count.made >= 50 && count.skipped == 0);
        }
    }
}

#[test]
fn circles_at_constant_speed_are_exact() {
    // Precession about the field, seen through a generator with an odd isotropy part.
    let p = Sphere::Macrospin {
        g: 1.7,
        alpha: 0.0,
        b: vec3(0.2, -0.3, 0.9),
        d: Vec3::zero(),
        start: vec3(0.48, -0.6, 0.64) * 2.5,
    };
    let axis = vec3(0.2, -0.3, 0.9) * 1.7;
    for part in [Part::Given, Part::Curvature] {
        let chosen = ChosenGenerator::new(p.clone(), part);
        let mut m = represented(chosen, &tableau::EULER, Chart::Exp);
        let end = run(&p, &mut m, 0.3, 20, |_| {});
        let exact = lieflow::kernel::so3::rotate(axis * 6.0, p.start());
        assert!(distance(end, exact) < 2e-14, "{part:?} {:e}", distance(end, exact));
    }
}

#[test]
fn at_rest_the_curvature_is_left_out_and_counted() {
    // An equilibrium of the body, and a spin along its field.
    let p = Body::new(vec3(1.5, 2.0, 3.0), vec3(0.0, 1.0, 0.0));
    let chosen = ChosenGenerator::new(p, Part::Curvature);
    let mut m = represented(chosen, &tableau::RK4, Chart::Exp);
    let end = run(&p, &mut m, 0.1, 10, |_| {});
    assert_eq!(end, p.start);
    let count = Method::<Body<f64>>::corrections(&m).unwrap();
    assert!(count.made == 0 && count.skipped >= 40, "{count:?}");
}
