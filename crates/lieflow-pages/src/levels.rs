//! Two levels: the field that their Bloch vector turns about.
use serde_json::Value as Json;

fn number(parameters: &Json, key: &str) -> Option<f64> {
    parameters.get(key)?.as_f64()
}

/// The phase of the drive at a time, `ω t + c t²/2`.
pub(crate) fn phase(parameters: &Json, t: f64) -> Option<f64> {
    let drive = number(parameters, "drive").or_else(|| number(parameters, "larmor"))?;
    Some((drive + 0.5 * number(parameters, "chirp").unwrap_or(0.0) * t) * t)
}

/// The field at a time.
pub(crate) fn field(system: &str, parameters: &Json, t: f64) -> Option<[f64; 3]> {
    let of = |key| number(parameters, key);
    match system {
        "bloch" => {
            let (sin, cos) = phase(parameters, t)?.sin_cos();
            let rabi = of("rabi")?;
            Some([rabi * cos, rabi * sin, of("larmor")?])
        }
        "landau-zener" => Some([of("gap")?, 0.0, of("sweep")? * t]),
        _ => None,
    }
}

/// What the first level keeps from long before a crossing to long after it (Landau 1932, Zener 1932).
pub(crate) fn kept(parameters: &Json) -> Option<f64> {
    let (gap, sweep) = (number(parameters, "gap")?, number(parameters, "sweep")?);
    (sweep != 0.0).then(|| (-0.5 * std::f64::consts::PI * gap * gap / sweep.abs()).exp())
}
