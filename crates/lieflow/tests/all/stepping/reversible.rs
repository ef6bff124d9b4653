//! Reversible steps: orders, the way back, and energies that stay where others leave.
use lieflow::action::CotangentTranslations;
use lieflow::group::Rn;
use lieflow::method::{Cost, Inside, Method, Step, StepError, StepResult};
use lieflow::problem::{Cotangent, FieldMeter, Generator, Lift, Meter, Problem, Tempo};
use lieflow::stepping::{
    Adaptive, Control, Direction, Event, Line, Passage, Reversible, Run, SolveError, Trial,
};
use lieflow::{Real, archive::Archive};
use std::ops::ControlFlow;

/// Kepler's problem, from the far point.
#[derive(Clone)]
struct Kepler<S> {
    eccentricity: S,
}

type State<S> = Cotangent<Rn<S, 2>>;

fn pull<S: Real>(q: &Rn<S, 2>) -> Rn<S, 2> {
    let [x, y] = q.0;
    let r2 = x * x + y * y;
    let weight = -(S::one() / (r2 * r2.sqrt()));
    Rn([x * weight, y * weight])
}

impl<S: Real> Problem for Kepler<S> {
    type Point = State<S>;
    fn start(&self) -> State<S> {
        let e = self.eccentricity;
        let speed = ((S::one() - e) / (S::one() + e)).sqrt();
        Cotangent { g: Rn([S::one() + e, S::zero()]), mu: Rn([S::zero(), speed]) }
    }
    fn archive(&self, y: &mut State<S>, archive: &mut Archive) {
        archive.reals(&mut y.g.0);
        archive.reals(&mut y.mu.0);
    }
}

impl<S: Real> Generator for Kepler<S> {
    type Space = CotangentTranslations<S, 2>;
    fn field(&self, _: f64, y: &State<S>) -> (Rn<S, 2>, Rn<S, 2>) {
        (y.mu, pull(&y.g))
    }
}

impl<S: Real> Lift for Kepler<S> {
    type Scalar = S;
    type Over<T: Real> = Kepler<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Kepler<T> {
        Kepler { eccentricity: embed(self.eccentricity) }
    }
    fn lift_point<T: Real>(&self, y: &State<S>, embed: fn(S) -> T) -> State<T> {
        Cotangent { g: Rn(y.g.0.map(embed)), mu: Rn(y.mu.0.map(embed)) }
    }
}

fn energy(y: &State<f64>) -> f64 {
    let ([x, y_], [u, v]) = (y.g.0, y.mu.0);
    0.5 * (u * u + v * v) - 1.0 / (x * x + y_ * y_).sqrt()
}

fn distance(a: &State<f64>, b: &State<f64>) -> f64 {
    let parts = a.g.0.iter().chain(&a.mu.0).zip(b.g.0.iter().chain(&b.mu.0));
    parts.map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// Leapfrog steps of sizes in these ratios: symmetric if they read the same backwards.
struct Leapfrog {
    weights: &'static [f64],
    cost: Cost,
}

const SECOND: &[f64] = &[1.0];
/// The triple jump of order four.
const FOURTH: &[f64] = &[1.3512071919596578, -1.7024143839193155, 1.3512071919596578];

fn leapfrog(weights: &'static [f64]) -> Leapfrog {
    Leapfrog { weights, cost: Cost::default() }
}

impl Method<Kepler<f64>> for Leapfrog {
    fn step(&mut self, s: Step<'_, Kepler<f64>>, out: &mut State<f64>) -> StepResult {
        let mut y = s.y.clone();
        for weight in self.weights {
            let h = weight * s.h;
            let shift = |y: &mut State<f64>| (0..2).for_each(|i| y.g.0[i] += 0.5 * h * y.mu.0[i]);
            shift(&mut y);
            let force = pull(&y.g);
            (0..2).for_each(|i| y.mu.0[i] += h * force.0[i]);
            shift(&mut y);
            self.cost.field_evaluations += 1;
        }
        *out = y;
        Ok(None)
    }
    fn cost(&self) -> Cost {
        self.cost
    }
}

/// A method with the difference from two steps of half the size as its error.
struct Doubled(Leapfrog);

impl Method<Kepler<f64>> for Doubled {
    fn step(&mut self, s: Step<'_, Kepler<f64>>, out: &mut State<f64>) -> StepResult {
        let (mut half, mut end) = (s.y.clone(), s.y.clone());
        self.0.step(Step { h: 0.5 * s.h, ..s }, &mut half)?;
        self.0.step(Step { h: 0.5 * s.h, y: &half, ..s }, &mut end)?;
        self.0.step(s, out)?;
        Ok(Some(distance(out, &end)))
    }
    fn interpolate(
        &mut self,
        at: Inside<'_, Kepler<f64>>,
        out: &mut State<f64>,
    ) -> Result<(), StepError> {
        self.0.interpolate(at, out)
    }
    fn cost(&self) -> Cost {
        self.0.cost
    }
}

const PERIOD: f64 = std::f64::consts::TAU;

/// The length of steps for a tolerance.
fn control_for(p: &Kepler<f64>, method: &mut Leapfrog, order: u8, tol: f64) -> Reversible {
    let (start, mut meter) = (p.start(), FieldMeter::new(p.clone()));
    let span = (0.0, 10.0 * PERIOD);
    let (problem, meter, start) = (p, &mut meter, &start);
    let (distance, follows) = (&distance, true);
    let mut trial = Trial { problem, method, meter, distance, start, span, order, follows };
    let found = trial.calibrate(tol, None).unwrap();
    Reversible::calibrated(found)
}

/// The slope of a line through means of the energy error over blocks of time, with its standard error, the
/// largest error, steps and evaluations.
#[derive(Debug)]
struct Long {
    time: f64,
    slope: f64,
    standard_error: f64,
    /// Where a random walk with the paces of the means of the blocks would be.
    walk: f64,
    largest: f64,
    steps: u64,
    evaluations: u64,
    end: State<f64>,
}

fn long(
    p: &Kepler<f64>,
    method: &mut dyn Method<Kepler<f64>>,
    control: &mut dyn Control,
    periods: f64,
) -> Long {
    let initial = energy(&p.start());
    let until = periods * PERIOD;
    let (mut largest, mut line, mut block) = (0.0f64, Line::new(), (0.0, 0.0, 0.0));
    let (mut mean, mut paces) = (None, 0.0f64);
    let mut meter = FieldMeter::new(p.clone());
    let mut watch = |passage: &mut Passage<'_, Kepler<f64>>| {
        let error = energy(passage.end) - initial;
        largest = largest.max(error.abs());
        let (count, times, errors) = &mut block;
        *count += 1.0;
        *times += passage.to;
        *errors += error;
        if passage.to >= (line.count() + 1) as f64 * until / 50.0 {
            let now = *errors / *count;
            paces += mean.replace(now).map_or(0.0, |before: f64| (now - before).powi(2));
            line.push(*times / *count, now);
            block = (0.0, 0.0, 0.0);
        }
        ControlFlow::<()>::Continue(())
    };
    let mut seen = Seen(&mut watch);
    let run = Run::new(p, (0.0, until), 0.01).meter(&mut meter);
    let end = run.drive(method, control, &mut seen).unwrap();
    Long {
        time: until,
        slope: line.slope(),
        standard_error: line.standard_error(),
        walk: paces.sqrt(),
        largest,
        steps: end.steps,
        evaluations: end.cost.field_evaluations,
        end: end.state,
    }
}

/// A closure that sees every step.
struct Seen<'a>(&'a mut dyn FnMut(&mut Passage<'_, Kepler<f64>>) -> ControlFlow<()>);

impl lieflow::stepping::Observer<Kepler<f64>> for Seen<'_> {
    fn see(&mut self, passage: &mut Passage<'_, Kepler<f64>>) -> lieflow::stepping::ObserverResult {
        Ok((self.0)(passage))
    }
}

const ECCENTRIC: Kepler<f64> = Kepler { eccentricity: 0.9 };

#[test]
fn the_tempo_and_its_growth_are_those_of_a_difference_along_the_motion() {
    let mut meter = FieldMeter::new(ECCENTRIC);
    let mut y = ECCENTRIC.start();
    for _ in 0..40 {
        let tempo = meter.tempo(0.0, &y);
        let mut rate = |h: f64| {
            let mut to = y.clone();
            let mut from = y.clone();
            for _ in 0..20 {
                leapfrog(FOURTH)
                    .step(Step::new(&ECCENTRIC, 0.0, h / 20.0, &from), &mut to)
                    .unwrap();
                std::mem::swap(&mut from, &mut to);
            }
            meter.tempo(0.0, &from).rate.ln()
        };
        let h = 1e-3 / tempo.rate;
        let growth = (rate(h) - rate(-h)) / (2.0 * h);
        assert!((tempo.growth - growth).abs() < 2e-5 * tempo.rate, "{tempo:?} {growth}");
        // About r^(-3/2), as things happen on an orbit.
        let [a, b] = y.g.0;
        let kepler = tempo.rate * (a * a + b * b).powf(0.75);
        assert!((0.5..8.0).contains(&kepler), "{kepler}");
        let mut next = y.clone();
        leapfrog(FOURTH).step(Step::new(&ECCENTRIC, 0.0, 0.2 / tempo.rate, &y), &mut next).unwrap();
        y = next;
    }
}

#[test]
fn forth_and_back_ends_where_it_began() {
    for (weights, epsilon, steps) in [(SECOND, 0.3, 200), (SECOND, 0.01, 5000), (FOURTH, 0.2, 300)]
    {
        let mut method = leapfrog(weights);
        let mut meter = FieldMeter::new(ECCENTRIC);
        let mut walk = |start: &State<f64>, control: &mut Reversible| {
            let (mut y, mut next) = (start.clone(), start.clone());
            let (mut shortest, mut longest) = (f64::INFINITY, 0.0f64);
            control.begin((0.0, 1e6), 1.0).unwrap();
            let mut made = 0;
            loop {
                if control.wants_tempo() {
                    control.hear(meter.tempo(0.0, &y)).unwrap();
                    if made >= steps {
                        break;
                    }
                }
                let stride = control.propose().unwrap().unwrap();
                method.step(Step::new(&ECCENTRIC, stride.t, stride.h, &y), &mut next).unwrap();
                control.judge(&stride, Ok(None)).unwrap();
                std::mem::swap(&mut y, &mut next);
                shortest = shortest.min(stride.h);
                longest = longest.max(stride.h);
                made += 1;
            }
            (y, longest / shortest)
        };
        let start = ECCENTRIC.start();
        let mut forth = Reversible::new(epsilon);
        let (mut far, ratio) = walk(&start, &mut forth);
        assert!(ratio > 20.0, "steps hardly change: {ratio}");
        assert!(distance(&far, &start) > 0.01);
        far.mu.0 = far.mu.0.map(|v| -v);
        let mut back = Reversible::new(epsilon).with_density(forth.density());
        let (mut end, _) = walk(&far, &mut back);
        end.mu.0 = end.mu.0.map(|v| -v);
        let missed = distance(&end, &start);
        assert!(missed < 1e-9, "{weights:?} {epsilon}: {missed:e}");
        let begun = meter.tempo(0.0, &start).rate;
        assert!((back.density() / begun - 1.0).abs() < 1e-9, "{} {begun}", back.density());
    }
}

#[test]
fn errors_fall_with_the_order_of_the_method() {
    for (weights, order) in [(SECOND, 2.0), (FOURTH, 4.0)] {
        let gentle = Kepler { eccentricity: 0.5 };
        let miss = |epsilon: f64| {
            let mut control = Reversible::new(epsilon);
            let run = long(&gentle, &mut leapfrog(weights), &mut control, 1.0);
            distance(&run.end, &gentle.start())
        };
        let errors = [0.02, 0.01, 0.005].map(miss);
        for pair in errors.windows(2) {
            let seen = (pair[0] / pair[1]).log2();
            assert!((seen - order).abs() < 0.3, "{order}: {seen} from {errors:?}");
        }
    }
}

#[test]
fn a_tolerance_is_the_error_of_a_step() {
    for (weights, order, tols) in
        [(SECOND, 2, [1e-3, 1e-6, 1e-9]), (FOURTH, 4, [1e-4, 1e-8, 1e-12])]
    {
        for tol in tols {
            let mut method = leapfrog(weights);
            let mut control = control_for(&ECCENTRIC, &mut method, order, tol);
            let (mut worst, mut doubled) = (0.0f64, Doubled(leapfrog(weights)));
            let mut meter = FieldMeter::new(ECCENTRIC);
            let mut watch = |passage: &mut Passage<'_, Kepler<f64>>| {
                let mut out = passage.start.clone();
                let step = Step::new(&ECCENTRIC, 0.0, passage.to - passage.from, passage.start);
                worst = worst.max(doubled.step(step, &mut out).unwrap().unwrap());
                ControlFlow::<()>::Continue(())
            };
            let run = Run::new(&ECCENTRIC, (0.0, 2.0 * PERIOD), 1.0).meter(&mut meter);
            run.drive(&mut method, &mut control, &mut Seen(&mut watch)).unwrap();
            assert!(worst < 3.0 * tol && worst > 0.05 * tol, "{order}, {tol:e}: {worst:e}");
        }
    }
}

/// Whether the slope is one: five standard errors from zero, which are those of independent blocks, and farther than
/// a random walk comes. Roundings are one: of sixteen orbits with eccentricities from 0.9 on, at a tolerance of 1e-9,
/// 7.7e6 steps each, the energy changes by 7e-13 in the mean and by 3.1e-12 in the mean square, up to ten of those
/// standard errors. A drift goes on, and over fifty blocks comes seven times as far as a walk of its paces.
fn drifts(run: &Long) -> bool {
    let change = run.slope.abs() * run.time;
    run.slope.abs() > 5.0 * run.standard_error && change > 3.0 * run.walk
}

#[test]
fn energy_does_not_drift_where_steps_by_estimates_let_it() {
    for tol in [1e-4, 1e-5] {
        let mut method = leapfrog(SECOND);
        let mut control = control_for(&ECCENTRIC, &mut method, 2, tol);
        let kept = long(&ECCENTRIC, &mut method, &mut control, 400.0);
        assert!(!drifts(&kept), "{tol:e}: {kept:?}");
        let mut pi = Adaptive::pi(tol, 3);
        let lost = long(&ECCENTRIC, &mut Doubled(leapfrog(SECOND)), &mut pi, 400.0);
        assert!(drifts(&lost), "{tol:e}: {lost:?}");
        assert!(lost.slope.abs() > 50.0 * kept.slope.abs(), "{kept:?} {lost:?}");
    }
}

/// Hundred thousand periods at five tolerances.
#[test]
#[ignore = "slow: minutes"]
fn energy_does_not_drift_in_a_hundred_thousand_periods() {
    let cases = [
        (SECOND, 2, 1e-3),
        (FOURTH, 4, 1e-5),
        (FOURTH, 4, 1e-7),
        (FOURTH, 4, 1e-9),
        (FOURTH, 4, 1e-12),
    ];
    for (weights, order, tol) in cases {
        let mut method = leapfrog(weights);
        let mut control = control_for(&ECCENTRIC, &mut method, order, tol);
        let run = long(&ECCENTRIC, &mut method, &mut control, 1e5);
        println!("{order} {tol:e} {}: {run:?}", control.epsilon());
        assert!(!drifts(&run), "{order}, {tol:e}: {run:?}");
    }
}

#[test]
fn fewer_evaluations_than_with_steps_of_one_size() {
    for (weights, order, tol, gain) in [(SECOND, 2, 1e-5, 4.0), (FOURTH, 4, 1e-7, 20.0)] {
        let mut method = leapfrog(weights);
        let mut control = control_for(&ECCENTRIC, &mut method, order, tol);
        let followed = long(&ECCENTRIC, &mut method, &mut control, 20.0);
        // Steps of one size, as many evaluations.
        let even = weights.len() as u64;
        let step = 20.0 * PERIOD * even as f64 / followed.evaluations as f64;
        let mut fixed = lieflow::stepping::Fixed::new();
        let run = Run::new(&ECCENTRIC, (0.0, 20.0 * PERIOD), step);
        let (initial, mut largest) = (energy(&ECCENTRIC.start()), 0.0f64);
        let mut watch = |_: f64, y: &State<f64>| largest = largest.max((energy(y) - initial).abs());
        run.drive(&mut leapfrog(weights), &mut fixed, &mut watch).unwrap();
        let (steps, all) = (followed.steps, followed.evaluations);
        assert!(steps * even < all, "{steps} {all}");
        assert!(largest > gain * followed.largest, "{order}: {largest:e}, {:e}", followed.largest);
    }
}

#[test]
fn the_end_is_met_from_both_sides_and_the_same_with_many_steps_at_a_time() {
    for (from, until) in [(0.0, 3.0), (1.0, -7.0), (0.0, 1e-9)] {
        let mut meter = FieldMeter::new(ECCENTRIC);
        let run = Run::new(&ECCENTRIC, (from, until), until - from).meter(&mut meter);
        let mut times = Vec::new();
        let mut note = |t: f64, _: &State<f64>| times.push(t);
        let end = run.drive(&mut leapfrog(SECOND), &mut Reversible::new(0.004), &mut note).unwrap();
        assert_eq!(end.t, until);
        assert!(times.windows(2).all(|w| (w[1] - w[0]) * (until - from) > 0.0));
        assert_eq!(times.len() as u64, end.steps + 1);
    }
}

#[test]
fn a_jump_begins_anew_with_the_tempo_after_it() {
    let mut meter = FieldMeter::new(ECCENTRIC);
    let mut flips = [Event::new(|_: &Kepler<f64>, _, y: &State<f64>| y.g.0[1])
        .direction(Direction::Rising)
        .then(|_: &Kepler<f64>, _, y: &mut State<f64>| y.mu.0 = y.mu.0.map(|v| 1.05 * v))];
    let run = Run::new(&ECCENTRIC, (0.0, 20.0), 1.0).meter(&mut meter).events(&mut flips);
    let end = run
        .drive(&mut leapfrog(SECOND), &mut Reversible::new(0.05), &mut |_: f64, _: &State<f64>| {});
    assert_eq!(end.unwrap().t, 20.0);
    assert!(!flips[0].occurrences.is_empty());
}

#[test]
fn without_a_measure_of_the_tempo_nothing_begins() {
    let run = Run::new(&ECCENTRIC, (0.0, 1.0), 1.0);
    let ended = run
        .drive(&mut leapfrog(SECOND), &mut Reversible::new(0.1), &mut |_: f64, _: &State<f64>| {});
    assert_eq!(ended.unwrap_err().error, SolveError::NoTempo);
    let mut meter = FieldMeter::new(ECCENTRIC);
    let run = Run::new(&ECCENTRIC, (0.0, 1.0), 1.0).meter(&mut meter);
    let ended = run
        .drive(&mut leapfrog(SECOND), &mut Reversible::new(-0.1), &mut |_: f64, _: &State<f64>| {});
    assert!(matches!(ended.unwrap_err().error, SolveError::BadSetting { .. }));
}

/// A step that time cannot tell from none is refused, and a longer one is not.
#[test]
fn steps_below_the_resolution_of_time_are_refused() {
    let heard = |epsilon: f64| {
        let mut control = Reversible::new(epsilon);
        control.begin((0.0, 1.0), 1.0)?;
        control.hear(Tempo { rate: 1.0, growth: 0.0 })
    };
    let least = f64::MIN_POSITIVE;
    assert_eq!(heard(least), Err(SolveError::StepTooSmall { t: 0.0, h: least }));
    assert_eq!(heard(2.0 * least), Ok(()));
}
