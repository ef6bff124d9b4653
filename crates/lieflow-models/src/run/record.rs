//! What a run yields: one plain record, which everything that is printed is made from.
use super::Scale;
use crate::problem_file::Warning;
use lieflow::archive::Archive;
use lieflow::method::{Corrections, Cost};
use lieflow::problem::{Described, Value};
use lieflow::stepping::Invariant;
use serde_json::{Map, Value as Json, json};

/// A state in words and numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The time.
    pub t: f64,
    /// Its named parts.
    pub parts: Vec<(&'static str, Value)>,
    /// What a file asks to be computed of it.
    pub observables: Vec<(&'static str, Value)>,
}

impl State {
    /// A state with these parts and no observables.
    pub fn new(t: f64, parts: Vec<(&'static str, Value)>) -> Self {
        Self { t, parts, observables: Vec::new() }
    }

    /// The state `y` of a system.
    pub fn of<P: Described>(p: &P, t: f64, y: &P::Point) -> Self {
        Self { t, parts: p.describe(t, y), observables: p.observables(t, y) }
    }

    /// The state `y` of a system without observables.
    pub fn plain<P: Described>(p: &P, t: f64, y: &P::Point) -> Self {
        Self::new(t, p.describe(t, y))
    }

    /// Names its numbers; the names and shapes of its parts are those of all states of a run.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.number(&mut self.t);
        let parts = self.parts.iter_mut().chain(&mut self.observables);
        parts.for_each(|(_, value)| value.archive(archive));
    }

    /// The parts, and then the observables.
    pub fn values(&self) -> impl Iterator<Item = &(&'static str, Value)> {
        self.parts.iter().chain(&self.observables)
    }

    /// A part by name.
    pub fn part(&self, name: &str) -> Option<&Value> {
        self.parts.iter().find(|(n, _)| *n == name).map(|(_, value)| value)
    }

    /// As JSON: `t`, then the parts.
    pub fn to_json(&self) -> Json {
        let mut map = Map::new();
        map.insert("t".into(), json!(self.t));
        for (name, value) in &self.parts {
            map.insert((*name).into(), value_json(value));
        }
        Json::Object(map)
    }
}

fn value_json(value: &Value) -> Json {
    match value {
        Value::Number(x) => json!(x),
        Value::Numbers(x) => json!(x),
        Value::Vector(v) => json!(v),
        Value::Vectors(v) => json!(v),
        Value::Rotation(r) => json!(r),
    }
}

/// What ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The end of the interval, or a failure before it.
    End,
    /// An event.
    Event,
    /// Whoever was watching.
    Interrupted,
}

impl Ended {
    /// As a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Event => "event",
            Self::Interrupted => "interrupted",
        }
    }
}

/// An event that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRecord {
    /// Its name.
    pub name: &'static str,
    /// The state, before the change if the event makes one.
    pub state: State,
}

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The system.
    pub system: &'static str,
    /// The method.
    pub method: String,
    /// Initial time.
    pub from: f64,
    /// Final time that was asked for.
    pub until: f64,
    /// Accepted steps.
    pub steps: u64,
    /// Rejected steps.
    pub rejected: u64,
    /// The last state.
    pub state: State,
    /// What ended the run.
    pub ended: Ended,
    /// What happened on the way, in order.
    pub events: Vec<EventRecord>,
    /// The invariants.
    pub invariants: Vec<Invariant>,
    /// By what the changes of each are measured.
    pub scales: Vec<Scale>,
    /// The largest distance from the manifold.
    pub manifold_error: f64,
    /// What it cost.
    pub cost: Cost,
    /// For methods that correct their steps or their field: how often they did.
    pub corrections: Option<Corrections>,
    /// How often rotations were brought back, if the plan asks for it.
    pub polar_corrections: Option<u64>,
    /// Wall-clock time.
    pub seconds: f64,
    /// Files that were written.
    pub files: Vec<String>,
    /// What was suspicious in the problem.
    pub warnings: Vec<Warning>,
    /// Why the run stopped before its end, if it did.
    pub failure: Option<String>,
}

impl Record {
    /// The document of `run --json`. Numbers read back with the same bits; those that are not
    /// finite are null.
    pub fn to_json(&self) -> Json {
        let invariants: Map<String, Json> = self
            .invariants
            .iter()
            .enumerate()
            .map(|(k, q)| {
                let size = self.scales.get(k).and_then(Scale::size);
                let entry = json!({
                    "initial": q.initial, "final": q.last,
                    "max_error": q.max_error, "slope": q.slope(), "size": size,
                });
                (q.name.to_string(), entry)
            })
            .collect();
        let mut document = json!({
            "system": self.system, "method": self.method,
            "from": self.from, "until": self.until,
            "steps": self.steps, "rejected": self.rejected,
            "state": self.state.to_json(),
            "invariants": invariants,
            "manifold_error": self.manifold_error,
            "cost": {
                "field_evaluations": self.cost.field_evaluations,
                "exponentials": self.cost.exponentials,
                "newton_iterations": self.cost.newton_iterations,
                "seconds": self.seconds,
            },
            "files": self.files,
        });
        if let Json::Object(map) = &mut document {
            map.insert("ended".into(), json!(self.ended.word()));
            let list = self.state.observables.iter();
            let list = list.map(|(name, value)| ((*name).to_string(), value_json(value)));
            map.insert("observables".into(), list.collect::<Map<_, _>>().into());
            let event = |event: &EventRecord| json!({ "name": event.name, "t": event.state.t, "state": event.state.to_json() });
            map.insert("events".into(), self.events.iter().map(event).collect());
            if let Some(count) = self.polar_corrections {
                map.insert("polar_corrections".into(), json!(count));
            }
            if let Some(count) = &self.corrections {
                let count = json!({ "made": count.made, "skipped": count.skipped });
                map.insert("corrections".into(), count);
            }
            if !self.warnings.is_empty() {
                let texts: Vec<String> = self.warnings.iter().map(Warning::to_string).collect();
                map.insert("warnings".into(), json!(texts));
            }
            if let Some(failure) = &self.failure {
                map.insert("failure".into(), json!(failure));
            }
        }
        document
    }
}
