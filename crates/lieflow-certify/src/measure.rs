//! The structure of a one-step map, measured.
//!
//! Symplecticity by differentiating the step itself with dual numbers, time symmetry by a step
//! forth and one back, momentum and manifold by runs, the order by a ladder of steps: nothing is
//! taken from the card of the method. All of it at the given state and at random ones near it, and
//! the worst counts, because at rest, in steady motions and near symmetric configurations methods
//! look better than they are.
use crate::certificate::{Certificate, Degenerate};
use crate::nearby::nearby;
use crate::symplectic::symplectic_defect;
use crate::test_problem::{TEST_PROBLEMS, TestProblem};
use lieflow_models::method_names::meant;
use lieflow_models::problem_file::{Document, Place, Setting, SpecError};
use lieflow_models::problems;
use lieflow_models::run::{Model, NullSink, Pace, Plan, RunError, Stop};
use lieflow_models::study::order::{Ladder, OrderStudy, Unseen};
use lieflow_models::study::{StudyError, difference, fitting, size};
use lieflow_models::system::Registry;

/// The key by which a problem names the group that acts on its states.
const SPACE: &str = "parameters.space";
/// An error of a step, relative to the state, that stands out from rounding.
const SHARP: f64 = 1e-7;
/// Random states besides the given one.
const NEARBY: u64 = 3;
/// On a problem of the user, an order is looked for over so many steps, and momenta over so many.
const ORDER_STEPS: f64 = 64.0;
const MOMENTUM_STEPS: f64 = 1000.0;

/// Defects of the one-step map at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Structure {
    /// `|Jᵀ Ω₁ J − Ω₀|`, or `|D B₀ Dᵀ − B₁|` on the dual of an algebra, where it was measured.
    pub symplectic: Option<f64>,
    /// Which symplectic form or Poisson tensor that was.
    pub form: Option<&'static str>,
    /// A unit in the last place of the terms of that defect.
    pub rounding: f64,
    /// `|Φ₋ₕ Φₕ − id|`.
    pub symmetric: f64,
    /// The size of the state.
    pub size: f64,
}

/// A problem to measure on: a text, and the settings that are laid over it.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// The systems that it may name.
    pub systems: &'a Registry,
    /// What the certificate calls it.
    pub name: String,
    /// What messages call it.
    pub origin: String,
    /// The problem file.
    pub text: String,
    /// Settings of the command line.
    pub settings: Vec<Setting>,
    /// What may stop the measurements before their end.
    pub stop: Stop,
}

impl<'a> Source<'a> {
    /// A built-in problem.
    pub fn built_in(
        systems: &'a Registry,
        id: &str,
        settings: &[Setting],
    ) -> Result<Self, SpecError> {
        let Some(builtin) = problems::find(id) else {
            return Err(problems::unknown(Place::whole("certify"), "problem", id));
        };
        let (name, text) = (id.to_string(), builtin.text.into());
        let (origin, settings, stop) = (name.clone(), settings.to_vec(), Stop::default());
        Ok(Self { systems, origin, name, text, settings, stop })
    }

    /// The problem with these settings over its own.
    pub fn document(&self, more: &[Setting]) -> Result<Document, SpecError> {
        let settings: Vec<Setting> = self.settings.iter().chain(more).cloned().collect();
        Document::parse_with(self.systems, &self.text, &self.origin, &settings)
    }

    fn open(&self, more: &[Setting]) -> Result<(Box<dyn Model>, Plan), SpecError> {
        let document = self.document(more)?;
        let mut plan = document.plan()?;
        plan.stop = self.stop.clone();
        Ok((document.build()?, plan))
    }

    /// Fails if somebody wants the measurements to stop: what was cut short must not be taken for
    /// what it would have been.
    fn go_on(&self, t: f64) -> Result<(), StudyError> {
        match self.stop.asked() {
            true => Err(StudyError::Run(RunError::Stopped { t, steps: 0 })),
            false => Ok(()),
        }
    }

    /// The same problem from states near its own, as far as there are any.
    fn nearby(&self, model: &dyn Model, from: f64) -> Result<Vec<Box<dyn Model>>, SpecError> {
        let initial = &self.document(&[])?.to_json()["initial"];
        let state = model.start(from);
        let open = |k| Some(self.open(&nearby(&state, initial, &self.settings, k).ok()?).ok()?.0);
        Ok((1..=NEARBY).filter_map(open).collect())
    }
}

/// Every method that can be certified, each once, with its problem.
pub fn certifiable() -> Vec<(String, &'static str)> {
    let systems = Registry::default();
    let mut list: Vec<(String, &'static str)> = Vec::new();
    for problem in test_problems() {
        let source = Source::built_in(&systems, problem, &[]);
        let Ok((model, plan)) = source.and_then(|source| source.open(&[])) else { continue };
        for id in fitting(model.as_ref(), &plan) {
            if !list.iter().any(|(known, _)| *known == id) {
                list.push((id, problem));
            }
        }
    }
    list
}

/// The problems for certificates.
pub fn test_problems() -> Vec<&'static str> {
    TEST_PROBLEMS.iter().map(|test_problem| test_problem.problem).collect()
}

/// Measures a method on the first problem for certificates that it fits. The settings are laid over
/// that problem; a step takes the place of its own. Whoever may stop it is asked between steps.
pub fn certify(
    method: &str,
    settings: &[Setting],
    step: Option<f64>,
    stop: &Stop,
) -> Result<Certificate, StudyError> {
    let systems = Registry::default();
    let mut last = None;
    for problem in test_problems() {
        let source = match Source::built_in(&systems, problem, settings) {
            Ok(source) => Source { stop: stop.clone(), ..source },
            Err(error) => {
                last = Some(StudyError::Spec(error));
                continue;
            }
        };
        match certify_on(method, &source, step) {
            // The method does not fit, or a setting does not fit the problem: the next may.
            Err(error) if error.is_input() => last = Some(error),
            other => return other,
        }
    }
    match last {
        // The last of several problems says nothing about the others.
        Some(StudyError::Run(RunError::UnknownMethod { .. })) | None => {
            let known = certifiable();
            let known: Vec<&str> = known.iter().map(|(id, _)| id.as_str()).collect();
            let suggestion = meant(method, &known).map(String::from);
            Err(StudyError::NoCertificate { method: method.into(), suggestion })
        }
        Some(error) => Err(error),
    }
}

/// Measures a method on this problem, with this step or that of the problem.
pub fn certify_on(
    method: &str,
    source: &Source<'_>,
    step: Option<f64>,
) -> Result<Certificate, StudyError> {
    let (model, plan) = source.open(&[]).map_err(StudyError::Spec)?;
    let known = TEST_PROBLEMS.iter().find(|known| known.problem == source.name);
    let terms = match known {
        Some(known) => Terms::known(known, step),
        None => Terms::of(&plan, step),
    };
    let mut plan = plan.plain();
    (plan.from, plan.until) = (terms.from, terms.until);
    let card = model.check(&plan.at(method, terms.step))?;
    let others = source.nearby(model.as_ref(), plan.from).map_err(StudyError::Spec)?;

    // High orders reach rounding soon: they are seen at larger steps, if those have a solution.
    let (large, scale) = match card.order {
        _ if !terms.may_grow => (1.0, 1.0),
        0..=4 => (1.0, 1.0),
        5..=6 => (2.0, 4.0),
        _ => (4.0, 8.0),
    };
    let models: Vec<&dyn Model> =
        std::iter::once(&model).chain(&others).map(|model| model.as_ref()).collect();
    let mut seen = match look(&models, &plan, method, large * terms.step) {
        Ok(seen) => seen,
        Err(_) => look(&models, &plan, method, terms.step)?,
    };
    // Where the step is free, it grows until errors stand out from rounding.
    for factor in [2.0, 4.0, 8.0, 16.0, 32.0, 64.0] {
        if !terms.may_double || seen.local_error > SHARP {
            break;
        }
        match look(&models, &plan, method, factor * terms.step) {
            Ok(larger) if larger.states == seen.states => seen = larger,
            _ => break,
        }
    }
    let Seen { step, given, worst, states, local_error } = seen;
    source.go_on(plan.from)?;

    let ladder: Vec<f64> = terms.ladder.iter().map(|h| h * f64::min(scale, 4.0)).collect();
    let climb = |model: &dyn Model| -> Result<Option<Ladder>, StudyError> {
        let study = OrderStudy::new(model, &plan, &[method.to_string()], &ladder)?;
        Ok(study.run(&mut |_| ())?.into_iter().next())
    };
    let at_given = climb(model.as_ref())?;
    source.go_on(plan.from)?;
    let hidden = |l: &Ladder| l.order.is_none_or(|order| order > f64::from(card.order) + 0.5);
    let elsewhere = match (&at_given, others.first()) {
        (Some(ladder), Some(other)) if hidden(ladder) => climb(other.as_ref()).ok().flatten(),
        _ => None,
    };
    let unseen = |l: &Option<Ladder>| l.as_ref().and_then(|l| l.unseen);
    let exact = unseen(&at_given) == Some(Unseen::Rounding);
    let shown = elsewhere.as_ref().is_some_and(|l| l.order.is_some());
    let other_verdict =
        given.keeps_form() != worst.keeps_form() || given.is_symmetric() != worst.is_symmetric();
    let degenerate = if exact && !shown && !other_verdict {
        Some(Degenerate::Exact)
    } else if (exact && shown) || other_verdict {
        Some(Degenerate::State)
    } else {
        None
    };
    let lower =
        |l: &Ladder| at_given.as_ref().and_then(|g| g.order).is_none_or(|g| l.order < Some(g));
    let ladder = elsewhere.filter(|l| l.order.is_some() && lower(l)).or(at_given);
    let (order, unseen, orders) =
        ladder.map_or((None, None, Vec::new()), |l| (l.order, l.unseen, l.part_orders));

    let mut kept = Kept::default();
    match known {
        Some(known) if !known.momentum.is_empty() => kept.watch(known, source, method, scale),
        Some(_) => {
            kept.manifold = model.run(&plan.at(method, step), &mut NullSink)?.manifold_error;
        }
        None => {
            plan.until = plan.from + terms.direction * MOMENTUM_STEPS * terms.step;
            plan.until = if terms.shorter(plan.until) { plan.until } else { terms.end };
            for model in std::iter::once(&model).chain(others.first()) {
                kept.run(model.as_ref(), &plan, method, step, &|name| name.contains("momentum"));
            }
        }
    }
    source.go_on(plan.from)?;
    let Kept { momentum, spatial, axial, manifold } = kept;
    Ok(Certificate {
        method: method.into(),
        problem: source.name.clone(),
        step,
        order,
        unseen,
        orders,
        structure: worst,
        local_error,
        states,
        degenerate,
        momentum,
        spatial,
        axial,
        manifold,
    })
}

/// The interval and the steps of the measurements.
struct Terms {
    from: f64,
    until: f64,
    /// The end of the interval of the problem, and its direction.
    end: f64,
    direction: f64,
    step: f64,
    ladder: Vec<f64>,
    /// Whether methods of high order take larger steps.
    may_grow: bool,
    /// Whether the step may be doubled until errors stand out from rounding.
    may_double: bool,
}

impl Terms {
    /// Those of a problem for certificates.
    fn known(known: &TestProblem, step: Option<f64>) -> Self {
        let (from, until) = (0.0, known.until);
        let ladder = step.map_or(known.ladder.to_vec(), around);
        let may_grow = step.is_none();
        let step = step.unwrap_or(known.step);
        let direction = 1.0;
        Self { from, until, end: until, direction, step, ladder, may_grow, may_double: false }
    }

    /// Those of another problem, from its table `[solve]`.
    fn of(plan: &Plan, step: Option<f64>) -> Self {
        let length = plan.until - plan.from;
        let own = match plan.pace {
            Pace::Fixed { step } => step,
            Pace::Adaptive { first_step, .. } => first_step.unwrap_or(length.abs() / 128.0),
        };
        let may_double = step.is_none();
        let step = step.unwrap_or(own);
        let direction = length.signum();
        let until = plan.from + direction * (ORDER_STEPS * step).min(length.abs());
        let (from, end, ladder) = (plan.from, plan.until, around(step));
        Self { from, until, end, direction, step, ladder, may_grow: false, may_double }
    }

    /// Whether a time lies before the end of the problem.
    fn shorter(&self, t: f64) -> bool {
        (self.end - t) * self.direction > 0.0
    }
}

/// The one-step map at several states.
struct Seen {
    step: f64,
    /// The defects at the first state.
    given: Structure,
    /// The largest at all of them.
    worst: Structure,
    /// How many of them have a step.
    states: usize,
    /// The largest error of a step.
    local_error: f64,
}

/// Looks at one step from the states of all these models; the first must have one.
fn look(models: &[&dyn Model], plan: &Plan, method: &str, step: f64) -> Result<Seen, StudyError> {
    let mut seen: Option<Seen> = None;
    for model in models {
        let found = structure(*model, &plan.at(method, step));
        let found = match (found, &seen) {
            (Ok(found), _) => found,
            (Err(error), None) => return Err(error.into()),
            // A step that has no solution there says nothing.
            (Err(_), Some(_)) => continue,
        };
        let local = local_error(*model, plan, method, step);
        seen = Some(match seen {
            None => Seen { step, given: found, worst: found, states: 1, local_error: local },
            Some(seen) => Seen {
                worst: seen.worst.worse(found),
                states: seen.states + 1,
                local_error: seen.local_error.max(local),
                ..seen
            },
        });
    }
    seen.ok_or(StudyError::TooFewSteps { found: 0, expected: 1 })
}

/// How far one step and two halves of it are apart, relative to the state; nothing if one of them
/// fails.
fn local_error(model: &dyn Model, plan: &Plan, method: &str, step: f64) -> f64 {
    let end = |part: f64| {
        let mut plan = plan.at(method, part);
        plan.until = plan.from + step * (plan.until - plan.from).signum();
        model.run(&plan, &mut NullSink).map(|record| record.state)
    };
    let (Ok(whole), Ok(halves)) = (end(step), end(0.5 * step)) else { return 0.0 };
    let parts = model.error_parts();
    difference(parts, &whole, &halves).total / size(parts, &whole).max(f64::MIN_POSITIVE)
}

/// Five steps, the second one given.
fn around(step: f64) -> Vec<f64> {
    [2.0, 1.0, 0.5, 0.25, 0.125].map(|f| f * step).to_vec()
}

/// The defects of the first step of a plan.
pub fn structure(model: &dyn Model, plan: &Plan) -> Result<Structure, RunError> {
    let symmetric = model.symmetric_defect(plan)?;
    let first = (plan.from, plan.pace.first_step());
    let failed = |source| RunError::first_step(plan, source);
    let measured = symplectic_defect(model, &plan.method, &plan.options, first);
    let form = measured.as_ref().map(|m| m.form);
    let measured = measured.map(|m| m.defect).transpose().map_err(failed)?;
    let size = size(model.error_parts(), &model.start(plan.from));
    let (symplectic, rounding) = (measured.map(|m| m.defect), measured.map_or(0.0, |m| m.rounding));
    Ok(Structure { symplectic, form, rounding, symmetric, size })
}

/// What longer runs keep.
#[derive(Default)]
struct Kept {
    momentum: Option<f64>,
    spatial: Option<f64>,
    axial: Option<f64>,
    manifold: f64,
}

impl Kept {
    /// On the problems that belong to one for certificates.
    fn watch(&mut self, known: &TestProblem, source: &Source<'_>, method: &str, scale: f64) {
        for (problem, step, until, names) in known.momentum {
            // The space goes with the method; the rest is for the problem for which it was meant.
            let own = source.settings.iter().filter(|s| *problem == source.name || s.sets(SPACE));
            let own: Vec<Setting> = own.cloned().collect();
            let stop = source.stop.clone();
            let source = Source::built_in(source.systems, problem, &own);
            let Ok((model, mut plan)) = source.and_then(|source| source.open(&[])) else {
                continue;
            };
            plan.stop = stop;
            (plan.from, plan.until) = (0.0, *until);
            let named = |name: &str| names.contains(&name);
            // A method that does not fit, or leaves for infinity, says nothing here.
            if !self.run(model.as_ref(), &plan, method, scale * step, &named) {
                self.run(model.as_ref(), &plan, method, *step, &named);
            }
        }
    }

    /// One run, with an eye on the invariants of these names; whether it reached its end.
    fn run(
        &mut self,
        model: &dyn Model,
        plan: &Plan,
        method: &str,
        step: f64,
        named: &dyn Fn(&str) -> bool,
    ) -> bool {
        let mut plan = plan.clone().plain().at(method, step);
        plan.watch = true;
        let Ok(record) = model.run(&plan, &mut NullSink) else { return false };
        self.manifold = self.manifold.max(record.manifold_error);
        for q in record.invariants.iter().filter(|q| named(q.name)) {
            let change = q.max_error / q.initial.abs().max(1.0);
            self.momentum = Some(self.momentum.unwrap_or(0.0).max(change));
            let part =
                if q.name.starts_with("spatial") { &mut self.spatial } else { &mut self.axial };
            *part = Some(part.unwrap_or(0.0).max(change));
        }
        true
    }
}
