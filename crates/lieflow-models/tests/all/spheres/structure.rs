//! What the methods on spheres preserve, measured.
use super::data::*;
use super::experiments::*;
use super::random::Random;
use lieflow::action::Link;
use lieflow::chart::Chart;
use lieflow::kernel::linalg::solve_in_place;
use lieflow::method::cotangent::structure::Tangent;
use lieflow::method::rkmk::Rkmk;
use lieflow::method::spheres::structure::symplectic_defect;
use lieflow::method::spheres::{Eln, Llm, Rattle};
use lieflow::method::{Method, Step, StepError};
use lieflow::problem::spheres::{
    Coordinates, MomentumCoordinates, OnSpheres, Se3Coordinates, Slot, SphereProblem, SphereSystem,
    length_error, tangency_error,
};
use lieflow::problem::{Lift, Problem};
use lieflow::{Real, Vec3, tableau, vec3};
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
    method.step(Step::new(&p, 0.0, h, &p.start()), &mut out).unwrap();
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

/// How much one step from a random state changes the symplectic form, relative to it.
fn form_defect<M: SphereSystem<Scalar = f64>, C: Coordinates>(
    m: &M,
    method: &mut dyn Method<OnSpheres<M::Over<Tangent>, C>>,
    h: f64,
    random: &mut Random,
) -> f64 {
    let p = OnSpheres::<M, C>::new(m.clone(), &random.links(m.count(), 2.0));
    symplectic_defect(&p.lift(Tangent::constant), method, 0.0, h, &p.start()).unwrap()
}

fn form_is_kept<C: Coordinates>(random: &mut Random) {
    let mut worst = [0.0f64; 4];
    for k in 0..40 {
        let n = 1 + k % 4;
        let m = random.chain(n);
        let mut see = |i: usize, defect: f64| worst[i] = worst[i].max(defect);
        see(0, form_defect::<_, C>(&m, &mut Rattle::new(), 0.01, random));
        see(1, form_defect::<_, C>(&m, &mut Llm::new(), 0.01, random));
        see(if n == 1 { 2 } else { 3 }, form_defect::<_, C>(&m, &mut Eln::new(), 0.01, random));
    }
    println!(
        "{}: rattle {:.1e}, llm {:.1e}, eln {:.1e}, eln coupled {:.1e}",
        C::NAME,
        worst[0],
        worst[1],
        worst[2],
        worst[3]
    );
    assert!(worst[0] < 1e-12 && worst[1] < 1e-12 && worst[2] < 1e-12, "{worst:?}");
    assert!(worst[3] > 1e-7, "ELN with a coupled mass matrix is not symplectic: {worst:?}");
    let m = Coupled::random(random, 3);
    assert!(form_defect::<_, C>(&m, &mut Rattle::new(), 0.05, random) < 1e-12);
    assert!(form_defect::<_, C>(&m, &mut Llm::new(), 0.05, random) < 1e-12);
    assert!(form_defect::<_, C>(&m, &mut Eln::new(), 0.05, random) > 1e-6);
    let m = grid();
    assert!(form_defect::<_, C>(&m, &mut Rattle::new(), 0.005, random) < 1e-12);
    assert!(form_defect::<_, C>(&m, &mut Eln::new(), 0.005, random) < 1e-12);
    let mut rkmk4 = Rkmk::new(&tableau::RK4, Chart::Exp);
    assert!(form_defect::<_, C>(&random.chain(2), &mut rkmk4, 0.05, random) > 1e-6);
}

#[test]
fn the_symplectic_form_is_kept_where_it_should_be() {
    let mut random = Random::new(13);
    form_is_kept::<Se3Coordinates>(&mut random);
    form_is_kept::<MomentumCoordinates>(&mut random);
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
    let m = SphereProblem::system(&p);
    for name in [RKMK4, RKMKGL4, RKMK4_SE3, CF4, RKMKGL4_SE3] {
        for link in walk_in(m, &case, name, 0.005, 300, &mut |_, _| {}).unwrap() {
            assert_eq!((link.q.y, link.omega.x, link.omega.z), (0.0, 0.0, 0.0), "{name:?}");
        }
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
            if let Err(error) = method.step(Step::new(&p, k as f64 * h, h, &y), &mut out) {
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
        method.step(Step::new(&p, 0.0, h / 64.0, &y), &mut out).unwrap();
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
        let error = method.step(Step::new(&p, 0.0, 0.1, &p.start()), &mut out).unwrap_err();
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
            method.step(Step::new(p, f64::from(k) * 0.01, 0.01, &y), &mut out).unwrap();
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
