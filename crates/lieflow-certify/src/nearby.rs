//! States near the initial one of a problem, in general position.
//!
//! A method looks better than it is at rest, in a steady rotation or near a symmetric configuration.
//! So it is measured at random states around the given one too: rotations and directions turned by
//! about a tenth, vectors changed by a tenth of their length (of one where they vanish).
use lieflow::kernel::{Mat3, Vec3, so3, vec3};
use lieflow::problem::Value;
use lieflow_models::problem_file::{Setting, SpecError};
use lieflow_models::run::State;
use serde_json::Value as Json;

/// How far the states are away.
const AWAY: f64 = 0.1;
/// Of these keys only one is read.
const MOMENTA: [&str; 3] = ["omega", "momentum", "spatial_momentum"];

/// Repeatable random numbers (SplitMix64).
struct Random(u64);

impl Random {
    /// Between -1 and 1.
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn vector(&mut self) -> Vec3<f64> {
        vec3(self.number(), self.number(), self.number())
    }
    /// Numbers changed by a tenth of their size together.
    fn change(&mut self, x: &[f64]) -> Vec<f64> {
        let size = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let size = if size > 0.0 { size } else { 1.0 };
        x.iter().map(|x| x + AWAY * size * self.number()).collect()
    }
}

/// Settings of `[initial]` that lead to the state number `k` near `state`. `initial` is the table as it
/// was written, `settings` what was laid over it.
pub fn nearby(
    state: &State,
    initial: &Json,
    settings: &[Setting],
    k: u64,
) -> Result<Vec<Setting>, SpecError> {
    let mut random = Random(k.wrapping_mul(0xD129_0B26_90C3_43D1));
    let mut list = Vec::new();
    let Json::Object(table) = initial else { return Ok(list) };
    // Directions, each turned by a rotation of its own, which takes its velocity along.
    let turns: Vec<Mat3<f64>> = match state.part("q") {
        Some(Value::Vectors(q)) => q.iter().map(|_| so3::exp(random.vector() * AWAY)).collect(),
        _ => Vec::new(),
    };
    for (key, written) in table {
        if MOMENTA.contains(&key.as_str()) && Some(key.as_str()) != read_momentum(table, settings) {
            continue;
        }
        let value = match (key.as_str(), state.part(key), written) {
            // All links are given one by one below.
            ("overrides", ..) => "[]".into(),
            (_, Some(Value::Rotation(r)), _) => {
                let [a, b, c] = *r;
                let r = Mat3::from_rows(a.into(), b.into(), c.into());
                let r = r.matmul(&so3::exp(random.vector() * AWAY));
                format!("{{ matrix = {} }}", lists(&r.rows.map(|row| row.to_array())))
            }
            // A direction stays one.
            (_, Some(Value::Vector(v)), _) if (Vec3::from(*v).norm() - 1.0).abs() < 1e-9 => {
                numbers(&so3::exp(random.vector() * AWAY).apply((*v).into()).to_array())
            }
            (_, Some(Value::Vectors(v)), _) if v.len() == turns.len() => {
                let spins = key != "q";
                let turned = v.iter().zip(&turns).enumerate().map(|(i, (v, turn))| {
                    let v = turn.apply((*v).into());
                    if !spins {
                        return v.to_array();
                    }
                    // A change across the direction keeps the velocity tangent.
                    let q = direction(state, i).map_or(v, |q| turn.apply(q));
                    let size = if v.norm() > 0.0 { v.norm() } else { 1.0 };
                    (v + q.cross(random.vector()) * (AWAY * size)).to_array()
                });
                lists(&turned.collect::<Vec<_>>())
            }
            (_, Some(Value::Vectors(v)), _) => {
                let turned = v
                    .iter()
                    .map(|v| so3::exp(random.vector() * AWAY).apply((*v).into()).to_array());
                lists(&turned.collect::<Vec<_>>())
            }
            (_, Some(Value::Vector(v)), _) => numbers(&random.change(v)),
            (_, Some(Value::Numbers(v)), _) => numbers(&random.change(v)),
            (_, Some(Value::Number(x)), _) => format!("{:?}", random.change(&[*x])[0]),
            (_, None, Json::Array(items)) => match all_numbers(items) {
                Some(v) => numbers(&random.change(&v)),
                None => continue,
            },
            (_, None, Json::Object(inner)) => match inner.get("vector") {
                Some(Json::Array(items)) => match all_numbers(items) {
                    Some(v) => format!("{{ vector = {} }}", numbers(&random.change(&v))),
                    None => continue,
                },
                _ => continue,
            },
            _ => continue,
        };
        list.push(Setting::value("nearby state", &format!("initial.{key}"), &value)?);
    }
    Ok(list)
}

/// Which of the keys for the momentum is read: the one of the command line, else the first.
fn read_momentum(
    table: &serde_json::Map<String, Json>,
    settings: &[Setting],
) -> Option<&'static str> {
    let typed = |key: &&&str| settings.iter().any(|s| s.sets(&format!("initial.{key}")));
    let there = || MOMENTA.iter().filter(|key| table.contains_key(**key));
    there().find(typed).or_else(|| there().next()).copied()
}

fn direction(state: &State, i: usize) -> Option<Vec3<f64>> {
    match state.part("q") {
        Some(Value::Vectors(q)) => q.get(i).map(|q| (*q).into()),
        _ => None,
    }
}

fn all_numbers(items: &[Json]) -> Option<Vec<f64>> {
    items.iter().map(Json::as_f64).collect()
}

/// A list in the TOML format.
fn numbers(v: &[f64]) -> String {
    format!("{v:?}")
}

fn lists(v: &[[f64; 3]]) -> String {
    format!("{v:?}")
}
