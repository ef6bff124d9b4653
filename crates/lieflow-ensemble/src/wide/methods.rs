//! The engines that are compiled for lanes.
//!
//! Each engine is compiled once for each system here, which costs seconds of build time; so these
//! are the explicit ones that serve many tables, and the rigid-body methods that people run in
//! great numbers. All other methods run one trajectory at a time.
use super::dispatch::{Number, Vectors, Wide};
use lieflow::kernel::rigid::{Exact, FreeMap, Halves, LieMidpoint, MoserVeselov, VerletCayley};
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
pub fn generator<P: Generator + 'static>(
    id: &str,
    options: &Options,
    vectors: Vectors,
) -> Option<Boxed<P>> {
    if let Some((_, table)) = rkmk::MEMBERS.iter().find(|(card, _)| card.id == id) {
        return Some(Box::new(Wide::<_, true>::new(Rkmk::new(table, options.chart), vectors)));
    }
    let mut products = crouch_grossman::MEMBERS.iter().chain(&commutator_free::MEMBERS);
    let (_, table) = products.find(|(card, _)| card.id == id)?;
    Some(Box::new(Wide::<_, true>::new(ProductMethod::new(table), vectors)))
}

/// Methods for a body about a fixed point.
pub fn rigid_body<P: SpinningBody<Number> + 'static>(
    id: &str,
    vectors: Vectors,
) -> Option<Boxed<P>> {
    Some(match id {
        "liemid" => one(LieMidpoint, Kick::Never, vectors),
        "liemid-e1" => one(LieMidpoint, Kick::End, vectors),
        "liemid-e2" => one(LieMidpoint, Kick::Start, vectors),
        "liemid-ea" => kicked(Halves(LieMidpoint), vectors),
        "mcg" => kicked(LieMidpoint, vectors),
        "vlv" => kicked(VerletCayley, vectors),
        "rattle" | "dmv" | "ls" | "lgvi" => kicked(MoserVeselov, vectors),
        "exs" => kicked(Exact, vectors),
        "exs@bm4" => split(&BM4, vectors),
        "exs@rkn4" => split(&RKN4, vectors),
        "exs@rkn6" => split(&RKN6, vectors),
        "exs@rkn6a" => split(&RKN6A, vectors),
        _ => return None,
    })
}

fn one<P, F>(map: F, kick: Kick, vectors: Vectors) -> Boxed<P>
where
    P: SpinningBody<Number> + 'static,
    F: FreeMap<Number> + 'static,
{
    Box::new(Wide::<_, false>::new(OneKick::<Number, F>::new(map, kick), vectors))
}

fn kicked<P, F>(map: F, vectors: Vectors) -> Boxed<P>
where
    P: SpinningBody<Number> + 'static,
    F: FreeMap<Number> + 'static,
{
    Box::new(Wide::<_, false>::new(KickFreeKick::<Number, F>::new(map), vectors))
}

fn split<P>(scheme: &'static SplittingScheme, vectors: Vectors) -> Boxed<P>
where
    P: SpinningBody<Number> + 'static,
{
    Box::new(Wide::<_, false>::new(Splitting::<Number, _>::new(Exact, scheme), vectors))
}
