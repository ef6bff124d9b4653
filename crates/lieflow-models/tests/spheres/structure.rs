//! What the methods on spheres preserve, measured.
use crate::data::*;
use crate::random::Random;
use lieflow::action::Link;
use lieflow::kernel::linalg::solve_in_place;
use lieflow::kernel::so3;
use lieflow::method::spheres::{Eln, Llm, Rattle};
use lieflow::method::{Method, StepError};
use lieflow::problem::Problem;
use lieflow::problem::spheres::{
    Coordinates, MomentumCoordinates, OnSpheres, Se3Coordinates, Slot, SphereSystem, length_error,
    tangency_error,
};
use lieflow::{Dual, Real, Vec3, vec3};
use lieflow_models::system::dipoles::Dipoles;
use lieflow_models::system::pendulum_chain::PendulumChain;

/// A system with a full mass matrix and the potential `sum c_i·q_i + k sum_{i<j} q_i·q_j`.
#[derive(Clone)]
struct Coupled<S> {
    n: usize,
    mass: Vec<S>,
    inverse: Vec<S>,
    pull: Vec<Vec3<S>>,
    k: S,
}

impl Coupled<f64> {
    fn random(random: &mut Random, n: usize) -> Self {
        let root: Vec<f64> = (0..n * n).map(|_| random.between(-0.5, 0.5)).collect();
        let mut mass = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                mass[i * n + j] = f64::from(u8::from(i == j))
                    + (0..n).map(|k| root[i * n + k] * root[j * n + k]).sum::<f64>();
            }
        }
        let mut inverse = vec![0.0; n * n];
        for j in 0..n {
            let mut column: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == j))).collect();
            assert!(solve_in_place(n, &mut mass.clone(), &mut column));
            (0..n).for_each(|i| inverse[i * n + j] = column[i]);
        }
        Self { n, mass, inverse, pull: (0..n).map(|_| random.vector(3.0)).collect(), k: 0.7 }
    }
}

impl<S: Real> SphereSystem for Coupled<S> {
    type Scalar = S;
    type Over<T: Real> = Coupled<T>;
    fn over<T: Real>(&self, embed: fn(S) -> T) -> Coupled<T> {
        let list = |from: &[S]| from.iter().map(|x| embed(*x)).collect();
        let pull = self.pull.iter().map(|v| vec3(embed(v.x), embed(v.y), embed(v.z))).collect();
        Coupled {
            n: self.n,
            mass: list(&self.mass),
            inverse: list(&self.inverse),
            pull,
            k: embed(self.k),
        }
    }
    fn count(&self) -> usize {
        self.n
    }
    fn mass(&self, i: usize, j: usize) -> S {
        self.mass[i * self.n + j]
    }
    fn inverse_mass(&self, i: usize, j: usize) -> S {
        self.inverse[i * self.n + j]
    }
    fn potential(&self, y: &[Link<S>]) -> S {
        let mut sum = S::zero();
        for i in 0..self.n {
            sum += self.pull[i].dot(y[i].q);
            for j in 0..i {
                sum += self.k * y[i].q.dot(y[j].q);
            }
        }
        sum
    }
    fn add_gradient<O: Slot<S>>(&self, y: &[Link<S>], out: &mut [O]) {
        let mut all = Vec3::zero();
        y.iter().for_each(|link| all += link.q);
        for (i, o) in out.iter_mut().enumerate() {
            o.set_second(o.second() + self.pull[i] + (all - y[i].q).times(self.k));
        }
    }
}

fn grid() -> Dipoles<f64> {
    Dipoles::grid(2, 3, 0.024, 0.05, 0.02, 0.1).unwrap()
}

/// One step from any state.
fn step<M: SphereSystem, C: Coordinates>(
    m: &M,
    method: &mut dyn Method<OnSpheres<M, C>>,
    h: f64,
    y: &[Link<M::Scalar>],
) -> Vec<Link<M::Scalar>> {
    let p = OnSpheres::<M, C>::new(m.clone(), y);
    let mut out = p.start();
    method.step(&p, 0.0, h, &p.start(), &mut out).unwrap();
    p.links(&out)
}

#[test]
fn rattle_and_lee_leok_mcclamroch_are_the_same_map() {
    fn check<M: SphereSystem<Scalar = f64>>(m: &M, y: &[Link<f64>], h: f64, bound: f64) {
        let p = OnSpheres::<M, Se3Coordinates>::new(m.clone(), y);
        let a = run(&p, &mut Rattle::new(), h, 20);
        let b = run(&p, &mut Llm::new(), h, 20);
        let d = distance(&a, &b);
        println!("n = {}: {d:.1e}", m.count());
        assert!(d < bound, "n = {}: {d:e}", m.count());
    }
    let mut random = Random::new(11);
    for k in 0..40 {
        let n = 1 + k % 4;
        check(&random.chain(n), &random.links(n, 2.0), 0.01, 1e-12);
    }
    for n in 2..6 {
        let m = Coupled::random(&mut random, n);
        check(&m, &random.links(n, 2.0), 0.02, 1e-12);
    }
    check(&grid(), &random.links(6, 2.0), 0.005, 1e-12);
}

#[test]
fn a_step_back_undoes_a_step() {
    fn check<M: SphereSystem<Scalar = f64>>(m: &M, y: &[Link<f64>], h: f64) {
        macro_rules! back_and_forth {
            ($method:ty) => {
                let there = step::<M, Se3Coordinates>(m, &mut <$method>::new(), h, y);
                let here = step::<M, Se3Coordinates>(m, &mut <$method>::new(), -h, &there);
                let d = distance(&here, y);
                assert!(d < 2e-14, "{}: {d:e}", stringify!($method));
            };
        }
        back_and_forth!(Eln<f64>);
        back_and_forth!(Rattle<f64>);
        back_and_forth!(Llm<f64>);
    }
    let mut random = Random::new(12);
    for k in 0..40 {
        let n = 1 + k % 4;
        check(&random.chain(n), &random.links(n, 2.0), 0.01);
    }
    check(&Coupled::random(&mut random, 4), &random.links(4, 2.0), 0.02);
    check(&grid(), &random.links(6, 2.0), 0.005);
}

/// The canonical form `sum dq_i ∧ dp_i` on two tangent vectors, carried as the two derivatives of
/// a state.
fn symplectic_form<M: SphereSystem<Scalar = Dual<f64, 2>>>(m: &M, y: &[Link<Dual<f64, 2>>]) -> f64 {
    let mut p = y.to_vec();
    m.momentum(y, &mut p);
    let part = |v: Vec3<Dual<f64, 2>>, k: usize| vec3(v.x.eps[k], v.y.eps[k], v.z.eps[k]);
    let each = y
        .iter()
        .zip(&p)
        .map(|(y, p)| part(y.q, 0).dot(part(p.omega, 1)) - part(y.q, 1).dot(part(p.omega, 0)));
    each.sum()
}

/// How much one step changes the symplectic form of two random tangent vectors of the manifold,
/// relative to it.
fn symplectic_defect<M: SphereSystem<Scalar = f64>>(
    m: &M,
    method: &mut dyn Method<OnSpheres<M::Over<Dual<f64, 2>>, Se3Coordinates>>,
    h: f64,
    random: &mut Random,
) -> f64 {
    let m = m.over(Dual::<f64, 2>::constant);
    let y: Vec<Link<Dual<f64, 2>>> = (0..m.count())
        .map(|_| {
            let q = Vec3::lift(random.unit());
            let mut vary = |size: f64| {
                let (v, a, b) = (random.vector(size), random.vector(1.0), random.vector(1.0));
                vec3(
                    Dual { re: v.x, eps: [a.x, b.x] },
                    Dual { re: v.y, eps: [a.y, b.y] },
                    Dual { re: v.z, eps: [a.z, b.z] },
                )
            };
            let q = so3::rotate(vary(1.0), q);
            Link::new(q, q.cross(vary(2.0)))
        })
        .collect();
    let end = step::<_, Se3Coordinates>(&m, method, h, &y);
    let (before, after) = (symplectic_form(&m, &y), symplectic_form(&m, &end));
    (after - before).abs() / before.abs().max(1.0)
}

#[test]
fn the_symplectic_form_is_kept_where_it_should_be() {
    let mut random = Random::new(13);
    let mut worst = [0.0f64; 4];
    for k in 0..40 {
        let n = 1 + k % 4;
        let m = random.chain(n);
        worst[0] = worst[0].max(symplectic_defect(&m, &mut Rattle::new(), 0.01, &mut random));
        worst[1] = worst[1].max(symplectic_defect(&m, &mut Llm::new(), 0.01, &mut random));
        let eln = symplectic_defect(&m, &mut Eln::new(), 0.01, &mut random);
        if n == 1 {
            worst[2] = worst[2].max(eln);
        } else {
            worst[3] = worst[3].max(eln);
        }
    }
    println!(
        "rattle {:.1e}, llm {:.1e}, eln {:.1e}, eln coupled {:.1e}",
        worst[0], worst[1], worst[2], worst[3]
    );
    assert!(worst[0] < 1e-12 && worst[1] < 1e-12 && worst[2] < 1e-12, "{worst:?}");
    assert!(worst[3] > 1e-7, "ELN with a coupled mass matrix is not symplectic: {worst:?}");
    let m = Coupled::random(&mut random, 3);
    assert!(symplectic_defect(&m, &mut Rattle::new(), 0.05, &mut random) < 1e-12);
    assert!(symplectic_defect(&m, &mut Llm::new(), 0.05, &mut random) < 1e-12);
    let m = grid();
    for method in [true, false] {
        let mut eln = Eln::new();
        let mut rattle = Rattle::new();
        let defect = if method {
            symplectic_defect(&m, &mut eln, 0.005, &mut random)
        } else {
            symplectic_defect(&m, &mut rattle, 0.005, &mut random)
        };
        assert!(defect < 1e-12, "{defect:e}");
    }
}

#[test]
fn variational_methods_keep_the_momentum() {
    let mut random = Random::new(14);
    for n in 1..5 {
        let m = random.chain(n);
        let p = OnSpheres::<_, Se3Coordinates>::new(m.clone(), &random.links(n, 2.0));
        let before = m.angular_momentum(&p.start()).z;
        for end in [run(&p, &mut Rattle::new(), 0.01, 1000), run(&p, &mut Llm::new(), 0.01, 1000)] {
            let d = (m.angular_momentum(&end).z - before).abs();
            assert!(d < 1e-12, "n = {n}: {d:e}");
        }
    }
}

#[test]
fn plane_motions_stay_plane_exactly() {
    let mut case = Random::new(15).links(8, 0.0);
    case.fill(Link::new(vec3(0.5f64.sqrt(), 0.0, 0.5f64.sqrt()), vec3(0.0, 1.0, 0.0)));
    let m = PendulumChain::new(vec![1.0; 8], vec![1.0; 8], vec3(0.0, 0.0, -9.81)).unwrap();
    let p = OnSpheres::<_, Se3Coordinates>::new(m.clone(), &case);
    let ends = [
        run(&p, &mut Eln::new(), 0.005, 300),
        run(&p, &mut Rattle::new(), 0.005, 300),
        run(&p, &mut Llm::new(), 0.005, 300),
    ];
    for end in ends {
        for link in end {
            assert_eq!((link.q.y, link.omega.x, link.omega.z), (0.0, 0.0, 0.0));
        }
    }
    let p = OnSpheres::<_, MomentumCoordinates>::new(m, &case);
    for link in run(&p, &mut Eln::new(), 0.005, 300) {
        assert_eq!((link.q.y, link.omega.x, link.omega.z), (0.0, 0.0, 0.0));
    }
}

#[test]
fn a_step_without_solution_fails_and_leaves_the_state() {
    let data = reference();
    let case = flow(&data, "dipoles_4x4");
    let p = OnSpheres::<_, Se3Coordinates>::new(dipoles(&case), &start(&case));
    let (mut rattle, mut llm) = (Rattle::new(), Llm::new());
    for method in [&mut rattle as &mut dyn Method<_>, &mut llm] {
        let (h, mut y) = (1.0 / 16.0, p.start());
        let mut out = y.clone();
        let mut failure = None;
        for k in 0..16 {
            let before = y.clone();
            if let Err(error) = method.step(&p, k as f64 * h, h, &y, &mut out) {
                assert_eq!(y, before);
                failure = Some(error);
                break;
            }
            method.accept();
            std::mem::swap(&mut y, &mut out);
        }
        let Some(StepError::NoSolution { step, .. }) = failure else { panic!("{failure:?}") };
        assert_eq!(step, h);
        // A smaller step goes on from there.
        method.reset();
        method.step(&p, 0.0, h / 64.0, &y, &mut out).unwrap();
    }
    // A chain that turns too fast for the step.
    let m = PendulumChain::new(vec![1.0, 2.0], vec![1.0, 0.5], vec3(0.0, 0.0, -9.81)).unwrap();
    let fast = [
        Link::new(vec3(1.0, 0.0, 0.0), vec3(0.0, 30.0, 0.0)),
        Link::new(vec3(0.0, 1.0, 0.0), vec3(40.0, 0.0, 0.0)),
    ];
    let p = OnSpheres::<_, Se3Coordinates>::new(m, &fast);
    let mut out = p.start();
    for method in [&mut Rattle::new() as &mut dyn Method<_>, &mut Llm::new()] {
        let error = method.step(&p, 0.0, 0.1, &p.start(), &mut out).unwrap_err();
        assert!(
            matches!(error, StepError::NoSolution { .. } | StepError::NotConverged { .. }),
            "{error}"
        );
        assert_eq!(out, p.start());
    }
}

#[test]
fn long_runs_of_the_spherical_pendulum_behave_as_measured() {
    // Errors of the energy, the momentum about the vertical, |q| and q·w over 20 000 steps.
    fn extremes<M: Method<Pendulum>>(p: &Pendulum, mut method: M) -> [f64; 4] {
        let m = lieflow::problem::spheres::SphereProblem::system(p);
        let mut y = p.start();
        let mut out = y.clone();
        let (energy, momentum) = (m.energy(&y), m.angular_momentum(&y).z);
        let mut worst = [0.0f64; 4];
        for k in 0..20_000 {
            method.step(p, f64::from(k) * 0.01, 0.01, &y, &mut out).unwrap();
            method.accept();
            std::mem::swap(&mut y, &mut out);
            let now = [
                (m.energy(&y) - energy).abs(),
                (m.angular_momentum(&y).z - momentum).abs(),
                length_error(&y),
                tangency_error(&y),
            ];
            for (w, x) in worst.iter_mut().zip(now) {
                *w = w.max(x);
            }
        }
        worst
    }
    type Pendulum = OnSpheres<PendulumChain<f64>, Se3Coordinates>;
    let data = reference();
    let case = flow(&data, "spherical_pendulum");
    let p = Pendulum::new(chain(&case), &start(&case));
    let [energy, momentum, length, tangency] = extremes(&p, Eln::new());
    println!("eln    {energy:.3e} {momentum:.1e} {length:.1e} {tangency:.1e}");
    assert!((energy - 1.057e-4).abs() < 0.01e-4, "{energy:e}");
    assert!(momentum < 2e-12 && length < 5e-14 && tangency < 1e-13);
    for end in [extremes(&p, Rattle::new()), extremes(&p, Llm::new())] {
        let [energy, momentum, length, tangency] = end;
        println!("rattle {energy:.3e} {momentum:.1e} {length:.1e} {tangency:.1e}");
        assert!((energy - 1.937e-4).abs() < 0.01e-4, "{energy:e}");
        assert!(momentum < 2e-12 && length < 5e-14 && tangency < 1e-13);
    }
}
