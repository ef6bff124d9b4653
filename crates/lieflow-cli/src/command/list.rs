//! `lieflow list`: what there is.
use crate::error::Failure;
use crate::options::Show;
use crate::output::table::Columns;
use crate::output::{print, print_json};
use clap::{Args, ValueEnum};
use lieflow_models::catalogue;
use lieflow_models::problems::PROBLEMS;
use lieflow_models::system::SYSTEMS;
use lieflow_reproduce::{Experiment, sources};
use serde_json::{Value as Json, json};

/// Show what there is.
#[derive(Args, Debug)]
pub struct List {
    /// Of what
    #[arg(value_enum)]
    what: What,
    #[command(flatten)]
    show: Show,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
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

impl List {
    /// Carries it out.
    pub fn execute(self) -> Result<(), Failure> {
        let (table, json) = match self.what {
            What::Systems => systems(),
            What::Methods => methods(),
            What::Problems => problems()?,
            What::Experiments => experiments()?,
        };
        if self.show.json {
            print_json(&Json::Array(json))
        } else if self.show.quiet {
            Ok(())
        } else {
            print(&table.render(0))
        }
    }
}

fn systems() -> (Columns, Vec<Json>) {
    let mut table = Columns::new(&["id", "title", "parameters", "initial", "state"]);
    let json = SYSTEMS.iter().map(|s| {
        table.row([s.id, s.title, s.parameters, s.initial, s.state]);
        json!({
            "id": s.id, "title": s.title, "parameters": s.parameters,
            "initial": s.initial, "state": s.state,
        })
    });
    let json = json.collect();
    (table, json)
}

fn methods() -> (Columns, Vec<Json>) {
    let mut table = Columns::new(&[
        "id",
        "family",
        ">order",
        "symmetric",
        "symplectic",
        "kind",
        ">evaluations",
        "pair",
        "conserves",
        "source",
        "title",
    ]);
    let yes = |b: bool| if b { "yes" } else { "no" };
    let json = catalogue::methods().into_iter().map(|listed| {
        let c = listed.card;
        let kind = if c.implicit { "implicit" } else { "explicit" };
        table.row([
            c.id.to_string(),
            c.family.into(),
            c.order.to_string(),
            yes(c.symmetric).into(),
            yes(c.symplectic).into(),
            kind.into(),
            c.evaluations.map_or("varies".into(), |n| n.to_string()),
            yes(c.estimate_power.is_some()).into(),
            c.conserves.into(),
            c.cite.into(),
            c.title.into(),
        ]);
        json!({
            "id": c.id, "title": c.title, "family": c.family, "order": c.order,
            "symmetric": c.symmetric, "symplectic": c.symplectic, "conserves": c.conserves,
            "implicit": c.implicit, "evaluations": c.evaluations,
            "adaptive": c.estimate_power.is_some(), "source": c.cite, "systems": listed.systems,
        })
    });
    let json = json.collect();
    (table, json)
}

fn problems() -> Result<(Columns, Vec<Json>), Failure> {
    let mut table = Columns::new(&["id", "system", "title", "method", ">until"]);
    let mut json = Vec::new();
    for problem in PROBLEMS {
        let (title, document) = problem.open()?;
        let plan = document.plan()?;
        let system = document.system();
        let until = plan.until.to_string();
        table.row([problem.id, system, &title, &plan.method, &until]);
        json.push(json!({
            "id": problem.id, "title": title, "system": system,
            "method": plan.method, "until": plan.until,
        }));
    }
    Ok((table, json))
}

fn experiments() -> Result<(Columns, Vec<Json>), Failure> {
    let mut table = Columns::new(&["id", "paper", "number", ">claims", "title"]);
    let mut json = Vec::new();
    for source in sources() {
        let e = Experiment::parse(source.id, source.text)?;
        let claims = e.claims.len();
        table.row([&e.id, &e.paper, &e.number, &claims.to_string(), &e.title]);
        json.push(json!({
            "id": e.id, "title": e.title, "paper": e.paper, "number": e.number, "claims": claims,
        }));
    }
    Ok((table, json))
}
