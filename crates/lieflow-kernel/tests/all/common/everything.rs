//! One long list of numbers from every function of the kernel, over any scalar.
use lieflow_kernel::linalg::solve_in_place;
use lieflow_kernel::scalar::stumpff::{dexpinv_coefficient, dexpinv_coefficients, stumpff};
use lieflow_kernel::{Mask, Mat3, Quat, Real, Vec3, se2, se3, se23, sim3, so2, so3};

/// The arguments: two algebra elements of se(3).
#[derive(Clone, Copy, Debug)]
pub struct Input<S> {
    pub u: Vec3<S>,
    pub w: Vec3<S>,
    pub a: Vec3<S>,
    pub b: Vec3<S>,
}

impl<S: Real> Input<S> {
    /// Every number replaced.
    pub fn map<T: Real>(&self, mut f: impl FnMut(S) -> T) -> Input<T> {
        let mut g = |v: Vec3<S>| Vec3::from([f(v.x), f(v.y), f(v.z)]);
        Input { u: g(self.u), w: g(self.w), a: g(self.a), b: g(self.b) }
    }
    pub fn numbers(&self) -> Vec<S> {
        [self.u, self.w, self.a, self.b].iter().flat_map(|v| v.to_array()).collect()
    }
}

/// Collects named numbers.
pub struct List<S>(pub Vec<(&'static str, S)>);

impl<S: Real> List<S> {
    fn one(&mut self, name: &'static str, x: S) {
        self.0.push((name, x));
    }
    fn vector(&mut self, name: &'static str, v: Vec3<S>) {
        self.0.extend(v.to_array().map(|x| (name, x)));
    }
    fn pair(&mut self, name: &'static str, (a, b): (Vec3<S>, Vec3<S>)) {
        self.vector(name, a);
        self.vector(name, b);
    }
    fn matrix(&mut self, name: &'static str, m: Mat3<S>) {
        for row in m.rows {
            self.vector(name, row);
        }
    }
    fn list(&mut self, name: &'static str, list: &[S]) {
        self.0.extend(list.iter().map(|x| (name, *x)));
    }
    fn quaternion(&mut self, name: &'static str, q: Quat<S>) {
        self.one(name, q.w);
        self.vector(name, q.v);
    }
}

/// Every function of the kernel at this input.
pub fn everything<S: Real>(x: &Input<S>) -> Vec<(&'static str, S)> {
    let mut out = List(Vec::new());
    scalars(x, &mut out);
    vectors(x, &mut out);
    groups(x, &mut out);
    planes(x, &mut out);
    extended(x, &mut out);
    similarities(x, &mut out);
    out.0
}

fn scalars<S: Real>(x: &Input<S>, out: &mut List<S>) {
    let z = x.u.norm_squared();
    let p = z + S::ratio(1.0, 7.0);
    for c in stumpff(z) {
        out.one("stumpff", c);
    }
    let (g, gt) = dexpinv_coefficients(z);
    out.one("dexpinv coefficients", g);
    out.one("dexpinv coefficients", gt);
    out.one("dexpinv coefficient", dexpinv_coefficient(z));
    out.one("sqrt", p.sqrt());
    let (s, c) = x.w.x.sin_cos();
    out.one("sin", s);
    out.one("cos", c);
    out.one("atan2", x.a.x.atan2(x.a.y));
    out.one("exp", x.a.y.exp());
    out.one("ln", p.ln());
    out.one("abs", x.b.x.abs());
    out.one("square", x.b.y.square());
    out.one("powi", x.a.z.powi(5));
    out.one("powi", p.powi(-3));
    out.one("max", x.a.x.max(x.a.y));
    out.one("quotient", x.b.z / p);
    out.one("product", -x.b.z * 0.3);
    out.one("select", S::select(x.a.z.lt(x.b.z).not(), x.a.z, x.b.z));
    let mut acc = x.a.x;
    acc += x.a.y;
    acc -= x.b.x;
    acc *= x.b.y;
    out.one("assignments", acc);
}

fn vectors<S: Real>(x: &Input<S>, out: &mut List<S>) {
    let (a, b) = (x.a, x.b);
    out.one("dot", a.dot(b));
    out.vector("cross", a.cross(b));
    out.one("norm", a.norm());
    out.vector("scaled_by", a.scaled_by(b));
    out.vector("divided_by", a.divided_by(x.u + Vec3::lift([20.0, 20.0, 20.0].into())));
    out.vector("select", Vec3::select(a.x.lt(b.x), a, b));
    let m = Mat3::hat(a) + Mat3::outer(b, x.w) + Mat3::diagonal(x.u) + Mat3::identity() * 30.0;
    out.matrix("matmul", m.matmul(&m.transpose()));
    out.matrix("inverse", m.inverse());
    out.vector("solve", m.solve(b));
    out.one("determinant", m.determinant());
    out.one("trace", m.trace());
    out.vector("apply", m.apply(b));
    out.vector("apply_transpose", m.apply_transpose(b));
    out.vector("axial", m.axial());
    out.vector("column", m.column(1));
    out.matrix("select", Mat3::select(a.y.lt(b.y), m, Mat3::hat(b)));
    // Six equations whose large entries are off the diagonal; large angles move the pivots.
    let numbers = x.numbers();
    let mut matrix = Vec::new();
    for i in 0..6 {
        for j in 0..6 {
            let large = if j == (i + 2) % 6 { 3.0 } else { 0.0 };
            matrix.push(numbers[(6 * i + j) * 7 % 12] * 0.5 + S::lift(large));
        }
    }
    let mut right: Vec<S> = numbers[..6].to_vec();
    assert!(solve_in_place(6, &mut matrix, &mut right).all());
    for r in right {
        out.one("solve_in_place", r);
    }
}

fn groups<S: Real>(x: &Input<S>, out: &mut List<S>) {
    let Input { u, w, a, b } = *x;
    let r = so3::exp(u);
    out.matrix("so3 exp", r);
    out.vector("so3 rotate", so3::rotate(u, a));
    out.vector("so3 log", so3::log(&r));
    out.vector("so3 dexp", so3::dexp(u, a));
    out.vector("so3 dexpinv", so3::dexpinv(u, a));
    out.matrix("so3 dexp_matrix", so3::dexp_matrix(u));
    out.matrix("so3 cay", so3::cay(u));
    out.vector("so3 cay_rotate", so3::cay_rotate(u, a));
    out.vector("so3 cay_inverse", so3::cay_inverse(&so3::cay(w)));
    out.vector("so3 dcay", so3::dcay(u, a));
    out.vector("so3 dcayinv", so3::dcayinv(u, a));
    out.matrix("so3 dcay_matrix", so3::dcay_matrix(u));
    out.vector("so3 half_resolvent", so3::half_resolvent(u, a));
    out.matrix("so3 second_kind", so3::second_kind(w));
    out.vector("so3 second_kind_dinv", so3::second_kind_dinv(w, a));
    out.matrix("so3 polar_correction", so3::polar_correction(&r));
    let q = Quat::from_matrix(&r);
    out.quaternion("quaternion", q);
    out.matrix("quaternion to matrix", q.to_matrix());
    let (r, p) = se3::exp(u, w);
    out.matrix("se3 exp", r);
    out.vector("se3 exp", p);
    out.pair("se3 log", se3::log(&r, p));
    let (t, s, p) = se3::exp_rotate(u, w, a, b);
    out.pair("se3 exp_rotate", (t, s));
    out.vector("se3 exp_rotate", p);
    out.pair("se3 ad", se3::ad(u, w, a, b));
    out.pair("se3 ad_transpose", se3::ad_transpose(u, w, a, b));
    out.pair("se3 dexp", se3::dexp(u, w, a, b));
    out.pair("se3 dexpinv", se3::dexpinv(u, w, a, b));
    out.pair("se3 dexp_transpose", se3::dexp_transpose(u, w, a, b));
    out.pair("se3 dexpinv_transpose", se3::dexpinv_transpose(u, w, a, b));
    let (r, p) = se3::cay(u, w);
    out.matrix("se3 cay", r);
    out.vector("se3 cay", p);
    let (t, s, p) = se3::cay_rotate(u, w, a, b);
    out.pair("se3 cay_rotate", (t, s));
    out.vector("se3 cay_rotate", p);
    let (r, p) = se3::cay(w, u);
    out.pair("se3 cay_inverse", se3::cay_inverse(&r, p));
    out.pair("se3 dcay", se3::dcay(u, w, a, b));
    out.pair("se3 dcayinv", se3::dcayinv(u, w, a, b));
}

fn planes<S: Real>(x: &Input<S>, out: &mut List<S>) {
    let angle = x.u.x + x.u.y - x.u.z;
    let g = so2::exp(angle);
    out.list("so2 compose", so2::matrix(so2::compose(g, so2::inverse(g))).as_flattened());
    out.one("so2 log", so2::log(g));
    let (u, v) = ([angle, x.w.x, x.w.y], [x.a.x, x.a.y, x.a.z]);
    let g = se2::exp(u);
    out.list("se2 exp", se2::matrix(&g).as_flattened());
    out.list("se2 log", &se2::log(&g));
    out.list("se2 inverse", se2::matrix(&se2::inverse(&g)).as_flattened());
    out.list("se2 adjoint", &se2::adjoint(&g, v));
    out.list("se2 ad", &se2::ad(u, v));
    out.list("se2 dexp", &se2::dexp(u, v));
    out.list("se2 dexpinv", &se2::dexpinv(u, v));
    out.list("se2 jacobian", se2::right_jacobian(u).as_flattened());
}

fn extended<S: Real>(x: &Input<S>, out: &mut List<S>) {
    let join = |a: Vec3<S>, b: Vec3<S>, c: Vec3<S>| [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z];
    let (u, v) = (join(x.u, x.w, x.a), join(x.b, x.a, x.w));
    let g = se23::exp(u);
    out.list("se23 exp", se23::matrix(&g).as_flattened());
    out.list("se23 log", &se23::log(&g));
    out.list("se23 compose", se23::matrix(&se23::compose(&g, &se23::inverse(&g))).as_flattened());
    out.list("se23 adjoint", &se23::adjoint(&g, v));
    out.list("se23 ad", &se23::ad(u, v));
    out.list("se23 ad_transpose", &se23::ad_transpose(u, v));
    out.list("se23 dexp", &se23::dexp(u, v));
    out.list("se23 dexpinv", &se23::dexpinv(u, v));
    out.list("se23 dexp_transpose", &se23::dexp_transpose(u, v));
    out.list("se23 dexpinv_transpose", &se23::dexpinv_transpose(u, v));
    out.list("se23 cay", se23::matrix(&se23::cay(u)).as_flattened());
    out.list("se23 dcayinv", &se23::dcayinv(u, v));
    out.list("se23 jacobian", se23::right_jacobian_inverse(u).as_flattened());
}

fn similarities<S: Real>(x: &Input<S>, out: &mut List<S>) {
    let join = |a: Vec3<S>, b: Vec3<S>, l: S| [a.x, a.y, a.z, b.x, b.y, b.z, l];
    for l in [x.b.z, x.b.z * 1e-9, x.b.z * 3.0] {
        let (u, v) = (join(x.u, x.w, l), join(x.a, x.b, x.w.x));
        let g = sim3::exp(u);
        out.list("sim3 exp", sim3::matrix(&g).as_flattened());
        out.list("sim3 log", &sim3::log(&g));
        out.list("sim3 inverse", sim3::matrix(&sim3::inverse(&g)).as_flattened());
        out.list("sim3 adjoint", &sim3::adjoint(&g, v));
        out.list("sim3 ad", &sim3::ad(u, v));
        out.list("sim3 dexp", &sim3::dexp(u, v));
        out.list("sim3 dexpinv", &sim3::dexpinv(u, v));
    }
}
