//! The power series of four turned vectors: the same numbers one lane at a time as four together, and those that
//! the recurrence says.
use crate::turned::{Lanes, Term, in_last_lane, largest, next, spread, sum};
use lieflow::kernel::wide::{
    VectorWork, Vectors, run_scalar, run_vectorised, run_with_more_registers,
};
use lieflow::{Vec3, vec3};

const ORDER: usize = 23;

/// Numbers without a pattern, of both signs.
fn number(k: usize) -> f64 {
    (k as f64 * 1.7 + 0.3).sin() * 1.5
}

fn turn(k: usize) -> [f64; 3] {
    [number(7 * k), number(7 * k + 1), number(7 * k + 2)].map(|x| x / (k + 1) as f64)
}
fn push(k: usize) -> [f64; 3] {
    [number(7 * k + 3), number(7 * k + 4), number(7 * k + 5)]
}

/// All terms, the largest numbers of each, and the sums up to each order.
struct Series;
impl VectorWork for Series {
    type Output = (Vec<Term>, Vec<Lanes>, Vec<Term>);
    #[inline(always)]
    fn run<V: Vectors>(self) -> Self::Output {
        let first = [0, 4, 8].map(|c| [0, 1, 2, 3].map(|lane| number(100 + c + lane)));
        let mut terms = vec![[[0.0; 4]; 3]; ORDER + 1];
        let turns: Vec<[f64; 3]> = (0..ORDER).map(turn).collect();
        terms[0] = first;
        for k in 0..ORDER {
            let known = (&terms[..=k], &turns[..=k]);
            let turns = [spread::<V>(turns[0]), spread::<V>(turns[k])];
            terms[k + 1] = next::<V>(known, &terms[k], turns, in_last_lane::<V>(push(k)));
        }
        let sizes = terms.iter().map(|term| largest::<V>(term, 0.25)).collect();
        let sums = (1..=ORDER + 1).map(|n| sum::<V>(&terms[..n], 0.37)).collect();
        (terms, sizes, sums)
    }
}

fn vector(term: &Term, lane: usize) -> Vec3<f64> {
    vec3(term[0][lane], term[1][lane], term[2][lane])
}

#[test]
fn lanes_alone_and_together_have_the_same_bits() {
    let alone = run_scalar::<f64, _>(Series);
    assert_eq!(alone, run_vectorised::<f64, _>(Series));
    assert_eq!(alone, run_with_more_registers::<f64, _>(Series));
}

#[test]
fn terms_are_those_of_the_recurrence() {
    let (terms, sizes, sums) = run_vectorised::<f64, _>(Series);
    for k in 0..ORDER {
        for lane in 0..4 {
            let mut slope = if lane == 3 { Vec3::from(push(k)) } else { Vec3::zero() };
            for j in 0..=k {
                slope += vector(&terms[k - j], lane).cross(Vec3::from(turn(j)));
            }
            let (want, got) = (slope * (1.0 / (k + 1) as f64), vector(&terms[k + 1], lane));
            let near = (got - want).norm() <= 1e-14 * (1.0 + want.norm());
            assert!(near, "order {}, lane {lane}: {got:?}, not {want:?}", k + 1);
        }
    }
    for (n, total) in sums.iter().enumerate() {
        for lane in 0..4 {
            let mut want = Vec3::zero();
            for term in terms[..=n].iter().rev() {
                want = want * 0.37 + vector(term, lane);
            }
            let got = vector(total, lane);
            assert!((got - want).norm() <= 1e-14 * (1.0 + want.norm()), "order {n}, lane {lane}");
        }
    }
    for (term, sizes) in terms.iter().zip(&sizes) {
        for (lane, size) in sizes.iter().enumerate() {
            let parts = vector(term, lane).to_array().map(f64::abs);
            let most = parts.into_iter().fold(0.0, f64::max);
            assert_eq!(*size, if lane == 3 { 0.25 * most } else { most });
        }
    }
}
