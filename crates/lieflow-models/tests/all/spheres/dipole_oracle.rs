//! The energy and the field of dipoles against the physics, written down once more: the energy of
//! one magnetic moment in the field of another, summed over all pairs in extended precision, and
//! its derivatives by dual numbers over that.
use super::random::Random;
use lieflow::action::Link;
use lieflow::kernel::DoubleDouble;
use lieflow::problem::spheres::{
    FlatCoordinates, LiftCoordinates, MomentumCoordinates, OnSpheres, Se3Coordinates, Slot,
    SphereSystem,
};
use lieflow::problem::{Generator, Problem};
use lieflow::{Dual, Real, Vec3, vec3};
use lieflow_models::system::dipoles::Dipoles;

const ROWS: usize = 5;
const COLUMNS: usize = 7;
const SPACING: f64 = 0.024;
const MASS: f64 = 0.05;
const LENGTH: f64 = 0.02;
const MOMENT: f64 = 0.1;

/// Where the dipole `i` is: along the rows first.
fn place(i: usize) -> Vec3<f64> {
    vec3((i % COLUMNS) as f64 * SPACING, (i / COLUMNS) as f64 * SPACING, 0.0)
}

/// The flux density that the magnetic moment `m` makes at the distance `r` from it, in SI units:
/// `(mu0/4 pi) (3 r (m·r)/|r|² - m)/|r|³`.
fn flux<S: Real>(m: Vec3<S>, r: Vec3<S>) -> Vec3<S> {
    let square = r.dot(r);
    let cube = square * square.sqrt();
    let along = r.times(m.dot(r) * 3.0 / square);
    (along - m).times(S::lift(1e-7) / cube)
}

/// `-sum m_i·B_j` over pairs, for moments of one size in these directions.
fn energy<S: Real>(directions: &[Vec3<S>]) -> S {
    let mut sum = S::zero();
    for i in 0..directions.len() {
        for j in 0..i {
            let r = Vec3::lift(place(i)) - Vec3::lift(place(j));
            let (here, there) = (directions[i] * MOMENT, directions[j] * MOMENT);
            sum -= here.dot(flux(there, r));
        }
    }
    sum
}

type Long = DoubleDouble;
type Slope = Dual<Long, 3>;

/// The derivative of the energy by the direction `i`.
fn gradient(y: &[Link<f64>], i: usize) -> Vec3<Long> {
    let mut directions: Vec<Vec3<Slope>> = y.iter().map(|l| Vec3::lift(l.q)).collect();
    let q = y[i].q;
    directions[i] = vec3(
        Slope::variable(Long::lift(q.x), 0),
        Slope::variable(Long::lift(q.y), 1),
        Slope::variable(Long::lift(q.z), 2),
    );
    Vec3::from(energy(&directions).eps)
}

fn near(v: Vec3<Long>) -> Vec3<f64> {
    vec3(v.x.hi(), v.y.hi(), v.z.hi())
}

#[test]
fn energy_and_field_are_those_of_magnetic_moments() {
    let m = Dipoles::grid(ROWS, COLUMNS, SPACING, MASS, LENGTH, MOMENT).unwrap();
    let n = ROWS * COLUMNS;
    assert_eq!(m.count(), n);
    // A thin needle about its middle.
    let inertia = MASS * LENGTH * LENGTH / 12.0;
    let mut random = Random::new(41);
    for _ in 0..3 {
        let y = random.links(n, 3.0);
        let directions: Vec<Vec3<Long>> = y.iter().map(|l| Vec3::lift(l.q)).collect();
        let want = energy(&directions).hi();
        // Terms of both signs: relative to the size of one of them.
        let size = n as f64 * 1e-7 * MOMENT * MOMENT / SPACING.powi(3);
        let e = (m.potential(&y) - want).abs() / size;
        assert!(e < 1e-14, "energy: {e:e}");

        // w' = -(1/M) q × dV/dq, in extended precision.
        let scale = Long::lift(1.0) / Long::lift(inertia);
        let turned: Vec<Vec3<f64>> =
            (0..n).map(|i| near(gradient(&y, i).cross(Vec3::lift(y[i].q)).times(scale))).collect();
        let largest = turned.iter().map(|v| v.norm()).fold(0.0, f64::max);
        let far = |what: &str, found: Vec<Vec3<f64>>| {
            let each = found.iter().zip(&turned).map(|(a, b)| (*a - *b).norm());
            let e = each.fold(0.0, f64::max) / largest;
            println!("{what}: {e:.1e}");
            assert!(e < 1e-13, "{what}: {e:e}");
        };
        let at = |i: usize| y[i].q;

        let p = OnSpheres::<_, Se3Coordinates>::new(m.clone(), &y);
        let f = p.field(0.0, &p.start());
        assert!(f.iter().zip(&y).all(|(f, l)| f.first() == l.omega));
        // The second part is q × w', and w' is orthogonal to q.
        far("se3", (0..n).map(|i| f[i].second().cross(at(i))).collect());
        let p = OnSpheres::<_, LiftCoordinates>::new(m.clone(), &y);
        let f = p.field(0.0, &p.start());
        far("lift", f.iter().map(|f| f.second()).collect());
        let p = OnSpheres::<_, FlatCoordinates>::new(m.clone(), &y);
        let f = p.field(0.0, &p.start());
        far("euclidean", f.iter().map(|f| f.second()).collect());
        assert!(f.iter().zip(&y).all(|(f, l)| f.first() == l.omega.cross(l.q)));
        // Momenta pi = M w: the second part is dH/dq = dV/dq, and pi' = dH/dq × q + w × pi.
        let p = OnSpheres::<_, MomentumCoordinates>::new(m.clone(), &y);
        let f = p.field(0.0, &p.start());
        far(
            "hamiltonian",
            (0..n).map(|i| f[i].second().cross(at(i)).times(1.0 / inertia)).collect(),
        );
        for (f, l) in f.iter().zip(&y) {
            assert!((f.first() - l.omega).norm() < 1e-14 * l.omega.norm());
        }
    }
}
