//! What the rigid-body methods ask for.
use super::potential::seen_from_body;
use super::{Generator, Problem, Stage};
use crate::action::{Action, BodyFrame, BodyState, LiftedFrame, Turn, shifted, turned};
use crate::chart::Chart;
use crate::group::{LieGroup, Rn, Se3, So3, Twist};
use lieflow_kernel::rigid::Inertia;
use lieflow_kernel::scalar::{Apart, stumpff};
use lieflow_kernel::{Mask, Mat3, Real, Vec3, se3, so3};

/// A rigid body turning about a fixed point:
/// `R' = R hat(ω)`, `Π' = Π × ω + T(t, R)`, `Π = J ω`. For methods that allow it, the torque may
/// depend on the motion too: `T(t, R, ω, Π)`.
pub trait SpinningBody<S: Real>: Problem<Point = BodyState<S>> {
    /// `J`.
    fn inertia(&self) -> &Inertia<S>;
    /// `T(t, R)`, in the body frame.
    fn torque(&self, t: f64, r: &Mat3<S>) -> Vec3<S>;
    /// `T(t, R, ω, Π)`, in the body frame, where the torque depends on the motion.
    #[inline(always)]
    fn torque_in_motion(&self, t: f64, r: &Mat3<S>, w: Vec3<S>, p: Vec3<S>) -> Vec3<S> {
        let _ = (w, p);
        self.torque(t, r)
    }
    /// The matrix `DT` with `T(t, R exp(ξ)) = T + DT ξ + …`.
    fn torque_derivative(&self, t: f64, r: &Mat3<S>) -> Mat3<S>;
    /// Whether there is no torque at all.
    #[inline(always)]
    fn is_free(&self) -> bool {
        false
    }
    /// For a torque that depends on `G = Rᵀk` alone and is `-U' χ × G`: the body axis `χ` and the
    /// spatial direction `k`.
    #[inline(always)]
    fn axis(&self) -> Option<(Vec3<S>, Vec3<S>)> {
        None
    }
    /// `-U' χ × G`, where there is an axis and a closed form: always, or never.
    #[inline(always)]
    fn axial_torque(&self, t: f64, g: Vec3<S>) -> Option<Vec3<S>> {
        let _ = (t, g);
        None
    }
    /// `G`, where [`SpinningBody::simple_axial_torque`] has an answer.
    #[inline(always)]
    fn simple_direction(&self, r: &Mat3<S>) -> Option<Vec3<S>> {
        let _ = r;
        None
    }
    /// The same, where it takes a few operations, no call and no time.
    #[inline(always)]
    fn simple_axial_torque(&self, g: Vec3<S>) -> Option<Vec3<S>> {
        let _ = g;
        None
    }
    /// Whether [`SpinningBody::axial_torque`] has an answer.
    #[inline(always)]
    fn has_axial_torque(&self) -> bool {
        true
    }
    /// `G`, where there is an [axis](SpinningBody::axis).
    #[inline(always)]
    fn direction(&self, r: &Mat3<S>) -> Vec3<S> {
        seen_from_body(self.axis(), r)
    }
}

/// `dexp_u^{-1} f(exp(u)·y)` for the field `f = (-J⁻¹Π, T)` of a body in its own frame, where the
/// torque vanishes or is axial: then one vector or two are turned, and not the attitude.
#[inline(always)]
fn body_slope<S: Real, P: SpinningBody<S>>(
    p: &P,
    Stage { t, u, y, .. }: Stage<'_, BodyFrame<S>>,
) -> Option<Twist<S>> {
    if p.is_free() && vanishes(u.linear) {
        let slope = Free { inertia: p.inertia(), u: u.angular, momentum: y.momentum };
        let slope = if const { S::LANES > 1 } { S::apart(slope) } else { slope.run() };
        return Some(Twist::new(slope, Vec3::zero()));
    }
    Some(pulled(*u, p.inertia(), y.momentum, axial_torque_at(p, t, u.angular, &y.rotation)?))
}

/// The axial torque at `exp(u) R`, if there is one. What takes a call is apart, so that stages with simple torques keep
/// their numbers in registers.
#[inline(always)]
fn axial_torque_at<S: Real, P: SpinningBody<S>>(
    p: &P,
    t: f64,
    u: Vec3<S>,
    rotation: &Mat3<S>,
) -> Option<Vec3<S>> {
    if let Some(g) = p.simple_direction(rotation) {
        let torque = p.simple_axial_torque(so3::rotate(u, g));
        if torque.is_some() {
            return torque;
        }
    }
    if !p.has_axial_torque() {
        return None;
    }
    S::apart(AxialTorque { p, t, u, rotation: *rotation })
}

/// `dexp_u^{-1} (-J⁻¹Π, T)` at `exp(u)` of this momentum, for this torque there.
#[inline(always)]
fn pulled<S: Real>(
    u: Twist<S>,
    inertia: &Inertia<S>,
    momentum: Vec3<S>,
    torque: Vec3<S>,
) -> Twist<S> {
    let (a, w) = (u.angular, u.linear);
    let momentum = se3::exp_apply(a, w, momentum);
    let (angular, linear) = se3::dexpinv(a, w, -inertia.velocity(momentum), torque);
    Twist::new(angular, linear)
}

/// `(-J⁻¹Π, T)` there.
#[inline(always)]
fn unpulled<S: Real>(
    u: Twist<S>,
    inertia: &Inertia<S>,
    momentum: Vec3<S>,
    torque: Vec3<S>,
) -> Twist<S> {
    let momentum = se3::exp_apply(u.angular, u.linear, momentum);
    Twist::new(-inertia.velocity(momentum), torque)
}

/// The torque of [`axial_torque_at`] where it takes a call.
struct AxialTorque<'a, S, P> {
    p: &'a P,
    t: f64,
    u: Vec3<S>,
    rotation: Mat3<S>,
}

impl<S: Real, P: SpinningBody<S>> Apart for AxialTorque<'_, S, P> {
    type Output = Option<Vec3<S>>;
    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { p, t, u, rotation } = self;
        p.axial_torque(t, so3::rotate(u, p.direction(&rotation)))
    }
}

/// The field for a torque that takes a call.
struct Axial<'a, S, P> {
    p: &'a P,
    t: f64,
    u: Twist<S>,
    y: BodyState<S>,
}

impl<S: Real, P: SpinningBody<S>> Apart for Axial<'_, S, P> {
    type Output = Option<Twist<S>>;
    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { p, t, u, y } = self;
        let torque = p.axial_torque(t, so3::rotate(u.angular, p.direction(&y.rotation)))?;
        Some(unpulled(u, p.inertia(), y.momentum, torque))
    }
}

/// [`free_slope`] in lanes: tops never need it, and each stage of each method would hold it.
struct Free<'a, S> {
    inertia: &'a Inertia<S>,
    u: Vec3<S>,
    momentum: Vec3<S>,
}

impl<S: Real> Apart for Free<'_, S> {
    type Output = Vec3<S>;
    #[inline(always)]
    fn run(self) -> Vec3<S> {
        free_slope(self.inertia, self.u, self.momentum)
    }
}

/// `f(exp(u)·y)` for the same field and the same torques.
#[inline(always)]
fn body_field<S: Real, P: SpinningBody<S>>(
    p: &P,
    Stage { t, u, y, .. }: Stage<'_, BodyFrame<S>>,
) -> Option<Twist<S>> {
    if p.is_free() && vanishes(u.linear) {
        let momentum = so3::rotate(u.angular, y.momentum);
        return Some(Twist::new(-p.inertia().velocity(momentum), Vec3::zero()));
    }
    if let Some(g) = p.simple_direction(&y.rotation)
        && let Some(torque) = p.simple_axial_torque(so3::rotate(u.angular, g))
    {
        return Some(unpulled(*u, p.inertia(), y.momentum, torque));
    }
    if !p.has_axial_torque() {
        return None;
    }
    S::apart(Axial { p, t, u: *u, y: *y })
}

/// [`Generator::field_at`] for the same field, by a short cut where there is one.
#[inline(always)]
pub fn body_field_at<S: Real, P>(
    p: &P,
    at: Stage<'_, BodyFrame<S>>,
    _: &mut BodyState<S>,
    out: &mut Twist<S>,
) where
    P: SpinningBody<S> + Generator<Space = BodyFrame<S>>,
{
    if at.chart == Chart::Exp
        && let Some(field) = body_field(p, at)
    {
        *out = field;
        return;
    }
    let Stage { chart, t, u, y } = at;
    *out = S::apart(Plain { p, chart, t, u: *u, y: *y, pulled: false });
}

/// [`Generator::slope_at`] for the same field, by a short cut where there is one.
#[inline(always)]
pub fn body_slope_at<S: Real, P>(
    p: &P,
    at: Stage<'_, BodyFrame<S>>,
    _: &mut BodyState<S>,
    out: &mut Twist<S>,
) where
    P: SpinningBody<S> + Generator<Space = BodyFrame<S>>,
{
    if at.chart == Chart::Exp
        && let Some(slope) = body_slope(p, at)
    {
        *out = slope;
        return;
    }
    let Stage { chart, t, u, y } = at;
    *out = S::apart(Plain { p, chart, t, u: *u, y: *y, pulled: true });
}

/// The field without a short cut, or the slope, apart from those with it: all together are much for
/// one function, and for the compiler. What it needs is copied, so that the originals may stay in
/// registers.
struct Plain<'a, S, P> {
    p: &'a P,
    chart: Chart,
    t: f64,
    u: Twist<S>,
    y: BodyState<S>,
    /// Whether the slope is meant.
    pulled: bool,
}

impl<S, P> Apart for Plain<'_, S, P>
where
    S: Real,
    P: Generator<Space = BodyFrame<S>, Point = BodyState<S>>,
{
    type Output = Twist<S>;
    #[inline(always)]
    fn run(self) -> Twist<S> {
        let Self { p, chart, t, u, y: from, pulled } = self;
        let chart = chart.compiled::<S>();
        let mut point = from;
        BodyFrame::advance(chart, &u, &from, &mut point);
        let mut field = p.field(t, &point);
        if pulled {
            Se3::pull(chart, &u, &mut field);
        }
        field
    }
}

/// `f(y)` for the field `f = (-J⁻¹Π, Π × J⁻¹Π + T)` of a body in the space SO(3) × R³ of
/// [`LiftedFrame`](crate::action::LiftedFrame).
#[inline(always)]
pub fn lifted_field<S: Real, P: SpinningBody<S>>(
    p: &P,
    t: f64,
    y: &BodyState<S>,
) -> (Vec3<S>, Rn<S, 3>) {
    lifted(p, t, &y.rotation, y.momentum, None)
}

/// `f(phi(u)·y)` for the same field: where the torque vanishes or is axial, one vector is turned at
/// most, and not the attitude.
#[inline(always)]
pub fn lifted_field_at<S: Real, P: SpinningBody<S>>(
    p: &P,
    Stage { chart, t, u: (u, b), y }: Stage<'_, LiftedFrame<S>>,
) -> (Vec3<S>, Rn<S, 3>) {
    let momentum = shifted(y.momentum, b);
    if p.is_free() {
        return lifted(p, t, &y.rotation, momentum, Some(Vec3::zero()));
    }
    if p.has_axial_torque() {
        let mut g = Vec3::zero();
        Turn::advance(chart, u, &p.direction(&y.rotation), &mut g);
        if let Some(torque) = p.axial_torque(t, g) {
            return lifted(p, t, &y.rotation, momentum, Some(torque));
        }
    }
    lifted(p, t, &turned(&y.rotation, &So3::map(chart, u).matrix), momentum, None)
}

#[inline(always)]
fn lifted<S: Real, P: SpinningBody<S>>(
    p: &P,
    t: f64,
    r: &Mat3<S>,
    momentum: Vec3<S>,
    torque: Option<Vec3<S>>,
) -> (Vec3<S>, Rn<S, 3>) {
    let omega = p.inertia().velocity(momentum);
    let torque = match torque {
        Some(torque) => torque,
        None => p.torque_in_motion(t, r, omega, momentum),
    };
    let Vec3 { x, y, z } = momentum.cross(omega) + torque;
    (-omega, Rn([x, y, z]))
}

/// The slope of [`body_slope_at`] for a free body with this momentum at the start, in so(3).
#[inline(always)]
pub fn free_slope<S: Real>(inertia: &Inertia<S>, u: Vec3<S>, momentum: Vec3<S>) -> Vec3<S> {
    let first = -inertia.velocity(momentum);
    let z = u.norm_squared();
    let (c1, c2) = stumpff::two::<S, 1, 2>(z);
    let half = u * 0.5;
    let pull = half.times(stumpff::dexpinv_coefficient(z) * 4.0);
    let w = u.cross(momentum);
    // The inertia is applied before the coefficients are known.
    let (a, b) = (inertia.velocity(w), inertia.velocity(u.cross(w)));
    let v = first - (a.times(c1) + b.times(c2));
    let w = half.cross(v);
    (v - w) + pull.cross(w)
}

/// Whether a vector is zero in all lanes, with its derivatives.
#[inline(always)]
fn vanishes<S: Real>(v: Vec3<S>) -> bool {
    if S::DERIVATIVES > 0 {
        return v == Vec3::zero();
    }
    // What is not a number is not below anything.
    (v.x.abs() + v.y.abs() + v.z.abs()).lt(S::lift(f64::MIN_POSITIVE)).all()
}
