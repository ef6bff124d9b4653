//! How a problem is to be solved: the tables `[solve]` and `[output]`, resolved.
use super::output::{Output, Written};
use super::{Stop, isotropy};
use crate::problem_file::{Kind, Number, Place, Reader, SpecError, wrong};
use lieflow::chart::Chart;
use lieflow::method::{Card, Estimate, Options, Solver};
use lieflow::stepping::Rule;

/// More steps than this cannot be counted exactly.
const MOST_STEPS: f64 = 9007199254740992.0;

/// Unless told otherwise, adaptive steps end here: a tolerance that is too small for the problem
/// would go on forever.
const MOST_ADAPTIVE_STEPS: u64 = 10_000_000;
/// Without a first step, this part of the interval is tried.
const FIRST_PART: f64 = 0.01;
/// Local errors below this are rounding, also for states of size one.
pub const LEAST_TOLERANCE: f64 = 1e-15;

/// The resolved plan of a run. Its numbers are legal; whether the method exists for the system
/// and has the options is known when both are there ([`super::Model::check`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The method.
    pub method: String,
    /// Fixed or adaptive steps.
    pub pace: Pace,
    /// How adaptive steps are chosen. Unless told, by the error estimate of the method; symmetric methods
    /// that have none make symplectic steps if they can, or else reversible ones.
    pub controller: Option<Controller>,
    /// Initial time.
    pub from: f64,
    /// Final time; below `from` for a run backwards.
    pub until: f64,
    /// Options that many methods have.
    pub options: Options,
    /// Options that few methods have.
    pub extras: Extras,
    /// Every so many accepted steps rotations are brought back by one polar correction.
    pub polar: Option<u64>,
    /// No more accepted steps than this; then the run ends as failed.
    pub max_steps: u64,
    /// Every so many accepted steps a state is kept.
    pub every: u64,
    /// If there are any: the states at just these times are kept, by dense output.
    pub times: Vec<f64>,
    /// Whether rotations are also written as nine entries.
    pub matrix: bool,
    /// How the trajectory is written.
    pub written: Written,
    /// Whether invariants are watched at every step, or only at both ends.
    pub watch: bool,
    /// What may stop it before its end.
    pub stop: Stop,
    /// Where the keys that were given are written, for messages.
    places: Vec<(&'static str, Place)>,
}

/// How the step size is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// The same for all steps.
    Fixed {
        /// Its size, above zero.
        step: f64,
    },
    /// From an error estimate.
    Adaptive {
        /// The largest estimate that is accepted.
        tol: f64,
        /// The step to try first.
        first_step: Option<f64>,
        /// How the next step follows from the estimate.
        rule: Rule,
    },
}

impl Pace {
    /// The size of the first step that is tried, where the plan leaves none to the control.
    pub fn first_step(&self) -> f64 {
        match *self {
            Self::Fixed { step } => step,
            Self::Adaptive { first_step, .. } => first_step.unwrap_or(0.1),
        }
    }
}

/// How adaptive steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controller {
    /// By an error estimate.
    Estimate,
    /// By the tempo of the motion, so that they can be walked back.
    Reversible,
    /// By the energy, so that they are symplectic.
    Symplectic,
}

/// Options by name that belong to single families.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Extras {
    /// Choice of the isotropy part of the generator.
    pub isotropy: Option<String>,
    /// A quantity to be conserved by that choice.
    pub conserve: Option<String>,
}

impl Extras {
    /// The options that were given, by name.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [("isotropy", &self.isotropy), ("conserve", &self.conserve)]
            .into_iter()
            .filter_map(|(name, value)| value.as_deref().map(|value| (name, value)))
    }
}

impl Plan {
    /// A plan with fixed steps and no other wishes.
    pub fn fixed(method: &str, step: f64, from: f64, until: f64) -> Self {
        Self {
            method: method.into(),
            pace: Pace::Fixed { step },
            controller: None,
            from,
            until,
            options: Options::default(),
            extras: Extras::default(),
            polar: None,
            max_steps: u64::MAX,
            every: 1,
            times: Vec::new(),
            matrix: false,
            written: Written::default(),
            watch: true,
            stop: Stop::default(),
            places: Vec::new(),
        }
    }

    /// The same with another method and a fixed step, and without a watch over the invariants: one
    /// run of a study.
    pub fn at(&self, method: &str, step: f64) -> Self {
        let mut plan = self.clone();
        plan.method = method.into();
        plan.pace = Pace::Fixed { step };
        // Nothing asks for the estimate of a step whose size is fixed.
        plan.options.estimate = Estimate::Natural;
        plan.watch = false;
        plan.places.retain(|(key, _)| !matches!(*key, "method" | "step" | "tol"));
        plan.places.push(("method", Place::whole("methods")));
        // A fixed step says how many there will be.
        plan.max_steps = u64::MAX;
        plan
    }

    /// The same with another method and a tolerance, and without a watch over the invariants: one run
    /// of a study.
    pub fn with_tolerance(&self, method: &str, tol: f64) -> Self {
        let mut plan = self.at(method, tol);
        let (first_step, rule) = match self.pace {
            Pace::Adaptive { first_step, rule, .. } => (first_step, rule),
            Pace::Fixed { .. } => (None, Rule::Elementary),
        };
        plan.pace = Pace::Adaptive { tol, first_step, rule };
        plan.options.estimate = self.options.estimate;
        plan
    }

    /// The tolerance and the step to try first, if the steps of this method are not chosen by an error
    /// estimate.
    pub fn without_estimate(&self, card: &Card) -> Option<(f64, Option<f64>)> {
        let without = match self.controller {
            None => card.symmetric && card.estimate_power.is_none(),
            Some(controller) => controller != Controller::Estimate,
        };
        match self.pace {
            Pace::Adaptive { tol, first_step, .. } if without => Some((tol, first_step)),
            _ => None,
        }
    }

    /// The step that is tried first, with its sign: the one that was given, or a part of the interval.
    pub fn first_step(&self) -> f64 {
        let length = self.until - self.from;
        let step = match self.pace {
            Pace::Fixed { step } => step,
            Pace::Adaptive { first_step, .. } => first_step.unwrap_or(FIRST_PART * length.abs()),
        };
        step.copysign(length)
    }

    /// The same without any wish about the method.
    pub fn plain(mut self) -> Self {
        self.options = Options::default();
        self.extras = Extras::default();
        self
    }

    /// Where the first of these keys was written, or else the method.
    pub(super) fn place_of_first(&self, keys: &[&str]) -> Place {
        let given = keys.iter().find(|key| self.places.iter().any(|(name, _)| name == *key));
        self.place_of(given.unwrap_or(&"method"))
    }

    /// Where a key of the plan was written.
    pub fn place_of(&self, key: &str) -> Place {
        let found = self.places.iter().find(|(name, _)| *name == key);
        found.map_or_else(|| Place { key: key.into(), ..Place::whole("plan") }, |(_, p)| p.clone())
    }

    /// The plan that the two tables describe.
    pub fn read(solve: &Reader<'_>, output: &Reader<'_>) -> Result<Self, SpecError> {
        Self::read_over(solve, output, None)
    }

    /// The same for a system with samples at these times, increasing and at least two: unless told
    /// otherwise, from the first to the last, and with a state for each.
    pub fn read_over(
        solve: &Reader<'_>,
        output: &Reader<'_>,
        samples: Option<&[f64]>,
    ) -> Result<Self, SpecError> {
        let method = solve.text("method")?.to_string();
        let span = samples.and_then(|times| Some((*times.first()?, *times.last()?)));
        let from = solve.number_or("from", span.map_or(0.0, |(first, _)| first))?;
        let until = match span {
            Some((_, last)) => solve.number_or("until", last)?,
            None => solve.number("until")?,
        };
        if let Some((first, last)) = span {
            for (key, t) in [("from", from), ("until", until)] {
                if !(first..=last).contains(&t) {
                    let expected =
                        format!("a time of the log, {} to {}", Number(first), Number(last));
                    return Err(solve.refuse(key, &expected));
                }
            }
        }
        if until == from {
            return Err(
                solve.refuse("until", &format!("a time other than the initial {}", Number(from)))
            );
        }
        let unpaced = !solve.has("step") && !solve.has("tol");
        let spacing =
            span.map(|(first, last)| (last - first) / (samples.map_or(2, <[f64]>::len) - 1) as f64);
        let pace = match spacing {
            Some(step) if unpaced => {
                adaptive_only(solve)?;
                Pace::Fixed { step }
            }
            _ => read_pace(solve, (until - from).abs())?,
        };
        let controller = solve.optional_text("controller")?.map(|name| match name {
            "reversible" => Controller::Reversible,
            "symplectic" => Controller::Symplectic,
            _ => Controller::Estimate,
        });
        let estimate = read_estimate(solve)?;
        let options = Options {
            chart: read_chart(solve)?,
            solver: read_solver(solve)?,
            estimate: match pace {
                Pace::Fixed { .. } => Estimate::Natural,
                Pace::Adaptive { .. } => estimate,
            },
            compensated: solve.boolean_or("compensated", false)?,
            ..Options::default()
        };
        let isotropy = match solve.has("isotropy") {
            true => Some(solve.choice("isotropy", &isotropy::PARTS)?.into()),
            false => None,
        };
        let conserve = solve.optional_text("conserve")?.map(String::from);
        let extras = Extras { isotropy, conserve };
        let Output { every, times, matrix, written } =
            Output::read(output, from, until, samples, unpaced)?;
        let polar = solve.optional_integer("polar")?;
        if polar == Some(0) {
            return Err(solve.refuse("polar", "a whole number of steps above zero"));
        }
        if options.compensated && polar.is_some() {
            return Err(SpecError::Idle {
                place: solve.place_of("polar"),
                because: "compensated steps keep rotations by themselves, and a correction would forget what \
                          they carry",
            });
        }
        let max_steps = match (solve.optional_integer("max_steps")?, pace) {
            (Some(0), _) => {
                return Err(solve.refuse("max_steps", "a whole number of steps above zero"));
            }
            (Some(most), _) => most,
            (None, Pace::Adaptive { .. }) => MOST_ADAPTIVE_STEPS,
            (None, Pace::Fixed { .. }) => u64::MAX,
        };
        solve.finish()?;
        let keys = [
            "method",
            "step",
            "tol",
            "until",
            "chart",
            "dexpinv",
            "solver",
            "estimate",
            "controller",
            "isotropy",
            "conserve",
            "exponential",
            "polar",
            "compensated",
        ];
        let given = keys.into_iter().filter(|key| solve.has(key));
        let mut places: Vec<_> = given.map(|key| (key, solve.place_of(key))).collect();
        places.push(("positions", output.place_of("positions")));
        let watch = true;
        Ok(Self {
            method,
            pace,
            controller,
            from,
            until,
            options,
            extras,
            polar,
            max_steps,
            every,
            times,
            matrix,
            written,
            watch,
            stop: Stop::default(),
            places,
        })
    }
}

fn read_pace(solve: &Reader<'_>, length: f64) -> Result<Pace, SpecError> {
    let enough = |key: &str, step: f64| {
        if length / step < MOST_STEPS {
            return Ok(step);
        }
        // The one of the two that is further from ordinary numbers.
        let far = Number(length);
        Err(if length.ln().abs() > step.ln().abs() {
            let expected = format!("a time that steps of {} reach in less than 9e15", Number(step));
            solve.refuse("until", &expected)
        } else {
            solve.refuse(key, &format!("a step that reaches {far} in less than 9e15 steps"))
        })
    };
    let first_step = solve.optional_positive("first_step")?;
    let rule = match solve.choice_or(
        "controller",
        &["I", "PI", "plain", "reversible", "symplectic"],
        "I",
    )? {
        // The loop of Celledoni et al., whose text has 1/5 and whose program has 1/4.
        "plain" => Rule::Plain { exponent: solve.optional_positive("exponent")?.unwrap_or(0.25) },
        other => Rule::named(other).unwrap_or(Rule::Elementary),
    };
    if solve.has("exponent") && !matches!(rule, Rule::Plain { .. }) {
        return Err(SpecError::Idle {
            place: solve.place_of("exponent"),
            because: "only the controller 'plain' has an exponent to choose",
        });
    }
    match solve.just_one_of(&["step", "tol"])? {
        "step" => {
            adaptive_only(solve)?;
            Ok(Pace::Fixed { step: enough("step", solve.positive("step")?)? })
        }
        _ => {
            if let Some(step) = first_step {
                enough("first_step", step)?;
            }
            let tol = solve.positive("tol")?;
            if tol < LEAST_TOLERANCE {
                let expected = format!(
                    "a tolerance of at least {LEAST_TOLERANCE:e}: double precision reaches no smaller error"
                );
                return Err(solve.refuse("tol", &expected));
            }
            if !length.is_finite() {
                return Err(
                    solve.refuse("until", "a time at a finite distance from the initial one")
                );
            }
            Ok(Pace::Adaptive { tol, first_step, rule })
        }
    }
}

/// Refuses the keys that steer adaptive steps where steps are fixed. If a step on the command line
/// takes the place of a tolerance in the file, what the file says about that one goes with it.
fn adaptive_only(solve: &Reader<'_>) -> Result<(), SpecError> {
    let replaced = solve.has("tol");
    for key in ["first_step", "controller", "exponent", "estimate"] {
        if solve.has(key) && !(replaced && solve.place_of(key).in_problem()) {
            return Err(SpecError::Idle {
                place: solve.place_of(key),
                because: "the step is fixed; give 'tol' instead of 'step' for adaptive steps",
            });
        }
    }
    Ok(())
}

fn read_chart(solve: &Reader<'_>) -> Result<Chart, SpecError> {
    // The papers on isotropy call the chart the exponential, and know two of them.
    let name = match solve.one_of(&["chart", "exponential"])? {
        Some("exponential") => solve.choice("exponential", &["exp", "cayley"])?,
        _ => solve.choice_or("chart", &["exp", "cayley", "ccsk", "stereographic"], "exp")?,
    };
    let chart = match name {
        "cayley" => Chart::Cayley,
        "ccsk" => Chart::SecondKind,
        "stereographic" => Chart::Stereographic,
        _ => Chart::Exp,
    };
    let Some(node) = solve.optional("dexpinv") else { return Ok(chart) };
    let expected = "\"exact\", or a number of brackets from 0 to 20";
    let brackets = match &node.kind {
        Kind::Text(text) if text == "exact" => return Ok(chart),
        Kind::Integer(n @ 0..=20) => n.unsigned_abs() as usize,
        _ => return Err(wrong(node, expected)),
    };
    if chart != Chart::Exp {
        return Err(wrong(node, "\"exact\", because only the chart exp has a series"));
    }
    Ok(Chart::ExpSeries { brackets })
}

fn read_estimate(solve: &Reader<'_>) -> Result<Estimate, SpecError> {
    Ok(match solve.choice_or("estimate", &["natural", "state", "group"], "natural")? {
        "state" => Estimate::State,
        "group" => Estimate::Group,
        _ => Estimate::Natural,
    })
}

fn read_solver(solve: &Reader<'_>) -> Result<Solver, SpecError> {
    if !solve.has("solver") {
        return Ok(Solver::Automatic);
    }
    Ok(match solve.choice("solver", &["newton", "fixed-point"])? {
        "fixed-point" => Solver::FixedPoint,
        _ => Solver::Newton,
    })
}
