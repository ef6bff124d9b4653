//! The short way to the slopes of a chain has the bits of the long one: moved, asked for its field, pulled back.
use super::random::Random;
use lieflow::action::{Action, Link, TangentSphere};
use lieflow::chart::Chart;
use lieflow::group::{LieAlgebra, LieGroup, Se3, Twist};
use lieflow::problem::spheres::{OnSpheres, Se3Coordinates};
use lieflow::problem::{Generator, Stage, Stages};
use lieflow::tableau::{DOP853, DP54, RK4, Tableau};
use lieflow_models::system::pendulum_chain::PendulumChain;

type Chain = OnSpheres<PendulumChain<f64>, Se3Coordinates>;

fn bits(list: &[Twist<f64>]) -> Vec<u64> {
    let numbers = list.iter().flat_map(|t| [t.angular.to_array(), t.linear.to_array()]);
    numbers.flatten().map(f64::to_bits).collect()
}

/// Both ways at one stage.
fn compare(p: &Chain, y: &Vec<Link<f64>>, u: &Vec<Twist<f64>>, what: &str) {
    let mut point = y.clone();
    Vec::<TangentSphere<f64>>::advance(Chart::Exp, u, y, &mut point);
    let mut long = p.field(0.0, &point);
    Vec::<Se3<f64>>::pull(Chart::Exp, u, &mut long);
    let mut short = u.clone();
    p.slope_at(Stage { chart: Chart::Exp, t: 0.0, u, y }, &mut point, &mut short);
    assert_eq!(bits(&short), bits(&long), "{what}");
}

#[test]
fn slopes_of_chains_have_the_bits_of_the_long_way() {
    const { assert!(Chain::SHORT_CUTS) };
    let mut random = Random::new(8);
    for n in (1..=13).chain([16, 31, 64]) {
        let chain = random.chain(n);
        // Angles for the short series, for the long one, beyond it, and all of them side by side.
        for (round, size) in [1e-3, 0.3, 2.5, 0.0].into_iter().enumerate() {
            let y = random.links(n, 2.0);
            let p = Chain::new(chain.clone(), &y);
            let mut twist = |i: usize| {
                let size = if round == 3 { [1e-3, 0.3, 2.5][i % 3] } else { size };
                Twist::new(random.vector(size), random.vector(1.0))
            };
            let u: Vec<_> = (0..n).map(&mut twist).collect();
            compare(&p, &y, &u, &format!("{n} links, round {round}"));
        }
    }
}

/// A chain at rest that hangs straight down has zeros everywhere, and their signs are kept.
#[test]
fn slopes_of_straight_chains_keep_the_signs_of_zeros() {
    let mut random = Random::new(9);
    for n in 1..=9 {
        let down = Link::new(lieflow::vec3(0.0, -0.0, -1.0), lieflow::vec3(0.0, -0.0, 0.0));
        let y = vec![down; n];
        let p = Chain::new(random.chain(n), &y);
        for sign in [0.0, -0.0] {
            let zero = lieflow::vec3(sign, -sign, sign);
            compare(&p, &y, &vec![Twist::new(zero, zero); n], &format!("{n} links"));
        }
    }
}

/// Whether packs of four have the registers for it.
fn has_packs() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// All stages of a step from `y`, at once and one after the other.
fn compare_stages(p: &Chain, y: &Vec<Link<f64>>, h: f64, table: &'static Tableau, what: &str) {
    let chart = Chart::Stereographic;
    let rows = table.a;
    let mut one_by_one = vec![p.field(0.0, y); rows.len()];
    let mut at_once = one_by_one.clone();
    let (mut point, mut u) = (y.clone(), one_by_one[0].clone());
    for i in 1..rows.len() {
        u.combine(h, rows[i], &one_by_one);
        p.slope_at(Stage { chart, t: 0.0, u: &u, y }, &mut point, &mut one_by_one[i]);
    }
    let few = (1..=4).contains(&y.len()) && has_packs();
    assert_eq!(p.stages(Stages { chart, h, y, rows, k: &mut at_once }), few, "{what}");
    for i in 0..if few { rows.len() } else { 1 } {
        assert_eq!(bits(&at_once[i]), bits(&one_by_one[i]), "{what}, stage {i} of {}", table.name);
    }
    // In other charts nothing is written.
    let before = at_once.clone();
    assert!(!p.stages(Stages { chart: Chart::Exp, h, y, rows, k: &mut at_once }), "{what}");
    assert!(at_once == before, "{what}");
}

#[test]
fn stages_at_once_have_the_bits_of_one_after_the_other() {
    let mut random = Random::new(10);
    for n in 1..=5 {
        for (round, h) in [1e-3, 0.03, -0.1, 0.3].into_iter().enumerate() {
            let y = random.links(n, 2.0);
            let p = Chain::new(random.chain(n), &y);
            for table in [&RK4, &DP54, &DOP853] {
                compare_stages(&p, &y, h, table, &format!("{n} links, round {round}"));
            }
        }
        // Zeros and their signs, straight down and in a plane.
        for (x, z) in [(0.0, -1.0), (-0.0, 1.0), (0.6, 0.8), (-0.6, -0.8)] {
            for sign in [0.0, -0.0] {
                let link =
                    Link::new(lieflow::vec3(x, sign, z), lieflow::vec3(-sign, 0.5 * x, sign));
                let y = vec![link; n];
                let p = Chain::new(random.chain(n), &y);
                compare_stages(&p, &y, 0.05, &DOP853, &format!("{n} links along {x}, {z}"));
            }
        }
    }
}
