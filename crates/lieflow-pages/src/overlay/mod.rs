//! The page of several runs laid over each other, from the files that they wrote.
use crate::number;
use crate::thinning::{Thinning, halve};
use lieflow_report::figure::{Figure, Series, Style};
use lieflow_report::page::{Chip, Column, Columns, Fact, Page, Section};
use lieflow_report::table::{Table, Verdict};
use serde_json::Value as Json;
use std::io::{self, BufRead};

mod film;

/// The most rows of a run that are kept.
const MOST: usize = 1500;
/// The most figures that are not folded.
const FIRST: usize = 8;
/// The most figures in all.
const DRAWN: usize = 60;

/// Why a trajectory cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OverlayError {
    /// The stream ended with an error.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The head is not that of a trajectory.
    #[error("line 1: found {found:?}, expected the names of columns, 't' first")]
    Head {
        /// What stands there.
        found: String,
    },
    /// A row that does not fit the head.
    #[error("line {line}: found {found}, expected {expected} numbers, separated by commas")]
    Row {
        /// Which line.
        line: usize,
        /// What is there.
        found: String,
        /// How many numbers there should be.
        expected: usize,
    },
}

/// One run.
#[derive(Clone, Debug)]
pub struct Trajectory {
    /// What the page calls it.
    pub name: String,
    /// Its `summary.json`.
    pub summary: Json,
    times: Vec<f64>,
    /// Names and numbers of the columns, each name once.
    columns: Vec<(String, Vec<f64>)>,
}

impl Trajectory {
    /// Reads `trajectory.csv`; of a long one some rows at even distances.
    pub fn read(name: String, summary: Json, csv: impl BufRead) -> Result<Self, OverlayError> {
        let mut lines = csv.lines();
        let head = lines.next().transpose()?.unwrap_or_default();
        let names: Vec<&str> = head.split(',').map(str::trim).collect();
        if names.first() != Some(&"t") || names.len() < 2 {
            return Err(OverlayError::Head { found: head.chars().take(60).collect() });
        }
        let (mut rows, mut thinning) = (Vec::<Vec<f64>>::new(), Thinning::default());
        let mut last = None;
        for (k, line) in lines.enumerate() {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let numbers: Result<Vec<f64>, _> =
                line.split(',').map(|x| x.trim().parse::<f64>()).collect();
            let expected = names.len();
            let numbers = numbers.ok().filter(|row| row.len() == expected).ok_or_else(|| {
                OverlayError::Row {
                    line: k + 2,
                    found: format!("{:?}", line.chars().take(60).collect::<String>()),
                    expected,
                }
            })?;
            let full = rows.len() >= MOST;
            if thinning.keeps(full, || halve(&mut rows)) {
                rows.push(numbers);
                last = None;
            } else {
                last = Some(numbers);
            }
        }
        rows.extend(last);
        let mut columns: Vec<(String, Vec<f64>)> = Vec::new();
        for (k, name) in names.iter().enumerate().skip(1) {
            // An invariant may have the name of a part of the state.
            if columns.iter().all(|(known, _)| known != name) {
                columns.push(((*name).into(), rows.iter().map(|row| row[k]).collect()));
            }
        }
        let times = rows.iter().map(|row| row[0]).collect();
        let mut run = Self { name, summary, times, columns };
        run.join_quaternions();
        Ok(run)
    }

    /// Takes the jumps of the sign out of quaternions, which files have with `w >= 0`.
    fn join_quaternions(&mut self) {
        let starts: Vec<usize> = (0..self.columns.len().saturating_sub(3))
            .filter(|k| {
                ["qw", "qx", "qy", "qz"]
                    .iter()
                    .enumerate()
                    .all(|(i, end)| self.columns[k + i].0.ends_with(end))
            })
            .collect();
        for k in starts {
            let mut sign = 1.0;
            for row in 1..self.times.len() {
                let along: f64 = (k..k + 4)
                    .map(|c| sign * self.columns[c].1[row] * self.columns[c].1[row - 1])
                    .sum();
                if along < 0.0 {
                    sign = -sign;
                }
                (k..k + 4).for_each(|c| self.columns[c].1[row] *= sign);
            }
        }
    }

    fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|(known, _)| known == name).map(|(_, values)| values.as_slice())
    }

    /// A column at a time between two rows, along a straight line.
    fn at(&self, values: &[f64], t: f64) -> Option<f64> {
        let back = self.times.first() > self.times.last();
        let after = self.times.partition_point(|x| if back { *x > t } else { *x < t });
        let end = *self.times.get(after)?;
        if end == t {
            return Some(values[after]);
        }
        let before = after.checked_sub(1)?;
        let share = (t - self.times[before]) / (end - self.times[before]);
        Some(values[before] + share * (values[after] - values[before]))
    }
}

/// The whole page; errors of invariants and distances from the first run before single columns.
pub fn page(runs: &[Trajectory], command: String) -> Page {
    let common: Vec<&str> = runs.first().map_or(vec![], |first| {
        let everywhere = |name: &&str| runs.iter().all(|run| run.column(name).is_some());
        first.columns.iter().map(|(name, _)| name.as_str()).filter(everywhere).collect()
    });
    let invariants: Vec<&str> =
        common.iter().copied().filter(|name| is_invariant(runs, name)).collect();
    let mut plots = vec![];
    plots.extend(distance(runs, &common));
    plots.extend(invariants.iter().filter_map(|name| error(runs, name)));
    let mut single: Vec<Figure> =
        common.iter().take(DRAWN).map(|name| column(runs, name)).collect();
    let rest = single.split_off(FIRST.min(single.len()));
    plots.extend(single);
    let columns = |run: &Trajectory| Columns {
        title: run.name.clone(),
        times: run.times.clone(),
        columns: run
            .columns
            .iter()
            .take(DRAWN)
            .map(|(name, values)| Column { name: name.clone(), values: values.clone() })
            .collect(),
    };
    let mut sections = vec![Section { title: "More columns".into(), plots: rest, tables: vec![] }];
    if common.len() > DRAWN {
        sections[0].title = format!("More columns; {} of {} are drawn", DRAWN, common.len());
    }
    let titles: Vec<&str> =
        runs.iter().filter_map(|run| run.summary["problem"]["title"].as_str()).collect();
    let same = titles.len() == runs.len() && titles.windows(2).all(|w| w[0] == w[1]);
    Page {
        title: if same { titles[0].to_string() } else { format!("{} runs", runs.len()) },
        subtitle: runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>().join(" · "),
        chips: chips(runs, &common),
        facts: vec![
            Fact { name: "runs".into(), value: runs.len().to_string() },
            Fact { name: "columns in all of them".into(), value: common.len().to_string() },
        ],
        tables: vec![table(runs)],
        plots,
        scene: film::scene(runs),
        columns: runs.iter().map(columns).collect(),
        sections,
        command,
        ..Page::default()
    }
}

fn is_invariant(runs: &[Trajectory], name: &str) -> bool {
    let bare = name.strip_prefix("invariant.").unwrap_or(name);
    runs.iter().any(|run| run.summary["invariants"].get(bare).is_some())
}

fn chips(runs: &[Trajectory], common: &[&str]) -> Vec<Chip> {
    let mut chips = Vec::new();
    let system = |run: &Trajectory| run.summary["system"].as_str().unwrap_or("").to_string();
    if runs.windows(2).any(|w| system(&w[0]) != system(&w[1])) {
        chips.push(Chip { text: "runs of different systems".into(), verdict: Verdict::Warn });
    }
    if common.is_empty() {
        chips.push(Chip { text: "no column is in all of them".into(), verdict: Verdict::Bad });
    }
    chips
}

/// How each run was made, and what it cost.
fn table(runs: &[Trajectory]) -> Table {
    let heads = [
        "run",
        "system",
        "method",
        ">steps",
        ">until",
        ">evaluations",
        ">seconds",
        ">largest invariant error",
    ];
    let mut table = Table::new(heads).titled(
        "Runs",
        "Errors of invariants are relative to their size; those that are zero have none.",
    );
    for run in runs {
        let s = &run.summary;
        let text = |json: &Json| json.as_str().unwrap_or("–").to_string();
        let count = |json: &Json| json.as_u64().map_or("–".into(), |n| n.to_string());
        let largest = s["invariants"].as_object().and_then(|all| {
            // A summary says what the size is; null where there is none.
            let relative = |q: &Json| Some(q["max_error"].as_f64()? / q["size"].as_f64()?);
            all.values()
                .filter_map(relative)
                .fold(None, |a: Option<f64>, e| Some(a.map_or(e, |a| a.max(e))))
        });
        table.row([
            run.name.clone(),
            text(&s["system"]),
            text(&s["method"]),
            count(&s["steps"]),
            s["until"].as_f64().map_or("–".into(), number),
            count(&s["cost"]["field_evaluations"]),
            s["cost"]["seconds"].as_f64().map_or("–".into(), |x| format!("{x:.2e}")),
            largest.map_or("–".into(), |e| format!("{e:.1e}")),
        ]);
    }
    table
}

/// A column of every run.
fn column(runs: &[Trajectory], name: &str) -> Figure {
    let mut figure = Figure::new(name, "time", name);
    for run in runs {
        let values = run.column(name).unwrap_or(&[]).iter().copied();
        figure = figure.with(Series::new(
            run.name.as_str(),
            Style::Line,
            run.times.iter().copied().zip(values),
        ));
    }
    figure
}

/// What an invariant of every run lost or gained.
fn error(runs: &[Trajectory], name: &str) -> Option<Figure> {
    let mut figure = Figure::new(format!("Error of {name}"), "time", format!("{name} − initial"));
    let mut moves = false;
    for run in runs {
        let values = run.column(name)?;
        let initial = values.first()?;
        let errors: Vec<f64> = values.iter().map(|v| v - initial).collect();
        moves |= errors.iter().any(|e| *e != 0.0);
        figure = figure.with(Series::new(
            run.name.as_str(),
            Style::Line,
            run.times.iter().copied().zip(errors),
        ));
    }
    moves.then_some(figure)
}

/// How far each run is from the first one, over all columns of the state.
fn distance(runs: &[Trajectory], common: &[&str]) -> Option<Figure> {
    let (first, others) = runs.split_first()?;
    let state: Vec<&str> =
        common.iter().copied().filter(|name| !is_invariant(runs, name)).collect();
    let columns: Option<Vec<&[f64]>> = state.iter().map(|name| first.column(name)).collect();
    let columns = columns.filter(|list| !list.is_empty())?;
    let mut figure =
        Figure::new(format!("Distance from {}", first.name), "time", "norm of the difference")
            .log_y();
    for run in others {
        let theirs: Vec<&[f64]> = state.iter().filter_map(|name| run.column(name)).collect();
        let points = first.times.iter().enumerate().filter_map(|(row, t)| {
            let square = |(a, b): (&&[f64], &&[f64])| Some((a[row] - run.at(b, *t)?).powi(2));
            let sum: Option<f64> = columns.iter().zip(&theirs).map(square).sum();
            Some((*t, sum?.sqrt())).filter(|(_, d)| *d > 0.0)
        });
        figure = figure.with(Series::new(run.name.as_str(), Style::Line, points));
    }
    let drawn = figure.series.iter().any(|s| !s.x.is_empty());
    drawn.then(|| figure.noted("Between two rows of a file, on a straight line."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, text: &str) -> Result<Trajectory, OverlayError> {
        Trajectory::read(
            name.into(),
            serde_json::json!({ "invariants": { "e": {} } }),
            text.as_bytes(),
        )
    }

    #[test]
    fn runs_at_different_times_are_compared() {
        let a = run("a", "t,x,e\n0,0,1\n1,2,1.5\n2,4,1\n").unwrap();
        let b = run("b", "t,x,e\n0,0,1\n2,5,1\n").unwrap();
        let distance = distance(&[a, b], &["x", "e"]).unwrap();
        assert_eq!(
            (distance.series[0].x.as_slice(), distance.series[0].y.as_slice()),
            (&[1.0, 2.0][..], &[0.5, 1.0][..])
        );
    }

    #[test]
    fn what_is_no_trajectory_is_refused() {
        assert!(matches!(run("a", ""), Err(OverlayError::Head { .. })));
        assert!(matches!(run("a", "x,y\n1,2\n"), Err(OverlayError::Head { .. })));
        assert!(matches!(
            run("a", "t,x\n0,1\n1\n"),
            Err(OverlayError::Row { line: 3, expected: 2, .. })
        ));
    }

    #[test]
    fn quaternions_lose_their_jumps() {
        let run =
            run("a", "t,qw,qx,qy,qz\n0,0.1,0.9,0,0\n1,0.1,-0.9,0,0\n2,0.2,-0.9,0,0\n").unwrap();
        assert_eq!(run.column("qx").unwrap(), [0.9, 0.9, 0.9]);
    }
}
