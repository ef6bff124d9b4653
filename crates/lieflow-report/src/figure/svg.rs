//! Figures as SVG, for print and for the gallery.
//!
//! Curves differ in colour (Okabe and Ito's palette, safe for the colour-blind), in dash pattern
//! and in marker, so that they can be told apart in grey. Text is ordinary SVG text; exponents
//! are raised. No font is measured: the legend has a column of its own.
use super::ticks::{self, Axis};
use super::{Cells, Figure, Scale, Series, Style};
use std::fmt::Write;

const COLOURS: [&str; 8] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#7A5195"];
const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];
const PANEL_WIDTH: f64 = 460.0;
const PANEL_HEIGHT: f64 = 340.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 52.0;
/// Curves of more points than this are not dashed.
const DASHED: usize = 600;
/// More points than this are thinned to the extremes of each column of pixels.
const DENSE: usize = 700;

/// One figure as an SVG document.
pub fn render(figure: &Figure) -> String {
    render_sheet("", std::slice::from_ref(figure))
}

/// Several figures side by side under one title, with one legend.
pub fn render_sheet(title: &str, figures: &[Figure]) -> String {
    let names = legend_names(figures);
    let columns = figures.len().clamp(1, 2);
    let rows = figures.len().div_ceil(columns).max(1);
    let head = if title.is_empty() { 6.0 } else { 34.0 };
    let longest = names.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
    let legend = if names.is_empty() { 0.0 } else { 52.0 + 6.6 * longest as f64 };
    let width = columns as f64 * PANEL_WIDTH + legend + 8.0;
    let height = head + rows as f64 * PANEL_HEIGHT;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"Helvetica, Arial, sans-serif\" \
         font-size=\"12\" fill=\"#1a1a1a\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
    );
    if !title.is_empty() {
        let x = 0.5 * columns as f64 * PANEL_WIDTH;
        text(&mut out, x, 22.0, "middle", 15.0, title, "font-weight=\"600\"");
    }
    for (k, figure) in figures.iter().enumerate() {
        let x = (k % columns) as f64 * PANEL_WIDTH;
        let y = head + (k / columns) as f64 * PANEL_HEIGHT;
        panel(&mut out, figure, k, x, y, &names);
    }
    let x = columns as f64 * PANEL_WIDTH + 6.0;
    for (row, (name, index, dashed)) in names.iter().enumerate() {
        let y = head + TOP + 10.0 + 18.0 * row as f64;
        let style = figures
            .iter()
            .flat_map(|f| &f.series)
            .find(|s| s.name == *name)
            .map_or(Style::Line, |s| s.style);
        stroke(&mut out, &format!("M{x:.1} {y:.1}h28"), style, *index, *dashed);
        if matches!(style, Style::Marked | Style::Points) {
            marker(&mut out, x + 14.0, y, *index);
        }
        text(&mut out, x + 35.0, y + 4.0, "start", 12.0, name, "");
    }
    out.push_str("</svg>\n");
    out
}

/// Names in order of appearance, each with the number of its colour (guides and faint ones have none)
/// and whether its curves have a dash pattern: those that are filled with oscillations would only look
/// torn.
fn legend_names(figures: &[Figure]) -> Vec<(String, usize, bool)> {
    let mut names: Vec<(String, usize, bool)> = Vec::new();
    let mut colour = 0;
    for series in figures.iter().flat_map(|f| &f.series) {
        let short = series.x.len() <= DASHED;
        if let Some(known) = names.iter_mut().find(|(name, ..)| *name == series.name) {
            known.2 &= short;
        } else if !series.name.is_empty() {
            names.push((series.name.clone(), colour, short));
            colour += usize::from(!matches!(series.style, Style::Guide | Style::Faint));
        }
    }
    names
}

/// Range of the data that can be drawn on an axis.
fn range(scale: Scale, values: impl Iterator<Item = f64>) -> (f64, f64) {
    let usable = |v: &f64| v.is_finite() && (scale == Scale::Linear || *v > 0.0);
    let (lo, hi) = values
        .filter(usable)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if lo <= hi { (lo, hi) } else { (if scale == Scale::Log { 0.1 } else { 0.0 }, 1.0) }
}

fn panel(
    out: &mut String,
    figure: &Figure,
    number: usize,
    x0: f64,
    y0: f64,
    names: &[(String, usize, bool)],
) {
    let (mut w, mut h) = (PANEL_WIDTH - LEFT - RIGHT, PANEL_HEIGHT - TOP - BOTTOM);
    let edges = figure.cells.as_ref().map(|c| (edges(&c.x), edges(&c.y))).unwrap_or_default();
    let xs = figure.series.iter().flat_map(|s| s.x.iter().copied()).chain(edges.0.iter().copied());
    let ys = figure.series.iter().flat_map(|s| s.y.iter().copied()).chain(edges.1.iter().copied());
    let ys = ys.chain(figure.series.iter().filter(|s| s.style == Style::Bars).map(|_| 0.0));
    let (xr, yr) = (range(figure.x_scale, xs), range(figure.y_scale, ys));
    let Axis { lo: xlo, hi: xhi, ticks: xticks, more: xmore } =
        ticks::axis(figure.x_scale, xr.0, xr.1);
    let Axis { lo: ylo, hi: yhi, ticks: yticks, more: ymore } =
        ticks::axis(figure.y_scale, yr.0, yr.1);
    if figure.equal_axes {
        // Shrink the longer side until a unit has one length.
        let unit = (w / (xhi - xlo)).min(h / (yhi - ylo));
        (w, h) = (unit * (xhi - xlo), unit * (yhi - ylo));
    }
    let (left, top) = (x0 + LEFT, y0 + TOP);
    let place = |scale: Scale, lo: f64, hi: f64, v: f64| match scale {
        Scale::Linear => (v - lo) / (hi - lo),
        Scale::Log => (v / lo).log10() / (hi / lo).log10(),
    };
    let px = |v: f64| left + w * place(figure.x_scale, xlo, xhi, v);
    let py = |v: f64| top + h * (1.0 - place(figure.y_scale, ylo, yhi, v));

    let _ = writeln!(
        out,
        "<clipPath id=\"panel{number}\"><rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{w:.1}\" \
         height=\"{h:.1}\"/></clipPath>"
    );
    for tick in &xticks {
        let x = px(tick.at);
        let major = !tick.label.is_empty();
        grid(out, &format!("M{x:.1} {top:.1}v{h:.1}"), major);
        if major {
            text(out, x, top + h + 17.0, "middle", 11.0, &tick.label, "");
        }
    }
    for tick in &yticks {
        let y = py(tick.at);
        let major = !tick.label.is_empty();
        grid(out, &format!("M{left:.1} {y:.1}h{w:.1}"), major);
        if major {
            text(out, left - 7.0, y + 4.0, "end", 11.0, &tick.label, "");
        }
    }
    let _ = writeln!(
        out,
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"none\" \
         stroke=\"#444\"/>"
    );
    text(out, left + 0.5 * w, top - 10.0, "middle", 13.0, &figure.title, "font-weight=\"600\"");
    text(out, left + 0.5 * w, top + h + 38.0, "middle", 12.0, &figure.x_label, "");
    let (lx, ly) = (x0 + 16.0, top + 0.5 * h);
    let turn = format!("transform=\"rotate(-90 {lx:.1} {ly:.1})\"");
    text(out, lx, ly, "middle", 12.0, &figure.y_label, &turn);
    if !xmore.is_empty() {
        text(out, left + w, top + h + 38.0, "end", 10.0, &xmore, "");
    }
    if !ymore.is_empty() {
        text(out, left, top - 4.0, "start", 10.0, &ymore, "");
    }

    let _ = writeln!(out, "<g clip-path=\"url(#panel{number})\">");
    if let Some(cells) = &figure.cells {
        heat(out, cells, &edges.0, &edges.1, &px, &py);
    }
    for series in &figure.series {
        if series.style == Style::Bars {
            bars(out, series, &px, &py);
            continue;
        }
        let known = names.iter().find(|(name, ..)| *name == series.name);
        let (index, dashed) = known.map_or((0, false), |(_, index, dashed)| (*index, *dashed));
        let points = thin(series, &px, &py, figure.x_scale, figure.y_scale);
        if series.style != Style::Points {
            stroke(out, &path(&points), series.style, index, dashed);
        }
        if matches!(series.style, Style::Marked | Style::Points) {
            for (x, y) in points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()) {
                marker(out, *x, *y, index);
            }
        }
    }
    out.push_str("</g>\n");
}

/// The borders between numbers that rise: halfway, and as far again outside.
fn edges(middles: &[f64]) -> Vec<f64> {
    let (Some(first), Some(last)) = (middles.first(), middles.last()) else { return Vec::new() };
    let half = |pair: Option<&[f64]>| pair.map_or(0.5, |w| 0.5 * (w[1] - w[0]));
    let mut edges = vec![first - half(middles.windows(2).next())];
    edges.extend(middles.windows(2).map(|w| 0.5 * (w[0] + w[1])));
    edges.push(last + half(middles.windows(2).last()));
    edges
}

/// Colours from low to high, all of which differ in lightness too.
const HEAT: [[f64; 3]; 5] = [
    [68.0, 20.0, 84.0],
    [59.0, 82.0, 139.0],
    [33.0, 145.0, 140.0],
    [122.0, 200.0, 80.0],
    [250.0, 230.0, 60.0],
];

fn heat_colour(share: f64) -> String {
    let place = share.clamp(0.0, 1.0) * (HEAT.len() - 1) as f64;
    let k = (place as usize).min(HEAT.len() - 2);
    let mix = |i: usize| HEAT[k][i] + (place - k as f64) * (HEAT[k + 1][i] - HEAT[k][i]);
    format!("#{:02x}{:02x}{:02x}", mix(0) as u8, mix(1) as u8, mix(2) as u8)
}

/// One rectangle for each value.
fn heat(
    out: &mut String,
    cells: &Cells,
    xs: &[f64],
    ys: &[f64],
    px: &dyn Fn(f64) -> f64,
    py: &dyn Fn(f64) -> f64,
) {
    let (lo, hi) = range(Scale::Linear, cells.values.iter().copied());
    for (value, k) in cells.values.iter().zip(0..).filter(|(value, _)| value.is_finite()) {
        let (column, row) = (k % cells.x.len().max(1), k / cells.x.len().max(1));
        let (Some(x), Some(y)) = (xs.get(column..column + 2), ys.get(row..row + 2)) else {
            continue;
        };
        let (x0, x1, y0, y1) = (px(x[0]), px(x[1]), py(y[1]), py(y[0]));
        let colour = heat_colour(if hi > lo { (value - lo) / (hi - lo) } else { 0.5 });
        let (w, h) = (x1 - x0 + 0.3, y1 - y0 + 0.3);
        let _ = writeln!(
            out,
            "<rect x=\"{x0:.1}\" y=\"{y0:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"{colour}\"/>"
        );
    }
}

/// Bars that stand on zero.
fn bars(out: &mut String, series: &Series, px: &dyn Fn(f64) -> f64, py: &dyn Fn(f64) -> f64) {
    let borders = edges(&series.x);
    for (y, border) in series.y.iter().zip(borders.windows(2)).filter(|(y, _)| y.is_finite()) {
        let (x0, x1, top, foot) = (px(border[0]), px(border[1]), py(*y), py(0.0));
        let (w, y, h) = ((x1 - x0 - 0.6).max(0.3), top.min(foot), (foot - top).abs());
        let colour = COLOURS[0];
        let _ = writeln!(
            out,
            "<rect x=\"{x0:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"{colour}\"/>"
        );
    }
}

/// Positions on the sheet, NaN where a number cannot be drawn; long curves are thinned to the
/// lowest and the highest point of each column of pixels, in their order.
fn thin(
    series: &Series,
    px: &dyn Fn(f64) -> f64,
    py: &dyn Fn(f64) -> f64,
    xs: Scale,
    ys: Scale,
) -> Vec<(f64, f64)> {
    let fine = |scale: Scale, v: f64| v.is_finite() && (scale == Scale::Linear || v > 0.0);
    let points: Vec<(f64, f64)> = series
        .x
        .iter()
        .zip(&series.y)
        .map(
            |(&x, &y)| {
                if fine(xs, x) && fine(ys, y) { (px(x), py(y)) } else { (f64::NAN, f64::NAN) }
            },
        )
        .collect();
    if points.len() <= DENSE {
        return points;
    }
    let mut kept: Vec<(f64, f64)> = Vec::new();
    let mut column: Vec<(f64, f64)> = Vec::new();
    let flush = |column: &mut Vec<(f64, f64)>, kept: &mut Vec<(f64, f64)>| {
        if column.len() > 2 {
            let at = |better: &dyn Fn(f64, f64) -> bool| {
                (1..column.len())
                    .fold(0, |b, i| if better(column[i].1, column[b].1) { i } else { b })
            };
            let (low, high) = (at(&|a, b| a < b), at(&|a, b| a > b));
            kept.push(column[low.min(high)]);
            if low != high {
                kept.push(column[low.max(high)]);
            }
        } else {
            kept.extend(column.iter().copied());
        }
        column.clear();
    };
    for point in points {
        // A gap in the curve, where there is no position, begins a column too.
        let same = |first: &(f64, f64)| (point.0 - first.0).abs() < 1.0;
        let moved = column.first().is_some_and(|first| !same(first));
        if moved {
            flush(&mut column, &mut kept);
        }
        column.push(point);
    }
    flush(&mut column, &mut kept);
    kept
}

/// A path of relative moves in tenths of a pixel: absolute positions would double its length.
fn path(points: &[(f64, f64)]) -> String {
    let mut d = String::new();
    let mut at: Option<(i64, i64)> = None;
    let tenths = |v: f64| (v * 10.0).round() as i64;
    let number = |d: &mut String, n: i64| {
        let _ = if n % 10 == 0 {
            write!(d, "{}", n / 10)
        } else {
            write!(d, "{}{}.{}", if n < 0 { "-" } else { "" }, n.abs() / 10, n.abs() % 10)
        };
    };
    for (x, y) in points {
        if !(x.is_finite() && y.is_finite()) {
            at = None;
            continue;
        }
        let (x, y) = (tenths(*x), tenths(*y));
        let (letter, dx, dy) = match at {
            Some((a, b)) => ('l', x - a, y - b),
            None => ('M', x, y),
        };
        d.push(letter);
        number(&mut d, dx);
        if dy >= 0 {
            d.push(' ');
        }
        number(&mut d, dy);
        at = Some((x, y));
    }
    d
}

fn stroke(out: &mut String, d: &str, style: Style, index: usize, dashed: bool) {
    if style == Style::Points || d.is_empty() {
        return;
    }
    if style == Style::Guide {
        let _ = writeln!(
            out,
            "<path d=\"{d}\" fill=\"none\" stroke=\"#999\" stroke-width=\"1\" \
             stroke-dasharray=\"4 4\"/>"
        );
        return;
    }
    if style == Style::Faint {
        let _ = writeln!(
            out,
            "<path d=\"{d}\" fill=\"none\" stroke=\"#777\" stroke-width=\"0.8\" stroke-opacity=\"0.45\"/>"
        );
        return;
    }
    let colour = COLOURS[index % COLOURS.len()];
    let dash = if dashed { DASHES[(index / COLOURS.len() + index) % DASHES.len()] } else { "" };
    let _ = writeln!(
        out,
        "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\" \
         stroke-linejoin=\"round\" stroke-dasharray=\"{dash}\"/>"
    );
}

fn marker(out: &mut String, x: f64, y: f64, index: usize) {
    let colour = COLOURS[index % COLOURS.len()];
    let shape = match index % 6 {
        0 => format!("M{:.1} {y:.1}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z", x - 3.0),
        1 => format!("M{:.1} {:.1}h5.6v5.6h-5.6z", x - 2.8, y - 2.8),
        2 => format!("M{x:.1} {:.1}l3.6 6.2h-7.2z", y - 3.8),
        3 => format!("M{x:.1} {:.1}l3.8 3.8l-3.8 3.8l-3.8 -3.8z", y - 3.8),
        4 => format!("M{x:.1} {:.1}l-3.6 -6.2h7.2z", y + 3.8),
        _ => format!(
            "M{:.1} {:.1}h1.6v2.6h2.6v1.6h-2.6v2.6h-1.6v-2.6h-2.6v-1.6h2.6z",
            x - 0.8,
            y - 3.4
        ),
    };
    let fill = if (index / 6).is_multiple_of(2) { colour } else { "#fff" };
    let _ = writeln!(out, "<path d=\"{shape}\" fill=\"{fill}\" stroke=\"{colour}\"/>");
}

fn grid(out: &mut String, d: &str, major: bool) {
    let shade = if major { "#d8d8d8" } else { "#efefef" };
    let _ = writeln!(out, "<path d=\"{d}\" stroke=\"{shade}\" stroke-width=\"0.8\"/>");
}

/// Text with `10^-3` set as a power.
fn text(out: &mut String, x: f64, y: f64, anchor: &str, size: f64, content: &str, extra: &str) {
    let _ = write!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\" {extra}>"
    );
    let mut rest = content;
    while let Some(at) = rest.find("10^") {
        let (before, power) = rest.split_at(at + 2);
        let digits = &power[1..];
        let end = digits.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(digits.len());
        let exponent = digits[..end].replace('-', "−");
        let _ = write!(
            out,
            "{}<tspan dy=\"-4\" font-size=\"{:.0}\">{exponent}</tspan><tspan dy=\"4\">\u{200b}</tspan>",
            escape(before),
            size * 0.75
        );
        rest = &digits[end..];
    }
    let _ = writeln!(out, "{}</text>", escape(rest));
}

fn escape(s: &str) -> String {
    s.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
