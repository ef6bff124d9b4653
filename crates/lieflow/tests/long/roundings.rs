//! Roundings of long runs: rotations stay rotations, and what is conserved performs a random walk.
pub use crate::body::Body;
use crate::body::Motion;
use lieflow::action::BodyState;
use lieflow::kernel::rigid::Inertia;
use lieflow::method::{Entry, Options, generator, rigid_body};
use lieflow::stepping::{Fixed, RESTORED_EVERY, integrate};
use lieflow::{Mat3, Vec3};

fn body(motion: Motion, start: u64) -> Body {
    Body { inertia: Inertia::principal(motion.moments()), start: motion.start(start) }
}

/// The defect of the rotation, of the spatial momentum and of the energy.
#[derive(Clone, Copy, Debug)]
struct Defects {
    /// The largest entry of `R^T R - I`, and its mean diagonal.
    rotation: (f64, f64),
    /// The change of the momentum over its size, and of its size alone.
    momentum: (f64, f64),
    energy: f64,
}

fn defects(p: &Body, y: &BodyState<f64>) -> Defects {
    let gram = y.rotation.transpose().matmul(&y.rotation) - Mat3::identity();
    let (then, now) = (p.start.rotation.apply(p.start.momentum), y.rotation.apply(y.momentum));
    let energy = |m: Vec3<f64>| p.inertia.kinetic_energy(m);
    let size = then.norm();
    Defects {
        rotation: (y.rotation.orthogonality_error(), gram.trace() / 3.0),
        momentum: ((now - then).norm() / size, (now.norm() - size) / size),
        energy: energy(y.momentum) / energy(p.start.momentum) - 1.0,
    }
}

/// Compensated steps, or not.
pub fn options(compensated: bool) -> Options {
    Options { compensated, ..Options::default() }
}

fn after(entry: &Entry<Body>, options: &Options, p: &Body, h: f64, steps: u64) -> BodyState<f64> {
    let mut method = (entry.make)(p, options).unwrap();
    let until = steps as f64 * h;
    integrate(p, &mut *method, &mut Fixed::new(), (0.0, until), h, &mut ()).unwrap().state
}

/// All methods for a free body but compositions of others.
pub fn entries() -> Vec<Entry<Body>> {
    let mut list = rigid_body::entries::<f64, Body>();
    list.extend(generator::entries::<Body>());
    list.retain(|entry| !entry.card.id.contains('@') || entry.card.id == "exs@rkn6a");
    list
}

/// Rotations of steady motions, whose increments repeat, stay as near to orthogonal as a period of
/// the driver's correction allows, by every method.
#[test]
fn rotations_stay_rotations() {
    for motion in [Motion::Spin, Motion::Precession] {
        for entry in entries() {
            let p = body(motion, 3);
            let y = after(&entry, &Options::default(), &p, 0.1, 20 * RESTORED_EVERY - 1);
            let error = defects(&p, &y).rotation.0;
            assert!(error < 1e-12, "{} {motion:?}: {error:e}", entry.card.id);
        }
    }
}

/// A run that shows every step and one that shows none have the same bits, beyond corrections too.
#[test]
fn looking_on_changes_nothing() {
    let steps = 2 * RESTORED_EVERY + 76;
    for entry in entries() {
        for options in [false, true].map(options) {
            let p = body(Motion::Spin, 5);
            let unseen = after(&entry, &options, &p, 0.1, steps);
            let mut method = (entry.make)(&p, &options).unwrap();
            let mut count = 0;
            let mut see = |_: f64, _: &BodyState<f64>| count += 1;
            let span = (0.0, steps as f64 * 0.1);
            let seen = integrate(&p, &mut *method, &mut Fixed::new(), span, 0.1, &mut see).unwrap();
            assert_eq!(seen.state, unseen, "{}", entry.card.id);
            assert_eq!(count, steps + 1);
        }
    }
}

/// Shorter runs are those of the method alone, step by step.
#[test]
fn short_runs_are_left_alone() {
    let p = body(Motion::Spin, 7);
    for entry in entries() {
        let make = || (entry.make)(&p, &Options::default()).unwrap();
        let steps = RESTORED_EVERY as usize - 1;
        let alone = lieflow_testing::run(&p, &mut *make(), 0.125, steps);
        assert_eq!(
            after(&entry, &Options::default(), &p, 0.125, steps as u64),
            alone,
            "{}",
            entry.card.id
        );
    }
}

/// The slope of `ln y` over `ln x`, where a few roundings count as none at all.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.max(2e-15).ln())).collect();
    let n = logs.len() as f64;
    let (mx, my) = logs.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (sxx, sxy) = logs
        .iter()
        .fold((0.0, 0.0), |(a, b), (x, y)| (a + (x - mx) * (x - mx), b + (x - mx) * (y - my)));
    sxy / sxx
}

/// Growth of the root mean square over the starts, and the mean over it at the end.
fn growth(rows: &[(f64, Vec<(f64, f64)>)]) -> (f64, f64, f64) {
    let rms = |list: &[(f64, f64)]| {
        (list.iter().map(|(size, _)| size * size).sum::<f64>() / list.len() as f64).sqrt()
    };
    let points: Vec<_> = rows.iter().map(|(n, list)| (*n, rms(list))).collect();
    let (_, last) = rows.last().unwrap();
    let mean = last.iter().map(|(_, signed)| signed).sum::<f64>() / last.len() as f64;
    let signed = (last.iter().map(|(_, s)| s * s).sum::<f64>() / last.len() as f64).sqrt();
    (exponent(&points), if signed > 0.0 { mean / signed } else { 0.0 }, points.last().unwrap().1)
}

/// Prints exponents, bias and size of the defects of every method, over `10^2` to `10^N` steps, where
/// `LIEFLOW_ROUNDINGS=N`; of compensated steps where `LIEFLOW_COMPENSATED=1`, of fewer starts where
/// `LIEFLOW_STARTS=K`. In the tests it is seen on a few methods by fewer steps.
#[test]
fn roundings_are_random_walks() {
    let compensated = std::env::var_os("LIEFLOW_COMPENSATED").is_some();
    random_walks(&options(compensated), 0.8);
}

/// The same, of compensated steps.
#[test]
fn compensated_roundings_are_random_walks() {
    random_walks(&options(true), 0.6);
}

/// Of steps of this size, 300,000 of 8 tumbling bodies: the mean and the root mean square of what lengths of momenta
/// have changed by, and of energies.
fn changes(id: &str, h: f64) -> [(f64, f64); 2] {
    let entry = entries().into_iter().find(|entry| entry.card.id == id).unwrap();
    let mut sums = [(0.0, 0.0); 2];
    for start in 0..8 {
        let p = body(Motion::Tumbling, start);
        let found = defects(&p, &after(&entry, &Options::default(), &p, h, 300_000));
        for (sum, change) in sums.iter_mut().zip([found.momentum.1, found.energy]) {
            *sum = (sum.0 + change / 8.0, sum.1 + change * change / 8.0);
        }
    }
    sums.map(|(mean, square)| (mean, square.sqrt()))
}

/// Methods that solve equations know how a turn will be rounded, and what Newton's method leaves is of one sign:
/// their momenta and energies moved one way, by 1e-19 to 1e-18 in every step.
#[test]
fn solved_equations_leave_no_bias() {
    for (id, keeps_energy) in [("liemid-i", false), ("new3", false), ("swc1", true), ("akw", true)]
    {
        let [momentum, energy] = changes(id, 0.13);
        println!("{id}: {momentum:?} {energy:?}");
        for (what, (mean, size)) in [("momentum", momentum), ("energy", energy)] {
            if what == "momentum" || keeps_energy {
                assert!(mean.abs() < 7e-14 && size < 1.3e-13, "{id} {what}: {mean:e} {size:e}");
            }
        }
    }
}

fn random_walks(options: &Options, most: f64) {
    let h: f64 = std::env::var("LIEFLOW_STEP").ok().and_then(|h| h.parse().ok()).unwrap_or(0.1);
    let decades: Option<u32> =
        std::env::var("LIEFLOW_ROUNDINGS").ok().and_then(|text| text.parse().ok());
    let only = std::env::var("LIEFLOW_METHOD").ok();
    let starts = std::env::var("LIEFLOW_STARTS").ok().and_then(|text| text.parse().ok());
    let (last, starts) = decades.map_or((4, 8), |n| (n, starts.unwrap_or(16)));
    for motion in [Motion::Tumbling, Motion::Spin, Motion::Precession] {
        for entry in entries() {
            let id = entry.card.id;
            if only.as_ref().is_some_and(|only| !only.split(',').any(|one| one == id)) {
                continue;
            }
            if decades.is_none() && !["rkmk4", "liemid-ea", "exs", "dmv10"].contains(&id) {
                continue;
            }
            let keeps_energy = entry.card.conserves.contains("energy");
            let mut rows: [Vec<(f64, Vec<(f64, f64)>)>; 3] = Default::default();
            for n in (2..=last).map(|k| 10u64.pow(k)) {
                let found: Vec<_> = (0..starts)
                    .map(|start| {
                        let p = body(motion, start);
                        defects(&p, &after(&entry, options, &p, h, n))
                    })
                    .collect();
                let n = n as f64;
                rows[0].push((n, found.iter().map(|d| d.rotation).collect()));
                rows[1].push((n, found.iter().map(|d| d.momentum).collect()));
                rows[2].push((n, found.iter().map(|d| (d.energy.abs(), d.energy)).collect()));
            }
            for (what, rows) in ["rotation", "momentum", "energy"].into_iter().zip(&rows) {
                if what == "energy" && !keeps_energy {
                    continue;
                }
                let (power, bias, size) = growth(rows);
                if decades.is_some() {
                    let mark = if power > 0.6 || bias.abs() > 0.5 { " <==" } else { "" };
                    println!("{motion:?} {id} {what}: {power:.2} {bias:.2} {size:.1e}{mark}");
                } else {
                    assert!(power < most, "{motion:?} {id} {what}: {power} {bias} {size:e}");
                }
            }
        }
    }
}
