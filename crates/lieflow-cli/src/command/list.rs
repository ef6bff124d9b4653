//! `lieflow list`: what there is.
//!
//! A listing is a list of columns. The table and the JSON document both walk it.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::Show;
use clap::{Args, ValueEnum};
use lieflow_models::catalogue::{self, CataloguedMethod};
use lieflow_models::problems::PROBLEMS;
use lieflow_models::run::Plan;
use lieflow_models::system::SystemEntry;
use lieflow_report::table::{Column, Table};
use lieflow_reproduce::{Experiment, sources};
use serde_json::{Map, Value as Json, json};

/// Show what there is: systems, methods, problems or experiments
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

/// A column: its key in JSON and its value.
struct Field<T> {
    key: &'static str,
    value: fn(&T) -> Json,
    /// Its head in the table, if another than the key; none for what is in JSON only.
    head: Option<&'static str>,
    /// How the table writes true and false.
    words: [&'static str; 2],
}

const fn field<T>(key: &'static str, value: fn(&T) -> Json) -> Field<T> {
    Field { key, value, head: Some(key), words: ["yes", "no"] }
}

const SYSTEMS: &[Field<SystemEntry>] = &[
    field("id", |s| json!(s.id)),
    field("title", |s| json!(s.title)),
    field("parameters", |s| json!(s.parameters)),
    field("initial", |s| json!(s.initial)),
    field("state", |s| json!(s.state)),
];

const METHODS: &[Field<CataloguedMethod>] = &[
    field("id", |m| json!(m.card.id)),
    field("family", |m| json!(m.card.family)),
    field("order", |m| json!(m.card.order)),
    field("symmetric", |m| json!(m.card.symmetric)),
    field("symplectic", |m| json!(m.card.symplectic)),
    Field {
        head: Some("kind"),
        words: ["implicit", "explicit"],
        ..field("implicit", |m| json!(m.card.implicit))
    },
    field("evaluations", |m| json!(m.card.evaluations)),
    Field { head: Some("pair"), ..field("adaptive", |m| json!(m.card.estimate_power.is_some())) },
    field("conserves", |m| json!(m.card.conserves)),
    field("source", |m| json!(m.card.cite)),
    field("title", |m| json!(m.card.title)),
    Field { head: None, ..field("systems", |m| json!(m.systems)) },
];

/// A built-in problem, opened.
struct Problem {
    id: &'static str,
    system: &'static str,
    title: String,
    plan: Plan,
}

const PROBLEM: &[Field<Problem>] = &[
    field("id", |p| json!(p.id)),
    field("system", |p| json!(p.system)),
    field("title", |p| json!(p.title)),
    field("method", |p| json!(p.plan.method)),
    field("until", |p| json!(p.plan.until)),
];

const EXPERIMENTS: &[Field<Experiment>] = &[
    field("id", |e| json!(e.id)),
    field("paper", |e| json!(e.paper)),
    field("number", |e| json!(e.number)),
    field("claims", |e| json!(e.claims.len())),
    field("title", |e| json!(e.title)),
];

impl Execute for List {
    fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
        match self.what {
            What::Systems => self.list(context.systems.iter(), SYSTEMS),
            What::Methods => self.list(&catalogue::methods_of(context.systems), METHODS),
            What::Problems => self.list(&problems()?, PROBLEM),
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
        let text = || table(&objects, fields).to_text(0);
        self.show.print(&json!(objects), text)
    }
}

fn table<T>(objects: &[Map<String, Json>], fields: &[Field<T>]) -> Table {
    let shown: Vec<_> = fields.iter().filter_map(|field| Some((field, field.head?))).collect();
    let mut table = Table::new([]);
    for (field, head) in &shown {
        let right = objects.iter().any(|object| object[field.key].is_number());
        table.columns.push(Column { name: (*head).into(), right });
    }
    for object in objects {
        table.row(shown.iter().map(|(field, _)| match &object[field.key] {
            Json::Bool(value) => field.words[usize::from(!value)].to_string(),
            Json::String(text) => text.clone(),
            Json::Null => "varies".into(),
            Json::Number(number) => number.as_f64().unwrap_or(f64::NAN).to_string(),
            other => other.to_string(),
        }));
    }
    table
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
