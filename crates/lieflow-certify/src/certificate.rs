//! The structure of a one-step map, measured.
//!
//! Symplecticity by differentiating the step itself with dual numbers, time symmetry by a step
//! forth and one back, momentum and manifold by runs, the order by a ladder of steps: nothing is
//! taken from the card of the method. The state is a generic one, because near symmetric
//! configurations methods look better than they are.
use crate::symplectic::symplectic_defect;
use lieflow::stepping::SolveError;
use lieflow_models::method_names::meant;
use lieflow_models::problem_file::{Document, Place, Setting, SpecError};
use lieflow_models::problems;
use lieflow_models::run::{Model, NullSink, Pace, Plan, RunError};
use lieflow_models::study::order::OrderStudy;
use lieflow_models::study::{StudyError, fitting};
use serde_json::{Value as Json, json};

/// Below this a defect is rounding: forms that are kept show up to 3e-14 on the problems for
/// certificates, and those that are not at least 1e-11.
const ROUNDING: f64 = 1e-12;

/// The key by which a problem names the group that acts on its states.
const SPACE: &str = "parameters.space";

/// Defects of the one-step map at the initial state of a system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Structure {
    /// `|Jᵀ Ω₁ J − Ω₀|`, or `|D B₀ Dᵀ − B₁|` on the dual of an algebra, where it was measured.
    pub symplectic: Option<f64>,
    /// Which symplectic form or Poisson tensor that was.
    pub form: Option<&'static str>,
    /// `|Φ₋ₕ Φₕ − id|`.
    pub symmetric: f64,
}

/// What was measured of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The method.
    pub method: String,
    /// The problem on which the one-step map was measured.
    pub problem: &'static str,
    /// The step.
    pub step: f64,
    /// Observed order of the whole state.
    pub order: Option<f64>,
    /// Observed orders of its parts.
    pub orders: Vec<(&'static str, Option<f64>)>,
    /// Defects of the one-step map.
    pub structure: Structure,
    /// Largest change of the momenta that a symmetry conserves, relative to their size.
    pub momentum: Option<f64>,
    /// The same for the whole spatial momentum of free motion.
    pub spatial: Option<f64>,
    /// The same for the momentum about the axis of a field.
    pub axial: Option<f64>,
    /// Largest distance from the manifold.
    pub manifold: f64,
}

/// A problem for certificates: where the map is differentiated, with which step, over which time
/// and steps the order is seen, and where momenta are watched. The step is so large that what a
/// method of order six does not keep stands out from rounding.
struct TestProblem {
    problem: &'static str,
    step: f64,
    until: f64,
    ladder: [f64; 5],
    momentum: &'static [(&'static str, f64, f64, &'static [&'static str])],
}

const TEST_PROBLEMS: &[TestProblem] = &[
    TestProblem {
        problem: "probe",
        step: 0.2,
        until: 2.0,
        ladder: [0.1, 0.05, 0.025, 0.0125, 0.00625],
        momentum: &[
            (
                "free",
                0.5,
                100.0,
                &["spatial_momentum_x", "spatial_momentum_y", "spatial_momentum_z"],
            ),
            ("slow-top", 0.0625, 20.0, &["axial_momentum"]),
            // Not linear in the attitude, which some methods need to conserve the momentum.
            ("soft-wall-printed", 0.1, 30.0, &["axial_momentum"]),
        ],
    },
    TestProblem {
        problem: "mild-top",
        step: 0.2,
        until: 2.0,
        ladder: [0.1, 0.05, 0.025, 0.0125, 0.00625],
        momentum: &[("mild-top", 0.1, 100.0, &["momentum_dot_direction"])],
    },
    TestProblem {
        problem: "henon-heiles",
        step: 0.2,
        until: 2.0,
        ladder: [0.2, 0.1, 0.05, 0.025, 0.0125],
        momentum: &[("kepler", 0.02, 10.0, &["angular_momentum"])],
    },
    TestProblem {
        problem: "free-motion",
        step: 0.1,
        until: 4.0,
        ladder: [0.2, 0.1, 0.05, 0.025, 0.0125],
        momentum: &[],
    },
    TestProblem {
        problem: "double-spherical-pendulum",
        step: 0.05,
        until: 0.5,
        ladder: [0.02, 0.01, 0.005, 0.0025, 0.00125],
        momentum: &[("double-spherical-pendulum", 0.01, 10.0, &["axial_momentum"])],
    },
    TestProblem {
        problem: "reduced-body",
        step: 0.5,
        until: 4.0,
        ladder: [0.2, 0.1, 0.05, 0.025, 0.0125],
        momentum: &[],
    },
    TestProblem {
        problem: "kirchhoff",
        step: 0.2,
        until: 2.0,
        ladder: [0.1, 0.05, 0.025, 0.0125, 0.00625],
        momentum: &[],
    },
    TestProblem {
        problem: "dipoles-4x4",
        step: 0.02,
        until: 0.2,
        ladder: [0.01, 0.005, 0.0025, 0.00125, 0.000625],
        momentum: &[],
    },
    TestProblem {
        problem: "spherical-pendulum",
        step: 0.1,
        until: 0.5,
        ladder: [0.04, 0.02, 0.01, 0.005, 0.0025],
        momentum: &[("spherical-pendulum", 0.04, 10.0, &["axial_momentum"])],
    },
];

fn open(id: &'static str, settings: &[Setting]) -> Result<(Box<dyn Model>, Plan), SpecError> {
    let Some(builtin) = problems::find(id) else {
        let known = problems::PROBLEMS.iter().map(|p| p.id);
        let place = Place::whole("certify");
        return Err(SpecError::unknown_name(place, "problem", id, known));
    };
    let document = Document::parse(builtin.text, id, settings)?;
    Ok((document.build()?, document.plan()?))
}

/// Every method that can be certified, each once, with its problem.
pub fn certifiable() -> Vec<(String, &'static str)> {
    let mut list: Vec<(String, &'static str)> = Vec::new();
    for test_problem in TEST_PROBLEMS {
        let Ok((model, plan)) = open(test_problem.problem, &[]) else { continue };
        for id in fitting(model.as_ref(), &plan) {
            if !list.iter().any(|(known, _)| *known == id) {
                list.push((id, test_problem.problem));
            }
        }
    }
    list
}

/// The problems for certificates.
pub fn test_problems() -> Vec<&'static str> {
    TEST_PROBLEMS.iter().map(|test_problem| test_problem.problem).collect()
}

/// Measures a method, on `problem` or on the first problem for certificates that it fits. The
/// settings are laid over that problem.
pub fn certify(
    method: &str,
    problem: Option<&str>,
    settings: &[Setting],
) -> Result<Certificate, StudyError> {
    if let Some(problem) = problem
        && !test_problems().contains(&problem)
    {
        let known = test_problems();
        return Err(StudyError::NoTestProblem { problem: problem.into(), known });
    }
    let mut last = None;
    for test_problem in TEST_PROBLEMS.iter().filter(|b| problem.is_none_or(|p| p == b.problem)) {
        let (model, plan) = match open(test_problem.problem, settings) {
            Ok(pair) => pair,
            Err(error) => {
                // A setting that does not fit the problem for which it was meant.
                last = Some(StudyError::Spec(error));
                continue;
            }
        };
        match model.check(&plan.at(method, test_problem.step).plain()) {
            Ok(_) => return measure(method, test_problem, settings, model.as_ref(), &plan),
            Err(error) => last = Some(StudyError::Run(error)),
        }
    }
    match last {
        // The last of several problems says nothing about the others.
        Some(StudyError::Run(RunError::UnknownMethod { .. })) if problem.is_none() => {
            let known = certifiable();
            let known: Vec<&str> = known.iter().map(|(id, _)| id.as_str()).collect();
            let suggestion = meant(method, &known).map(String::from);
            Err(StudyError::NoCertificate { method: method.into(), suggestion })
        }
        Some(error) => Err(error),
        None => Err(StudyError::NoCertificate { method: method.into(), suggestion: None }),
    }
}

/// The defects of the first step of a plan.
pub fn structure(model: &dyn Model, plan: &Plan) -> Result<Structure, RunError> {
    let symmetric = model.symmetric_defect(plan)?;
    let h = match plan.pace {
        Pace::Fixed { step } => step,
        Pace::Adaptive { first_step, .. } => first_step.unwrap_or(0.1),
    };
    let failed = |source| RunError::Solve {
        steps: 0,
        because: None,
        source: SolveError::Step { t: plan.from, h, source },
    };
    let measured = symplectic_defect(model, &plan.method, &plan.options, h);
    let form = measured.as_ref().map(|m| m.form);
    let symplectic = measured.map(|m| m.defect).transpose().map_err(failed)?;
    Ok(Structure { symplectic, form, symmetric })
}

fn measure(
    method: &str,
    test_problem: &TestProblem,
    settings: &[Setting],
    model: &dyn Model,
    plan: &Plan,
) -> Result<Certificate, StudyError> {
    let mut plan = plan.clone().plain();
    (plan.from, plan.until) = (0.0, test_problem.until);
    // High orders reach rounding soon: they are seen at larger steps, if those have a solution.
    let order = model.check(&plan.at(method, test_problem.step))?.order;
    let (large, scale) = match order {
        0..=4 => (1.0, 1.0),
        5..=6 => (2.0, 4.0),
        _ => (4.0, 8.0),
    };
    let mut step = large * test_problem.step;
    let structure = match structure(model, &plan.at(method, step)) {
        Ok(structure) => structure,
        Err(_) => {
            step = test_problem.step;
            structure(model, &plan.at(method, step))?
        }
    };
    let ladder = test_problem.ladder.map(|h| h * f64::min(scale, 4.0));
    let study = OrderStudy::new(model, &plan, &[method.to_string()], &ladder)?;
    let ladder = study.run(&mut |_| ())?.into_iter().next();
    let (order, orders) = ladder.map_or((None, Vec::new()), |l| (l.order, l.part_orders));
    let (mut momentum, mut spatial, mut axial): (Option<f64>, Option<f64>, Option<f64>) =
        (None, None, None);
    let mut manifold: f64 = 0.0;
    for (problem, step, until, names) in test_problem.momentum {
        // The space goes with the method; the rest is for the problem for which it was meant.
        let own = settings.iter().filter(|s| *problem == test_problem.problem || s.sets(SPACE));
        let own: Vec<Setting> = own.cloned().collect();
        let Ok((model, plan)) = open(problem, &own) else { continue };
        let run = |step: f64| {
            let mut plan = plan.clone().plain().at(method, step);
            (plan.from, plan.until, plan.watch) = (0.0, *until, true);
            model.run(&plan, &mut NullSink).ok()
        };
        // A method that does not fit, or leaves for infinity, says nothing here.
        let Some(record) = run(scale * step).or_else(|| run(*step)) else { continue };
        manifold = manifold.max(record.manifold_error);
        let watched = record.invariants.iter().filter(|q| names.contains(&q.name));
        for q in watched {
            let change = q.max_error / q.initial.abs().max(1.0);
            momentum = Some(momentum.unwrap_or(0.0).max(change));
            let part = if q.name.starts_with("spatial") { &mut spatial } else { &mut axial };
            *part = Some(part.unwrap_or(0.0).max(change));
        }
    }
    if test_problem.momentum.is_empty() {
        let record = model.run(&plan.at(method, step), &mut NullSink)?;
        manifold = record.manifold_error;
    }
    Ok(Certificate {
        method: method.into(),
        problem: test_problem.problem,
        step,
        order,
        orders,
        structure,
        momentum,
        spatial,
        axial,
        manifold,
    })
}

impl Certificate {
    /// Whether the map is symplectic to rounding, where that can be asked.
    pub fn symplectic(&self) -> Option<bool> {
        self.structure.symplectic.map(|d| d < ROUNDING)
    }
    /// Whether a step back undoes a step forth.
    pub fn symmetric(&self) -> bool {
        self.structure.symmetric < 1e-12
    }
    /// Whether momenta of symmetries are conserved.
    pub fn keeps_momentum(&self) -> Option<bool> {
        self.momentum.map(|d| d < 1e-12)
    }
    /// The findings in words.
    pub fn verdict(&self) -> String {
        let mut words = Vec::new();
        let poisson = self.structure.form.is_some_and(|form| form.contains("Poisson"));
        words.push(match (self.symplectic(), poisson) {
            (Some(true), false) => "symplectic",
            (Some(false), false) => "not symplectic",
            (Some(true), true) => "Poisson map",
            (Some(false), true) => "not a Poisson map",
            (None, _) => "symplectic form not measured",
        });
        words.push(if self.symmetric() { "symmetric" } else { "not symmetric" });
        match self.keeps_momentum() {
            Some(true) => words.push("keeps momentum"),
            Some(false) => words.push("loses momentum"),
            None => {}
        }
        let order =
            self.order.map_or("order not seen".into(), |o| format!("order {:.0}", o.round()));
        format!("{}, {order}", words.join(", "))
    }
    /// The document of `certify --json`.
    pub fn to_json(&self) -> Json {
        let orders: serde_json::Map<String, Json> =
            self.orders.iter().map(|(n, o)| (n.to_string(), json!(o))).collect();
        json!({
            "method": self.method, "problem": self.problem, "step": self.step,
            "order": self.order, "orders": orders,
            "symplectic_defect": self.structure.symplectic,
            "form": self.structure.form,
            "symmetric_defect": self.structure.symmetric,
            "momentum_defect": self.momentum,
            "spatial_momentum_defect": self.spatial,
            "axial_momentum_defect": self.axial,
            "manifold_defect": self.manifold,
            "verdict": self.verdict(),
        })
    }
}
