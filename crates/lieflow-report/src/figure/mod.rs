//! A figure as data: curves on axes.
use crate::packed;
use serde::Serialize;

mod svg;
mod ticks;

pub use svg::{render, render_sheet};

/// How an axis maps numbers to lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Equal differences, equal lengths.
    Linear,
    /// Equal ratios, equal lengths; numbers that are not positive are left out.
    Log,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// A line.
    Line,
    /// A line with a marker at each point.
    Marked,
    /// Markers only.
    Points,
    /// A thin grey dashed line, such as a slope to compare with; not counted in colours.
    Guide,
    /// A line in the background, one of many that are alike; they share one colour.
    Faint,
    /// Bars that stand on zero; abscissas are the middles of even intervals.
    Bars,
}

/// One curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Abscissas.
    #[serde(serialize_with = "packed::double")]
    pub x: Vec<f64>,
    /// Ordinates.
    #[serde(serialize_with = "packed::single")]
    pub y: Vec<f64>,
    /// How it is drawn.
    pub style: Style,
}

impl Series {
    /// A curve through the points `(x, y)`.
    pub fn new(
        name: impl Into<String>,
        style: Style,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        let (x, y) = points.into_iter().unzip();
        Self { name: name.into(), x, y, style }
    }
}

/// Values over a plane, one rectangle for each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cells {
    /// What the colours mean.
    pub label: String,
    /// Abscissas of the columns, rising.
    pub x: Vec<f64>,
    /// Ordinates of the rows, rising.
    pub y: Vec<f64>,
    /// The values, row by row; NaN where there is none.
    #[serde(serialize_with = "packed::single")]
    pub values: Vec<f64>,
}

/// Curves on a pair of axes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Heading.
    pub title: String,
    /// Name of the horizontal axis, with its unit.
    pub x_label: String,
    /// Name of the vertical axis, with its unit.
    pub y_label: String,
    /// Horizontal scale.
    pub x_scale: Scale,
    /// Vertical scale.
    pub y_scale: Scale,
    /// The curves, in the order of the legend.
    pub series: Vec<Series>,
    /// Whether a unit has the same length on both axes.
    pub equal_axes: bool,
    /// When the points of the curves were passed, for paths of a motion; else empty.
    #[serde(serialize_with = "packed::double")]
    pub times: Vec<f64>,
    /// Coloured rectangles under the curves.
    pub cells: Option<Cells>,
    /// A sentence under the figure.
    pub note: String,
}

impl Figure {
    /// An empty figure with linear axes.
    pub fn new(
        title: impl Into<String>,
        x_label: impl Into<String>,
        y_label: impl Into<String>,
    ) -> Self {
        Self {
            title: title.into(),
            x_label: x_label.into(),
            y_label: y_label.into(),
            x_scale: Scale::Linear,
            y_scale: Scale::Linear,
            series: Vec::new(),
            equal_axes: false,
            times: Vec::new(),
            cells: None,
            note: String::new(),
        }
    }
    /// The same figure with both axes logarithmic.
    #[must_use]
    pub fn log_log(mut self) -> Self {
        self.x_scale = Scale::Log;
        self.y_scale = Scale::Log;
        self
    }
    /// The same figure with a logarithmic vertical axis.
    #[must_use]
    pub fn log_y(mut self) -> Self {
        self.y_scale = Scale::Log;
        self
    }
    /// The same figure with equal units on both axes.
    #[must_use]
    pub fn equal(mut self) -> Self {
        self.equal_axes = true;
        self
    }
    /// The same figure, whose curves are passed in time.
    #[must_use]
    pub fn passed_at(mut self, times: &[f64]) -> Self {
        self.times = times.to_vec();
        self
    }
    /// The same figure with coloured rectangles.
    #[must_use]
    pub fn with_cells(mut self, cells: Cells) -> Self {
        self.cells = Some(cells);
        self
    }
    /// The same figure with a sentence under it.
    #[must_use]
    pub fn noted(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }
    /// The same figure with one more curve.
    #[must_use]
    pub fn with(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }
    /// The same figure with a line of slope `order` in doubly logarithmic axes, placed below the
    /// lowest curve, from the smallest to the largest abscissa.
    #[must_use]
    pub fn with_slope(mut self, order: f64) -> Self {
        let ok = |v: &f64| v.is_finite() && *v > 0.0;
        let xs = self.series.iter().filter(|s| s.style != Style::Guide).flat_map(|s| &s.x);
        let (lo, hi) =
            xs.filter(|v| ok(v)).fold((f64::INFINITY, 0.0f64), |(l, h), v| (l.min(*v), h.max(*v)));
        let anchor = self
            .series
            .iter()
            .filter(|s| s.style != Style::Guide)
            .flat_map(|s| s.x.iter().zip(&s.y))
            .filter(|(x, y)| ok(x) && ok(y))
            .map(|(x, y)| y / x.powf(order))
            .fold(f64::INFINITY, f64::min);
        if lo < hi && anchor.is_finite() {
            let y = |x: f64| 0.6 * anchor * x.powf(order);
            let name = format!("slope {order}");
            self.series.push(Series::new(name, Style::Guide, [(lo, y(lo)), (hi, y(hi))]));
        }
        self
    }
}
