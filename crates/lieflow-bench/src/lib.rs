//! Fixed workloads on which lieflow is timed.
//!
//! | id | workload |
//! | --- | --- |
//! | `w1` | a free body with attitude, a million fixed steps |
//! | `w2` | a fast top to attitude errors of 1e-4, 1e-8 and 1e-11 |
//! | `w3` | pendulum chains of 2, 20, 100 and 500 links, adaptive steps |
//! | `w4` | an ensemble of 100,000 tops |
//! | `w5` | arrays of 16×16 and 64×64 magnetic dipoles |
//!
//! Everything runs as in `lieflow run` and `lieflow ensemble`, and every time has its error against a
//! reference beside it. Machines are shared and clocks vary: times are the smallest of several rounds,
//! and only ratios within one run can be compared.
mod problem;
mod reference;
mod row;
mod timing;
mod w1;
mod w2;
mod w3;
mod w4;
mod w5;

pub use row::Row;
pub use timing::Effort;

use lieflow_device::Device;
use lieflow_ensemble::run::EnsembleError;
use lieflow_models::problem_file::SpecError;
use lieflow_models::run::RunError;

/// A workload.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Its name.
    pub id: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Runs it, and hands over each row as soon as it is measured.
    pub run: fn(&Effort, &mut dyn FnMut(Row)) -> Result<(), BenchError>,
    /// The same on devices, if it can be.
    pub run_on: Option<OnDevices>,
}

/// Runs a workload on devices.
pub type OnDevices = fn(&Effort, &[Box<dyn Device>], &mut dyn FnMut(Row)) -> Result<(), BenchError>;

/// All workloads.
pub static WORKLOADS: [Workload; 5] = [
    Workload {
        id: "w1",
        title: "a free body with attitude, 10^6 steps of 0.01",
        run: w1::run,
        run_on: None,
    },
    Workload {
        id: "w2",
        title: "a fast top to t = 10, time for an attitude error",
        run: w2::run,
        run_on: None,
    },
    Workload {
        id: "w3",
        title: "pendulum chains to t = 3, time for an error",
        run: w3::run,
        run_on: None,
    },
    Workload {
        id: "w4",
        title: "an ensemble of 100,000 tops to t = 1",
        run: w4::run,
        run_on: Some(w4::run_on),
    },
    Workload {
        id: "w5",
        title: "ELN on arrays of magnetic dipoles, time per step",
        run: w5::run,
        run_on: None,
    },
];

/// Why a workload could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// Its problem is wrong.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// It failed.
    #[error("{0}")]
    Run(#[from] RunError),
    /// Its ensemble failed.
    #[error("{0}")]
    Ensemble(#[from] EnsembleError),
    /// The reference does not hold what it should.
    #[error("the reference values of {0} cannot be read")]
    Reference(&'static str),
}
