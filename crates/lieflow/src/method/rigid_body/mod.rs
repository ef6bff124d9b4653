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
#[cfg(not(target_arch = "nvptx64"))]
mod embedded;
mod force_gradient;
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
#[cfg(not(target_arch = "nvptx64"))]
pub use embedded::EstimatedSplitting;
pub use force_gradient::ForceGradient;
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

use super::composition::{Composable, compositions};
use super::{Card, Choices, Compensated, Entry, Method, OptionError, Options};
use crate::action::Flat;
use crate::problem::{Problem, SpinningBody};
use lieflow_kernel::Real;
use lieflow_kernel::rigid::{
    CayleyMidpoint, Exact, Halves, LieMidpoint, MoserVeselov, PreprocessedMoserVeselov,
    ThreeRotations, VerletCayley, VerletExp,
};

/// The rotation splitting that begins and ends with the first axis, and its mirror.
const SP123: ThreeRotations = ThreeRotations { axes: [0, 1, 2] };
const SP321: ThreeRotations = ThreeRotations { axes: [2, 1, 0] };

type Boxed<P> = Box<dyn Method<P>>;

/// A method without choices.
fn entry<S: Real, P: SpinningBody<S> + 'static>(
    card: Card,
    free_only: bool,
    make: impl Fn() -> Boxed<P> + 'static,
) -> Entry<P> {
    let own = card.clone();
    let checked = move |p: &P, options: &Options| {
        options.check(&own, Choices { compensated: true, ..Choices::none(&own) })?;
        if free_only && !p.is_free() {
            return Err(OptionError::FreeMotionOnly { method: own.id });
        }
        if options.compensated { Compensated::of(make(), p, own.id) } else { Ok(make()) }
    };
    Entry { card, make: Box::new(checked) }
}

/// The methods of this family.
pub fn entries<S: Real, P: SpinningBody<S> + 'static>() -> Vec<Entry<P>> {
    let all = Members::<S, P>::ALL.iter().flat_map(|member| {
        member.each().map(|(card, scheme)| entry(card, member.free_only, member.maker(scheme)))
    });
    all.collect()
}

/// The list for a kind of bodies.
struct Members<S, P>(core::marker::PhantomData<(S, P)>);

impl<S: Real, P: SpinningBody<S> + 'static> Members<S, P> {
    const ALL: &'static [Composable<P>] = &[
        Composable {
            free_only: true,
            ..one(cards::LIEMID, || once::<S, P, _>(LieMidpoint, Kick::Never))
        },
        all(cards::LIEMID_I, compositions!("liemid-i"), || Box::new(LiemidI::<S>::default())),
        one(cards::LIEMID_E, || Box::new(LiemidE::<S>::default())),
        one(cards::LIEMID_E1, || once::<S, P, _>(LieMidpoint, Kick::End)),
        one(cards::LIEMID_E2, || once::<S, P, _>(LieMidpoint, Kick::Start)),
        all(cards::LIEMID_EA, compositions!("liemid-ea"), || {
            kicked::<S, P, _>(Halves(LieMidpoint))
        }),
        all(cards::AKW, compositions!("akw"), || Box::new(Akw::<S>::default())),
        all(cards::ELN, compositions!("eln"), || newmark::<S, P>(false, Update::Cayley)),
        all(cards::NMB, compositions!("nmb"), || newmark::<S, P>(false, Update::Exp)),
        all(cards::TLN, compositions!("tln"), || newmark::<S, P>(true, Update::Cayley)),
        all(cards::TLNEXP, compositions!("tlnexp"), || newmark::<S, P>(true, Update::Exp)),
        all(cards::PRK, compositions!("prk"), || kicked::<S, P, _>(CayleyMidpoint)),
        all(cards::MCG, compositions!("mcg"), || kicked::<S, P, _>(LieMidpoint)),
        all(cards::NEW3, compositions!("new3"), || Box::new(New3::<S>::default())),
        all(cards::VLV, compositions!("vlv"), || kicked::<S, P, _>(VerletCayley)),
        all(cards::VLVEXP, compositions!("vlvexp"), || kicked::<S, P, _>(VerletExp)),
        all(cards::RATTLE, compositions!("rattle"), || kicked::<S, P, _>(MoserVeselov)),
        one(cards::DMV, || kicked::<S, P, _>(MoserVeselov)),
        one(cards::LS, || kicked::<S, P, _>(MoserVeselov)),
        one(cards::LGVI, || kicked::<S, P, _>(MoserVeselov)),
        all(cards::DMV4, compositions!("dmv4"), || {
            kicked::<S, P, _>(PreprocessedMoserVeselov::FOUR)
        }),
        one(cards::DMV6, || kicked::<S, P, _>(PreprocessedMoserVeselov::SIX)),
        one(cards::DMV8, || kicked::<S, P, _>(PreprocessedMoserVeselov::EIGHT)),
        one(cards::DMV10, || kicked::<S, P, _>(PreprocessedMoserVeselov::TEN)),
        all(cards::SWC1, compositions!("swc1"), || Box::new(SimoWongC1::<S>::default())),
        one(cards::SWC2, || Box::new(SimoWongC2::<S>::default())),
        all(cards::SP123, compositions!("sp123"), || kicked::<S, P, _>(SP123)),
        all(cards::SP321, compositions!("sp321"), || kicked::<S, P, _>(SP321)),
        all(cards::EXS, compositions!("exs"), || kicked::<S, P, _>(Exact)),
        all(cards::EXSD, compositions!("exsd"), || once::<S, P, _>(Exact, Kick::Middle)),
        one(cards::BM4, || split::<S, P, _>(Exact, &BM4)),
        one(cards::RKN4, || split::<S, P, _>(Exact, &RKN4)),
        one(cards::RKN6, || split::<S, P, _>(Exact, &RKN6)),
        one(cards::RKN6A, || split::<S, P, _>(Exact, &RKN6A)),
        one(cards::FG4, || Box::new(ForceGradient::<S, _>::new(Exact))),
        one(cards::DMV10_BM4, || split::<S, P, _>(PreprocessedMoserVeselov::TEN, &BM4)),
        one(cards::DMV10_RKN4, || split::<S, P, _>(PreprocessedMoserVeselov::TEN, &RKN4)),
        one(cards::DMV10_RKN6, || split::<S, P, _>(PreprocessedMoserVeselov::TEN, &RKN6)),
        one(cards::DMV10_RKN6A, || split::<S, P, _>(PreprocessedMoserVeselov::TEN, &RKN6A)),
    ];
}

/// A method without compositions.
const fn one<P: Problem<Point: Flat> + 'static>(
    card: Card,
    make: fn() -> Boxed<P>,
) -> Composable<P> {
    Composable::alone(card, make)
}

/// A symmetric method, with its compositions.
const fn all<P: Problem<Point: Flat> + 'static>(
    card: Card,
    compositions: &'static [&'static str],
    make: fn() -> Boxed<P>,
) -> Composable<P> {
    Composable::with(card, compositions, make)
}

fn once<S: Real, P: SpinningBody<S> + 'static, F>(map: F, kick: Kick) -> Boxed<P>
where
    F: lieflow_kernel::rigid::FreeMap<S> + 'static,
{
    Box::new(OneKick::<S, F>::new(map, kick))
}

fn split<S: Real, P: SpinningBody<S> + 'static, F>(
    map: F,
    scheme: &'static SplittingScheme,
) -> Boxed<P>
where
    F: lieflow_kernel::rigid::FreeMap<S> + 'static,
{
    Box::new(Splitting::<S, F>::new(map, scheme))
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
