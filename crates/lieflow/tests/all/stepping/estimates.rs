//! Errors that splittings estimate by the torques of their kicks, and steps of one size that they watch.
use super::paced::{Body, comet, ortolan};
use lieflow::action::{BodyState, Flat};
use lieflow::method::rigid_body::{self, EstimatedSplitting};
use lieflow::method::{Method, Options, Step};
use lieflow::problem::{FieldMeter, Problem, Tempo};
use lieflow::stepping::{
    Adaptive, Calibration, Control, Reversible, Run, SolveError, Steady, Trial, Verdict,
};

const ALL: [(&str, u8); 18] = [
    ("exs", 2),
    ("exs@tj4", 3),
    ("exs@su4", 4),
    ("exs@bm4", 3),
    ("exs@rkn4", 4),
    ("exs@tj6", 5),
    ("exs@yo6", 5),
    ("exs@kl6", 5),
    ("exs@rkn6", 5),
    ("exs@rkn6a", 5),
    ("dmv10@bm4", 3),
    ("dmv10@rkn4", 4),
    ("dmv10@rkn6", 5),
    ("dmv10@rkn6a", 5),
    ("liemid-ea", 2),
    ("liemid-ea@tj4", 3),
    ("liemid-ea@su4", 4),
    ("liemid-ea@kl6", 5),
];

fn estimated(id: &str) -> EstimatedSplitting {
    EstimatedSplitting::named(id).unwrap()
}

fn step(
    method: &mut dyn Method<Body<f64>>,
    p: &Body<f64>,
    h: f64,
    y: &BodyState<f64>,
) -> (BodyState<f64>, Option<f64>) {
    let mut end = *y;
    let estimate = method.step(Step::new(p, 0.0, h, y), &mut end).unwrap();
    (end, estimate)
}

#[test]
fn estimates_grow_with_their_power_of_the_step() {
    for p in [comet(), ortolan()] {
        for (id, power) in ALL {
            let mut method = estimated(id);
            assert_eq!(method.power(), power, "{id}");
            // Somewhere, where nothing is zero by chance.
            let y = step(&mut method, &p, 0.7, &p.start).0;
            let h = [0.04, 0.02];
            let [large, small] = h.map(|h| step(&mut method, &p, h, &y).1.unwrap());
            let seen = (large / small).log2();
            assert!((seen - f64::from(power)).abs() < 0.25, "{id}: {seen} from {large:e}");
        }
    }
}

#[test]
fn an_estimate_is_the_same_from_both_ends() {
    let p = comet();
    for (id, _) in ALL {
        let mut method = estimated(id);
        let (end, forth) = step(&mut method, &p, 0.1, &p.start);
        let (start, back) = step(&mut method, &p, -0.1, &end);
        let (forth, back) = (forth.unwrap(), back.unwrap());
        assert!((forth / back - 1.0).abs() < 1e-6, "{id}: {forth:e} {back:e}");
        assert!(start.distance_squared(&p.start).sqrt() < 1e-13, "{id}");
    }
}

#[test]
fn steps_and_their_cost_are_those_of_the_method() {
    let p = comet();
    let entries = rigid_body::entries::<f64, Body<f64>>();
    for (id, _) in ALL {
        let entry = entries.iter().find(|entry| entry.card.id == id).unwrap();
        let mut plain = (entry.make)(&p, &Options::default()).unwrap();
        let mut method = estimated(id);
        let (mut here, mut there) = (p.start, p.start);
        for _ in 0..20 {
            here = step(plain.as_mut(), &p, 0.05, &here).0;
            there = step(&mut method, &p, 0.05, &there).0;
            plain.accept();
            Method::<Body<f64>>::accept(&mut method);
        }
        let apart = here.distance_squared(&there).sqrt();
        assert!(apart < 1e-13, "{id}: {apart:e}");
        let (ours, theirs) = (Method::<Body<f64>>::cost(&method), plain.cost());
        assert_eq!(ours.field_evaluations, theirs.field_evaluations, "{id}");
    }
    for id in ["exsd", "exs@fg4", "rattle", "dmv10", "rkmk4"] {
        assert!(EstimatedSplitting::named(id).is_none(), "{id}");
    }
}

/// As a pair. Below 1e-9 the deep well shows roundings.
#[test]
fn steps_by_the_estimate_keep_a_tolerance() {
    let p = comet();
    let by = |id: &str, tol: f64| {
        let mut method = estimated(id);
        let mut control = Adaptive::pi(tol, method.power());
        let run = Run::new(&p, (0.0, 12.0), 0.01).max_steps(100_000);
        run.drive(&mut method, &mut control, &mut ()).unwrap()
    };
    let exact = by("exs@rkn6", 1e-15).state;
    for (id, order, tols) in [
        ("exs@su4", 4.0, [1e-4, 1e-7, 1e-10]),
        ("exs@kl6", 6.0, [1e-4, 1e-7, 1e-10]),
        ("exs@rkn6", 6.0, [1e-3, 1e-4, 1e-6]),
    ] {
        let seen = tols.map(|tol| {
            let end = by(id, tol);
            assert!(end.steps > 10 && end.rejected < end.steps / 4 + 5, "{id}: {end:?}");
            (end.state.distance_squared(&exact).sqrt(), end.steps as f64)
        });
        let [first, _, last] = seen;
        // In the long run the error falls with the order in the number of steps.
        let slope = (first.0 / last.0).ln() / (last.1 / first.1).ln();
        assert!(slope > 0.75 * order && last.0 < 1e-7, "{id}: {slope} {seen:?}");
    }
}

fn chosen(p: &Body<f64>, id: &str, tol: f64) -> Calibration {
    let mut method = estimated(id);
    let power = method.power();
    let order = rigid_body::entries::<f64, Body<f64>>()
        .into_iter()
        .find(|entry| entry.card.id == id)
        .unwrap()
        .card
        .order;
    let mut trial = Trial {
        problem: p,
        method: &mut method,
        meter: &mut FieldMeter::new(p.clone()),
        distance: &|a: &BodyState<f64>, b: &BodyState<f64>| a.distance_squared(b).sqrt(),
        start: &p.start(),
        span: (0.0, 1e3),
        order,
        follows: true,
    };
    trial.choose(tol, None, power).unwrap()
}

#[test]
fn steps_are_of_one_size_where_they_are_as_good() {
    for tol in [1e-4, 1e-7, 1e-10] {
        for id in ["exs@rkn6", "exs@rkn4", "liemid-ea"] {
            assert!(chosen(&ortolan(), id, tol).steady.is_some(), "{id} {tol:e}");
            assert!(chosen(&comet(), id, tol).steady.is_none(), "{id} {tol:e}");
        }
    }
    // They follow the tolerance, as far as they resolve the motion.
    let [a, b] = [1e-9, 1e-13].map(|tol| chosen(&ortolan(), "exs@rkn6", tol).steady.unwrap());
    let power = (1e4f64).ln() / (a.step / b.step).ln();
    assert!((power - 7.0).abs() < 0.7, "{power}");
}

/// On a motion that becomes quicker they are left, at the step that says so.
#[test]
fn an_error_or_a_tempo_that_was_not_on_the_trial_ends_them() {
    let rate = Tempo { rate: 1.0, growth: 0.0 };
    let steady = |estimate| {
        let steady = Some(Steady { step: 0.5, rate: 2.0, estimate });
        let found = Calibration { epsilon: 0.1, steady, ..Calibration::default() };
        let mut control = Reversible::calibrated(found);
        control.begin((0.0, 10.0), 1.0).unwrap();
        control
    };
    let mut watched = steady(Some(1e-3));
    for k in 0..3 {
        assert!(!watched.wants_tempo() && watched.even_steps().is_none());
        let stride = watched.propose().unwrap().unwrap();
        assert_eq!((stride.t, stride.h), (f64::from(k) * 0.5, 0.5));
        assert_eq!(watched.judge(&stride, Ok(Some(1e-3))).unwrap(), Verdict::Accept);
    }
    let stride = watched.propose().unwrap().unwrap();
    assert_eq!(watched.judge(&stride, Ok(Some(f64::NAN))).unwrap(), Verdict::Reject);
    assert!(watched.wants_tempo() && !watched.is_steady());
    assert!(matches!(watched.propose(), Err(SolveError::NoTempo)));
    watched.hear(rate).unwrap();
    let stride = watched.propose().unwrap().unwrap();
    assert_eq!((stride.t, stride.h), (1.5, 0.1));
    // Without an estimate the tempo is asked for.
    let mut heard = steady(None);
    assert!(heard.wants_tempo());
    heard.hear(rate).unwrap();
    assert_eq!(heard.propose().unwrap().unwrap().h, 0.5);
    while !heard.wants_tempo() {
        let stride = heard.propose().unwrap().unwrap();
        heard.judge(&stride, Ok(None)).unwrap();
    }
    heard.hear(Tempo { rate: 2.5, growth: 0.0 }).unwrap();
    assert!(!heard.is_steady());
    assert!((heard.propose().unwrap().unwrap().h - 0.04).abs() < 1e-15);
}
