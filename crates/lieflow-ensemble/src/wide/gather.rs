//! Numbers, vectors and matrices of several systems, put side by side and taken apart.
use super::LANES;
use super::dispatch::{self, Number};
use lieflow::group::Twist;
use lieflow::{Mat3, Real, Vec3};

/// One number of each system.
pub fn number<P>(items: [&P; LANES], get: impl Fn(&P) -> f64) -> Number {
    dispatch::number(items.map(get))
}

/// One vector of each system.
pub fn vector<P>(items: [&P; LANES], get: impl Fn(&P) -> Vec3<f64>) -> Vec3<Number> {
    Vec3 {
        x: number(items, |p| get(p).x),
        y: number(items, |p| get(p).y),
        z: number(items, |p| get(p).z),
    }
}

/// One matrix of each system.
pub fn matrix<P>(items: [&P; LANES], get: impl Fn(&P) -> Mat3<f64>) -> Mat3<Number> {
    let row = |i: usize| vector(items, |p| get(p).rows[i]);
    Mat3 { rows: [row(0), row(1), row(2)] }
}

/// One element of an algebra of pairs of vectors of each system.
pub fn twist<P>(items: [&P; LANES], get: impl Fn(&P) -> Twist<f64>) -> Twist<Number> {
    Twist::new(vector(items, |p| get(p).angular), vector(items, |p| get(p).linear))
}

/// The function that takes out lane `k`.
pub fn lane(k: usize) -> fn(Number) -> f64 {
    fn take<const K: usize>(x: Number) -> f64 {
        x.lane(K)
    }
    const ALL: [fn(Number) -> f64; LANES] =
        [take::<0>, take::<1>, take::<2>, take::<3>, take::<4>, take::<5>, take::<6>, take::<7>];
    ALL[k]
}
