//! The engines that are compiled for lanes.
//!
//! Each engine is compiled once for each system here, which costs seconds of build time; so these
//! are the explicit ones that serve many tables, and the rigid-body methods that people run in
//! great numbers. All other methods run one trajectory at a time.
use super::dispatch::{Found, Number, Wide};
use lieflow::kernel::rigid::{Exact, FreeMap, Halves, LieMidpoint, MoserVeselov, VerletCayley};
use lieflow::method::casas_owren::{self, CasasOwren};
use lieflow::method::commutator_free::{self, ProductMethod};
use lieflow::method::crouch_grossman;
use lieflow::method::rigid_body::{
    BM4, Kick, KickFreeKick, OneKick, RKN4, RKN6, RKN6A, Splitting, SplittingScheme,
};
use lieflow::method::rkmk::{self, Rkmk};
use lieflow::method::{Method, Options};
use lieflow::problem::{Generator, SpinningBody};

type Boxed<P> = Box<dyn Method<P>>;

/// Methods for a field in a Lie algebra.
pub fn generator<N: Number, P: Generator + 'static>(
    id: &str,
    options: &Options,
    found: Found,
) -> Option<Boxed<P>> {
    if let Some((_, table)) = rkmk::MEMBERS.iter().find(|(card, _)| card.id == id) {
        return Some(Box::new(Wide::<N, _>::new(Rkmk::new(table, options.chart), found)));
    }
    if id == casas_owren::CARD.id {
        return Some(Box::new(Wide::<N, _>::new(CasasOwren::default(), found)));
    }
    let mut products = crouch_grossman::MEMBERS.iter().chain(&commutator_free::MEMBERS);
    let (_, table) = products.find(|(card, _)| card.id == id)?;
    Some(Box::new(Wide::<N, _>::new(ProductMethod::new(table), found)))
}

/// Methods for a body about a fixed point.
pub fn rigid_body<N: Number, P: SpinningBody<N> + 'static>(
    id: &str,
    found: Found,
) -> Option<Boxed<P>> {
    Some(match id {
        "liemid" => one::<N, P, _>(LieMidpoint, Kick::Never, found),
        "liemid-e1" => one::<N, P, _>(LieMidpoint, Kick::End, found),
        "liemid-e2" => one::<N, P, _>(LieMidpoint, Kick::Start, found),
        "liemid-ea" => kicked::<N, P, _>(Halves(LieMidpoint), found),
        "mcg" => kicked::<N, P, _>(LieMidpoint, found),
        "vlv" => kicked::<N, P, _>(VerletCayley, found),
        "rattle" | "dmv" | "ls" | "lgvi" => kicked::<N, P, _>(MoserVeselov, found),
        "exs" => kicked::<N, P, _>(Exact, found),
        "exs@bm4" => split::<N, P>(&BM4, found),
        "exs@rkn4" => split::<N, P>(&RKN4, found),
        "exs@rkn6" => split::<N, P>(&RKN6, found),
        "exs@rkn6a" => split::<N, P>(&RKN6A, found),
        _ => return None,
    })
}

fn one<N: Number, P, F>(map: F, kick: Kick, found: Found) -> Boxed<P>
where
    P: SpinningBody<N> + 'static,
    F: FreeMap<N> + 'static,
{
    Box::new(Wide::<N, _>::new(OneKick::<N, F>::new(map, kick), found))
}

fn kicked<N: Number, P, F>(map: F, found: Found) -> Boxed<P>
where
    P: SpinningBody<N> + 'static,
    F: FreeMap<N> + 'static,
{
    Box::new(Wide::<N, _>::new(KickFreeKick::<N, F>::new(map), found))
}

fn split<N: Number, P>(scheme: &'static SplittingScheme, found: Found) -> Boxed<P>
where
    P: SpinningBody<N> + 'static,
{
    Box::new(Wide::<N, _>::new(Splitting::<N, _>::new(Exact, scheme), found))
}
