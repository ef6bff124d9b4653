//! The same equations on SE(3), on products and on vectors of groups, with derivatives from dual
//! numbers alone.
use super::mechanics::*;
use lieflow::action::Multiply;
use lieflow::chart::Chart;
use lieflow::group::family::{
    GroupFamily, Motions, NaturalChart, Rotations, Translations, VectorIn, pair,
};
use lieflow::group::{Coadjoint, CotangentAlgebra, LieAlgebra, LieGroup, Rn, Se3, So3, Twist};
use lieflow::kernel::so3;
use lieflow::method::Method;
use lieflow::method::cotangent::structure::{Tangent, linearise, symmetric_defect};
use lieflow::method::rkmk::Rkmk;
use lieflow::method::variational::{FromHamiltonian, FromLagrangian, Variational, names};
use lieflow::problem::{
    Cotangent, Generator, Hamiltonian, Lagrangian, Phase, Problem, hamiltonian, lagrangian,
};
use lieflow::tableau;
use lieflow::{Dual, Mat3, Real, Vec3, vec3};
use std::marker::PhantomData;

/// A body free to turn and to move, tied to the origin by a spring that is not fixed at its centre.
#[derive(Clone, Copy, Debug)]
struct Tethered<S>(PhantomData<S>);
impl<S: Real> Problem for Tethered<S> {
    type Point = Cotangent<Se3<S>>;
    fn start(&self) -> Self::Point {
        Cotangent {
            g: Se3 {
                rotation: so3::exp(Vec3::lift(vec3(0.3, -0.2, 0.5))),
                position: Vec3::lift(vec3(0.4, 0.1, -0.3)),
            },
            mu: Twist::new(Vec3::lift(vec3(0.5, -0.4, 0.9)), Vec3::lift(vec3(0.2, 0.3, -0.1))),
        }
    }
}
impl<S: Real> Lagrangian for Tethered<S> {
    type Scalar = S;
    type Family = Motions;
    type Over<T: Real> = Tethered<T>;
    fn over<T: Real>(&self, _: fn(S) -> T) -> Tethered<T> {
        Tethered(PhantomData)
    }
    fn lagrangian(&self, _: f64, g: &Se3<S>, w: &Twist<S>) -> S {
        let inertia = Vec3::lift(vec3(0.8, 1.1, 1.7));
        let (spin, v) = (w.angular, w.linear);
        // The centre of mass is not the origin of the body: spin and velocity are coupled.
        let arm = Vec3::lift(vec3(0.1, -0.2, 0.15));
        let kinetic =
            (spin.dot(spin.scaled_by(inertia)) + v.dot(v) * 1.3) * 0.5 + v.dot(spin.cross(arm));
        let end = g.rotation.apply(Vec3::lift(vec3(0.2, 0.5, -0.1))) + g.position;
        let stretch = end.norm_squared();
        kinetic - stretch * 0.7 - stretch * stretch * 0.1 - end.x * 0.3
    }
}

/// The heavy top with a quadratic Hamiltonian on T*(SO(3) × R³).
#[derive(Clone, Copy, Debug)]
struct Quadratic<S>(Top<S>);
impl<S: Real> Problem for Quadratic<S> {
    type Point = Cotangent<(So3<S>, Rn<S, 3>)>;
    fn start(&self) -> Self::Point {
        let p = self.0.chi.times(-self.0.k);
        Cotangent { g: (So3 { matrix: self.0.g }, Rn::zero()), mu: (self.0.mu, Rn(p.to_array())) }
    }
}
impl<S: Real> Hamiltonian for Quadratic<S> {
    type Scalar = S;
    type Family = (Rotations, Translations<3>);
    type Over<T: Real> = Quadratic<T>;
    fn over<T: Real>(&self, f: fn(S) -> T) -> Quadratic<T> {
        Quadratic(self.0.cast(f))
    }
    fn hamiltonian(
        &self,
        _: f64,
        (g, _): &(So3<S>, Rn<S, 3>),
        (mu, Rn(p)): &(Vec3<S>, Rn<S, 3>),
    ) -> S {
        let body = g.matrix.apply_transpose(*mu);
        let gamma = g.matrix.apply_transpose(self.0.up);
        let p = Vec3::from(*p);
        (body.dot(body.divided_by(self.0.inertia)) + p.dot(p)) * 0.5 - p.dot(gamma)
    }
}

/// Two coupled bodies.
#[derive(Clone, Copy, Debug)]
struct Pair<S>(PhantomData<S>);
fn pair_energy<S: Real>(g: [&So3<S>; 2], w: [Vec3<S>; 2]) -> S {
    let inertia = [vec3(0.8, 1.1, 1.7), vec3(1.3, 0.9, 1.0)].map(Vec3::lift);
    let e = Vec3::lift(vec3(0.6, 0.0, 0.8));
    let spin = w[0].dot(w[0].scaled_by(inertia[0])) + w[1].dot(w[1].scaled_by(inertia[1]));
    spin * 0.5 + g[0].matrix.apply(e).dot(g[1].matrix.apply(e)) * 0.9 - g[1].matrix.apply(e).z
}
fn pair_start<S: Real>() -> [(So3<S>, Vec3<S>); 2] {
    let body = |u: [f64; 3], m: [f64; 3]| {
        (So3 { matrix: so3::exp(Vec3::lift(u.into())) }, Vec3::lift(m.into()))
    };
    [body([0.3, -0.2, 0.5], [0.4, -0.7, 1.2]), body([-0.1, 0.6, 0.2], [0.9, 0.1, -0.3])]
}
impl<S: Real> Problem for Pair<S> {
    type Point = Cotangent<[So3<S>; 2]>;
    fn start(&self) -> Self::Point {
        let [(a, m), (b, n)] = pair_start();
        Cotangent { g: [a, b], mu: [m, n] }
    }
}
impl<S: Real> Lagrangian for Pair<S> {
    type Scalar = S;
    type Family = [Rotations; 2];
    type Over<T: Real> = Pair<T>;
    fn over<T: Real>(&self, _: fn(S) -> T) -> Pair<T> {
        Pair(PhantomData)
    }
    fn lagrangian(&self, _: f64, [a, b]: &[So3<S>; 2], w: &[Vec3<S>; 2]) -> S {
        pair_energy([a, b], *w)
    }
}
/// The same with a length that the compiler does not know.
#[derive(Clone, Copy, Debug)]
struct Row<S>(PhantomData<S>);
impl<S: Real> Problem for Row<S> {
    type Point = Cotangent<Vec<So3<S>>>;
    fn start(&self) -> Self::Point {
        let [(a, m), (b, n)] = pair_start();
        Cotangent { g: vec![a, b], mu: vec![m, n] }
    }
}
impl<S: Real> Lagrangian for Row<S> {
    type Scalar = S;
    type Family = Vec<Rotations>;
    type Over<T: Real> = Row<T>;
    fn over<T: Real>(&self, _: fn(S) -> T) -> Row<T> {
        Row(PhantomData)
    }
    fn lagrangian(&self, _: f64, g: &Vec<So3<S>>, w: &Vec<Vec3<S>>) -> S {
        pair_energy([&g[0], &g[1]], [w[0], w[1]])
    }
}

/// A body on SE(3) as a Hamiltonian system, of which nothing but the function is written.
#[derive(Clone, Copy, Debug)]
struct Floating<S>(PhantomData<S>);
impl<S: Real> Problem for Floating<S> {
    type Point = Cotangent<Se3<S>>;
    fn start(&self) -> Self::Point {
        Tethered(PhantomData).start()
    }
}
impl<S: Real> Hamiltonian for Floating<S> {
    type Scalar = S;
    type Family = Motions;
    type Over<T: Real> = Floating<T>;
    fn over<T: Real>(&self, _: fn(S) -> T) -> Floating<T> {
        Floating(PhantomData)
    }
    fn hamiltonian(&self, _: f64, g: &Se3<S>, mu: &Twist<S>) -> S {
        let m = g.adjoint_transpose(mu);
        let inertia = Vec3::lift(vec3(0.8, 1.1, 1.7));
        let kinetic = m.angular.dot(m.angular.divided_by(inertia)) + m.linear.dot(m.linear) * 0.7;
        let end = g.rotation.apply(Vec3::lift(vec3(0.2, 0.5, -0.1))) + g.position;
        kinetic * 0.5 + end.norm_squared() * 0.7 + end.x * 0.3
    }
}
impl<S: Real> Generator for Floating<S> {
    type Space = Multiply<Cotangent<Se3<S>>>;
    fn field(&self, t: f64, y: &Self::Point) -> CotangentAlgebra<Se3<S>> {
        hamiltonian::field(self, t, y)
    }
}

/// The general methods on T*SE(3) and the symplectic ones follow the same motion.
#[test]
fn two_kinds_of_methods_on_the_cotangent_bundle_of_motions() {
    let p = Floating::<f64>(PhantomData);
    let run = |method: &mut dyn Method<Floating<f64>>| integrate(&p, method, 0.01, 15, |_, _| ());
    let mut general = Rkmk::new(&tableau::DP54, Chart::Exp);
    let scheme = names::scheme("vrkmk-gauss6").unwrap().unwrap();
    let mut symplectic = Variational::<_, FromHamiltonian>::new(scheme);
    let (a, b) = (run(&mut general), run(&mut symplectic));
    let gap = lieflow::method::cotangent::structure::distance(&a, &b);
    assert!(gap < 1e-11, "{gap:e}");
    let start = hamiltonian::energy(&p, 0.0, &p.start());
    assert!((hamiltonian::energy(&p, 0.0, &b) - start).abs() < 1e-13);
}

const SOME: [&str; 6] = [
    "slgi-theta0.3",
    "chart-exp-trapezoid",
    "chart-cay-midpoint",
    "chart-cay-truemid",
    "liegalerkin-exp-s2-gauss2",
    "liegalerkin-cay-s2-lobatto3",
];

fn symplectic<P>(p: &P, bound: f64)
where
    P: Lagrangian<Scalar = f64>,
{
    let dual = p.over(Tangent::constant);
    for id in SOME {
        let scheme = names::scheme(id).unwrap().unwrap();
        let mut method = Variational::<_, FromLagrangian>::new(scheme.clone());
        let at = linearise::<P::Family, _, _>(&dual, &mut method, 0.0, 0.3, &p.start()).unwrap();
        let defect = at.symplectic_defect();
        println!("{id}: {defect:e}");
        assert!(defect < bound, "{id}: {defect:e}");
        let mut method = Variational::<_, FromLagrangian>::new(scheme.clone());
        let back = symmetric_defect(p, &mut method, 0.0, 0.3, &p.start()).unwrap();
        assert!(!scheme.symmetric || back < 1e-14, "{id}: {back:e}");
    }
}

#[test]
fn symplectic_on_motions() {
    symplectic(&Tethered(PhantomData), 1e-13);
}

#[test]
fn symplectic_on_products() {
    symplectic(&Pair(PhantomData), 1e-13);
    let top = Quadratic(Top::named("mild-top"));
    let dual = top.over(Tangent::constant);
    for id in SOME {
        let scheme = names::scheme(id).unwrap().unwrap();
        let mut method = Variational::<_, FromHamiltonian>::new(scheme);
        let at = linearise::<(Rotations, Translations<3>), _, _>(
            &dual,
            &mut method,
            0.0,
            0.3,
            &top.start(),
        );
        let defect = at.unwrap().symplectic_defect();
        assert!(defect < 1e-13, "{id}: {defect:e}");
    }
}

#[test]
fn order_on_motions() {
    let p = Tethered::<f64>(PhantomData);
    let run = |id: &str, n: usize| {
        let scheme = names::scheme(id).unwrap().unwrap();
        let mut method = Variational::<_, FromLagrangian>::new(scheme);
        integrate(&p, &mut method, 1.0 / n as f64, n, |_, _| ())
    };
    let exact = run("liegalerkin-exp-s3-gauss3", 64);
    for (id, steps) in [
        ("slgi-theta0", 32),
        ("chart-cay-truemid", 32),
        ("liegalerkin-cay-s2-gauss2", 16),
        ("liegalerkin-cay-s3-lobatto4", 16),
    ] {
        let error = |n| {
            let y = run(id, n);
            lieflow::method::cotangent::structure::distance(&exact, &y)
        };
        let observed = (error(steps) / error(2 * steps)).log2();
        let claimed = f64::from(names::scheme(id).unwrap().unwrap().order.unwrap());
        assert!((observed - claimed).abs() < 0.15, "{id}: {observed}");
    }
    // The energy that the methods keep near is that of the exact motion.
    let start = lagrangian::energy(&p, 0.0, &p.start()).unwrap();
    let end = lagrangian::energy(&p, 0.0, &exact).unwrap();
    assert!((end - start).abs() < 1e-12, "{start} {end}");
}

#[test]
fn arrays_and_vectors_agree() {
    for id in SOME {
        let scheme = names::scheme(id).unwrap().unwrap();
        let mut one = Variational::<_, FromLagrangian>::new(scheme.clone());
        let mut other = Variational::<_, FromLagrangian>::new(scheme);
        let a = integrate(&Pair::<f64>(PhantomData), &mut one, 0.2, 5, |_, _| ());
        let b = integrate(&Row::<f64>(PhantomData), &mut other, 0.2, 5, |_, _| ());
        assert_eq!(a.g.to_vec(), b.g, "{id}");
        assert_eq!(a.mu.to_vec(), b.mu, "{id}");
    }
}

/// Solving for all variables of T*(SO(3) × R³) gives the top of T*SO(3), and `q` besides.
#[test]
fn quadratic_top_adds_only_q() {
    let data = reference();
    for f in data["public"]["fingerprints"].as_array().unwrap() {
        if f["kind"] != "fingersym" || f["case"] == "free-body-seed001" {
            continue;
        }
        let top = Quadratic(Top::named(f["case"].as_str().unwrap()));
        let (h, steps) = (f["h"].as_f64().unwrap(), f["steps"].as_u64().unwrap() as usize);
        for id in ["slgi-theta0", "slgi-theta0.5", "slgi-theta1"] {
            let want = numbers(&f["states"][id]);
            let mut method =
                Variational::<_, FromHamiltonian>::new(names::scheme(id).unwrap().unwrap());
            let y = integrate(&top, &mut method, h, steps, |_, _| ());
            let mut got = flat(&Cotangent { g: y.g.0, mu: y.mu.0 });
            got.extend(y.g.1.0);
            let error = relative(&got, &want);
            println!("{} {id}: {error:e}", f["case"]);
            assert!(error < 1e-12, "{} {id}: {error:e}", f["case"]);
            let p = top.start().mu.1;
            assert!(y.mu.1.0.iter().zip(p.0).all(|(a, b)| (a - b).abs() < 1e-13));
        }
    }
}

fn small_vectors(d: usize) -> Vec<Vec<f64>> {
    let mut x = 0.37;
    let mut next = || {
        x = (x * 997.13 + 0.61) % 1.0;
        2.0 * x - 1.0
    };
    (0..12).map(|i| (0..d).map(|_| next() * [1e-9, 1e-2, 1.0, 2.0][i % 4]).collect()).collect()
}

fn fill<A: LieAlgebra<Scalar = f64>>(shape: &A, x: &[f64]) -> A {
    let mut u = shape.zero_like();
    for (i, x) in x.iter().enumerate() {
        u.set_coord(i, *x);
    }
    u
}

/// What a family says of its charts follows from the maps themselves.
fn chart_laws<F: GroupFamily>(shape: &VectorIn<F, f64>) {
    type D = Dual<f64, 1>;
    let d = shape.dim();
    let samples = small_vectors(d);
    for (n, u) in samples.iter().enumerate() {
        let at = |k: usize| fill(shape, &samples[(n + k) % samples.len()]);
        let (u, v, m, k) = (fill(shape, u), at(5), at(6), at(7));
        let toward = |direction: &VectorIn<F, f64>| {
            let mut x = F::cast_vector(&u, D::constant);
            for i in 0..d {
                x.set_coord(i, Dual { re: u.coord(i), eps: [direction.coord(i)] });
            }
            x
        };
        let close = |a: f64, b: f64, size: f64, what: &str| {
            assert!((a - b).abs() < 1e-13 * (1.0 + size), "{what}: {a:e} {b:e}");
        };
        for chart in [NaturalChart::Exp, NaturalChart::Cayley] {
            // dphi_u v is the derivative of phi, trivialised on the right.
            let moved = F::map(chart, &toward(&v));
            let fixed = F::cast(&F::map(chart, &u), D::constant);
            let turn = moved.compose(&fixed.inverse()).log();
            let push = F::push(chart, &u, &v);
            for i in 0..d {
                close(turn.coord(i).eps[0], push.coord(i), push.norm(), "push");
            }
            let transposed = F::push_transpose(chart, &u, &m);
            close(pair(&m, &push), pair(&transposed, &v), m.norm() * v.norm(), "transpose");
            // The gradient of the differential.
            let lifted = F::push(chart, &toward(&v), &F::cast_vector(&k, D::constant));
            let slope = pair(&F::cast_vector(&m, D::constant), &lifted).eps[0];
            let gradient = F::push_gradient(chart, &u, &k, &m);
            close(slope, pair(&gradient, &v), m.norm() * v.norm() * k.norm(), "gradient");
        }
        let half = F::map(NaturalChart::Cayley, &F::cay_half(&u));
        let miss = half.compose(&half).compose(&F::map(NaturalChart::Cayley, &u).inverse()).log();
        assert!(miss.norm() < 1e-14, "half: {:e}", miss.norm());
        let slope = pair(&F::cast_vector(&m, D::constant), &F::cay_half(&toward(&v))).eps[0];
        let transposed = F::cay_half_transpose(&u, &m);
        close(slope, pair(&transposed, &v), m.norm() * v.norm(), "half, transposed");
    }
}

#[test]
fn families_know_their_charts() {
    let (three, six) = (Vec3::<f64>::zero(), Twist::new(Vec3::<f64>::zero(), Vec3::zero()));
    chart_laws::<Rotations>(&three);
    chart_laws::<Motions>(&six);
    chart_laws::<Translations<2>>(&Rn::zero());
    chart_laws::<(Rotations, Translations<3>)>(&(three, Rn::zero()));
    chart_laws::<[Rotations; 2]>(&[three; 2]);
    chart_laws::<Vec<Motions>>(&vec![six; 2]);
}

/// A closed form replaces the duals only if it is the same.
#[test]
fn closed_forms_equal_the_duals() {
    let top = Top::named("mild-top");
    let start = top.start();
    let (g, w) = (start.g, vec3(0.4, -0.8, 0.3));
    let close = |a: Vec3<f64>, b: Vec3<f64>| assert!((a - b).norm() < 1e-15, "{a:?} {b:?}");
    close(
        Lagrangian::momentum(&top, 0.0, &g, &w),
        lagrangian::momentum_by_duals(&top, 0.0, &g, &w),
    );
    close(Lagrangian::force(&top, 0.0, &g, &w), lagrangian::force_by_duals(&top, 0.0, &g, &w));
    let p = start.body_momentum();
    close(
        Lagrangian::velocity(&top, 0.0, &g, &p).unwrap(),
        lagrangian::velocity_by_duals(&top, 0.0, &g, &p).unwrap(),
    );
    // The Hamiltonian of the same system, by duals: v = w in space, n = torque - w × mu.
    let v = Hamiltonian::velocity(&top, 0.0, &g, &top.mu);
    close(v, g.matrix.apply(p.divided_by(top.inertia)));
    let torque = top.up.cross(g.matrix.apply(top.chi)) * top.k;
    close(Hamiltonian::force(&top, 0.0, &g, &top.mu), torque - v.cross(top.mu));
    close(Hamiltonian::momentum(&top, 0.0, &g, &v).unwrap(), top.mu);
    let identity: Mat3<f64> = Mat3::identity();
    assert_eq!(So3 { matrix: identity }.compose(&g), g);
}

/// `cay(half(u))² = cay(u)`, which half of `u` does not give.
#[test]
fn half_of_a_cayley_map() {
    let mut draw = lieflow_testing::Draw::new(31);
    for size in [1e-3, 0.3, 1.0, 4.0] {
        let u = Twist::new(draw.vector() * size, draw.vector() * size);
        let half = Motions::cay_half(&u);
        let g = Motions::map(NaturalChart::Cayley, &half);
        let twice = g.compose(&g);
        let whole = Motions::map(NaturalChart::Cayley, &u);
        let off = (twice.rotation - whole.rotation).norm_squared().sqrt()
            + (twice.position - whole.position).norm();
        assert!(off < 3e-15 * (1.0 + size), "{size}: {off:e}");
        let turned = Rotations::cay_half(&u.angular);
        assert!((turned - half.angular).norm() < 1e-15 * size, "{size}");
    }
}
