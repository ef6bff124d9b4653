//! Attitude from the samples of a gyroscope ([`rates`](crate::rates)).
//!
//! The samples are the steps: a step of the driver, however long, goes from sample to sample by a Magnus
//! step of the order of the method, so that its length says how often somebody looks and nothing about
//! the error. Orders are those in the distance of the samples.
use super::{Card, Choices, Cost, Entry, Inside, Method, Options, Step, StepError, StepResult};
use crate::rates::{Order, Sampled, Scheme, Turned, Window};

/// The family on the cards of these methods.
pub const FAMILY: &str = "samples";

const fn card(id: &'static str, title: &'static str, order: u8) -> Card {
    Card {
        symmetric: true,
        conserves: "the manifold",
        cite: "blanes2009",
        ..Card::new(id, title, FAMILY, order)
    }
}

/// The methods of this family.
pub static MEMBERS: [(Card, Order); 3] = [
    (card("gyro2", "rates of a log: line through two samples, its middle", 2), Order::Two),
    (
        card("gyro4", "rates of a log: cubic through four samples, Magnus of order 4", 4),
        Order::Four,
    ),
    (
        card("gyro6", "rates of a log: quintic through six samples, Magnus of order 6", 6),
        Order::Six,
    ),
];

/// The methods for a system with samples.
pub fn entries<P: Sampled + 'static>() -> Vec<Entry<P>> {
    let entry = |(card, order): &'static (Card, Order)| {
        let make = move |_: &P, options: &Options| {
            options.check(card, Choices::none(card))?;
            Ok(Box::new(Gyro::new(*order)) as Box<dyn Method<P>>)
        };
        Entry { card: card.clone(), make: Box::new(make) }
    };
    MEMBERS.iter().map(entry).collect()
}

/// A method of this family.
#[derive(Clone, Debug)]
pub struct Gyro {
    order: Order,
    cost: Cost,
    /// How far a look into the last step has come, so that the next one need not begin anew.
    look: Option<Place>,
}

/// A place on the way, and where the way began.
#[derive(Clone, Copy, Debug)]
struct Place {
    from: f64,
    t: f64,
    state: Turned,
}

impl Gyro {
    /// The method of this order.
    pub fn new(order: Order) -> Self {
        Self { order, cost: Cost::default(), look: None }
    }

    /// From `t` to `until`, sample by sample. `halt` is told where the way passes a sample.
    fn walk<P: Sampled>(
        &self,
        p: &P,
        (mut t, until): (f64, f64),
        y: &Turned,
        cost: &mut Cost,
        mut halt: impl FnMut(f64, &Turned),
    ) -> Result<Turned, StepError> {
        let scheme = Scheme { order: self.order, ..p.scheme() };
        let (times, samples) = (p.times(), p.samples());
        let (Some(first), Some(last)) = (times.first(), times.last()) else {
            return Err(outside(until - t));
        };
        // Ends of steps are sums, and may miss the ends of the log by rounding.
        let slack = 1e-9 * (last - first) / times.len() as f64;
        let inside = |t: f64| first - slack <= t && t <= last + slack;
        if times.len() < scheme.samples() || !inside(t) || !inside(until) {
            return Err(outside(until - t));
        }
        let forward = until > t;
        // The interval after sample `i` is the one to go through.
        let mut i = match forward {
            true => times.partition_point(|s| *s <= t).saturating_sub(1),
            false => times.partition_point(|s| *s < t).saturating_sub(1),
        };
        i = i.min(times.len() - 2);
        let mut y = *y;
        loop {
            let edge = if forward { times[i + 1] } else { times[i] };
            let last = if forward { i + 2 == times.len() } else { i == 0 };
            let ends = last || if forward { until <= edge } else { until >= edge };
            let to = if ends { until } else { edge };
            let window = Window::around(times, samples, &scheme, i);
            if to != t {
                y = y.after(&scheme.turn(&window, (t, to)), scheme.frame);
                cost.exponentials += 1;
                cost.field_evaluations += (self.order.number() / 2) as u64;
            }
            if ends {
                return Ok(y);
            }
            halt(edge, &y);
            t = to;
            i = if forward { i + 1 } else { i - 1 };
        }
    }
}

fn outside(step: f64) -> StepError {
    StepError::NoSolution { reason: "the log has too few samples, or none there", step }
}

impl<P: Sampled> Method<P> for Gyro {
    fn step(&mut self, s: Step<'_, P>, out: &mut Turned) -> StepResult {
        self.look = None;
        let mut cost = self.cost;
        *out = self.walk(s.p, (s.t, s.t + s.h), s.y, &mut cost, |_, _| ())?;
        self.cost = cost;
        Ok(None)
    }

    /// On from the last look, if that was nearer. What is passed on the way is the same either way, so
    /// are the bits.
    fn interpolate(&mut self, at: Inside<'_, P>, out: &mut Turned) -> Result<(), StepError> {
        let Step { p, t, h, y } = at.step;
        let until = t + at.theta * h;
        let before = self.look.filter(|look| {
            look.from == t && (until - look.t) * h >= 0.0 && (look.t - t) * h >= 0.0
        });
        let mut place = before.unwrap_or(Place { from: t, t, state: *y });
        let start = (place.t, place.state);
        let mut cost = self.cost;
        *out = self.walk(p, (start.0, until), &start.1, &mut cost, |t, y| {
            (place.t, place.state) = (t, *y);
        })?;
        self.cost = cost;
        self.look = Some(place);
        Ok(())
    }

    fn reset(&mut self) {
        self.look = None;
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}
