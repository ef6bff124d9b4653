//! What the change of an invariant is measured by: the one place that decides whether a relative
//! change means anything.
//!
//! An invariant is a sum of terms, and rounding is a part of its terms, not of what is left of them. A
//! momentum of `1 - 1` is zero, or some rounding, and a change that is divided by it says nothing. How
//! large the terms are is found without knowing them: all numbers `x_i` of the initial state are shaken
//! by small parts of themselves, and the invariant `Q` moves by the root of `Σ (x_i ∂Q/∂x_i)²`.

/// Changes below this, relative to the size of an invariant or of its terms, are rounding.
pub const ROUNDING: f64 = 1e-12;
/// What is left of terms that cancel so far has no size of its own.
const REST: f64 = 1e-3;
/// The part of itself by which a number is shaken at most.
pub(super) const SHAKE: f64 = 1e-5;

/// By what changes of one invariant are measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Its initial value, without sign; of a component the length of the vector.
    value: f64,
    /// The size of its terms, if they could be shaken.
    terms: Option<f64>,
}

impl Scale {
    /// The size of the invariant; none if it is zero, or a rest of terms that cancel.
    pub fn size(&self) -> Option<f64> {
        let least = self.terms.map_or(0.0, |terms| REST * terms);
        (self.value > least).then_some(self.value)
    }

    /// A change as a part of the size, if there is one.
    pub fn relative(&self, change: f64) -> Option<f64> {
        Some(change / self.size()?)
    }

    /// Whether a change is rounding of the terms. Terms that are not known are of size one.
    pub fn is_rounding(&self, change: f64) -> bool {
        change <= ROUNDING * self.value.max(self.terms.unwrap_or(1.0))
    }
}

/// The scales of invariants with these names and values, and with those of states that were shaken; values and
/// terms of components belong together.
pub(super) fn together(names: &[&'static str], values: &[f64], shaken: &[Vec<f64>]) -> Vec<Scale> {
    let stem = |name: &&'static str| {
        ["_x", "_y", "_z"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
    };
    let stems: Vec<&'static str> = names.iter().map(stem).collect();
    // Even parts between -1 and 1 have the mean square 1/3.
    let square = |k: usize| {
        let moved = shaken.iter().map(|row| (row[k] - values[k]) / SHAKE);
        moved.map(|x| 3.0 * x * x).sum::<f64>() / shaken.len() as f64
    };
    let scale = |stem: &&'static str| {
        let same = || (0..stems.len().min(values.len())).filter(|k| stems[*k] == *stem);
        let value = same().map(|k| values[k] * values[k]).sum::<f64>().sqrt();
        // Without states that were shaken it is unknown, not zero.
        let terms = (!shaken.is_empty()).then(|| same().map(square).sum::<f64>().sqrt());
        Scale { value, terms: terms.filter(|terms| terms.is_finite()) }
    };
    stems.iter().map(scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rest_of_terms_has_no_size() {
        let scale = |value, terms| Scale { value, terms };
        assert_eq!(scale(2e-16, Some(3.0)).size(), None);
        assert_eq!(scale(0.0, None).size(), None);
        assert_eq!(scale(1e-20, Some(2e-20)).relative(5e-21), Some(0.5));
        assert!(scale(2e-16, Some(3.0)).is_rounding(4e-15));
        assert!(!scale(1e-20, Some(2e-20)).is_rounding(1e-21));
    }

    #[test]
    fn components_share_the_length_of_their_vector() {
        let list = together(&["m_x", "m_y", "m_z", "energy"], &[0.0, 3.0, 4.0, 7.0], &[]);
        let sizes: Vec<_> = list.iter().map(Scale::size).collect();
        assert_eq!(sizes, [Some(5.0), Some(5.0), Some(5.0), Some(7.0)]);
    }
}
