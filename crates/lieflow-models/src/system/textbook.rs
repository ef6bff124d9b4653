//! The strength of a homogeneous field on a body, as textbooks give it.
use crate::problem_file::{Reader, SpecError};
use lieflow::Vec3;

/// How far a direction may be from length one without a word about it.
const TOLERANCE: f64 = 1e-12;

/// `strength`, or `mass`, `gravity` and `length` (to the centre of mass), of which it is the product;
/// and whether it is given by these.
pub(super) fn strength(table: &Reader<'_>) -> Result<(f64, bool), SpecError> {
    let mut by_parts = false;
    for key in ["mass", "gravity", "length"] {
        by_parts |= table.has(key) && table.one_of(&["strength", key])? == Some(key);
    }
    if by_parts {
        let product =
            table.positive("mass")? * table.number("gravity")? * table.number("length")?;
        return Ok((product, true));
    }
    if !table.has("strength") {
        let expected = "a number; or 'mass', 'gravity' and 'length', whose product it is";
        return Err(table.missing("strength", expected));
    }
    Ok((table.number("strength")?, false))
}

/// A direction, scaled to length one with a warning if it is not.
pub(super) fn direction(table: &Reader<'_>, key: &'static str) -> Result<Vec3<f64>, SpecError> {
    let v = table.vector(key)?;
    let length = v.norm();
    if (length - 1.0).abs() <= TOLERANCE {
        return Ok(v);
    }
    if length == 0.0 || !length.is_finite() {
        return Err(table.refuse(key, "a vector that is not zero"));
    }
    table.warn(key, format!("its length is {length}; it is scaled to length one"));
    Ok(v.times(1.0 / length))
}
