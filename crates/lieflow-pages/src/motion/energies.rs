//! Kinetic, potential and total energy, for systems that know them.
use super::lengths;
use crate::Film;
use crate::parts::{cross, dot, list, numbers, numbers_or_one, scaled, sum, vector, vectors};
use lieflow::problem::Value;
use lieflow_models::run::State;
use serde_json::Value as Json;

/// The energies over time; what is not known is left out.
pub(super) fn energies(system: &str, parameters: &Json, film: &Film) -> Vec<(String, Vec<f64>)> {
    let total = film.invariant_names.iter().position(|name| *name == "energy");
    let total: Option<Vec<f64>> =
        total.and_then(|k| film.invariants.iter().map(|row| row.get(k).copied()).collect());
    let kinetic: Option<Vec<f64>> =
        film.states.iter().map(|state| kinetic(system, parameters, state)).collect();
    let column = |name: &str, values: Vec<f64>| (name.to_string(), values);
    let mut list = Vec::new();
    match (kinetic, total) {
        (Some(kinetic), Some(total)) => {
            let potential: Vec<f64> = total.iter().zip(&kinetic).map(|(e, t)| e - t).collect();
            let size = kinetic.iter().fold(0.0, |a: f64, t| a.max(t.abs()));
            // Free motion has kinetic energy only.
            if potential.iter().any(|v| v.abs() > 1e-9 * size) {
                list.push(column("kinetic energy", kinetic));
                list.push(column("potential energy", potential));
            }
            list.push(column("energy", total));
        }
        (Some(kinetic), None) => list.push(column("kinetic energy", kinetic)),
        (None, Some(total)) => list.push(column("energy", total)),
        (None, None) => {}
    }
    list
}

/// The kinetic energy of a state.
fn kinetic(system: &str, parameters: &Json, state: &State) -> Option<f64> {
    let one = |part: &str| match state.part(part)? {
        Value::Vector(v) => Some(*v),
        _ => None,
    };
    match system {
        "euclidean" => Some(0.5 * list(state, "p")?.iter().map(|p| p * p).sum::<f64>()),
        "toda" => Some(0.5 * list(state, "momenta")?.iter().map(|p| p * p).sum::<f64>()),
        "pendulum-chain" => chain(parameters, &vectors(state, "q")?, &vectors(state, "omega")?),
        "dipoles" => {
            let number = |key: &str| parameters.get(key)?.as_f64();
            let inertia = number("mass")? * number("length")? * number("length")? / 12.0;
            Some(0.5 * inertia * vectors(state, "omega")?.iter().map(|w| dot(*w, *w)).sum::<f64>())
        }
        "heavy-top" if one("omega").is_none() => {
            let (m, i) = (one("momentum")?, vector(parameters.get("inertia"))?);
            Some(0.5 * (m[0] * m[0] / i[0] + m[1] * m[1] / i[1] + m[2] * m[2] / i[2]))
        }
        "kirchhoff" => {
            let i = numbers(parameters.get("inertia")).filter(|list| list.len() == 6)?;
            let m = [one("momentum")?, one("impulse")?];
            Some(0.5 * m.as_flattened().iter().zip(&i).map(|(m, i)| m * m / i).sum::<f64>())
        }
        // ω and Jω are both there.
        "rigid-body" | "heavy-top" => Some(0.5 * dot(one("omega")?, one("momentum")?)),
        _ => None,
    }
}

/// Half the sum of `m_i |v_i|²`, where the velocities of masses add up along the chain.
fn chain(parameters: &Json, q: &[[f64; 3]], omega: &[[f64; 3]]) -> Option<f64> {
    let masses = numbers_or_one(parameters.get("masses"), q.len())?;
    let lengths = lengths(parameters, q.len())?;
    let mut velocity = [0.0; 3];
    let mut sum_of_all = 0.0;
    for (((q, w), m), l) in q.iter().zip(omega).zip(masses).zip(lengths) {
        velocity = sum(velocity, scaled(cross(*w, *q), l));
        sum_of_all += 0.5 * m * dot(velocity, velocity);
    }
    Some(sum_of_all)
}
