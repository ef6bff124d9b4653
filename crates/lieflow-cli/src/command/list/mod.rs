//! `lieflow list`: what there is.
//!
//! A listing is a list of columns. The table and the JSON document both walk it.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::Show;
use clap::{Args, ValueEnum};
use lieflow_models::problems::PROBLEMS;
use lieflow_reproduce::{Experiment, sources};
use serde_json::{Map, Value as Json, json};

mod columns;
mod filter;
mod layout;

use columns::{EXPERIMENTS, Field, METHODS, PROBLEM, Problem, SYSTEMS};
use filter::Filter;

/// Show what there is: systems, methods, problems or experiments
#[derive(Args, Debug)]
pub struct List {
    /// Of what
    #[arg(value_enum)]
    what: What,
    #[command(flatten)]
    filter: Filter,
    /// All columns in full length, however wide
    #[arg(long)]
    wide: bool,
    #[command(flatten)]
    show: Show,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Mechanical systems, with their parameters
    Systems,
    /// Methods, with what they conserve and cost
    Methods,
    /// Built-in problems
    Problems,
    /// Published experiments that can be run again
    Experiments,
}

impl Execute for List {
    fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
        self.filter.check(self.what, context)?;
        match self.what {
            What::Systems => {
                let systems = context.systems.iter().filter(|s| self.filter.takes_system(s.id));
                self.list(systems, SYSTEMS)
            }
            What::Methods => self.list(&self.filter.methods(context)?, METHODS),
            What::Problems => {
                let mut problems = problems()?;
                problems.retain(|problem| self.filter.takes_system(problem.system));
                self.list(&problems, PROBLEM)
            }
            What::Experiments => self.list(&experiments()?, EXPERIMENTS),
        }
    }
}

impl List {
    fn list<'a, T: 'a>(
        &self,
        items: impl IntoIterator<Item = &'a T>,
        fields: &[Field<T>],
    ) -> Result<(), Failure> {
        let object = |item: &T| -> Map<String, Json> {
            fields.iter().map(|field| (field.key.into(), (field.value)(item))).collect()
        };
        let objects: Vec<Map<String, Json>> = items.into_iter().map(object).collect();
        if self.show.json {
            return self.show.print(&json!(objects), String::new);
        }
        if objects.is_empty() {
            return self.show.print(&Json::Null, || "none\n".into());
        }
        let listing = layout::listing(&objects, fields, self.wide);
        self.show.print(&Json::Null, || listing.text)?;
        if listing.cut && self.show.on_terminal() {
            self.show.say("(--wide shows every column in full, --json all there is)");
        }
        Ok(())
    }
}

fn problems() -> Result<Vec<Problem>, Failure> {
    let open = |problem: &lieflow_models::problems::Builtin| {
        let (title, document) = problem.open()?;
        let (system, plan) = (document.system(), document.plan()?);
        Ok(Problem { id: problem.id, system, title, plan })
    };
    PROBLEMS.iter().map(open).collect()
}

fn experiments() -> Result<Vec<Experiment>, Failure> {
    Ok(sources().iter().map(|s| Experiment::parse(s.id, s.text)).collect::<Result<_, _>>()?)
}
