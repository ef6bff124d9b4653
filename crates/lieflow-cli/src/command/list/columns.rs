//! The columns of the listings.
use lieflow_models::catalogue::CataloguedMethod;
use lieflow_models::run::Plan;
use lieflow_models::system::SystemEntry;
use lieflow_reproduce::Experiment;
use serde_json::{Value as Json, json};

/// A column: its key in JSON and its value.
pub struct Field<T> {
    pub key: &'static str,
    pub value: fn(&T) -> Json,
    /// Its head in the table, if another than the key.
    pub head: &'static str,
    /// How the table writes true and false.
    pub words: [&'static str; 2],
    /// Where it is shown.
    pub shown: Shown,
}

/// Where a column is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// In every table.
    Always,
    /// In every table, the last column: cut where the line would be too long.
    Cut,
    /// With `--wide`.
    Wide,
    /// In JSON only.
    Json,
}

const fn field<T>(key: &'static str, value: fn(&T) -> Json) -> Field<T> {
    Field { key, value, head: key, words: ["yes", "no"], shown: Shown::Always }
}

const fn headed<T>(key: &'static str, head: &'static str, value: fn(&T) -> Json) -> Field<T> {
    Field { head, ..field(key, value) }
}

const fn shown<T>(shown: Shown, key: &'static str, value: fn(&T) -> Json) -> Field<T> {
    Field { shown, ..field(key, value) }
}

pub const SYSTEMS: &[Field<SystemEntry>] = &[
    field("id", |s| json!(s.id)),
    field("title", |s| json!(s.title)),
    shown(Shown::Cut, "parameters", |s| json!(s.parameters)),
    shown(Shown::Wide, "initial", |s| json!(s.initial)),
    shown(Shown::Wide, "state", |s| json!(s.state)),
];

pub const METHODS: &[Field<CataloguedMethod>] = &[
    field("id", |m| json!(m.card.id)),
    field("family", |m| json!(m.card.family)),
    field("order", |m| json!(m.card.order)),
    headed("symmetric", "symm", |m| json!(m.card.symmetric)),
    headed("symplectic", "sympl", |m| json!(m.card.symplectic)),
    Field { words: ["impl", "expl"], ..headed("implicit", "kind", |m| json!(m.card.implicit)) },
    headed("evaluations", "evals", |m| json!(m.card.evaluations)),
    headed("adaptive", "tol", |m| json!(m.card.keeps_tolerance())),
    shown(Shown::Json, "pair", |m| json!(m.card.estimate_power.is_some())),
    shown(Shown::Cut, "conserves", |m| json!(m.card.conserves)),
    shown(Shown::Wide, "forced", |m| json!(m.card.when_forced())),
    shown(Shown::Wide, "source", |m| json!(m.card.cite)),
    shown(Shown::Wide, "title", |m| json!(m.card.title)),
    shown(Shown::Json, "systems", |m| json!(m.systems)),
];

/// A built-in problem, opened.
pub struct Problem {
    pub id: &'static str,
    pub system: &'static str,
    pub title: String,
    pub plan: Plan,
}

pub const PROBLEM: &[Field<Problem>] = &[
    field("id", |p| json!(p.id)),
    field("system", |p| json!(p.system)),
    shown(Shown::Cut, "title", |p| json!(p.title)),
    field("method", |p| json!(p.plan.method)),
    field("until", |p| json!(p.plan.until)),
];

pub const EXPERIMENTS: &[Field<Experiment>] = &[
    field("id", |e| json!(e.id)),
    field("paper", |e| json!(e.paper)),
    field("number", |e| json!(e.number)),
    field("claims", |e| json!(e.claims.len())),
    shown(Shown::Cut, "title", |e| json!(e.title)),
];
