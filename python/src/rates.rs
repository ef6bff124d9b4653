//! Attitude from measured angular velocities, array to array.
use crate::error::ProblemError;
use lieflow::rates::{Frame, Measured, Order, Scheme, Turned, attitude_from_samples};
use lieflow::{Mat3, Vec3};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2};
use pyo3::prelude::*;

fn vectors(rows: &[f64]) -> Vec<Vec3<f64>> {
    rows.chunks_exact(3).map(|row| Vec3 { x: row[0], y: row[1], z: row[2] }).collect()
}

/// Writes, for each sample, the nine entries of the attitude and those of its derivative with respect
/// to the bias.
#[pyfunction]
pub fn attitude(
    times: PyReadonlyArray1<'_, f64>,
    samples: PyReadonlyArray2<'_, f64>,
    order: usize,
    space: bool,
    increments: bool,
    bias: [f64; 3],
    start: [[f64; 3]; 3],
    mut out: PyReadwriteArray2<'_, f64>,
) -> PyResult<()> {
    let Some(order) = Order::of(order) else {
        return Err(ProblemError::new_err(format!("order: found {order}, expected 2, 4 or 6")));
    };
    let scheme = Scheme {
        frame: if space { Frame::Space } else { Frame::Body },
        measured: if increments { Measured::Increments } else { Measured::Rates },
        bias: bias.into(),
        ..Scheme::new(order)
    };
    let samples = vectors(samples.as_slice()?);
    let mut rows = out.as_slice_mut()?.chunks_exact_mut(18);
    let start = Turned::new(Mat3::lift(start));
    attitude_from_samples(times.as_slice()?, &samples, &scheme, start, |_, y| {
        if let Some(row) = rows.next() {
            let rotation = y.rotation();
            let entries = rotation.rows.iter().chain(&y.bias_derivative.rows);
            for (place, entry) in row.chunks_exact_mut(3).zip(entries) {
                place.copy_from_slice(&entry.to_array());
            }
        }
    })
    .map_err(|error| ProblemError::new_err(error.to_string()))
}
