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

use super::composition::{KL6, SU4, Scheme, TJ4, TJ6, YO6};
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

/// A midpoint rule and its compositions.
macro_rules! with_compositions {
    ($list:ident, $id:literal, $card:expr, $rule:expr) => {
        add(&mut $list, $card.clone(), $rule, None);
        add(&mut $list, TJ4.card(concat!($id, "@tj4"), &$card), $rule, Some(&TJ4));
        add(&mut $list, SU4.card(concat!($id, "@su4"), &$card), $rule, Some(&SU4));
        add(&mut $list, TJ6.card(concat!($id, "@tj6"), &$card), $rule, Some(&TJ6));
        add(&mut $list, YO6.card(concat!($id, "@yo6"), &$card), $rule, Some(&YO6));
        add(&mut $list, KL6.card(concat!($id, "@kl6"), &$card), $rule, Some(&KL6));
    };
}

/// The spherical midpoint method and its compositions, for fields on products of spheres.
pub fn entries<P: Generator<Space: TurnedVectors> + 'static>() -> Vec<Entry<P>> {
    let mut list = Vec::new();
    with_compositions!(list, "spherical-midpoint", SPHERICAL, Midpoint::Spherical);
    list
}

/// The collective midpoint method and its compositions, for fields that are gradients off the
/// spheres too.
pub fn collective_entries<P: Generator<Space: TurnedVectors> + 'static>() -> Vec<Entry<P>> {
    let mut list = Vec::new();
    with_compositions!(list, "collective-midpoint", COLLECTIVE, Midpoint::Collective);
    list
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

fn add<P: Generator<Space: TurnedVectors> + 'static>(
    list: &mut Vec<Entry<P>>,
    card: Card,
    rule: Midpoint,
    scheme: Option<&'static Scheme>,
) {
    let has = Choices::fixed_point();
    let own = card.clone();
    let make = move |_: &P, options: &Options| {
        options.check(&own, has)?;
        Ok(Box::new(SphericalMidpoint::<P>::new(rule, scheme)) as Box<dyn Method<P>>)
    };
    list.push(Entry { card, make: Box::new(make) });
}
