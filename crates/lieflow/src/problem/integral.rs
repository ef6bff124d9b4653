//! First integrals with their gradients, for methods that conserve what they are told to.
use super::Problem;

/// A function that the exact motion conserves.
pub struct Integral<P: Problem + ?Sized> {
    /// Its name, that of the invariant in reports.
    pub name: &'static str,
    /// Its value.
    pub eval: fn(&P, &P::Point) -> f64,
    /// Its gradient in the coordinates of the space around the manifold
    /// ([`Isotropy::read`](crate::action::Isotropy::read)).
    pub gradient: fn(&P, &P::Point, &mut [f64]),
    /// The difference of its values at the second and the first point, where there is a formula
    /// that cancels less than subtracting them.
    pub change: Option<fn(&P, &P::Point, &P::Point) -> f64>,
}

impl<P: Problem + ?Sized> Clone for Integral<P> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<P: Problem + ?Sized> Copy for Integral<P> {}

/// A system that knows the gradients of its first integrals.
pub trait FirstIntegrals: Problem {
    /// Those with a gradient.
    fn integrals(&self) -> Vec<Integral<Self>>;
}
