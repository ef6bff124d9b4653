//! Errors of the invariants, as curves: components of a vector together, relative to the size.
use serde_json::{Value as Json, json};

/// What the invariants were at the beginning, and how they belong together.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Group {
    name: String,
    /// The places of its components.
    places: Vec<usize>,
    base: Vec<f64>,
    /// What errors are divided by; one if the quantity was zero.
    size: f64,
}

impl Errors {
    /// For invariants with these names and values at the beginning.
    pub fn new(names: &[&str], values: &[f64]) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        for (k, name) in names.iter().enumerate() {
            let whole = ["_x", "_y", "_z"].iter().find_map(|axis| name.strip_suffix(axis));
            let name = whole.unwrap_or(name).replace('_', " ");
            match groups.iter_mut().find(|group| whole.is_some() && group.name == name) {
                Some(group) => group.places.push(k),
                None => {
                    groups.push(Group { name, places: vec![k], base: Vec::new(), size: 1.0 });
                }
            }
        }
        let mut errors = Self { groups };
        errors.restart(values);
        errors
    }

    /// From now on errors are differences from these values.
    pub fn restart(&mut self, values: &[f64]) {
        for group in &mut self.groups {
            let value = |k: &usize| values.get(*k).copied().unwrap_or(f64::NAN);
            group.base = group.places.iter().map(value).collect();
            let size = group.base.iter().map(|x| x * x).sum::<f64>().sqrt();
            group.size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
        }
    }

    /// The number of curves.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// The errors at these values: of one number with its sign, of a vector its length.
    pub fn of<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        self.groups.iter().map(move |group| {
            let differences = group.places.iter().zip(&group.base);
            let differences: Vec<f64> = differences
                .map(|(k, base)| values.get(*k).copied().unwrap_or(f64::NAN) - base)
                .collect();
            let error = match differences.as_slice() {
                [one] => *one,
                several => several.iter().map(|d| d * d).sum::<f64>().sqrt(),
            };
            error / group.size
        })
    }

    /// What the page must know of the curves.
    pub fn to_json(&self) -> Json {
        let curve = |group: &Group| {
            let relative = group.base.iter().any(|x| *x != 0.0);
            json!({ "name": group.name, "relative": relative })
        };
        self.groups.iter().map(curve).collect()
    }
}
