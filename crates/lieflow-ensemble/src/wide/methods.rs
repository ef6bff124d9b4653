//! The engines that are compiled for lanes.
//!
//! Each costs seconds of build time for every system and width, so each has its reason. All other
//! methods, and all charts but the exponential, run one trajectory at a time.
//!
//! | methods | systems | lanes | why |
//! | --- | --- | --- | --- |
//! | `rkmk4`, `rkmk4-casas-owren` | all here | 8; bodies 16 | what people sweep with; 16 lanes gain 1.5 to 1.9 times over 8 |
//! | the other explicit RKMK methods | all here | 8 | one engine for eight tables, four times as fast as alone |
//! | commutator-free, Crouch–Grossman | bodies in the space `se3` | 8 | one engine for nine tables |
//! | `liemid…`, `mcg`, `vlv`, `rattle`, `exs` and its splittings | bodies | 8 and 16 | the cheapest steps, run in the greatest numbers |
use super::dispatch::{Found, Number, Wide};
use lieflow::chart::Chart;
use lieflow::kernel::rigid::{Exact, FreeMap, Halves, LieMidpoint, MoserVeselov, VerletCayley};
use lieflow::method::casas_owren::{self, CasasOwren};
use lieflow::method::commutator_free::{self, ProductMethod};
use lieflow::method::crouch_grossman;
use lieflow::method::rigid_body::{
    BM4, Kick, KickFreeKick, OneKick, RKN4, RKN6, RKN6A, Splitting, SplittingScheme,
};
use lieflow::method::rkmk::{self, Classical, InExponential};
use lieflow::method::{Method, Options};
use lieflow::problem::{Generator, SpinningBody};

type Boxed<P> = Box<dyn Method<P>>;

/// Methods in a chart for a field in a Lie algebra.
pub fn generator<N: Number, P: Generator + 'static>(
    id: &str,
    options: &Options,
    found: Found,
) -> Option<Boxed<P>> {
    if options.chart != Chart::Exp {
        return None;
    }
    if id == "rkmk4" {
        return Some(Box::new(Wide::<N, _>::new(Classical::default(), found)));
    }
    if id == casas_owren::CARD.id {
        return Some(Box::new(Wide::<N, _>::new(CasasOwren::default(), found)));
    }
    if const { !N::EVERYWHERE } {
        return None;
    }
    let (_, table) = rkmk::MEMBERS.iter().find(|(card, _)| card.id == id)?;
    Some(Box::new(Wide::<N, _>::new(InExponential::new(table), found)))
}

/// Products of exponentials for a field in a Lie algebra.
pub fn products<N: Number, P: Generator + 'static>(id: &str, found: Found) -> Option<Boxed<P>> {
    if const { !N::EVERYWHERE } {
        return None;
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
