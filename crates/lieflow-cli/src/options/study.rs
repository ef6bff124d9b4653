//! What studies of several methods and steps share.
use super::{ProblemOptions, Show};
use crate::command::Context;
use crate::error::Failure;
use crate::signal;
use clap::Args;
use lieflow_models::method_names::once_each;
use lieflow_models::problem_file::{Document, Number, quoted};
use lieflow_models::run::{Model, Plan};
use lieflow_models::study::{fitting_among, suggested};
use lieflow_pages::Subject;

/// A problem, the methods and the steps.
#[derive(Args, Debug)]
pub struct StudyOptions {
    #[command(flatten)]
    pub problem: ProblemOptions,
    /// Methods to compare; a dozen that are worth trying unless given
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// Step sizes; five around the step of the problem unless given
    #[arg(long, value_name = "H1,H2,…", value_delimiter = ',', allow_hyphen_values = true)]
    steps: Vec<String>,
    /// All methods that fit the system
    #[arg(long, conflicts_with = "methods")]
    pub all: bool,
}

/// A study ready to begin.
pub struct Opened {
    pub document: Document,
    pub model: Box<dyn Model>,
    pub plan: Plan,
    /// The steps that were typed.
    pub steps: Vec<f64>,
}

impl Opened {
    /// A dozen worth trying, the one of the problem among them.
    pub fn worth_trying(&self) -> Vec<String> {
        suggested(self.model.as_ref(), &self.plan)
    }
}

impl StudyOptions {
    /// Opens the problem and reads the steps.
    pub fn open(&self, context: &Context<'_>, show: Show) -> Result<Opened, Failure> {
        let document = self.problem.open(context)?;
        let model = document.build()?;
        let mut plan = document.plan()?;
        plan.stop = signal::stop();
        document.warn_of_kinks(model.as_ref(), "studies of many steps count on smoothness");
        show.warn(&document);
        let length = (plan.until - plan.from).abs();
        let steps = self.steps.iter().map(|text| read_step(text, length));
        let steps = steps.collect::<Result<_, _>>()?;
        Ok(Opened { document, model, plan, steps })
    }

    /// The methods that were typed; or all that fit, or those of `others`.
    pub fn methods_or(&self, opened: &Opened, others: fn(&Opened) -> Vec<String>) -> Vec<String> {
        match self.methods.is_empty() {
            false => self.methods.clone(),
            true if self.all => fitting_among(opened.model.as_ref(), &opened.plan, once_each),
            true => others(opened),
        }
    }

    /// What the page says about the problem.
    pub fn subject(&self, document: &Document, context: &Context<'_>) -> Subject<'_> {
        let (problem, command) = (document.to_toml(), context.line.clone());
        let title = document.title().map(String::from);
        Subject { name: self.problem.name(), title, problem, command }
    }
}

/// More steps than this cannot be counted.
const MOST_STEPS: f64 = 9e15;

/// A step for an interval of this length.
fn read_step(text: &str, length: f64) -> Result<f64, Failure> {
    let expected = match text.trim().parse::<f64>() {
        Ok(step) if step > 0.0 && step.is_finite() => {
            if length / step < MOST_STEPS {
                return Ok(step);
            }
            format!("steps that reach {} in less than 9e15 of them", Number(length))
        }
        _ => "finite numbers above zero, separated by commas".into(),
    };
    Err(Failure::Option { option: "--steps", found: quoted(text), expected })
}
