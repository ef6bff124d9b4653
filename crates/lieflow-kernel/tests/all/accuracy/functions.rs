//! Every function of the groups at one sample, over any numbers, as lists of numbers.
use super::sample::Sample;
use lieflow_kernel::{Mat3, Real, Vec3, se2, se3, se23, sim3, so2, so3};

/// What a function gives, and how large what it is added from is.
#[derive(Clone, Debug)]
pub struct Value<S> {
    pub name: &'static str,
    pub numbers: Vec<S>,
    /// The size of the terms of sums in which digits may cancel, whoever adds; zero where there are none.
    pub terms: f64,
}

/// Collects values.
pub struct List<S>(Vec<Value<S>>);

impl<S: Real> List<S> {
    fn put(&mut self, name: &'static str, terms: f64, numbers: impl Into<Vec<S>>) {
        self.0.push(Value { name, numbers: numbers.into(), terms });
    }
    fn vector(&mut self, name: &'static str, terms: f64, v: Vec3<S>) {
        self.put(name, terms, v.to_array());
    }
    fn pair(&mut self, name: &'static str, terms: f64, (a, b): (Vec3<S>, Vec3<S>)) {
        self.vector(name, terms, a);
        self.vector(name, terms, b);
    }
    fn matrix(&mut self, name: &'static str, m: Mat3<S>) {
        self.put(name, 0.0, entries(&m));
    }
    /// Matrices of any size, one number after the other.
    fn square<const N: usize>(&mut self, name: &'static str, m: [[S; N]; N]) {
        self.put(name, 0.0, m.as_flattened());
    }
}

fn entries<S: Real>(m: &Mat3<S>) -> Vec<S> {
    m.rows.iter().flat_map(|r| r.to_array()).collect()
}
/// The length of the longest of some vectors.
fn size<S: Real>(parts: &[Vec3<S>]) -> f64 {
    parts.iter().map(|v| length(&v.to_array())).fold(0.0, f64::max)
}
/// The length of a list of numbers, none of which is squared to nothing.
pub fn length<S: Real>(list: &[S]) -> f64 {
    let largest = list.iter().map(|x| x.magnitude()).fold(0.0, f64::max);
    if largest == 0.0 {
        return 0.0;
    }
    let squares: f64 = list.iter().map(|x| (x.magnitude() / largest).powi(2)).sum();
    largest * squares.sqrt()
}

/// All of them.
pub fn all<S: Real>(x: &Sample<S>) -> Vec<Value<S>> {
    let mut out = List(Vec::new());
    plane(x, &mut out);
    rotations(x, &mut out);
    motions(x, &mut out);
    extended(x, &mut out);
    similarities(x, &mut out);
    out.0
}

fn plane<S: Real>(x: &Sample<S>, out: &mut List<S>) {
    let (q, point) = ([x.q.x, x.q.y], length(&[x.q.x, x.q.y]));
    let turn = |t: so2::Turn<S>| so2::matrix(t);
    out.square("so2::exp", turn(so2::exp(x.angle)));
    out.put("so2::log", 0.0, [so2::log(x.turn)]);
    out.square("so2::identity", turn(so2::identity()));
    out.square("so2::compose", turn(so2::compose(x.turn, x.turn2)));
    out.square("so2::inverse", turn(so2::inverse(x.turn)));
    out.put("so2::act", point, so2::act(x.turn, q));
    out.square("so2::matrix", so2::matrix(x.turn));
    out.square("so2::from_matrix", turn(so2::from_matrix(&so2::matrix(x.turn))));
    out.square("so2::hat", so2::hat(x.angle));
    out.put("so2::vee", 0.0, [so2::vee(&so2::hat(x.angle))]);
    out.put("so2::adjoint", 0.0, [so2::adjoint(x.turn, x.k)]);
    out.square("so2::adjoint_matrix", so2::adjoint_matrix(x.turn));
    out.put("so2::ad", 0.0, [so2::ad(x.angle, x.k)]);
    out.square("so2::ad_matrix", so2::ad_matrix(x.angle));
    out.put("so2::dexp", 0.0, [so2::dexp(x.angle, x.k)]);
    out.put("so2::dexpinv", 0.0, [so2::dexpinv(x.angle, x.k)]);
    out.square("so2::left_jacobian", so2::left_jacobian(x.angle));
    out.square("so2::right_jacobian", so2::right_jacobian(x.angle));
    out.square("so2::left_jacobian_inverse", so2::left_jacobian_inverse(x.angle));
    out.square("so2::right_jacobian_inverse", so2::right_jacobian_inverse(x.angle));

    let ((u, v), (g, h)) = (x.se2(), x.poses2());
    let terms = length(&[u[1], u[2]]).max(length(&v));
    let moved = length(&g.position).max(length(&h.position));
    let pose = |out: &mut List<S>, name, terms, g: se2::Pose<S>| {
        out.square(name, so2::matrix(g.rotation));
        out.put(name, terms, g.position);
    };
    pose(out, "se2::exp", length(&u[1..]), se2::exp(u));
    out.put("se2::log", length(&g.position), se2::log(&g));
    pose(out, "se2::identity", 0.0, se2::identity());
    pose(out, "se2::compose", moved, se2::compose(&g, &h));
    pose(out, "se2::inverse", length(&g.position), se2::inverse(&g));
    out.put("se2::act", point.max(moved), se2::act(&g, q));
    out.square("se2::matrix", se2::matrix(&g));
    pose(out, "se2::from_matrix", 0.0, se2::from_matrix(&se2::matrix(&g)));
    out.square("se2::hat", se2::hat(u));
    out.put("se2::vee", 0.0, se2::vee(&se2::hat(u)));
    out.put("se2::adjoint", moved.max(length(&v)), se2::adjoint(&g, v));
    out.square("se2::adjoint_matrix", se2::adjoint_matrix(&g));
    out.put("se2::ad", length(&u) * length(&v), se2::ad(u, v));
    out.square("se2::ad_matrix", se2::ad_matrix(u));
    out.put("se2::dexp", terms, se2::dexp(u, v));
    out.put("se2::dexpinv", terms, se2::dexpinv(u, v));
    out.square("se2::left_jacobian", se2::left_jacobian(u));
    out.square("se2::right_jacobian", se2::right_jacobian(u));
    out.square("se2::left_jacobian_inverse", se2::left_jacobian_inverse(u));
    out.square("se2::right_jacobian_inverse", se2::right_jacobian_inverse(u));
}

fn rotations<S: Real>(x: &Sample<S>, out: &mut List<S>) {
    let Sample { u, w, a, .. } = *x;
    let one = size(&[a]);
    out.matrix("so3::exp", so3::exp(u));
    out.vector("so3::rotate", one, so3::rotate(u, a));
    let (r, ra) = so3::exp_with_rotated(u, a);
    out.matrix("so3::exp_with_rotated", r);
    out.vector("so3::exp_with_rotated", one, ra);
    out.vector("so3::log", 0.0, so3::log(&x.nearest));
    out.vector("so3::dexp", one, so3::dexp(u, a));
    out.vector("so3::dexpinv", one, so3::dexpinv(u, a));
    out.matrix("so3::dexp_matrix", so3::dexp_matrix(u));
    out.matrix("so3::dexpinv_matrix", so3::dexpinv_matrix(u));
    let (r, v) = so3::exp_with_dexp(u);
    out.matrix("so3::exp_with_dexp", r);
    out.matrix("so3::exp_with_dexp", v);
    out.matrix("so3::cay", so3::cay(u));
    out.vector("so3::cay_rotate", one, so3::cay_rotate(u, a));
    out.vector("so3::cay_inverse", 0.0, so3::cay_inverse(&x.nearest_cayley));
    out.vector("so3::dcay", 0.0, so3::dcay(u, a));
    let long = one * (1.0 + 0.25 * length(&u.to_array()).powi(2));
    out.vector("so3::dcayinv", long, so3::dcayinv(u, a));
    out.matrix("so3::dcay_matrix", so3::dcay_matrix(u));
    out.vector("so3::half_resolvent", one, so3::half_resolvent(u, a));
    out.matrix("so3::second_kind", so3::second_kind(w));
    out.vector("so3::second_kind_dinv", one, so3::second_kind_dinv(w, a));
    out.matrix("so3::polar_correction", so3::polar_correction(&x.r));
    out.matrix("so3::compose", so3::compose(&x.r, &x.r2));
    out.matrix("so3::inverse", so3::inverse(&x.r));
    out.vector("so3::act", size(&[x.q]), so3::act(&x.r, x.q));
    out.matrix("so3::hat", so3::hat(u));
    out.vector("so3::vee", 0.0, so3::vee(&so3::hat(u)));
    out.vector("so3::adjoint", one, so3::adjoint(&x.r, a));
    out.matrix("so3::adjoint_matrix", so3::adjoint_matrix(&x.r));
    out.vector("so3::ad", size(&[u]) * one, so3::ad(u, a));
    out.matrix("so3::ad_matrix", so3::ad_matrix(u));
    out.matrix("so3::left_jacobian", so3::left_jacobian(u));
    out.matrix("so3::right_jacobian", so3::right_jacobian(u));
    out.matrix("so3::left_jacobian_inverse", so3::left_jacobian_inverse(u));
    out.matrix("so3::right_jacobian_inverse", so3::right_jacobian_inverse(u));
}

fn motions<S: Real>(x: &Sample<S>, out: &mut List<S>) {
    let Sample { u, w, a, b, .. } = *x;
    let (one, both) = (size(&[w]), size(&[w, a, b]));
    let motion = |out: &mut List<S>, name, terms, (r, p): (Mat3<S>, Vec3<S>)| {
        out.matrix(name, r);
        out.vector(name, terms, p);
    };
    motion(out, "se3::exp", one, se3::exp(u, w));
    out.vector("se3::exp_apply", both, se3::exp_apply(u, w, a));
    motion(out, "se3::exp_with_moved", both, se3::exp_with_moved(u, w, a));
    let (ra, rb, vw) = se3::exp_rotate(u, w, a, b);
    out.pair("se3::exp_rotate", both, (ra, rb));
    out.vector("se3::exp_rotate", both, vw);
    let (t, p) = se3::log(&x.nearest, x.p);
    out.vector("se3::log", 0.0, t);
    out.vector("se3::log", size(&[x.p]), p);
    let lever = size(&[u, w]) * size(&[a, b]);
    out.pair("se3::ad", lever, se3::ad(u, w, a, b));
    out.pair("se3::ad_transpose", lever, se3::ad_transpose(u, w, a, b));
    out.pair("se3::dexp", both, se3::dexp(u, w, a, b));
    out.pair("se3::dexpinv", both, se3::dexpinv(u, w, a, b));
    out.pair("se3::dexp_transpose", both, se3::dexp_transpose(u, w, a, b));
    out.pair("se3::dexpinv_transpose", both, se3::dexpinv_transpose(u, w, a, b));
    motion(out, "se3::cay", one, se3::cay(u, w));
    let (ra, rb, vw) = se3::cay_rotate(u, w, a, b);
    out.pair("se3::cay_rotate", both, (ra, rb));
    out.vector("se3::cay_rotate", both, vw);
    let (t, p) = se3::cay_inverse(&x.nearest_cayley, x.p);
    out.vector("se3::cay_inverse", 0.0, t);
    out.vector("se3::cay_inverse", size(&[x.p]), p);
    out.pair("se3::dcay", both, se3::dcay(u, w, a, b));
    let long = both * (1.0 + 0.25 * length(&u.to_array()).powi(2));
    out.pair("se3::dcayinv", long, se3::dcayinv(u, w, a, b));
    let (g, h) = ((x.r, x.p), (x.r2, x.p2));
    motion(out, "se3::identity", 0.0, se3::identity());
    motion(out, "se3::compose", size(&[x.p, x.p2]), se3::compose(&g, &h));
    motion(out, "se3::inverse", size(&[x.p]), se3::inverse(&g));
    out.vector("se3::act", size(&[x.p, x.q]), se3::act(&g, x.q));
    out.square("se3::matrix", se3::matrix(&g));
    motion(out, "se3::from_matrix", 0.0, se3::from_matrix(&se3::matrix(&g)));
    out.square("se3::hat", se3::hat(u, w));
    out.pair("se3::vee", 0.0, se3::vee(&se3::hat(u, w)));
    out.pair("se3::adjoint", size(&[x.p, a, b]), se3::adjoint(&g, a, b));
    out.square("se3::adjoint_matrix", se3::adjoint_matrix(&g));
    out.square("se3::ad_matrix", se3::ad_matrix(u, w));
    out.square("se3::left_jacobian", se3::left_jacobian(u, w));
    out.square("se3::right_jacobian", se3::right_jacobian(u, w));
    out.square("se3::left_jacobian_inverse", se3::left_jacobian_inverse(u, w));
    out.square("se3::right_jacobian_inverse", se3::right_jacobian_inverse(u, w));
}

fn extended<S: Real>(x: &Sample<S>, out: &mut List<S>) {
    let ((u, v), (g, h)) = (x.se23(), x.poses23());
    let both = length(&u[3..]).max(length(&v));
    let shifts = size(&[g.velocity, g.position, h.velocity, h.position]);
    let pose = |out: &mut List<S>, name, terms, g: se23::Pose<S>| {
        out.matrix(name, g.rotation);
        out.pair(name, terms, (g.velocity, g.position));
    };
    pose(out, "se23::exp", length(&u[3..]), se23::exp(u));
    let clean = se23::Pose { rotation: x.nearest, ..g };
    let log = se23::log(&clean);
    out.put("se23::log", 0.0, &log[..3]);
    out.put("se23::log", shifts, &log[3..]);
    pose(out, "se23::identity", 0.0, se23::identity());
    pose(out, "se23::compose", shifts, se23::compose(&g, &h));
    pose(out, "se23::inverse", shifts, se23::inverse(&g));
    out.vector("se23::act", size(&[g.position, x.q]), se23::act(&g, x.q));
    out.square("se23::matrix", se23::matrix(&g));
    pose(out, "se23::from_matrix", 0.0, se23::from_matrix(&se23::matrix(&g)));
    out.square("se23::hat", se23::hat(u));
    out.put("se23::vee", 0.0, se23::vee(&se23::hat(u)));
    out.put("se23::adjoint", shifts.max(length(&v)), se23::adjoint(&g, v));
    out.square("se23::adjoint_matrix", se23::adjoint_matrix(&g));
    let lever = length(&u) * length(&v);
    out.put("se23::ad", lever, se23::ad(u, v));
    out.square("se23::ad_matrix", se23::ad_matrix(u));
    out.put("se23::ad_transpose", lever, se23::ad_transpose(u, v));
    out.put("se23::dexp", both, se23::dexp(u, v));
    out.put("se23::dexpinv", both, se23::dexpinv(u, v));
    out.put("se23::dexp_transpose", both, se23::dexp_transpose(u, v));
    out.put("se23::dexpinv_transpose", both, se23::dexpinv_transpose(u, v));
    pose(out, "se23::cay", length(&u[3..]), se23::cay(u));
    let long = both * (1.0 + 0.25 * length(&u[..3]).powi(2));
    out.put("se23::dcayinv", long, se23::dcayinv(u, v));
    out.square("se23::left_jacobian", se23::left_jacobian(u));
    out.square("se23::right_jacobian", se23::right_jacobian(u));
    out.square("se23::left_jacobian_inverse", se23::left_jacobian_inverse(u));
    out.square("se23::right_jacobian_inverse", se23::right_jacobian_inverse(u));
}

/// A similarity whose matrix is exact in `f64`: a quarter turn with a scale.
fn scaled_identity<S: Real>(x: &Sample<S>) -> [[S; 4]; 4] {
    let quarter = Mat3::lift([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    sim3::matrix(&sim3::Similarity { scale: x.s, rotation: quarter, position: x.p })
}

fn similarities<S: Real>(x: &Sample<S>, out: &mut List<S>) {
    let ((u, v), (g, h)) = (x.sim3(), x.similarities());
    let both = length(&u[3..6]).max(length(&v));
    let shifts = size(&[g.position, h.position]);
    let similarity = |out: &mut List<S>, name, terms, g: sim3::Similarity<S>| {
        out.put(name, 0.0, [g.scale]);
        out.matrix(name, g.rotation);
        out.vector(name, terms, g.position);
    };
    similarity(out, "sim3::exp", length(&u[3..6]), sim3::exp(u));
    let log = sim3::log(&sim3::Similarity { rotation: x.nearest, ..g });
    out.put("sim3::log", 0.0, &log[..3]);
    out.put("sim3::log", shifts, &log[3..6]);
    out.put("sim3::log", 0.0, &log[6..]);
    similarity(out, "sim3::identity", 0.0, sim3::identity());
    similarity(out, "sim3::compose", shifts, sim3::compose(&g, &h));
    similarity(out, "sim3::inverse", shifts, sim3::inverse(&g));
    out.vector("sim3::act", size(&[g.position, x.q]), sim3::act(&g, x.q));
    out.square("sim3::matrix", sim3::matrix(&g));
    similarity(out, "sim3::from_matrix", 0.0, sim3::from_matrix(&scaled_identity(x)));
    out.square("sim3::hat", sim3::hat(u));
    out.put("sim3::vee", 0.0, sim3::vee(&sim3::hat(u)));
    out.put("sim3::adjoint", shifts.max(length(&v)), sim3::adjoint(&g, v));
    out.square("sim3::adjoint_matrix", sim3::adjoint_matrix(&g));
    out.put("sim3::ad", length(&u) * length(&v), sim3::ad(u, v));
    out.square("sim3::ad_matrix", sim3::ad_matrix(u));
    out.put("sim3::dexp", both, sim3::dexp(u, v));
    out.put("sim3::dexpinv", both, sim3::dexpinv(u, v));
    out.square("sim3::left_jacobian", sim3::left_jacobian(u));
    out.square("sim3::right_jacobian", sim3::right_jacobian(u));
    out.square("sim3::left_jacobian_inverse", sim3::left_jacobian_inverse(u));
    out.square("sim3::right_jacobian_inverse", sim3::right_jacobian_inverse(u));
}
