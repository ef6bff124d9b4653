//! Numbers, vectors and matrices of several systems, put side by side and taken apart.
use super::dispatch::Number;
use lieflow::action::Link;
use lieflow::group::{Rn, Twist};
use lieflow::problem::Cotangent;
use lieflow::{Mat3, Vec3};

/// More lanes than any vectors have.
pub const ROOM: usize = 16;

/// So many numbers of each system; there are as many systems as lanes. Compiled once for all systems.
#[inline(never)]
fn each<N: Number, const K: usize>(count: usize, get: &dyn Fn(usize) -> [f64; K]) -> [N; K] {
    const { assert!(N::LANES <= ROOM, "more lanes than there is room for") };
    let mut lists = [[0.0; ROOM]; K];
    let mut lane = 0;
    while lane < count && lane < ROOM {
        let numbers = get(lane);
        let mut k = 0;
        while k < K {
            lists[k][lane] = numbers[k];
            k += 1;
        }
        lane += 1;
    }
    let mut all = [N::zero(); K];
    let mut k = 0;
    while k < K {
        all[k] = N::read_lanes(&lists[k]);
        k += 1;
    }
    all
}

/// One number of each system.
pub fn number<N: Number, P>(items: &[&P], get: impl Fn(&P) -> f64) -> N {
    let [x] = each(items.len(), &|lane| [get(items[lane])]);
    x
}

/// One vector of each system.
pub fn vector<N: Number, P>(items: &[&P], get: impl Fn(&P) -> Vec3<f64>) -> Vec3<N> {
    let [x, y, z] = each(items.len(), &|lane| get(items[lane]).to_array());
    Vec3 { x, y, z }
}

/// One matrix of each system.
pub fn matrix<N: Number, P>(items: &[&P], get: impl Fn(&P) -> Mat3<f64>) -> Mat3<N> {
    let [a, b, c, d, e, f, g, h, i] = each(items.len(), &|lane| {
        let [a, b, c] = get(items[lane]).rows;
        [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z]
    });
    Mat3 { rows: [Vec3 { x: a, y: b, z: c }, Vec3 { x: d, y: e, z: f }, Vec3 { x: g, y: h, z: i }] }
}

/// One element of an algebra of pairs of vectors of each system.
pub fn twist<N: Number, P>(items: &[&P], get: impl Fn(&P) -> Twist<f64>) -> Twist<N> {
    Twist::new(vector(items, |p| get(p).angular), vector(items, |p| get(p).linear))
}

/// The numbers of all lanes.
fn numbers<N: Number>(x: N) -> [f64; ROOM] {
    let mut list = [0.0; ROOM];
    x.write_lanes(&mut list);
    list
}

/// The vectors of all lanes.
pub fn vectors<N: Number>(v: Vec3<N>) -> [Vec3<f64>; ROOM] {
    let [x, y, z] = v.to_array().map(numbers);
    std::array::from_fn(|k| Vec3 { x: x[k], y: y[k], z: z[k] })
}

/// The matrices of all lanes.
pub fn matrices<N: Number>(m: &Mat3<N>) -> [Mat3<f64>; ROOM] {
    let [a, b, c] = m.rows.map(vectors);
    std::array::from_fn(|k| Mat3 { rows: [a[k], b[k], c[k]] })
}

/// Replaces a lane of a matrix.
pub fn put_matrix<N: Number>(all: &mut Mat3<N>, lane: usize, one: &Mat3<f64>) {
    for (all, one) in all.rows.iter_mut().zip(one.rows) {
        all.set_lane(lane, one);
    }
}

/// Replaces a lane of an element of an algebra of pairs of vectors.
pub fn put_twist<N: Number>(all: &mut Twist<N>, lane: usize, one: &Twist<f64>) {
    all.angular.set_lane(lane, one.angular);
    all.linear.set_lane(lane, one.linear);
}

/// Replaces a lane of a list of numbers.
pub fn put_numbers<N: Number>(all: &mut [N], lane: usize, one: &[f64]) {
    for (all, one) in all.iter_mut().zip(one) {
        all.set_lane(lane, *one);
    }
}

/// Replaces a lane of positions and momenta.
pub fn put_particle<N: Number, const K: usize>(
    all: &mut Cotangent<Rn<N, K>>,
    lane: usize,
    one: &Cotangent<Rn<f64, K>>,
) {
    put_numbers(&mut all.g.0, lane, &one.g.0);
    put_numbers(&mut all.mu.0, lane, &one.mu.0);
}

/// Replaces a lane of a list of vectors.
pub fn put_vectors<N: Number>(all: &mut [Vec3<N>], lane: usize, one: &[Vec3<f64>]) {
    for (all, one) in all.iter_mut().zip(one) {
        all.set_lane(lane, *one);
    }
}

/// Replaces a lane of the links of a chain.
pub fn put_links<N: Number>(all: &mut [Link<N>], lane: usize, one: &[Link<f64>]) {
    for (all, one) in all.iter_mut().zip(one) {
        all.q.set_lane(lane, one.q);
        all.omega.set_lane(lane, one.omega);
    }
}

/// The function that takes out lane `k`.
pub fn lane<N: Number>(k: usize) -> fn(N) -> f64 {
    fn take<N: Number, const K: usize>(x: N) -> f64 {
        x.lane(K)
    }
    macro_rules! all {
        ($($k:literal)*) => { [$(take::<N, $k>),*] };
    }
    let all: [fn(N) -> f64; ROOM] = all!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    all[k]
}
