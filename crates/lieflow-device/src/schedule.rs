//! The steps of a plan, laid out before the run: all trajectories make the same ones.
use crate::catalogue::Refusal;
use crate::kernel::{Leg, NO_ROW};
use lieflow::stepping::{Control, Fixed, SolveError};
use lieflow_models::run::{Pace, Plan};

/// The steps, and how many.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Stretches of steps, as a run alone makes them.
    pub legs: Vec<Leg>,
    /// All steps of a trajectory.
    pub steps: u64,
    /// Whether the first row is the initial state.
    pub first_is_start: bool,
    /// The rows that come from the device.
    pub rows: usize,
}

impl Schedule {
    /// The steps of a plan with fixed steps, whose times are ends of steps.
    pub fn new(plan: &Plan) -> Result<Self, Refusal> {
        let Pace::Fixed { step } = plan.pace else {
            return Err(Refusal::new("adaptive steps", "fixed steps on a GPU"));
        };
        let span = (plan.from, plan.until);
        let refused = |error: SolveError| Refusal::new(error.to_string(), "steps that can be made");
        let mut control = Fixed::new();
        control.begin(span, step.copysign(plan.until - plan.from)).map_err(refused)?;
        let mut times = plan.times.as_slice();
        let first_is_start = times.first() == Some(&plan.from);
        if first_is_start {
            times = &times[1..];
        }
        let mut schedule = Self { legs: Vec::new(), steps: 0, first_is_start, rows: 0 };
        let forth = plan.until > plan.from;
        loop {
            // As many even steps as surely end before the next time; then one by one.
            if let Some(mut even) = control.even_steps() {
                even.count = match times {
                    [time, ..] if *time != plan.until => even.before(*time),
                    _ => even.count,
                };
                if even.count > 0 {
                    control.advance_by(even.count);
                    schedule.push(even.from, even.h, even.first, even.count);
                    // The state at the end is seen there.
                    if schedule.steps == control.steps() && times == [plan.until] {
                        schedule.keep();
                        times = &[];
                    }
                    continue;
                }
            }
            let Some(stride) = control.propose().map_err(refused)? else { break };
            control.judge(&stride, Ok(None)).map_err(refused)?;
            schedule.push(stride.t, stride.h, 0, 1);
            while let [time, rest @ ..] = times
                && (if forth { *time <= stride.end } else { *time >= stride.end })
            {
                if *time != stride.end {
                    return Err(Refusal::new(
                        format!("the time {time:?}, which lies inside a step"),
                        "times at the ends of steps on a GPU",
                    ));
                }
                schedule.keep();
                times = rest;
            }
        }
        Ok(schedule)
    }

    fn push(&mut self, from: f64, h: f64, first: u64, count: u64) {
        self.steps += count;
        self.legs.push(Leg { from, h, first, count, row: NO_ROW });
    }

    /// The state after the last stretch is wanted.
    fn keep(&mut self) {
        if let Some(leg) = self.legs.last_mut() {
            leg.row = self.rows as u64;
            self.rows += 1;
        }
    }
}
