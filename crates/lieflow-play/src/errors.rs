//! Errors of the invariants, as curves: components of a vector together, relative to the size. And how
//! far a state is from the manifold on which it should be.
use lieflow::problem::Value;
use lieflow_models::run::{Scale, State};
use serde_json::{Value as Json, json};

/// What the invariants were at the beginning, and how they belong together.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    groups: Vec<Group>,
    /// What the parts of a state should be, if that is known.
    manifold: Option<Manifold>,
}

/// Where some parts of a state should be.
#[derive(Clone, Debug)]
struct Manifold {
    /// What the page calls it.
    name: &'static str,
    /// The parts.
    parts: Vec<&'static str>,
}

impl Manifold {
    /// The rotations among the parts of a state; without any, those that are unit vectors.
    fn of(state: &State) -> Option<Self> {
        let parts = |is: &dyn Fn(&Value) -> bool| -> Vec<&'static str> {
            let parts = state.parts.iter().filter(|(_, value)| is(value));
            parts.map(|(name, _)| *name).collect()
        };
        let rotations = parts(&|value| matches!(value, Value::Rotation(_)));
        if !rotations.is_empty() {
            return Some(Self { name: "rotation", parts: rotations });
        }
        let unit = |v: &[f64; 3]| length_error(v) < 1e-9;
        let units = parts(&|value| match value {
            Value::Vector(v) => unit(v),
            Value::Vectors(list) => !list.is_empty() && list.iter().all(unit),
            _ => false,
        });
        (!units.is_empty()).then_some(Self { name: "unit length", parts: units })
    }

    /// How far they are from there.
    fn distance(&self, state: &State) -> f64 {
        let parts = self.parts.iter().filter_map(|part| state.part(part));
        let distance = |value: &Value| match value {
            Value::Rotation(r) => orthogonality_error(r),
            Value::Vector(v) => length_error(v),
            Value::Vectors(list) => list.iter().map(length_error).fold(0.0, f64::max),
            _ => 0.0,
        };
        parts.map(distance).fold(0.0, f64::max)
    }
}

fn length_error(v: &[f64; 3]) -> f64 {
    (v.iter().map(|x| x * x).sum::<f64>().sqrt() - 1.0).abs()
}

/// The largest entry of `R Rᵀ - 1`.
fn orthogonality_error(r: &[[f64; 3]; 3]) -> f64 {
    let dot = |i: usize, j: usize| (0..3).map(|k| r[i][k] * r[j][k]).sum::<f64>();
    let entry = |i: usize, j: usize| (dot(i, j) - f64::from(u8::from(i == j))).abs();
    (0..3).flat_map(|i| (i..3).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).fold(0.0, f64::max)
}

#[derive(Clone, Debug)]
struct Group {
    name: String,
    /// The places of its components.
    places: Vec<usize>,
    base: Vec<f64>,
    /// What errors are divided by; none if the quantity was zero.
    size: Option<f64>,
}

impl Errors {
    /// For invariants with these names, values and scales at the beginning, and the state there.
    pub fn new(names: &[&str], values: &[f64], scales: &[Scale], state: &State) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        for (k, name) in names.iter().enumerate() {
            let whole = ["_x", "_y", "_z"].iter().find_map(|axis| name.strip_suffix(axis));
            let name = whole.unwrap_or(name).replace('_', " ");
            let value = values.get(k).copied().unwrap_or(f64::NAN);
            match groups.iter_mut().find(|group| whole.is_some() && group.name == name) {
                Some(group) => {
                    group.places.push(k);
                    group.base.push(value);
                }
                None => {
                    // Components have the size of their vector.
                    let size = scales.get(k).and_then(Scale::size).filter(|s| s.is_finite());
                    groups.push(Group { name, places: vec![k], base: vec![value], size });
                }
            }
        }
        Self { groups, manifold: Manifold::of(state) }
    }

    /// The number of curves.
    pub fn len(&self) -> usize {
        self.groups.len() + usize::from(self.manifold.is_some())
    }

    /// The errors at a state with these values: of one number with its sign, of a vector its length.
    pub fn of<'a>(&'a self, values: &'a [f64], state: &'a State) -> impl Iterator<Item = f64> + 'a {
        let errors = self.groups.iter().map(move |group| {
            let differences = group.places.iter().zip(&group.base);
            let differences: Vec<f64> = differences
                .map(|(k, base)| values.get(*k).copied().unwrap_or(f64::NAN) - base)
                .collect();
            let error = match differences.as_slice() {
                [one] => *one,
                several => several.iter().map(|d| d * d).sum::<f64>().sqrt(),
            };
            error / group.size.unwrap_or(1.0)
        });
        errors.chain(self.manifold.as_ref().map(|manifold| manifold.distance(state)))
    }

    /// What the page must know of the curves.
    pub fn to_json(&self) -> Json {
        let curve = |group: &Group| {
            let relative = group.size.is_some();
            let title = format!("Error of {}", group.name);
            json!({ "name": group.name, "title": title, "relative": relative })
        };
        let manifold = |manifold: &Manifold| {
            let title = format!("Distance from a {}", manifold.name);
            let title = title.replace("a unit", "unit");
            json!({ "name": manifold.name, "title": title, "relative": false })
        };
        self.groups.iter().map(curve).chain(self.manifold.as_ref().map(manifold)).collect()
    }
}
