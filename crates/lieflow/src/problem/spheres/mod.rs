//! Mechanical systems on products of two-spheres.
//!
//! ```text
//! L = ½ sum_ij M_ij q_i'·q_j' - V(q)        |q_i| = 1,   q_i' = w_i × q_i,   q_i·w_i = 0
//! M_ii w_i' - sum_{j≠i} M_ij q_i×(q_j×w_j') = sum_{j≠i} M_ij |w_j|² q_i×q_j - q_i×dV/dq_i
//! ```
//!
//! with a constant, symmetric, positive definite `M`: pendulums, chains of them, arrays of
//! magnets. Ortolan, section 6.3 (6.5), with `w_j'` where it prints `w_j`; Celledoni et al.,
//! section 5.2.
//!
//! A system is its mass matrix and its potential ([`SphereSystem`]). [`OnSpheres`] makes a problem
//! of it in one of four sets of coordinates, each with its own group: [`Se3Coordinates`],
//! [`LiftCoordinates`], [`MomentumCoordinates`] and [`FlatCoordinates`].
use crate::action::{Link, TangentSphere};
use crate::chart::Chart;
use crate::group::Twist;
use crate::problem::Stages;
use core::ops::Range;
use lieflow_kernel::{Dual, Real, Vec3};

mod dense;
mod integral;
mod legendre;
mod slot;
mod space;

pub use legendre::{momenta, velocities};
pub use slot::Slot;
pub use space::{
    Coordinates, FlatCoordinates, LiftCoordinates, MomentumCoordinates, OnSpheres, Se3Coordinates,
    SphereProblem,
};

/// Which entries of the inverse of the mass matrix can differ from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coupling {
    /// Only the diagonal: the potential alone couples the spheres.
    Diagonal,
    /// The diagonal and its neighbours, as in a chain.
    Neighbours,
    /// All.
    Dense,
}

impl Coupling {
    /// The columns of row `i` of an `n × n` matrix of this kind.
    #[inline(always)]
    pub fn row(self, i: usize, n: usize) -> Range<usize> {
        match self {
            Coupling::Diagonal => i..i + 1,
            Coupling::Neighbours => i.saturating_sub(1)..(i + 2).min(n),
            Coupling::Dense => 0..n,
        }
    }
}

/// Rotations that leave a system as it is; each conserves a part of the angular momentum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Symmetry<S> {
    /// None.
    None,
    /// Rotations about this unit vector.
    Axis(Vec3<S>),
    /// All rotations.
    Full,
}

/// A mechanical system on (S²)ⁿ: its mass matrix and its potential.
///
/// The functions with a default are correct for every system, by dense algebra that allocates;
/// systems with structure replace them. `y` holds one [`Link`] per sphere. Results go into the
/// second vector of each [`Slot`] of `out`, which has the same length.
pub trait SphereSystem: Clone {
    /// The numbers of this system.
    type Scalar: Real;
    /// The same system over other numbers.
    type Over<T: Real>: SphereSystem<Scalar = T>;
    /// This system with every number replaced by `embed` of it.
    fn over<T: Real>(&self, embed: fn(Self::Scalar) -> T) -> Self::Over<T>;

    /// How many spheres.
    fn count(&self) -> usize;
    /// Which entries of the inverse mass matrix can differ from zero.
    fn coupling(&self) -> Coupling {
        Coupling::Dense
    }
    /// `M_ij`.
    fn mass(&self, i: usize, j: usize) -> Self::Scalar;
    /// `(M^{-1})_ij`.
    fn inverse_mass(&self, i: usize, j: usize) -> Self::Scalar;
    /// `V(q)`.
    fn potential(&self, y: &[Link<Self::Scalar>]) -> Self::Scalar;
    /// Adds `dV/dq_i` to the second vector of each slot. May use the first one.
    fn add_gradient<O: Slot<Self::Scalar>>(&self, y: &[Link<Self::Scalar>], out: &mut [O]);
    /// The rotations under which the potential does not change.
    fn symmetry(&self) -> Symmetry<Self::Scalar> {
        Symmetry::None
    }

    /// `f_i = sum_j (M^{-1})_ij dV/dq_j`. May use the first vectors.
    fn weighted_gradient<O: Slot<Self::Scalar>>(&self, y: &[Link<Self::Scalar>], out: &mut [O]) {
        dense::weighted_gradient(self, y, out);
    }
    /// The angular accelerations `w_i'`, each orthogonal to its `q_i`. Destroys the first vectors.
    fn acceleration<O: Slot<Self::Scalar>>(&self, y: &[Link<Self::Scalar>], out: &mut [O]) {
        dense::acceleration(self, y, out);
    }
    /// The angular accelerations where the `q_i` need not be unit vectors: the solution of the
    /// equations of motion as they stand at the head of this module. Destroys the first vectors.
    ///
    /// Only the comparison without geometry leaves the spheres; there, different ways of writing
    /// the same equations give different numbers, and this is the one that the sources use.
    fn acceleration_anywhere<O: Slot<Self::Scalar>>(
        &self,
        y: &[Link<Self::Scalar>],
        out: &mut [O],
    ) {
        dense::acceleration_anywhere(self, y, out);
    }
    /// Whether [`SphereSystem::slopes`] is written.
    const SLOPES: bool = false;
    /// `dphi_u^{-1} f(phi(u)·y)` of the field in [`Se3Coordinates`], for systems that have a shorter way to it than
    /// one step after the other, in the exponential chart to the same bits. Unless it is gone, the answer is no, and nothing is
    /// written.
    fn slopes(
        &self,
        chart: Chart,
        u: &[Twist<Self::Scalar>],
        y: &[Link<Self::Scalar>],
        out: &mut [Twist<Self::Scalar>],
    ) -> bool {
        let _ = (chart, u, y, out);
        false
    }
    /// All slopes of an explicit step, likewise: [`Generator::stages`](crate::problem::Generator::stages) in
    /// [`Se3Coordinates`].
    fn stages(&self, at: Stages<'_, Vec<TangentSphere<Self::Scalar>>>) -> bool {
        let _ = at;
        false
    }
    /// The derivative of [`SphereSystem::acceleration`] at `y` in the direction `dy`. Destroys the
    /// first vectors.
    fn acceleration_derivative<O: Slot<Self::Scalar>>(
        &self,
        y: &[Link<Self::Scalar>],
        dy: &[Link<Self::Scalar>],
        out: &mut [O],
    ) {
        acceleration_derivative_by_duals(self, y, dy, out);
    }
    /// `p_i = sum_j M_ij q_j'` with `q_j' = w_j × q_j`.
    fn momentum<O: Slot<Self::Scalar>>(&self, y: &[Link<Self::Scalar>], out: &mut [O]) {
        for (i, o) in out.iter_mut().enumerate() {
            let mut p = Vec3::zero();
            for (j, link) in y.iter().enumerate() {
                p += link.velocity().times(self.mass(i, j));
            }
            o.set_second(p);
        }
    }
    /// `½ sum_ij M_ij q_i'·q_j'`.
    fn kinetic_energy(&self, y: &[Link<Self::Scalar>]) -> Self::Scalar {
        let mut p = y.to_vec();
        self.momentum(y, &mut p);
        let mut sum = Self::Scalar::zero();
        for (link, p) in y.iter().zip(&p) {
            sum += link.velocity().dot(p.omega);
        }
        sum * 0.5
    }
    /// `sum_i q_i × p_i`.
    fn angular_momentum(&self, y: &[Link<Self::Scalar>]) -> Vec3<Self::Scalar> {
        let mut p = y.to_vec();
        self.momentum(y, &mut p);
        let mut sum = Vec3::zero();
        for (link, p) in y.iter().zip(&p) {
            sum += link.q.cross(p.omega);
        }
        sum
    }
    /// Kinetic plus potential energy.
    fn energy(&self, y: &[Link<Self::Scalar>]) -> Self::Scalar {
        self.kinetic_energy(y) + self.potential(y)
    }
}

/// [`SphereSystem::acceleration_derivative`] from the acceleration alone.
pub fn acceleration_derivative_by_duals<M: SphereSystem, O: Slot<M::Scalar>>(
    m: &M,
    y: &[Link<M::Scalar>],
    dy: &[Link<M::Scalar>],
    out: &mut [O],
) {
    let dual = m.over::<Dual<M::Scalar, 1>>(Dual::constant);
    let with = |x: Vec3<M::Scalar>, dx: Vec3<M::Scalar>| Vec3 {
        x: Dual { re: x.x, eps: [dx.x] },
        y: Dual { re: x.y, eps: [dx.y] },
        z: Dual { re: x.z, eps: [dx.z] },
    };
    let y: Vec<_> =
        y.iter().zip(dy).map(|(y, d)| Link::new(with(y.q, d.q), with(y.omega, d.omega))).collect();
    let mut result = y.clone();
    dual.acceleration(&y, &mut result);
    for (o, r) in out.iter_mut().zip(&result) {
        let v = r.omega;
        o.set_second(Vec3 { x: v.x.eps[0], y: v.y.eps[0], z: v.z.eps[0] });
    }
}

/// The largest `| |q_i| - 1 |`.
pub fn length_error<S: Real>(y: &[Link<S>]) -> f64 {
    y.iter().map(|link| (link.q.norm() - S::one()).magnitude()).fold(0.0, worst)
}

/// The largest `|q_i·w_i|`.
pub fn tangency_error<S: Real>(y: &[Link<S>]) -> f64 {
    y.iter().map(|link| link.q.dot(link.omega).magnitude()).fold(0.0, worst)
}

/// The larger number, or NaN if there is one.
pub(crate) fn worst(a: f64, b: f64) -> f64 {
    if a >= b || a.is_nan() { a } else { b }
}
