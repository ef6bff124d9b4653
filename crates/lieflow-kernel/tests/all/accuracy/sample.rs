//! Arguments for every function of the groups, over any numbers.
use lieflow_kernel::{DoubleDouble as D, Mat3, Real, Vec3, se2, se23, sim3, so2, so3};
use lieflow_testing::Draw;
use serde_json::Value;

/// Two elements of each algebra, two of each group, and a point. The groups share the parts.
#[derive(Clone, Copy, Debug)]
pub struct Sample<S> {
    /// Rotation, velocity, position and logarithm of a scale, where functions are evaluated.
    pub u: Vec3<S>,
    pub w: Vec3<S>,
    pub y: Vec3<S>,
    pub l: S,
    /// The same, to which linear maps are applied.
    pub a: Vec3<S>,
    pub b: Vec3<S>,
    pub c: Vec3<S>,
    pub k: S,
    /// A point.
    pub q: Vec3<S>,
    /// Rotations, velocities, positions and scales of two elements; the first is `exp` of the first of
    /// the algebra, rounded.
    pub r: Mat3<S>,
    pub v: Vec3<S>,
    pub p: Vec3<S>,
    pub s: S,
    pub r2: Mat3<S>,
    pub v2: Vec3<S>,
    pub p2: Vec3<S>,
    pub s2: S,
    /// Cayley's map of `u`, rounded.
    pub cayley: Mat3<S>,
    /// An angle, and two turns of the plane.
    pub angle: S,
    pub turn: so2::Turn<S>,
    pub turn2: so2::Turn<S>,
    /// The rotations that `r` and `cayley` stand for: the nearest ones where there are digits for them.
    pub nearest: Mat3<S>,
    pub nearest_cayley: Mat3<S>,
}

impl Sample<f64> {
    /// A random sample with rotations by this angle.
    pub fn random(draw: &mut Draw, angle: f64) -> Self {
        let u = draw.of_norm(angle);
        let l = draw.number() * super::ten(draw.between(-6.0, 0.3));
        let (a, k) = (draw.vector(), draw.number());
        let signed = if draw.number() < 0.0 { -angle } else { angle };
        let (r, cayley) = (so3::exp(u), so3::cay(u));
        Self {
            u,
            w: draw.vector(),
            y: draw.vector(),
            l,
            a,
            b: draw.vector(),
            c: draw.vector(),
            k,
            q: draw.vector(),
            r,
            v: draw.vector(),
            p: draw.vector(),
            s: Real::exp(l),
            r2: so3::exp(a),
            v2: draw.vector(),
            p2: draw.vector(),
            s2: Real::exp(k),
            cayley,
            angle: signed,
            turn: so2::exp(signed),
            turn2: so2::exp(k),
            nearest: r,
            nearest_cayley: cayley,
        }
    }
    /// One that is stored.
    pub fn stored(given: &Value) -> Self {
        let list = |name: &str| -> Vec<f64> {
            let text = given[name].as_str().unwrap_or_else(|| panic!("no {name} in {given}"));
            text.split(' ').map(|x| x.parse().unwrap()).collect()
        };
        let one = |name| list(name)[0];
        let vector = |name| Vec3::from([list(name)[0], list(name)[1], list(name)[2]]);
        let matrix = |name| {
            let x = list(name);
            Mat3::lift([[x[0], x[1], x[2]], [x[3], x[4], x[5]], [x[6], x[7], x[8]]])
        };
        let turn = |name| so2::Turn { cos: list(name)[0], sin: list(name)[1] };
        Self {
            u: vector("u"),
            w: vector("w"),
            y: vector("y"),
            l: one("l"),
            a: vector("a"),
            b: vector("b"),
            c: vector("c"),
            k: one("k"),
            q: vector("q"),
            r: matrix("r"),
            v: vector("v"),
            p: vector("p"),
            s: one("s"),
            r2: matrix("r2"),
            v2: vector("v2"),
            p2: vector("p2"),
            s2: one("s2"),
            cayley: matrix("cayley"),
            angle: one("angle"),
            turn: turn("turn"),
            turn2: turn("turn2"),
            nearest: matrix("r"),
            nearest_cayley: matrix("cayley"),
        }
    }
    /// The same numbers with twice the digits. A rotation of `f64` is one to rounding; what a logarithm
    /// of it means is that of the nearest rotation.
    pub fn precise(&self) -> Sample<D> {
        let v = Vec3::<D>::lift;
        let m = |m: Mat3<f64>| m.map(D::lift);
        let turn = |t: so2::Turn<f64>| so2::Turn { cos: D::lift(t.cos), sin: D::lift(t.sin) };
        Sample {
            u: v(self.u),
            w: v(self.w),
            y: v(self.y),
            l: D::lift(self.l),
            a: v(self.a),
            b: v(self.b),
            c: v(self.c),
            k: D::lift(self.k),
            q: v(self.q),
            r: m(self.r),
            v: v(self.v),
            p: v(self.p),
            s: D::lift(self.s),
            r2: m(self.r2),
            v2: v(self.v2),
            p2: v(self.p2),
            s2: D::lift(self.s2),
            cayley: m(self.cayley),
            angle: D::lift(self.angle),
            turn: turn(self.turn),
            turn2: turn(self.turn2),
            nearest: so3::polar_correction(&m(self.r)),
            nearest_cayley: so3::polar_correction(&m(self.cayley)),
        }
    }
}

impl<S: Real> Sample<S> {
    pub fn se2(&self) -> ([S; 3], [S; 3]) {
        ([self.angle, self.w.x, self.w.y], [self.k, self.a.x, self.a.y])
    }
    pub fn poses2(&self) -> (se2::Pose<S>, se2::Pose<S>) {
        let pose = |rotation, p: Vec3<S>| se2::Pose { rotation, position: [p.x, p.y] };
        (pose(self.turn, self.p), pose(self.turn2, self.p2))
    }
    pub fn se23(&self) -> ([S; 9], [S; 9]) {
        (join(&[self.u, self.w, self.y]), join(&[self.a, self.b, self.c]))
    }
    pub fn poses23(&self) -> (se23::Pose<S>, se23::Pose<S>) {
        (
            se23::Pose { rotation: self.r, velocity: self.v, position: self.p },
            se23::Pose { rotation: self.r2, velocity: self.v2, position: self.p2 },
        )
    }
    pub fn sim3(&self) -> ([S; 7], [S; 7]) {
        let vector = |u: Vec3<S>, w: Vec3<S>, l| [u.x, u.y, u.z, w.x, w.y, w.z, l];
        (vector(self.u, self.w, self.l), vector(self.a, self.b, self.k))
    }
    pub fn similarities(&self) -> (sim3::Similarity<S>, sim3::Similarity<S>) {
        (
            sim3::Similarity { scale: self.s, rotation: self.r, position: self.p },
            sim3::Similarity { scale: self.s2, rotation: self.r2, position: self.p2 },
        )
    }
}

fn join<S: Real, const N: usize>(parts: &[Vec3<S>]) -> [S; N] {
    std::array::from_fn(|i| parts[i / 3].get(i % 3))
}
