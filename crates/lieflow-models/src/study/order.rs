//! Orders of convergence, measured.
//!
//! Each method runs over the same interval with several steps, and its last state is compared
//! with a reference. The observed order is the least-squares slope of `log error` over `log step`,
//! on points that mean something: the run did not fail, the error is above the rounding floor and
//! falls with the step, and the coarsest steps are left out while their rate differs from the rest.
//! Fewer than three such points give no order, nor do points whose errors are as large as the state
//! itself or fall by no common rate; then [`Unseen`] says why.
//!
//! The reference is a run of the most accurate method at hand, refined until two resolutions agree
//! to rounding or no longer come closer; what is left between them is its uncertainty, and errors
//! within ten times of that are at the floor. Or it is a state that the caller knows better.
use super::{Difference, StudyError, difference, size};
use crate::run::{Model, NullSink, Pace, Plan, RunError, State};
use serde_json::{Map, Value as Json, json};

/// So many good points make an order.
const ENOUGH: usize = 3;
/// Halvings of the reference step before giving up.
const REFINEMENTS: usize = 8;
/// Errors below this multiple of the uncertainty of the reference mean nothing.
const MARGIN: f64 = 10.0;
/// A coarse step belongs to the asymptotic regime if its rate is this near to the order of the rest.
const SETTLED: f64 = 0.15;

/// Errors above this part of the size of the state are no errors of a converging method.
const COARSE: f64 = 0.1;
/// Rates of neighbouring steps that differ by more than this, or by this part of the order, have no
/// order in common.
const SPREAD: f64 = 0.75;

/// Why no order is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unseen {
    /// All errors are rounding: the method is exact here, or the steps are too small.
    Rounding,
    /// Errors do not fall with the step as they would near the solution: the steps are too large.
    NotConverged,
    /// Most runs failed.
    Failed,
    /// Some errors are rounding, and the others are too few.
    TooFew,
}

impl Unseen {
    /// In words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Rounding => "all errors are rounding: exact here, or steps too small",
            Self::NotConverged => "nothing converges at these steps: take smaller ones",
            Self::Failed => "too many runs failed",
            Self::TooFew => "too few errors above rounding: take larger steps",
        }
    }
}

/// What errors are measured against.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The method, or what else it is.
    pub method: String,
    /// Its step.
    pub step: f64,
    /// The state at the final time.
    pub state: State,
    /// How far it may be wrong.
    pub uncertainty: f64,
}

/// One run of the ladder.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The step.
    pub step: f64,
    /// The errors, or why there are none.
    pub outcome: Result<Difference, RunError>,
    /// `log2` of the ratio of this error to the one before, per halving of the step.
    pub rate: Option<f64>,
    /// Evaluations of the field.
    pub field_evaluations: u64,
    /// Wall-clock time.
    pub seconds: f64,
}

/// The runs of one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// The method.
    pub method: String,
    /// The order on its card.
    pub stated: u8,
    /// The order seen in the total error.
    pub order: Option<f64>,
    /// Why it is not seen, if it is not.
    pub unseen: Option<Unseen>,
    /// The orders seen in the parts.
    pub part_orders: Vec<(&'static str, Option<f64>)>,
    /// From the largest step to the smallest.
    pub points: Vec<Point>,
}

/// A study, ready to run.
#[derive(Clone)]
pub struct OrderStudy<'a> {
    model: &'a dyn Model,
    plan: Plan,
    methods: Vec<(String, u8)>,
    steps: Vec<f64>,
    reference: Reference,
}

/// `log2` of the ratio of two errors, per halving of the step.
fn rate(before: &Point, now: &Point) -> Option<f64> {
    let (Ok(a), Ok(b)) = (&before.outcome, &now.outcome) else { return None };
    let rate = (a.total / b.total).ln() / (before.step / now.step).ln();
    rate.is_finite().then_some(rate)
}

impl<'a> OrderStudy<'a> {
    /// Checks the methods and steps, and computes the reference. With no steps given, five around
    /// the step of the plan.
    pub fn new(
        model: &'a dyn Model,
        plan: &Plan,
        methods: &[String],
        steps: &[f64],
    ) -> Result<Self, StudyError> {
        let (plan, steps, methods) = prepare(model, plan, methods, steps)?;
        let finest = steps.last().copied().unwrap_or(f64::NAN);
        let reference = find_reference(model, &plan, finest)?;
        Ok(Self { model, plan, methods, steps, reference })
    }

    /// The same with a reference that the caller knows.
    pub fn against(
        model: &'a dyn Model,
        plan: &Plan,
        methods: &[String],
        steps: &[f64],
        reference: Reference,
    ) -> Result<Self, StudyError> {
        let (plan, steps, methods) = prepare(model, plan, methods, steps)?;
        Ok(Self { model, plan, methods, steps, reference })
    }

    /// What errors are measured against.
    pub fn reference(&self) -> &Reference {
        &self.reference
    }
    /// The final time.
    pub fn until(&self) -> f64 {
        self.plan.until
    }
    /// The names of the errors.
    pub fn parts(&self) -> Vec<&'static str> {
        self.model.error_parts().iter().map(|(name, _)| *name).collect()
    }

    /// Runs all ladders; `begins` is told the method that begins.
    pub fn run(&self, begins: &mut dyn FnMut(&str)) -> Result<Vec<Ladder>, StudyError> {
        let mut ladders = Vec::new();
        for (method, stated) in &self.methods {
            begins(method);
            ladders.push(self.climb(method, *stated)?);
        }
        Ok(ladders)
    }

    fn climb(&self, method: &str, stated: u8) -> Result<Ladder, StudyError> {
        let mut points: Vec<Point> = Vec::new();
        for &step in &self.steps {
            let mut point = self.point(method, step)?;
            point.rate = points.last().and_then(|before| rate(before, &point));
            points.push(point);
        }
        let floor = MARGIN * self.reference.uncertainty;
        let coarse = COARSE * size(self.model.error_parts(), &self.reference.state);
        let total = observed(&points, floor, coarse, |errors| Some(errors.total));
        let part_orders = self.parts().into_iter().enumerate().map(|(i, name)| {
            let part = |errors: &Difference| errors.parts.get(i).map(|(_, e)| *e);
            (name, observed(&points, floor, coarse, part).ok())
        });
        let part_orders = part_orders.collect();
        let (order, unseen) = (total.ok(), total.err());
        Ok(Ladder { method: method.into(), stated, order, unseen, part_orders, points })
    }

    /// Makes the steps of a ladder larger by factors of two while its error stays below `target`.
    pub fn widen(&self, ladder: &mut Ladder, target: f64) -> Result<(), StudyError> {
        let longest = (self.plan.until - self.plan.from).abs() / 4.0;
        while let Some(first) = ladder.points.first()
            && first.outcome.as_ref().is_ok_and(|errors| errors.total < target)
            && 2.0 * first.step <= longest
        {
            let point = self.point(&ladder.method, 2.0 * first.step)?;
            ladder.points.insert(0, point);
            let pair = (&ladder.points[0], &ladder.points[1]);
            ladder.points[1].rate = rate(pair.0, pair.1);
        }
        Ok(())
    }

    /// The run of a method with a step.
    fn point(&self, method: &str, step: f64) -> Result<Point, StudyError> {
        let plan = self.plan.at(method, step);
        let (outcome, field_evaluations, seconds) = match self.model.run(&plan, &mut NullSink) {
            Ok(run) => {
                let parts = self.model.error_parts();
                let errors = difference(parts, &run.state, &self.reference.state);
                (Ok(errors), run.cost.field_evaluations, run.seconds)
            }
            Err(failure) if failure.error.is_input() => return Err(failure.into()),
            Err(failure) => (Err(*failure.error), 0, 0.0),
        };
        Ok(Point { step, outcome, rate: None, field_evaluations, seconds })
    }

    /// The document of `order --json`.
    pub fn to_json(&self, ladders: &[Ladder]) -> Json {
        let methods: Vec<Json> = ladders
            .iter()
            .map(|ladder| {
                let orders: Map<String, Json> =
                    ladder.part_orders.iter().map(|(n, o)| (n.to_string(), json!(o))).collect();
                json!({
                    "method": ladder.method, "order": ladder.order, "stated": ladder.stated,
                    "orders": orders, "unseen": ladder.unseen.map(Unseen::reason),
                    "points": ladder.points.iter().map(point_json).collect::<Vec<_>>(),
                })
            })
            .collect();
        json!({
            "system": self.model.system(), "from": self.plan.from, "until": self.plan.until,
            "reference": {
                "method": self.reference.method, "step": self.reference.step,
                "uncertainty": self.reference.uncertainty,
            },
            "methods": methods,
        })
    }
}

fn point_json(point: &Point) -> Json {
    let mut map = Map::new();
    map.insert("step".into(), json!(point.step));
    match &point.outcome {
        Ok(errors) => {
            map.insert("error".into(), json!(errors.total));
            for (name, error) in &errors.parts {
                map.insert((*name).into(), json!(error));
            }
            map.insert("rate".into(), json!(point.rate));
            map.insert("field_evaluations".into(), json!(point.field_evaluations));
            map.insert("seconds".into(), json!(point.seconds));
        }
        Err(failure) => {
            map.insert("error".into(), Json::Null);
            map.insert("failure".into(), json!(failure.to_string()));
        }
    }
    Json::Object(map)
}

fn prepare(
    model: &dyn Model,
    plan: &Plan,
    methods: &[String],
    steps: &[f64],
) -> Result<(Plan, Vec<f64>, Vec<(String, u8)>), StudyError> {
    if let Some(reason) = model.steps_fixed_by() {
        return Err(StudyError::FixedSteps { system: model.system(), reason });
    }
    let length = (plan.until - plan.from).abs();
    let mut steps = steps.to_vec();
    if steps.is_empty() {
        let middle = match plan.pace {
            Pace::Fixed { step } => step,
            Pace::Adaptive { first_step, .. } => first_step.unwrap_or(length / 128.0),
        };
        // Steps that divide the interval, so that no run ends with an odd step.
        let count = (length / middle).round().max(4.0);
        steps = [0.25, 0.5, 1.0, 2.0, 4.0].map(|f| length / (count * f).round()).to_vec();
    }
    steps.sort_by(|a, b| b.total_cmp(a));
    steps.dedup();
    if steps.len() < ENOUGH {
        return Err(StudyError::TooFewSteps { found: steps.len(), expected: ENOUGH });
    }
    let mut cards = Vec::new();
    for method in methods {
        let card = model.check(&plan.at(method, steps[0]))?;
        cards.push((method.clone(), card.order));
    }
    Ok((plan.clone(), steps, cards))
}

/// The least-squares slope over the good points, from `value` of their errors; errors up to `floor`
/// are rounding, and errors above `coarse` tell of no convergence.
fn observed(
    points: &[Point],
    floor: f64,
    coarse: f64,
    value: impl Fn(&Difference) -> Option<f64>,
) -> Result<f64, Unseen> {
    let mut good: Vec<(f64, f64)> = Vec::new();
    let (mut runs, mut at_floor) = (0, 0);
    for point in points {
        let Some(error) = point.outcome.as_ref().ok().and_then(&value) else { continue };
        if !error.is_finite() {
            continue;
        }
        runs += 1;
        if error <= floor {
            at_floor += 1;
            continue;
        }
        // An error that does not fall tells of a step too large for the method: begin again.
        if good.last().is_some_and(|(_, before)| error.ln() >= *before) {
            good.clear();
        }
        good.push((point.step.ln(), error.ln()));
    }
    let mut good = good.as_slice();
    let rate = |a: (f64, f64), b: (f64, f64)| (a.1 - b.1) / (a.0 - b.0);
    // Coarse steps at which the method does not yet show its order are left out, as long as enough
    // finer ones remain.
    while let [first, rest @ ..] = good
        && rest.len() >= ENOUGH
        && (rate(*first, rest[0]) - slope(rest)).abs() > SETTLED
    {
        good = rest;
    }
    if good.len() < ENOUGH {
        return Err(match (runs, at_floor) {
            (runs, _) if runs < ENOUGH => Unseen::Failed,
            (runs, floor) if floor == runs => Unseen::Rounding,
            (_, 0) => Unseen::NotConverged,
            _ => Unseen::TooFew,
        });
    }
    let order = slope(good);
    let spread = good.windows(2).map(|pair| (rate(pair[0], pair[1]) - order).abs());
    let apart = spread.fold(0.0, f64::max) > SPREAD.max(SPREAD * order);
    let finest = good.last().map_or(f64::INFINITY, |(_, error)| error.exp());
    if apart || order < 0.5 || finest > coarse { Err(Unseen::NotConverged) } else { Ok(order) }
}

/// The least-squares slope.
fn slope(good: &[(f64, f64)]) -> f64 {
    let n = good.len() as f64;
    let (sx, sy) = good.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0, y + p.1));
    let (mx, my) = (sx / n, sy / n);
    let sxx: f64 = good.iter().map(|p| (p.0 - mx) * (p.0 - mx)).sum();
    let sxy: f64 = good.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    sxy / sxx
}

/// Refines the most accurate method until two resolutions agree.
fn find_reference(model: &dyn Model, plan: &Plan, finest: f64) -> Result<Reference, StudyError> {
    let cards = model.methods();
    // Without options of its own, of the highest order; among equals, one that solves nothing.
    let usable = cards.iter().filter(|card| model.check(&plan.at(card.id, finest).plain()).is_ok());
    let best = usable.max_by_key(|card| (card.order, !card.implicit));
    let Some(best) = best else {
        return Err(RunError::UnknownMethod {
            place: plan.place_of("method"),
            method: plan.method.clone(),
            system: model.system(),
            suggestion: None,
            known: Vec::new(),
        }
        .into());
    };
    let parts = model.error_parts();
    let run = |step: f64| -> Result<State, StudyError> {
        Ok(model.run(&plan.at(best.id, step).plain(), &mut NullSink)?.state)
    };
    let mut step = finest;
    let mut coarse = run(step)?;
    // The pair of runs that agreed best so far.
    let mut pick: Option<Reference> = None;
    for _ in 0..REFINEMENTS {
        step *= 0.5;
        let fine = run(step)?;
        let gap = difference(parts, &coarse, &fine).total;
        let closer = pick.as_ref().is_none_or(|p| gap < 0.5 * p.uncertainty);
        if closer && gap.is_finite() {
            pick = Some(Reference {
                method: best.id.into(),
                step,
                state: fine.clone(),
                uncertainty: gap,
            });
        } else if pick.is_some() {
            // Two resolutions no longer come closer: the rest is rounding.
            break;
        }
        coarse = fine;
    }
    let scale = size(parts, &coarse);
    match pick {
        Some(reference) if reference.uncertainty <= 1e-3 * scale => {
            // Agreement by luck does not make it better than rounding.
            let rounding = 10.0 * f64::EPSILON * scale;
            Ok(Reference { uncertainty: reference.uncertainty.max(rounding), ..reference })
        }
        other => Err(StudyError::NoReference {
            method: best.id.into(),
            step: 2.0 * step,
            difference: other.map_or(f64::NAN, |r| r.uncertainty),
        }),
    }
}
