//! Midpoint rules on products of spheres, each of which is a phase space: spins, vortices, momenta.
//!
//! A sphere of radius `r` with the weight `κ` has the symplectic form `κ w·(u × v)/r²`, and the flow
//! of `H` is `w' = f × w` with `f = ∂H/∂w/κ`. One step solves
//!
//! ```text
//! w1 - w0 = h f(t + h/2, m) × m        m = r (w0 + w1)/|w0 + w1|
//! ```
//!
//! on all spheres at once: the spherical midpoint method (McLachlan, Modin and Verdier 2017). It is
//! symmetric, of order two, symplectic on every product of spheres with any weights, keeps radii and
//! momenta of rotations (they are linear in `w`), and commutes with rotations. It needs `h |f × m| < 2 r`.
//!
//! Its sister evaluates the field inside the sphere: the classical midpoint rule for two complex
//! numbers `z` with the Hamiltonian `H(J(z))`, where Hopf's map `J` takes `z` to the vector that its
//! rotation makes of the third axis (McLachlan, Modin and Verdier 2014, collective methods). It comes
//! down to the sphere, so no `z` is needed: with the pure quaternion `a = h f(t + h/2, m)/4`
//!
//! ```text
//! m  = (1 - a)⁻¹ w0 (1 + a)⁻¹                 w1 = (1 - a)⁻¹(1 + a) w0 (1 + a)⁻¹(1 - a)
//! ```
//!
//! `|m| = r/(1 + |a|²)`. It is symplectic if `f` is a gradient off the sphere too. Both are the same where `H` is
//! constant along rays, and differ elsewhere. What differs from the papers: the
//! unknown is the generator, for which the equation of one sphere is solved in closed form, so that a
//! constant field takes one sweep; it is predicted from the steps before; and where sweeps come late, the
//! slopes of the field make Newton's steps of them (`slopes`).
//!
//! Both are symmetric, so there are compositions of them. Each substep of a composition is predicted
//! from the same substep of the steps before, because these change smoothly.
mod engine;
mod memory;
mod rule;
mod slopes;
mod space;
pub mod structure;

pub use engine::SphericalMidpoint;
pub use rule::Midpoint;
pub use space::TurnedVectors;

use super::composition::{Scheme, compositions, with_compositions};
use super::implicit::DIRECTIONS;
use super::{Card, Choices, Entry, Method, Options, on_field};
use crate::problem::{AnyFieldOf, Differentiable, Generator};

/// The family on the cards of these methods.
pub const FAMILY: &str = "spherical";

/// A card of this family.
const fn card(id: &'static str, title: &'static str, cite: &'static str) -> Card {
    Card {
        symmetric: true,
        symplectic: true,
        conserves: "the symplectic form of the spheres, radii, momenta of rotations",
        implicit: true,
        cite,
        ..Card::new(id, title, FAMILY, 2)
    }
}

/// The spherical midpoint method.
pub static SPHERICAL: Card =
    card("spherical-midpoint", "midpoint rule on each sphere", "mclachlan2017");
/// The collective midpoint method.
pub static COLLECTIVE: Card = card(
    "collective-midpoint",
    "midpoint rule in quaternions, through Hopf's map",
    "mclachlan2014",
);

/// The spherical midpoint method and its compositions, for fields on products of spheres.
pub fn entries<P: Generator<Space: TurnedVectors> + 'static>() -> Vec<Entry<P>> {
    let all = with_compositions(&SPHERICAL, compositions!("spherical-midpoint"));
    all.map(|(card, scheme)| entry(card, Midpoint::Spherical, scheme)).collect()
}

/// The collective midpoint method and its compositions, for fields that are gradients off the
/// spheres too.
pub fn collective_entries<P: Generator<Space: TurnedVectors> + 'static>() -> Vec<Entry<P>> {
    let all = with_compositions(&COLLECTIVE, compositions!("collective-midpoint"));
    all.map(|(card, scheme)| entry(card, Midpoint::Collective, scheme)).collect()
}

/// [`entries`], with engines that are compiled once for all systems on a space.
pub fn entries_on_space<P>() -> Vec<Entry<P>>
where
    P: Differentiable<DIRECTIONS, Lifted: 'static> + Clone + 'static,
    P::Space: TurnedVectors + 'static,
{
    on_field(entries::<AnyFieldOf<P, DIRECTIONS>>())
}

/// [`entries`] and [`collective_entries`], likewise.
pub fn all_entries_on_space<P>() -> Vec<Entry<P>>
where
    P: Differentiable<DIRECTIONS, Lifted: 'static> + Clone + 'static,
    P::Space: TurnedVectors + 'static,
{
    on_field(all_entries::<AnyFieldOf<P, DIRECTIONS>>())
}

/// The same for systems of run-time size.
pub fn all_entries_on_large_space<P>() -> Vec<Entry<P>>
where
    P: Differentiable<1, Lifted: 'static> + Clone + 'static,
    P::Space: TurnedVectors + 'static,
{
    on_field(all_entries::<AnyFieldOf<P, 1>>())
}

/// [`entries`] and [`collective_entries`].
pub fn all_entries<P: Generator<Space: TurnedVectors> + 'static>() -> Vec<Entry<P>> {
    let mut list = entries();
    list.extend(collective_entries());
    list
}

fn entry<P: Generator<Space: TurnedVectors> + 'static>(
    card: Card,
    rule: Midpoint,
    scheme: Option<&'static Scheme>,
) -> Entry<P> {
    let has = Choices::fixed_point();
    let own = card.clone();
    let make = move |_: &P, options: &Options| {
        options.check(&own, has)?;
        Ok(Box::new(SphericalMidpoint::<P>::new(rule, scheme)) as Box<dyn Method<P>>)
    };
    Entry { card, make: Box::new(make) }
}
