//! lieflow for Python: arrays in, arrays out. What people see is written in Python, in `lieflow/`.
#![cfg(feature = "module")]
use pyo3::prelude::*;

mod attention;
mod convert;
mod ensemble;
mod error;
mod group;
mod rates;
mod solve;
mod study;

/// The part of lieflow that is written in Rust.
#[pymodule]
fn _lieflow(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    error::register(m)?;
    convert::register(m)?;
    solve::register(m)?;
    ensemble::register(m)?;
    study::register(m)?;
    group::register(m)?;
    rates::register(m)
}
