//! Products of groups: a chain of two pendulums on (TS²)², as an array and as a vector.
use crate::common::*;
use lieflow::action::Action;
use lieflow::group::{Se3, Twist};
use lieflow::method::generator::entries;
use lieflow::method::{Options, Step};
use lieflow::problem::{Generator, Problem};
use lieflow::{Vec3, vec3};

/// SE(3) on pairs (direction, angular velocity): `(R, r)·(q, w) = (R q, R w + r × R q)`.
struct TangentSphere;
impl Action for TangentSphere {
    type Group = Se3<f64>;
    type Point = (Vec3<f64>, Vec3<f64>);
    fn act(g: &Se3<f64>, (q, w): &Self::Point) -> Self::Point {
        let q = g.rotation.apply(*q);
        (q, g.rotation.apply(*w) + g.position.cross(q))
    }
}

/// Two unit masses on links of unit length under gravity.
const GRAVITY: Vec3<f64> = vec3(0.0, 0.0, -9.81);

/// The fields of both links, from the tensions of the rods.
fn fields(y: &[(Vec3<f64>, Vec3<f64>)]) -> [Twist<f64>; 2] {
    let [(q1, w1), (q2, w2)] = [y[0], y[1]];
    let e = -q1.dot(q2);
    let (r1, r2) = (w1.norm_squared() + GRAVITY.dot(q1), w2.norm_squared());
    // [1 e; e 2] (l1, l2) = (r1, r2)
    let determinant = 2.0 - e * e;
    let (l1, l2) = ((2.0 * r1 - e * r2) / determinant, (r2 - e * r1) / determinant);
    let a1 = q1.cross(GRAVITY + q2 * l2);
    let a2 = q2.cross(q1 * l1);
    [Twist::new(w1, q1.cross(a1)), Twist::new(w2, q2.cross(a2))]
}
fn start() -> [(Vec3<f64>, Vec3<f64>); 2] {
    let (q1, q2) = (vec3(0.6, 0.48, 0.64), vec3(0.36, 0.8, -0.48));
    [(q1, q1.cross(vec3(0.3, -0.5, 0.8))), (q2, q2.cross(vec3(-0.2, 0.9, 0.4)))]
}

struct Pair;
impl Problem for Pair {
    type Point = [(Vec3<f64>, Vec3<f64>); 2];
    fn start(&self) -> Self::Point {
        start()
    }
}
impl Generator for Pair {
    type Space = [TangentSphere; 2];
    fn field(&self, _t: f64, y: &Self::Point) -> [Twist<f64>; 2] {
        fields(y)
    }
}

struct Chain;
impl Problem for Chain {
    type Point = Vec<(Vec3<f64>, Vec3<f64>)>;
    fn start(&self) -> Self::Point {
        start().to_vec()
    }
}
impl Generator for Chain {
    type Space = Vec<TangentSphere>;
    fn field(&self, _t: f64, y: &Self::Point) -> Vec<Twist<f64>> {
        fields(y).to_vec()
    }
}

/// Direction of the first link after 25 steps of 0.02, by independent programs.
#[test]
fn directions_of_a_chain() {
    for (id, want) in [
        ("lie-euler", [0.933853327055948226462, 0.347724105535890948311, 0.0837013140625687555258]),
        (
            "rkmk2-heun",
            [0.936343610262574010324, 0.349856272131659729426, 0.0293467608193299291937],
        ),
        ("rkmk3", [0.936414199184453019453, 0.349707302183300066957, 0.0288660763772563703859]),
        ("rkmk4", [0.936415767147083294032, 0.349703235771167928567, 0.0288644752163349662895]),
        (
            "rkmk4-casas-owren",
            [0.936415764857845180946, 0.349703226169218012827, 0.0288646658137168851434],
        ),
        ("cf4", [0.936415786154236823937, 0.349703184654196838079, 0.0288644778898791037281]),
        ("rkmk-dp54", [0.936415783161141232994, 0.34970318803350463932, 0.0288645340497611509975]),
        ("rkmk-gl4", [0.936415764104506917925, 0.349703238851647392399, 0.0288645366018598498453]),
        ("gl4-sym", [0.936415764104803766039, 0.349703238861901733805, 0.0288645364679949027852]),
    ] {
        let mut m = method(&entries(), id, &Pair, &Options::default());
        let y = run(&Pair, &mut *m, 0.02, 25);
        let error = (y[0].0 - want.into()).norm();
        assert!(error < 2e-14, "{id}: {error:e}");
        let mut m = method(&entries(), id, &Chain, &Options::default());
        assert_eq!(run(&Chain, &mut *m, 0.02, 25), y, "{id} as a vector");
    }
}

/// The estimates of the first step.
#[test]
fn first_estimates_of_a_chain() {
    for (id, want) in
        [("rkmk-dp54", 1.67622094373572921529e-9), ("cf43-eq34", 9.11268591103608629741e-7)]
    {
        let mut m = method(&entries(), id, &Pair, &Options::default());
        let error = m.step(Step::new(&Pair, 0.0, 0.02, &start()), &mut start()).unwrap().unwrap();
        assert!((error / want - 1.0).abs() < 1e-7, "{id}: {error:e}");
    }
}
