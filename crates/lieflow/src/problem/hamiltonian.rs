//! Hamiltonian systems on T*G, right-trivialised: one function of configuration and momentum.
//!
//! ```text
//! v = dH/dmu          <n, x> = -d/de H(t, exp(e x) g, mu)
//! g' = v g            mu' = n - ad_v^T mu + external
//! ```
//!
//! Celledoni et al., equations 12 and 14. A system writes `H` once, over its own numbers; velocity
//! and force come from dual numbers, and closed forms may replace them. The pair `(v, n)` is also
//! the field of the general Lie-group methods on T*G as a group.
use super::legendre::{self, LegendreError};
use super::{Phase, Problem};
use crate::group::family::{GroupFamily, NaturalChart, Seeded, VectorIn, fixed, gradient};
use crate::group::{Cotangent, CotangentAlgebra, LieAlgebra, LieGroup};
use lieflow_kernel::Real;

/// The group of a Hamiltonian system.
pub type ConfigurationOf<P> =
    <<P as Hamiltonian>::Family as GroupFamily>::Over<<P as Hamiltonian>::Scalar>;
/// Velocities and momenta of a Hamiltonian system.
pub type MomentumOf<P> = VectorIn<<P as Hamiltonian>::Family, <P as Hamiltonian>::Scalar>;

/// A Hamiltonian system on the cotangent bundle of a group.
pub trait Hamiltonian: Problem<Point: Phase<Group = ConfigurationOf<Self>>> {
    /// The numbers of this system.
    type Scalar: Real;
    /// The group of configurations.
    type Family: GroupFamily;
    /// The same system over other numbers.
    type Over<T: Real>: Hamiltonian<Scalar = T, Family = Self::Family>;

    /// This system with every number replaced by `embed` of it.
    fn over<T: Real>(&self, embed: fn(Self::Scalar) -> T) -> Self::Over<T>;

    /// `H(t, g, mu)`, with `mu` the momentum in space.
    fn hamiltonian(&self, t: f64, g: &ConfigurationOf<Self>, mu: &MomentumOf<Self>)
    -> Self::Scalar;

    /// The velocity in space, `v = dH/dmu`.
    fn velocity(
        &self,
        t: f64,
        g: &ConfigurationOf<Self>,
        mu: &MomentumOf<Self>,
    ) -> MomentumOf<Self> {
        velocity_by_duals(self, t, g, mu)
    }

    /// The force `n`, minus the right-trivialised gradient of `H` in `g`.
    fn force(&self, t: f64, g: &ConfigurationOf<Self>, mu: &MomentumOf<Self>) -> MomentumOf<Self> {
        force_by_duals(self, t, g, mu)
    }

    /// A force in space that has no potential, such as friction or control.
    fn external(
        &self,
        t: f64,
        g: &ConfigurationOf<Self>,
        mu: &MomentumOf<Self>,
    ) -> Option<MomentumOf<Self>> {
        let _ = (t, g, mu);
        None
    }

    /// The momentum of a velocity: the inverse of [`Hamiltonian::velocity`].
    fn momentum(
        &self,
        t: f64,
        g: &ConfigurationOf<Self>,
        v: &MomentumOf<Self>,
    ) -> Result<MomentumOf<Self>, LegendreError> {
        momentum_by_duals(self, t, g, v)
    }
}

/// [`Hamiltonian::velocity`] from the function alone.
pub fn velocity_by_duals<P: Hamiltonian + ?Sized>(
    p: &P,
    t: f64,
    g: &ConfigurationOf<P>,
    mu: &MomentumOf<P>,
) -> MomentumOf<P> {
    let system = p.over(Seeded::constant);
    let g = P::Family::cast(g, Seeded::constant);
    gradient::<P::Family, P::Scalar>(mu, |mu| system.hamiltonian(t, &g, mu))
}

/// [`Hamiltonian::force`] from the function alone.
pub fn force_by_duals<P: Hamiltonian + ?Sized>(
    p: &P,
    t: f64,
    g: &ConfigurationOf<P>,
    mu: &MomentumOf<P>,
) -> MomentumOf<P> {
    let system = p.over(Seeded::constant);
    let g = P::Family::cast(g, Seeded::constant);
    let fixed = P::Family::cast_vector(mu, Seeded::constant);
    gradient::<P::Family, P::Scalar>(&mu.zero_like(), |x| {
        -system.hamiltonian(t, &P::Family::map(NaturalChart::Exp, x).compose(&g), &fixed)
    })
}

/// [`Hamiltonian::momentum`] from [`Hamiltonian::velocity`] and its derivative. A singular Hessian
/// is an error.
pub fn momentum_by_duals<P: Hamiltonian + ?Sized>(
    p: &P,
    t: f64,
    g: &ConfigurationOf<P>,
    v: &MomentumOf<P>,
) -> Result<MomentumOf<P>, LegendreError> {
    let plain = p.over(fixed);
    let there = P::Family::cast(g, fixed);
    legendre::solve::<P::Family, P::Scalar>(
        "Hamiltonian in the momenta",
        v,
        |mu| p.velocity(t, g, mu),
        |mu| plain.velocity(t, &there, mu),
    )
}

/// The field `(v, n)` of the general Lie-group methods, on T*G as a group that acts on itself; external
/// forces add to `n`. A system gets that trait by one line in its [`Generator`](super::Generator).
pub fn field<P: Hamiltonian>(
    p: &P,
    t: f64,
    y: &Cotangent<ConfigurationOf<P>>,
) -> CotangentAlgebra<ConfigurationOf<P>> {
    let mut n = p.force(t, &y.g, &y.mu);
    if let Some(f) = p.external(t, &y.g, &y.mu) {
        n.axpy(1.0, &f);
    }
    CotangentAlgebra::new(p.velocity(t, &y.g, &y.mu), n)
}

/// Refuses a Hamiltonian whose velocities do not determine the momenta at the starting point:
/// variational methods need a Lagrangian.
pub fn check_legendre<P: Hamiltonian>(p: &P, t: f64) -> Result<(), LegendreError> {
    let start = p.start();
    let g = start.configuration();
    let v = p.velocity(t, &g, &start.spatial_momentum());
    momentum_by_duals(p, t, &g, &v).map(|_| ())
}

/// The energy of a state.
pub fn energy<P: Hamiltonian>(p: &P, t: f64, y: &P::Point) -> P::Scalar {
    p.hamiltonian(t, &y.configuration(), &y.spatial_momentum())
}
