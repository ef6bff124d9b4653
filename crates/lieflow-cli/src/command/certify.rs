//! `lieflow certify`: the structure of a one-step map, measured.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{StudyOutput, settings};
use crate::output::message;
use clap::Args;
use lieflow_certify::{Certificate, certifiable, certify, test_problems};
use lieflow_models::study::StudyError;
use lieflow_pages::Subject;
use lieflow_pages::certify::{page, table};
use serde_json::Value as Json;

/// Structure of the one-step map, measured: symplecticity, symmetry, momentum, manifold, order
#[derive(Args, Debug)]
pub struct Certify {
    /// Methods by id, or `all`
    #[arg(required = true)]
    methods: Vec<String>,
    #[arg(
        long,
        value_name = "NAME",
        help = format!(
            "Measure on this problem, the first one that fits unless given: {}",
            test_problems().join(", ")
        )
    )]
    problem: Option<String>,
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
    fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
        let all = self.methods.iter().any(|m| m == "all");
        let methods: Vec<String> = if all {
            certifiable().into_iter().map(|(method, _)| method).collect()
        } else {
            self.methods
        };
        let settings = settings(&self.set)?;
        let mut certificates = Vec::new();
        for method in &methods {
            match certify(method, self.problem.as_deref(), &settings) {
                Ok(certificate) => certificates.push(certificate),
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
