//! The page of a convergence study: errors against the step.
use crate::Subject;
use lieflow_models::study::order::{Ladder, OrderStudy};
use lieflow_report::figure::{Figure, Series, Style};
use lieflow_report::page::Page;

/// The whole page.
pub fn page(subject: &Subject<'_>, study: &OrderStudy<'_>, ladders: &[Ladder]) -> Page {
    Page { plots: figures(study, ladders), ..subject.page(format!("Convergence on {}", subject.called())) }
}

/// One figure per part of the state.
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
