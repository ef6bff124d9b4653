//! What the rules promise: their equation, order, symplectic form, momenta, symmetry.
use super::systems::*;
use crate::common::run;
use lieflow::action::Turn;
use lieflow::method::composition::{KL6, SCHEMES, SU4, Scheme, TJ4, YO6};
use lieflow::method::cotangent::structure::Tangent;
use lieflow::method::spherical::{Midpoint, structure};
use lieflow::method::{Method, Step};
use lieflow::problem::{Generator, Lift, Problem};
use lieflow::{Vec3, vec3};

use Midpoint::{Collective, Spherical};

const RULES: [Midpoint; 2] = [Spherical, Collective];

fn distance(a: &[Vec3<f64>], b: &[Vec3<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).norm_squared()).sum::<f64>().sqrt()
}

fn one_step<P: Generator<Space = Vec<Turn<f64>>, Point = Vec<Vec3<f64>>>>(
    p: &P,
    method: &mut dyn Method<P>,
    (t, h): (f64, f64),
    y: &Vec<Vec3<f64>>,
) -> Vec<Vec3<f64>> {
    let mut out = y.clone();
    method.step(Step::new(p, t, h, y), &mut out).unwrap();
    out
}

/// `w1 - w0 = h f(t + h/2, m) × m` with the midpoint of the arc, as it is written in the paper.
#[test]
fn the_equation_of_the_spherical_midpoint_holds() {
    let (p, t, h) = (driven_ring(5), 0.7, 0.3);
    let y = p.start();
    let end = one_step(&p, &mut rule(Spherical, None), (t, h), &y);
    let unit = |v: Vec3<f64>| v * (1.0 / v.norm());
    let middle: Vec<_> = y.iter().zip(&end).map(|(a, b)| unit(*a + *b)).collect();
    let f = p.field(t + 0.5 * h, &middle);
    for i in 0..y.len() {
        let residual = end[i] - y[i] - f[i].cross(middle[i]) * h;
        assert!(residual.norm() < 1e-15, "sphere {i}: {:e}", residual.norm());
    }
}

/// The midpoint rule for two complex numbers, on quaternions themselves, comes down to the
/// collective rule: `z1 - z0 = h/2 f(J(z)) z` at `z = (z0 + z1)/2`, `J(z) = z k z*`.
#[test]
fn the_collective_midpoint_is_the_classical_one_through_hopf_s_map() {
    type Q = (f64, Vec3<f64>);
    let product = |(a, u): Q, (b, v): Q| (a * b - u.dot(v), v * a + u * b + u.cross(v));
    let hopf = |z: Q| product(product(z, (0.0, Vec3::unit(2))), (z.0, -z.1)).1;
    let p = ring(3);
    let h = 0.3;
    // Unit quaternions that take the third axis to the spins.
    let lifted = |v: &Vec3<f64>| {
        let (w, x) = (1.0 + v.z, Vec3::unit(2).cross(*v));
        let over = 1.0 / (w * w + x.norm_squared()).sqrt();
        (w * over, x * over)
    };
    let z0: Vec<Q> = p.start.iter().map(lifted).collect();
    let mut z1 = z0.clone();
    for _ in 0..100 {
        let half: Vec<Q> =
            z0.iter().zip(&z1).map(|(a, b)| ((a.0 + b.0) * 0.5, (a.1 + b.1) * 0.5)).collect();
        let f = p.field(0.0, &half.iter().map(|z| hopf(*z)).collect());
        for i in 0..z0.len() {
            let slope = product((0.0, f[i]), half[i]);
            z1[i] = (z0[i].0 + 0.5 * h * slope.0, z0[i].1 + slope.1 * (0.5 * h));
        }
    }
    let want: Vec<_> = z1.iter().map(|z| hopf(*z)).collect();
    let got = one_step(&p, &mut rule(Collective, None), (0.0, h), &p.start());
    assert!(distance(&got, &want) < 1e-14, "{:e}", distance(&got, &want));
    let other = one_step(&p, &mut rule(Spherical, None), (0.0, h), &p.start());
    assert!(distance(&got, &other) > 1e-4, "the two rules are not the same");
}

/// An energy that is constant along rays, `-(w·a)²/|w|²`: there both rules are one.
#[derive(Clone, Debug)]
struct Rays;
impl Problem for Rays {
    type Point = Vec<Vec3<f64>>;
    fn start(&self) -> Vec<Vec3<f64>> {
        vec![vec3(0.48, -0.6, 0.64)]
    }
}
impl Generator for Rays {
    type Space = Vec<Turn<f64>>;
    fn field(&self, _t: f64, y: &Vec<Vec3<f64>>) -> Vec<Vec3<f64>> {
        let a = vec3(0.3, 0.5, 2.0);
        let gradient = |w: &Vec3<f64>| {
            let (part, square) = (w.dot(a), w.norm_squared());
            (a - *w * (part / square)) * (-2.0 * part / square)
        };
        y.iter().map(gradient).collect()
    }
}

#[test]
fn both_rules_are_one_where_the_energy_is_constant_along_rays() {
    let y = Rays.start();
    let a = one_step(&Rays, &mut rule(Spherical, None), (0.0, 0.2), &y);
    let b = one_step(&Rays, &mut rule(Collective, None), (0.0, 0.2), &y);
    assert!(distance(&a, &y) > 0.1);
    assert!(distance(&a, &b) < 2e-16 * 8.0, "{:e}", distance(&a, &b));
}

/// Observed orders, also with a field that depends on time.
#[test]
fn orders_are_two_four_and_six() {
    let schemes: [Option<&'static Scheme>; 5] =
        [None, Some(&TJ4), Some(&SU4), Some(&YO6), Some(&KL6)];
    for p in [ring(3), driven_ring(3)] {
        let exact = run(&p, &mut rule(Spherical, Some(&KL6)), 1.0 / 512.0, 512);
        for midpoint in RULES {
            for scheme in schemes {
                let order = scheme.map_or(2, |scheme| scheme.order);
                let n = if order > 4 { 24 } else { 64 };
                let error = |n: usize| {
                    let y = run(&p, &mut rule(midpoint, scheme), 1.0 / n as f64, n);
                    distance(&y, &exact)
                };
                let seen = (error(n) / error(2 * n)).log2();
                let id = scheme.map_or("", |scheme| scheme.id);
                let off = (seen - f64::from(order)).abs();
                assert!(off < 0.1, "{midpoint:?} {id}, turning {}: {seen}", p.turning);
            }
        }
    }
}

#[test]
fn the_form_of_spins_and_of_vortices_with_strengths_is_kept() {
    let (spins, driven, v) = (ring(4), driven_ring(4), vortices());
    let weights = [1.0; 4];
    let schemes = SCHEMES.iter().map(|scheme| Some(*scheme)).chain([None]);
    for scheme in schemes {
        for midpoint in RULES {
            for p in [&spins, &driven] {
                let lifted = p.lift(Tangent::constant);
                let mut method = rule(midpoint, scheme);
                let at = structure::measured(&lifted, &mut method, (0.4, 0.25), &p.start, &weights);
                let defect = at.unwrap().defect;
                assert!(defect < 1e-13, "{midpoint:?} {scheme:?}: {defect:e}");
            }
        }
        let lifted = v.lift(Tangent::constant);
        let mut method = rule(Spherical, scheme);
        let measured = |weights: &[f64], method: &mut dyn Method<Vortices<Tangent>>| {
            structure::measured(&lifted, method, (0.0, 0.1), &v.start, weights).unwrap()
        };
        let found = measured(&v.strengths, &mut method);
        assert!(found.defect < 1e-13, "vortices {scheme:?}: {:e}", found.defect);
        assert!((1e-17..1e-13).contains(&found.rounding), "{:e}", found.rounding);
        // Both are relative: units do not matter.
        let larger: Vec<f64> = v.strengths.iter().map(|g| 8.0 * g).collect();
        assert_eq!(measured(&larger, &mut method).rounding, found.rounding);
        // Another form is not kept: strengths are the weights of this one.
        assert!(measured(&[1.0; 6], &mut method).defect > 1e-4);
    }
}

#[test]
fn sums_and_radii_stay_to_rounding_and_energy_stays_near() {
    let (p, v) = (exchange(8), vortices());
    let total = |y: &[Vec3<f64>]| y.iter().fold(Vec3::zero(), |a, v| a + *v);
    let moment = |y: &[Vec3<f64>]| {
        y.iter().zip(&v.strengths).fold(Vec3::zero(), |a: Vec3<f64>, (x, g)| a + *x * *g)
    };
    for midpoint in RULES {
        let y = run(&p, &mut rule(midpoint, None), 0.05, 2000);
        assert!((total(&y) - total(&p.start)).norm() < 1e-13);
        assert!(y.iter().all(|y| (y.norm() - 1.0).abs() < 5e-16));
        assert!((p.energy(&y) - p.energy(&p.start)).abs() < 0.01);
    }
    let x = run(&v, &mut rule(Spherical, Some(&SU4)), 0.05, 1000);
    assert!((moment(&x) - moment(&v.start)).norm() < 1e-13);
}

#[test]
fn a_step_back_undoes_a_step() {
    let p = driven_ring(5);
    for midpoint in RULES {
        for scheme in [None, Some(&TJ4)] {
            let mut method = rule(midpoint, scheme);
            let y = p.start();
            let there = one_step(&p, &mut method, (0.2, 0.3), &y);
            method.reset();
            let back = one_step(&p, &mut method, (0.5, -0.3), &there);
            assert!(distance(&back, &y) < 1e-14, "{midpoint:?}: {:e}", distance(&back, &y));
        }
    }
}
