//! Systems and reference data shared by the tests of Hamiltonian and variational methods.
use lieflow::group::family::{Rotations, Translations};
use lieflow::group::{Rn, So3};
use lieflow::problem::{Cotangent, Hamiltonian, Lagrangian, LegendreError, Problem};
use lieflow::{Mat3, Real, Vec3, kernel::so3, vec3};
pub use lieflow_testing::reference::{numbers, vector as triple};
pub use lieflow_testing::{observe as integrate, relative};
use serde_json::Value;

pub fn reference() -> Value {
    lieflow_testing::reference::file("liegroup")
}
pub fn cast3<S: Real, T: Real>(v: Vec3<S>, f: fn(S) -> T) -> Vec3<T> {
    vec3(f(v.x), f(v.y), f(v.z))
}
pub fn flat(y: &Cotangent<So3<f64>>) -> Vec<f64> {
    let mut v: Vec<f64> = y.g.matrix.rows.iter().flat_map(|r| r.to_array()).collect();
    v.extend(y.mu.to_array());
    v
}
pub fn flat_rn<const N: usize>(y: &Cotangent<Rn<f64, N>>) -> Vec<f64> {
    y.g.0.iter().chain(&y.mu.0).copied().collect()
}

/// The heavy top `H = 1/2 P·I⁻¹P + k (QᵀG0)·chi`; `k = 0` is the free body.
#[derive(Clone, Copy, Debug)]
pub struct Top<S> {
    pub inertia: Vec3<S>,
    pub chi: Vec3<S>,
    pub up: Vec3<S>,
    pub k: S,
    pub g: Mat3<S>,
    pub mu: Vec3<S>,
}
impl Top<f64> {
    pub fn named(id: &str) -> Self {
        let data = reference();
        let cases = data["public"]["trajectories"].as_array().unwrap();
        let case = cases.iter().find(|c| c["id"] == id).unwrap();
        let input = &case["input"];
        let g = so3::exp(triple(&input["rot"]));
        let pi = triple(&input["pi"]);
        if case["problem"] == "free-body" {
            let (o, e) = (Vec3::zero(), vec3(0.0, 0.0, 1.0));
            Self { inertia: triple(&input["I"]), chi: e, up: o, k: 0.0, g, mu: g.apply(pi) }
        } else {
            Self {
                inertia: triple(&input["I"]),
                chi: triple(&input["chi"]),
                up: triple(&input["G0"]),
                k: input["k"].as_f64().unwrap(),
                g,
                mu: pi,
            }
        }
    }
}
impl<S: Real> Top<S> {
    pub fn cast<T: Real>(&self, f: fn(S) -> T) -> Top<T> {
        let [a, b, c] = self.g.rows;
        Top {
            inertia: cast3(self.inertia, f),
            chi: cast3(self.chi, f),
            up: cast3(self.up, f),
            k: f(self.k),
            g: Mat3::from_rows(cast3(a, f), cast3(b, f), cast3(c, f)),
            mu: cast3(self.mu, f),
        }
    }
    pub fn energy(&self, y: &Cotangent<So3<S>>) -> S {
        self.hamiltonian(0.0, &y.g, &y.mu)
    }
}
impl<S: Real> Problem for Top<S> {
    type Point = Cotangent<So3<S>>;
    fn start(&self) -> Self::Point {
        Cotangent { g: So3 { matrix: self.g }, mu: self.mu }
    }
}
impl<S: Real> Lagrangian for Top<S> {
    type Scalar = S;
    type Family = Rotations;
    type Over<T: Real> = Top<T>;
    fn over<T: Real>(&self, f: fn(S) -> T) -> Top<T> {
        self.cast(f)
    }
    fn lagrangian(&self, _: f64, g: &So3<S>, w: &Vec3<S>) -> S {
        w.dot(w.scaled_by(self.inertia)) * 0.5
            - self.k * g.matrix.apply_transpose(self.up).dot(self.chi)
    }
    fn momentum(&self, _: f64, _: &So3<S>, w: &Vec3<S>) -> Vec3<S> {
        w.scaled_by(self.inertia)
    }
    fn force(&self, _: f64, g: &So3<S>, _: &Vec3<S>) -> Vec3<S> {
        self.up.cross(g.matrix.apply(self.chi)).times(self.k)
    }
    fn velocity(&self, _: f64, _: &So3<S>, p: &Vec3<S>) -> Result<Vec3<S>, LegendreError> {
        Ok(p.divided_by(self.inertia))
    }
}
/// The Hamiltonian trait uses nothing but the function.
impl<S: Real> Hamiltonian for Top<S> {
    type Scalar = S;
    type Family = Rotations;
    type Over<T: Real> = Top<T>;
    fn over<T: Real>(&self, f: fn(S) -> T) -> Top<T> {
        self.cast(f)
    }
    fn hamiltonian(&self, _: f64, g: &So3<S>, mu: &Vec3<S>) -> S {
        let body = g.matrix.apply_transpose(*mu);
        body.dot(body.divided_by(self.inertia)) * 0.5
            + self.k * g.matrix.apply_transpose(self.up).dot(self.chi)
    }
}

/// `L = |v|²/2 - V(q)`.
#[derive(Clone, Copy, Debug)]
pub struct Newtonian<S, V, const N: usize> {
    pub potential: V,
    pub q: [S; N],
    pub p: [S; N],
}
pub trait Potential<const N: usize>: Copy + 'static {
    fn value<S: Real>(&self, q: &[S; N]) -> S;
}
#[derive(Clone, Copy, Debug)]
pub struct Harmonic;
#[derive(Clone, Copy, Debug)]
pub struct Pendulum;
#[derive(Clone, Copy, Debug)]
pub struct DoubleWell;
#[derive(Clone, Copy, Debug)]
pub struct Kepler;
#[derive(Clone, Copy, Debug)]
pub struct HenonHeiles;
impl Potential<1> for Harmonic {
    fn value<S: Real>(&self, [q]: &[S; 1]) -> S {
        *q * *q * 0.5
    }
}
impl Potential<1> for Pendulum {
    fn value<S: Real>(&self, [q]: &[S; 1]) -> S {
        -q.sin_cos().1
    }
}
impl Potential<1> for DoubleWell {
    fn value<S: Real>(&self, [q]: &[S; 1]) -> S {
        (*q * *q - S::one()).square() * 0.25
    }
}
impl Potential<2> for Kepler {
    fn value<S: Real>(&self, [x, y]: &[S; 2]) -> S {
        -(S::one() / (*x * *x + *y * *y).sqrt())
    }
}
impl Potential<2> for HenonHeiles {
    fn value<S: Real>(&self, [x, y]: &[S; 2]) -> S {
        (*x * *x + *y * *y) * 0.5 + *x * *x * *y - *y * *y * *y * (1.0 / 3.0)
    }
}
impl<V: Potential<N>, const N: usize> Newtonian<f64, V, N> {
    pub fn named(potential: V, id: &str) -> Self {
        let data = reference();
        let cases = data["public"]["trajectories"].as_array().unwrap();
        let case = cases.iter().find(|c| c["id"] == id).unwrap();
        let part = |key: &str| numbers(&case["input"][key]).try_into().unwrap();
        Self { potential, q: part("q"), p: part("p") }
    }
}
impl<S: Real, V: Potential<N>, const N: usize> Newtonian<S, V, N> {
    pub fn energy(&self, y: &Cotangent<Rn<S, N>>) -> S {
        let mut sum = self.potential.value(&y.g.0);
        for p in y.mu.0 {
            sum += p * p * 0.5;
        }
        sum
    }
}
impl<S: Real, V: Potential<N>, const N: usize> Problem for Newtonian<S, V, N> {
    type Point = Cotangent<Rn<S, N>>;
    fn start(&self) -> Self::Point {
        Cotangent { g: Rn(self.q), mu: Rn(self.p) }
    }
}
impl<S: Real, V: Potential<N>, const N: usize> Lagrangian for Newtonian<S, V, N> {
    type Scalar = S;
    type Family = Translations<N>;
    type Over<T: Real> = Newtonian<T, V, N>;
    fn over<T: Real>(&self, f: fn(S) -> T) -> Newtonian<T, V, N> {
        Newtonian { potential: self.potential, q: self.q.map(f), p: self.p.map(f) }
    }
    fn lagrangian(&self, _: f64, q: &Rn<S, N>, v: &Rn<S, N>) -> S {
        let mut kinetic = S::zero();
        for v in v.0 {
            kinetic += v * v * 0.5;
        }
        kinetic - self.potential.value(&q.0)
    }
    fn momentum(&self, _: f64, _: &Rn<S, N>, v: &Rn<S, N>) -> Rn<S, N> {
        *v
    }
    fn velocity(&self, _: f64, _: &Rn<S, N>, p: &Rn<S, N>) -> Result<Rn<S, N>, LegendreError> {
        Ok(*p)
    }
}

/// The methods on T*SO(3) with fingerprints.
pub fn rotation_ids() -> Vec<String> {
    const ALONE: [&str; 6] = [
        "slgi-theta0",
        "slgi-theta0.5",
        "slgi-theta1",
        "vrkmk-gauss2",
        "vrkmk-gauss4",
        "vrkmk-gauss6",
    ];
    const PLACES: [&str; 5] = ["left", "trapezoid", "midpoint", "right", "truemid"];
    const RULES: [&str; 3] = ["gauss{s}", "gauss{s+1}", "lobatto{s+1}"];
    let mut ids: Vec<String> = ALONE.map(String::from).to_vec();
    for chart in ["exp", "cay"] {
        ids.extend(PLACES.map(|place| format!("chart-{chart}-{place}")));
    }
    for chart in ["exp", "cay"] {
        for s in 1..=3 {
            let rule = |rule: &str| {
                rule.replace("{s}", &s.to_string()).replace("{s+1}", &(s + 1).to_string())
            };
            ids.extend(RULES.map(|text| format!("liegalerkin-{chart}-s{s}-{}", rule(text))));
        }
    }
    ids
}
