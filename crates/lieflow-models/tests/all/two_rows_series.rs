//! The power series of a body by two rows: the same numbers in one register, in two and one at a time, and those that the
//! equations of motion say.
use crate::axial_body::AxialBody;
use crate::eight::{InOne, InParts};
use crate::two_rows::{Expand, Term, TwoRows};
use lieflow::action::BodyState;
use lieflow::kernel::rigid::Inertia;
use lieflow::kernel::wide::twins::run_in_twins;
use lieflow::kernel::wide::{run_scalar, run_vectorised, run_with_more_registers};
use lieflow::{Mat3, Vec3, vec3};

const ORDER: usize = 23;

fn turned(v: Vec3<f64>) -> Mat3<f64> {
    lieflow::kernel::so3::exp(v)
}

/// Inertia, axis of the torque, and the row that it is linear in.
fn bodies() -> Vec<(Inertia<f64>, Vec3<f64>, usize)> {
    let diagonal = Inertia::principal(vec3(5.0, 4.0, 1.0));
    let round = Inertia::principal(vec3(2.0, 2.0, 0.7));
    let q = turned(vec3(0.3, -0.8, 0.5));
    let full = q.matmul(diagonal.matrix()).matmul(&q.transpose());
    vec![
        (diagonal, vec3(0.0, 0.0, 20.0), 2),
        (round, Vec3::zero(), 2),
        (diagonal, vec3(1.0, -2.0, 3.0), 0),
        (Inertia::full(&full), vec3(0.5, 4.0, -3.0), 1),
    ]
}

fn start() -> BodyState<f64> {
    BodyState::new(turned(vec3(0.4, 1.1, -0.6)), vec3(1.5, -2.5, 3.5))
}

fn bits(y: &BodyState<f64>) -> Vec<u64> {
    let rows = y.rotation.rows.iter().flat_map(|row| row.to_array());
    rows.chain(y.momentum.to_array()).map(f64::to_bits).collect()
}

type Terms = (Vec<Term>, Vec<f64>, Vec<f64>);

/// All that one of the ways finds.
fn by(run: impl Fn(&mut Expand<'_>), body: &AxialBody, order: usize) -> (Terms, Vec<u64>, u64) {
    let mut series = TwoRows::new(body.clone(), order);
    run(&mut Expand::from(&mut series, &start(), order, None));
    let (terms, thirds) = series.terms();
    let (terms, thirds) = (terms.to_vec(), thirds.to_vec());
    let sizes = (0..=order).map(|k| series.size(k)).collect();
    let mut many = Expand::from(&mut series, &start(), order, Some((0.03, 17)));
    run(&mut many);
    let (end, made) = many.end();
    ((terms, thirds, sizes), bits(&end), made)
}

#[test]
fn one_register_two_and_none_have_the_same_bits() {
    for (inertia, axis, row) in bodies() {
        let body = AxialBody::new(&inertia, axis, row);
        for order in [2, 3, 4, 9, ORDER] {
            let alone = by(|work| run_scalar::<f64, _>(InParts(work)), &body, order);
            assert_eq!(alone.2, 17);
            assert_eq!(alone, by(|work| run_vectorised::<f64, _>(InParts(work)), &body, order));
            let more = by(|work| run_with_more_registers::<f64, _>(InParts(work)), &body, order);
            assert_eq!(alone, more);
            // Where the machine has such registers.
            let one = |work: &mut Expand<'_>| {
                if !run_in_twins(InOne(work)) {
                    run_scalar::<f64, _>(InParts(work));
                }
            };
            assert_eq!(alone, by(one, &body, order));
        }
    }
}

#[test]
fn steps_are_those_that_the_equations_say() {
    let h = 0.05;
    for (inertia, axis, row) in bodies() {
        let mut series = TwoRows::new(AxialBody::new(&inertia, axis, row), ORDER);
        // R, P and ω, by the equations in the axes of the body.
        let y = start();
        let mut rows = vec![y.rotation.rows];
        let mut momenta = vec![y.momentum];
        let mut turns = vec![inertia.velocity(y.momentum)];
        for k in 0..ORDER {
            let mut slopes = [Vec3::zero(); 3];
            let mut push = rows[k][row].cross(axis);
            for j in 0..=k {
                for (slope, r) in slopes.iter_mut().zip(rows[k - j]) {
                    *slope += r.cross(turns[j]);
                }
                push += momenta[k - j].cross(turns[j]);
            }
            let over = 1.0 / (k + 1) as f64;
            rows.push(slopes.map(|slope| slope * over));
            momenta.push(push * over);
            turns.push(inertia.velocity(push * over));
        }
        let sum = |terms: &dyn Fn(usize) -> Vec3<f64>| {
            (0..=ORDER).rev().fold(Vec3::zero(), |sum, k| sum * h + terms(k))
        };
        series.expand(&y, ORDER);
        let end = series.after(h);
        for (i, got) in end.rotation.rows.iter().enumerate() {
            assert!((*got - sum(&|k| rows[k][i])).norm() < 3e-15, "row {i}");
        }
        assert!((end.momentum - sum(&|k| momenta[k])).norm() < 1e-14);
        // Sizes: the largest components in principal axes, of the momentum relative to the first two.
        let in_frame = |v: Vec3<f64>| inertia.frame().apply_transpose(v).to_array().map(f64::abs);
        let most = |v: [f64; 3]| v.into_iter().fold(0.0, f64::max);
        let push = most(in_frame(momenta[0])).max(most(in_frame(momenta[1])));
        for k in 0..=ORDER {
            let (a, b) = (in_frame(rows[k][row]), in_frame(rows[k][(row + 1) % 3]));
            let want = most(a).max(most(b)).max(most(in_frame(momenta[k])) / push);
            let got = series.size(k);
            assert!((got - want).abs() < 1e-13 * (1.0 + want), "order {k}: {got}, not {want}");
        }
    }
}

#[test]
fn what_stands_still_stays_to_the_last_bit() {
    let inertia = Inertia::principal(vec3(5.0, 4.0, 1.3));
    let mut series = TwoRows::new(AxialBody::new(&inertia, vec3(0.0, 0.0, 20.0), 2), 12);
    let hanging = Mat3::from_rows(vec3(0.6, 0.8, 0.0), vec3(0.8, -0.6, 0.0), vec3(0.0, 0.0, -1.0));
    let mut y = BodyState::new(hanging, Vec3::zero());
    let made = series.step_many(0.1, 1000, 12, &mut y);
    assert_eq!((made, y), (1000, BodyState::new(hanging, Vec3::zero())));
    // Turning about a principal axis, the momentum stays.
    let mut y = BodyState::new(Mat3::identity(), vec3(0.0, 0.0, 0.7));
    series.step_many(0.1, 1000, 12, &mut y);
    assert_eq!(y.momentum, vec3(0.0, 0.0, 0.7));
}

#[test]
fn steps_end_where_terms_do() {
    let inertia = Inertia::principal(vec3(5.0, 4.0, 1.0));
    let mut series = TwoRows::new(AxialBody::new(&inertia, Vec3::zero(), 2), 20);
    let mut y = BodyState::new(Mat3::identity(), vec3(1e30, 2e30, 3e30));
    assert_eq!(series.step_many(0.1, 5, 20, &mut y), 0);
    assert_eq!(y.momentum, vec3(1e30, 2e30, 3e30));
    assert!(!series.is_finite(20));
}
