//! `lieflow order`: convergence study.
use crate::error::Failure;
use crate::options::{Changes, Show};
use crate::output::table::Columns;
use crate::output::{message, print, print_json, write_report};
use crate::report::study_page;
use crate::source;
use clap::Args;
use lieflow_models::study::fitting;
use lieflow_models::study::order::{Ladder, OrderStudy};
use lieflow_report::figure::{Figure, Series, Style};
use std::io::IsTerminal;
use std::path::PathBuf;

/// Convergence study.
#[derive(Args, Debug)]
pub struct Order {
    /// A built-in problem (see `lieflow list problems`) or a problem file
    problem: String,
    #[command(flatten)]
    changes: Changes,
    /// Methods to compare; all that fit the system unless given
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    methods: Vec<String>,
    /// Step sizes; five around the step of the problem unless given
    #[arg(long, value_name = "H1,H2,…", value_delimiter = ',', allow_hyphen_values = true)]
    steps: Vec<String>,
    /// Write order.json, figures and report.html into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    show: Show,
}

impl Order {
    /// Carries it out.
    pub fn execute(self) -> Result<(), Failure> {
        let document = source::open(&self.problem, &self.changes.settings()?)?;
        let model = document.build()?;
        let plan = document.plan()?;
        let warnings = document.warnings();
        if !self.show.quiet {
            warnings.iter().for_each(|warning| message(&format!("warning: {warning}")));
        }
        let steps = steps(&self.steps)?;
        let mut methods = self.methods;
        if methods.is_empty() {
            methods = match &self.changes.method {
                Some(method) => vec![method.clone()],
                None => fitting(model.as_ref(), &plan),
            };
        }
        let study = OrderStudy::new(model.as_ref(), &plan, &methods, &steps)?;
        let ladders = study.run(&mut |method| {
            if !self.show.quiet && std::io::stderr().is_terminal() {
                message(&format!("running {method}"));
            }
        })?;
        let json = study.to_json(&ladders);
        if let Some(dir) = &self.out {
            let title = format!("Convergence on {}", self.problem);
            let page = study_page(title, figures(&study, &ladders), vec![], document.to_toml());
            write_report(dir, "order", &json, &page)?;
        }
        if self.show.json {
            print_json(&json)?;
        } else if !self.show.quiet {
            print(&report(&study, &ladders))?;
        }
        Ok(())
    }
}

/// Step sizes from the command line.
pub fn steps(texts: &[String]) -> Result<Vec<f64>, Failure> {
    let one = |text: &String| match text.trim().parse::<f64>() {
        Ok(step) if step > 0.0 && step.is_finite() => Ok(step),
        _ => Err(Failure::Option {
            option: "--steps",
            found: format!("{text:?}"),
            expected: "finite numbers above zero, separated by commas".into(),
        }),
    };
    texts.iter().map(one).collect()
}

fn report(study: &OrderStudy<'_>, ladders: &[Ladder]) -> String {
    let reference = study.reference();
    let mut text = format!(
        "errors at t = {} against {} with step {:e}, itself accurate to about {:.1e}\n",
        study.until(),
        reference.method,
        reference.step,
        reference.uncertainty
    );
    for ladder in ladders {
        let order = |o: Option<f64>| o.map_or("not seen".into(), |o| format!("{o:.2}"));
        text += &format!(
            "\n{}: observed order {} (stated {})\n",
            ladder.method,
            order(ladder.order),
            ladder.stated
        );
        let parts = study.parts();
        let mut header = vec![">step".to_string(), ">error".into(), ">rate".into()];
        header.extend(parts.iter().map(|part| format!(">{part}")));
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        let mut table = Columns::new(&header);
        for point in &ladder.points {
            let mut row = vec![format!("{:?}", point.step)];
            match &point.outcome {
                Ok(errors) => {
                    row.push(format!("{:.3e}", errors.total));
                    row.push(point.rate.map_or(String::new(), |r| format!("{r:.2}")));
                    row.extend(errors.parts.iter().map(|(_, e)| format!("{e:.3e}")));
                }
                Err(failure) => row.push(failure.to_string()),
            }
            table.row(row);
        }
        text += &table.render(2);
    }
    text
}

/// Errors against the step, one figure per part.
fn figures(study: &OrderStudy<'_>, ladders: &[Ladder]) -> Vec<Figure> {
    let part = |(k, name): (usize, &&str)| {
        let mut figure = Figure::new(format!("Error in {name}"), "step", "error").log_log();
        for ladder in ladders {
            let points = ladder.points.iter();
            let points =
                points.filter_map(|p| Some((p.step, p.outcome.as_ref().ok()?.parts.get(k)?.1)));
            figure = figure.with(Series::new(ladder.method.as_str(), Style::Marked, points));
        }
        figure
    };
    study.parts().iter().enumerate().map(part).collect()
}
