//! Pages from what was computed: a record goes in, a page as plain data comes out.
//!
//! | page of | function |
//! | --- | --- |
//! | one run | [`RunReport::page`], from the states that [`Samples`] kept |
//! | an ensemble | [`ensemble::page`] |
//! | a study | [`order::page`], [`drift::page`], [`compare::page`], [`certify::page`] |
//!
//! Nothing here reads a clock, a file or the command line, so that the tool, a notebook and a viewer
//! show the same page. `lieflow_report::page::render` turns it into one HTML document.
pub mod certify;
pub mod compare;
pub mod drift;
pub mod ensemble;
pub mod order;
mod run;
mod samples;
mod scene;

pub use run::RunReport;
pub use samples::Samples;
pub use scene::scene;

use lieflow_report::figure::Figure;
use lieflow_report::page::Page;
use lieflow_report::table::Table;

/// What a study was made of.
#[derive(Clone, Debug, Default)]
pub struct Subject<'a> {
    /// The problem, by name or file.
    pub name: &'a str,
    /// The problem file with all settings.
    pub problem: String,
    /// The command that makes the page again.
    pub command: String,
}

impl Subject<'_> {
    /// Tables and plots, without a moving picture.
    fn page(&self, title: String, plots: Vec<Figure>, tables: Vec<Table>) -> Page {
        Page {
            title,
            subtitle: String::new(),
            facts: Vec::new(),
            tables,
            plots,
            scene: None,
            problem: self.problem.clone(),
            command: self.command.clone(),
        }
    }
}
