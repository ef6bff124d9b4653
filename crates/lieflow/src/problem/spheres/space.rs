//! Problems on (S²)ⁿ in four sets of coordinates.
//!
//! ```text
//! Se3Coordinates        (q, w)    SE(3)ⁿ on (TS²)ⁿ        f_i = (w_i, q_i × w_i')
//! LiftCoordinates       (q, w)    (SO(3) × R³)ⁿ           f_i = (w_i, w_i')
//! MomentumCoordinates   (q, pi)   SE(3)ⁿ on (T*S²)ⁿ       f_i = (dH/dpi_i, dH/dq_i)
//! FlatCoordinates       (q, w)    R⁶ⁿ, no geometry        f_i = (w_i × q_i, w_i')
//! ```
//!
//! The field is not unique: multiples of `q_i` may be added to its first part, and different
//! choices give different numbers, so these are part of every method. The first and the third are
//! those of Celledoni et al., section 5.2 (with the two halves of the third exchanged: the printed
//! order gives a wrong `pi'`); the second is that of Ortolan, section 6.4.
use super::{Slot, SphereSystem, Symmetry, legendre, length_error, tangency_error, worst};
use crate::action::{Action, Embedded, Isotropy, Lifted, Link, TangentSphere};
use crate::group::{AlgebraOf, LieAlgebra, LieGroup, Twist};
use crate::problem::{
    Described, FieldOf, Generator, Lift, MANIFOLD_BOUND, Problem, Quantity, Stage, StageOf, Stages,
    StagesOf, Value, Watched,
};
use crate::stepping::{Rotations, unit};
use core::fmt::Debug;
use core::marker::PhantomData;
use lieflow_kernel::{Real, Vec3, vec3};

/// What moves one sphere in coordinates `C` over the numbers `S`.
pub(super) type FieldIn<C, S> = AlgebraOf<<<C as Coordinates>::Move<S> as Action>::Group>;

/// A set of coordinates, with the group that moves them.
pub trait Coordinates: Copy + Debug + Send + Sync + 'static {
    /// Its name in problem files.
    const NAME: &'static str;
    /// Whether the second vector of a state is a momentum rather than an angular velocity.
    const MOMENTA: bool;
    /// Whether the action leaves the manifold as it is. Others are there to show what is lost.
    const KEEPS_MANIFOLD: bool = true;
    /// Whether directions keep their length.
    const KEEPS_LENGTH: bool = Self::KEEPS_MANIFOLD;
    /// Whether the action has isotropy, so that the generator of a field is not unique.
    const ISOTROPY: bool = true;
    /// The action on one sphere.
    type Move<S: Real>: Isotropy<Point = Link<S>, Group: LieGroup<Algebra: LieAlgebra<Scalar = S> + Slot<S>>>;
    /// The field of a system.
    fn field<M: SphereSystem>(m: &M, y: &[Link<M::Scalar>], out: &mut [FieldIn<Self, M::Scalar>]);
    /// Whether [`Coordinates::slopes`] asks the system.
    const SLOPES: bool = false;
    /// The field at a stage, in the chart, if the system [has a shorter way](SphereSystem::slopes) to it.
    fn slopes<M: SphereSystem>(
        m: &M,
        at: Stage<'_, Vec<Self::Move<M::Scalar>>>,
        out: &mut [FieldIn<Self, M::Scalar>],
    ) -> bool {
        let _ = (m, at, out);
        false
    }
    /// All stages of an explicit step, if the system [has a shorter way](SphereSystem::stages) to them.
    fn stages<M: SphereSystem>(m: &M, at: Stages<'_, Vec<Self::Move<M::Scalar>>>) -> bool {
        let _ = (m, at);
        false
    }
}

/// SE(3)ⁿ on (TS²)ⁿ: keeps `|q|` and `q·w`.
#[derive(Clone, Copy, Debug)]
pub struct Se3Coordinates;

impl Coordinates for Se3Coordinates {
    const NAME: &'static str = "se3";
    const MOMENTA: bool = false;
    type Move<S: Real> = TangentSphere<S>;
    #[inline(always)]
    fn field<M: SphereSystem>(m: &M, y: &[Link<M::Scalar>], out: &mut [FieldIn<Self, M::Scalar>]) {
        m.acceleration(y, out);
        for (o, link) in out.iter_mut().zip(y) {
            o.linear = link.q.cross(o.linear);
            o.angular = link.omega;
        }
    }
    const SLOPES: bool = true;
    #[inline(always)]
    fn slopes<M: SphereSystem>(
        m: &M,
        at: Stage<'_, Vec<TangentSphere<M::Scalar>>>,
        out: &mut [Twist<M::Scalar>],
    ) -> bool {
        m.slopes(at.chart, at.u, at.y, out)
    }
    #[inline(always)]
    fn stages<M: SphereSystem>(m: &M, at: Stages<'_, Vec<TangentSphere<M::Scalar>>>) -> bool {
        m.stages(at)
    }
}

/// (SO(3) × R³)ⁿ: keeps `|q|`.
#[derive(Clone, Copy, Debug)]
pub struct LiftCoordinates;

impl Coordinates for LiftCoordinates {
    const KEEPS_MANIFOLD: bool = false;
    const KEEPS_LENGTH: bool = true;
    const NAME: &'static str = "lift";
    const MOMENTA: bool = false;
    type Move<S: Real> = Lifted<S>;
    #[inline(always)]
    fn field<M: SphereSystem>(m: &M, y: &[Link<M::Scalar>], out: &mut [FieldIn<Self, M::Scalar>]) {
        m.acceleration(y, out);
        for (o, link) in out.iter_mut().zip(y) {
            o.0 = link.omega;
        }
    }
}

/// SE(3)ⁿ on (T*S²)ⁿ: keeps `|q|` and `q·pi`.
#[derive(Clone, Copy, Debug)]
pub struct MomentumCoordinates;

impl Coordinates for MomentumCoordinates {
    const NAME: &'static str = "hamiltonian";
    const MOMENTA: bool = true;
    type Move<S: Real> = TangentSphere<S>;
    // dH/dpi_i = w_i and dH/dq_i = w_i × sum_{j≠i} M_ij q_j' + dV/dq_i.
    #[inline(always)]
    fn field<M: SphereSystem>(m: &M, y: &[Link<M::Scalar>], out: &mut [FieldIn<Self, M::Scalar>]) {
        legendre::invert(m, y, out);
        for o in out.iter_mut() {
            o.linear = o.angular.cross(o.linear);
        }
        m.add_gradient(y, out);
    }
}

/// R⁶ⁿ: keeps nothing.
#[derive(Clone, Copy, Debug)]
pub struct FlatCoordinates;

impl Coordinates for FlatCoordinates {
    const KEEPS_MANIFOLD: bool = false;
    const NAME: &'static str = "euclidean";
    const MOMENTA: bool = false;
    const ISOTROPY: bool = false;
    type Move<S: Real> = Embedded<S>;
    #[inline(always)]
    fn field<M: SphereSystem>(m: &M, y: &[Link<M::Scalar>], out: &mut [FieldIn<Self, M::Scalar>]) {
        m.acceleration_anywhere(y, out);
        for (o, link) in out.iter_mut().zip(y) {
            o.set_first(link.velocity());
        }
    }
}

/// A system on (S²)ⁿ with its initial state, in coordinates `C`.
#[derive(Clone, Debug)]
pub struct OnSpheres<M: SphereSystem, C> {
    system: M,
    start: Vec<Link<M::Scalar>>,
    coordinates: PhantomData<C>,
}

impl<M: SphereSystem, C: Coordinates> OnSpheres<M, C> {
    /// The system, started from these directions and angular velocities, one for each sphere.
    ///
    /// Whether they are unit and tangent vectors is for the caller to check.
    pub fn new(system: M, links: &[Link<M::Scalar>]) -> Self {
        let mut start = links.to_vec();
        start.resize(system.count(), Link::new(Vec3::unit(2), Vec3::zero()));
        if C::MOMENTA {
            let links = start.clone();
            legendre::momenta(&system, &links, &mut start);
        }
        Self { system, start, coordinates: PhantomData }
    }
    /// The directions and angular velocities of a state.
    pub fn links(&self, y: &[Link<M::Scalar>]) -> Vec<Link<M::Scalar>> {
        let mut links = y.to_vec();
        if C::MOMENTA {
            legendre::velocities(&self.system, y, &mut links);
        }
        links
    }
}

/// A problem on (S²)ⁿ, whatever its coordinates: what the methods made for spheres ask for.
pub trait SphereProblem:
    Problem<Point = Vec<Link<<Self::System as SphereSystem>::Scalar>>>
{
    /// The system.
    type System: SphereSystem;
    /// Whether the second vector of a state is a momentum.
    const MOMENTA: bool;
    /// The system.
    fn system(&self) -> &Self::System;
}

impl<M: SphereSystem, C: Coordinates> SphereProblem for OnSpheres<M, C> {
    type System = M;
    const MOMENTA: bool = C::MOMENTA;
    fn system(&self) -> &M {
        &self.system
    }
}

impl<M: SphereSystem, C: Coordinates> Problem for OnSpheres<M, C> {
    type Point = Vec<Link<M::Scalar>>;
    fn start(&self) -> Self::Point {
        self.start.clone()
    }
    fn restore(&self, y: &mut Self::Point) {
        if C::KEEPS_MANIFOLD {
            Rotations::restore(y);
        } else if C::KEEPS_LENGTH {
            y.iter_mut().for_each(|link| link.q = unit(link.q));
        }
    }
}

impl<M: SphereSystem, C: Coordinates> Generator for OnSpheres<M, C> {
    type Space = Vec<C::Move<M::Scalar>>;
    fn field(&self, t: f64, y: &Self::Point) -> FieldOf<Self> {
        let mut out = vec![FieldIn::<C, M::Scalar>::nothing(); y.len()];
        self.field_into(t, y, &mut out);
        out
    }
    #[inline(always)]
    fn field_into(&self, _t: f64, y: &Self::Point, out: &mut FieldOf<Self>) {
        C::field(&self.system, y, out);
    }
    const SHORT_CUTS: bool = C::SLOPES && M::SLOPES;
    #[inline(always)]
    fn slope_at(&self, at: StageOf<'_, Self>, point: &mut Self::Point, out: &mut FieldOf<Self>) {
        if const { Self::SHORT_CUTS } && C::slopes(&self.system, at, out) {
            return;
        }
        self.field_at(at, point, out);
        Self::Space::pull(at.chart, at.u, at.y, point, out);
    }
    #[inline(always)]
    fn stages(&self, at: StagesOf<'_, Self>) -> bool {
        Self::SHORT_CUTS && C::stages(&self.system, at)
    }
}

impl<M: SphereSystem, C: Coordinates> Lift for OnSpheres<M, C> {
    type Scalar = M::Scalar;
    type Over<T: Real> = OnSpheres<M::Over<T>, C>;
    fn lift<T: Real>(&self, embed: fn(M::Scalar) -> T) -> Self::Over<T> {
        OnSpheres {
            system: self.system.over(embed),
            start: self.lift_point(&self.start, embed),
            coordinates: PhantomData,
        }
    }
    fn lift_point<T: Real>(
        &self,
        y: &Self::Point,
        embed: fn(M::Scalar) -> T,
    ) -> <Self::Over<T> as Problem>::Point {
        y.iter().map(|link| lift_link(link, embed)).collect()
    }
    fn lift_point_into<T: Real>(
        &self,
        y: &Self::Point,
        embed: fn(M::Scalar) -> T,
        out: &mut <Self::Over<T> as Problem>::Point,
    ) {
        out.clear();
        out.extend(y.iter().map(|link| lift_link(link, embed)));
    }
}

fn lift_link<S: Real, T: Real>(link: &Link<S>, embed: fn(S) -> T) -> Link<T> {
    let over = |v: Vec3<S>| vec3(embed(v.x), embed(v.y), embed(v.z));
    Link::new(over(link.q), over(link.omega))
}

impl<M: SphereSystem<Scalar = f64>, C: Coordinates> Watched for OnSpheres<M, C> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        let mut list =
            vec![Quantity { name: "energy", eval: |p: &Self, y| p.system.energy(&p.links(y)) }];
        match self.system.symmetry() {
            Symmetry::None => {}
            Symmetry::Axis(_) => {
                list.push(Quantity { name: "axial_momentum", eval: |p, y| axial_momentum(p, y) });
            }
            Symmetry::Full => list.extend([
                Quantity { name: "momentum_x", eval: |p: &Self, y| p.angular_momentum(y).x },
                Quantity { name: "momentum_y", eval: |p: &Self, y| p.angular_momentum(y).y },
                Quantity { name: "momentum_z", eval: |p: &Self, y| p.angular_momentum(y).z },
            ]),
        }
        list
    }
    fn manifold_error(&self, y: &Self::Point) -> f64 {
        worst(length_error(y), tangency_error(y))
    }
    fn manifold_bound(&self, _: &Self::Point) -> f64 {
        if C::KEEPS_MANIFOLD { MANIFOLD_BOUND } else { f64::INFINITY }
    }
}

impl<M: SphereSystem, C: Coordinates> OnSpheres<M, C> {
    /// `sum_i q_i × p_i` of a state.
    pub fn angular_momentum(&self, y: &[Link<M::Scalar>]) -> Vec3<M::Scalar> {
        self.system.angular_momentum(&self.links(y))
    }
}

fn axial_momentum<M: SphereSystem<Scalar = f64>, C: Coordinates>(
    p: &OnSpheres<M, C>,
    y: &[Link<f64>],
) -> f64 {
    let momentum = p.angular_momentum(y);
    match p.system.symmetry() {
        Symmetry::Axis(axis) => axis.dot(momentum),
        _ => momentum.norm(),
    }
}

impl<M: SphereSystem<Scalar = f64>, C: Coordinates> Described for OnSpheres<M, C> {
    fn describe(&self, _t: f64, y: &Self::Point) -> Vec<(&'static str, Value)> {
        let links = self.links(y);
        let list = |part: fn(&Link<f64>) -> Vec3<f64>| {
            Value::Vectors(links.iter().map(|link| part(link).to_array()).collect())
        };
        let mut parts = vec![("q", list(|link| link.q)), ("omega", list(|link| link.omega))];
        if C::MOMENTA {
            let momenta = y.iter().map(|link| link.omega.to_array()).collect();
            parts.push(("momentum", Value::Vectors(momenta)));
        }
        parts
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("position", &["q"]), ("velocity", &["omega"])]
    }
}
