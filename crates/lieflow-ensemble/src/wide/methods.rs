//! The engines that are compiled for lanes.
//!
//! Each costs seconds of build time for every system and width, so each has its reason. All other
//! methods, and all charts but the exponential, run one trajectory at a time.
//!
//! | methods | systems | lanes | why |
//! | --- | --- | --- | --- |
//! | `rkmk4` with its stages in registers | bodies, particles | 8; bodies 16 | what people sweep with |
//! | `rkmk4-casas-owren` | all with steps in registers, but for particles | 8; bodies 16 | on a vector space it is `rkmk4` |
//! | all explicit RKMK methods | all here | 8; bodies 16 | one engine for nine tables |
//! | the pairs among them with a tolerance | all here | 8; bodies 16 | the same engine: with fixed steps all lanes have one time |
//! | commutator-free, Crouch–Grossman | bodies in the space `se3` | 8 | one engine for all tables |
//! | `liemid…`, `mcg`, `vlv`, `rattle`, `exs` and its splittings | bodies | 8 and 16 | the cheapest steps, run in the greatest numbers |
//! | `rattle` on spheres | chains in the space `se3` | 8 | symplectic, and its Newton iteration stops lane by lane |
//!
//! What keeps its stages in registers is compiled for its system, where a call for each evaluation would be felt. All others
//! have one engine for each space (`lane_field`, `tables`): tops and Kirchhoff's equations share one.
use super::dispatch::{Detected, Number, WideMethod};
use super::lane_field::LaneField;
use super::tables::{OnField, Tables};
use lieflow::chart::Chart;
use lieflow::kernel::rigid::{Exact, FreeMap, Halves, LieMidpoint, MoserVeselov, VerletCayley};
use lieflow::method::casas_owren::{self, CasasOwren};
use lieflow::method::commutator_free::{self, ProductMethod};
use lieflow::method::rigid_body::{
    BM4, Kick, KickFreeKick, OneKick, RKN4, RKN6, RKN6A, Splitting, SplittingScheme,
};
use lieflow::method::rkmk::{self, Classical};
use lieflow::method::spheres::Rattle;
use lieflow::method::{Estimate, Method, Options};
use lieflow::problem::spheres::{SphereProblem, SphereSystem};
use lieflow::problem::{Generator, SpinningBody};
use lieflow::stepping::Adaptive;
use lieflow::tableau::Tableau;
use lieflow_models::run::{Pace, Plan};

type Boxed<P> = Box<dyn Method<P>>;

/// The method of a plan: from one of the lists here that take the options too.
macro_rules! engines {
    ($list:ident) => {
        fn method(plan: &Plan, detected: Detected<N>) -> Option<Box<dyn Method<Packed<Self, N>>>> {
            methods::$list::<N, _>(&plan.method, &plan.options, detected)
        }
    };
}
pub(super) use engines;

/// Methods in a chart for bodies: those that most runs have, with stages in registers, and the others.
pub fn body<N: Number, P: Generator + Clone + 'static>(
    id: &str,
    options: &Options,
    detected: Detected<N>,
) -> Option<Boxed<P>> {
    if id == "rkmk4" {
        return in_registers(id, options, detected);
    }
    if id == casas_owren::CARD.id && options.chart == Chart::Exp {
        return Some(Box::new(WideMethod::<N, _>::new(CasasOwren::default(), detected)));
    }
    tables::<N, P, LaneField<P::Space, true>>(id, options, LaneField::of, detected)
}

/// `rkmk4` with stages in registers.
fn in_registers<N: Number, P: Generator + 'static>(
    id: &str,
    options: &Options,
    detected: Detected<N>,
) -> Option<Boxed<P>> {
    table(id, options)?;
    Some(Box::new(WideMethod::<N, _>::new(Classical::default(), detected)))
}

/// Methods for particles, whose steps are so short that `rkmk4` has its own engine.
pub fn particle<N: Number, P: Generator + Clone + 'static>(
    id: &str,
    options: &Options,
    detected: Detected<N>,
) -> Option<Boxed<P>> {
    if id == "rkmk4" {
        return in_registers(id, options, detected);
    }
    on_space(id, options, detected)
}

/// Explicit methods with a table, for the field of a system, compiled once for its space.
pub fn on_space<N: Number, P: Generator + Clone + 'static>(
    id: &str,
    options: &Options,
    detected: Detected<N>,
) -> Option<Boxed<P>> {
    tables::<N, P, LaneField<P::Space>>(id, options, LaneField::of, detected)
}

/// The same, and the method of Casas and Owren.
pub fn generator<N: Number, P: Generator + Clone + 'static>(
    id: &str,
    options: &Options,
    detected: Detected<N>,
) -> Option<Boxed<P>> {
    if id == casas_owren::CARD.id && options.chart == Chart::Exp {
        return Some(Box::new(OnField::<P, CasasOwren<_>, N, false>::new(
            CasasOwren::default(),
            detected,
        )));
    }
    on_space(id, options, detected)
}

fn tables<N: Number, P: Generator + 'static, Q>(
    id: &str,
    options: &Options,
    field: fn(&P) -> Q,
    detected: Detected<N>,
) -> Option<Boxed<P>>
where
    Q: Generator<Point = P::Point> + 'static,
{
    Some(Box::new(Tables::<P, Q, N>::new(table(id, options)?, field, detected)))
}

/// The same for chains, and RATTLE.
pub fn chains<N: Number, P>(id: &str, options: &Options, detected: Detected<N>) -> Option<Boxed<P>>
where
    P: SphereProblem<System: SphereSystem<Scalar = N>> + Generator + Clone + 'static,
{
    if id == "rattle" {
        return Some(Box::new(Rattle::<N>::new()));
    }
    on_space(id, options, detected)
}

/// The table of an explicit method in the exponential chart.
fn table(id: &str, options: &Options) -> Option<&'static Tableau> {
    let (_, table) = rkmk::MEMBERS.iter().find(|(card, _)| card.id == id)?;
    (options.chart == Chart::Exp).then_some(*table)
}

/// For a plan with a tolerance that lanes can keep: the control that is to begin, the first step and the table of the
/// method.
pub fn adaptive(plan: &Plan) -> Option<(Adaptive, f64, &'static Tableau)> {
    let Pace::Adaptive { tol, rule, .. } = plan.pace else { return None };
    let (card, table) = rkmk::MEMBERS.iter().find(|(card, _)| card.id == plan.method)?;
    let power = card.estimate_power?;
    let natural = plan.options.chart == Chart::Exp && plan.options.estimate == Estimate::Natural;
    // Without a watch: steps are judged by their estimates alone.
    if !natural || plan.without_estimate(card).is_some() || plan.watch {
        return None;
    }
    Some((Adaptive::new(rule, tol, power), plan.first_step(), table))
}

/// Products of exponentials for a field in a Lie algebra.
pub fn products<N: Number, P: Generator + Clone + 'static>(
    id: &str,
    detected: Detected<N>,
) -> Option<Boxed<P>> {
    if const { !N::ALL_SYSTEMS } {
        return None;
    }
    let (_, table) = commutator_free::products().find(|(card, _)| card.id == id)?;
    Some(Box::new(OnField::<P, ProductMethod<_>, N, true>::new(
        ProductMethod::new(table),
        detected,
    )))
}

/// Methods for a body about a fixed point.
pub fn rigid_body<N: Number, P: SpinningBody<N> + 'static>(
    id: &str,
    detected: Detected<N>,
) -> Option<Boxed<P>> {
    Some(match id {
        "liemid" => one::<N, P, _>(LieMidpoint, Kick::Never, detected),
        "liemid-e1" => one::<N, P, _>(LieMidpoint, Kick::End, detected),
        "liemid-e2" => one::<N, P, _>(LieMidpoint, Kick::Start, detected),
        "liemid-ea" => kicked::<N, P, _>(Halves(LieMidpoint), detected),
        "mcg" => kicked::<N, P, _>(LieMidpoint, detected),
        "vlv" => kicked::<N, P, _>(VerletCayley, detected),
        "rattle" | "dmv" | "ls" | "lgvi" => kicked::<N, P, _>(MoserVeselov, detected),
        "exs" => kicked::<N, P, _>(Exact, detected),
        "exs@bm4" => split::<N, P>(&BM4, detected),
        "exs@rkn4" => split::<N, P>(&RKN4, detected),
        "exs@rkn6" => split::<N, P>(&RKN6, detected),
        "exs@rkn6a" => split::<N, P>(&RKN6A, detected),
        _ => return None,
    })
}

fn one<N: Number, P, F>(map: F, kick: Kick, detected: Detected<N>) -> Boxed<P>
where
    P: SpinningBody<N> + 'static,
    F: FreeMap<N> + 'static,
{
    Box::new(WideMethod::<N, _>::new(OneKick::<N, F>::new(map, kick), detected))
}

fn kicked<N: Number, P, F>(map: F, detected: Detected<N>) -> Boxed<P>
where
    P: SpinningBody<N> + 'static,
    F: FreeMap<N> + 'static,
{
    Box::new(WideMethod::<N, _>::new(KickFreeKick::<N, F>::new(map), detected))
}

fn split<N: Number, P>(scheme: &'static SplittingScheme, detected: Detected<N>) -> Boxed<P>
where
    P: SpinningBody<N> + 'static,
{
    Box::new(WideMethod::<N, _>::new(Splitting::<N, _>::new(Exact, scheme), detected))
}
