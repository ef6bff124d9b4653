//! The experiments of the two sources on spheres: errors at the smallest step, orders, invariants.
use super::data::*;
use lieflow::action::Link;
use lieflow::chart::Chart;
use lieflow::method::{Options, Step, StepError, generator, spheres};
use lieflow::problem::Problem;
use lieflow::problem::spheres::{
    Coordinates, FlatCoordinates, LiftCoordinates, MomentumCoordinates, OnSpheres, Se3Coordinates,
    SphereSystem, length_error, tangency_error,
};
use serde_json::Value;

/// A method as the sources name it: id, space, brackets of a cut differential.
pub type Name = (&'static str, &'static str, Option<usize>);
pub const ELN: Name = ("eln", "se3", None);
pub const RATTLE: Name = ("rattle", "se3", None);
const LLM: Name = ("llm", "se3", None);
pub const RKMK4: Name = ("rkmk4", "lift", Some(2));
pub const RKMKGL4: Name = ("rkmk-gl4", "lift", Some(2));
const CF4_LIFT: Name = ("cf4", "lift", None);
const LIE_EULER: Name = ("lie-euler", "se3", None);
const LIE_HEUN: Name = ("rkmk2-heun", "se3", None);
const RKMK3: Name = ("rkmk3", "se3", None);
pub const RKMK4_SE3: Name = ("rkmk4", "se3", None);
const RKMK4C2: Name = ("rkmk4-casas-owren", "se3", None);
pub const CF4: Name = ("cf4", "se3", None);
const RKMK5: Name = ("rkmk-dp54", "se3", None);
pub const RKMKGL4_SE3: Name = ("rkmk-gl4", "se3", None);
pub const GL4SYM_SE3: Name = ("gl4-sym", "se3", None);
const RK4: Name = ("rkmk4", "euclidean", None);

/// Sees every state of a run with fixed steps.
fn walk<M, C>(
    m: &M,
    y0: &[Link<f64>],
    (id, _, cut): Name,
    h: f64,
    steps: u32,
    see: &mut dyn FnMut(u32, &[Link<f64>]),
) -> Result<Vec<Link<f64>>, StepError>
where
    M: SphereSystem<Scalar = f64> + 'static,
    C: Coordinates,
{
    let p = OnSpheres::<M, C>::new(m.clone(), y0);
    let mut entries = generator::entries();
    entries.extend(spheres::entries());
    let entry = entries.iter().find(|e| e.card.id == id).unwrap();
    let chart = cut.map_or(Chart::Exp, |brackets| Chart::ExpSeries { brackets });
    let mut method = (entry.make)(&p, &Options { chart, ..Options::default() }).unwrap();
    let mut y = p.start();
    let mut out = y.clone();
    for k in 0..steps {
        method.step(Step::new(&p, f64::from(k) * h, h, &y), &mut out)?;
        method.accept();
        std::mem::swap(&mut y, &mut out);
        see(k + 1, &y);
    }
    Ok(p.links(&y))
}

pub fn walk_in<M: SphereSystem<Scalar = f64> + 'static>(
    m: &M,
    y0: &[Link<f64>],
    name: Name,
    h: f64,
    steps: u32,
    see: &mut dyn FnMut(u32, &[Link<f64>]),
) -> Result<Vec<Link<f64>>, StepError> {
    match name.1 {
        "se3" => walk::<M, Se3Coordinates>(m, y0, name, h, steps, see),
        "lift" => walk::<M, LiftCoordinates>(m, y0, name, h, steps, see),
        "hamiltonian" => walk::<M, MomentumCoordinates>(m, y0, name, h, steps, see),
        _ => walk::<M, FlatCoordinates>(m, y0, name, h, steps, see),
    }
}

/// Errors of directions and angular velocities at `t = 1` with `2^k` steps.
fn errors_at<M: SphereSystem<Scalar = f64> + 'static>(
    m: &M,
    case: &Value,
    name: Name,
    k: u32,
) -> (f64, f64) {
    let steps = 1 << k;
    let end =
        walk_in(m, &start(case), name, 1.0 / f64::from(steps), steps, &mut |_, _| {}).unwrap();
    let states = case["states"].as_array().unwrap();
    let state = states.iter().find(|s| s["t"].as_f64() == Some(1.0)).unwrap();
    errors(&end, &links(&state["q"], &state["w"]))
}

/// Equal to two digits; below 1e-11, where rounding enters, of the same size.
fn agrees(what: &str, found: f64, want: f64) {
    println!("{what}: {found:.2e} ({want:.2e})");
    if want > 1e-11 {
        assert!((found - want).abs() <= 0.012 * want, "{what}: {found:e}, expected {want:e}");
    } else {
        assert!(found < 5.0 * want + 1e-12, "{what}: {found:e}, expected about {want:e}");
    }
}

fn table<M: SphereSystem<Scalar = f64> + 'static>(
    m: &M,
    case: &Value,
    rows: &[(Name, u32, f64, f64, f64)],
) {
    for &(name, k, q, w, order) in rows {
        let what = format!("{} {} {}", case["name"], name.0, name.1);
        let fine = errors_at(m, case, name, k);
        agrees(&format!("{what} q"), fine.0, q);
        agrees(&format!("{what} w"), fine.1, w);
        // The order from the finest pair of steps at which truncation dominates.
        let mut k = k;
        while errors_at(m, case, name, k).1 < 1e-10 {
            k -= 1;
        }
        let (coarse, fine) = (errors_at(m, case, name, k - 1), errors_at(m, case, name, k));
        let seen = (coarse.1 / fine.1).log2();
        assert!((seen - order).abs() < 0.2, "{what}: order {seen}");
    }
}

#[test]
fn spherical_pendulum_errors() {
    let data = reference();
    let case = flow(&data, "spherical_pendulum");
    let m = chain(&case);
    table(
        &m,
        &case,
        &[
            (ELN, 9, 1.70e-6, 6.12e-6, 2.0),
            (RATTLE, 9, 6.22e-6, 1.82e-5, 2.0),
            (LLM, 9, 6.22e-6, 1.82e-5, 2.0),
            (RKMK4, 9, 4.22e-12, 6.10e-12, 4.0),
            (RKMKGL4, 9, 3.90e-13, 1.14e-12, 4.0),
            (RKMK4_SE3, 9, 5.23e-12, 6.99e-12, 4.0),
            (RKMK4C2, 9, 2.15e-12, 2.34e-12, 4.0),
            (CF4, 9, 7.02e-12, 2.11e-11, 4.0),
            (CF4_LIFT, 9, 2.06e-12, 3.95e-12, 4.0),
            (RKMKGL4_SE3, 9, 1.13e-12, 2.07e-12, 4.0),
            (LIE_EULER, 9, 2.99e-3, 1.21e-2, 1.0),
            (LIE_HEUN, 9, 7.97e-6, 1.09e-5, 2.0),
            (RKMK3, 9, 3.14e-9, 1.51e-8, 3.0),
            (RK4, 9, 2.20e-11, 3.68e-11, 4.0),
            (RKMK5, 6, 2.85e-12, 3.69e-11, 5.0),
        ],
    );
    agrees("eln at h = 1/4", errors_at(&m, &case, ELN, 2).0, 2.92e-2);
    agrees("rattle at h = 1/4", errors_at(&m, &case, RATTLE, 2).0, 1.16e-1);
}

#[test]
fn double_pendulum_errors() {
    let data = reference();
    let case = flow(&data, "double_spherical_pendulum");
    table(
        &chain(&case),
        &case,
        &[
            (ELN, 9, 5.12e-5, 3.46e-4, 2.0),
            (RATTLE, 9, 1.26e-4, 5.29e-4, 2.0),
            (RKMK4, 9, 9.00e-10, 1.04e-8, 4.0),
            (RKMKGL4, 9, 2.45e-10, 2.46e-9, 4.0),
            (RKMK4_SE3, 9, 8.02e-10, 1.03e-8, 4.0),
            (RKMK4C2, 9, 1.08e-9, 7.67e-9, 4.0),
            (CF4, 9, 8.00e-10, 6.90e-9, 4.0),
            (CF4_LIFT, 9, 9.03e-10, 1.03e-8, 4.0),
            (RKMKGL4_SE3, 9, 1.90e-10, 2.71e-9, 4.0),
            (RKMK5, 9, 4.92e-13, 3.67e-12, 5.0),
            (RKMK3, 9, 1.36e-7, 1.13e-6, 3.0),
            (LIE_HEUN, 9, 5.12e-5, 2.05e-4, 2.0),
            (LIE_EULER, 9, 3.82e-2, 1.31e-1, 1.0),
        ],
    );
}

#[test]
fn dipole_errors() {
    let data = reference();
    let case = flow(&data, "dipoles_4x4");
    let m = dipoles(&case);
    table(
        &m,
        &case,
        &[
            (ELN, 9, 2.97e-4, 5.01e-3, 2.0),
            (RATTLE, 9, 6.87e-4, 1.06e-2, 2.0),
            (RKMK4, 9, 7.89e-8, 1.07e-6, 4.0),
            (RKMKGL4, 9, 1.44e-8, 1.86e-7, 4.0),
            (RKMK4_SE3, 9, 7.57e-8, 1.09e-6, 4.0),
            (RKMK4C2, 9, 8.53e-8, 1.13e-6, 4.0),
            (CF4, 9, 7.63e-8, 9.75e-7, 4.0),
            (CF4_LIFT, 9, 7.75e-8, 1.04e-6, 4.0),
            (RKMKGL4_SE3, 9, 1.29e-8, 2.03e-7, 4.0),
            (RKMK5, 9, 1.33e-10, 9.55e-10, 5.0),
            (RKMK3, 9, 2.81e-5, 1.81e-4, 3.0),
            (LIE_HEUN, 9, 1.39e-3, 1.97e-2, 2.0),
        ],
    );
    let start = start(&case);
    assert!(walk_in(&m, &start, RATTLE, 1.0 / 16.0, 16, &mut |_, _| {}).is_err());
    assert!(walk_in(&m, &start, ELN, 1.0 / 16.0, 16, &mut |_, _| {}).is_ok());
}

#[test]
fn two_links_errors() {
    let data = reference();
    let case = flow(&data, "chain_fig5_N2");
    let m = chain(&case);
    let hamiltonian = |id| (id, "hamiltonian", None);
    for (name, want, order) in [
        (LIE_EULER, 2.1e-1, 1.0),
        (LIE_HEUN, 5.3e-4, 2.0),
        (RKMK3, 7.4e-6, 3.0),
        (RKMK4_SE3, 1.83e-8, 4.0),
        (RKMK4C2, 1.72e-8, 4.0),
        (CF4, 1.21e-8, 4.0),
        (RKMK5, 3.0e-11, 5.0),
        (RKMKGL4, 4.5e-9, 4.0),
        (ELN, 1.27e-4, 2.0),
        (RATTLE, 5.9e-4, 2.0),
        (hamiltonian("rkmk4"), 1.52e-8, 4.0),
        (hamiltonian("cf4"), 1.39e-8, 4.0),
        (hamiltonian("rkmk-dp54"), 5.0e-12, 5.0),
        (hamiltonian("rkmk-gl4"), 2.3e-9, 4.0),
    ] {
        let error = |k: u32| {
            let (q, w) = errors_at(&m, &case, name, k);
            q.hypot(w)
        };
        let found = error(9);
        // The order where truncation dominates.
        let k = if order == 5.0 { 8 } else { 9 };
        let seen = (error(k - 1) / error(k)).log2();
        // Euler's rule is far from its limit at these steps.
        let slack = if order == 1.0 { 0.35 } else { 0.2 };
        assert!((seen - order).abs() < slack, "{} {}: order {seen}", name.0, name.1);
        println!("fig5 {} {}: {found:.2e} ({want:.2e})", name.0, name.1);
        // Two digits are given, one of them rounded.
        let slack = if want > 1e-11 { 0.05 * want } else { want };
        assert!((found - want).abs() < slack, "{} {}: {found:e}", name.0, name.1);
    }
}

/// Largest errors of the energy, the momentum about the vertical, |q| and q·w, and the slope of
/// the energy error by least squares.
pub fn watch<M: SphereSystem<Scalar = f64> + 'static>(
    m: &M,
    y0: &[Link<f64>],
    name: Name,
    h: f64,
    steps: u32,
) -> ([f64; 4], f64) {
    let (energy, momentum) = (m.energy(y0), m.angular_momentum(y0).z);
    let mut worst = [0.0f64; 4];
    let (mut tt, mut td, mut st, mut sd) = (0.0, 0.0, 0.0, 0.0);
    walk_in(m, y0, name, h, steps, &mut |k, y| {
        let drift = m.energy(y) - energy;
        let now = [
            drift.abs(),
            (m.angular_momentum(y).z - momentum).abs(),
            length_error(y),
            tangency_error(y),
        ];
        for (w, x) in worst.iter_mut().zip(now) {
            *w = w.max(x);
        }
        let t = f64::from(k) * h;
        tt += t * t;
        td += t * drift;
        st += t;
        sd += drift;
    })
    .unwrap();
    let n = f64::from(steps);
    (worst, (td - st * sd / n) / (tt - st * st / n))
}

#[test]
fn long_time_behaviour_of_the_spherical_pendulum() {
    let data = reference();
    let case = flow(&data, "spherical_pendulum");
    let (m, y0) = (chain(&case), start(&case));
    // Energy error, its slope (0: bounded), momentum error, and q·w where it is lost.
    for (name, energy, slope, momentum, tangency) in [
        (ELN, 1.057e-4, 0.0, 1e-12, 1e-13),
        (RATTLE, 1.937e-4, 0.0, 1e-12, 1e-14),
        (RKMK4, 1.289e-6, -6.45e-9, 4.5e-7, 9.7e-8),
        (RKMKGL4, 1.752e-8, -8.74e-11, 6.1e-9, 1.4e-9),
        (RKMK4_SE3, 3.98e-7, -1.99e-9, 1.4e-7, 1e-13),
        (RKMKGL4_SE3, 2.11e-8, -1.05e-10, 7.1e-9, 1e-13),
        (CF4, 2.08e-6, 1.04e-8, 7.1e-7, 1e-13),
        (GL4SYM_SE3, 1.59e-10, 0.0, 1e-10, 1e-13),
    ] {
        let ([e, j, q, w], seen) = watch(&m, &y0, name, 0.01, 20_000);
        println!("{} {}: {e:.3e} {seen:.2e} {j:.1e} {q:.1e} {w:.1e}", name.0, name.1);
        assert!((e - energy).abs() < 0.06 * energy, "{name:?}: energy {e:e}");
        if slope == 0.0 {
            assert!(seen.abs() < 0.02 * energy / 200.0, "{name:?}: slope {seen:e}");
            assert!(j < momentum && w < tangency, "{name:?}: {j:e} {w:e}");
        } else {
            assert!((seen - slope).abs() < 0.02 * slope.abs(), "{name:?}: slope {seen:e}");
            assert!((j - momentum).abs() < 0.05 * momentum, "{name:?}: momentum {j:e}");
            let lost = name.1 == "lift";
            let fits = if lost { (w - tangency).abs() < 0.05 * tangency } else { w < tangency };
            assert!(fits, "{name:?}: tangency {w:e}");
        }
        assert!(q < 5e-14, "{name:?}: |q| {q:e}");
    }
}

#[test]
fn only_the_geometric_methods_stay_on_the_manifold() {
    let data = reference();
    let case = flow(&data, "chain_fig5_N2");
    let (m, y0) = (chain(&case), start(&case));
    for name in [LIE_EULER, LIE_HEUN, RKMK3, RKMK4_SE3, RKMK4C2, CF4, RKMK5, RKMKGL4_SE3] {
        let ([_, _, q, w], _) = watch(&m, &y0, name, 0.005, 1000);
        assert!(q < 1e-14 && w < 5e-14, "{name:?}: {q:e} {w:e}");
    }
    let ([_, _, q, w], _) = watch(&m, &y0, RK4, 0.005, 1000);
    println!("rk4: {q:.2e} {w:.2e}");
    assert!((q - 5.1e-8).abs() < 0.06e-8 && (w - 7.5e-7).abs() < 0.06e-7, "{q:e} {w:e}");
    let ([_, _, q, w], _) = watch(&m, &y0, RKMK4, 0.005, 1000);
    println!("rkmk4 lift: {q:.2e} {w:.2e}");
    assert!(q < 1e-14 && (w - 4.6e-7).abs() < 0.06e-7, "{q:e} {w:e}");
}

/// Chaotic runs repeat as orders of magnitude: within a factor of three of the measured range.
fn within(what: &str, found: f64, (low, high): (f64, f64)) {
    assert!(
        found > low / 3.0 && found < high * 3.0,
        "{what}: {found:e}, measured {low:e} to {high:e}"
    );
}

#[test]
fn long_time_behaviour_of_the_double_pendulum() {
    let data = reference();
    let case = flow(&data, "double_spherical_pendulum");
    let (m, y0) = (chain(&case), start(&case));
    let rounding = (1e-14, 2e-13);
    for (name, energy, momentum, tangency) in [
        (ELN, (7.7e-2, 1.3e-1), (4.9e-3, 1.3e-2), rounding),
        (RATTLE, (6.5e-2, 6.7e-2), rounding, (1e-16, 1e-14)),
        (RKMK4, (1.5e-3, 2.4e-3), (1.8e-4, 6.7e-4), (2.8e-5, 9.0e-5)),
        (RKMKGL4, (1.3e-5, 2.4e-5), (2.6e-6, 1.2e-5), (4.5e-7, 1.4e-6)),
        (RKMK4_SE3, (8.5e-4, 1.2e-3), (1.7e-5, 3.9e-5), rounding),
        (RKMKGL4_SE3, (1.3e-5, 1.8e-5), (1.0e-6, 3.6e-6), rounding),
        (CF4, (9.3e-4, 1.2e-3), (6.6e-6, 1.6e-5), rounding),
    ] {
        // Which copy of the motion is followed depends on the last bits: the middle one of three.
        let copies = [0.0, 1e-10, -1e-10].map(|turn| {
            let mut y = y0.clone();
            let r = |v| lieflow::kernel::so3::rotate(lieflow::vec3(turn, 0.0, 0.0), v);
            y[0] = Link::new(r(y[0].q), r(y[0].omega));
            let ([e, j, q, w], slope) = watch(&m, &y, name, 0.01, 20_000);
            [e, j, q, w, slope]
        });
        let middle = |i: usize| {
            let mut each = copies.map(|copy| copy[i]);
            each.sort_by(f64::total_cmp);
            each[1]
        };
        let [e, j, q, w, slope] = [0, 1, 2, 3, 4].map(middle);
        println!("{} {}: {e:.2e} slope {slope:.1e} {j:.1e} {q:.1e} {w:.1e}", name.0, name.1);
        within("energy", e, energy);
        within("momentum", j, momentum);
        within("q·w", w, tangency);
        assert!(q < 1e-13);
        // Only the explicit Runge–Kutta methods drift visibly: between -4e-6 and -1e-5 in a unit of
        // time for copies of this motion.
        let drifts = matches!(name.0, "rkmk4" | "cf4");
        let range =
            if drifts { -1.2e-5..-3e-6 } else { -3.0 * energy.1 / 200.0..3.0 * energy.1 / 200.0 };
        assert!(range.contains(&slope), "{name:?}: slope {slope:e}");
    }
}

#[test]
fn long_time_behaviour_of_the_dipoles() {
    let data = reference();
    let case = flow(&data, "dipoles_4x4");
    let (m, y0) = (dipoles(&case), start(&case));
    for (name, energy, slope, tangency) in [
        (ELN, (2.7e-6, 3.3e-6), 0.0, (5e-14, 2e-13)),
        (RATTLE, (3.8e-6, 4.5e-6), 0.0, (1e-15, 1e-14)),
        (RKMK4, (2.6e-6, 2.8e-6), -1.32e-8, (4.7e-4, 1.0e-3)),
        (RKMK4_SE3, (2.6e-6, 3.0e-6), -1.37e-8, (5e-14, 2e-13)),
        (CF4, (1.7e-6, 1.9e-6), -8.8e-9, (5e-14, 3e-13)),
    ] {
        let ([e, _, q, w], seen) = watch(&m, &y0, name, 0.01, 20_000);
        println!("{} {}: {e:.2e} slope {seen:.2e} {q:.1e} {w:.1e}", name.0, name.1);
        within("energy", e, energy);
        within("q·w", w, tangency);
        let slack = if slope == 0.0 { 1e-9 } else { 0.25 * f64::abs(slope) };
        assert!((seen - slope).abs() < slack, "{name:?}: slope {seen:e}");
        assert!(q < 1e-13);
    }
}
