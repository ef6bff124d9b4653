//! Nanoseconds for the torque of a ten-term potential: by hand, and by formula.
#![allow(clippy::unwrap_used, missing_docs)]
use lieflow_formula::body::{self, BodyPotential};
use lieflow_formula::{Kind, Program};
use lieflow_kernel::{Mat3, Real, Vec3, so3, vec3};
use lieflow_testing::ten_terms::{NUMBERS, torque as by_hand};
use std::hint::black_box;
use std::time::Instant;

const TEXT: &str = "k*R33 + 0.5*c*(1 - dot(e3, R*a))^2 + m1*sin(2*R11 + R22) + m2*exp(-b*R13^2) \
    + m3/(2 + R12) + m4*sqrt(1 + R23^2) + m5*R21*R32 + m6*cos(R31) + m7*(trace(R) - 1)^2 + m8*R12^4";

fn program(text: &str) -> Program {
    let mut names = body::names().unwrap();
    for name in ["k", "c", "a", "b", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"] {
        let kind = if name == "a" { Kind::Vector } else { Kind::Number };
        names = names.parameter(name, kind).unwrap();
    }
    body::potential(names, "potential", text).unwrap()
}

fn numbers() -> Vec<f64> {
    let mut list = vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    list.extend(NUMBERS);
    list
}

/// The smallest of many means, in nanoseconds.
fn time(n: u32, mut f: impl FnMut()) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..60 {
        let clock = Instant::now();
        for _ in 0..n {
            f();
        }
        best = best.min(clock.elapsed().as_secs_f64() / f64::from(n));
    }
    best * 1e9
}

/// Torques at eight attitudes, one after the other.
macro_rules! measure {
    ($name:literal, $scalar:ty, $hand:path, $formula:path) => {{
        let lanes = <$scalar as Real>::LANES as f64;
        let list: Vec<Mat3<$scalar>> = (0..8)
            .map(|k| so3::exp(vec3(0.3 * k as f64, 0.2, -0.1 * k as f64)).map(<$scalar>::lift))
            .collect();
        let hand = NUMBERS.map(<$scalar>::lift);
        let mut line = format!("{:9}", $name);
        let t = time(500, || {
            list.iter().for_each(|r| {
                black_box($hand(black_box(&hand), black_box(r)));
            })
        });
        let by_hand = t / 8.0 / lanes;
        line.push_str(&format!("  by hand {by_hand:7.2}"));
        for (what, text) in [("ten terms", TEXT), ("top", "k*R33")] {
            let potential =
                BodyPotential::new(program(text), numbers()).unwrap().lift(<$scalar>::lift);
            let t = time(500, || {
                list.iter().for_each(|r| {
                    black_box($formula(black_box(&potential), black_box(r)));
                })
            });
            let t = t / 8.0 / lanes;
            line.push_str(&format!("   {what} {t:7.2} ({:.2}x)", t / by_hand));
        }
        println!("{line}");
    }};
}

#[cfg(target_arch = "x86_64")]
mod packs {
    use super::*;
    use lieflow_testing::packs::{Eight, Sixteen};
    #[target_feature(enable = "avx2")]
    #[inline(never)]
    fn hand8(n: &[Eight; 14], r: &Mat3<Eight>) -> Vec3<Eight> {
        by_hand(n, r)
    }
    #[target_feature(enable = "avx512f")]
    #[inline(never)]
    fn hand16(n: &[Sixteen; 14], r: &Mat3<Sixteen>) -> Vec3<Sixteen> {
        by_hand(n, r)
    }
    fn call8(n: &[Eight; 14], r: &Mat3<Eight>) -> Vec3<Eight> {
        // SAFETY: the machine was asked.
        unsafe { hand8(n, r) }
    }
    fn call16(n: &[Sixteen; 14], r: &Mat3<Sixteen>) -> Vec3<Sixteen> {
        // SAFETY: the machine was asked.
        unsafe { hand16(n, r) }
    }
    /// Compiled for the vectors, as an ensemble has it.
    #[target_feature(enable = "avx2")]
    #[inline(never)]
    fn torque8(u: &BodyPotential<Eight>, r: &Mat3<Eight>) -> Vec3<Eight> {
        u.torque(0.0, r)
    }
    #[target_feature(enable = "avx512f")]
    #[inline(never)]
    fn torque16(u: &BodyPotential<Sixteen>, r: &Mat3<Sixteen>) -> Vec3<Sixteen> {
        u.torque(0.0, r)
    }
    fn formula8(u: &BodyPotential<Eight>, r: &Mat3<Eight>) -> Vec3<Eight> {
        // SAFETY: the machine was asked.
        unsafe { torque8(u, r) }
    }
    fn formula16(u: &BodyPotential<Sixteen>, r: &Mat3<Sixteen>) -> Vec3<Sixteen> {
        // SAFETY: the machine was asked.
        unsafe { torque16(u, r) }
    }
    pub fn run() {
        if std::arch::is_x86_feature_detected!("avx2") {
            measure!("8 lanes", Eight, call8, formula8);
        }
        if std::arch::is_x86_feature_detected!("avx512f") {
            measure!("16 lanes", Sixteen, call16, formula16);
        }
    }
}

#[inline(never)]
fn hand(n: &[f64; 14], r: &Mat3<f64>) -> Vec3<f64> {
    by_hand(n, r)
}

#[inline(never)]
fn formula(u: &BodyPotential<f64>, r: &Mat3<f64>) -> Vec3<f64> {
    u.torque(0.0, r)
}

fn main() {
    println!("torque, ns for one evaluation and lane");
    measure!("f64", f64, hand, formula);
    #[cfg(target_arch = "x86_64")]
    packs::run();
    let known = program(TEXT);
    for (entry, name) in ["energy", "torque", "derivative"].iter().enumerate() {
        println!("{name}: {:?}", known.cost(entry));
    }
    let t = time(20, || drop(black_box(program(black_box(TEXT)))));
    println!("front end, ten terms, differentiated twice: {:.3} ms", t * 1e-6);
    let list = numbers();
    let t = time(2000, || drop(black_box(BodyPotential::new(known.clone(), list.clone()))));
    println!("other parameters for a known program: {:.2} µs", t * 1e-3);
    let r = so3::exp(vec3(0.3, 0.2, -0.1));
    let potential = BodyPotential::new(known, list).unwrap();
    let t = time(2000, || {
        black_box(potential.torque_derivative(0.0, black_box(&r)));
    });
    println!("derivative of the torque, f64: {t:.0} ns");
}
