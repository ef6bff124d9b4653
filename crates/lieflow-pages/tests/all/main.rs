//! Pages of real runs.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod film;
mod run;
mod trades;

use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::run::{Model, Plan, Record};
use lieflow_pages::{RunReport, Samples};
use lieflow_report::page::Page;

/// A built-in problem that has been run, with what its page needs.
pub struct Ran {
    pub document: Document,
    pub model: Box<dyn Model>,
    pub plan: Plan,
    pub record: Record,
    pub samples: Samples,
}

impl Ran {
    /// Runs a built-in problem with some keys set, `key=value` each, for a short time if it is long.
    pub fn problem(id: &str, settings: &[&str]) -> Self {
        let settings: Vec<Setting> =
            settings.iter().map(|s| Setting::parse("--set", s).unwrap()).collect();
        let document = Document::parse(problems::find(id).unwrap().text, id, &settings).unwrap();
        let model = document.build().unwrap();
        let mut plan = document.plan().unwrap();
        plan.until = plan.until.min(plan.from + 5.0);
        let mut samples = Samples::default();
        let record = model.run(&plan, &mut samples).unwrap();
        Self { document, model, plan, record, samples }
    }

    pub fn page(&self) -> Page {
        let problem = self.document.to_json();
        let report = RunReport {
            name: "problem",
            problem: &problem,
            text: self.document.to_toml(),
            record: &self.record,
            model: self.model.as_ref(),
            plan: &self.plan,
            card: &self.model.check(&self.plan).unwrap(),
            samples: &self.samples,
        };
        report.page()
    }
}
