//! Pendulum chains: accelerations, their derivatives, energies, momenta, and what is refused.
use super::data::*;
use super::random::Random;
use lieflow::action::Link;
use lieflow::kernel::linalg::solve_in_place;
use lieflow::kernel::scalar::DoubleDouble;
use lieflow::problem::spheres::{SphereSystem, momenta, velocities};
use lieflow::{Dual, Real, Vec3, vec3};
use lieflow_models::system::SystemError;
use lieflow_models::system::links::{links as checked, projected_links};
use lieflow_models::system::pendulum_chain::PendulumChain;

/// A chain that forgets its structure: every function by dense algebra.
#[derive(Clone)]
struct Dense<S>(PendulumChain<S>);

impl<S: Real> SphereSystem for Dense<S> {
    type Scalar = S;
    type Over<T: Real> = Dense<T>;
    fn over<T: Real>(&self, embed: fn(S) -> T) -> Dense<T> {
        Dense(self.0.over(embed))
    }
    fn count(&self) -> usize {
        self.0.count()
    }
    fn mass(&self, i: usize, j: usize) -> S {
        self.0.mass(i, j)
    }
    fn inverse_mass(&self, i: usize, j: usize) -> S {
        self.0.inverse_mass(i, j)
    }
    fn potential(&self, y: &[Link<S>]) -> S {
        self.0.potential(y)
    }
    fn add_gradient<O: lieflow::problem::spheres::Slot<S>>(&self, y: &[Link<S>], out: &mut [O]) {
        self.0.add_gradient(y, out);
    }
}

fn accelerations<M: SphereSystem>(m: &M, y: &[Link<M::Scalar>]) -> Vec<Vec3<M::Scalar>> {
    let mut out = y.to_vec();
    m.acceleration(y, &mut out);
    out.iter().map(|o| o.omega).collect()
}

fn accelerations_anywhere<M: SphereSystem>(m: &M, y: &[Link<M::Scalar>]) -> Vec<Vec3<M::Scalar>> {
    let mut out = y.to_vec();
    m.acceleration_anywhere(y, &mut out);
    out.iter().map(|o| o.omega).collect()
}

/// The largest difference relative to the largest vector of `b`.
fn difference(a: &[Vec3<f64>], b: &[Vec3<f64>]) -> f64 {
    let size = b.iter().map(|v| v.norm()).fold(1e-300, f64::max);
    a.iter().zip(b).map(|(a, b)| (*a - *b).norm()).fold(0.0, f64::max) / size
}

#[test]
fn initial_values_agree_with_the_reference() {
    let data = reference();
    for case in data["flows"].as_array().unwrap() {
        if case["system"] != "chain" {
            continue;
        }
        let (m, y, name) = (chain(case), start(case), &case["name"]);
        let d = difference(&accelerations(&m, &y), &vectors(&case["wdot0"]));
        // Straight chains determine their tensions badly; the data are exact to 21 digits.
        assert!(d < 2e-14, "{name}: acceleration {d:e}");
        let energy = case["energy0"].as_f64().unwrap();
        assert!((m.energy(&y) - energy).abs() < 1e-13 * energy.abs().max(1.0), "{name}: energy");
        let momentum = vector(&case["angular_momentum0"]);
        let d = (m.angular_momentum(&y) - momentum).norm();
        assert!(d < 1e-14 * momentum.norm().max(1.0), "{name}: angular momentum {d:e}");
        let mut pi = y.clone();
        momenta(&m, &y, &mut pi);
        let found: Vec<_> = pi.iter().map(|l| l.omega).collect();
        let d = difference(&found, &vectors(&case["pi0"]));
        assert!(d < 1e-14, "{name}: momenta {d:e}");
        let mut back = y.clone();
        velocities(&m, &pi, &mut back);
        assert!(distance(&back, &y) < 1e-12, "{name}: {:e}", distance(&back, &y));
    }
}

#[test]
fn the_inverse_of_the_mass_matrix_is_its_inverse() {
    let mut random = Random::new(1);
    for n in [1, 2, 5, 9] {
        let m = random.chain(n);
        for j in 0..n {
            let mut a: Vec<f64> = (0..n * n).map(|k| m.mass(k / n, k % n)).collect();
            let mut column: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == j))).collect();
            assert!(solve_in_place(n, &mut a, &mut column));
            for (i, x) in column.into_iter().enumerate() {
                assert!((x - m.inverse_mass(i, j)).abs() < 1e-11, "{n} {i} {j}");
            }
        }
    }
}

#[test]
fn the_recursion_agrees_with_dense_solves_also_off_the_tangent_space() {
    let mut random = Random::new(2);
    for n in [1, 2, 3, 4, 7, 12, 20] {
        let m = random.chain(n);
        let mut y = random.links(n, 3.0);
        for k in 0..2 {
            let fast = accelerations(&m, &y);
            let by_multipliers = accelerations(&Dense(m.clone()), &y);
            let by_blocks = accelerations_anywhere(&Dense(m.clone()), &y);
            let (a, b) = (difference(&fast, &by_multipliers), difference(&fast, &by_blocks));
            assert!(a < 1e-12 && b < 1e-12, "n = {n}: {a:e} {b:e}");
            for (a, link) in fast.iter().zip(&y) {
                assert!(a.dot(link.q).abs() < 1e-13 * a.norm().max(1.0));
            }
            if k == 0 {
                // Now with q·w ≠ 0.
                y.iter_mut().for_each(|link| link.omega = random.vector(3.0));
            }
        }
    }
}

#[test]
fn off_the_spheres_the_blocks_agree_with_the_dense_equations() {
    let mut random = Random::new(3);
    for n in [1, 2, 3, 6, 15] {
        let m = random.chain(n);
        let y: Vec<_> = (0..n)
            .map(|_| Link::new(random.unit() * random.between(0.8, 1.2), random.vector(3.0)))
            .collect();
        let fast = accelerations_anywhere(&m, &y);
        let dense = accelerations_anywhere(&Dense(m.clone()), &y);
        let d = difference(&fast, &dense);
        assert!(d < 1e-12, "n = {n}: {d:e}");
    }
}

#[test]
fn a_thousand_links_are_accurate_to_rounding() {
    let mut random = Random::new(4);
    for n in [10, 100, 1000] {
        let m = random.chain(n);
        let y = random.links(n, 2.0);
        let wide = |v: Vec3<f64>| Vec3::<DoubleDouble>::lift(v);
        let exact_y: Vec<_> = y.iter().map(|l| Link::new(wide(l.q), wide(l.omega))).collect();
        // Directions in double precision are unit vectors up to rounding only; the recursion takes
        // them as they are, in both precisions.
        let exact = accelerations(&m.over(DoubleDouble::lift), &exact_y);
        let exact: Vec<_> = exact.iter().map(|v| vec3(v.x.hi(), v.y.hi(), v.z.hi())).collect();
        let d = difference(&accelerations(&m, &y), &exact);
        println!("n = {n}: {d:.1e}");
        assert!(d < 1e-14, "n = {n}: {d:e}");
    }
}

#[test]
fn the_directional_derivative_agrees_with_dual_numbers() {
    let mut random = Random::new(5);
    for n in [1, 2, 3, 8, 30] {
        let m = random.chain(n);
        let y = random.links(n, 2.0);
        let dy: Vec<_> =
            (0..n).map(|_| Link::new(random.vector(1.0), random.vector(1.0))).collect();
        let (mut fast, mut dual) = (y.clone(), y.clone());
        let list = |s: &[Link<f64>]| s.iter().map(|l| l.omega).collect::<Vec<_>>();
        // In any direction, by dual numbers through the recursion itself.
        m.acceleration_derivative(&y, &dy, &mut fast);
        let at = |x: Vec3<f64>, d: Vec3<f64>| Vec3 {
            x: Dual { re: x.x, eps: [d.x] },
            y: Dual { re: x.y, eps: [d.y] },
            z: Dual { re: x.z, eps: [d.z] },
        };
        let both: Vec<_> =
            y.iter().zip(&dy).map(|(y, d)| Link::new(at(y.q, d.q), at(y.omega, d.omega))).collect();
        let carried = accelerations(&m.over(Dual::<f64, 1>::constant), &both);
        let carried: Vec<_> =
            carried.iter().map(|v| vec3(v.x.eps[0], v.y.eps[0], v.z.eps[0])).collect();
        let d = difference(&list(&fast), &carried);
        assert!(d < 1e-13, "n = {n}: {d:e}");
        // The dense form holds for unit vectors only: move along the spheres.
        let along: Vec<_> =
            y.iter().zip(&dy).map(|(y, d)| Link::new(d.q.cross(y.q), d.omega)).collect();
        m.acceleration_derivative(&y, &along, &mut fast);
        Dense(m.clone()).acceleration_derivative(&y, &along, &mut dual);
        let d = difference(&list(&fast), &list(&dual));
        assert!(d < 1e-12, "n = {n}: {d:e}");
    }
}

#[test]
fn the_exact_motion_keeps_the_energy_and_the_momentum() {
    // d/dt of both along the field, by central differences of a state moved a little.
    let mut random = Random::new(6);
    for n in [1, 2, 5, 40] {
        let m = random.chain(n);
        let y = random.links(n, 2.0);
        let a = accelerations(&m, &y);
        let moved = |e: f64| -> Vec<Link<f64>> {
            y.iter()
                .zip(&a)
                .map(|(l, a)| {
                    Link::new(lieflow::kernel::so3::rotate(l.omega * e, l.q), l.omega + *a * e)
                })
                .collect()
        };
        let e = 1e-5;
        let rate = (m.energy(&moved(e)) - m.energy(&moved(-e))) / (2.0 * e);
        let size = m.kinetic_energy(&y);
        assert!(rate.abs() < 1e-7 * size, "n = {n}: dE/dt = {rate:e}, E = {size}");
        let rate = (m.angular_momentum(&moved(e)) - m.angular_momentum(&moved(-e))).z / (2.0 * e);
        assert!(rate.abs() < 1e-7 * size, "n = {n}: dJ/dt = {rate:e}");
    }
}

#[test]
fn impossible_chains_are_refused_with_the_number_at_fault() {
    let g = vec3(0.0, 0.0, -9.81);
    let made = |m: &[f64], l: &[f64]| PendulumChain::new(m.to_vec(), l.to_vec(), g).unwrap_err();
    assert_eq!(
        made(&[1.0, 0.0], &[1.0, 1.0]).to_string(),
        "the mass number 2 is 0, expected a finite number above zero"
    );
    assert!(matches!(
        made(&[1.0, 1.0], &[1.0, -2.0]),
        SystemError::NotPositive { what: "length", index: 2, .. }
    ));
    assert!(matches!(made(&[f64::NAN], &[1.0]), SystemError::NotPositive { index: 1, .. }));
    assert_eq!(made(&[1.0, 1.0], &[1.0]).to_string(), "found 1 lengths, expected 2");
    assert!(matches!(made(&[], &[]), SystemError::Empty { .. }));
    let bad = PendulumChain::new(vec![1.0], vec![1.0], vec3(0.0, f64::INFINITY, 0.0));
    assert!(matches!(bad, Err(SystemError::Vector { what: "gravity", .. })));
}

#[test]
fn states_off_the_manifold_are_refused_or_projected() {
    let (x, z) = (vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0));
    assert!(checked(&[x, z], &[z, x]).is_ok());
    assert!(matches!(checked(&[x], &[z, x]), Err(SystemError::Count { found: 2, .. })));
    assert!(matches!(checked(&[x * 1.1], &[z]), Err(SystemError::NotUnit { index: 1, .. })));
    assert!(matches!(checked(&[x, z], &[z, z]), Err(SystemError::NotTangent { index: 2, .. })));
    assert!(checked(&[vec3(f64::NAN, 0.0, 0.0)], &[z]).is_err());
    let fixed = projected_links(&[x * 1e200 + z * 1e200], &[z]).unwrap()[0];
    assert!((fixed.q.norm() - 1.0).abs() < 1e-15 && fixed.q.dot(fixed.omega).abs() < 3e-16);
    assert!(projected_links(&[x * 0.0], &[z]).is_err());
}
