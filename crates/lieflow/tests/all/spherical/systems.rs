//! A ring of spins and some vortices, over any numbers.
use lieflow::action::Turn;
use lieflow::method::composition::Scheme;
use lieflow::method::spherical::{Midpoint, SphericalMidpoint};
use lieflow::problem::{Generator, Lift, Problem};
use lieflow::{Real, Vec3, vec3};

/// Spins with exchange, anisotropy and a field that may turn.
#[derive(Clone, Debug)]
pub struct Ring<S> {
    pub d: Vec3<S>,
    pub b: Vec3<S>,
    /// The rate of the turning part of the field.
    pub turning: f64,
    pub start: Vec<Vec3<S>>,
}

/// Vortices with their strengths.
#[derive(Clone, Debug)]
pub struct Vortices<S> {
    pub strengths: Vec<S>,
    pub start: Vec<Vec3<S>>,
}

macro_rules! on_spheres {
    ($name:ident, |$p:ident, $t:ident, $y:ident, $out:ident| $field:block) => {
        impl<S: Real> Problem for $name<S> {
            type Point = Vec<Vec3<S>>;
            fn start(&self) -> Vec<Vec3<S>> {
                self.start.clone()
            }
        }
        impl<S: Real> Generator for $name<S> {
            type Space = Vec<Turn<S>>;
            fn field(&self, t: f64, y: &Vec<Vec3<S>>) -> Vec<Vec3<S>> {
                let mut out = y.clone();
                self.field_into(t, y, &mut out);
                out
            }
            fn field_into(&self, $t: f64, $y: &Vec<Vec3<S>>, $out: &mut Vec<Vec3<S>>) {
                let $p = self;
                $field
            }
        }
    };
}

on_spheres!(Ring, |p, t, y, out| {
    let (n, (s, c)) = (y.len(), (p.turning * t).sin_cos());
    let turning = vec3(S::lift(c), S::lift(s), S::zero()).times(p.b.x);
    for i in 0..n {
        let along = y[(i + 1) % n] + y[(i + n - 1) % n];
        out[i] = p.b + turning - y[i].scaled_by(p.d) + along;
    }
});

on_spheres!(Vortices, |p, _t, y, out| {
    out.fill(Vec3::zero());
    for i in 0..y.len() {
        for j in i + 1..y.len() {
            let over = S::lift(0.5 / std::f64::consts::PI) / (y[i] - y[j]).norm_squared();
            out[i] += y[j].times(p.strengths[j] * over);
            out[j] += y[i].times(p.strengths[i] * over);
        }
    }
});

fn cast<S: Real, T: Real>(v: &[Vec3<S>], f: fn(S) -> T) -> Vec<Vec3<T>> {
    v.iter().map(|v| v.map(f)).collect()
}

impl<S: Real> Lift for Ring<S> {
    type Scalar = S;
    type Over<T: Real> = Ring<T>;
    fn lift<T: Real>(&self, f: fn(S) -> T) -> Ring<T> {
        let start = cast(&self.start, f);
        Ring { d: self.d.map(f), b: self.b.map(f), turning: self.turning, start }
    }
    fn lift_point<T: Real>(&self, y: &Vec<Vec3<S>>, f: fn(S) -> T) -> Vec<Vec3<T>> {
        cast(y, f)
    }
}

impl<S: Real> Lift for Vortices<S> {
    type Scalar = S;
    type Over<T: Real> = Vortices<T>;
    fn lift<T: Real>(&self, f: fn(S) -> T) -> Vortices<T> {
        let strengths = self.strengths.iter().map(|g| f(*g)).collect();
        Vortices { strengths, start: cast(&self.start, f) }
    }
    fn lift_point<T: Real>(&self, y: &Vec<Vec3<S>>, f: fn(S) -> T) -> Vec<Vec3<T>> {
        cast(y, f)
    }
}

impl Ring<f64> {
    pub fn energy(&self, y: &[Vec3<f64>]) -> f64 {
        let n = y.len();
        let of = |i: usize| {
            y[i].scaled_by(self.d).dot(y[i]) * 0.5 - self.b.dot(y[i]) - y[i].dot(y[(i + 1) % n])
        };
        (0..n).map(of).sum()
    }
}

fn scattered(n: usize) -> Vec<Vec3<f64>> {
    let one = |i: usize| {
        let i = i as f64;
        let v = vec3((0.9 * i).cos(), (1.7 * i).sin(), 0.5 + (0.3 * i).cos());
        v * (1.0 / v.norm())
    };
    (0..n).map(one).collect()
}

/// Spins that no symmetry holds.
pub fn ring(n: usize) -> Ring<f64> {
    let (d, b) = (vec3(0.1, 0.4, -0.5), vec3(0.3, 0.0, 0.8));
    Ring { d, b, turning: 0.0, start: scattered(n) }
}

/// The same, with a field that turns about the third axis.
pub fn driven_ring(n: usize) -> Ring<f64> {
    Ring { turning: 1.3, ..ring(n) }
}

/// Exchange alone: the sum of the spins is conserved.
pub fn exchange(n: usize) -> Ring<f64> {
    Ring { d: Vec3::zero(), b: Vec3::zero(), turning: 0.0, start: scattered(n) }
}

/// Vortices of mixed strengths.
pub fn vortices() -> Vortices<f64> {
    let strengths = vec![1.0, -0.7, 0.5, 0.8, 1.2, -0.4];
    Vortices { strengths, start: scattered(6) }
}

/// A rule for a system.
pub fn rule<P>(rule: Midpoint, scheme: Option<&'static Scheme>) -> SphericalMidpoint<P>
where
    P: Generator<Space: lieflow::method::spherical::TurnedVectors>,
{
    SphericalMidpoint::new(rule, scheme)
}
