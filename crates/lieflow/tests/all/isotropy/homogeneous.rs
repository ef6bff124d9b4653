//! Corrections on other spaces: S³, symmetric matrices, the plane.
use super::data::*;
use lieflow::Real;
use lieflow::action::{Action, Conjugate, Isotropy, PlaneMotion, Rotate, Symmetric};
use lieflow::chart::Chart;
use lieflow::group::{LieAlgebra, PlanarTwist, Rn, Skew, Square};
use lieflow::method::isotropy::{ChosenGenerator, Conserve, Conserving, Part};
use lieflow::method::{Method, Step, rkmk::Rkmk};
use lieflow::problem::{FirstIntegrals, Generator, Integral, Lift, Problem};
use lieflow::tableau;
use serde_json::Value;

fn array<const N: usize>(v: &Value) -> [f64; N] {
    list(v).try_into().unwrap()
}
fn square<const N: usize>(v: &Value) -> Square<f64, N> {
    std::array::from_fn(|i| array(&v[i]))
}

/// `X_i = factor (-1)^i` times the minor of the rows `m`, `A m`, `B m` without column `i`; it
/// conserves `<m, A m>/2` and `<m, B m>/2`.
#[derive(Clone, Debug)]
struct Nambu<S> {
    a: [S; 4],
    b: [S; 4],
    factor: S,
    start: Rn<S, 4>,
}

impl<S: Real> Nambu<S> {
    fn velocity(&self, m: &[S; 4]) -> [S; 4] {
        let rows: [[S; 4]; 3] = [
            *m,
            std::array::from_fn(|i| self.a[i] * m[i]),
            std::array::from_fn(|i| self.b[i] * m[i]),
        ];
        std::array::from_fn(|i| {
            let c: Vec<usize> = (0..4).filter(|j| *j != i).collect();
            let e = |r: usize, k: usize| rows[r][c[k]];
            let minor = e(0, 0) * (e(1, 1) * e(2, 2) - e(1, 2) * e(2, 1))
                - e(0, 1) * (e(1, 0) * e(2, 2) - e(1, 2) * e(2, 0))
                + e(0, 2) * (e(1, 0) * e(2, 1) - e(1, 1) * e(2, 0));
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            minor * self.factor * sign
        })
    }
}

impl<S: Real> Problem for Nambu<S> {
    type Point = Rn<S, 4>;
    fn start(&self) -> Rn<S, 4> {
        self.start
    }
}
impl<S: Real> Generator for Nambu<S> {
    type Space = Rotate<S, 4>;
    /// `X mᵀ - m Xᵀ`, the generator without isotropy part on the unit sphere.
    fn field(&self, _: f64, m: &Rn<S, 4>) -> Skew<S, 4> {
        let x = self.velocity(&m.0);
        let outer: Square<S, 4> =
            std::array::from_fn(|i| std::array::from_fn(|j| x[i] * m.0[j] - m.0[i] * x[j]));
        Skew::from_matrix(&outer)
    }
}
impl<S: Real> Lift for Nambu<S> {
    type Scalar = S;
    type Over<T: Real> = Nambu<T>;
    fn lift<T: Real>(&self, f: fn(S) -> T) -> Nambu<T> {
        Nambu {
            a: self.a.map(f),
            b: self.b.map(f),
            factor: f(self.factor),
            start: Rn(self.start.0.map(f)),
        }
    }
    fn lift_point<T: Real>(&self, y: &Rn<S, 4>, f: fn(S) -> T) -> Rn<T, 4> {
        Rn(y.0.map(f))
    }
}

fn half_form(a: &[f64; 4], m: &Rn<f64, 4>) -> f64 {
    (0..4).map(|i| a[i] * m.0[i] * m.0[i]).sum::<f64>() * 0.5
}

impl FirstIntegrals for Nambu<f64> {
    fn integrals(&self) -> Vec<Integral<Self>> {
        vec![
            Integral {
                name: "a",
                eval: |p, m| half_form(&p.a, m),
                gradient: |p, m, out| (0..4).for_each(|i| out[i] = p.a[i] * m.0[i]),
                change: None,
            },
            Integral {
                name: "b",
                eval: |p, m| half_form(&p.b, m),
                gradient: |p, m, out| (0..4).for_each(|i| out[i] = p.b[i] * m.0[i]),
                change: None,
            },
        ]
    }
}

fn nambu() -> (Nambu<f64>, Value) {
    let row = reference()["s3_nambu"].clone();
    let p = Nambu {
        a: array(&row["A"]),
        b: array(&row["B"]),
        factor: number(&row["factor"]),
        start: Rn(array(&row["m"])),
    };
    (p, row)
}

fn off(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

fn euler<P>(p: &P, part: Part, chart: Chart) -> ChosenGeneratorMethod<P>
where
    P: lieflow::method::isotropy::generator::ChoosableGenerator<1> + 'static,
    P::Space: 'static,
{
    represented(ChosenGenerator::new(p.clone(), part), &tableau::EULER, chart)
}

fn one<P: Problem>(p: &P, m: &mut dyn Method<P>, h: f64) -> P::Point {
    let y = p.start();
    let mut out = y.clone();
    m.step(Step::new(p, 0.0, h, &y), &mut out).unwrap();
    out
}

#[test]
fn nambu_field_on_the_three_sphere() {
    let (p, row) = nambu();
    assert!(off(&p.velocity(&p.start.0), &list(&row["X"])) < 1e-15);
    let c = ChosenGenerator::new(p.clone(), Part::Curvature).field(0.0, &p.start);
    let mut zeta = c;
    zeta.axpy(-1.0, &p.field(0.0, &p.start));
    let want: Vec<f64> = row["zeta"].as_array().unwrap().iter().flat_map(list).collect();
    assert!(off(zeta.matrix().as_flattened(), &want) < 1e-14);
    let mut worst = 0.0f64;
    for (key, part, chart) in [
        ("Eul_o_exp", Part::Orthogonal, Chart::Exp),
        ("Eul_i_exp", Part::Curvature, Chart::Exp),
        ("Eul_o_cay", Part::Orthogonal, Chart::Cayley),
        ("Eul_i_cay", Part::Curvature, Chart::Cayley),
    ] {
        let y = one(&p, &mut euler(&p, part, chart), number(&row["h"]));
        worst = worst.max(off(&y.0, &list(&row[key])));
    }
    println!("S3: {worst:e}");
    assert!(worst < 1e-15);
    let end = run(&p, &mut Rkmk::new(&tableau::RK4, Chart::Exp), 5.0 / 2000.0, 2000, |_| {});
    assert!(off(&end.0, &list(&row["flow_T"])) < 1e-12);
}

#[test]
fn two_integrals_on_the_three_sphere() {
    let (p, row) = nambu();
    let first = [half_form(&p.a, &p.start), half_form(&p.b, &p.start)];
    assert!(off(&first, &list(&row["F"])) < 1e-15);
    let exact = array::<4>(&row["flow_T"]);
    let errors = [50, 100, 200].map(|steps| {
        let inner = Box::new(Rkmk::new(&tableau::EULER, Chart::Exp));
        let mut m = Conserving::new(&p, inner, Conserve::exactly(&["a", "b"])).unwrap();
        let mut worst = 0.0f64;
        let end = run(&p, &mut m, 5.0 / f64::from(steps), steps as usize, |y| {
            worst = worst.max((half_form(&p.a, y) - first[0]).abs());
            worst = worst.max((half_form(&p.b, y) - first[1]).abs());
        });
        assert!(worst < 2e-15, "{worst:e}");
        assert_eq!(m.corrections().unwrap().skipped, 0);
        assert!(m.multipliers().conditioning > 1e-3);
        off(&end.0, &exact)
    });
    let order = (errors[1] / errors[2]).log2();
    println!("S3 with two integrals: state errors {errors:?}");
    assert!((order - 1.0).abs() < 0.1, "{order}");
}

/// `S' = [Omega, S]`, `Omega = C S - S Cᵀ`.
#[derive(Clone, Debug)]
struct Isospectral<S, const N: usize> {
    c: Square<S, N>,
    start: Symmetric<S, N>,
}
impl<S: Real, const N: usize> Problem for Isospectral<S, N> {
    type Point = Symmetric<S, N>;
    fn start(&self) -> Symmetric<S, N> {
        self.start
    }
}
impl<S: Real, const N: usize> Generator for Isospectral<S, N> {
    type Space = Conjugate<S, N>;
    fn field(&self, _: f64, y: &Symmetric<S, N>) -> Skew<S, N> {
        let s = y.matrix();
        let omega: Square<S, N> = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                (0..N)
                    .fold(S::zero(), |sum, k| sum + self.c[i][k] * s[k][j] - s[i][k] * self.c[j][k])
            })
        });
        Skew::from_matrix(&omega)
    }
}
impl<S: Real, const N: usize> Lift for Isospectral<S, N> {
    type Scalar = S;
    type Over<T: Real> = Isospectral<T, N>;
    fn lift<T: Real>(&self, f: fn(S) -> T) -> Isospectral<T, N> {
        Isospectral { c: self.c.map(|r| r.map(f)), start: self.lift_point(&self.start, f) }
    }
    fn lift_point<T: Real>(&self, y: &Symmetric<S, N>, f: fn(S) -> T) -> Symmetric<T, N> {
        Symmetric::from_matrix(&y.matrix().map(|r| r.map(f)))
    }
}

/// The correction of the generator as the reference gives it: to the field itself, which has an
/// isotropy part.
fn isospectral<const N: usize>(row: &Value) {
    let p = Isospectral::<f64, N> {
        c: square(&row["C"]),
        start: Symmetric::from_matrix(&square(&row["S"])),
    };
    let (y, h) = (p.start, number(&row["h"]));
    let omega = p.field(0.0, &y);
    assert!(off(omega.matrix().as_flattened(), square::<N>(&row["Omega"]).as_flattened()) < 1e-14);
    let n = N * N;
    let (mut x, mut rate) = (vec![0.0; n], vec![0.0; n]);
    Conjugate::velocity(&omega, &y, &mut x);
    assert!(off(&x, square::<N>(&row["X"]).as_flattened()) < 1e-14);
    // The derivative of the generator along the flow, which is linear in S.
    let mut velocity = [[0.0; N]; N];
    velocity.as_flattened_mut().copy_from_slice(&x);
    let omega_rate = p.field(0.0, &Symmetric::from_matrix(&velocity));
    Conjugate::velocity(&omega_rate, &y, &mut rate);
    let mut zeta = Skew::zero();
    assert_eq!(Conjugate::align(&y, &x, &rate, &mut zeta), 0);
    let want = square::<N>(&row["zeta_min_norm"]);
    assert!(off(zeta.matrix().as_flattened(), want.as_flattened()) < 1e-13);
    for (key, corrected) in [("Eul_base_exp", false), ("Eul_corrected_exp", true)] {
        let mut u = omega.times(h);
        if corrected {
            u.axpy(h, &zeta);
        }
        let mut out = y;
        Conjugate::advance(Chart::Exp, &u, &y, &mut out);
        let error = off(out.matrix().as_flattened(), square::<N>(&row[key]).as_flattened());
        assert!(error < 1e-14, "{key} {error:e}");
    }
    // The orthogonal base gives another element, but the same orbit to second order: with one
    // isotropy direction (N = 3) even the same step.
    let chosen = one(&p, &mut euler(&p, Part::Curvature, Chart::Exp), h);
    let error =
        off(chosen.matrix().as_flattened(), square::<N>(&row["Eul_corrected_exp"]).as_flattened());
    println!("Sym({N}): from the orthogonal base {error:e}");
    assert!(error < if N == 3 { 1e-14 } else { h * h * h });
}

#[test]
fn symmetric_matrices() {
    let rows = reference()["sym"].clone();
    isospectral::<3>(&rows[0]);
    isospectral::<4>(&rows[1]);
}

/// `x' = y`, `y' = -x - x³`, by shifts of the plane.
#[derive(Clone, Debug)]
struct Duffing<S>(Rn<S, 2>);
impl<S: Real> Problem for Duffing<S> {
    type Point = Rn<S, 2>;
    fn start(&self) -> Rn<S, 2> {
        self.0
    }
}
impl<S: Real> Generator for Duffing<S> {
    type Space = PlaneMotion<S>;
    fn field(&self, _: f64, &Rn([x, y]): &Rn<S, 2>) -> PlanarTwist<S> {
        PlanarTwist::new(S::zero(), [y, -x - x * x * x])
    }
}
impl<S: Real> Lift for Duffing<S> {
    type Scalar = S;
    type Over<T: Real> = Duffing<T>;
    fn lift<T: Real>(&self, f: fn(S) -> T) -> Duffing<T> {
        Duffing(Rn(self.0.0.map(f)))
    }
    fn lift_point<T: Real>(&self, y: &Rn<S, 2>, f: fn(S) -> T) -> Rn<T, 2> {
        Rn(y.0.map(f))
    }
}

#[test]
fn osculating_circles_in_the_plane() {
    let row = reference()["se2_duffing"].clone();
    let p = Duffing(Rn(array(&row["z"])));
    let h = number(&row["h"]);
    let c = ChosenGenerator::new(p.clone(), Part::Curvature).field(0.0, &p.0);
    assert!((c.angular - number(&row["sigma_i"])).abs() < 1e-14, "{}", c.angular);
    let given = one(&p, &mut euler(&p, Part::Given, Chart::Exp), h);
    assert!(off(&given.0, &list(&row["Eul_o"])) < 1e-15);
    let curved = one(&p, &mut euler(&p, Part::Curvature, Chart::Exp), h);
    assert!(off(&curved.0, &list(&row["Eul_i"])) < 1e-15);
    // The energy of the oscillator gains an order.
    let energy = |&Rn([x, y]): &Rn<f64, 2>| 0.5 * (y * y + x * x) + 0.25 * x.powi(4);
    for (part, want) in [(Part::Given, 1.0), (Part::Curvature, 2.0)] {
        let [a, b] = [1000, 2000].map(|steps| {
            let first = energy(&p.0);
            let mut worst = 0.0f64;
            run(
                &p,
                &mut euler(&p, part, Chart::Exp),
                5.0 / f64::from(steps),
                steps as usize,
                |y| {
                    worst = worst.max((energy(y) - first).abs());
                },
            );
            worst
        });
        assert!(((a / b).log2() - want).abs() < 0.1, "{part:?} {a:e} {b:e}");
    }
}
