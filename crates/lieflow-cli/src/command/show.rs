//! `lieflow show`: a built-in problem as a file to begin with.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::output::print;
use clap::Args;
use lieflow_models::problem_file::Place;
use lieflow_models::problems;

/// Print a built-in problem as a file: a template for your own
#[derive(Args, Debug)]
pub struct Show {
    /// A built-in problem (see `lieflow list problems`)
    #[arg(value_name = "NAME")]
    problem: String,
}

impl Execute for Show {
    fn execute(self, _: &Context<'_>) -> Result<(), Failure> {
        let Some(problem) = problems::find(&self.problem) else {
            let place = Place::whole("argument");
            return Err(problems::unknown(place, "problem", &self.problem).into());
        };
        print(problem.text)
    }
}
