//! SO(n) for n = 2 … 6: against SO(3), against double-double arithmetic, at half a turn, over lanes
//! and dual numbers.
use lieflow::chart::Chart;
use lieflow::group::{Coadjoint, LieAlgebra, LieGroup, Skew, So3, Son, Square};
use lieflow::kernel::DoubleDouble as D;
use lieflow::{Dual, Lanes, Real, Vec3, vec3};
use lieflow_testing::Draw;
use std::f64::consts::{PI, TAU};

/// What the tests draw.
trait Skews {
    fn skew<const N: usize>(&mut self, norm: f64) -> Skew<f64, N>;
    fn rotation<const N: usize>(&mut self) -> Son<f64, N>;
    fn with_angles<const N: usize>(&mut self, angles: &[f64]) -> Skew<f64, N>;
}
impl Skews for Draw {
    fn skew<const N: usize>(&mut self, norm: f64) -> Skew<f64, N> {
        self.element(&Skew::zero(), norm)
    }
    fn rotation<const N: usize>(&mut self) -> Son<f64, N> {
        Son::exp(&self.skew(3.0)).compose(&Son::exp(&self.skew(2.0)))
    }
    /// An element with these rotation angles, in planes without structure.
    fn with_angles<const N: usize>(&mut self, angles: &[f64]) -> Skew<f64, N> {
        let mut m = [[0.0; N]; N];
        for (k, angle) in angles.iter().enumerate() {
            m[2 * k + 1][2 * k] = *angle;
            m[2 * k][2 * k + 1] = -angle;
        }
        self.rotation::<N>().adjoint(&Skew::from_matrix(&m))
    }
}
fn lift<S: Real, const N: usize>(u: &Skew<f64, N>) -> Skew<S, N> {
    let mut out = Skew::zero();
    for i in 0..u.dim() {
        out.set_coord(i, S::lift(u.coord(i)));
    }
    out
}
fn gap<S: Real, const N: usize>(a: &Skew<S, N>, b: &Skew<S, N>) -> f64 {
    let mut d = *a;
    d.axpy(-1.0, b);
    d.norm()
}
fn matrix_gap<S: Real, const N: usize>(a: &Square<S, N>, b: &Square<S, N>) -> f64 {
    let mut sum = 0.0;
    for (x, y) in a.as_flattened().iter().zip(b.as_flattened()) {
        sum += (*x - *y).magnitude().powi(2);
    }
    sum.sqrt()
}
/// Every function, once for each size.
macro_rules! for_sizes {
    ($check:ident) => {
        $check::<2>();
        $check::<3>();
        $check::<4>();
        $check::<5>();
        $check::<6>();
    };
}

#[test]
fn three_dimensions_are_those_of_so3() {
    let mut draw = Draw(1);
    let vector = |u: &Skew<f64, 3>| vec3(u.coord(0), u.coord(1), u.coord(2));
    let close =
        |a: Vec3<f64>, b: Vec3<f64>, bound: f64| assert!((a - b).norm() < bound, "{a:?} {b:?}");
    for norm in [1e-9, 1e-3, 0.5, 2.0, 3.1, 5.0] {
        for _ in 0..20 {
            let (u, v) = (draw.skew::<3>(norm), draw.skew::<3>(1.0));
            let (a, b) = (vector(&u), vector(&v));
            for i in 0..3 {
                let row = So3::exp(&a).matrix.rows[i].to_array();
                let own = Son::exp(&u).matrix[i];
                assert!((0..3).all(|j| (row[j] - own[j]).abs() < 3e-15), "{norm}");
                let row = So3::cay(&a).matrix.rows[i].to_array();
                let own = Son::cay(&u).matrix[i];
                assert!((0..3).all(|j| (row[j] - own[j]).abs() < 3e-15), "{norm}");
            }
            close(vector(&u.bracket(&v)), a.cross(b), 1e-15 * (1.0 + norm));
            close(vector(&Son::dexp(&u, &v)), So3::dexp(&a, &b), 3e-15);
            close(vector(&Son::dexpinv(&u, &v)), So3::dexpinv(&a, &b), 3e-14);
            close(vector(&Son::dcayinv(&u, &v)), So3::dcayinv(&a, &b), 3e-15 * (1.0 + norm * norm));
            close(vector(&Son::exp(&u).log()), So3::exp(&a).log(), 4e-15 * norm.min(1.0));
            let (g, h) = (Son::exp(&u), So3::exp(&a));
            close(vector(&g.adjoint(&v)), h.adjoint(&b), 3e-15);
            close(vector(&g.coadjoint(&v)), h.coadjoint(&b), 3e-15);
            close(vector(&g.adjoint_transpose(&v)), h.adjoint_transpose(&b), 3e-15);
            close(
                vector(&Son::ad_transpose(&u, &v)),
                So3::ad_transpose(&a, &b),
                1e-15 * (1.0 + norm),
            );
            close(vector(&Son::dexp_transpose(&u, &v)), So3::dexp_transpose(&a, &b), 3e-15);
            close(vector(&Son::dexpinv_transpose(&u, &v)), So3::dexpinv_transpose(&a, &b), 3e-14);
        }
    }
}

fn coordinates_are_orthonormal<const N: usize>() {
    let mut draw = Draw(2);
    let (u, v) = (draw.skew::<N>(1.3), draw.skew::<N>(0.7));
    let mut trace = 0.0;
    let mut dot = 0.0;
    for (x, y) in u.matrix().as_flattened().iter().zip(v.matrix().as_flattened()) {
        trace += 0.5 * x * y;
    }
    let mut seen = Vec::new();
    for i in 0..u.dim() {
        dot += u.coord(i) * v.coord(i);
        let mut e = Skew::<f64, N>::zero();
        e.set_coord(i, 1.0);
        let place = e.matrix().as_flattened().iter().position(|x| *x == 1.0).unwrap();
        assert!(!seen.contains(&place), "every coordinate has its own entry");
        seen.push(place);
        // The first coordinates are those of SO(n-1) on the last axes.
        if i < (N - 1) * (N - 2) / 2 {
            assert!((0..N).all(|k| e.matrix()[0][k] == 0.0));
        }
    }
    assert_eq!(seen.len(), N * (N - 1) / 2);
    assert!((trace - dot).abs() < 1e-15);
}
#[test]
fn coordinates() {
    for_sizes!(coordinates_are_orthonormal);
}

fn exponential_is_accurate<const N: usize>() {
    let mut draw = Draw(3);
    let mut worst = [0f64; 3];
    for norm in [1e-12, 1e-6, 1e-3, 0.1, 0.5, 0.9, 1.1, 2.0, 3.0, 4.0, 6.0, 9.0] {
        for _ in 0..20 {
            let (u, v) = (draw.skew::<N>(norm), draw.skew::<N>(1.0));
            let g = Son::exp(&u);
            assert!(g.orthogonality_error() < 8e-15, "{norm}: {:e}", g.orthogonality_error());
            let truth = Son::exp(&lift::<D, N>(&u));
            let mut error = 0.0;
            for (x, y) in g.matrix.as_flattened().iter().zip(truth.matrix.as_flattened()) {
                error += (D::lift(*x) - *y).magnitude().powi(2);
            }
            worst[0] = worst[0].max(error.sqrt() / (1.0 + norm));
            let exact = Son::dexp(&lift::<D, N>(&u), &lift(&v));
            worst[1] = worst[1].max(gap(&lift(&Son::dexp(&u, &v)), &exact));
            if norm < 4.0 {
                let exact = Son::dexpinv(&lift::<D, N>(&u), &lift(&v));
                worst[2] = worst[2].max(gap(&lift(&Son::dexpinv(&u, &v)), &exact) / exact.norm());
                let back = Son::dexp(&u, &Son::dexpinv(&u, &v));
                assert!(gap(&back, &v) < 2e-14, "{norm}: {:e}", gap(&back, &v));
            }
        }
    }
    println!("n = {N}: exp {:.1e}, dexp {:.1e}, dexpinv {:.1e}", worst[0], worst[1], worst[2]);
    assert!(worst[0] < 3e-15 && worst[1] < 4e-15 && worst[2] < 2e-14, "{worst:?}");
}
#[test]
fn exponentials_and_differentials() {
    for_sizes!(exponential_is_accurate);
}

fn differentials_are_derivatives<const N: usize>() {
    let mut draw = Draw(4);
    for norm in [1e-3, 0.6, 2.0, 5.0] {
        let (u, v) = (lift::<D, N>(&draw.skew(norm)), lift::<D, N>(&draw.skew(1.0)));
        let at = |map: fn(&Skew<D, N>) -> Son<D, N>, s: f64| {
            let mut x = u;
            x.axpy(s, &v);
            map(&x)
        };
        let rate = |map: fn(&Skew<D, N>) -> Son<D, N>| {
            let back = map(&u).inverse();
            let h = 1e-10;
            let (plus, minus) = (at(map, h).compose(&back), at(map, -h).compose(&back));
            let mut rate = Skew::from_matrix(&plus.matrix);
            rate.axpy(-1.0, &Skew::from_matrix(&minus.matrix));
            rate.times(D::lift(0.5) / D::lift(h))
        };
        assert!(gap(&rate(Son::exp), &Son::dexp(&u, &v)) < 1e-17, "dexp, {norm}");
        assert!(gap(&Son::dcayinv(&u, &rate(Son::cay)), &v) < 1e-16, "dcayinv, {norm}");
        // Cayley's map solves (1 - u/2) cay = 1 + u/2.
        let unit = Son::<D, N>::unit().matrix;
        let g = Son::cay(&u).matrix;
        let mut left = g;
        let mut right = unit;
        for i in 0..N {
            for j in 0..N {
                for k in 0..N {
                    left[i][j] -= u.matrix()[i][k] * g[k][j] * 0.5;
                }
                right[i][j] += u.matrix()[i][j] * 0.5;
            }
        }
        assert!(matrix_gap(&left, &right) < 1e-28, "cay, {norm}");
    }
}
#[test]
fn differentials() {
    for_sizes!(differentials_are_derivatives);
}

/// Lists of rotation angles up to pi, with equal, small, large and vanishing ones.
const ANGLES: [[f64; 3]; 17] = [
    [0.0, 0.0, 0.0],
    [1e-12, 3e-12, 0.0],
    [1e-8, 2e-8, 3e-8],
    [1e-4, 2e-4, 1.0],
    [0.24, 0.1, 0.2],
    [0.26, 0.26, 0.26],
    [1.0, 1.0, 1.0],
    [2.0, 2.0000001, 0.5],
    [2.69, 2.6905, 0.45],
    [3.0, 1e-8, 2e-8],
    [PI - 1e-4, 0.7, 0.7],
    [PI - 1e-8, 1.5, 0.3],
    [PI - 1e-12, 0.0, 2.0],
    [PI - 1e-15, 0.4, 1e-9],
    [PI, 0.5, 1.0],
    [PI, 0.0, 0.0],
    [2.9, 3.0, 2.8],
];

fn logarithm_is_principal<const N: usize>() {
    let mut draw = Draw(5);
    for angles in &ANGLES {
        let angles = &angles[..N / 2];
        for _ in 0..10 {
            let u = draw.with_angles::<N>(angles);
            let g = Son::exp(&u);
            let w = g.log();
            assert!(
                matrix_gap(&Son::exp(&w).matrix, &g.matrix) < 2e-14,
                "n = {N}, {angles:?}: {:e}",
                matrix_gap(&Son::exp(&w).matrix, &g.matrix)
            );
            let size = angles.iter().map(|a| a * a).sum::<f64>().sqrt();
            // The condition is that of dexpinv, whose poles are at sums of two angles of 2 pi.
            let mut largest = angles.to_vec();
            largest.sort_by(f64::total_cmp);
            let sum = largest.iter().rev().take(2).sum::<f64>();
            let condition = (1.0 / (TAU - sum)).max(1.0);
            let half = angles.iter().any(|a| PI - a < 1e-13);
            if half {
                // The direction of half a turn is free: compare lengths.
                assert!((w.norm() - size).abs() < 1e-14, "n = {N}, {angles:?}");
            } else {
                let bound = 1e-14 * condition * if size < 0.5 { size } else { 1.0 };
                assert!(gap(&w, &u) <= bound, "n = {N}, {angles:?}: {:e}", gap(&w, &u));
            }
        }
    }
}
#[test]
fn logarithms() {
    for_sizes!(logarithm_is_principal);
}

#[test]
fn several_half_turns_have_some_logarithm() {
    let mut draw = Draw(6);
    for angles in [[PI, PI, PI], [PI, PI, 0.3], [PI - 1e-9, PI - 3e-9, 1.0], [PI, PI - 1e-5, PI]] {
        for _ in 0..20 {
            let g = Son::exp(&draw.with_angles::<6>(&angles));
            let w = g.log();
            let error = matrix_gap(&Son::exp(&w).matrix, &g.matrix);
            assert!(error < 1e-13, "{angles:?}: {error:e}");
            let size = angles.iter().map(|a| a * a).sum::<f64>().sqrt();
            assert!(w.norm() < size + 1e-7, "{angles:?}: principal");
        }
    }
    let mut minus = [[0.0; 4]; 4];
    for (i, row) in minus.iter_mut().enumerate() {
        row[i] = -1.0;
    }
    let g = Son::<f64, 4> { matrix: minus };
    assert!(matrix_gap(&Son::exp(&g.log()).matrix, &minus) < 1e-14);
    assert_eq!(Son::<f64, 5>::unit().log(), Skew::zero());
}

#[test]
fn half_a_turn_has_the_direction_of_so3() {
    let axes =
        [(1.0, 0.0, 0.0), (0.8, -0.6, 0.0), (0.8, 0.0, 0.6), (0.0, -0.6, 0.8), (0.0, 0.6, -0.8)];
    for axis in axes.map(|(x, y, z)| vec3::<f64>(x, y, z)) {
        let mut m = [[0.0f64; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] = 2.0 * axis.get(i) * axis.get(j) - if i == j { 1.0 } else { 0.0 };
            }
        }
        let w: Skew<f64, 3> = Son { matrix: m }.log();
        let want: Vec3<f64> = So3 { matrix: lieflow::Mat3::lift(m) }.log();
        for i in 0..3 {
            assert!((w.coord(i) - want.get(i)).abs() < 1e-15, "{axis:?}");
        }
    }
}

fn logarithm_in_double_double<const N: usize>() {
    let mut draw = Draw(7);
    for angles in [[1e-3, 2e-3, 0.1], [0.3, 1.0, 2.0], [2.5, 0.5, 2.0], [3.0, 1e-4, 1.0]] {
        let u = lift::<D, N>(&draw.with_angles::<N>(&angles[..N / 2]));
        let w = Son::exp(&u).log();
        assert!(gap(&w, &u) < 1e-29, "n = {N}, {angles:?}: {:e}", gap(&w, &u));
    }
}
#[test]
fn logarithms_with_thirty_digits() {
    for_sizes!(logarithm_in_double_double);
}

fn logarithm_has_derivatives<const N: usize>() {
    type E = Dual<f64, 1>;
    let mut draw = Draw(8);
    for angles in [[1e-3, 2e-3, 0.1], [0.3, 1.0, 2.0], [2.0, 2.0, 2.0], [3.1, 0.0, 0.0]] {
        let u = draw.with_angles::<N>(&angles[..N / 2]);
        let v = draw.skew::<N>(1.0);
        // exp(e v) exp(u): its logarithm moves by dexpinv_u v.
        let mut direction = Skew::<E, N>::zero();
        for i in 0..v.dim() {
            direction.set_coord(i, Dual { re: 0.0, eps: [v.coord(i)] });
        }
        let w = Son::exp(&direction).compose(&Son::exp(&lift::<E, N>(&u))).log();
        let want = Son::dexpinv(&u, &v);
        for i in 0..v.dim() {
            assert!((w.coord(i).re - u.coord(i)).abs() < 1e-13);
            let gap = (w.coord(i).eps[0] - want.coord(i)).abs();
            assert!(gap < 1e-12, "n = {N}, {angles:?}: {gap:e}");
        }
    }
}
#[test]
fn derivatives_of_logarithms() {
    for_sizes!(logarithm_has_derivatives);
}

fn lanes_have_the_bits_of_f64<const N: usize>() {
    let mut draw = Draw(9);
    // Rounds and lanes together have all angles but one or two.
    for round in (0..12).step_by(3) {
        let pack: [(Skew<f64, N>, Skew<f64, N>); 4] = std::array::from_fn(|lane| {
            let angles = &ANGLES[(round + 5 * lane) % ANGLES.len()][..N / 2];
            (draw.with_angles(angles), draw.skew(1.0))
        });
        let both = |pick: fn(&(Skew<f64, N>, Skew<f64, N>)) -> Skew<f64, N>| {
            let mut x = Skew::<Lanes<4>, N>::zero();
            for i in 0..x.dim() {
                x.set_coord(i, Lanes(std::array::from_fn(|l| pick(&pack[l]).coord(i))));
            }
            x
        };
        let (u, v) = (both(|p| p.0), both(|p| p.1));
        let (g, w) = (Son::exp(&u), Son::dexp(&u, &v));
        let (l, x, c) = (g.log(), Son::dexpinv(&u, &v), Son::cay(&u));
        for (lane, (u, v)) in pack.iter().enumerate() {
            let single = Son::exp(u);
            for (a, b) in g.matrix.as_flattened().iter().zip(single.matrix.as_flattened()) {
                assert_eq!(a.0[lane], *b, "exp");
            }
            for (a, b) in c.matrix.as_flattened().iter().zip(Son::cay(u).matrix.as_flattened()) {
                assert_eq!(a.0[lane], *b, "cay");
            }
            for i in 0..u.dim() {
                assert_eq!(w.coord(i).0[lane], Son::dexp(u, v).coord(i), "dexp");
                assert_eq!(x.coord(i).0[lane], Son::dexpinv(u, v).coord(i), "dexpinv");
                assert_eq!(l.coord(i).0[lane], single.log().coord(i), "log");
            }
        }
    }
}
#[test]
fn lanes() {
    for_sizes!(lanes_have_the_bits_of_f64);
}

#[test]
fn the_chart_ends_where_two_planes_turn_by_a_full_turn() {
    let mut draw = Draw(10);
    let mut inside = |angles: &[f64]| {
        let at = Son::<f64, 5>::domain(Chart::Exp, &draw.with_angles(angles));
        at.map_err(|out| assert!((out.angle - angles[0] - angles[1]).abs() < 1e-6)).is_ok()
    };
    assert!(inside(&[3.0, 3.2]) && inside(&[0.1, 6.1]) && inside(&[6.2, 0.0]));
    assert!(!inside(&[3.2, 3.1]) && !inside(&[1.0, 5.4]) && !inside(&[6.3, 0.0]));
    let u = draw.skew::<3>(6.0);
    assert!(Son::<f64, 3>::domain(Chart::Exp, &u).is_ok());
    let u = draw.skew::<3>(6.3);
    assert!(Son::<f64, 3>::domain(Chart::Exp, &u).is_err());
    assert!(Son::<f64, 3>::domain(Chart::Cayley, &u).is_ok());
    assert!(Son::<f64, 2>::domain(Chart::Exp, &draw.skew::<2>(100.0)).is_ok());
    let nan = u.times(f64::NAN);
    assert!(Son::<f64, 3>::domain(Chart::Exp, &nan).is_err());
}

#[test]
fn the_distance_from_rotations_is_a_norm() {
    let mut g = Son::<f64, 4>::unit();
    assert_eq!(g.orthogonality_error(), 0.0);
    g.matrix[2][2] = 3.0;
    assert_eq!(g.orthogonality_error(), 8.0);
}
