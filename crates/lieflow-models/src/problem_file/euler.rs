//! Rotations by three angles.
//!
//! The twelve sequences are `zxz`, `xyx`, … (the first axis again) and `zyx`, `xyz`, … (three axes).
//! `R` maps the body to space. Each turn is about an axis of the body as it stands after the turns
//! before (intrinsic), so that `zxz` with angles a, b, c is `Rz(a) Rx(b) Rz(c)`; with
//! `extrinsic = true` about axes of space, `Rz(c) Rx(b) Rz(a)`.
use super::{Reader, SpecError};
use lieflow::Real;
use lieflow::{Mat3, Vec3, vec3};

/// `{ euler = "zxz", degrees = [a, b, c] }`, or `radians`, with `extrinsic = true` for axes of space.
pub(super) fn rotation(table: &Reader<'_>) -> Result<Mat3<f64>, SpecError> {
    let axes = axes(table.text("euler")?).ok_or_else(|| {
        table.refuse(
            "euler",
            "three of the letters x, y, z, such as zxz or zyx, no two alike in a row",
        )
    })?;
    let angles = match table.just_one_of(&["degrees", "radians"])? {
        // Whole turns are left out exactly.
        "degrees" => table.vector("degrees")?.map(|angle| (angle % 360.0).to_radians()),
        _ => table.vector("radians")?,
    };
    let [a, b, c] = angles.to_array();
    let [i, j, k] = axes;
    Ok(if table.boolean_or("extrinsic", false)? {
        about(k, c).matmul(&about(j, b)).matmul(&about(i, a))
    } else {
        about(i, a).matmul(&about(j, b)).matmul(&about(k, c))
    })
}

/// The axes of a sequence.
fn axes(text: &str) -> Option<[usize; 3]> {
    let mut axes = [0; 3];
    if text.chars().count() != 3 {
        return None;
    }
    for (axis, letter) in axes.iter_mut().zip(text.chars()) {
        *axis = "xyz".find(letter.to_ascii_lowercase())?;
    }
    (axes[0] != axes[1] && axes[1] != axes[2]).then_some(axes)
}

/// The rotation about an axis.
fn about(axis: usize, angle: f64) -> Mat3<f64> {
    let (s, c) = Real::sin_cos(angle);
    let [e1, e2, e3] = [0, 1, 2].map(Vec3::<f64>::unit);
    match axis {
        0 => Mat3::from_rows(e1, vec3(0.0, c, -s), vec3(0.0, s, c)),
        1 => Mat3::from_rows(vec3(c, 0.0, s), e2, vec3(-s, 0.0, c)),
        _ => Mat3::from_rows(vec3(c, -s, 0.0), vec3(s, c, 0.0), e3),
    }
}
