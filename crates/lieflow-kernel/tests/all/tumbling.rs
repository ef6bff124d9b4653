//! The motion of bodies with three different moments by addition theorems: against the integrals in
//! double-double numbers wherever the motion changes its character, in lanes, and over many steps.
use crate::exact_motion::MOMENTA;
use lieflow_kernel::rigid::{Exact, FreeMap, Inertia};
use lieflow_kernel::{DoubleDouble, Lanes, Mat3, Real, Vec3, so3, vec3};

/// Moments far apart and near to each other, in several orders.
const BODIES: [[f64; 3]; 10] = [
    [1.0, 2.0, 3.0],
    [3.0, 1.0, 2.0],
    [1.0, 3.0, 2.0],
    [1.0, 1.0 + 1e-10, 2.0],
    [2.0, 1.0, 1.0 + 1e-13],
    [1.0, 1.0 + 1e-7, 1.0 + 3e-7],
    [1.0, 1.001, 2.0],
    [1.0, 1.999, 2.0],
    [1e-3, 1.0, 1.0005],
    [0.5, 0.5000001, 0.99],
];

/// More that are near and on the axes.
const ON_AXES: [[f64; 3]; 3] = [[1e-8, 1e-9, 1.0], [1.0, 1e-15, 1e-14], [0.0, 1.0, 0.0]];

/// From steps that hardly move the body to many revolutions; backwards too.
const TIMES: [f64; 9] = [1e-8, 1e-3, 0.03, 0.2, -1.0, 5.0, 30.0, -1e3, 1e6];

#[test]
fn errors_are_roundings_of_the_angle() {
    for j in BODIES {
        for m in MOMENTA.into_iter().chain(ON_AXES) {
            let wide = Inertia::principal(Vec3::<DoubleDouble>::lift(Vec3::from(j)));
            let (inertia, m) = (Inertia::principal(Vec3::from(j)), Vec3::from(m));
            for t in TIMES {
                let got = Exact.turn(&inertia, t, m);
                let want = Exact.turn(&wide, t, Vec3::lift(m));
                let r = Mat3::<DoubleDouble>::lift(got.rotation.rows.map(Vec3::to_array));
                let attitude = (r - want.rotation).norm_squared().sqrt().magnitude();
                let momentum = (Vec3::lift(got.momentum) - want.momentum).norm().magnitude();
                let angle = inertia.velocity(m).norm() * t.abs();
                let e = attitude.max(momentum / m.norm());
                assert!(e < 60.0 * f64::EPSILON * (1.0 + angle), "{j:?} {m:?} {t}: {e:e}");
            }
        }
    }
}

/// After short motions the parts of the momentum are the sum of what they were and of how far they have gone, rounded
/// once: in 19 of 20 the nearest number to what is right. Were they rounded several times, the energies of splittings
/// would drift.
#[test]
fn momenta_are_rounded_once() {
    let mut draw = lieflow_testing::Draw::new(7);
    let (mut all, mut nearest) = (0, 0);
    for _ in 0..400 {
        let j = vec3(draw.between(0.5, 0.8), draw.between(0.9, 1.1), draw.between(1.2, 1.7));
        let m: Vec3<f64> = draw.of_norm(1.5);
        for t in [-0.04, 0.003, 0.01, 0.03, 0.06] {
            let got = Exact.turn(&Inertia::principal(j), t, m).momentum.to_array();
            let wide = Inertia::principal(Vec3::<DoubleDouble>::lift(j));
            let want = Exact.turn(&wide, t, Vec3::lift(m)).momentum.to_array();
            for (got, want) in got.into_iter().zip(want) {
                all += 1;
                nearest += usize::from(got == want.magnitude().copysign(got));
            }
        }
    }
    assert!(20 * nearest > 19 * all, "{nearest} of {all}");
}

/// Bodies side by side, which need different numbers of doublings, encircle different axes or rotate
/// steadily, have the bits of each alone.
#[test]
fn lanes_have_the_bits_of_single_bodies() {
    type Many = Lanes<12>;
    let momenta: Vec<_> = MOMENTA.into_iter().chain(ON_AXES).collect();
    for (k, t) in TIMES.into_iter().enumerate() {
        let bodies: [[f64; 3]; 12] = std::array::from_fn(|i| BODIES[(3 * i + k) % 10]);
        let many = |f: &dyn Fn(usize) -> f64| Lanes(std::array::from_fn(f));
        let vector = |list: &[[f64; 3]]| {
            vec3(many(&|i| list[i][0]), many(&|i| list[i][1]), many(&|i| list[i][2]))
        };
        let inertia: Inertia<Many> = Inertia::principal(vector(&bodies));
        let turn = Exact.turn(&inertia, t, vector(&momenta));
        for i in 0..12 {
            let alone = Inertia::principal(Vec3::from(bodies[i]));
            let one = Exact.turn(&alone, t, Vec3::from(momenta[i]));
            let rows = turn.rotation.rows.map(|row| row.to_array().map(|x| x.lane(i)));
            assert_eq!(rows, one.rotation.rows.map(Vec3::to_array), "{t} {i}");
            let momentum = turn.momentum.to_array().map(|x| x.lane(i));
            assert_eq!(momentum, one.momentum.to_array(), "{t} {i}");
        }
    }
}

/// Energy and momentum are restored in each step: they perform a random walk of roundings, where the
/// motion repeats itself too. A linear drift of one rounding in a step would be a hundred times this.
#[test]
fn roundings_do_not_add_up() {
    const STEPS: u32 = 100_000;
    let bound = 4.0 * f64::EPSILON * f64::from(STEPS).sqrt();
    // The body of Celledoni et al., and one that is nearly steady.
    let j = vec3(0.9144, 1.098, 1.66);
    for (m, h) in [([0.4165, 0.9072, 0.0577], 0.5), ([0.01, 0.02, 1.5], 0.1)] {
        let (inertia, start) = (Inertia::principal(j), Vec3::from(m));
        let mut m = start;
        let mut attitude = Mat3::identity();
        for k in 1..=STEPS {
            let turn = Exact.turn(&inertia, h, m);
            m = turn.momentum;
            attitude = attitude.matmul(&turn.rotation);
            if k % 1024 == 0 {
                // As drivers do.
                attitude = so3::polar_correction(&attitude);
            }
        }
        let energy = inertia.kinetic_energy(m) / inertia.kinetic_energy(start) - 1.0;
        let size = m.norm() / start.norm() - 1.0;
        let spatial = (attitude.apply(m) - start).norm() / start.norm();
        assert!(energy.abs() < bound && size.abs() < bound, "{h}: {energy:e} {size:e}");
        assert!(spatial < 2.0 * bound, "{h}: {spatial:e}");
    }
}

#[test]
fn a_number_in_a_register_of_its_own_is_the_same() {
    for bits in [0, 1, 1 << 63, 0x3FF0_0000_0000_0001, 0x7FF0_0000_0000_0000, 0x7FF8_0000_DEAD_BEEF]
    {
        assert_eq!(f64::from_bits(bits).unpaired().to_bits(), bits);
    }
    let two = Lanes([1.5, -2.5]);
    assert_eq!(two.unpaired(), two);
}
