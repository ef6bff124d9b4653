//! The field of dipole arrays: the sum over pairs and the convolution against a plain sum in twice
//! the precision, and against differences of the energy.
use super::random::Random;
use lieflow::action::Link;
use lieflow::problem::spheres::{Slot, SphereSystem};
use lieflow::{Lanes, Real, Vec3, vec3};
use lieflow_kernel::DoubleDouble;
use lieflow_models::system::dipoles::{Dipoles, MAGNETIC_CONSTANT};

const MOMENT: f64 = 0.3;

/// `dV/dq_i`, pair by pair and in twice the precision.
fn plain(places: &[Vec3<f64>], moments: &[f64], y: &[Link<f64>]) -> Vec<Vec3<f64>> {
    let wide = |v: Vec3<f64>| Vec3::<DoubleDouble>::lift(v);
    let field = |i: usize| {
        let mut sum = Vec3::<DoubleDouble>::zero();
        for j in (0..y.len()).filter(|j| *j != i) {
            let r = wide(places[j]) - wide(places[i]);
            let length = r.norm();
            let r = r.times(DoubleDouble::one() / length);
            let strength = DoubleDouble::lift(moments[i]) * moments[j] * MAGNETIC_CONSTANT;
            let q = wide(y[j].q);
            let part = q - r.times(q.dot(r) * 3.0);
            sum += part.times(strength / (length * length * length));
        }
        vec3(sum.x.hi(), sum.y.hi(), sum.z.hi())
    };
    (0..y.len()).map(field).collect()
}

fn gradient(m: &Dipoles<f64>, y: &[Link<f64>]) -> Vec<Vec3<f64>> {
    let mut out = vec![Link::<f64>::nothing(); y.len()];
    m.add_gradient(y, &mut out);
    out.iter().map(|link| link.omega).collect()
}

/// The largest difference, relative to the largest field.
fn difference(a: &[Vec3<f64>], b: &[Vec3<f64>]) -> f64 {
    assert_eq!(a.len(), b.len());
    let largest = b.iter().map(|v| v.norm()).fold(0.0, f64::max);
    a.iter().zip(b).map(|(a, b)| (*a - *b).norm() / largest).fold(0.0, f64::max)
}

#[test]
fn the_sum_over_pairs_is_good_to_rounding() {
    let mut random = Random::new(1);
    for n in (1..=13).chain([50, 203]) {
        for flat in [false, true] {
            let places: Vec<_> = (0..n)
                .map(|_| {
                    let v = random.vector(1.0);
                    if flat { vec3(v.x, v.y, 0.25) } else { v }
                })
                .collect();
            let moments: Vec<f64> = (0..n).map(|_| random.between(-2.0, 2.0)).collect();
            let m = Dipoles::new(places.clone(), moments.clone(), vec![1.0; n]).unwrap();
            assert!(!m.is_convolved());
            let y = random.links(n, 1.0);
            let want = plain(&places, &moments, &y);
            if n == 1 {
                assert_eq!(gradient(&m, &y), want);
                continue;
            }
            let d = difference(&gradient(&m, &y), &want);
            assert!(d < 2e-15, "{n}, flat {flat}: {d:e}");
        }
    }
}

#[test]
fn the_sum_over_pairs_has_the_bits_of_one_pair_at_a_time() {
    // These have no packs.
    type One = Lanes<1>;
    let mut random = Random::new(5);
    for n in (1..=17).chain([35, 66, 131]) {
        for flat in [false, true] {
            let place = |v: Vec3<f64>| if flat { vec3(v.x, v.y, -0.5) } else { v };
            let places = (0..n).map(|_| place(random.vector(1.0))).collect();
            let moments = (0..n).map(|_| random.between(-2.0, 2.0)).collect();
            let m = Dipoles::new(places, moments, vec![1.0; n]).unwrap();
            let y = random.links(n, 1.0);
            let lifted: Vec<_> = y
                .iter()
                .map(|link| Link { q: Vec3::lift(link.q), omega: Vec3::lift(link.omega) })
                .collect();
            let mut want = vec![Link::<One>::nothing(); n];
            m.over::<One>(One::lift).add_gradient(&lifted, &mut want);
            for (i, (got, want)) in gradient(&m, &y).iter().zip(&want).enumerate() {
                for axis in 0..3 {
                    let (got, want) = (got.get(axis), want.omega.get(axis).lane(0));
                    assert_eq!(got.to_bits(), want.to_bits(), "{n}, {flat}, dipole {i}: {got:e}");
                }
            }
        }
    }
}

/// Grids of many shapes, with and without rows to fill up.
const SHAPES: [(usize, usize); 8] =
    [(8, 8), (5, 13), (13, 5), (16, 16), (7, 20), (32, 9), (33, 17), (20, 31)];

#[test]
fn the_convolution_is_the_sum_over_pairs() {
    let mut random = Random::new(2);
    for (rows, columns) in SHAPES {
        // A power of two, so that positions are what they should be.
        let m = Dipoles::grid(rows, columns, 0.015625, 0.05, 0.01, MOMENT).unwrap();
        assert!(m.is_convolved(), "{rows} × {columns}");
        let n = rows * columns;
        // Twice with the same memory, and once by another thread.
        for round in 0..3 {
            let y = random.links(n, 1.0);
            let want = plain(m.positions(), &vec![MOMENT; n], &y);
            let found = if round == 2 {
                std::thread::scope(|s| s.spawn(|| gradient(&m, &y)).join().unwrap())
            } else {
                gradient(&m, &y)
            };
            // A transform adds a rounding of the largest field in each of its passes.
            let d = difference(&found, &want);
            assert!(d < 4e-15, "{rows} × {columns}: {d:e}");
            let pairs = m.clone().pair_by_pair();
            assert!(!pairs.is_convolved());
            let d = difference(&gradient(&pairs, &y), &want);
            assert!(d < 2e-15, "{rows} × {columns} by pairs: {d:e}");
            let (a, b) = (m.potential(&y), pairs.potential(&y));
            let scale: f64 = want.iter().map(|f| f.norm()).sum();
            assert!((a - b).abs() < 1e-15 * scale, "{a} {b}");
        }
    }
    // Other positions are rounded, and the distances of neighbours far out with them; the
    // convolution has one distance for all neighbours.
    let m = Dipoles::grid(20, 40, 0.02, 0.05, 0.01, MOMENT).unwrap();
    let y = random.links(800, 1.0);
    let d = difference(&gradient(&m, &y), &plain(m.positions(), &[MOMENT; 800], &y));
    assert!(d > 1e-15 && d < 3.0 * 40.0 * f64::EPSILON, "{d:e}");
    // Small grids and lines are summed by pairs.
    for (rows, columns) in [(1, 200), (4, 40), (7, 7)] {
        assert!(!Dipoles::grid(rows, columns, 1.0, 1.0, 1.0, 1.0).unwrap().is_convolved());
    }
}

#[test]
fn the_field_is_the_derivative_of_the_energy() {
    let mut random = Random::new(3);
    for (rows, columns) in [(3, 4), (8, 9)] {
        let m = Dipoles::grid(rows, columns, 0.5, 1.0, 1.0, 1e4).unwrap();
        let y = random.links(rows * columns, 1.0);
        let field = gradient(&m, &y);
        let largest = field.iter().map(|f| f.norm()).fold(0.0, f64::max);
        // The energy is quadratic: the central difference is exact but for rounding.
        for i in [0, 1, columns, rows * columns - 1] {
            for axis in 0..3 {
                let moved = |h: f64| {
                    let mut y = y.clone();
                    y[i].q += Vec3::unit(axis) * h;
                    m.potential(&y)
                };
                let slope = (moved(0.5) - moved(-0.5)) / 1.0;
                let d = (slope - field[i].get(axis)).abs();
                assert!(d < 1e-13 * largest, "dipole {i}, axis {axis}: {d:e} of {largest:e}");
            }
        }
    }
}

#[test]
fn accelerations_come_from_the_field() {
    let mut random = Random::new(4);
    for (rows, columns) in [(3, 3), (10, 8)] {
        let m = Dipoles::grid(rows, columns, 0.02, 0.05, 0.01, MOMENT).unwrap();
        let y = random.links(rows * columns, 1.0);
        let mut out = y.clone();
        m.acceleration(&y, &mut out);
        for ((i, f), link) in gradient(&m, &y).iter().enumerate().zip(&out) {
            let want = f.cross(y[i].q) * m.inverse_mass(i, i);
            let d = (link.omega - want).norm();
            assert!(d <= 1e-15 * want.norm(), "{i}: {d:e}");
            assert!(link.omega.dot(y[i].q).abs() < 1e-15 * link.omega.norm());
        }
    }
}
