//! Taylor methods of any order, with the order and the step that a tolerance asks for.
//!
//! ```text
//! x(t + h) = x_0 + x_1 h + … + x_N h^N      then back to the manifold
//! ```
//!
//! The terms come one after the other from those before: an [`Expansion`] knows how. A step is as
//! long as the last two terms allow, so that few large steps reach the last digits of a smooth motion,
//! and the motion between its ends is known as well as at them.
//!
//! **Order.** The state after the step agrees with the motion up to `h^N`; putting it back onto the
//! manifold changes it by less than it errs. Without a tolerance the order is 20. With one it begins
//! at `N = ⌈1 - ln(tol)/2⌉`, which needs the least work for a given time if terms fall geometrically
//! and cost grows with `N²`, and then follows the motion: one more where the last order has made the
//! step longer than it has made it dearer, one less where not.
//!
//! **Error estimate.** With the largest numbers `m_k` among the terms of order `k`, relative to
//! the state, `e = max(m_N h^N, (m_{N-1} h^{N-1})^{N/(N-1)})`: the last term that is kept, or where a
//! symmetry makes it vanish, what the one before says of it. What is left out is smaller by about the
//! ratio of two terms. Where large terms cancel, a step whose largest leaves a rounding above the
//! tolerance, `2⁻⁵²` times it, is too long. Logarithms of two digits serve for all of this: an estimate that is
//! wrong by a percent or two changes a step by a thousandth.
//!
//! Moore, 1966; Jorba and Zou, 2005, sections 3.1 and 3.2. Neither symmetric nor symplectic: it keeps
//! invariants because it errs by roundings only.
use super::variational::interned;
use super::{Card, Choices, Cost, Entry, Inside, Method, Options, Step, StepResult};
use super::{NOT_FINITE, StepError};
use crate::archive::Archive;
use crate::problem::Problem;
use crate::stepping::EvenSteps;
use lieflow_kernel::Real;

/// The order without a tolerance.
pub const ORDER: u8 = 20;
/// The highest order: terms beyond it are lost in roundings.
pub const HIGHEST: u8 = 60;
/// The orders that a tolerance may lead to.
const LEAST: usize = 4;
const MOST: usize = 32;

/// The card of the method with the order that a tolerance asks for.
pub static CARD: Card = Card {
    conserves: "the manifold",
    evaluations: Some(1),
    estimate_power: Some(ORDER),
    cite: "jorbazou2005",
    ..Card::new("taylor", "Taylor series, order by tolerance", "taylor", ORDER)
};

/// The member of a given order that is listed; see [`by_name`] for all others.
pub static MEMBERS: [Card; 1] = [member("taylor8", 8)];

const fn member(id: &'static str, order: u8) -> Card {
    Card { id, title: "Taylor series of this order", order, estimate_power: Some(order), ..CARD }
}

/// The terms of a motion.
pub trait Expansion<P: Problem> {
    /// Computes the terms of the motion from a state, up to an order.
    fn expand(&mut self, p: &P, t: f64, y: &P::Point, order: usize);
    /// The largest number among the terms of an order, relative to the state.
    fn size(&self, k: usize) -> f64;
    /// Whether the terms up to an order are finite.
    fn is_finite(&self, order: usize) -> bool {
        (0..=order).all(|k| self.size(k).is_finite())
    }
    /// What a step of an order costs beside one of another order, for the choice between them.
    fn work(&self, order: usize) -> f64 {
        work(order)
    }
    /// The state after the time `h`, on the manifold.
    fn after(&self, p: &P, y: &P::Point, h: f64, out: &mut P::Point);
    /// Makes steps of an order from `y`, as far as their terms are finite, and says how many; the terms of the
    /// last one remain. None, unless written.
    fn step_many(&mut self, p: &P, steps: &EvenSteps, order: usize, y: &mut P::Point) -> u64 {
        let _ = (p, steps, order, y);
        0
    }
}

/// A Taylor method.
pub struct Taylor<E> {
    expansion: E,
    order: usize,
    /// The order of the next step, if this one is accepted.
    next: usize,
    aside: (usize, usize),
    /// The tolerance that the order was chosen for.
    tolerance: Option<f64>,
    /// The terms are those of the last step, which has not become the state.
    proposed: bool,
    /// They are those of the last step, whatever became of it.
    known: bool,
    cost: Cost,
}

/// The order with the least work for a tolerance.
fn order_for(tolerance: f64) -> usize {
    let order = 1.0 - 0.5 * Real::ln(tolerance.clamp(1e-30, 1e-2));
    (-Real::floor(-order) as usize).clamp(LEAST, MOST)
}

impl<E> Taylor<E> {
    /// Of a given order.
    pub fn new(expansion: E, order: u8) -> Self {
        let order = usize::from(order.clamp(1, HIGHEST));
        Self {
            expansion,
            order,
            next: order,
            aside: (order, order),
            tolerance: None,
            proposed: false,
            known: false,
            cost: Cost::default(),
        }
    }
    /// Of the order that a tolerance asks for.
    pub fn for_tolerance(expansion: E, tolerance: f64) -> Self {
        let order = order_for(tolerance);
        Self { order, next: order, tolerance: Some(tolerance), ..Self::new(expansion, ORDER) }
    }

    /// The logarithm of the error of a step of order `n`, whose length has this logarithm.
    fn log_error<P: Problem>(&self, log_h: f64, n: usize) -> f64
    where
        E: Expansion<P>,
    {
        let term = |k: usize| log2(self.expansion.size(k)) + k as f64 * log_h;
        let last = term(n);
        if n < 2 {
            return last;
        }
        let before = term(n - 1) * (n as f64 / (n - 1) as f64);
        if before > last { before } else { last }
    }

    /// The order for the next step: whether the last one has paid, if this is the logarithm of its error.
    fn better_order<P: Problem>(&self, log_h: f64, log_error: f64, log_tol: f64) -> usize
    where
        E: Expansion<P>,
    {
        let n = self.order;
        let before = self.log_error(log_h, n - 1);
        // How much longer the step might have been with its order, and with one less.
        let longer = (log_tol - log_error) / n as f64 - (log_tol - before) / (n - 1) as f64;
        let (now, less) = (exp2(longer) * self.expansion.work(n - 1), self.expansion.work(n));
        if now > 1.01 * less {
            (n + 1).min(MOST)
        } else if now < less {
            (n - 1).max(LEAST)
        } else {
            n
        }
    }

    /// The estimate, as it would scale with the power that the card states, and the order for the next step.
    fn estimate<P: Problem>(&self, h: f64) -> (f64, usize)
    where
        E: Expansion<P>,
    {
        let log_h = log2(h.abs());
        let log_error = self.log_error(log_h, self.order);
        let Some(tol) = self.tolerance else { return (exp2(log_error), self.order) };
        let log_tol = log2(tol);
        let next = self.better_order(log_h, log_error, log_tol);
        let e = exp2(log_tol + (log_error - log_tol) * (f64::from(ORDER) / self.order as f64));
        // Large terms that cancel leave their roundings. These do not fall with a power of the
        // step, so that they count only where they are too large.
        let (mut largest, mut power) = (0.0, 1.0);
        for k in 1..=self.order {
            power *= h.abs();
            let term = self.expansion.size(k) * power;
            largest = if term > largest { term } else { largest };
        }
        let rounding = f64::EPSILON * largest;
        (if rounding > tol && rounding > e { rounding } else { e }, next)
    }
}

/// What a step of an order costs where nobody has measured it, in units of its first term: nearly linear, as was seen
/// at orders 11, 15 and 19 with four vectors side by side, with torques by hand and by formula. The second factor,
/// for the products that grow with the order, is a guess.
pub fn work(order: usize) -> f64 {
    let n = order as f64;
    (n + 2.0) * (1.0 + n * (1.0 / 60.0))
}

/// The logarithm to base 2 of a positive number, wrong by at most 0.01: an estimate needs no more, and a step asks
/// for several. Of zero it is as of a number below all others.
fn log2(x: f64) -> f64 {
    let bits = x.to_bits();
    let mantissa = f64::from_bits(bits & MANTISSA | 1.0_f64.to_bits());
    let exponent = (bits >> DIGITS) as f64 - BIAS;
    exponent + (mantissa * (2.0 - mantissa * (1.0 / 3.0)) - 5.0 / 3.0)
}

/// Its inverse.
fn exp2(x: f64) -> f64 {
    let x = x.clamp(1.0 - BIAS, BIAS) + BIAS;
    let whole = x as i64;
    let mantissa = 3.0 - Real::sqrt(4.0 - 3.0 * (x - whole as f64));
    mantissa * f64::from_bits((whole as u64) << DIGITS)
}

const DIGITS: u32 = f64::MANTISSA_DIGITS - 1;
const MANTISSA: u64 = (1 << DIGITS) - 1;
const BIAS: f64 = (f64::MAX_EXP - 1) as f64;

impl<P: Problem, E: Expansion<P>> Method<P> for Taylor<E> {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        // A step that was rejected is tried again with the same terms.
        if !self.proposed {
            self.expansion.expand(p, t, y, self.order);
            self.cost.field_evaluations += 1;
            (self.proposed, self.known) = (true, true);
        }
        self.expansion.after(p, y, h, out);
        let (e, next) = self.estimate(h);
        self.next = next;
        if !self.expansion.is_finite(self.order) {
            return Err(NOT_FINITE);
        }
        Ok(Some(e))
    }

    fn step_many(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        // With a tolerance the order of a step follows from the one before.
        if self.tolerance.is_some() {
            return 0;
        }
        let made = self.expansion.step_many(p, steps, self.order, y);
        self.cost.field_evaluations += made;
        (self.proposed, self.known) = (false, made == steps.count);
        made
    }

    fn accept(&mut self) {
        self.proposed = false;
        self.order = self.next;
    }

    fn reset(&mut self) {
        (self.proposed, self.known) = (false, false);
    }

    fn set_aside(&mut self) {
        self.aside = (self.order, self.next);
        self.reset();
    }

    fn take_back(&mut self) {
        (self.order, self.next) = self.aside;
        self.reset();
    }

    fn archive(&mut self, _: Step<'_, P>, archive: &mut Archive) {
        if self.tolerance.is_none() {
            return;
        }
        let mut orders = [self.order as u32, self.next as u32];
        orders.iter_mut().for_each(|order| archive.small(order));
        [self.order, self.next] = orders.map(|order| (order as usize).clamp(LEAST, MOST));
    }

    fn interpolate(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Result<(), StepError> {
        if !self.known {
            return at.by_shorter_step(self, out);
        }
        self.expansion.after(at.step.p, at.step.y, at.theta * at.step.h, out);
        Ok(())
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}

/// How the terms of a problem are computed, up to an order.
type MakeExpansion<P, E> = fn(&P, usize) -> Option<E>;

/// The methods, for problems whose terms can be computed.
pub fn entries<P: Problem + 'static, E: Expansion<P> + 'static>(
    make: MakeExpansion<P, E>,
) -> Vec<Entry<P>> {
    core::iter::once(&CARD).chain(&MEMBERS).map(|card| entry(card.clone(), make)).collect()
}

/// The member with a name such as `taylor24`.
pub fn by_name<P: Problem + 'static, E: Expansion<P> + 'static>(
    id: &str,
    make: MakeExpansion<P, E>,
) -> Option<Entry<P>> {
    let order: u8 = id.strip_prefix(CARD.id)?.parse().ok()?;
    let known = (2..=HIGHEST).contains(&order) && id == format!("{}{order}", CARD.id);
    known.then(|| entry(member(interned(id), order), make))
}

fn entry<P: Problem + 'static, E: Expansion<P> + 'static>(
    card: Card,
    make: MakeExpansion<P, E>,
) -> Entry<P> {
    let known = card.clone();
    Entry {
        card,
        make: Box::new(move |p: &P, options: &Options| {
            options.check(&known, Choices::none(&known))?;
            let missing = super::OptionError::NoSeries { method: known.id };
            let any = known.id == CARD.id;
            let tolerance = options.tolerance.filter(|_| any);
            let order = tolerance.map_or(usize::from(known.order), |_| MOST);
            let expansion = make(p, order).ok_or(missing)?;
            Ok(match tolerance {
                Some(tol) => Box::new(Taylor::for_tolerance(expansion, tol)),
                None => Box::new(Taylor::new(expansion, known.order)),
            })
        }),
    }
}
