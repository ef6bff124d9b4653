//! Products of run-time length work on several factors at a time, with the bits of one at a time.
use lieflow::action::{Action, Link, TangentSphere};
use lieflow::chart::Chart;
use lieflow::group::{LieAlgebra, LieGroup, Se3, Twist};
use lieflow::{Vec3, vec3};

const CHARTS: [Chart; 5] = [
    Chart::Exp,
    Chart::ExpSeries { brackets: 6 },
    Chart::Cayley,
    Chart::SecondKind,
    Chart::Stereographic,
];

/// Numbers between -1 and 1.
fn number(seed: usize) -> f64 {
    let x = (seed as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11;
    x as f64 / (1u64 << 52) as f64 - 1.0
}
fn vector(seed: usize) -> Vec3<f64> {
    vec3(number(3 * seed + 1), number(3 * seed + 2), number(3 * seed + 3))
}
/// Rotations of very different sizes side by side.
fn twist(seed: usize) -> Twist<f64> {
    let size = [1e-9, 0.01, 0.6, 1.4, 0.05, 0.0][seed % 6];
    Twist::new(vector(seed) * size, vector(seed + 77) * 3.0)
}

#[test]
fn moves_and_differentials_are_those_of_the_factors() {
    for n in 0..10 {
        for chart in CHARTS {
            let u: Vec<_> = (0..n).map(|i| twist(i + 5 * n)).collect();
            let y: Vec<_> = (0..n).map(|i| Link::new(vector(i), vector(i + 1000))).collect();
            let (mut all, mut v) = (y.clone(), u.clone());
            <Vec<TangentSphere<f64>> as Action>::advance(chart, &u, &y, &mut all);
            v.iter_mut().enumerate().for_each(|(i, v)| *v = twist(i + 31));
            let before = v.clone();
            Vec::<Se3<f64>>::pull(chart, &u, &mut v);
            for i in 0..n {
                let mut one = y[i];
                TangentSphere::advance(chart, &u[i], &y[i], &mut one);
                assert_eq!(one, all[i], "{chart:?}, {i} of {n}");
                let mut pulled = before[i];
                Se3::pull(chart, &u[i], &mut pulled);
                assert_eq!(pulled, v[i], "{chart:?}, {i} of {n}");
            }
        }
    }
}

#[test]
fn sums_are_formed_term_by_term() {
    let weights = [0.3, 0.0, -1.7, 0.25, 11.0, 0.0, 1e-3, -0.125, 3.5, 0.7, -2.0];
    for n in 0..10 {
        for terms in 1..=weights.len() {
            let k: Vec<Vec<_>> =
                (0..terms).map(|j| (0..n).map(|i| twist(i * 13 + 7 * j)).collect()).collect();
            let mut sum: Vec<Twist<f64>> = vec![twist(1); n];
            sum.combine(0.1, &weights[..terms], &k);
            let mut want: Vec<Twist<f64>> = vec![twist(2); n];
            want.assign(0.1 * weights[0], &k[0]);
            for j in 1..terms {
                if weights[j] != 0.0 {
                    want.axpy(0.1 * weights[j], &k[j]);
                }
            }
            assert_eq!(sum, want, "{terms} terms, {n} factors");
        }
    }
    // Nothing but zeros.
    let mut sum = vec![twist(1); 5];
    sum.combine(1.0, &[0.0, 0.0], &[vec![twist(3); 5], vec![twist(4); 5]]);
    assert_eq!(sum.norm(), 0.0);
}

#[test]
fn one_factor_outside_the_chart_is_found() {
    for n in 1..10 {
        for bad in 0..n {
            for spin in [vec3(0.0, 6.5, 0.0), vec3(f64::NAN, 0.0, 0.0)] {
                let mut u: Vec<_> = (0..n).map(twist).collect();
                assert!(Vec::<Se3<f64>>::domain(Chart::Exp, &u).is_ok());
                u[bad].angular = spin;
                let error = Vec::<Se3<f64>>::domain(Chart::Exp, &u).unwrap_err();
                assert!(error.angle == 6.5 || error.angle.is_nan(), "{error:?}");
                assert!(Vec::<Se3<f64>>::domain(Chart::Cayley, &u).is_ok());
            }
        }
    }
}
