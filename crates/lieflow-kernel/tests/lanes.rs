//! A lane gives the same bits as the `f64` run, whatever its neighbours do.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod common;
use common::everything::{Input, everything};
use common::{ANGLES, Draw};
use lieflow_kernel::{Dual, Lanes, Mask, Real};

fn sample(draw: &mut Draw, angle: f64) -> Input<f64> {
    Input { u: draw.of_norm(angle), w: draw.vector(), a: draw.vector(), b: draw.vector() }
}
/// Small and large angles in turn, so that the lanes of a pack need different forms; every third
/// pack has equal angles, so that the common short cuts are taken as well.
fn pack<const N: usize>(draw: &mut Draw, round: usize) -> [Input<f64>; N] {
    std::array::from_fn(|lane| {
        let k = if round.is_multiple_of(3) { round / 3 } else { round + 5 * lane };
        // 1e-300 squared is zero, which the list divides by.
        let angle = ANGLES[k % ANGLES.len()].max(1e-150);
        sample(draw, angle)
    })
}
fn transpose<const N: usize>(inputs: &[Input<f64>; N]) -> Input<Lanes<N>> {
    let columns = inputs.map(|x| x.numbers());
    let mut k = 0;
    inputs[0].map(|_| {
        let lanes = Lanes(std::array::from_fn(|lane| columns[lane][k]));
        k += 1;
        lanes
    })
}
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn agree<const N: usize>() {
    let mut draw = Draw::new(N as u64);
    let mut compared = 0;
    for round in 0..300 {
        let inputs = pack::<N>(&mut draw, round);
        let packed = everything(&transpose(&inputs));
        for (lane, input) in inputs.iter().enumerate() {
            for ((name, want), (_, got)) in everything(input).iter().zip(&packed) {
                let got = got.0[lane];
                assert!(want.is_finite(), "{name}: {want}\n{input:?}");
                assert!(
                    same(got, *want),
                    "{name}, lane {lane} of {N}: {got:e} {want:e}\n{input:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 300 * N * 200);
}

#[test]
fn two_lanes() {
    agree::<2>();
}
#[test]
fn four_lanes() {
    agree::<4>();
}
#[test]
fn eight_lanes() {
    agree::<8>();
}

#[test]
fn dual_numbers_over_lanes() {
    let mut draw = Draw::new(99);
    for round in 0..60 {
        let inputs = pack::<4>(&mut draw, round);
        let slopes: Vec<f64> = (0..12).map(|_| draw.number()).collect();
        let mut k = 0;
        let packed = transpose(&inputs).map(|re| {
            k += 1;
            Dual { re, eps: [Lanes::lift(slopes[k - 1]), Lanes::lift(-0.5 * slopes[k - 1])] }
        });
        let packed = everything(&packed);
        for (lane, input) in inputs.iter().enumerate() {
            let mut k = 0;
            let single = input.map(|re| {
                k += 1;
                Dual { re, eps: [slopes[k - 1], -0.5 * slopes[k - 1]] }
            });
            for ((name, want), (_, got)) in everything(&single).iter().zip(&packed) {
                assert!(same(got.re.0[lane], want.re), "{name}, value");
                assert!(same(got.eps[0].0[lane], want.eps[0]), "{name}, first derivative");
                assert!(same(got.eps[1].0[lane], want.eps[1]), "{name}, second derivative");
            }
        }
    }
}

#[test]
fn masks_and_magnitudes() {
    let x = Lanes([1.0, -3.0, 2.0, f64::INFINITY]);
    let mask = x.lt(Lanes::lift(1.5));
    assert_eq!(mask.to_array(), [true, true, false, false]);
    assert!(mask.any() && !mask.all() && mask.or(mask.not()).all() && !mask.and(mask.not()).any());
    assert_eq!(x.finite().to_array(), [true, true, true, false]);
    assert_eq!(Lanes([1.0, -3.0]).magnitude(), 3.0);
    for nan in [Lanes([f64::NAN, 1.0]), Lanes([1.0, f64::NAN])] {
        assert!(nan.magnitude().is_nan(), "a lane that fails must not be hidden");
    }
}
