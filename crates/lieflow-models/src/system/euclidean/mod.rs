//! A particle of unit mass in a potential on Rⁿ: the classical test problems.
//!
//! ```text
//! L = |v|²/2 - V(q)        q' = p,  p' = -dV/dq
//! ```
//!
//! | problem | `V` | conserved besides the energy |
//! | --- | --- | --- |
//! | `harmonic` | `q²/2` | |
//! | `pendulum` | `-cos q` | |
//! | `double-well` | `(q² - 1)²/4` | |
//! | `kepler` | `-1/|q|` | angular momentum |
//! | `henon-heiles` | `(x² + y²)/2 + x² y - y³/3` | |
//!
//! Another potential `U(t, q)` on R¹ … R⁶ can be given by formula, with a mass `m` (the module `law`):
//! `L = m |v|²/2 - U`.
mod build;
mod law;

pub use build::ENTRY;
pub use law::{LARGEST, PotentialLaw};

use super::turns::Turns;
use super::zero_if_finite;
use crate::run::{MeterOf, ModelSystem, field_meter};
use lieflow::action::CotangentTranslations;
use lieflow::group::Rn;
use lieflow::group::family::Translations;
use lieflow::method::{Entry, discrete_gradient, generator, variational};
use lieflow::problem::{
    Cotangent, Described, Generator, GradientFlow, Lagrangian, LegendreError, Lift, Problem,
    Quantity, Value, Watched,
};
use lieflow::{Real, Vec3};

/// A potential, on the line or on the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landscape {
    /// `q²/2`.
    Harmonic,
    /// `-cos q`.
    Pendulum,
    /// `(q² - 1)²/4`.
    DoubleWell,
    /// `-1/|q|`.
    Kepler,
    /// `(x² + y²)/2 + x² y - y³/3`.
    HenonHeiles,
}

impl Landscape {
    /// All of them, by their names in problem files.
    const NAMES: [(&'static str, Self); 5] = [
        ("harmonic", Self::Harmonic),
        ("pendulum", Self::Pendulum),
        ("double-well", Self::DoubleWell),
        ("kepler", Self::Kepler),
        ("henon-heiles", Self::HenonHeiles),
    ];

    /// Whether it lives on the plane.
    fn planar(self) -> bool {
        matches!(self, Self::Kepler | Self::HenonHeiles)
    }

    /// The potential as a formula.
    fn formula(self) -> &'static str {
        match self {
            Self::Harmonic => "q^2/2",
            Self::Pendulum => "(-cos(q))",
            Self::DoubleWell => "(q^2 - 1)^2/4",
            Self::Kepler => "(-1/norm(q))",
            Self::HenonHeiles => "((q1^2 + q2^2)/2 + q1^2*q2 - q2^3/3)",
        }
    }

    /// `V(q)`; on the line `x` and `y` are the same number.
    #[inline(always)]
    fn energy<S: Real, const N: usize>(self, q: &[S; N]) -> S {
        let (x, y) = (q[0], q[N - 1]);
        match self {
            Self::Harmonic => x * x * 0.5,
            Self::Pendulum => -x.sin_cos().1,
            Self::DoubleWell => (x * x - S::one()).square() * 0.25,
            Self::Kepler => -(S::one() / (x * x + y * y).sqrt()),
            Self::HenonHeiles => (x * x + y * y) * 0.5 + x * x * y - y * y * y * S::ratio(1.0, 3.0),
        }
    }

    /// `-dV/dq`.
    #[inline(always)]
    fn force<S: Real, const N: usize>(self, q: &[S; N]) -> [S; N] {
        let (x, y) = (q[0], q[N - 1]);
        let mut force = [S::zero(); N];
        (force[N - 1], force[0]) = match self {
            Self::Harmonic => (y, -x),
            Self::Pendulum => (y, -x.sin_cos().0),
            Self::DoubleWell => (y, x - x * x * x),
            Self::Kepler => {
                let square = x * x + y * y;
                let pull = -(S::one() / (square * square.sqrt()));
                (y * pull, x * pull)
            }
            Self::HenonHeiles => (y * y - y - x * x, -x - x * y * 2.0),
        };
        force
    }
}

/// A particle in a landscape.
#[derive(Clone, Debug)]
pub struct Particle<S, const N: usize> {
    /// The potential.
    pub landscape: Landscape,
    /// Initial position.
    pub q: [S; N],
    /// Initial momentum.
    pub p: [S; N],
    /// The potential by formula, in place of the landscape.
    pub law: Option<Box<PotentialLaw<S>>>,
}

/// A state: position and momentum.
type State<S, const N: usize> = Cotangent<Rn<S, N>>;

impl<S: Real, const N: usize> Particle<S, N> {
    /// The particle at this position with this momentum.
    pub fn new(landscape: Landscape, q: [S; N], p: [S; N]) -> Self {
        Self { landscape, q, p, law: None }
    }
    /// `|p|²/2m + V(q)`; at the time zero if it depends on time.
    pub fn energy(&self, y: &State<S, N>) -> S {
        match &self.law {
            None => half_square(&y.mu) + self.landscape.energy(&y.g.0),
            Some(law) => half_square(&y.mu) * law.lightness + law.energy(0.0, &y.g.0),
        }
    }
    /// `-dV/dq`.
    #[inline(always)]
    fn push(&self, t: f64, q: &[S; N]) -> [S; N] {
        match &self.law {
            None => self.landscape.force(q),
            Some(law) => law.force(t, q),
        }
    }
    /// `p/m`.
    #[inline(always)]
    fn speed(&self, p: &Rn<S, N>) -> Rn<S, N> {
        match &self.law {
            None => *p,
            Some(law) => Rn(p.0.map(|p| p * law.lightness)),
        }
    }
    fn cast<T: Real>(&self, embed: fn(S) -> T) -> Particle<T, N> {
        let mut particle = Particle::new(self.landscape, self.q.map(embed), self.p.map(embed));
        particle.law = self.law.as_ref().map(|law| Box::new(law.lift(embed)));
        particle
    }
    /// How many coordinates there are.
    fn dimension(&self) -> usize {
        self.law.as_ref().map_or(N, |law| law.dimension()).min(N)
    }
}

fn half_square<S: Real, const N: usize>(v: &Rn<S, N>) -> S {
    let mut sum = S::zero();
    for v in v.0 {
        sum += v * v;
    }
    sum * 0.5
}

impl<S: Real, const N: usize> Problem for Particle<S, N> {
    type Point = State<S, N>;
    fn start(&self) -> State<S, N> {
        Cotangent { g: Rn(self.q), mu: Rn(self.p) }
    }
}

impl<S: Real, const N: usize> Generator for Particle<S, N> {
    type Space = CotangentTranslations<S, N>;
    fn set_times(&mut self, t: S) {
        if let Some(law) = &mut self.law {
            law.set_times(t);
        }
    }
    #[inline(always)]
    fn field(&self, t: f64, y: &State<S, N>) -> (Rn<S, N>, Rn<S, N>) {
        (self.speed(&y.mu), Rn(self.push(t, &y.g.0)))
    }
}

impl<S: Real, const N: usize> Lift for Particle<S, N> {
    type Scalar = S;
    type Over<T: Real> = Particle<T, N>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Particle<T, N> {
        self.cast(embed)
    }
    fn lift_point<T: Real>(&self, y: &State<S, N>, embed: fn(S) -> T) -> State<T, N> {
        Cotangent { g: Rn(y.g.0.map(embed)), mu: Rn(y.mu.0.map(embed)) }
    }
}

impl<S: Real, const N: usize> Lagrangian for Particle<S, N> {
    type Scalar = S;
    type Family = Translations<N>;
    type Over<T: Real> = Particle<T, N>;
    fn over<T: Real>(&self, embed: fn(S) -> T) -> Particle<T, N> {
        self.cast(embed)
    }
    fn lagrangian(&self, t: f64, q: &Rn<S, N>, v: &Rn<S, N>) -> S {
        match &self.law {
            None => half_square(v) - self.landscape.energy(&q.0),
            Some(law) => half_square(v) * law.mass - law.energy(t, &q.0),
        }
    }
    fn momentum(&self, _t: f64, _q: &Rn<S, N>, v: &Rn<S, N>) -> Rn<S, N> {
        match &self.law {
            None => *v,
            Some(law) => Rn(v.0.map(|v| v * law.mass)),
        }
    }
    fn force(&self, t: f64, q: &Rn<S, N>, _v: &Rn<S, N>) -> Rn<S, N> {
        Rn(self.push(t, &q.0))
    }
    fn velocity(&self, _t: f64, _q: &Rn<S, N>, p: &Rn<S, N>) -> Result<Rn<S, N>, LegendreError> {
        Ok(self.speed(p))
    }
}

impl<const N: usize> Particle<f64, N> {
    /// `q × p`, in three or two dimensions.
    fn angular_momentum(&self, y: &State<f64, N>) -> Vec3<f64> {
        let n = self.dimension();
        law::angular_momentum(&y.g.0[..n], &y.mu.0[..n])
    }

    /// The turns that leave the potential as it is.
    fn turns(&self) -> Turns {
        match (&self.law, self.landscape) {
            (Some(law), _) => law.turns,
            (None, Landscape::Kepler) => Turns::All,
            _ => Turns::None,
        }
    }
}

impl<S: Real, const N: usize> GradientFlow for Particle<S, N> {
    fn energy(&self, t: f64, y: &State<S, N>) -> S {
        match &self.law {
            None => self.energy(y),
            Some(law) => half_square(&y.mu) * law.lightness + law.energy(t, &y.g.0),
        }
    }
    fn differential(&self, t: f64, y: &State<S, N>) -> (Rn<S, N>, Rn<S, N>) {
        (Rn(self.push(t, &y.g.0).map(|f| -f)), self.speed(&y.mu))
    }
    fn response(
        &self,
        _t: f64,
        _y: &State<S, N>,
        g: &(Rn<S, N>, Rn<S, N>),
    ) -> (Rn<S, N>, Rn<S, N>) {
        (g.1, Rn(g.0.0.map(|g| -g)))
    }
}

impl<const N: usize> Watched for Particle<f64, N> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        let mut list = Vec::new();
        if !self.law.as_ref().is_some_and(|law| law.is_timed()) {
            list.push(Quantity { name: "energy", eval: |p: &Self, y| p.energy(y) });
        }
        let momentum = |name, eval: fn(&Self, &State<f64, N>) -> f64| Quantity { name, eval };
        match self.turns() {
            Turns::None => {}
            Turns::All if self.dimension() == 2 => {
                list.push(momentum("angular_momentum", |p, y| p.angular_momentum(y).z));
            }
            Turns::All => list.extend([
                momentum("angular_momentum_x", |p, y| p.angular_momentum(y).x),
                momentum("angular_momentum_y", |p, y| p.angular_momentum(y).y),
                momentum("angular_momentum_z", |p, y| p.angular_momentum(y).z),
            ]),
            Turns::About(_) => list.push(momentum("axial_momentum", |p, y| match p.turns() {
                Turns::About(axis) => p.angular_momentum(y).dot(axis),
                _ => 0.0,
            })),
        }
        list
    }
    fn manifold_error(&self, y: &State<f64, N>) -> f64 {
        zero_if_finite(y.g.0.iter().chain(&y.mu.0).sum())
    }
}

impl<const N: usize> Described for Particle<f64, N> {
    fn describe(&self, _t: f64, y: &State<f64, N>) -> Vec<(&'static str, Value)> {
        let part = |x: &[f64; N]| Value::Numbers(x[..self.dimension()].to_vec());
        vec![("q", part(&y.g.0)), ("p", part(&y.mu.0))]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("position", &["q"]), ("momentum", &["p"])]
    }
}

impl<const N: usize> ModelSystem for Particle<f64, N> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        let mut entries = generator::entries_on_space();
        entries.extend(variational::vector_entries());
        entries.extend(discrete_gradient::entries());
        entries
    }
    fn method_by_name(id: &str) -> Option<Entry<Self>> {
        variational::vector_entry(id)
    }
    fn set_part(&self, y: &mut State<f64, N>, part: &str, numbers: &[f64]) -> bool {
        let place = match part {
            "q" => &mut y.g.0,
            "p" => &mut y.mu.0,
            _ => return false,
        };
        let fits = numbers.len() == self.dimension();
        if fits {
            place[..numbers.len()].copy_from_slice(numbers);
        }
        fits
    }
    fn breakdown(&self, t: f64, y: &State<f64, N>) -> Option<String> {
        self.law.as_ref()?.breakdown(t, &y.g.0)
    }
    fn meter(&self) -> Option<MeterOf<Self>> {
        field_meter(self, self.law.as_ref().is_some_and(|law| law.is_timed()))
    }
}
