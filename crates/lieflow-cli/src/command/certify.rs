//! `lieflow certify`: the structure of a one-step map, measured.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{StudyOutput, problem_text, settings};
use crate::output::message;
use crate::signal;
use clap::Args;
use lieflow_certify::{Certificate, Source, certifiable, certify, certify_on, test_problems};
use lieflow_models::problem_file::Setting;
use lieflow_models::problems;
use lieflow_models::study::{StudyError, fitting};
use lieflow_pages::Subject;
use lieflow_pages::certify::{page, table};
use serde_json::Value as Json;

/// Structure of the one-step map, measured: symplecticity, symmetry, momentum, manifold, order
#[derive(Args, Debug)]
#[command(override_usage = "lieflow certify [OPTIONS] <METHOD>... [PROBLEM]")]
pub struct Certify {
    /// Methods by id, or `all`; after them a problem or a file to measure on, if it is not to be
    /// one of those for certificates
    #[arg(required = true, value_name = "METHOD")]
    methods: Vec<String>,
    #[arg(
        long,
        value_name = "NAME",
        help = format!(
            "Measure on this problem, built-in or a file; the first one that fits unless given, of: {}",
            test_problems().join(", ")
        )
    )]
    problem: Option<String>,
    /// Measure with this step; that of the problem unless given
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    step: Option<String>,
    // Not a doc comment: rustdoc would take the brackets for a link.
    #[arg(
        long,
        value_name = "KEY=VALUE",
        help = "Any key of that problem, such as parameters.space=hamiltonian; may be repeated"
    )]
    set: Vec<String>,
    #[command(flatten)]
    output: StudyOutput,
}

impl Execute for Certify {
    fn execute(mut self, context: &Context<'_>) -> Result<(), Failure> {
        let named = self.methods.last().is_some_and(|word| is_problem(word));
        let last = if self.methods.len() > 1 && named { self.methods.pop() } else { None };
        let problem = self.problem.or(last);
        let settings = settings(&self.set)?;
        let step = self.step.as_deref().map(read_step).transpose()?;
        let source = problem.as_deref().map(|name| source(context, name, &settings)).transpose()?;
        let all = self.methods.iter().any(|m| m == "all");
        let methods = match (all, &source) {
            (false, _) => self.methods,
            (true, None) => certifiable().into_iter().map(|(method, _)| method).collect(),
            (true, Some(source)) => {
                let document = source.document(&[])?;
                fitting(document.build()?.as_ref(), &document.plan()?.plain())
            }
        };
        let mut certificates = Vec::new();
        let stop = signal::stop();
        for method in &methods {
            let certificate = match &source {
                Some(source) => certify_on(method, source, step),
                None => certify(method, &settings, step, &stop),
            };
            match certificate {
                Ok(certificate) => certificates.push(certificate),
                // Those that are whole are shown and written.
                Err(_) if stop.asked() => break,
                // One method among all that cannot make a step does not stop the others.
                Err(error) if all && !error.is_input() => message(&format!("{method}: {error}")),
                Err(StudyError::Run(error)) => return Err(error.into()),
                Err(error) => return Err(error.into()),
            }
        }
        let json = match certificates.as_slice() {
            [one] if !all => one.to_json(),
            many => Json::Array(many.iter().map(Certificate::to_json).collect()),
        };
        let subject = Subject { command: context.line.clone(), ..Subject::default() };
        self.output.deliver(
            "certify",
            &json,
            || page(&subject, &certificates),
            || table(&certificates).to_text(0),
        )
    }
}

/// Whether a word names a problem: no method has such a name.
fn is_problem(word: &str) -> bool {
    let toml = word.to_ascii_lowercase().ends_with(".toml");
    toml || word == "-" || problems::find(word).is_some() || word.contains(std::path::is_separator)
}

/// The problem of this name.
fn source<'a>(
    context: &Context<'a>,
    name: &str,
    settings: &[Setting],
) -> Result<Source<'a>, Failure> {
    let (text, origin) = problem_text(name)?;
    let (name, settings) = (name.to_string(), settings.to_vec());
    let (systems, stop) = (context.systems, signal::stop());
    Ok(Source { systems, name, origin, text, settings, stop })
}

fn read_step(text: &str) -> Result<f64, Failure> {
    let step = text.trim().parse::<f64>().ok().filter(|step| *step > 0.0 && step.is_finite());
    step.ok_or_else(|| Failure::Option {
        option: "--step",
        found: format!("{text:?}"),
        expected: "a finite number above zero".into(),
    })
}
