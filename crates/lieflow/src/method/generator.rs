//! All methods for systems given by a field in a Lie algebra.
use super::casas_owren::{self, CasasOwren};
use super::commutator_free::{self, ProductMethod};
use super::crouch_grossman;
use super::fixed_point::FixedPoint;
use super::gl4_sym::{self, CentredStages};
use super::implicit::{Implicit, StageSolver};
use super::krylov::NewtonKrylov;
use super::newton::Newton;
use super::rkmk::{self, Rkmk};
use super::rkmk_gauss::{self, GaussStages};
use super::{Card, Choices, Entry, Estimate, Method, OptionError, Options, Solver, Solvers};
use crate::action::Action;
use crate::chart::Chart;
use crate::group::LieGroup;
use crate::problem::{Generator, GroupOf, Lift};

/// Every method of this face; implicit ones are solved by fixed-point iteration, which is all that
/// a system can have whose numbers can't be exchanged for dual numbers.
pub fn entries<P: Generator + 'static>() -> Vec<Entry<P>> {
    list(Solvers::FixedPoint, |equations, _| implicit::<P, FixedPoint>(equations))
}

/// Every method of this face, for systems over any numbers: implicit methods are solved by
/// Newton's method unless the options say otherwise.
pub fn entries_lifted<P: Lift + 'static>() -> Vec<Entry<P>> {
    list(Solvers::Both, |equations, solver| match solver {
        Solver::Automatic | Solver::Newton => implicit::<P, Newton<P>>(equations),
        Solver::FixedPoint => implicit::<P, FixedPoint>(equations),
    })
}

/// Every method of this face, for systems of run-time size: implicit methods are solved by
/// fixed-point iteration, which costs as much per sweep as an explicit step, or if the options ask
/// for it by Newton's method without matrices, for large steps.
pub fn entries_large<P: Lift<Scalar = f64> + 'static>() -> Vec<Entry<P>> {
    list(Solvers::Both, |equations, solver| match solver {
        Solver::Newton => implicit::<P, NewtonKrylov<P>>(equations),
        Solver::Automatic | Solver::FixedPoint => implicit::<P, FixedPoint>(equations),
    })
}

/// Which stage equations an implicit method has.
#[derive(Clone, Copy)]
enum Equations {
    Gauss(GaussStages),
    Centred(CentredStages),
}

fn implicit<P: Generator + 'static, V: StageSolver<P> + 'static>(
    equations: Equations,
) -> Box<dyn Method<P>> {
    match equations {
        Equations::Gauss(e) => Box::new(Implicit::<P, _, V>::new(e)),
        Equations::Centred(e) => Box::new(Implicit::<P, _, V>::new(e)),
    }
}

fn list<P: Generator + 'static>(
    solvers: Solvers,
    solve: fn(Equations, Solver) -> Box<dyn Method<P>>,
) -> Vec<Entry<P>> {
    let explicit = |chart| Choices { chart, solver: Solvers::None };
    let implicit = Choices { chart: true, solver: solvers };
    let mut list = Vec::new();
    for (card, table) in &rkmk::MEMBERS {
        list.push(entry(card, explicit(true), move |p: &P, options| {
            estimate_exists(p, options)?;
            let chart = chart_exists::<P>(options.chart)?;
            Ok(Box::new(Rkmk::with_estimate(table, chart, options.estimate)))
        }));
    }
    list.push(entry(&casas_owren::CARD, explicit(false), |_, _| {
        Ok(Box::new(CasasOwren::default()))
    }));
    for (card, table) in &rkmk_gauss::MEMBERS {
        list.push(entry(card, implicit, move |_, options| {
            let chart = chart_exists::<P>(options.chart)?;
            Ok(solve(Equations::Gauss(GaussStages { tableau: table, chart }), options.solver))
        }));
    }
    list.push(entry(&gl4_sym::CARD, implicit, move |_, options| match options.chart {
        chart @ (Chart::Exp | Chart::ExpSeries { .. }) => {
            Ok(solve(Equations::Centred(CentredStages { chart }), options.solver))
        }
        _ => Err(OptionError::NoChart { method: gl4_sym::CARD.id }),
    }));
    for (card, table) in crouch_grossman::MEMBERS.iter().chain(&commutator_free::MEMBERS) {
        list.push(entry(card, explicit(false), move |p: &P, options| {
            estimate_exists(p, options)?;
            Ok(Box::new(ProductMethod::with_estimate(table, options.estimate)))
        }));
    }
    list
}

fn entry<P: Generator>(
    card: &'static Card,
    has: Choices,
    make: impl Fn(&P, &Options) -> Result<Box<dyn Method<P>>, OptionError> + 'static,
) -> Entry<P> {
    let checked = move |p: &P, options: &Options| {
        options.check(card, has)?;
        make(p, options)
    };
    Entry { card: card.clone(), make: Box::new(checked) }
}

fn chart_exists<P: Generator>(chart: Chart) -> Result<Chart, OptionError> {
    if chart == Chart::Cayley && !GroupOf::<P>::HAS_CAYLEY {
        return Err(OptionError::NoCayley);
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
