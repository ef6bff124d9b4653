//! The preprocessed discrete Moser–Veselov maps of orders four, six, eight and ten.
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
//! map keeps the invariants of free motion, whatever its order. These are the terms for order four;
//! those for higher ones are in [`preprocessing`](super::preprocessing). Hairer and Vilmart 2006, the
//! series as derived here; the orders of free motion are measured by our tests. Not symplectic, since the
//! inertias depend on the state, but volume preserving.
use super::elliptic::extended;
use super::free_map::{PrincipalMap, fine_in_principal_frame, in_principal_frame};
use super::preprocessing::Powers;
use super::{FineTurn, FreeMap, Inertia, MoserVeselov, Turn};
use crate::linalg::{Vec3, vec3};
use crate::scalar::Real;

/// The preprocessed map.
#[derive(Clone, Copy, Debug)]
pub struct PreprocessedMoserVeselov {
    order: usize,
}

impl PreprocessedMoserVeselov {
    /// Of order four.
    pub const FOUR: Self = Self { order: 4 };
    /// Of order six.
    pub const SIX: Self = Self { order: 6 };
    /// Of order eight.
    pub const EIGHT: Self = Self { order: 8 };
    /// Of order ten.
    pub const TEN: Self = Self { order: 10 };
}

impl PreprocessedMoserVeselov {
    /// The body with the moments of a step.
    #[inline(always)]
    fn modified<S: Real>(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Inertia<S> {
        let (j, i) = (inertia.moments(), inertia.inverse_moments());
        let kinetic = momentum.dot(momentum.scaled_by(i)) * 0.5;
        let casimir = momentum.norm_squared() * 0.5;
        let product = i.x * i.y * i.z;
        let mean = (j.x + j.y + j.z) * product * S::ratio(1.0, 6.0);
        let third = S::ratio(1.0, 3.0);
        let s = mean * casimir - kinetic * third * (i.x + i.y + i.z);
        let d = mean * kinetic - casimir * product * third;
        let (mut scale, mut shift) = (S::one() + s * (h * h), d * (h * h));
        if self.order > 4 {
            let (energy, casimir) = (kinetic * (h * h), casimir * (h * h));
            let pairs = i.x * i.y + i.x * i.z + i.y * i.z;
            let powers = Powers::new(energy, casimir, [i.x + i.y + i.z, pairs, product]);
            let (s, d) = powers.beyond(self.order, extended::<S>());
            scale += s;
            shift += d;
        }
        let one = S::one();
        Inertia::principal(vec3(
            one / (i.x * scale + shift),
            one / (i.y * scale + shift),
            one / (i.z * scale + shift),
        ))
    }
}

impl<S: Real> PrincipalMap<S> for PreprocessedMoserVeselov {
    #[inline(always)]
    fn principal_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        MoserVeselov.turn(&self.modified(inertia, h, momentum), h, momentum)
    }
    #[inline(always)]
    fn fine_principal_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> FineTurn<S> {
        MoserVeselov.fine_turn(&self.modified(inertia, h, momentum), h, momentum)
    }
}

impl<S: Real> FreeMap<S> for PreprocessedMoserVeselov {
    const EQUATION: &'static str = "the equation of the preprocessed Moser-Veselov map";

    #[inline(always)]
    fn turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        in_principal_frame(self, inertia, h, momentum)
    }
    #[inline(always)]
    fn fine_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> FineTurn<S> {
        fine_in_principal_frame(self, inertia, h, momentum)
    }
}
