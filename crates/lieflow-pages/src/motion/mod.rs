//! Curves of a motion: what its states are and what follows from them, as columns over time.
use crate::Film;
use crate::parts::{dot, numbers_or_one, path, quaternions, rotations, turned};
use crate::scene::{Form, joints};
use lieflow::problem::Value;
use lieflow_report::figure::{Figure, Series, Style};
use lieflow_report::page::{Attitude, Column, Columns};
use serde_json::Value as Json;

mod energies;
mod trades;

/// Rows of the curves; a film may have more frames.
const ROWS: usize = 2000;
/// Lists longer than this are not shown component by component.
const FEW: usize = 6;
/// Up to so many vectors are shown at once, more are folded.
const SINGLY: usize = 4;
/// So many figures are shown in any case.
const ENOUGH: usize = 4;
/// Components whose sizes differ by more than this have axes of their own.
const APART: f64 = 8.0;

/// The columns of a motion, in groups that are drawn together.
pub(crate) struct Motion {
    times: Vec<f64>,
    columns: Vec<Column>,
    groups: Vec<Group>,
    attitudes: Vec<Attitude>,
}

/// Columns that belong together.
struct Group {
    title: String,
    y_label: String,
    /// Where they stand in the list of columns.
    members: Vec<usize>,
    /// Whether a reader wants it first.
    first: bool,
    /// The first two members against each other, with equal units.
    path: bool,
}

/// The lengths of the rods of a chain.
pub(crate) fn lengths(parameters: &Json, count: usize) -> Option<Vec<f64>> {
    match parameters.get("total_length").and_then(Json::as_f64) {
        Some(total) => Some(vec![total / count as f64; count]),
        None => numbers_or_one(parameters.get("lengths"), count),
    }
}

impl Motion {
    /// All that can be drawn of a run.
    pub(crate) fn of(system: &str, problem: &Json, film: &Film) -> Self {
        // Every so many frames: a curve needs fewer points than a film.
        let stride = film.states.len().div_ceil(ROWS).max(1);
        let thinned = Film {
            states: film.states.iter().step_by(stride).cloned().collect(),
            invariants: film.invariants.iter().step_by(stride).cloned().collect(),
            invariant_names: film.invariant_names.clone(),
            ..Film::default()
        };
        let film = &thinned;
        let parameters = problem.get("parameters").unwrap_or(&Json::Null);
        let mut motion =
            Self { times: film.times(), columns: vec![], groups: vec![], attitudes: vec![] };
        let energies = energies::energies(system, parameters, film);
        // The energy alone is a straight line where it is conserved; its error is a figure of its own.
        if energies.len() != 1 || energies[0].0 != "energy" {
            let title = if energies.len() > 1 { "Energies" } else { "Energy" };
            motion.add(title, "energy", energies, true);
        }
        motion.add_attitudes(system, parameters, film);
        if system == "pendulum-chain" {
            motion.add_links(parameters, film);
        }
        motion.add_targets(film);
        let covered = motion.add_trade(system, parameters, film);
        motion.add_parts(film, covered);
        motion.add_phase_plane(film);
        motion.add_invariants(film);
        motion
    }

    fn add(&mut self, title: &str, y_label: &str, columns: Vec<(String, Vec<f64>)>, first: bool) {
        if columns.is_empty() {
            return;
        }
        let members = (self.columns.len()..self.columns.len() + columns.len()).collect();
        let (title, y_label) = (title.to_string(), y_label.to_string());
        self.groups.push(Group { title, y_label, members, first, path: false });
        self.columns.extend(columns.into_iter().map(|(name, values)| Column { name, values }));
    }

    /// A path in a plane, from columns by their names.
    fn add_path(&mut self, title: &str, x: &str, y: &str, equal: bool) {
        let place = |name: &str| self.columns.iter().position(|column| column.name == name);
        if let (Some(x), Some(y)) = (place(x), place(y)) {
            let y_label = if equal { "equal" } else { "" }.to_string();
            let title = title.to_string();
            self.groups.push(Group {
                title,
                y_label,
                members: vec![x, y],
                first: true,
                path: true,
            });
        }
    }

    /// Quaternions without jumps, the tilt of the axis, and its path from above.
    fn add_attitudes(&mut self, system: &str, parameters: &Json, film: &Film) {
        let Some(first) = film.states.first() else { return };
        let names: Vec<&'static str> = first
            .parts
            .iter()
            .filter(|(_, value)| matches!(value, Value::Rotation(_)))
            .map(|(name, _)| *name)
            .collect();
        let form = Form::of(system, parameters);
        for name in names {
            let Some(list) = rotations(&film.states, name) else { continue };
            let of = if name == "rotation" { String::new() } else { format!(" of {name}") };
            let prefix = if name == "rotation" { String::new() } else { format!("{name}_") };
            let q = quaternions(&list);
            let entry = |k: usize| q.iter().map(|q| q[k]).collect::<Vec<f64>>();
            let tips: Vec<[f64; 3]> = list.iter().map(|r| turned(r, form.axis)).collect();
            let tilt =
                tips.iter().map(|tip| dot(*tip, form.up).clamp(-1.0, 1.0).acos().to_degrees());
            let tilt = vec![(format!("{prefix}tilt"), tilt.collect())];
            self.add(&format!("Tilt of the axis{of}"), "degrees from the vertical", tilt, true);
            let axes = ["x", "y", "z"].iter().enumerate();
            let tip = axes
                .map(|(k, a)| (format!("{prefix}tip_{a}"), tips.iter().map(|t| t[k]).collect()));
            self.add(&format!("Tip of the axis{of}"), "unit vector", tip.collect(), false);
            let (x, y) = (format!("{prefix}tip_x"), format!("{prefix}tip_y"));
            self.add_path(&format!("Path of the tip{of}, from above"), &x, &y, true);
            let parts = ["qw", "qx", "qy", "qz"].iter().enumerate();
            let parts = parts.map(|(k, n)| (format!("{prefix}{n}"), entry(k))).collect();
            self.add(&format!("Quaternion{of}"), "without jumps of the sign", parts, false);
            let convention = if matches!(system, "quadrotors" | "rates") { "zyx" } else { "zxz" };
            self.attitudes.push(Attitude {
                name: if of.is_empty() { String::new() } else { name.into() },
                convention,
                times: self.times.clone(),
                quaternions: q.as_flattened().to_vec(),
            });
        }
    }

    /// Where the masses of a chain are.
    fn add_links(&mut self, parameters: &Json, film: &Film) {
        let rows: Option<Vec<Vec<[f64; 3]>>> =
            film.states.iter().map(|state| crate::parts::vectors(state, "q")).collect();
        let Some(rows) = rows.filter(|rows| !rows.is_empty()) else { return };
        let count = rows[0].len();
        let Some(lengths) = lengths(parameters, count) else { return };
        let ends: Vec<_> = rows.iter().map(|row| joints([0.0; 3], row, &lengths)).collect();
        let shown: Vec<usize> = if count <= FEW { (0..count).collect() } else { vec![count - 1] };
        for k in &shown {
            let name = |a: &str| format!("link_{}_{a}", k + 1);
            let coordinate = |i: usize| ends.iter().map(|row| row[*k][i]).collect::<Vec<f64>>();
            let columns = vec![
                (name("x"), coordinate(0)),
                (name("y"), coordinate(1)),
                (name("z"), coordinate(2)),
            ];
            let last = k + 1 == count;
            self.add(&format!("Position of mass {}", k + 1), "position", columns, last);
        }
        let end = |a: &str| format!("link_{count}_{a}");
        // The plane in which the end moves most.
        let spread = |i: usize| {
            let all = ends.iter().filter_map(|row| row.last()).map(|p| p[i]);
            let (lo, hi) =
                all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            hi - lo
        };
        let (x, y) = if spread(1) > spread(0) && spread(2) > spread(0) {
            ("y", "z")
        } else if spread(2) >= spread(1) {
            ("x", "z")
        } else {
            ("x", "y")
        };
        self.add_path(
            &format!("Path of the end of the chain, {x} and {y}"),
            &end(x),
            &end(y),
            true,
        );
    }

    /// How far a position is from where it should be.
    fn add_targets(&mut self, film: &Film) {
        let (Some(is), Some(should)) =
            (path(&film.states, "position"), path(&film.states, "target"))
        else {
            return;
        };
        let away = |(a, b): (&[f64; 3], &[f64; 3])| {
            crate::parts::norm([a[0] - b[0], a[1] - b[1], a[2] - b[2]])
        };
        let distance = is.iter().zip(&should).map(away).collect();
        self.add("Distance from the target", "distance", vec![("distance".into(), distance)], true);
    }

    /// The observables that the file asks for, and the parts of the states as they are.
    fn add_parts(&mut self, film: &Film, covered: &[&str]) {
        let Some(first) = film.states.first() else { return };
        let parts = first.parts.len();
        let observables = parts..parts + first.observables.len();
        for place in observables.chain(0..parts) {
            let Some((name, value)) = first.values().nth(place) else { continue };
            if covered.contains(name) {
                continue;
            }
            let at = |k: usize| -> Vec<f64> {
                let values = film.states.iter().map(|state| state.values().nth(place));
                values
                    .map(|value| value.map_or(f64::NAN, |(_, value)| component(value, k)))
                    .collect()
            };
            let axis = |k: usize| ["x", "y", "z"][k % 3];
            let listed =
                |names: Vec<String>| names.into_iter().enumerate().map(|(k, n)| (n, at(k)));
            let asked_for = place >= parts;
            let columns = match value {
                Value::Number(_) => listed(vec![(*name).to_string()]).collect(),
                Value::Vector(_) => {
                    listed((0..3).map(|k| format!("{name}_{}", axis(k))).collect()).collect()
                }
                Value::Numbers(x) if x.len() <= 2 * FEW => {
                    listed((1..=x.len()).map(|k| format!("{name}_{k}")).collect()).collect()
                }
                Value::Vectors(list) if list.len() <= FEW => {
                    let wanted = matches!(*name, "q" | "m") && first.part("position").is_none();
                    let first = asked_for || (wanted && list.len() <= SINGLY);
                    for i in 0..list.len() {
                        let one =
                            |k: usize| (format!("{name}_{}_{}", i + 1, axis(k)), at(3 * i + k));
                        self.add(
                            &format!("{name} {}", i + 1),
                            name,
                            (0..3).map(one).collect(),
                            first,
                        );
                    }
                    continue;
                }
                Value::Vectors(list) => {
                    let n = list.len();
                    let mean = |k: usize| {
                        let all: Vec<Vec<f64>> = (0..n).map(|i| at(3 * i + k)).collect();
                        let row = |row: usize| all.iter().map(|c| c[row]).sum::<f64>() / n as f64;
                        (
                            format!("mean_{name}_{}", axis(k)),
                            (0..film.states.len()).map(row).collect(),
                        )
                    };
                    let title = format!("Mean of {name} over all {n}");
                    self.add(&title, name, (0..3).map(mean).collect(), true);
                    continue;
                }
                _ => continue,
            };
            let first =
                matches!(*name, "omega" | "position" | "momentum" | "momenta" | "q" | "p" | "m");
            self.add(name, name, columns, first || asked_for);
        }
    }

    /// Position against momentum, and the orbit of motion in the plane.
    fn add_phase_plane(&mut self, film: &Film) {
        let dimension = |name: &str| match film.states.first().and_then(|state| state.part(name)) {
            Some(Value::Numbers(x)) => x.len(),
            _ => 0,
        };
        let (n, m) = (dimension("q"), dimension("p"));
        if n >= 2 {
            self.add_path("Orbit", "q_1", "q_2", true);
        }
        for k in 1..=n.min(m).min(2) {
            self.add_path(
                &format!("Phase plane of q_{k}"),
                &format!("q_{k}"),
                &format!("p_{k}"),
                false,
            );
        }
    }

    /// What should not change, as it is.
    fn add_invariants(&mut self, film: &Film) {
        for (k, name) in film.invariant_names.iter().enumerate() {
            let known = self.columns.iter().any(|column| column.name == *name);
            let values = film.invariants.iter().map(|row| row.get(k).copied().unwrap_or(f64::NAN));
            // The components of a momentum that a state has are columns already.
            if !known {
                self.columns.push(Column { name: (*name).to_string(), values: values.collect() });
            }
        }
    }

    /// The figures that a reader wants first, and the others.
    pub(crate) fn figures(&self) -> (Vec<Figure>, Vec<Figure>) {
        let (mut first, mut others) = (Vec::new(), Vec::new());
        for group in &self.groups {
            let list = if group.first { &mut first } else { &mut others };
            if group.path {
                list.push(self.path_figure(group));
                continue;
            }
            for (title, members) in self.apart(group) {
                let mut figure = Figure::new(title, "time", group.y_label.clone());
                for k in members {
                    let Column { name, values } = &self.columns[k];
                    let points = self.times.iter().copied().zip(values.iter().copied());
                    figure = figure.with(Series::new(name.as_str(), Style::Line, points));
                }
                list.push(figure);
            }
        }
        // Nothing is folded while there is room.
        let missing = ENOUGH.saturating_sub(first.len()).min(others.len());
        first.extend(others.drain(..missing));
        (first, others)
    }

    fn path_figure(&self, group: &Group) -> Figure {
        let (x, y) = (&self.columns[group.members[0]], &self.columns[group.members[1]]);
        let points = x.values.iter().copied().zip(y.values.iter().copied());
        let figure = Figure::new(group.title.clone(), x.name.clone(), y.name.clone())
            .with(Series::new("", Style::Line, points))
            .passed_at(&self.times);
        if group.y_label == "equal" { figure.equal() } else { figure }
    }

    /// A group whose members have sizes so different that the small ones would look like zero is
    /// drawn in pieces.
    fn apart(&self, group: &Group) -> Vec<(String, Vec<usize>)> {
        let spread = |k: usize| {
            let values = self.columns[k].values.iter().filter(|x| x.is_finite());
            let (lo, hi) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
            // The room that the curve takes, and how far it is from the others.
            (hi - lo, 0.5 * (hi + lo))
        };
        let spreads: Vec<(f64, f64)> = group.members.iter().map(|k| spread(*k)).collect();
        let centres = spreads.iter().map(|(_, c)| *c);
        let apart = centres.clone().fold(f64::NEG_INFINITY, f64::max)
            - centres.fold(f64::INFINITY, f64::min);
        let widest = spreads.iter().map(|(s, _)| *s).fold(apart, f64::max);
        let (small, large): (Vec<_>, Vec<_>) = group
            .members
            .iter()
            .zip(&spreads)
            .partition(|(_, (spread, _))| *spread > 1e-9 * widest && *spread * APART < widest);
        let members =
            |list: &[(&usize, &(f64, f64))]| list.iter().map(|(k, _)| **k).collect::<Vec<_>>();
        if small.is_empty() || group.y_label == "energy" {
            return vec![(group.title.clone(), group.members.clone())];
        }
        let names = |list: &[usize]| {
            list.iter().map(|k| self.columns[*k].name.clone()).collect::<Vec<_>>().join(", ")
        };
        let (mut small, large) = (members(&small), members(&large));
        let mut pieces = Vec::new();
        if !large.is_empty() {
            pieces.push((names(&large), large));
        }
        // Those that are small but stand apart are not joined either.
        while let Some(k) = small.first().copied() {
            let (width, centre) = spread(k);
            let near = |j: &usize| {
                let (w, c) = spread(*j);
                (c - centre).abs() <= APART * w.min(width) && w.max(width) <= APART * w.min(width)
            };
            let (together, rest): (Vec<usize>, Vec<usize>) = small.iter().partition(|j| near(j));
            pieces.push((names(&together), together));
            small = rest;
        }
        pieces
    }

    /// Attitudes for the plot of angles, and all columns.
    pub(crate) fn into_columns(self) -> (Vec<Attitude>, Columns) {
        let Self { times, columns, attitudes, .. } = self;
        (attitudes, Columns { title: "motion".into(), times, columns })
    }
}

/// A component of a value, counted through.
fn component(value: &Value, k: usize) -> f64 {
    let number = match value {
        Value::Number(x) => Some(x),
        Value::Vector(v) => v.get(k),
        Value::Vectors(v) => v.as_flattened().get(k),
        Value::Numbers(v) => v.get(k),
        Value::Rotation(_) => None,
    };
    number.copied().unwrap_or(f64::NAN)
}
