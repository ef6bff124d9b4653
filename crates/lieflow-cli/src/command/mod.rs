//! The commands, one file each.
use crate::error::Failure;
use clap::Subcommand;

mod bench;
mod certify;
mod compare;
mod drift;
mod ensemble;
mod list;
mod merge;
mod order;
mod reproduce;
mod run;

pub use ensemble::statistics_table;

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Integrate one problem: a built-in one by name, or a problem file
    Run(run::Run),
    /// Show what there is: systems, methods, problems or experiments
    List(list::List),
    /// Convergence study: error against step size for several methods, observed orders
    Order(order::Order),
    /// Long-time behaviour of every invariant: slope, amplitude, and whether it drifts
    Drift(drift::Drift),
    /// Structure of the one-step map, measured: symplecticity, symmetry, momentum, manifold, order
    Certify(certify::Certify),
    /// Work-precision: cost and error of all methods that apply, and which one to pick
    Compare(compare::Compare),
    /// Run published figures and tables again: data, pictures, and each claim checked
    Reproduce(reproduce::Reproduce),
    /// Many trajectories of one problem with varied data, on all cores and SIMD lanes
    Ensemble(ensemble::Ensemble),
    /// Put the shards of an ensemble together: the same bytes as one run of the whole
    Merge(merge::Merge),
    /// Time fixed workloads, each with its error
    Bench(bench::Bench),
}

impl Command {
    /// Carries it out.
    pub fn execute(self) -> Result<(), Failure> {
        match self {
            Self::Run(command) => command.execute(),
            Self::List(command) => command.execute(),
            Self::Order(command) => command.execute(),
            Self::Drift(command) => command.execute(),
            Self::Certify(command) => command.execute(),
            Self::Compare(command) => command.execute(),
            Self::Reproduce(command) => command.execute(),
            Self::Ensemble(command) => command.execute(),
            Self::Merge(command) => command.execute(),
            Self::Bench(command) => command.execute(),
        }
    }
}
