//! Where controls and lines end: rejections, steps below the resolution of time, points at one time.
use lieflow::stepping::{Adaptive, Control, EvenSteps, Fixed, Line, SolveError, Verdict};

/// How often a control whose every trial is rejected goes on, and what it says then.
fn rejected(control: &mut Adaptive) -> (u32, SolveError) {
    control.begin((0.0, 1.0), 0.1).unwrap();
    for trials in 0.. {
        let stride = control.propose().unwrap().unwrap();
        match control.judge(&stride, Ok(Some(1.0))) {
            Ok(verdict) => assert_eq!(verdict, Verdict::Reject),
            Err(error) => return (trials, error),
        }
    }
    unreachable!("a control that never gives up");
}

/// Sixty rejections in a row are borne, and a run that ended so leaves nothing to the next.
#[test]
fn every_run_may_be_rejected_sixty_times_in_a_row() {
    let mut control = Adaptive::elementary(1e-6, 5);
    // Sixty times a fifth would be below the resolution of time.
    control.clip = (0.9, 5.0);
    for _ in 0..2 {
        let (borne, error) = rejected(&mut control);
        assert_eq!(borne, 60);
        assert!(matches!(error, SolveError::TooManyRejections { rejections: 61, .. }), "{error}");
    }
}

/// Times far before zero have no finer resolution than times far after it.
#[test]
fn steps_below_the_resolution_of_the_first_time_are_refused() {
    let far = 1e12;
    for span in [(-far, 0.0), (far, 0.0), (0.0, far), (0.0, -far)] {
        let step = 5e-4_f64.copysign(span.1 - span.0);
        let error = Fixed::new().begin(span, step).unwrap_err();
        assert!(matches!(error, SolveError::StepTooSmall { .. }), "{span:?}: {error}");
        Fixed::new().begin(span, 2.0 * step).unwrap();
    }
}

#[test]
fn a_line_through_points_at_one_time_is_level() {
    let mut line = Line::new();
    assert_eq!(line.slope(), 0.0);
    for value in [5.0, 7.0] {
        line.push(2.0, value);
    }
    assert_eq!((line.slope(), line.value(9.0)), (0.0, 6.0));
    line.push(4.0, 8.0);
    assert!((line.slope() - 1.0).abs() < 1e-14 && (line.value(4.0) - 8.0).abs() < 1e-14);
}

/// Those that surely end before a time, on a grid that does not begin at zero.
#[test]
fn even_steps_before_a_time() {
    for h in [0.5, -0.5] {
        let steps = EvenSteps { from: 3.0, h, first: 4, count: 10 };
        // Step number k of them ends at 3 + (5 + k) h.
        for (k, before) in [(0.2, 0), (1.5, 0), (4.5, 3), (10.5, 9), (40.0, 10)] {
            assert_eq!(steps.before(steps.time(0) + k * h), before, "{h}, {k}");
        }
        assert_eq!(steps.before(f64::NAN), 0);
    }
}

/// Rules with one base have no second exponent.
#[test]
fn exponents_of_the_rules() {
    assert_eq!(Adaptive::elementary(1e-6, 4).exponents(), [0.25, 0.0]);
    assert_eq!(Adaptive::plain(1e-6, 0.2).exponents(), [0.2, 0.0]);
    assert_eq!(Adaptive::pi(1e-6, 4).exponents(), [0.7 / 4.0, 0.4 / 4.0]);
}
