//! Work against precision: what an error costs with each method, and which method to pick.
use super::StudyError;
use super::order::{Ladder, OrderStudy, Point};
use crate::run::{Model, Plan};
use lieflow::method::Card;
use serde_json::{Value as Json, json};

/// The best method for an accuracy.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// The error that is wanted.
    pub target: f64,
    /// The method.
    pub method: String,
    /// Its step.
    pub step: f64,
    /// The error that it has there.
    pub error: f64,
    /// Its time in seconds.
    pub seconds: f64,
    /// Its evaluations of the field.
    pub evaluations: u64,
    /// The next best one, and how many times longer it takes.
    pub runner_up: Option<(String, f64)>,
    /// What kind of method it is, in words.
    pub nature: String,
    /// The reason, in words.
    pub reason: String,
}

/// What a comparison found.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The runs of every method.
    pub ladders: Vec<Ladder>,
    /// The best methods, from low to high accuracy.
    pub picks: Vec<Pick>,
    /// Names of the errors.
    pub parts: Vec<&'static str>,
    /// How errors were measured, in words.
    pub reference: String,
}

/// The largest error for which a method is picked.
const LOOSEST: f64 = 1e-2;

/// Runs all methods at all steps and picks the best for each accuracy that some method reaches.
/// Each run is timed `rounds` times, and the shortest counts. With no steps given, methods of high
/// order are tried with steps as large as they bear. `told` is called before the runs of a method in
/// each round.
pub fn compare(
    model: &dyn Model,
    plan: &Plan,
    methods: &[String],
    steps: &[f64],
    rounds: u32,
    told: &mut dyn FnMut(&str),
) -> Result<Comparison, StudyError> {
    let study = OrderStudy::new(model, plan, methods, steps)?;
    let climb = |told: &mut dyn FnMut(&str)| {
        let mut ladders = study.run(told)?;
        if steps.is_empty() {
            ladders.iter_mut().try_for_each(|ladder| study.widen(ladder, LOOSEST))?;
        }
        Ok::<_, StudyError>(ladders)
    };
    let mut ladders = climb(told)?;
    for _ in 1..rounds {
        for (best, again) in ladders.iter_mut().zip(climb(told)?) {
            for (a, b) in best.points.iter_mut().zip(&again.points) {
                a.seconds = a.seconds.min(b.seconds);
            }
        }
    }
    let reference = study.reference();
    let words = format!(
        "{} with step {:e}, itself accurate to about {:.1e}",
        reference.method, reference.step, reference.uncertainty
    );
    let picks = picks(&ladders, &model.methods());
    Ok(Comparison { ladders, picks, parts: study.parts(), reference: words })
}

/// The errors for which methods are picked.
pub const TARGETS: [f64; 5] = [1e-2, 1e-4, 1e-6, 1e-8, 1e-10];

/// The cheapest run of a method that is at least so accurate.
pub fn cheapest(ladder: &Ladder, target: f64) -> Option<&Point> {
    let good = |p: &&Point| p.outcome.as_ref().is_ok_and(|errors| errors.total <= target);
    ladder.points.iter().filter(good).min_by(|a, b| a.seconds.total_cmp(&b.seconds))
}

/// For each of these errors that is reached, the method that reaches it soonest.
fn picks(ladders: &[Ladder], cards: &[Card]) -> Vec<Pick> {
    let mut picks = Vec::new();
    for target in TARGETS {
        // The cheapest run of each method that is accurate enough.
        let mut reached: Vec<(&str, &Point)> = ladders
            .iter()
            .filter_map(|ladder| Some((ladder.method.as_str(), cheapest(ladder, target)?)))
            .collect();
        reached.sort_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds));
        let Some((method, point)) = reached.first().copied() else { continue };
        let Ok(errors) = &point.outcome else { continue };
        let (step, error, seconds) = (point.step, errors.total, point.seconds);
        let evaluations = point.field_evaluations;
        let runner_up = reached.get(1).map(|(name, p)| (name.to_string(), p.seconds / seconds));
        let mut reason = reason(runner_up.as_ref());
        let nature = nature(method, cards).unwrap_or_default();
        if !nature.is_empty() {
            reason += &format!("; {nature}");
        }
        picks.push(Pick {
            target,
            method: method.to_string(),
            step,
            error,
            seconds,
            evaluations,
            runner_up,
            nature,
            reason,
        });
    }
    picks
}

fn reason(runner_up: Option<&(String, f64)>) -> String {
    match runner_up {
        Some((other, ratio)) => {
            format!("fastest to this error; {other} takes {ratio:.1} times as long")
        }
        None => "the only one that reaches this error at these steps".to_string(),
    }
}

fn nature(method: &str, cards: &[Card]) -> Option<String> {
    let card = cards.iter().find(|card| card.id == method)?;
    let kind = if card.symplectic {
        "symplectic: its energy error stays bounded in long runs"
    } else if card.symmetric {
        "symmetric but not symplectic"
    } else {
        "not symplectic: check long runs with `lieflow drift`"
    };
    Some(format!("order {}, {kind}", card.order))
}

impl Comparison {
    /// The document of `compare --json`.
    pub fn to_json(&self) -> Json {
        let methods = self.ladders.iter().map(|ladder| {
            let points = ladder.points.iter().map(|p| {
                json!({
                    "step": p.step,
                    "error": p.outcome.as_ref().ok().map(|e| e.total),
                    "failure": p.outcome.as_ref().err().map(ToString::to_string),
                    "field_evaluations": p.field_evaluations,
                    "seconds": p.seconds,
                })
            });
            json!({
                "method": ladder.method, "order": ladder.order,
                "points": points.collect::<Vec<_>>(),
            })
        });
        let picks = self.picks.iter().map(|p| {
            json!({
                "error": p.target, "method": p.method, "step": p.step, "reached": p.error,
                "seconds": p.seconds, "field_evaluations": p.evaluations,
                "runner_up": p.runner_up.as_ref().map(|r| &r.0),
                "ratio": p.runner_up.as_ref().map(|r| r.1), "reason": p.reason,
            })
        });
        json!({
            "reference": self.reference,
            "methods": methods.collect::<Vec<_>>(),
            "recommendations": picks.collect::<Vec<_>>(),
        })
    }
}
