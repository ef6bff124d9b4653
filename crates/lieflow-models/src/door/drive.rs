//! Carries out a plan with a method that has been made for it.
use super::watch::Watch;
use super::{Faces, Pace, Plan, Record, RunError, RunFailure, Sink, State};
use lieflow::method::Method;
use std::ops::ControlFlow;
use std::time::Instant;

/// Runs the method over the interval of the plan.
pub(super) fn drive<P: Faces>(
    p: &P,
    plan: &Plan,
    method: &mut dyn Method<P>,
    sink: &mut dyn Sink,
) -> Result<Record, RunFailure> {
    let clock = Instant::now();
    let mut y = p.start();
    let mut out = y.clone();
    let mut watch = Watch::new(p, plan.from, &y);
    sink.begin(&watch.names());
    let mut t = plan.from;
    let mut steps = 0;
    let mut failure = None;
    if sink.sample(&State::of(p, t, &y), watch.values()).is_break() {
        failure = Some(RunError::Stopped { t, step: 0 });
    }
    let Pace::Fixed { step } = plan.pace else {
        return Err(RunError::Stopped { t, step: 0 }.into());
    };
    let length = plan.until - plan.from;
    let count = (length.abs() / step - 1e-9).ceil().max(1.0);
    let h = step.copysign(length);
    while failure.is_none() && (steps as f64) < count {
        let end = if (steps + 1) as f64 == count {
            plan.until
        } else {
            plan.from + (steps + 1) as f64 * h
        };
        match method.step(p, t, end - t, &y, &mut out) {
            Ok(_) => {
                method.accept();
                std::mem::swap(&mut y, &mut out);
                t = end;
                steps += 1;
                if plan.watch || end == plan.until {
                    watch.see(p, t, &y);
                }
                let mut flow = sink.step(t, watch.values());
                if steps % plan.every == 0 || end == plan.until {
                    let sampled = sink.sample(&State::of(p, t, &y), watch.values());
                    flow = if flow.is_break() { flow } else { sampled };
                }
                if flow == ControlFlow::Break(()) {
                    failure = Some(RunError::Stopped { t, step: steps });
                }
            }
            Err(source) => failure = Some(RunError::Step { t, step: steps + 1, source }),
        }
    }
    let record = Record {
        system: P::SYSTEM,
        method: plan.method.clone(),
        from: plan.from,
        until: plan.until,
        steps,
        rejected: 0,
        state: State::of(p, t, &y),
        invariants: watch.records(),
        manifold_error: watch.manifold_error(),
        cost: method.cost(),
        seconds: clock.elapsed().as_secs_f64(),
        files: Vec::new(),
        warnings: Vec::new(),
        failure: failure.as_ref().map(RunError::to_string),
    };
    match failure {
        None => Ok(record),
        Some(error) => Err(RunFailure { error: Box::new(error), record: Some(Box::new(record)) }),
    }
}
