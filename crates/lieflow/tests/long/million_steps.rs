//! A million steps: what should stay, stays to 1e-13.
use lieflow::action::{Conjugate, Flat, Multiply, Symmetric};
use lieflow::group::{LieAlgebra, Skew, SkewHermitian, Su2, Sun};
use lieflow::method::isospectral::{self, Isospectral};
use lieflow::method::magnus::{self, Magnus};
use lieflow::method::{Method, Step};
use lieflow::problem::{Generator, Problem};
use lieflow::{Vec3, vec3};
use lieflow_testing::Draw;

const STEPS: u32 = 1_000_000;

/// So many steps between two times.
fn run<P: Generator>(p: &P, method: &mut dyn Method<P>, from: f64, until: f64) -> P::Point {
    let h = (until - from) / f64::from(STEPS);
    let mut y = p.start();
    let mut out = y.clone();
    for k in 0..STEPS {
        method.step(Step::new(p, from + f64::from(k) * h, h, &y), &mut out).unwrap();
        std::mem::swap(&mut y, &mut out);
    }
    y
}

/// Landau and Zener's crossing with `Δ = v = 1`.
struct Crossing;

impl Problem for Crossing {
    type Point = Su2<f64>;
    fn start(&self) -> Su2<f64> {
        Su2::unit()
    }
}
impl Generator for Crossing {
    type Space = Multiply<Su2<f64>>;
    fn is_linear(&self) -> bool {
        true
    }
    fn field(&self, t: f64, _: &Su2<f64>) -> Vec3<f64> {
        vec3(1.0, 0.0, t)
    }
}

/// The population of the first level at t = 20 after it was full at t = -20, by parabolic cylinder
/// functions with 60 digits.
const POPULATION: f64 = 0.2160286531130870791319;

#[test]
#[ignore = "slow: five million steps"]
fn landau_and_zeners_probability() {
    for (card, table) in &magnus::MEMBERS {
        let end = run(&Crossing, &mut Magnus::new(table), -20.0, 20.0).quaternion;
        let population = end.w * end.w + end.v.z * end.v.z;
        let (error, unitarity) = (population - POPULATION, end.norm_squared() - 1.0);
        println!("{}: population {error:e}, |ψ|² - 1 = {unitarity:e}", card.id);
        assert!(error.abs() < 1e-13 && unitarity.abs() < 1e-13, "{}", card.id);
    }
}

/// Three levels under a drive.
struct Levels([SkewHermitian<f64, 3>; 2]);

impl Problem for Levels {
    type Point = Sun<f64, 3>;
    fn start(&self) -> Sun<f64, 3> {
        Sun::unit()
    }
}
impl Generator for Levels {
    type Space = Multiply<Sun<f64, 3>>;
    fn is_linear(&self) -> bool {
        true
    }
    fn field(&self, t: f64, _: &Sun<f64, 3>) -> SkewHermitian<f64, 3> {
        let mut sum = self.0[0];
        sum.axpy((2.0 * t).cos(), &self.0[1]);
        sum
    }
}

#[test]
#[ignore = "slow: a million steps"]
fn unitary_matrices_stay_unitary() {
    let mut draw = Draw::new(4);
    let p = Levels([1.0, 0.7].map(|norm| draw.element(&SkewHermitian::zero(), norm)));
    let end = run(&p, &mut Magnus::new(&lieflow::tableau::MAGNUS4), 0.0, 1e4);
    println!("SU(3): |U*U - 1| = {:e}", end.unitarity_error());
    // Each step adds a few roundings of either sign.
    assert!(end.unitarity_error() < 5e-13);
    assert!(end.distance_squared(&p.start()) > 0.1);
}

/// Toda's lattice of four particles in a ring.
struct Ring(Symmetric<f64, 4>);

impl Problem for Ring {
    type Point = Symmetric<f64, 4>;
    fn start(&self) -> Symmetric<f64, 4> {
        self.0
    }
}
impl Generator for Ring {
    type Space = Conjugate<f64, 4>;
    fn field(&self, _: f64, l: &Symmetric<f64, 4>) -> Skew<f64, 4> {
        let mut b = [[0.0; 4]; 4];
        for i in 0..4 {
            for j in i + 1..4 {
                b[i][j] = if (i, j) == (0, 3) { -l.matrix()[i][j] } else { l.matrix()[i][j] };
                b[j][i] = -b[i][j];
            }
        }
        Skew::from_matrix(&b)
    }
}

#[test]
#[ignore = "slow: three million steps of many sweeps"]
fn toda_keeps_its_eigenvalues() {
    let (p, a) = ([0.5, -0.25, 0.15, -0.4], [0.45, 0.58, 0.39, 0.61]);
    let mut m = [[0.0; 4]; 4];
    for i in 0..4 {
        m[i][i] = p[i];
        m[i][(i + 1) % 4] = a[i];
        m[(i + 1) % 4][i] = a[i];
    }
    let ring = Ring(Symmetric::from_matrix(&m));
    let sorted = |l: &Symmetric<f64, 4>| {
        let mut values = l.eigen().0;
        values.sort_by(f64::total_cmp);
        values
    };
    for (card, table) in &isospectral::MEMBERS {
        let end = run(&ring, &mut Isospectral::<f64, 4>::new(table), 0.0, 5e4);
        let errors = sorted(&end).into_iter().zip(sorted(&ring.0)).map(|(a, b)| (a - b).abs());
        let worst = errors.fold(0.0, f64::max);
        println!("{}: eigenvalues {worst:e}", card.id);
        assert!(worst < 1e-13, "{}: {worst:e}", card.id);
        assert!(end.distance_squared(&ring.0) > 1e-3, "it moves");
    }
}
