//! The page of a comparison: what an error costs with each method.
use crate::{Subject, number};
use lieflow_models::study::compare::{Comparison, Pick};
use lieflow_models::study::order::{Ladder, Point};
use lieflow_report::figure::{Figure, Series, Style};
use lieflow_report::page::{Chip, Fact, Page, Section};
use lieflow_report::table::{Table, Verdict};

/// The whole page: which one to pick, the front of the best, and all runs folded.
pub fn page(subject: &Subject<'_>, found: &Comparison) -> Page {
    let chip = |p: &Pick| Chip {
        text: format!("error {:.0e}: {}", p.target, p.method),
        verdict: Verdict::Good,
    };
    let facts = vec![
        Fact { name: "methods".into(), value: found.ladders.len().to_string() },
        Fact { name: "errors against".into(), value: found.reference.clone() },
    ];
    let runs = Section { title: "All runs".into(), plots: vec![], tables: vec![runs(found)] };
    Page {
        chips: found.picks.iter().map(chip).collect(),
        facts,
        plots: figures(found),
        tables: if found.picks.is_empty() { vec![] } else { vec![picks(found)] },
        sections: vec![runs],
        ..subject.page(format!("Methods on {}", subject.called()))
    }
}

/// Every run of every method.
fn runs(found: &Comparison) -> Table {
    let heads = ["method", ">order", ">step", ">error", ">evaluations", ">seconds"];
    let mut table = Table::new(heads).titled("All runs", "");
    for ladder in &found.ladders {
        for point in &ladder.points {
            table.row([
                ladder.method.clone(),
                ladder.order.map_or(String::new(), |o| format!("{o:.2}")),
                number(point.step),
                point
                    .outcome
                    .as_ref()
                    .map_or("failed".into(), |errors| format!("{:.3e}", errors.total)),
                point.field_evaluations.to_string(),
                format!("{:.3e}", point.seconds),
            ]);
        }
    }
    table
}

/// The cheapest method for each error.
pub fn picks(found: &Comparison) -> Table {
    let heads = ["error", "method", ">step", ">reached", ">seconds", ">evaluations", "because"];
    let mut table = Table::new(heads).titled(
        "Which one to pick",
        format!("Errors against {}. Times are those of this machine.", found.reference),
    );
    for p in &found.picks {
        table.row([
            format!("{:.0e}", p.target),
            p.method.clone(),
            format!("{:?}", p.step),
            format!("{:.2e}", p.error),
            format!("{:.3e}", p.seconds),
            p.evaluations.to_string(),
            p.reason.clone(),
        ]);
    }
    table
}

/// More methods than this are drawn in the background, unless they are on the front.
const DRAWN: usize = 8;

/// Errors against two measures of cost, with the front of the best: runs that no other one beats in both.
fn figures(found: &Comparison) -> Vec<Figure> {
    let figure = |title: &str, label: &str, cost: fn(&Point) -> f64| {
        let curve = |ladder: &Ladder| -> Vec<(f64, f64)> {
            let points = ladder.points.iter();
            let points = points.filter_map(|p| Some((cost(p), p.outcome.as_ref().ok()?.total)));
            points.filter(|(c, e)| *c > 0.0 && *e > 0.0 && e.is_finite()).collect()
        };
        let curves: Vec<(&str, Vec<(f64, f64)>)> =
            found.ladders.iter().map(|ladder| (ladder.method.as_str(), curve(ladder))).collect();
        let front = front(curves.iter().flat_map(|(_, points)| points.iter().copied()).collect());
        let best = |points: &[(f64, f64)]| points.iter().any(|p| front.contains(p));
        let (on_front, others): (Vec<_>, Vec<_>) =
            curves.iter().partition(|(_, points)| curves.len() <= DRAWN || best(points));
        let mut figure = Figure::new(title, label, "error").log_log();
        for (k, (_, points)) in others.iter().enumerate() {
            let name = if k == 0 { format!("{} others", others.len()) } else { String::new() };
            figure = figure.with(Series::new(name, Style::Faint, points.iter().copied()));
        }
        for (name, points) in on_front {
            figure = figure.with(Series::new(*name, Style::Marked, points.iter().copied()));
        }
        figure.with(Series::new("front of the best", Style::Guide, front))
    };
    vec![
        figure("Error against time", "seconds", |p| p.seconds),
        figure("Error against evaluations", "field evaluations", |p| p.field_evaluations as f64),
    ]
}

/// Points that no other one beats in cost and error, from the cheapest to the most accurate.
fn front(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut least = f64::INFINITY;
    points.retain(|(_, error)| {
        let better = *error < least;
        least = least.min(*error);
        better
    });
    points
}

#[cfg(test)]
mod tests {
    use super::front;

    #[test]
    fn the_front_has_no_beaten_point() {
        let points = vec![(3.0, 0.1), (1.0, 1.0), (2.0, 2.0), (4.0, 0.2), (3.0, 0.05)];
        assert_eq!(front(points), [(1.0, 1.0), (3.0, 0.05)]);
    }
}
