//! Methods for a rigid body about a fixed point, as small compositions of kicks and of the free
//! maps of the kernel.
//!
//! One file per idea: a kicked free map, one kick, the methods whose torque sits inside the
//! equations, splittings with the exact motion. All are generic over the scalar, so that a step
//! can be differentiated (that is how their symplecticity is measured) and run in lanes.
/// A method that keeps nothing from step to step.
macro_rules! memoryless {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<S> {
            cost: Cost,
            scalar: core::marker::PhantomData<S>,
        }

        impl<S> Default for $name<S> {
            fn default() -> Self {
                Self { cost: Cost::default(), scalar: core::marker::PhantomData }
            }
        }
    };
}

mod akw;
mod cards;
mod kick_free_kick;
mod liemid_e;
mod liemid_i;
mod new3;
mod newmark;
mod one_kick;
#[cfg(not(target_arch = "nvptx64"))]
mod paced;
mod simo_wong;
mod solving;
mod splitting;
mod way;

pub use akw::Akw;
pub use kick_free_kick::KickFreeKick;
pub use liemid_e::LiemidE;
pub use liemid_i::LiemidI;
pub use new3::New3;
pub use newmark::{Newmark, Update};
pub use one_kick::{Kick, OneKick};
#[cfg(not(target_arch = "nvptx64"))]
pub use paced::PacedSplitting;
pub use simo_wong::{SimoWongC1, SimoWongC2};
pub use splitting::{BM4, RKN4, RKN6, RKN6A, Splitting, SplittingScheme};

use super::composition::{Composed, KL6, SU4, Scheme, TJ4, TJ6, YO6};
use super::{Card, Choices, Compensated, Entry, Method, OptionError, Options};
use crate::problem::SpinningBody;
use lieflow_kernel::Real;
use lieflow_kernel::rigid::{
    CayleyMidpoint, Exact, Halves, LieMidpoint, MoserVeselov, PreprocessedMoserVeselov,
    ThreeRotations, VerletCayley, VerletExp,
};

/// The rotation splitting that begins and ends with the first axis, and its mirror.
const SP123: ThreeRotations = ThreeRotations { axes: [0, 1, 2] };
const SP321: ThreeRotations = ThreeRotations { axes: [2, 1, 0] };

type Boxed<P> = Box<dyn Method<P>>;

/// An entry for a method without choices; `free_only` methods refuse a body with torque.
fn entry<S: Real, P: SpinningBody<S> + 'static>(
    card: Card,
    free_only: bool,
    make: impl Fn() -> Boxed<P> + 'static,
) -> Entry<P> {
    let method = card.id;
    let own = card.clone();
    let check = move |p: &P, options: &Options| {
        options.check(&own, Choices { compensated: true, ..Choices::none(&own) })?;
        if free_only && !p.is_free() {
            return Err(OptionError::FreeMotionOnly { method });
        }
        Ok(())
    };
    let make = move |p: &P, options: &Options| {
        check(p, options)?;
        if options.compensated { Compensated::of(make(), p, method) } else { Ok(make()) }
    };
    Entry { card, make: Box::new(make) }
}

/// Adds a method, and where it is symmetric its compositions, whose names are put together while
/// compiling.
macro_rules! add {
    ($list:ident, $card:ident, $make:expr) => {
        $list.push(entry(cards::$card, false, $make));
    };
    ($list:ident, $card:ident, $id:literal, $make:expr) => {
        add!($list, $card, $make);
        add!(@ $list, $card, concat!($id, "@tj4"), &TJ4, $make);
        add!(@ $list, $card, concat!($id, "@su4"), &SU4, $make);
        add!(@ $list, $card, concat!($id, "@tj6"), &TJ6, $make);
        add!(@ $list, $card, concat!($id, "@yo6"), &YO6, $make);
        add!(@ $list, $card, concat!($id, "@kl6"), &KL6, $make);
    };
    (@ $list:ident, $card:ident, $id:expr, $scheme:expr, $make:expr) => {
        let scheme: &'static Scheme = $scheme;
        let card = scheme.card($id, &cards::$card);
        $list.push(entry(card, false, move || Box::new(Composed::new($make(), scheme))));
    };
}

/// The methods of this family.
pub fn entries<S: Real, P: SpinningBody<S> + 'static>() -> Vec<Entry<P>> {
    let mut list: Vec<Entry<P>> = Vec::new();
    let never = || Box::new(OneKick::<S, _>::new(LieMidpoint, Kick::Never)) as Boxed<P>;
    list.push(entry(cards::LIEMID, true, never));
    add!(list, LIEMID_I, "liemid-i", || Box::new(LiemidI::<S>::default()) as Boxed<P>);
    add!(list, LIEMID_E, || Box::new(LiemidE::<S>::default()) as Boxed<P>);
    add!(list, LIEMID_E1, || Box::new(OneKick::<S, _>::new(LieMidpoint, Kick::End)) as Boxed<P>);
    add!(list, LIEMID_E2, || Box::new(OneKick::<S, _>::new(LieMidpoint, Kick::Start)) as Boxed<P>);
    add!(list, LIEMID_EA, "liemid-ea", || kicked::<S, P, _>(Halves(LieMidpoint)));
    add!(list, AKW, "akw", || Box::new(Akw::<S>::default()) as Boxed<P>);
    add!(list, ELN, "eln", || newmark::<S, P>(false, Update::Cayley));
    add!(list, NMB, "nmb", || newmark::<S, P>(false, Update::Exp));
    add!(list, TLN, "tln", || newmark::<S, P>(true, Update::Cayley));
    add!(list, TLNEXP, "tlnexp", || newmark::<S, P>(true, Update::Exp));
    add!(list, PRK, "prk", || kicked::<S, P, _>(CayleyMidpoint));
    add!(list, MCG, "mcg", || kicked::<S, P, _>(LieMidpoint));
    add!(list, NEW3, "new3", || Box::new(New3::<S>::default()) as Boxed<P>);
    add!(list, VLV, "vlv", || kicked::<S, P, _>(VerletCayley));
    add!(list, VLVEXP, "vlvexp", || kicked::<S, P, _>(VerletExp));
    add!(list, RATTLE, "rattle", || kicked::<S, P, _>(MoserVeselov));
    add!(list, DMV, || kicked::<S, P, _>(MoserVeselov));
    add!(list, LS, || kicked::<S, P, _>(MoserVeselov));
    add!(list, LGVI, || kicked::<S, P, _>(MoserVeselov));
    add!(list, DMV4, "dmv4", || kicked::<S, P, _>(PreprocessedMoserVeselov::FOUR));
    add!(list, DMV6, || kicked::<S, P, _>(PreprocessedMoserVeselov::SIX));
    add!(list, DMV8, || kicked::<S, P, _>(PreprocessedMoserVeselov::EIGHT));
    add!(list, DMV10, || kicked::<S, P, _>(PreprocessedMoserVeselov::TEN));
    add!(list, SWC1, "swc1", || Box::new(SimoWongC1::<S>::default()) as Boxed<P>);
    add!(list, SWC2, || Box::new(SimoWongC2::<S>::default()) as Boxed<P>);
    add!(list, SP123, "sp123", || kicked::<S, P, _>(SP123));
    add!(list, SP321, "sp321", || kicked::<S, P, _>(SP321));
    add!(list, EXS, "exs", || kicked::<S, P, _>(Exact));
    add!(list, EXSD, "exsd", || Box::new(OneKick::<S, _>::new(Exact, Kick::Middle)) as Boxed<P>);
    for (card, scheme) in
        [(cards::BM4, &BM4), (cards::RKN4, &RKN4), (cards::RKN6, &RKN6), (cards::RKN6A, &RKN6A)]
    {
        list.push(entry(card, false, || Box::new(Splitting::<S, _>::new(Exact, scheme))));
    }
    for (card, scheme) in [
        (cards::DMV10_BM4, &BM4),
        (cards::DMV10_RKN4, &RKN4),
        (cards::DMV10_RKN6, &RKN6),
        (cards::DMV10_RKN6A, &RKN6A),
    ] {
        let map = PreprocessedMoserVeselov::TEN;
        list.push(entry(card, false, move || Box::new(Splitting::<S, _>::new(map, scheme))));
    }
    list
}

fn kicked<S: Real, P: SpinningBody<S> + 'static, F>(map: F) -> Boxed<P>
where
    F: lieflow_kernel::rigid::FreeMap<S> + 'static,
{
    Box::new(KickFreeKick::<S, F>::new(map))
}

fn newmark<S: Real, P: SpinningBody<S> + 'static>(trapezoidal: bool, update: Update) -> Boxed<P> {
    Box::new(Newmark::<S>::new(trapezoidal, update))
}
