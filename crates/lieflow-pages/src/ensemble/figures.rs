//! Figures of an ensemble: distributions, outcomes against what varies, paths, failures.
use super::Rows;
use lieflow_ensemble::statistics::{Cell, Statistics};
use lieflow_report::figure::{Cells, Figure, Series, Style};

/// Bars of a histogram.
const BARS: usize = 40;
/// A grid with more points than this on a side is binned.
const SIDE: usize = 64;
/// Bins on a side where numbers are drawn at random.
const BINS: usize = 16;

/// How many numbers fall into even intervals.
pub(super) fn histogram(name: &str, values: &[f64], t: f64) -> Option<Figure> {
    let values: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    let (lo, hi) = range(&values)?;
    let width = (hi - lo) / BARS as f64;
    let mut counts = [0u32; BARS];
    for x in &values {
        counts[(((x - lo) / width) as usize).min(BARS - 1)] += 1;
    }
    let bars = counts.iter().enumerate();
    let bars =
        bars.map(|(k, n)| (lo + (k as f64 + 0.5) * width, f64::from(*n) / values.len() as f64));
    let title = format!("{name} at t = {t}");
    let figure = Figure::new(title, name, "share of trajectories");
    Some(figure.with(Series::new("", Style::Bars, bars)))
}

/// The range of numbers that differ by more than rounding.
pub(super) fn range(values: &[f64]) -> Option<(f64, f64)> {
    let finite = values.iter().filter(|x| x.is_finite());
    let (lo, hi) =
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    (hi - lo > 1e-10 * hi.abs().max(lo.abs())).then_some((lo, hi))
}

/// An outcome against a varied number, a point for each trajectory.
pub(super) fn scatter(rows: &Rows, input: usize, outcome: usize) -> Figure {
    let (x, y) = (&rows.inputs[input], &rows.observables[outcome]);
    let points = rows.column(input).into_iter().zip(rows.column(rows.inputs.len() + outcome));
    Figure::new(format!("{y} against {x}"), x.as_str(), y.as_str()).with(Series::new(
        "",
        Style::Points,
        points,
    ))
}

/// An outcome over two varied numbers: the points of a grid, or means over bins.
pub(super) fn heat_map(rows: &Rows, a: usize, b: usize, outcome: usize) -> Option<Figure> {
    let (x, y) = (rows.column(a), rows.column(b));
    let z = rows.column(rows.inputs.len() + outcome);
    let (axis_x, axis_y) = (axis(&x)?, axis(&y)?);
    let nearest = |axis: &[f64], v: f64| {
        let near = axis.partition_point(|p| *p < v).min(axis.len() - 1);
        if near > 0 && (v - axis[near - 1]).abs() <= (axis[near] - v).abs() {
            near - 1
        } else {
            near
        }
    };
    let mut sums = vec![(0.0, 0u32); axis_x.len() * axis_y.len()];
    for ((x, y), z) in x.iter().zip(&y).zip(&z).filter(|(_, z)| z.is_finite()) {
        let cell = &mut sums[nearest(&axis_y, *y) * axis_x.len() + nearest(&axis_x, *x)];
        *cell = (cell.0 + z, cell.1 + 1);
    }
    let values: Vec<f64> =
        sums.iter().map(|(sum, n)| if *n > 0 { sum / f64::from(*n) } else { f64::NAN }).collect();
    range(&values)?;
    let (first, second, name) = (&rows.inputs[a], &rows.inputs[b], &rows.observables[outcome]);
    let most = sums.iter().map(|(_, n)| *n).max().unwrap_or(0);
    let note = if most > 1 { "Means over all trajectories in a cell." } else { "" };
    let cells = Cells { label: name.clone(), x: axis_x, y: axis_y, values };
    let figure =
        Figure::new(format!("{name} over {first} and {second}"), first.as_str(), second.as_str());
    Some(figure.with_cells(cells).noted(note))
}

/// The different numbers of a column if they are few, else the middles of bins.
fn axis(values: &[f64]) -> Option<Vec<f64>> {
    let (lo, hi) = range(values)?;
    let mut different = values.to_vec();
    different.sort_by(f64::total_cmp);
    different.dedup_by(|a, b| (*a - *b).abs() <= 1e-12 * (hi - lo));
    if different.len() <= SIDE {
        return Some(different);
    }
    let width = (hi - lo) / BINS as f64;
    Some((0..BINS).map(|k| lo + (k as f64 + 0.5) * width).collect())
}

/// Some trajectories over time, with the quantiles of all where they are known.
pub(super) fn fan(rows: &Rows, outcome: usize, statistics: &Statistics) -> Option<Figure> {
    let name = &rows.observables[outcome];
    let mut figure = Figure::new(format!("{name} over time"), "time", name.as_str());
    for (k, (_, path)) in rows.paths.iter().filter(|(_, path)| path.len() > 1).enumerate() {
        let label = if k == 0 { "some trajectories" } else { "" };
        let points = path.iter().filter_map(|(t, values)| Some((*t, *values.get(outcome)?)));
        figure = figure.with(Series::new(label, Style::Faint, points));
    }
    if figure.series.is_empty() {
        return None;
    }
    if let Some(k) = statistics.names.iter().position(|known| known == name) {
        for series in quantiles(statistics, k) {
            figure = figure.with(series);
        }
    }
    Some(figure)
}

/// The quantiles of an observable over time, and its mean.
pub(super) fn quantiles(statistics: &Statistics, k: usize) -> Vec<Series> {
    let times = &statistics.times;
    let at = |i: usize| statistics.at(i).nth(k).map(|(_, cell)| cell);
    let over = |value: &dyn Fn(&Cell) -> f64| -> Vec<(f64, f64)> {
        times.iter().enumerate().map(|(i, t)| (*t, at(i).map_or(f64::NAN, value))).collect()
    };
    let mut list: Vec<Series> = statistics
        .wanted
        .iter()
        .map(|q| {
            let points = over(&|cell: &Cell| cell.quantiles.at(&[*q])[0]);
            Series::new(format!("{}% below", 100.0 * q), Style::Line, points)
        })
        .collect();
    list.push(Series::new("mean", Style::Guide, over(&|cell: &Cell| cell.moments.mean())));
    list
}

/// Where in the space of varied numbers trajectories failed.
pub(super) fn failures(rows: &Rows) -> Option<Figure> {
    if rows.failed.is_empty() || rows.inputs.is_empty() {
        return None;
    }
    let place = |k: usize| move |row: &Vec<f64>| row[k];
    let inputs = rows.inputs.len();
    // One varied number: against the time of the failure.
    let (x, y, label, reached) = match inputs {
        1 => (0, 1, "time of failure".to_string(), vec![]),
        _ => (0, 1, rows.inputs[1].clone(), rows.last.iter().map(|row| (row[0], row[1])).collect()),
    };
    let failed = rows.failed.iter().map(place(x)).zip(rows.failed.iter().map(place(y)));
    let figure = Figure::new("Where trajectories failed", rows.inputs[0].as_str(), label);
    let figure = figure.with(Series::new("came to the end", Style::Points, reached));
    Some(figure.with(Series::new("failed", Style::Points, failed)))
}
