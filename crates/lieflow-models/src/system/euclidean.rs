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
use super::{Spec, SystemEntry, zero_if_finite};
use crate::problem_file::SpecError;
use crate::run::{Model, ModelSystem};
use lieflow::Real;
use lieflow::action::CotangentTranslations;
use lieflow::group::Rn;
use lieflow::group::family::Translations;
use lieflow::method::{Card, Entry, generator, variational};
use lieflow::problem::{
    Cotangent, Described, Generator, Lagrangian, LegendreError, Lift, Problem, Quantity, Value,
    Watched,
};

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
}

/// A state: position and momentum.
type State<S, const N: usize> = Cotangent<Rn<S, N>>;

impl<S: Real, const N: usize> Particle<S, N> {
    /// The particle at this position with this momentum.
    pub fn new(landscape: Landscape, q: [S; N], p: [S; N]) -> Self {
        Self { landscape, q, p }
    }
    /// `|p|²/2 + V(q)`.
    pub fn energy(&self, y: &State<S, N>) -> S {
        half_square(&y.mu) + self.landscape.energy(&y.g.0)
    }
    fn cast<T: Real>(&self, embed: fn(S) -> T) -> Particle<T, N> {
        Particle::new(self.landscape, self.q.map(embed), self.p.map(embed))
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
    #[inline(always)]
    fn field(&self, _t: f64, y: &State<S, N>) -> (Rn<S, N>, Rn<S, N>) {
        (y.mu, Rn(self.landscape.force(&y.g.0)))
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
    fn lagrangian(&self, _t: f64, q: &Rn<S, N>, v: &Rn<S, N>) -> S {
        half_square(v) - self.landscape.energy(&q.0)
    }
    fn momentum(&self, _t: f64, _q: &Rn<S, N>, v: &Rn<S, N>) -> Rn<S, N> {
        *v
    }
    fn force(&self, _t: f64, q: &Rn<S, N>, _v: &Rn<S, N>) -> Rn<S, N> {
        Rn(self.landscape.force(&q.0))
    }
    fn velocity(&self, _t: f64, _q: &Rn<S, N>, p: &Rn<S, N>) -> Result<Rn<S, N>, LegendreError> {
        Ok(*p)
    }
}

impl<const N: usize> Watched for Particle<f64, N> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        let mut list = vec![Quantity { name: "energy", eval: |p: &Self, y| p.energy(y) }];
        if self.landscape == Landscape::Kepler {
            list.push(Quantity {
                name: "angular_momentum",
                eval: |_, y| y.g.0[0] * y.mu.0[N - 1] - y.g.0[N - 1] * y.mu.0[0],
            });
        }
        list
    }
    fn manifold_error(&self, y: &State<f64, N>) -> f64 {
        zero_if_finite(y.g.0.iter().chain(&y.mu.0).sum())
    }
}

impl<const N: usize> Described for Particle<f64, N> {
    fn describe(&self, _t: f64, y: &State<f64, N>) -> Vec<(&'static str, Value)> {
        vec![("q", Value::Numbers(y.g.0.to_vec())), ("p", Value::Numbers(y.mu.0.to_vec()))]
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
        entries
    }
    fn method_by_name(id: &str) -> Option<Entry<Self>> {
        variational::vector_entry(id)
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "euclidean",
    title: "particle in a potential on R^n",
    parameters: "problem (harmonic, pendulum, double-well, kepler, henon-heiles)",
    initial: "q, p (lists of one or two numbers)",
    state: "q, p",
    methods,
    build,
};

fn methods() -> Vec<Card> {
    super::cards::<Particle<f64, 1>>()
}

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let names = Landscape::NAMES.map(|(name, _)| name);
    let name = spec.parameters.choice("problem", &names)?;
    let found = Landscape::NAMES.iter().find(|(known, _)| *known == name);
    let landscape = found.map_or(Landscape::HenonHeiles, |(_, landscape)| *landscape);
    if landscape.planar() { particle::<2>(landscape, spec) } else { particle::<1>(landscape, spec) }
}

fn particle<const N: usize>(
    landscape: Landscape,
    spec: &Spec<'_>,
) -> Result<Box<dyn Model>, SpecError> {
    let q = numbers(spec, "q")?;
    if !landscape.energy::<f64, N>(&q).is_finite() {
        return Err(spec.initial.refuse("q", "a position where the potential is finite"));
    }
    Ok(Box::new(Particle::new(landscape, q, numbers(spec, "p")?)))
}

/// As many numbers as the problem has degrees of freedom.
fn numbers<const N: usize>(spec: &Spec<'_>, key: &'static str) -> Result<[f64; N], SpecError> {
    let expected = if N == 1 { "a list of one number" } else { "a list of two numbers" };
    let list = spec.initial.numbers(key)?;
    list.try_into().map_err(|_| spec.initial.refuse(key, expected))
}
