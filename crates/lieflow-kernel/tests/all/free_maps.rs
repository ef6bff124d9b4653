//! The free-motion maps of rigid bodies, each against its defining equation, the exact motion, and
//! itself in another frame or over another step.
use lieflow_kernel::rigid::{
    CayleyMidpoint, Equation, Exact, FreeMap, Glide, Halves, Inertia, LieMidpoint, Memo,
    MoserVeselov, PreprocessedMoserVeselov, Round, Spin, ThreeRotations, Turn, VerletCayley,
    VerletExp, newton, newton_tight,
};
use lieflow_kernel::{DoubleDouble, Mat3, Quat, Real, Vec3, so3, vec3};

fn close(a: Vec3<f64>, b: Vec3<f64>, bound: f64, what: &str) {
    let distance = (a - b).norm();
    assert!(distance <= bound * (1.0 + b.norm()), "{what}: {a:?} and {b:?}, {distance:e}");
}

fn same(a: &Mat3<f64>, b: &Mat3<f64>, bound: f64, what: &str) {
    let distance = (*a - *b).norm_squared().sqrt();
    assert!(distance <= bound, "{what}: {distance:e} apart");
}

/// A body with principal axes of its own.
fn skew() -> (Inertia<f64>, Mat3<f64>, Vec3<f64>) {
    let (frame, moments) = (so3::exp(vec3(0.4, -0.3, 0.9)), vec3(1.1, 1.7, 2.3));
    let matrix = frame.matmul(&Mat3::diagonal(moments)).matmul(&frame.transpose());
    (Inertia::full(&matrix), frame, moments)
}

fn bodies() -> Vec<Inertia<f64>> {
    let principal = [[1.0, 2.0, 3.0], [2.5, 1.5, 1.2], [1.0, 1.0, 1.7], [2.0, 1.3, 2.0]];
    let mut all: Vec<_> = principal.map(|m| Inertia::principal(m.into())).to_vec();
    all.push(skew().0);
    all
}

const MOMENTA: [[f64; 3]; 3] = [[0.7, -1.1, 0.9], [0.1, 1.4, -0.2], [-1.0, 0.3, 0.5]];

/// One copy of the map for all its uses: unoptimised they would not fit onto the stack.
#[inline(never)]
fn turned_by<F: FreeMap<f64>>(map: &F, inertia: &Inertia<f64>, h: f64, m: Vec3<f64>) -> Turn<f64> {
    map.turn(inertia, h, m)
}

/// Whatever holds for every map.
fn sound<F: FreeMap<f64>>(map: F, order: i32, keeps_energy: bool) {
    let name = F::EQUATION;
    for inertia in bodies() {
        for m in MOMENTA.map(Vec3::from) {
            let h = 0.2;
            let turn = turned_by(&map, &inertia, h, m);
            assert!(turn.solved && turn.residual == 0.0, "{name}");
            let gram = turn.rotation.transpose().matmul(&turn.rotation);
            same(&gram, &Mat3::identity(), 1e-14, name);
            close(turn.rotation.apply(turn.momentum), m, 1e-14, name);
            // Back again.
            let back = turned_by(&map, &inertia, -h, turn.momentum);
            if order == 2 {
                same(&turn.rotation.matmul(&back.rotation), &Mat3::identity(), 1e-12, name);
            }
            let energy = inertia.kinetic_energy(m);
            let change = (inertia.kinetic_energy(turn.momentum) - energy).abs() / energy;
            let round = inertia.round() != Round::Nowhere;
            assert!(change < 1e-13 || !keeps_energy, "{name}: energy {change:e}");
            assert!(change > 1e-9 || keeps_energy || round, "{name}: energy {change:e}");
            // The error of a step against the exact motion.
            let error = |h: f64| {
                let (turn, exact) = (turned_by(&map, &inertia, h, m), Exact.turn(&inertia, h, m));
                (turn.rotation - exact.rotation).norm_squared().sqrt()
            };
            let (whole, half) = (error(h), error(0.5 * h));
            let seen = (whole / half).log2() - 1.0;
            let exact = order == 0 && whole < 1e-14;
            assert!(exact || (seen - f64::from(order)).abs() < 0.25, "{name}: order {seen}");
            // In the ways that steps in a row are made.
            let two = map.half_turns(&inertia, h, m);
            let first = turned_by(&map, &inertia, 0.5 * h, m);
            let second = turned_by(&map, &inertia, 0.5 * h, first.momentum);
            same(&two.rotation, &first.rotation.matmul(&second.rotation), 1e-14, name);
            close(two.momentum, second.momentum, 1e-14, name);
            assert_eq!(two.iterations, first.iterations + second.iterations, "{name}");
            let mut memo = Memo::new();
            for _ in 0..2 {
                // What is not found in the usual way is left to others.
                let usual = map.usual_turn(&inertia, h, m, &mut memo);
                if let Some(usual) = usual.filter(|turn| turn.solved) {
                    same(&usual.rotation, &turn.rotation, 1e-14, name);
                    close(usual.momentum, turn.momentum, 1e-14, name);
                }
            }
            let usual = map.usual_half_turns(&inertia, h, m);
            if let Some(usual) = usual.filter(|turn| turn.solved) {
                same(&usual.rotation, &two.rotation, 1e-14, name);
                close(usual.momentum, two.momentum, 1e-14, name);
            }
        }
    }
    // A body in another frame turns in the same way.
    let (inertia, frame, moments) = skew();
    let m = Vec3::from(MOMENTA[0]);
    let there = turned_by(&map, &inertia, 0.3, m);
    let here = turned_by(&map, &Inertia::principal(moments), 0.3, frame.apply_transpose(m));
    let turned = frame.matmul(&here.rotation).matmul(&frame.transpose());
    if name.contains("three rotations") {
        // Its principal axes have an order, which Jacobi's rotations choose.
        return;
    }
    same(&there.rotation, &turned, 1e-12, name);
    close(there.momentum, frame.apply(here.momentum), 1e-12, name);
}

/// Beyond order four the errors of single steps are below rounding: measured in double-double numbers.
#[test]
fn preprocessing_has_its_orders() {
    type Map = PreprocessedMoserVeselov;
    for (map, order) in [(Map::FOUR, 4), (Map::SIX, 6), (Map::EIGHT, 8), (Map::TEN, 10)] {
        for (j, m) in [([1.0, 2.0, 3.0], MOMENTA[0]), ([2.5, 1.2, 1.5], MOMENTA[1])] {
            let inertia = Inertia::principal(Vec3::<DoubleDouble>::lift(Vec3::from(j)));
            let m = Vec3::<DoubleDouble>::lift(Vec3::from(m));
            let error = |h: f64| {
                let (turn, exact) = (map.turn(&inertia, h, m), Exact.turn(&inertia, h, m));
                let energy = inertia.kinetic_energy(turn.momentum) - inertia.kinetic_energy(m);
                assert!(turn.solved && energy.magnitude() < 1e-28, "{order}: {energy:?}");
                (turn.rotation - exact.rotation).norm_squared().sqrt().magnitude()
            };
            // One more power in a single step. The squares of these steps are exact in `f64`.
            let seen = (error(1.0 / 64.0) / error(1.0 / 128.0)).log2() - 1.0;
            assert!((seen - f64::from(order)).abs() < 0.15, "{order}: {seen} {j:?}");
        }
    }
}

#[test]
fn every_map_has_its_order_and_keeps_what_it_should() {
    sound(LieMidpoint, 2, false);
    sound(Halves(LieMidpoint), 2, false);
    sound(VerletCayley, 2, false);
    sound(VerletExp, 2, false);
    sound(MoserVeselov, 2, true);
    sound(CayleyMidpoint, 2, true);
    sound(PreprocessedMoserVeselov::FOUR, 4, true);
    sound(Exact, 0, true);
    for axes in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
        sound(ThreeRotations { axes }, 2, false);
    }
    assert_eq!(<Halves<ThreeRotations> as FreeMap<f64>>::PARTS, 10);
}

/// The equations as the files state them, at the turns that come out.
#[test]
fn every_turn_solves_its_equation() {
    let h = 0.3;
    for inertia in bodies() {
        for m in MOMENTA.map(Vec3::from) {
            let j = |v: Vec3<f64>| inertia.matrix().apply(v);
            let turn = |t: Turn<f64>| t.rotation;
            let x = so3::log(&turn(LieMidpoint.turn(&inertia, h, m)));
            close(j(x), so3::rotate(x * -0.5, m) * h, 1e-14, "midpoint");
            let x = so3::log(&turn(VerletExp.turn(&inertia, h, m)));
            close(j(x), so3::dexp(-x, m) * h, 1e-14, "Verlet, exponential");
            let w = so3::cay_inverse(&turn(VerletCayley.turn(&inertia, h, m))) * (1.0 / h);
            let left = j(w) + w.cross(j(w)) * (0.5 * h) + w * (0.25 * h * h * w.dot(j(w)));
            close(left, m, 1e-14, "Verlet, Cayley");
            let x = so3::cay_inverse(&turn(MoserVeselov.turn(&inertia, h, m)));
            let scale = h * (1.0 + 0.25 * x.norm_squared());
            close(j(x) + x.cross(j(x)) * 0.5, m * scale, 1e-14, "Moser-Veselov");
            let w = so3::cay_inverse(&turn(CayleyMidpoint.turn(&inertia, h, m))) * (1.0 / h);
            close(j(w), m + j(w).cross(w) * (0.5 * h), 1e-14, "Cayley midpoint");
        }
    }
}

/// Newton's method converges quadratically: three corrections make all digits of a guess that is off by a
/// tenth, a fourth one is seen to be small. With a derivative that is wrong by some hundredths it takes twice
/// as many.
#[test]
fn iterations_are_quadratic() {
    fn count<F: FreeMap<f64>>(map: F, most: u32) {
        for inertia in bodies() {
            for m in MOMENTA.map(Vec3::from) {
                let turn = turned_by(&map, &inertia, 0.8, m);
                assert!(turn.solved && turn.iterations <= most, "{}: {turn:?}", F::EQUATION);
            }
        }
    }
    count(VerletExp, 5);
    count(VerletCayley, 5);
    count(CayleyMidpoint, 5);
    count(LieMidpoint, 5);
}

/// Small steps are made without calls, with the same result.
#[test]
fn small_steps_are_usual() {
    for inertia in bodies() {
        for m in MOMENTA.map(Vec3::from) {
            let h = 1.0 / 128.0;
            let usual = LieMidpoint.usual_half_turns(&inertia, h, m).filter(|turn| turn.solved);
            let usual = usual.expect("it settles at once");
            let two = LieMidpoint.half_turns(&inertia, h, m);
            same(&usual.rotation, &two.rotation, 1e-15, "rotation");
            close(usual.momentum, two.momentum, 1e-15, "momentum");
        }
    }
}

/// A symmetric map goes back to where it came from, to the digits of the numbers.
#[test]
fn further_digits_settle_too() {
    fn go<F: FreeMap<DoubleDouble>>(map: F) {
        let lift = |v: [f64; 3]| Vec3::<DoubleDouble>::lift(Vec3::from(v));
        let inertia = Inertia::principal(lift([1.0, 2.0, 3.0]));
        for h in [1.0 / 1024.0, 1.0 / 64.0, 0.25] {
            for m in MOMENTA {
                let there = map.turn(&inertia, h, lift(m));
                let back = map.turn(&inertia, -h, there.momentum);
                let gap = there.rotation.matmul(&back.rotation) - Mat3::identity();
                let gap = gap.norm_squared().sqrt().magnitude();
                assert!(there.solved && gap < 1e-29, "{} {h}: {gap:e}", F::EQUATION);
            }
        }
    }
    go(LieMidpoint);
    go(Halves(LieMidpoint));
    go(VerletExp);
    go(VerletCayley);
    go(MoserVeselov);
    go(CayleyMidpoint);
}

/// Where both halves of a step have no solution, what is left of both is told.
#[test]
fn residuals_of_halves_add_up() {
    let inertia = Inertia::principal(vec3(1.0, 2.0, 3.0));
    let (mut both_fail, mut fail) = (0, 0);
    for m in MOMENTA.map(Vec3::from) {
        for h in [2.0, 2.5, 3.0, 4.0, 5.0, 6.0] {
            let first = turned_by(&MoserVeselov, &inertia, 0.5 * h, m);
            let second = turned_by(&MoserVeselov, &inertia, 0.5 * h, first.momentum);
            let two = MoserVeselov.half_turns(&inertia, h, m);
            if !first.solved && !second.solved && second.residual.is_finite() {
                both_fail += 1;
                assert_eq!(two.residual, first.residual + second.residual);
            }
        }
        // In the midst of chaos the two ways differ, but nothing negative is left.
        for h in (1..60).map(|k| 40.0 * f64::from(k)) {
            let two = LieMidpoint.half_turns(&inertia, h, m);
            fail += i32::from(!two.solved);
            assert!(two.solved || two.residual.is_nan() || two.residual >= 0.0, "{two:?}");
        }
    }
    assert!(both_fail > 0 && fail > 10, "{both_fail} {fail}");
}

/// About a principal axis the angle of RATTLE obeys `sin θ = h ω`.
#[test]
fn beyond_its_bound_rattle_has_no_turn() {
    let inertia = Inertia::principal(vec3(1.0, 2.0, 3.0));
    assert_eq!(<MoserVeselov as FreeMap<f64>>::SPIN_LIMIT, Some(1.0));
    let turn = MoserVeselov.turn(&inertia, 0.25, vec3(0.0, 0.0, 6.0));
    let angle = so3::log(&turn.rotation);
    assert!(turn.solved && turn.iterations > 1);
    close(angle, vec3(0.0, 0.0, 0.5f64.asin()), 1e-14, "sine");
    let turn = MoserVeselov.turn(&inertia, 0.6, vec3(0.0, 0.0, 6.0));
    assert!(!turn.solved && turn.residual > 1e-3, "{turn:?}");
}

/// A body with two equal moments, moved without its spin, which is made up for.
#[test]
fn gliding_and_spinning_are_the_exact_motion() {
    for (moments, axis) in [([2.0, 2.0, 1.2], 2), ([2.0, 1.2, 2.0], 1), ([1.2, 2.0, 2.0], 0)] {
        let inertia = Inertia::principal(moments.into());
        assert_eq!(inertia.round(), Round::About(axis));
        let symmetry = inertia.symmetry();
        assert_eq!(symmetry.axis, Vec3::unit(axis));
        close(
            vec3(symmetry.across, symmetry.excess, 0.0),
            vec3(0.5, 1.0 / 1.2 - 0.5, 0.0),
            1e-15,
            "",
        );
        let (m, g, t) = (vec3(0.7, -1.1, 0.9), vec3(0.2, 0.5, -0.4), 0.8);
        let mut glide = Glide::new(m, g);
        glide.advance(0.5 * t * symmetry.across);
        let spin = Spin::new(&symmetry, t, m);
        let exact = Exact.turn(&inertia, t, m);
        same(&spin.turn(&glide).to_matrix(), &exact.rotation, 1e-14, "turn");
        close(spin.momentum(&glide), exact.momentum, 1e-14, "momentum");
        // A direction at rest, seen from a frame that glides.
        close(glide.turn.to_matrix().apply(glide.direction), g, 1e-14, "direction");
    }
}

/// `x² = 1`, number by number.
struct Roots;

impl Equation<f64> for Roots {
    fn linearise(&self, x: Vec3<f64>) -> (Vec3<f64>, Mat3<f64>) {
        (x.scaled_by(x) - vec3(1.0, 1.0, 1.0), Mat3::diagonal(x * 2.0))
    }
}

/// A correction of 2e-10 is the last one, or not.
#[test]
fn tight_roots_take_one_correction_more() {
    let guess = vec3(1.0, 1.0, 1.0) * (1.0 + 2e-5);
    let (usual, tight) = (newton(&Roots, guess), newton_tight(&Roots, guess));
    assert_eq!((usual.iterations, tight.iterations), (2, 3));
    assert!(usual.solved && tight.solved);
    assert_eq!(tight.x, vec3(1.0, 1.0, 1.0));
}

#[test]
fn quaternions_turn_back() {
    let q = Quat::new(0.9, -0.3, 1.1, 0.4);
    let v = vec3(0.3, -2.0, 0.7);
    close(q.rotate_back(v), q.to_matrix().apply_transpose(v), 1e-15, "any norm");
    let unit = Quat::exp(vec3(0.4, -1.0, 2.0));
    close(unit.unit_rotate_back(v), unit.to_matrix().apply_transpose(v), 1e-15, "norm one");
    // A norm that is off is done away with to the square of what it is off by.
    let off = Quat { w: unit.w * (1.0 + 1e-7), v: unit.v * (1.0 + 1e-7) };
    let length = off.unit_rotate_back(v).norm() / v.norm() - 1.0;
    assert!(length.abs() < 1e-13, "{length:e}");
    same(&unit.unit_to_matrix(), &so3::exp(vec3(0.4, -1.0, 2.0)), 1e-15, "exponential");
    same(&unit.unit_to_even_matrix(), &so3::exp(vec3(0.4, -1.0, 2.0)), 1e-15, "the same");
    let both = unit.times(Quat::exp(vec3(1.0, 0.2, 0.1))).to_matrix();
    let product = so3::exp(vec3(0.4, -1.0, 2.0)).matmul(&so3::exp(vec3(1.0, 0.2, 0.1)));
    same(&both, &product, 1e-14, "product");
}

#[test]
fn inertia_and_its_parts() {
    let (inertia, frame, moments) = skew();
    let matrix = frame.matmul(&Mat3::diagonal(moments)).matmul(&frame.transpose());
    same(inertia.matrix(), &matrix, 1e-15, "matrix");
    let again = inertia
        .frame()
        .matmul(&Mat3::diagonal(inertia.moments()))
        .matmul(&inertia.frame().transpose());
    same(&again, &matrix, 1e-14, "principal frame");
    assert!((inertia.frame().determinant() - 1.0).abs() < 1e-14);
    assert!(inertia.positive() && !inertia.is_diagonal());
    let (v, a) = (vec3(0.3, -2.0, 0.7), vec3(-0.5, 0.1, 1.2));
    for inertia in bodies() {
        close(inertia.momentum(v), inertia.matrix().apply(v), 1e-15, "momentum");
        close(inertia.velocity(inertia.momentum(v)), v, 1e-14, "velocity");
        same(&inertia.hat_times(a), &Mat3::hat(a).matmul(inertia.matrix()), 1e-15, "hat");
        same(&inertia.plus(&Mat3::hat(a)), &(*inertia.matrix() + Mat3::hat(a)), 1e-15, "sum");
        let energy = 0.5 * v.dot(inertia.velocity(v));
        assert!((inertia.kinetic_energy(v) - energy).abs() < 1e-15);
    }
    assert!(!Inertia::principal(vec3(1.0, -2.0, 3.0)).positive());
    assert!(!Inertia::principal(vec3(1.0, 2.0, 0.0)).positive());
    assert!(!Inertia::principal(vec3(0.0, 2.0, 1.0)).positive());
    assert!(!Inertia::principal(vec3(1.0, 2.0, f64::INFINITY)).positive());
}
