//! The short way to the slopes of a chain has the bits of the long one: moved, asked for its field, pulled back.
use super::random::Random;
use lieflow::action::{Action, Link, TangentSphere};
use lieflow::chart::Chart;
use lieflow::group::{LieGroup, Se3, Twist};
use lieflow::problem::spheres::{OnSpheres, Se3Coordinates};
use lieflow::problem::{Generator, Stage};
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
