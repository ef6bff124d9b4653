//! Newton's method without matrices on implicit methods for chains and dipoles.
use super::data::*;
use super::random::Random;
use lieflow::action::Link;
use lieflow::chart::Chart;
use lieflow::method::fixed_point::FixedPoint;
use lieflow::method::gl4_sym::CentredStages;
use lieflow::method::implicit::{Implicit, StageEquations, StageSolver};
use lieflow::method::krylov::NewtonKrylov;
use lieflow::method::newton::Newton;
use lieflow::method::rkmk_gauss::GaussStages;
use lieflow::method::{Cost, Method, Step, StepError};
use lieflow::problem::Generator;
use lieflow::problem::spheres::{OnSpheres, Se3Coordinates, SphereSystem};
use lieflow::tableau;
use lieflow::vec3;
use lieflow_models::system::dipoles::Dipoles;
use lieflow_models::system::pendulum_chain::PendulumChain;

type On<M> = OnSpheres<M, Se3Coordinates>;

fn one<P, E, V>(p: &P, equations: E, h: f64) -> Result<(P::Point, Cost), StepError>
where
    P: Generator,
    E: StageEquations,
    V: StageSolver<P>,
{
    let mut method = Implicit::<P, E, V>::new(equations);
    let mut out = p.start();
    method.step(Step::new(p, 0.0, h, &p.start()), &mut out)?;
    Ok((out, method.cost()))
}

fn gauss() -> GaussStages {
    GaussStages { tableau: &tableau::GAUSS4, chart: Chart::Exp }
}

/// All three solvers on one step, or two where the third has no solution.
fn compare<M: SphereSystem<Scalar = f64> + 'static>(m: &M, y: &[Link<f64>], h: f64) {
    let p = On::<M>::new(m.clone(), y);
    let scale = y.iter().map(|l| l.omega.norm()).fold(1.0, f64::max);
    macro_rules! each {
        ($equations:expr) => {
            let (direct, _) = one::<_, _, Newton<On<M>>>(&p, $equations, h).unwrap();
            let (krylov, cost) = one::<_, _, NewtonKrylov<On<M>>>(&p, $equations, h).unwrap();
            let d = distance(&direct, &krylov);
            let swept = one::<_, _, FixedPoint>(&p, $equations, h);
            let sweeps = swept.as_ref().map(|(_, c)| c.field_evaluations);
            println!(
                "n = {} h = {h}: {d:.1e}, {} iterations, {} evaluations, sweeps {sweeps:?}",
                m.count(),
                cost.newton_iterations,
                cost.field_evaluations
            );
            assert!(d < 2e-13 * scale, "{d:e}");
            if let Ok((swept, _)) = swept {
                assert!(distance(&direct, &swept) < 2e-13 * scale);
            }
        };
    }
    each!(gauss());
    each!(GaussStages { tableau: &tableau::GAUSS6, chart: Chart::Exp });
    each!(CentredStages { chart: Chart::Exp });
}

fn grid() -> Dipoles<f64> {
    Dipoles::grid(3, 3, 0.024, 0.05, 0.02, 0.1).unwrap()
}

#[test]
fn all_solvers_find_the_same_step() {
    let mut random = Random::new(31);
    for n in [1, 2, 5, 8] {
        let m = random.chain(n);
        let y = random.links(n, 2.0);
        for h in [0.001, 0.01, 0.05] {
            compare(&m, &y, h);
        }
    }
    let (m, y) = (grid(), random.links(9, 2.0));
    for h in [0.001, 0.01, 0.03] {
        compare(&m, &y, h);
    }
}

/// The largest step up to which a solver finds a solution, among those that grow by doubling and then by a tenth.
fn reach<P: Generator, V: StageSolver<P>>(p: &P) -> f64 {
    let mut h = 1e-3;
    for growth in [2.0, 1.1] {
        while h < 10.0 && one::<P, _, V>(p, gauss(), growth * h).is_ok() {
            h *= growth;
        }
    }
    h
}

/// How far both solvers get, Newton's method first.
fn reaches<M: SphereSystem<Scalar = f64> + 'static>(
    what: &str,
    m: M,
    y: &[Link<f64>],
) -> (f64, f64) {
    let p = On::<M>::new(m, y);
    let (newton, swept) = (reach::<_, NewtonKrylov<_>>(&p), reach::<_, FixedPoint>(&p));
    println!("{what}: Newton to h = {newton:.3}, fixed point to {swept:.3}");
    (newton, swept)
}

#[test]
fn newton_reaches_farther_than_fixed_point_iteration() {
    let mut random = Random::new(32);
    for n in [2, 10, 40] {
        // Long links that turn at random: the equations have no solution much farther on.
        let (newton, swept) = reaches("random", random.chain(n), &random.links(n, 2.0));
        assert!(newton >= swept, "{newton} {swept}");
    }
    // Many short links are stiff for their size.
    let n = 40;
    let m = PendulumChain::new(vec![1.0; n], vec![5.0 / n as f64; n], vec3(0.0, 0.0, -9.81));
    let (newton, swept) = reaches("straight", m.unwrap(), &vec![random.link(0.0); n]);
    assert!(newton > 5.0 * swept, "{newton} {swept}");
    let (newton, swept) = reaches("dipoles", grid(), &random.links(9, 2.0));
    assert!(newton > 1.2 * swept, "{newton} {swept}");
}

/// Evaluations do not depend on the number of links, and each takes O(n) operations.
#[test]
fn the_work_grows_with_the_number_of_links_only_by_the_field() {
    let mut random = Random::new(33);
    let mut counts = Vec::new();
    for n in [20, 80, 320, 1280] {
        let m = random.chain(n);
        let p = On::<PendulumChain<f64>>::new(m, &random.links(n, 2.0));
        let (_, cost) = one::<_, _, NewtonKrylov<_>>(&p, gauss(), 0.01).unwrap();
        println!("n = {n}: {cost:?}");
        counts.push(cost.field_evaluations);
    }
    assert!(counts[3] <= 2 * counts[0], "{counts:?}");
}

#[test]
fn steps_without_solution_and_fields_without_numbers_fail() {
    let mut random = Random::new(34);
    let m = random.chain(4);
    let mut y = random.links(4, 2.0);
    let p = On::<PendulumChain<f64>>::new(m.clone(), &y);
    let error = one::<_, _, NewtonKrylov<_>>(&p, gauss(), 50.0).unwrap_err();
    assert!(
        matches!(error, StepError::NotConverged { .. } | StepError::ChartLeft { .. }),
        "{error}"
    );
    y[1].omega.x = f64::NAN;
    let p = On::<PendulumChain<f64>>::new(m, &y);
    let error = one::<_, _, NewtonKrylov<_>>(&p, gauss(), 0.01).unwrap_err();
    assert!(matches!(error, StepError::NotFinite { .. }), "{error}");
}
