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
use crate::door::{Faces, Model, SpecError};
use lieflow::Real;
use lieflow::action::CotangentTranslations;
use lieflow::group::Rn;
use lieflow::group::family::Translations;
use lieflow::method::{Card, Entry, generator, variational};
use lieflow::problem::{
    Cotangent, Described, Generator, Lagrangian, LegendreError, Lift, Problem, Quantity, Value,
    Watched,
};
use std::fmt::Debug;
use std::marker::PhantomData;

/// A potential on Rⁿ.
pub trait Landscape<const N: usize>: Copy + Debug + Send + Sync + 'static {
    /// Whether it only depends on the distance from the origin of the plane.
    const CENTRAL: bool = false;
    /// `V(q)`.
    fn energy<S: Real>(q: &[S; N]) -> S;
    /// `-dV/dq`.
    fn force<S: Real>(q: &[S; N]) -> [S; N];
}

macro_rules! landscape {
    ($(#[$doc:meta])* $name:ident, $n:literal $(, $central:literal)?;
     $q:ident => $energy:expr; $force:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl Landscape<$n> for $name {
            $(const CENTRAL: bool = $central;)?
            #[inline(always)]
            fn energy<S: Real>($q: &[S; $n]) -> S {
                $energy
            }
            #[inline(always)]
            fn force<S: Real>($q: &[S; $n]) -> [S; $n] {
                $force
            }
        }
    };
}

landscape! {
    /// `q²/2`.
    Harmonic, 1;
    q => q[0] * q[0] * 0.5; [-q[0]]
}
landscape! {
    /// `-cos q`.
    Pendulum, 1;
    q => -q[0].sin_cos().1; [-q[0].sin_cos().0]
}
landscape! {
    /// `(q² - 1)²/4`.
    DoubleWell, 1;
    q => (q[0] * q[0] - S::one()).square() * 0.25; [q[0] - q[0] * q[0] * q[0]]
}
landscape! {
    /// `-1/|q|`.
    Kepler, 2, true;
    q => -(S::one() / (q[0] * q[0] + q[1] * q[1]).sqrt());
    {
        let square = q[0] * q[0] + q[1] * q[1];
        let pull = -(S::one() / (square * square.sqrt()));
        [q[0] * pull, q[1] * pull]
    }
}
landscape! {
    /// `(x² + y²)/2 + x² y - y³/3`.
    HenonHeiles, 2;
    q => {
        let [x, y] = *q;
        (x * x + y * y) * 0.5 + x * x * y - y * y * y * S::ratio(1.0, 3.0)
    };
    {
        let [x, y] = *q;
        [-x - x * y * 2.0, y * y - y - x * x]
    }
}

/// A particle in a landscape.
#[derive(Clone, Debug)]
pub struct Particle<S, V, const N: usize> {
    /// Initial position.
    pub q: [S; N],
    /// Initial momentum.
    pub p: [S; N],
    landscape: PhantomData<V>,
}

/// A state: position and momentum.
type State<S, const N: usize> = Cotangent<Rn<S, N>>;

impl<S: Real, V: Landscape<N>, const N: usize> Particle<S, V, N> {
    /// The particle at this position with this momentum.
    pub fn new(q: [S; N], p: [S; N]) -> Self {
        Self { q, p, landscape: PhantomData }
    }
    /// `|p|²/2 + V(q)`.
    pub fn energy(&self, y: &State<S, N>) -> S {
        half_square(&y.mu) + V::energy(&y.g.0)
    }
    fn cast<T: Real>(&self, embed: fn(S) -> T) -> Particle<T, V, N> {
        Particle::new(self.q.map(embed), self.p.map(embed))
    }
}

fn half_square<S: Real, const N: usize>(v: &Rn<S, N>) -> S {
    let mut sum = S::zero();
    for v in v.0 {
        sum += v * v;
    }
    sum * 0.5
}

impl<S: Real, V: Landscape<N>, const N: usize> Problem for Particle<S, V, N> {
    type Point = State<S, N>;
    fn start(&self) -> State<S, N> {
        Cotangent { g: Rn(self.q), mu: Rn(self.p) }
    }
}

impl<S: Real, V: Landscape<N>, const N: usize> Generator for Particle<S, V, N> {
    type Space = CotangentTranslations<S, N>;
    #[inline(always)]
    fn field(&self, _t: f64, y: &State<S, N>) -> (Rn<S, N>, Rn<S, N>) {
        (y.mu, Rn(V::force(&y.g.0)))
    }
}

impl<S: Real, V: Landscape<N>, const N: usize> Lift for Particle<S, V, N> {
    type Scalar = S;
    type Over<T: Real> = Particle<T, V, N>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Particle<T, V, N> {
        self.cast(embed)
    }
    fn lift_point<T: Real>(&self, y: &State<S, N>, embed: fn(S) -> T) -> State<T, N> {
        Cotangent { g: Rn(y.g.0.map(embed)), mu: Rn(y.mu.0.map(embed)) }
    }
}

impl<S: Real, V: Landscape<N>, const N: usize> Lagrangian for Particle<S, V, N> {
    type Scalar = S;
    type Family = Translations<N>;
    type Over<T: Real> = Particle<T, V, N>;
    fn over<T: Real>(&self, embed: fn(S) -> T) -> Particle<T, V, N> {
        self.cast(embed)
    }
    fn lagrangian(&self, _t: f64, q: &Rn<S, N>, v: &Rn<S, N>) -> S {
        half_square(v) - V::energy(&q.0)
    }
    fn momentum(&self, _t: f64, _q: &Rn<S, N>, v: &Rn<S, N>) -> Rn<S, N> {
        *v
    }
    fn force(&self, _t: f64, q: &Rn<S, N>, _v: &Rn<S, N>) -> Rn<S, N> {
        Rn(V::force(&q.0))
    }
    fn velocity(&self, _t: f64, _q: &Rn<S, N>, p: &Rn<S, N>) -> Result<Rn<S, N>, LegendreError> {
        Ok(*p)
    }
}

impl<V: Landscape<N>, const N: usize> Watched for Particle<f64, V, N> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        let mut list = vec![Quantity { name: "energy", eval: |p: &Self, y| p.energy(y) }];
        if V::CENTRAL {
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

impl<V: Landscape<N>, const N: usize> Described for Particle<f64, V, N> {
    fn describe(&self, _t: f64, y: &State<f64, N>) -> Vec<(&'static str, Value)> {
        vec![("q", Value::Numbers(y.g.0.to_vec())), ("p", Value::Numbers(y.mu.0.to_vec()))]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("position", &["q"]), ("momentum", &["p"])]
    }
}

impl<V: Landscape<N>, const N: usize> Faces for Particle<f64, V, N> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        let mut entries = generator::entries_lifted();
        entries.extend(variational::vector_entries());
        entries
    }
    fn unlisted(id: &str) -> Option<Entry<Self>> {
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
    super::cards::<Particle<f64, Pendulum, 1>>()
}

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let names = ["harmonic", "pendulum", "double-well", "kepler", "henon-heiles"];
    match spec.parameters.choice("problem", &names)? {
        "harmonic" => particle::<Harmonic, 1>(spec),
        "pendulum" => particle::<Pendulum, 1>(spec),
        "double-well" => particle::<DoubleWell, 1>(spec),
        "kepler" => particle::<Kepler, 2>(spec),
        _ => particle::<HenonHeiles, 2>(spec),
    }
}

fn particle<V: Landscape<N>, const N: usize>(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let q = numbers(spec, "q")?;
    if !V::energy(&q).is_finite() {
        return Err(spec.initial.refuse("q", "a position where the potential is finite"));
    }
    Ok(Box::new(Particle::<f64, V, N>::new(q, numbers(spec, "p")?)))
}

/// As many numbers as the problem has degrees of freedom.
fn numbers<const N: usize>(spec: &Spec<'_>, key: &'static str) -> Result<[f64; N], SpecError> {
    let expected = if N == 1 { "a list of one number" } else { "a list of two numbers" };
    let list = spec.initial.numbers(key)?;
    list.try_into().map_err(|_| spec.initial.refuse(key, expected))
}
