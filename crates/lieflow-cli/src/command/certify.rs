//! `lieflow certify`: the structure of a one-step map, measured.
use crate::error::Failure;
use crate::options::Show;
use crate::output::table::Columns;
use crate::output::{message, print, print_json, write_report};
use crate::report::study_page;
use clap::Args;
use lieflow_certify::{Certificate, benches, certifiable, certify};
use lieflow_models::door::Setting;
use lieflow_models::study::StudyError;
use lieflow_report::page::{Table, Verdict};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// Structure of the one-step map, measured.
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
            benches().join(", ")
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
    /// Write certify.json and report.html into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    show: Show,
}

impl Certify {
    /// Carries it out.
    pub fn execute(self) -> Result<(), Failure> {
        let all = self.methods.iter().any(|m| m == "all");
        let methods: Vec<String> = if all {
            certifiable().into_iter().map(|(method, _)| method).collect()
        } else {
            self.methods.clone()
        };
        let settings = self.set.iter().map(|set| Setting::parse("--set", set));
        let settings = settings.collect::<Result<Vec<_>, _>>()?;
        let mut certificates = Vec::new();
        for method in &methods {
            match certify(method, self.problem.as_deref(), &settings) {
                Ok(certificate) => certificates.push(certificate),
                // One method among all that cannot make a step does not stop the others.
                Err(error) if all && !error.is_input() => {
                    message(&format!("{method}: {error}"));
                }
                Err(StudyError::Run(error)) => return Err(error.into()),
                Err(error) => return Err(error.into()),
            }
        }
        let json = match certificates.as_slice() {
            [one] if !all => one.to_json(),
            many => Json::Array(many.iter().map(Certificate::to_json).collect()),
        };
        if let Some(dir) = &self.out {
            let page = study_page(
                "Certificates".into(),
                vec![],
                vec![table(&certificates)],
                String::new(),
            );
            write_report(dir, "certify", &json!(json), &page)?;
        }
        if self.show.json {
            print_json(&json)
        } else if self.show.quiet {
            Ok(())
        } else {
            let mut columns = Columns::new(&HEAD);
            certificates.iter().for_each(|c| columns.row(row(c)));
            print(&columns.render(0))
        }
    }
}

const HEAD: [&str; 10] = [
    "method",
    "problem",
    ">order",
    "orders of the parts",
    ">symplectic",
    "form",
    ">symmetric",
    ">momentum",
    ">manifold",
    "verdict",
];

fn row(c: &Certificate) -> Vec<String> {
    let defect = |d: Option<f64>| d.map_or("–".into(), |d| format!("{d:.1e}"));
    let order = |o: Option<f64>| o.map_or("–".into(), |o| format!("{o:.2}"));
    let parts: Vec<String> = c.orders.iter().map(|(n, o)| format!("{n} {}", order(*o))).collect();
    vec![
        c.method.clone(),
        c.problem.into(),
        order(c.order),
        parts.join(", "),
        defect(c.structure.symplectic),
        c.structure.form.unwrap_or("–").into(),
        defect(Some(c.structure.symmetric)),
        defect(c.momentum),
        defect(Some(c.manifold)),
        c.verdict(),
    ]
}

fn table(certificates: &[Certificate]) -> Table {
    let mark = |c: &Certificate| match c.symplectic() {
        Some(true) => Verdict::Good,
        _ => Verdict::Plain,
    };
    Table {
        title: "Structure of the one-step maps".into(),
        columns: HEAD.map(|h| h.trim_start_matches('>').to_string()).into(),
        rows: certificates.iter().map(|c| (row(c), mark(c))).collect(),
        note: "Defects: |JᵀΩJ − Ω| of the form, or |DBDᵀ − B| of the Poisson tensor, by dual numbers; |Φ₋ₕΦₕ − id|, largest relative change of \
               momenta that symmetries conserve, largest distance from the manifold."
            .into(),
    }
}
