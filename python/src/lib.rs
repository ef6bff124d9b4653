//! lieflow for Python: arrays in, arrays out. What people see is written in Python, in `lieflow/`.
#![cfg(feature = "module")]
use pyo3::prelude::*;

mod attention;
mod convert;
mod ensemble;
mod error;
mod function;
mod group;
mod rates;
mod solve;
mod study;

/// Adds functions to the module.
macro_rules! functions {
    ($m:ident: $($from:ident :: { $($name:ident),+ }),+) => {
        $($($m.add_function(wrap_pyfunction!($from::$name, $m)?)?;)+)+
    };
}

/// The part of lieflow that is written in Rust.
#[pymodule]
fn _lieflow(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add("ProblemError", m.py().get_type::<error::ProblemError>())?;
    m.add("IntegrationError", m.py().get_type::<error::IntegrationError>())?;
    m.add_class::<solve::Run>()?;
    functions!(m:
        convert::{problem_dict, problem_toml, builtin_problems, unknown_problem},
        ensemble::{ensemble_layout, ensemble_range, ensemble_statistics, ensemble_csv},
        solve::{solve, check, explain},
        study::{study, certify, reproduce, methods, tool},
        group::{group},
        rates::{attitude}
    );
    Ok(())
}
