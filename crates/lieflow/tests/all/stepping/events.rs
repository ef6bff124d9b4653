//! Events: where they are found, in which order, and what follows.
use super::support::{Ball, Body, Scalar, body, rk4};
use crate::common;
use lieflow::Vec3;
use lieflow::group::Rn;
use lieflow::method::{Method, Options, generator};
use lieflow::stepping::{
    Direction, Ending, Event, Fixed, Run, SolveError, Trajectory, find_root, integrate,
};

fn height(_: &Ball, _: f64, y: &Rn<f64, 2>) -> f64 {
    y.0[0]
}

#[test]
fn a_root_is_found_to_neighbouring_numbers() {
    let cases: [(fn(f64) -> f64, f64, f64, f64); 6] = [
        (|x| x * x - 2.0, 0.0, 2.0, 2.0_f64.sqrt()),
        (|x| x.cos() - x, 0.0, 1.0, 0.739085133215160641655312),
        (|x| (x - 0.3).powi(3), 0.0, 1.0, 0.3),
        (|x| (20.0 * (x - 0.7)).tanh(), -10.0, 10.0, 0.7),
        (|x| if x < 0.123 { -1.0 } else { 1e-6 }, 0.0, 1.0, 0.123),
        (|x| 1.0 / x - 3.0, 1e-9, 10.0, 1.0 / 3.0),
    ];
    for (f, a, b, root) in cases {
        let mut calls = 0;
        let count = |x| {
            calls += 1;
            Ok::<f64, ()>(f(x))
        };
        let (x, _) = find_root(count, (a, f(a)), (b, f(b)), 0.0).unwrap();
        // A triple zero is flat: its function rounds to zero within 1e-108 only.
        assert!((x - root).abs() <= 4.0 * f64::EPSILON * root.abs(), "{x} {root}");
        assert!(calls < 130, "{calls}");
    }
}

#[test]
fn a_terminal_event_ends_the_run_at_the_moment() {
    // x = 1 + 2t - 5t^2 is solved exactly, so the landing is known to rounding.
    let p = Ball { gravity: 10.0, height: 1.0, speed: 2.0 };
    let landing = (2.0 + 24.0_f64.sqrt()) / 10.0;
    for step in [0.4, 0.1, 0.013] {
        let mut events = [Event::new(height).terminal()];
        let mut kept = Trajectory::every(3);
        let run = Run::new(&p, (0.0, 2.0), step).events(&mut events);
        let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut kept).unwrap();
        assert_eq!(end.ending, Ending::Event(0));
        assert!((end.t - landing).abs() < 4e-16, "{} {landing}", end.t);
        assert!(end.state.0[0].abs() < 3e-15);
        assert!((end.state.0[1] + 24.0_f64.sqrt()).abs() < 1e-14);
        let seen = &events[0].occurrences;
        assert_eq!((seen.len(), seen[0].t, seen[0].state), (1, end.t, end.state));
        assert_eq!(*kept.times.last().unwrap(), end.t);
        assert_eq!(*kept.values.last().unwrap(), end.state);
    }
}

#[test]
fn events_are_found_backwards() {
    let p = Ball { gravity: 10.0, height: 1.0, speed: 2.0 };
    let take_off = (2.0 - 24.0_f64.sqrt()) / 10.0;
    let mut events = [
        // Backwards in time the ball goes down: the crossing falls as the run proceeds.
        Event::new(height).direction(Direction::Falling).terminal(),
        Event::new(height).direction(Direction::Rising).terminal(),
    ];
    let run = Run::new(&p, (0.0, -2.0), -0.11).events(&mut events);
    let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap();
    assert_eq!(end.ending, Ending::Event(0));
    assert!((end.t - take_off).abs() < 4e-16, "{}", end.t);
    assert!((end.state.0[1] - 24.0_f64.sqrt()).abs() < 1e-14);
}

#[test]
fn directions_select_and_notes_do_not_disturb() {
    // y = sin t through y' = cos t.
    let p = Scalar { start: 0.0, f: |t, _| t.cos() };
    let sine = |_: &Scalar, _: f64, y: &Rn<f64, 1>| y.0[0];
    let mut events = [
        Event::new(sine),
        Event::new(sine).direction(Direction::Rising),
        Event::new(sine).direction(Direction::Falling),
        Event::new(|_: &Scalar, t, _: &Rn<f64, 1>| t - 7.25),
    ];
    let alone = integrate(&p, &mut rk4(), &mut Fixed::new(), (0.0, 20.0), 0.05, &mut ()).unwrap();
    let run = Run::new(&p, (0.0, 20.0), 0.05).events(&mut events);
    let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap();
    assert_eq!((end.state, end.ending), (alone.state, Ending::Reached));
    let times: Vec<Vec<f64>> =
        events.iter().map(|e| e.occurrences.iter().map(|o| o.t).collect()).collect();
    // The zero at the start is not an event.
    let expected = |n: &[f64]| n.iter().map(|k| k * std::f64::consts::PI).collect::<Vec<_>>();
    let close = |a: &[f64], b: &[f64]| {
        assert_eq!(a.len(), b.len());
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-8), "{a:?} {b:?}");
    };
    close(&times[0], &expected(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    close(&times[1], &expected(&[2.0, 4.0, 6.0]));
    close(&times[2], &expected(&[1.0, 3.0, 5.0]));
    assert!((times[3][0] - 7.25).abs() < 1e-15);
}

#[test]
fn several_events_in_a_step_happen_in_order() {
    let p = Scalar { start: 0.0, f: |_, _| 1.0 };
    let at = |x: f64| move |_: &Scalar, _: f64, y: &Rn<f64, 1>| y.0[0] - x;
    let mut events = [
        Event::new(at(0.9)),
        Event::new(at(0.2)),
        Event::new(at(0.5)).terminal(),
        Event::new(at(0.4)),
    ];
    let run = Run::new(&p, (0.0, 1.0), 1.0).events(&mut events);
    let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap();
    assert_eq!((end.t, end.ending), (0.5, Ending::Event(2)));
    let counts: Vec<usize> = events.iter().map(|e| e.occurrences.len()).collect();
    assert_eq!(counts, [0, 1, 1, 1], "what lies behind the end does not happen");
    // The order in which changes are made is the order in time.
    let mut log = Vec::new();
    let log_cell = std::cell::RefCell::new(&mut log);
    let jump = |x: f64| {
        let log = &log_cell;
        Event::new(at(x)).then(move |_, t, y: &mut Rn<f64, 1>| {
            log.borrow_mut().push(t);
            y.0[0] += 0.125;
        })
    };
    let mut events = [jump(0.75), jump(0.25), jump(0.5)];
    let run = Run::new(&p, (0.0, 1.0), 1.0).events(&mut events);
    let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap();
    drop(events);
    assert_eq!(log, [0.25, 0.375, 0.5]);
    assert_eq!((end.t, end.state.0[0], end.steps), (1.0, 1.375, 4));
}

#[test]
fn two_changes_at_one_moment_both_happen_once() {
    let p = Scalar { start: 0.0, f: |_, _| 1.0 };
    let mut events = [
        Event::new(|_: &Scalar, _, y: &Rn<f64, 1>| y.0[0] - 0.3).then(|_, _, y| y.0[0] += 10.0),
        Event::new(|_: &Scalar, t, _: &Rn<f64, 1>| t - 0.3).then(|_, _, y| y.0[0] *= 2.0),
    ];
    let run = Run::new(&p, (0.0, 1.0), 0.25).events(&mut events);
    let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap();
    assert!((end.state.0[0] - (20.6 + 0.7)).abs() < 1e-13, "{}", end.state.0[0]);
    assert!(events.iter().all(|e| e.occurrences.len() == 1));
    // Time is no finer near zero than at the ends of the step.
    let p = Scalar { start: -0.7, f: |_, _| 1.0 };
    let mut events = [
        Event::new(|_: &Scalar, _, y: &Rn<f64, 1>| y.0[0]).then(|_, _, y| y.0[0] += 10.0),
        Event::new(|_: &Scalar, t, _: &Rn<f64, 1>| t).then(|_, _, y| y.0[0] *= 2.0),
    ];
    for (span, step) in [((-0.7, 0.7), 0.45), ((-0.7, 0.7), 1.4)] {
        let run = Run::new(&p, span, step).events(&mut events);
        let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap();
        assert!((end.state.0[0] - 20.7).abs() < 1e-13, "{}", end.state.0[0]);
    }
}

/// Landings of a ball that keeps `e` of its speed, from rest at height one.
fn landings(e: f64, n: usize) -> Vec<f64> {
    let first = (2.0_f64 / 10.0).sqrt();
    let mut times = vec![first];
    let mut flight = 2.0 * first;
    for _ in 1..n {
        flight *= e;
        times.push(times[times.len() - 1] + flight);
    }
    times
}

#[test]
fn a_bouncing_ball_lands_on_time() {
    let p = Ball { gravity: 10.0, height: 1.0, speed: 0.0 };
    for step in [0.4, 0.1, 0.01] {
        let mut events =
            [Event::new(height).then(|_, _, y| *y = Rn([0.0, -0.8 * y.0[1]])).stop_after(8)];
        let mut kept = Trajectory::every(5);
        let run = Run::new(&p, (0.0, 10.0), step).events(&mut events);
        let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut kept).unwrap();
        assert_eq!(end.ending, Ending::Event(0));
        for (seen, exact) in events[0].occurrences.iter().zip(landings(0.8, 8)) {
            assert!((seen.t - exact).abs() < 2e-15, "step {step}: {} {exact}", seen.t);
        }
        // The last landing is not reflected; the others are kept from both sides.
        assert!(end.state.0[1] < 0.0);
        let jumps = kept.times.windows(2).filter(|w| w[0] == w[1]).count();
        assert_eq!(jumps, 7);
    }
}

#[test]
fn what_a_method_kept_is_forgotten_when_the_state_changes() {
    // These methods take the field at the end of a step over to the next one.
    for id in ["rkmk-bs32", "rkmk-dp54", "cf43-fsal"] {
        let p = Ball { gravity: 10.0, height: 1.0, speed: 0.0 };
        let entries = generator::entries::<Ball>();
        let make = || common::method(&entries, id, &p, &Options::default());
        let bounce = |_: &Ball, _: f64, y: &mut Rn<f64, 2>| *y = Rn([0.0, -0.8 * y.0[1]]);
        let mut events = [Event::new(height).then(bounce).stop_after(6)];
        let run = Run::new(&p, (0.0, 10.0), 0.07).events(&mut events);
        run.drive(make().as_mut(), &mut Fixed::new(), &mut ()).unwrap();
        for (seen, exact) in events[0].occurrences.iter().zip(landings(0.8, 6)) {
            assert!((seen.t - exact).abs() < 1e-14, "{id}: {} {exact}", seen.t);
        }
        // A correction changes the state too.
        let p = Ball { gravity: 0.0, ..p };
        let mut turn = |_: &Ball, _: f64, y: &mut Rn<f64, 2>| {
            y.0[1] = 1.0 - y.0[1];
            true
        };
        let run = Run::new(&p, (0.0, 1.0), 0.125).correct(&mut turn);
        let end = run.drive(make().as_mut(), &mut Fixed::new(), &mut ()).unwrap();
        // Speeds 0, 1, 0, 1, …: half of the eight steps climb.
        assert!((end.state.0[0] - 1.5).abs() < 1e-14, "{id}: {:?}", end.state);
        assert_eq!(end.corrections, 8);
    }
}

#[test]
fn bounces_that_accumulate_end_in_an_error() {
    // All bounces of a ball that keeps half its speed happen before t = 3 sqrt(2/g). It must not fall
    // through the floor when they become too short for the steps.
    let p = Ball { gravity: 10.0, height: 1.0, speed: 0.0 };
    let limit = 3.0 * 0.2_f64.sqrt();
    let exact: fn(&Ball, f64, &mut Rn<f64, 2>) = |_, _, y| *y = Rn([0.0, -0.5 * y.0[1]]);
    let sloppy: fn(&Ball, f64, &mut Rn<f64, 2>) = |_, _, y| y.0[1] *= -0.5;
    for change in [exact, sloppy] {
        for step in [0.1, 1e-2, 1e-3] {
            let mut events = [Event::new(height).named("floor").then(change)];
            let run = Run::new(&p, (0.0, 2.0), step).events(&mut events);
            let failure = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap_err();
            let SolveError::EventsAccumulate { event, t } = failure.error else {
                panic!("{failure}")
            };
            assert_eq!((event, failure.partial.t), ("floor", t));
            assert!((t - limit).abs() < 1e-5, "step {step}: {t} {limit}");
            assert!(failure.partial.state.0[0].abs() < 1e-14);
            assert!(events[0].occurrences.len() > 15);
        }
    }
}

#[test]
fn restarts_at_the_same_time_are_an_error() {
    // Each change puts the state just before the zero of the other.
    let p = Scalar { start: 0.0, f: |_, _| 1.0 };
    let at = |x: f64| Event::new(move |_: &Scalar, _, y: &Rn<f64, 1>| y.0[0] - x);
    let mut events = [
        at(1.0).then(|_, _, y| y.0[0] = 3.0_f64.next_down()),
        at(3.0).then(|_, _, y| y.0[0] = 1.0_f64.next_down()),
    ];
    let run = Run::new(&p, (0.0, 3.0), 0.4).events(&mut events);
    let failure = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap_err();
    assert!(matches!(failure.error, SolveError::EventsAccumulate { .. }), "{failure}");
    assert!((failure.partial.t - 1.0).abs() < 1e-13);
    // A cascade is not without end, but a hundred changes at one time are enough.
    let cascade = |n: u32| {
        let next =
            |i: u32| at(f64::from(i)).then(move |_, _, y| y.0[0] = f64::from(i + 1).next_down());
        let mut events: Vec<_> = (1..=n).map(next).collect();
        let run = Run::new(&p, (1e3, 1003.0), 0.4).events(&mut events);
        run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).map(|end| end.state.0[0].round())
    };
    assert_eq!(cascade(50).unwrap(), 53.0);
    assert!(matches!(cascade(150).unwrap_err().error, SolveError::EventsAccumulate { .. }));
}

#[test]
fn a_start_on_the_event_is_left_first() {
    // Thrown up from the floor: the zero at the start does not count, the landing does, even if it
    // comes within the first step.
    let p = Ball { gravity: 10.0, height: 0.0, speed: 2.0 };
    for step in [1.0, 0.3] {
        let mut events = [Event::new(height).terminal()];
        let run = Run::new(&p, (0.0, 3.0), step).events(&mut events);
        let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap();
        assert!((end.t - 0.4).abs() < 1e-15, "{}", end.t);
    }
}

#[test]
fn more_looks_find_double_crossings() {
    let p = Ball { gravity: 10.0, height: 0.0, speed: 2.0 };
    // The ball is above 0.15 for t in 0.2 -+ 0.1 only: within one step.
    let above = |_: &Ball, _: f64, y: &Rn<f64, 2>| y.0[0] - 0.15;
    let mut events = [Event::new(above), Event::new(above).samples_per_step(8)];
    let run = Run::new(&p, (0.0, 0.4), 0.4).events(&mut events);
    run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap();
    assert_eq!(events[0].occurrences.len(), 0);
    let times: Vec<f64> = events[1].occurrences.iter().map(|o| o.t).collect();
    assert_eq!(times.len(), 2);
    assert!((times[0] - 0.1).abs() < 1e-15 && (times[1] - 0.3).abs() < 1e-15, "{times:?}");
}

#[test]
fn a_zero_at_the_end_of_a_step_is_found_once() {
    let p = Scalar { start: 0.0, f: |_, _| 1.0 };
    let one = |_: &Scalar, t: f64, _: &Rn<f64, 1>| t - 1.0;
    let mut events = [Event::new(one), Event::new(one).then(|_, _, y| y.0[0] += 1.0)];
    let run = Run::new(&p, (0.0, 2.0), 0.25).events(&mut events);
    let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap();
    for event in &events {
        let times: Vec<f64> = event.occurrences.iter().map(|o| o.t).collect();
        assert_eq!(times, [1.0]);
    }
    // The change falls on the grid, and takes no extra step.
    assert_eq!((end.t, end.steps), (2.0, 8));
    // At the very end of the run, and terminal there.
    let mut events = [Event::new(one).terminal()];
    let run = Run::new(&p, (0.0, 1.0), 0.25).events(&mut events);
    let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap();
    assert_eq!((end.t, end.ending), (1.0, Ending::Event(0)));
}

/// An event at the end of a step has the state there, and not what dense output makes of it.
#[test]
fn a_zero_at_the_end_of_a_step_has_its_state() {
    let p = Scalar { start: 0.3, f: |t, y| (3.0 * t - y * y).sin() };
    let one = |_: &Scalar, t: f64, _: &Rn<f64, 1>| t - 1.0;
    for step in [0.25, 0.1] {
        let plain =
            integrate(&p, &mut rk4(), &mut Fixed::new(), (0.0, 1.0), step, &mut ()).unwrap();
        let mut events = [Event::new(one)];
        let run = Run::new(&p, (0.0, 1.0), step).events(&mut events);
        let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap();
        assert_eq!(end.state, plain.state);
        assert_eq!(events[0].occurrences[0].state, plain.state);
    }
}

#[test]
fn fixed_steps_return_to_their_grid_after_a_change() {
    let p = Scalar { start: 0.0, f: |_, _| 1.0 };
    let mut events =
        [Event::new(|_: &Scalar, t, _: &Rn<f64, 1>| t - 0.33).then(|_, _, y| y.0[0] += 1.0)];
    let mut kept = Trajectory::every(1);
    let run = Run::new(&p, (0.0, 0.5), 0.1).events(&mut events);
    let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut kept).unwrap();
    let times = [0.0, 0.1, 0.2, 3.0 * 0.1, 0.33, 0.33, 0.4, 0.5];
    assert!(kept.times.iter().zip(times).all(|(a, b)| (a - b).abs() < 1e-15));
    assert_eq!(kept.times.len(), times.len());
    assert_eq!(end.t, 0.5);
    assert!((end.state.0[0] - 1.5).abs() < 1e-15);
}

#[test]
fn an_event_that_is_not_finite_is_named() {
    let p = Scalar { start: 1.0, f: |_, _| -1.0 };
    let mut events =
        [Event::new(|_: &Scalar, _, y: &Rn<f64, 1>| y.0[0].sqrt() - 0.1).named("root")];
    let run = Run::new(&p, (0.0, 2.0), 0.3).events(&mut events);
    let failure = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap_err();
    assert!(matches!(failure.error, SolveError::NotFinite { what: "root", .. }));
    assert!((failure.partial.t - 0.9).abs() < 1e-15, "the last good state is kept");
    assert_eq!(failure.partial.steps, 3);
}

/// The time at which the second component of the momentum of a free body falls through zero.
fn crossing<M: Method<Body> + ?Sized>(method: &mut M, h: f64) -> (f64, Vec3<f64>) {
    crossing_of(Event::new(|_: &Body, _, m: &Vec3<f64>| m.y), method, h)
}

fn crossing_of<M: Method<Body> + ?Sized>(
    event: Event<'_, Body>,
    method: &mut M,
    h: f64,
) -> (f64, Vec3<f64>) {
    let p = body();
    let mut events = [event.direction(Direction::Falling).terminal()];
    let run = Run::new(&p, (0.0, 40.0), h).events(&mut events);
    let end = run.drive(method, &mut Fixed::new(), &mut ()).unwrap();
    assert_eq!(end.ending, Ending::Event(0));
    (end.t, end.state)
}

#[test]
fn the_time_of_an_event_converges_with_the_order_of_the_method() {
    let (exact, _) = crossing(&mut rk4(), 1.0 / 1024.0);
    let errors: Vec<f64> = [0.2, 0.1, 0.05]
        .iter()
        .map(|h| {
            let (t, state) = crossing(&mut rk4(), *h);
            assert!(state.y.abs() < 1e-15, "{:e}", state.y);
            assert!((state.norm() - 1.0).abs() < 1e-14, "on the sphere");
            (t - exact).abs()
        })
        .collect();
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 4.0).abs() < 0.3, "{order} {errors:?}");
    }
}

#[test]
fn every_general_method_finds_events_with_its_order_on_the_manifold() {
    let exact = {
        let p = body();
        let mut method =
            common::method(&generator::entries(), "rkmk-dop853", &p, &Options::default());
        crossing(method.as_mut(), 1.0 / 64.0).0
    };
    for entry in generator::entries::<Body>() {
        let (id, order) = (entry.card.id, f64::from(entry.card.order));
        // The interpolants are of order three in the algebra at least: local errors of h^4, which
        // is what the time of an event feels, besides the global error of the method.
        let order = order.min(4.0);
        let time = |h: f64| {
            let mut method = (entry.make)(&body(), &Options::default()).unwrap();
            let (t, state) = crossing(method.as_mut(), h);
            assert!(state.y.abs() < 2e-15, "{id}: {:e}", state.y);
            assert!((state.norm() - 1.0).abs() < 1e-14, "{id}: on the sphere");
            t
        };
        let (coarse, fine) = ((time(0.1) - exact).abs(), (time(0.05) - exact).abs());
        let observed = (coarse / fine).log2();
        // Below 1e-11 there is nothing left to converge.
        assert!(observed > order - 0.6 || fine < 1e-11, "{id}: {observed} ({coarse:e}, {fine:e})");
        println!("{id}: {observed:.2} ({coarse:e}, {fine:e})");
    }
}

#[test]
fn precise_events_have_the_full_order() {
    let p = body();
    let time = |id: &str, h: f64| {
        let event = Event::new(|_: &Body, _, m: &Vec3<f64>| m.y).precise();
        let mut method = common::method(&generator::entries(), id, &p, &Options::default());
        crossing_of(event, method.as_mut(), h).0
    };
    let exact = time("rkmk-dop853", 1.0 / 64.0);
    // Dense output gives 9e-10 for both.
    assert!((time("rkmk-dop853", 0.1) - exact).abs() < 1e-13);
    let (coarse, fine) = (time("rkmk-gl6", 0.4) - exact, time("rkmk-gl6", 0.2) - exact);
    let order = (coarse / fine).log2();
    assert!((order - 6.0).abs() < 0.3, "{order} {coarse:e} {fine:e}");
}
