//! Spheres of other radii than one.
use super::systems::*;
use crate::common::run;
use lieflow::Vec3;
use lieflow::method::spherical::Midpoint::{Collective, Spherical};
use lieflow::method::{Method, Step};
use lieflow::problem::{Generator, Problem};

/// The ring with vectors of these lengths, one after the other.
fn sized(radii: [f64; 3]) -> Ring<f64> {
    let p = ring(3);
    let start = p.start.iter().zip(radii).map(|(v, r)| *v * r).collect();
    Ring { start, ..p }
}

/// `w1 - w0 = h f(t + h/2, m) × m`, with `m` in the middle of the arc, on its sphere.
#[test]
fn the_equation_holds_on_every_sphere() {
    let (p, h) = (sized([0.5, 1.5, 2.5]), 0.1);
    let y = p.start();
    let mut end = y.clone();
    rule(Spherical, None).step(Step::new(&p, 0.0, h, &y), &mut end).unwrap();
    let middle = |a: &Vec3<f64>, b: &Vec3<f64>| (*a + *b) * (a.norm() / (*a + *b).norm());
    let middles: Vec<_> = y.iter().zip(&end).map(|(a, b)| middle(a, b)).collect();
    let f = p.field(0.5 * h, &middles);
    for i in 0..3 {
        let residual = end[i] - y[i] - f[i].cross(middles[i]) * h;
        assert!(residual.norm() < 4e-15, "sphere {i}: {:e}", residual.norm());
    }
}

/// Roundings of lengths do not add up, however long vectors are.
#[test]
fn lengths_stay() {
    for radii in [[1e-3, 1e-2, 0.1], [0.3, 3.0, 1.0], [20.0, 7.0, 11.0]] {
        let p = sized(radii);
        let h = 0.1 / radii.iter().fold(1.0, |a: f64, r| a.max(*r));
        for midpoint in [Spherical, Collective] {
            let y = run(&p, &mut rule(midpoint, None), h, 3000);
            for (v, start) in y.iter().zip(&p.start) {
                let off = v.norm() / start.norm() - 1.0;
                assert!(off.abs() < 4.0 * f64::EPSILON, "{midpoint:?} {radii:?}: {off:e}");
            }
        }
    }
}

/// A method that goes on with other vectors takes over their lengths, not those of before.
#[test]
fn lengths_are_those_of_the_state() {
    let (p, q) = (sized([0.5, 1.5, 2.5]), sized([1.0, 0.8, 0.6]));
    let mut method = rule(Spherical, None);
    run(&p, &mut method, 0.05, 5);
    method.reset();
    let (mut end, mut want) = (q.start(), q.start());
    method.step(Step::new(&q, 0.0, 0.05, &q.start), &mut end).unwrap();
    rule(Spherical, None).step(Step::new(&q, 0.0, 0.05, &q.start), &mut want).unwrap();
    assert_eq!(end, want);
}
