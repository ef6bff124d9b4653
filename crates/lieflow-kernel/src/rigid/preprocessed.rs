//! The preprocessed discrete Moser–Veselov map of order four.
//!
//! The map of RATTLE with, in each step, the inertias replaced by
//!
//! ```text
//! 1/J'_i = (1/J_i) (1 + h² s) + h² d
//! s = -(T/3) (1/J1 + 1/J2 + 1/J3) + (J1+J2+J3)/(6 J1 J2 J3) C
//! d =  (J1+J2+J3)/(6 J1 J2 J3) T - C/(3 J1 J2 J3)
//! ```
//!
//! with the kinetic energy `T` and `C = |Π|²/2` at its beginning; both are conserved, so that the
//! map keeps the invariants of free motion. Hairer and Vilmart 2006, as recalled; the order 4 of
//! free motion is measured by our tests. Not symplectic, since the inertias depend on the state,
//! but volume preserving.
use super::free_map::{PrincipalMap, in_principal_frame};
use super::{FreeMap, Inertia, MoserVeselov, Turn};
use crate::linalg::{Vec3, vec3};
use crate::scalar::Real;

/// The preprocessed map.
#[derive(Clone, Copy, Debug, Default)]
pub struct PreprocessedMoserVeselov;

impl<S: Real> PrincipalMap<S> for PreprocessedMoserVeselov {
    #[inline(always)]
    fn principal_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        let (j, i) = (inertia.moments(), inertia.inverse_moments());
        let kinetic = momentum.dot(momentum.scaled_by(i)) * 0.5;
        let casimir = momentum.norm_squared() * 0.5;
        let product = i.x * i.y * i.z;
        let mean = (j.x + j.y + j.z) * product * S::ratio(1.0, 6.0);
        let third = S::ratio(1.0, 3.0);
        let s = mean * casimir - kinetic * third * (i.x + i.y + i.z);
        let d = mean * kinetic - casimir * product * third;
        let (scale, shift) = (S::one() + s * (h * h), d * (h * h));
        let one = S::one();
        let modified = Inertia::principal(vec3(
            one / (i.x * scale + shift),
            one / (i.y * scale + shift),
            one / (i.z * scale + shift),
        ));
        MoserVeselov.turn(&modified, h, momentum)
    }
}

impl<S: Real> FreeMap<S> for PreprocessedMoserVeselov {
    const EQUATION: &'static str = "the equation of the preprocessed Moser-Veselov map";

    #[inline(always)]
    fn turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        in_principal_frame(self, inertia, h, momentum)
    }
}
