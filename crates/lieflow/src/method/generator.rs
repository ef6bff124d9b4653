//! All methods for systems given by a field in a Lie algebra.
use super::Compensated;
use super::casas_owren::{self, CasasOwren};
use super::commutator_free::{self, ProductMethod};
use super::fixed_point::FixedPoint;
use super::gauss_family::GaussFamily;
use super::gl4_sym::{self, CentredStages};
use super::implicit::{DIRECTIONS, Implicit, StageSolver};
use super::isotropy::generator::ChoosableGenerator;
use super::isotropy::with_isotropy_choice;
use super::krylov::NewtonKrylov;
use super::newton::Newton;
use super::rkmk::{self, Rkmk};
use super::rkmk_gauss::{self, GaussStages};
use super::{
    Card, Choices, Entry, Estimate, Method, OptionError, Options, Solver, Solvers, on_field,
};
use crate::action::{Action, Isotropy};
use crate::chart::Chart;
use crate::group::LieGroup;
use crate::problem::{AnyFieldOf, Differentiable, Generator, GroupOf};
use crate::tableau::{CommutatorFree, Tableau};

/// Every method for this trait; implicit ones are solved by fixed-point iteration, which is all
/// that a system can have whose numbers can't be exchanged for dual numbers.
pub fn entries<P: Generator + 'static>() -> Vec<Entry<P>> {
    list(Solvers::FixedPoint, |equations, _| implicit::<P, FixedPoint>(equations))
}

/// Every method for this trait, for systems over any numbers: implicit methods are solved by
/// Newton's method unless the options say otherwise.
pub fn entries_lifted<P: Differentiable<DIRECTIONS> + 'static>() -> Vec<Entry<P>> {
    list(Solvers::Both, |equations, solver| match solver {
        Solver::Automatic | Solver::Newton => implicit::<P, Newton<P>>(equations),
        Solver::FixedPoint => implicit::<P, FixedPoint>(equations),
    })
}

/// Every method for this trait, for systems of run-time size: implicit methods are solved by
/// fixed-point iteration, which costs as much per sweep as an explicit step, or if the options ask
/// for it by Newton's method without matrices, for large steps.
pub fn entries_large<P: Differentiable<1, Scalar = f64> + 'static>() -> Vec<Entry<P>> {
    list(Solvers::Both, |equations, solver| match solver {
        Solver::Newton => implicit::<P, NewtonKrylov<P>>(equations),
        Solver::Automatic | Solver::FixedPoint => implicit::<P, FixedPoint>(equations),
    })
}

/// [`entries_lifted`], with engines that are compiled once for all systems on a space.
pub fn entries_on_space<P>() -> Vec<Entry<P>>
where
    P: Differentiable<DIRECTIONS, Lifted: 'static> + Clone + 'static,
{
    on_field(entries_lifted::<AnyFieldOf<P, DIRECTIONS>>())
}

/// The same, with the choice of the isotropy.
pub fn entries_on_homogeneous_space<P>() -> Vec<Entry<P>>
where
    P: ChoosableGenerator<DIRECTIONS, Lifted: Generator<Space: Isotropy> + 'static> + 'static,
{
    on_field(with_isotropy_choice(entries_lifted::<AnyFieldOf<P, DIRECTIONS>>(), entries()))
}

/// [`entries_large`], with engines that are compiled once for all systems on a space.
pub fn entries_on_large_space<P>() -> Vec<Entry<P>>
where
    P: Differentiable<1, Scalar = f64, Lifted: 'static> + Clone + 'static,
{
    on_field(entries_large::<AnyFieldOf<P, 1>>())
}

/// The same, with the choice of the isotropy.
pub fn entries_on_large_homogeneous_space<P>() -> Vec<Entry<P>>
where
    P: ChoosableGenerator<1, Scalar = f64, Lifted: Generator<Space: Isotropy> + 'static> + 'static,
{
    on_field(with_isotropy_choice(entries_large::<AnyFieldOf<P, 1>>(), entries()))
}

fn implicit<P: Generator + 'static, V: StageSolver<P> + 'static>(
    equations: GaussFamily,
) -> Box<dyn Method<P>> {
    Box::new(Implicit::<P, _, V>::new(equations))
}

/// What can be chosen of an explicit method without a chart.
const EXPLICIT: Choices = Choices { chart: false, solver: Solvers::None, compensated: true };

/// The explicit methods in a chart.
pub fn explicit_entries<P: Generator + 'static>() -> Vec<Entry<P>> {
    let mut list = rkmk_entries();
    list.push(entry(&casas_owren::CARD, EXPLICIT, |_, _| Ok(Box::new(CasasOwren::default()))));
    list
}

/// The explicit methods that are tables: two engines, for systems that should cost little to compile.
pub fn table_entries<P: Generator + 'static>() -> Vec<Entry<P>> {
    let mut list = rkmk_entries();
    list.extend(product_entries());
    list
}

/// Those that work in a chart.
fn rkmk_entries<P: Generator + 'static>() -> Vec<Entry<P>> {
    let make = |(card, table): &'static (Card, &'static Tableau)| {
        entry(card, Choices { chart: true, ..EXPLICIT }, move |p: &P, options| {
            estimate_exists(p, options)?;
            let chart = chart_exists::<P>(options.chart)?;
            Ok(Box::new(Rkmk::with_estimate(table, chart, options.estimate)))
        })
    };
    rkmk::MEMBERS.iter().map(make).collect()
}

/// Those that are products of exponentials.
fn product_entries<P: Generator + 'static>() -> Vec<Entry<P>> {
    let make = |(card, table): &'static (Card, &'static CommutatorFree)| {
        entry(card, EXPLICIT, move |p: &P, options| {
            estimate_exists(p, options)?;
            Ok(Box::new(ProductMethod::with_estimate(table, options.estimate)))
        })
    };
    commutator_free::products().map(make).collect()
}

fn list<P: Generator + 'static>(
    solvers: Solvers,
    solve: fn(GaussFamily, Solver) -> Box<dyn Method<P>>,
) -> Vec<Entry<P>> {
    let implicit = Choices { chart: true, solver: solvers, compensated: true };
    let mut list = explicit_entries();
    for (card, table) in &rkmk_gauss::MEMBERS {
        list.push(entry(card, implicit, move |_, options| {
            let chart = chart_exists::<P>(options.chart)?;
            Ok(solve(GaussFamily::Start(GaussStages { tableau: table, chart }), options.solver))
        }));
    }
    list.push(entry(&gl4_sym::CARD, implicit, move |_, options| match options.chart {
        chart @ (Chart::Exp | Chart::ExpSeries { .. }) => {
            Ok(solve(GaussFamily::Centred(CentredStages { chart }), options.solver))
        }
        _ => Err(OptionError::NoChart { method: gl4_sym::CARD.id }),
    }));
    list.extend(product_entries());
    list
}

fn entry<P: Generator + 'static>(
    card: &'static Card,
    has: Choices,
    make: impl Fn(&P, &Options) -> Result<Box<dyn Method<P>>, OptionError> + 'static,
) -> Entry<P> {
    let checked = move |p: &P, options: &Options| {
        options.check(card, has)?;
        let method = make(p, options)?;
        if options.compensated { Compensated::of(method, p, card.id) } else { Ok(method) }
    };
    Entry { card: card.clone(), make: Box::new(checked) }
}

fn chart_exists<P: Generator>(chart: Chart) -> Result<Chart, OptionError> {
    if chart == Chart::Cayley && !GroupOf::<P>::HAS_CAYLEY {
        return Err(OptionError::NoCayley);
    }
    if chart == Chart::Stereographic && !P::Space::STEREOGRAPHIC {
        return Err(OptionError::NoStereographic);
    }
    Ok(chart)
}

pub(super) fn estimate_exists<P: Generator>(p: &P, options: &Options) -> Result<(), OptionError> {
    let start = p.start();
    if options.estimate == Estimate::Group && P::Space::group_distance(&start, &start).is_none() {
        return Err(OptionError::NoGroupDistance);
    }
    Ok(())
}
