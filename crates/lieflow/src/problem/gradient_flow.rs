//! Systems whose field is a linear image of the differential of their energy.
use super::{FieldOf, Generator, GroupOf};
use crate::group::ScalarOf;

/// `y' = f·y` with `f = L(t, y) dH(t, y)`, where `dH·a = d/de H(exp(e a)·y)` for elements `a` of the
/// algebra. Where `L` is skew, `H` is conserved; where its symmetric part is negative, `H` decreases.
///
/// That is what methods by discrete gradients ask for: they replace `dH` by something with the sum rule
/// of a derivative and keep `L`.
pub trait GradientFlow: Generator {
    /// `H(t, y)`.
    fn energy(&self, t: f64, y: &Self::Point) -> ScalarOf<GroupOf<Self>>;
    /// `H(t, b) - H(t, a)`. Overridden where the difference can be had with more digits.
    fn energy_change(&self, t: f64, a: &Self::Point, b: &Self::Point) -> ScalarOf<GroupOf<Self>> {
        self.energy(t, b) - self.energy(t, a)
    }
    /// `dH(t, y)`, by its coordinates.
    fn differential(&self, t: f64, y: &Self::Point) -> FieldOf<Self>;
    /// `L(t, y) g`, and what acts beside: it is the field where `g` is the differential, up to what does
    /// not move the point.
    fn response(&self, t: f64, y: &Self::Point, g: &FieldOf<Self>) -> FieldOf<Self>;
}
