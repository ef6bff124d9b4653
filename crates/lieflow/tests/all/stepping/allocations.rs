//! A step of a problem of fixed size allocates nothing, whatever drives and watches it.
use super::support::{self, body};
use crate::common;
use lieflow::method::{Entry, Options, generator};
use lieflow::problem::{Lift, Problem};
use lieflow::stepping::{
    Adaptive, Control, Direction, Event, Every, Fixed, Observer, Polar, Progress, Run, Watch,
    integrate,
};
use lieflow_testing::counting::allocations;
use std::ops::ControlFlow;

/// Looks at the counter when the first step is done, and again at the end.
struct Meter {
    after_first: u64,
    during: u64,
}

impl Meter {
    fn new() -> Self {
        Self { after_first: 0, during: 0 }
    }
}

impl<P: Problem> Observer<P> for Meter {
    fn see(
        &mut self,
        passage: &mut lieflow::stepping::Passage<'_, P>,
    ) -> lieflow::stepping::ObserverResult {
        if passage.number == 1 {
            self.after_first = allocations();
        }
        self.during = allocations() - self.after_first;
        Ok(ControlFlow::Continue(()))
    }
}

fn no_allocation<P: Problem>(p: &P, entry: &Entry<P>, control: &mut dyn Control, h: f64) {
    let mut method = (entry.make)(p, &Options::default()).unwrap();
    let mut meter = Meter::new();
    let end = integrate(p, method.as_mut(), control, (0.0, 100.0 * h), h, &mut meter).unwrap();
    assert!(end.steps > 5, "{}", entry.card.id);
    assert_eq!(meter.during, 0, "{} allocates in its steps", entry.card.id);
}

fn every_method<P: Lift + 'static>(p: &P, h: f64) -> usize {
    let entries = generator::entries_lifted::<P>();
    for entry in &entries {
        no_allocation(p, entry, &mut Fixed::new(), h);
        if let Some(power) = entry.card.estimate_power {
            no_allocation(p, entry, &mut Adaptive::pi(1e-9, power), h);
            no_allocation(p, entry, &mut Adaptive::plain(1e-9, 0.25), h);
        }
    }
    entries.len()
}

#[test]
fn no_general_method_allocates_in_a_step() {
    let data = common::reference();
    let input = |id| common::input(&data, id);
    let count = every_method(&common::free_body(&input("free-body-seed001")), 0.05);
    assert!(count >= 20, "{count}");
    every_method(&common::kirchhoff(&input("kirchhoff")), 0.05);
    every_method(&common::heavy_lp(&input("heavy-top-seed")), 1e-4);
    every_method(&common::heavy_tso3(&input("heavy-top-seed")), 1e-4);
    every_method(&common::generic_se3(&input("generic-se3")), 0.05);
}

#[test]
fn a_long_run_stays_in_constant_memory() {
    in_constant_memory(100_000);
}

#[test]
#[ignore = "slow: a million steps"]
fn a_very_long_run_stays_in_constant_memory() {
    in_constant_memory(1_000_000);
}

fn in_constant_memory(steps: u64) {
    let until = steps as f64 / 10.0;
    let p = body();
    let mut method = support::rk4();
    let mut watch = Watch::new(&p);
    let mut seldom = Every::new(100, Watch::new(&p));
    let mut reports = 0;
    let mut progress = Progress::new(20, |_, _| reports += 1);
    let mut last = 0.0;
    let mut note = |t: f64, _: &lieflow::Vec3<f64>| last = t;
    let mut meter = Meter::new();
    let end = integrate(
        &p,
        &mut method,
        &mut Fixed::new(),
        (0.0, until),
        0.1,
        &mut (&mut (&mut watch, &mut seldom), &mut progress, &mut note, &mut meter),
    )
    .unwrap();
    assert_eq!((end.steps, end.t), (steps, until));
    assert_eq!(last, until);
    assert_eq!(meter.during, 0);
    let energy = watch.get("energy").unwrap();
    assert_eq!(energy.line.count(), steps);
    assert_eq!(seldom.inner.get("energy").unwrap().line.count(), steps / 100);
    assert_eq!(reports, 21);
    // The sphere is kept by the action; rounding is all that happens to it.
    assert!(watch.manifold_error < 1e-12, "{:e}", watch.manifold_error);
    assert!(energy.slope() != 0.0);
}

#[test]
fn looking_for_events_and_correcting_allocate_nothing() {
    let data = common::reference();
    let p = common::free_body(&common::input(&data, "free-body-seed001"));
    let mut method =
        common::method(&generator::entries_lifted(), "rkmk-dp54", &p, &Options::default());
    // Looked for at every step, and never found.
    let mut events = [Event::new(|_: &common::FreeBody<f64>, _, y| y.1.norm() - 2.0)
        .direction(Direction::Rising)
        .samples_per_step(3)];
    let mut correction = Polar::every(3);
    let mut meter = Meter::new();
    let end = Run::new(&p, (0.0, 20.0), 0.1)
        .events(&mut events)
        .correct(&mut correction)
        .drive(method.as_mut(), &mut Adaptive::pi(1e-6, 5), &mut meter)
        .unwrap();
    assert_eq!(end.corrections, end.steps / 3);
    assert_eq!(meter.during, 0);
}
