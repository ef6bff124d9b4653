//! Symplecticity, symmetry, momentum and order of every variational method on T*SO(3).
use super::mechanics::*;
use lieflow::group::So3;
use lieflow::group::family::Rotations;
use lieflow::method::cotangent::structure::{Tangent, linearise};
use lieflow::method::variational::{FromHamiltonian, FromLagrangian, Scheme, Variational, names};
use lieflow::method::{Method, Step, StepResult};
use lieflow::problem::{Cotangent, Hamiltonian, Lagrangian, Phase, Problem};
use lieflow::tableau::{self, Tableau};

type State = Cotangent<So3<f64>>;

/// The matrix of Lobatto IIIA with three stages.
static LOBATTO_3A: Tableau = Tableau {
    name: "lobatto-iiia",
    order: 4,
    a: &[
        &[0.0, 0.0, 0.0],
        &[5.0 / 24.0, 1.0 / 3.0, -1.0 / 24.0],
        &[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
    ],
    b: &[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
    embedded: &[],
    dense: None,
    c: &[0.0, 0.5, 1.0],
    cite: "hairer2006",
};

fn schemes() -> Vec<(String, Scheme)> {
    let mut all: Vec<_> = rotation_ids()
        .into_iter()
        .map(|id| (id.clone(), names::scheme(&id).unwrap().unwrap()))
        .collect();
    all.push(("slgi-theta0.3".into(), names::scheme("slgi-theta0.3").unwrap().unwrap()));
    all.push(("vrkmk Lobatto IIIA".into(), Scheme::runge_kutta(&LOBATTO_3A).unwrap()));
    all.push(("vrkmk RK4".into(), Scheme::runge_kutta(&tableau::RK4).unwrap()));
    all
}

#[test]
fn every_method_is_symplectic() {
    let top = Top::named("mild-top");
    let dual = Lagrangian::over(&top, Tangent::constant);
    let mut worst: f64 = 0.0;
    for (id, scheme) in schemes() {
        let mut method = Variational::<_, FromLagrangian>::new(scheme.clone());
        let at = linearise::<Rotations, _, _>(&dual, &mut method, 0.0, 0.3, &top.start()).unwrap();
        let defect = at.symplectic_defect();
        worst = worst.max(defect);
        assert!(defect < 1e-14, "{id}: {defect:e}");
    }
    println!("largest symplectic defect {worst:e}");
    // Through the Hamiltonian alone, velocities and momenta come from nested dual numbers.
    let dual = Hamiltonian::over(&top, Tangent::constant);
    for id in ["slgi-theta0", "chart-cay-truemid"] {
        let scheme = names::scheme(id).unwrap().unwrap();
        let mut method = Variational::<_, FromHamiltonian>::new(scheme);
        let at = linearise::<Rotations, _, _>(&dual, &mut method, 0.0, 0.3, &top.start()).unwrap();
        assert!(at.symplectic_defect() < 1e-14, "{id} by the Hamiltonian");
    }
}

/// A step that forgets to turn the momentum with the body.
struct Careless(Variational<Top<Tangent>, FromLagrangian>);
impl Method<Top<Tangent>> for Careless {
    fn step(&mut self, s: Step<'_, Top<Tangent>>, out: &mut Cotangent<So3<Tangent>>) -> StepResult {
        self.0.step(s, out)?;
        out.mu = s.y.mu;
        Ok(None)
    }
    fn cost(&self) -> lieflow::method::Cost {
        self.0.cost()
    }
}

#[test]
fn the_defect_sees_a_map_that_is_not_symplectic() {
    let top = Top::named("mild-top");
    let dual = Lagrangian::over(&top, Tangent::constant);
    let scheme = names::scheme("slgi-theta0.5").unwrap().unwrap();
    let mut method = Careless(Variational::new(scheme));
    let at = linearise::<Rotations, _, _>(&dual, &mut method, 0.0, 0.3, &top.start()).unwrap();
    assert!(at.symplectic_defect() > 1e-2);
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
}

/// Attitude and body momentum, each as a norm, added.
fn miss(a: &State, b: &State) -> f64 {
    let p = |y: &State| y.body_momentum().to_array();
    distance(&flat(a)[..9], &flat(b)[..9]) + distance(&p(a), &p(b))
}

#[test]
fn symmetry_is_as_tabulated() {
    let top = Top::named("mild-top");
    let y = top.start();
    let there_and_back = |id: &str| {
        let mut method =
            Variational::<Top<f64>, FromLagrangian>::new(names::scheme(id).unwrap().unwrap());
        let (mut there, mut back) = (y.clone(), y.clone());
        method.step(Step::new(&top, 0.0, 0.2, &y), &mut there).unwrap();
        method.step(Step::new(&top, 0.2, -0.2, &there), &mut back).unwrap();
        miss(&back, &y)
    };
    for id in [
        "slgi-theta0.5",
        "vrkmk-gauss2",
        "chart-exp-trapezoid",
        "chart-exp-midpoint",
        "chart-exp-truemid",
        "chart-cay-trapezoid",
        "chart-cay-truemid",
        "liegalerkin-exp-s1-gauss2",
        "liegalerkin-exp-s1-lobatto2",
    ] {
        assert!(there_and_back(id) < 1e-15, "{id}: {:e}", there_and_back(id));
    }
    for id in &rotation_ids() {
        let claimed = names::scheme(id).unwrap().unwrap().symmetric;
        assert!(!claimed || there_and_back(id) < 1e-15, "{id}: {:e}", there_and_back(id));
    }
    for (id, want) in [
        ("chart-cay-midpoint", 1.5e-4),
        ("liegalerkin-exp-s2-gauss2", 7e-8),
        ("liegalerkin-exp-s3-gauss3", 1.4e-11),
    ] {
        let got = there_and_back(id);
        assert!((got / want - 1.0).abs() < 0.05, "{id}: {got:e}");
    }
    // The left and the right rule undo each other.
    for chart in ["exp", "cay"] {
        let rule = |side| names::scheme(&format!("chart-{chart}-{side}")).unwrap().unwrap();
        let mut forth = Variational::<Top<f64>, FromLagrangian>::new(rule("left"));
        let mut back = Variational::<Top<f64>, FromLagrangian>::new(rule("right"));
        let (mut there, mut home) = (y.clone(), y.clone());
        forth.step(Step::new(&top, 0.0, 0.2, &y), &mut there).unwrap();
        back.step(Step::new(&top, 0.2, -0.2, &there), &mut home).unwrap();
        assert!(miss(&home, &y) < 1e-15);
        assert!(there_and_back(&format!("chart-{chart}-left")) > 1e-2);
    }
}

#[test]
fn vertical_momentum_is_kept() {
    vertical_momentum(2000);
}

#[test]
#[ignore = "slow: more of the same steps"]
fn vertical_momentum_is_kept_over_ten_thousand_steps() {
    vertical_momentum(10_000);
}

fn vertical_momentum(steps: usize) {
    let top = Top::named("mild-top");
    let size = top.mu.norm();
    for (id, scheme) in schemes() {
        let mut method = Variational::<_, FromLagrangian>::new(scheme);
        let mut worst: f64 = 0.0;
        integrate(&top, &mut method, 0.1, steps, |_, y| {
            worst = worst.max((y.mu.z - top.mu.z).abs());
        });
        // The force has no vertical component, not even by rounding.
        assert!(worst == 0.0 && size > 0.0, "{id}: {worst:e}");
    }
    // Through the Hamiltonian the force comes from dual numbers and has rounding errors.
    let mut method =
        Variational::<_, FromHamiltonian>::new(names::scheme("slgi-theta0.5").unwrap().unwrap());
    let mut worst: f64 = 0.0;
    integrate(&top, &mut method, 0.1, steps, |_, y| {
        worst = worst.max((y.mu.z - top.mu.z).abs());
    });
    println!("vertical momentum by the Hamiltonian {:e}", worst / size);
    assert!(worst < 1e-12 * size);
}

struct Reference {
    rotation: Vec<f64>,
    space: Vec<f64>,
    body: Vec<f64>,
}

fn at(id: &str, t: f64) -> Reference {
    let data = reference();
    let cases = data["public"]["trajectories"].as_array().unwrap();
    let case = cases.iter().find(|c| c["id"] == id).unwrap();
    let state = case["states"].as_array().unwrap().iter().find(|s| s["t"] == t).unwrap();
    Reference {
        rotation: state["Q"].as_array().unwrap().iter().flat_map(numbers).collect(),
        space: numbers(&state["pi"]),
        body: numbers(&state["Pi"]),
    }
}

/// Errors at t = 2 for 8, 16, 32 and 64 steps: attitude plus momentum, in space or in the body.
fn ladder(top: &Top<f64>, scheme: &Scheme, exact: &Reference, body: bool) -> [f64; 4] {
    [8, 16, 32, 64].map(|n| {
        let mut method = Variational::<_, FromLagrangian>::new(scheme.clone());
        let y = integrate(top, &mut method, 2.0 / n as f64, n, |_, _| ());
        let momentum = if body {
            distance(&y.body_momentum().to_array(), &exact.body)
        } else {
            distance(&y.mu.to_array(), &exact.space)
        };
        distance(&flat(&y)[..9], &exact.rotation) + momentum
    })
}

/// From the last two errors that are above rounding.
fn observed_order(errors: &[f64; 4]) -> f64 {
    let last = if errors[3] > 2e-13 { 3 } else { 2 };
    (errors[last - 1] / errors[last]).log2()
}

#[test]
fn errors_and_orders_are_those_of_the_tables() {
    let top = Top::named("mild-top");
    let exact = at("mild-top", 2.0);
    let check = |name: &str, scheme: &Scheme, body: bool, want: [f64; 4], order: f64| {
        let got = ladder(&top, scheme, &exact, body);
        for (g, w) in got.iter().zip(want) {
            // Three or four digits are tabulated; the last error of order six is at rounding level.
            assert!(w.is_nan() || (g / w - 1.0).abs() < 6e-3 || *g < 1e-13, "{name}: {g:e} {w:e}");
        }
        let observed = observed_order(&got);
        assert!((observed - order).abs() < 0.1, "{name}: order {observed}");
    };
    let named = |id: &str| names::scheme(id).unwrap().unwrap();
    let skip = f64::NAN;
    for (id, want, order) in [
        ("slgi-theta0", [3.32e-1, 1.71e-1, 8.63e-2, 4.34e-2], 1.0),
        ("slgi-theta0.5", [3.22e-2, 7.98e-3, 1.99e-3, 4.97e-4], 2.0),
        ("slgi-theta1", [3.58e-1, 1.77e-1, 8.79e-2, 4.38e-2], 1.0),
        ("vrkmk-gauss4", [1.139e-5, 7.05e-7, 4.39e-8, 2.74e-9], 4.0),
        ("vrkmk-gauss6", [2.244e-8, 3.51e-10, 5.48e-12, 8.56e-14], 6.0),
    ] {
        check(id, &named(id), false, want, order);
    }
    let lobatto = Scheme::runge_kutta(&LOBATTO_3A).unwrap();
    check("vrkmk Lobatto IIIA", &lobatto, false, [1.981e-5, 1.27e-6, 8.04e-8, 5.06e-9], 4.0);
    let rk4 = Scheme::runge_kutta(&tableau::RK4).unwrap();
    check("vrkmk RK4", &rk4, false, [1.465e-4, 9.31e-6, 5.84e-7, 3.66e-8], 4.0);
    for (id, want, order) in [
        ("chart-exp-left", [4.694e-1, skip, skip, 5.929e-2], 1.0),
        ("chart-exp-trapezoid", [4.248e-2, 1.071e-2, 2.683e-3, 6.712e-4], 2.0),
        ("chart-exp-midpoint", [3.344e-2, 8.279e-3, 2.065e-3, 5.159e-4], 2.0),
        ("chart-cay-trapezoid", [1.375e-1, skip, skip, 2.351e-3], 2.0),
        ("chart-cay-truemid", [1.242e-1, skip, skip, 2.120e-3], 2.0),
        ("liegalerkin-exp-s2-gauss2", [2.130e-5, skip, skip, 4.946e-9], 4.0),
        ("liegalerkin-exp-s3-gauss3", [1.662e-8, skip, skip, 6.387e-14], 6.0),
        ("liegalerkin-cay-s2-gauss2", [1.034e-4, skip, skip, 2.231e-8], 4.0),
        ("liegalerkin-cay-s3-gauss3", [4.209e-7, skip, skip, 1.198e-12], 6.0),
    ] {
        check(id, &named(id), true, want, order);
    }
}

#[test]
fn every_order_is_as_claimed() {
    let top = Top::named("mild-top");
    let exact = at("mild-top", 2.0);
    for id in &rotation_ids() {
        let scheme = names::scheme(id).unwrap().unwrap();
        let got = ladder(&top, &scheme, &exact, false);
        let claimed = f64::from(scheme.order.unwrap());
        let observed = observed_order(&got);
        assert!((observed - claimed).abs() < 0.15, "{id}: claimed {claimed}, observed {observed}");
    }
}
