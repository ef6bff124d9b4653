//! A lane gives the same bits as the `f64` run, whatever its neighbours do.
use crate::common::everything::{Input, everything};
use crate::common::{ANGLES, Draw};
use lieflow_kernel::tape::{sinh, tanh};
use lieflow_kernel::wide::twins::{TwinWork, Twins, run_in_twins};
use lieflow_kernel::wide::{
    VectorWork, Vectors, run_scalar, run_vectorised, run_with_more_registers,
};
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
/// Fewer where every operation is watched (Miri), which takes a thousand times as long.
fn rounds(usual: usize) -> usize {
    if cfg!(miri) { 1 + usual / 300 } else { usual }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn agree<const N: usize>() {
    let mut draw = Draw::new(N as u64);
    let mut compared = 0;
    for round in 0..rounds(300) {
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
    assert!(compared > rounds(300) * N * 200);
}

/// As many as ensembles have where there are no explicit vectors. Other numbers of lanes are the same source, and
/// each takes seconds to compile.
#[test]
fn eight_lanes() {
    agree::<8>();
}

/// Everything that the kernel computes, over packs of whatever vectors the machine has.
struct Everything(Input<Lanes<4>>);
impl VectorWork for Everything {
    type Output = Vec<(&'static str, usize, [f64; 4])>;
    #[inline(always)]
    fn run<V: Vectors>(self) -> Self::Output {
        let wide = everything(&self.0.map(|x| V::pack(x.0)));
        wide.into_iter().map(|(name, x)| (name, V::WIDTH, V::unpack(x))).collect()
    }
}

#[test]
fn packs_of_wide_vectors() {
    let mut draw = Draw::new(5);
    for round in 0..rounds(300) {
        let inputs = pack::<4>(&mut draw, round);
        let packed = transpose(&inputs);
        let singles = inputs.map(|input| everything(&input));
        for results in
            [run_vectorised::<f64, _>(Everything(packed)), run_scalar::<f64, _>(Everything(packed))]
        {
            for (k, (name, width, got)) in results.into_iter().enumerate() {
                let want: [f64; 4] = std::array::from_fn(|lane| singles[lane][k].1);
                assert!((0..width).all(|i| same(got[i], want[i])), "{name}: {got:?} {want:?}");
            }
        }
    }
}

/// Comparisons and the rest that no closed form needs.
struct Odds([f64; 4], [f64; 4]);
impl VectorWork for Odds {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(self) {
        let (x, y) = (V::pack(self.0), V::pack(self.1));
        let below = x.lt(y);
        let (mixed, either) = (x.finite().and(below), x.finite().or(below));
        let choices = [below, below.not(), mixed, either].map(|mask| V::Pack::select(mask, x, y));
        let others = [Real::abs(x), Real::sqrt(x), -x, Real::exp(x), Real::ln(x), x / y];
        let (mut every, mut some) = (true, false);
        for i in 0..V::WIDTH {
            let (a, b) = (self.0[i], self.1[i]);
            let less = a < b;
            every &= less;
            some |= less;
            let masks = [less, !less, a.is_finite() && less, a.is_finite() || less];
            for (got, mask) in choices.iter().zip(masks) {
                assert!(
                    same(V::unpack(*got)[i], if mask { a } else { b }),
                    "{a} {b}: {got:?} {mask}"
                );
            }
            let want = [Real::abs(a), Real::sqrt(a), -a, Real::exp(a), Real::ln(a), a / b];
            for (got, want) in others.iter().zip(want) {
                assert!(same(V::unpack(*got)[i], want), "{a} {b}: {got:?} {want}");
            }
            assert!(same(V::unpack(Real::atan2(x, y))[i], Real::atan2(a, b)));
        }
        assert_eq!((below.all(), below.any()), (every, some));
        let first = Lanes(self.0);
        assert!(V::WIDTH == 1 || same(x.magnitude(), first.magnitude()));
        assert_eq!(x == y, (0..V::WIDTH).all(|i| self.0[i] == self.1[i]));
        let all = <V::Pack as Real>::Mask::splat(true);
        assert!(all.all() && !all.not().any());
    }
}

#[test]
fn packs_compare_and_choose_like_numbers() {
    let odd = [0.0, -0.0, 1.0, -2.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-310];
    for i in 0..64 {
        let number = |k: usize| odd[(i * k + k * k + i / 8) % 8];
        let work = || {
            Odds(std::array::from_fn(|k| number(k + 1)), std::array::from_fn(|k| number(3 * k + 2)))
        };
        run_vectorised::<f64, _>(work());
        run_with_more_registers::<f64, _>(work());
        run_scalar::<f64, _>(work());
    }
}

/// Packs side by side, and what is computed of them.
struct SideBySide([[f64; 4]; 2]);
impl TwinWork for SideBySide {
    #[inline(always)]
    fn run<T: Twins>(self) {
        let [a, b] = self.0.map(<T::Half as Vectors>::pack);
        let (there, back) = (T::both([a, b]), T::both([b, a]));
        for (both, [x, y]) in [
            (there, [a, b]),
            (there / back, [a / b, b / a]),
            (there * back - there, [a * b - a, b * a - b]),
            (there.sqrt(), [a.sqrt(), b.sqrt()]),
        ] {
            let got = T::halves(both).map(<T::Half as Vectors>::unpack);
            let want = [x, y].map(<T::Half as Vectors>::unpack);
            for (got, want) in got.as_flattened().iter().zip(want.as_flattened()) {
                assert!(same(*got, *want), "{got} {want}, {:?}", self.0);
            }
        }
    }
}

#[test]
fn packs_side_by_side_have_the_bits_of_each() {
    let mut draw = Draw::new(23);
    for _ in 0..rounds(100) {
        let mut four = || std::array::from_fn(|_| draw.between(-3.0, 3.0));
        let done = run_in_twins(SideBySide([four(), four()]));
        #[cfg(target_arch = "x86_64")]
        let able = {
            use std::arch::is_x86_feature_detected as has;
            has!("avx512f") && has!("avx512vl")
        };
        #[cfg(not(target_arch = "x86_64"))]
        let able = false;
        assert_eq!(done, able);
    }
}

/// The closed forms over explicit vectors: of every kind of registers that ensembles use.
#[cfg(target_arch = "x86_64")]
macro_rules! all_functions {
    ($lanes:literal, $feature:tt) => {
        /// All functions, compiled for the vectors, as an ensemble has them.
        #[target_feature(enable = $feature)]
        fn vectorised(x: &Input<O>) -> Vec<(&'static str, O)> {
            everything(x)
        }

        fn packed(inputs: &[Input<f64>; $lanes]) -> Input<O> {
            transpose(inputs).map(|x| O::from_array(x.0))
        }

        #[test]
        fn have_the_bits_of_single_numbers() {
            if !std::arch::is_x86_feature_detected!($feature) {
                return;
            }
            let mut draw = Draw::new(8);
            for round in 0..rounds(300) {
                let inputs = pack::<$lanes>(&mut draw, round);
                // SAFETY: the machine was asked.
                let together = unsafe { vectorised(&packed(&inputs)) };
                for (lane, input) in inputs.iter().enumerate() {
                    for ((name, want), (_, got)) in everything(input).iter().zip(&together) {
                        let got = got.to_array()[lane];
                        assert!(
                            same(got, *want),
                            "{name}, lane {lane}: {got:e} {want:e}\n{input:?}"
                        );
                    }
                }
            }
        }
    };
}

/// Explicit vectors, on machines that have them.
#[cfg(target_arch = "x86_64")]
macro_rules! packs {
    ($module:ident, $registers:ty, $lanes:literal, $feature:tt $(, $functions:ident)?) => {
        mod $module {
            use super::*;
            use lieflow_kernel::{Machine, Pack, Pair, Quad, Whole};

            #[derive(Debug)]
            enum Here {}
            // SAFETY: the type is private, and every test asks the machine first.
            unsafe impl Machine for Here {
                type Registers = $registers;
            }
            type O = Pack<Here>;
            // Not every kind of registers is used in every module.
            type _All = (Pair<Quad>, Whole);

            $($functions!($lanes, $feature);)?

            #[test]
            fn angles_of_any_size_have_the_bits_of_single_numbers() {
                if !std::arch::is_x86_feature_detected!($feature) {
                    return;
                }
                let mut draw = Draw::new(17);
                let sizes = [1e-3, 1.0, 3.2, 100.0, 9.9e4, 1e5, 1e6, 1e300];
                for round in 0..rounds(2000) {
                    let x: [f64; $lanes] = std::array::from_fn(|lane| {
                        // All lanes near, or some of them far.
                        let k = if round % 2 == 0 { round / 2 % 5 } else { (round + lane) % 8 };
                        draw.between(-sizes[k], sizes[k])
                    });
                    let (s, c) = O::from_array(x).sin_cos();
                    for lane in 0..$lanes {
                        let want = Real::sin_cos(x[lane]);
                        assert!(same(s.to_array()[lane], want.0));
                        assert!(same(c.to_array()[lane], want.1));
                    }
                }
                let odd = [f64::NAN, f64::INFINITY, 0.0, -0.0, 1e5, -1e5, 99999.9, 1.0];
                let odd = O::from_array(std::array::from_fn(|lane| odd[lane % 8]));
                let (s, c) = odd.sin_cos();
                for lane in 0..$lanes {
                    let want = Real::sin_cos(odd.lane(lane));
                    assert!(same(s.lane(lane), want.0) && same(c.lane(lane), want.1), "{lane}");
                }
            }

            #[test]
            fn masks_lanes_and_magnitudes() {
                if !std::arch::is_x86_feature_detected!($feature) {
                    return;
                }
                let x = [1.0, -3.0, 2.0, f64::INFINITY, f64::NAN, 0.0, 5.0, -0.0];
                let x = O::from_array(std::array::from_fn(|lane| x[lane % 8]));
                let mask = x.lt(O::lift(1.5));
                let want = [true, true, false, false, false, true, false, true];
                let bits = |list: [bool; 8]| {
                    (0..$lanes).map(|lane| u32::from(list[lane % 8]) << lane).sum::<u32>()
                };
                assert_eq!(mask.bits(), bits(want));
                assert!(mask.any() && !mask.all() && mask.or(mask.not()).all());
                assert!(!mask.and(mask.not()).any());
                let finite = [true, true, true, false, false, true, true, true];
                assert_eq!(x.finite().bits(), bits(finite));
                let chosen = O::select(mask, O::lift(1.0), O::lift(2.0)).to_array();
                for lane in 0..$lanes {
                    assert_eq!(chosen[lane], if want[lane % 8] { 1.0 } else { 2.0 });
                }
                assert!(x.magnitude().is_nan(), "a lane that fails must not be hidden");
                assert_eq!(O::lift(-2.0).magnitude(), 2.0);
                assert!(x != x && O::lift(2.0) == O::lift(2.0), "a lane that is not a number");
                let mut y = O::lift(1.0);
                y.set_lane($lanes - 1, 7.0);
                for lane in 0..$lanes {
                    assert_eq!(y.lane(lane), if lane == $lanes - 1 { 7.0 } else { 1.0 });
                }
                assert_eq!((-O::lift(0.0)).to_array()[0].to_bits(), (-0.0f64).to_bits());
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
packs!(eight_in_two, Pair<Quad>, 8, "avx2", all_functions);
#[cfg(all(target_arch = "x86_64", has_avx512))]
packs!(eight_in_one, Whole, 8, "avx512f");
#[cfg(all(target_arch = "x86_64", has_avx512))]
packs!(sixteen_in_two, Pair<Whole>, 16, "avx512f", all_functions);

#[test]
fn dual_numbers_over_lanes() {
    let mut draw = Draw::new(99);
    for round in 0..rounds(60) {
        let inputs = pack::<2>(&mut draw, round);
        let slopes: Vec<f64> = (0..12).map(|_| draw.number()).collect();
        let mut k = 0;
        let packed = transpose(&inputs).map(|re| {
            k += 1;
            Dual { re, eps: [Lanes([slopes[k - 1], -0.5 * slopes[k - 1]])] }
        });
        let packed = everything(&packed);
        for (lane, input) in inputs.iter().enumerate() {
            let mut k = 0;
            let single = input.map(|re| {
                k += 1;
                Dual { re, eps: [[1.0, -0.5][lane] * slopes[k - 1]] }
            });
            for ((name, want), (_, got)) in everything(&single).iter().zip(&packed) {
                assert!(same(got.re.0[lane], want.re), "{name}, value");
                assert!(same(got.eps[0].0[lane], want.eps[0]), "{name}, derivative");
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

/// Exponential and logarithm of four numbers.
struct Exponentials([f64; 4]);
impl VectorWork for Exponentials {
    type Output = [[f64; 4]; 2];
    #[inline(always)]
    fn run<V: Vectors>(self) -> [[f64; 4]; 2] {
        let x = V::pack(self.0);
        let both = [V::unpack(Real::exp(x)), V::unpack(Real::ln(x))];
        // Where one makes a pack, the others are not looked at.
        let single = [self.0.map(Real::exp), self.0.map(Real::ln)];
        if V::WIDTH == 4 { both } else { single }
    }
}

/// Numbers of every size, those next to the bounds of the formulas, and those that have no logarithm or no
/// exponential, alone and beside others.
#[test]
fn exponentials_and_logarithms() {
    let mut draw = Draw::new(11);
    let bounds = [0x4086_232b_u64, 0x3e30_0001, 0x3ff0_a2b2, 0x3fd6_2e43, 0x3fe6_a09e, 0x0010_0000]
        .map(|upper| upper << 32);
    let mut all = vec![0.0, 1.0, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE, f64::MAX, 5e-324];
    for bound in bounds {
        all.extend([bound - 1, bound, bound + 1].map(f64::from_bits));
    }
    for _ in 0..rounds(2000) {
        let v = draw.vector();
        all.extend([1.5 * v.x, 700.0 * v.y, v.z * f64::exp2(60.0 * v.x)]);
        all.push(f64::exp2(1000.0 * v.z));
    }
    for (k, x) in all.iter().enumerate() {
        let next = |i: usize| all[(k + 7 * i) % all.len()];
        for list in [[*x, -*x, *x, *x], [*x, next(1), -next(2), next(3)], [*x, 1.25, 3.0, 0.5]] {
            let [exp, ln] = run_vectorised::<f64, _>(Exponentials(list));
            for (i, x) in list.into_iter().enumerate() {
                assert!(same(exp[i], Real::exp(x)), "exp {x:e}: {:e} {:e}", exp[i], Real::exp(x));
                assert!(same(ln[i], Real::ln(x)), "ln {x:e}: {:e} {:e}", ln[i], Real::ln(x));
            }
        }
    }
}

/// Small and large arguments side by side: the small ones keep their digits.
#[test]
fn hyperbolic_functions_beside_others() {
    for list in [[1e-9, 3.0, -0.4, 40.0], [2.0, -1e-12, 0.7, -0.2], [0.3, 0.2, -0.1, 0.0], [5.0; 4]]
    {
        for (many, one) in
            [(sinh(Lanes(list)), list.map(sinh)), (tanh(Lanes(list)), list.map(tanh))]
        {
            assert_eq!(many.0, one, "{list:?}");
        }
    }
}
