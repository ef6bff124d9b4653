//! The forms of systems by formulas, from differences of steps: some of their methods are made for
//! plain numbers only.
//!
//! ```text
//! T*G, momenta in the body     W(a, b) = η_b·ξ_a - η_a·ξ_b + p·[ξ_a, ξ_b]      (g exp(ξ), p + η)
//! so(3)* with carried vectors  B = (hat m, hat p; hat p, 0)
//! ```
//!
//! Derivatives are central differences of order four, with an error of about [`NOISE`].
use crate::symplectic::{FormDefect, MeasuredStep};
use lieflow::group::{LieAlgebra, LieGroup, Se3, So3, Twist};
use lieflow::method::cotangent::structure::Measured;
use lieflow::method::{Step, StepError};
use lieflow::{Mat3, Vec3, vec3};
use lieflow_models::run::{Model, ModelSystem};
use lieflow_models::system::custom::Custom;
use lieflow_models::system::custom::derive::Pair;
use lieflow_models::system::custom::factor::Space;
use lieflow_models::system::custom::layout::{Block, Layout};
use lieflow_models::system::custom::space::Numbers;

/// Half the distance of the inner two of four steps.
const DELTA: f64 = 1e-3;
/// What differences leave of a derivative.
const NOISE: f64 = 1e-11;
/// More directions than this take too long.
const MOST: usize = 600;

/// The defect for systems by formulas that an energy moves, but those of spins alone.
pub(crate) fn defect(model: &dyn Model, by: MeasuredStep<'_>) -> Option<FormDefect> {
    let custom = model.as_any().downcast_ref::<Custom<f64>>()?;
    let entry = Custom::entries().into_iter().find(|entry| entry.card.id == by.id);
    let entry = entry.or_else(|| Custom::method_by_name(by.id))?;
    let mut method = (entry.make)(custom, by.options).ok()?;
    let (t, h) = by.step;
    let mut step = |y: Vec<f64>| {
        let start = Numbers(y);
        let mut end = start.clone();
        method.reset();
        method.step(Step::new(custom, t, h, &start), &mut end)?;
        Ok(end.0)
    };
    let (shape, start) = (custom.shape(), lieflow::problem::Problem::start(custom).0);
    if !shape.pairs.is_empty() && shape.size <= MOST {
        let defect = canonical(&shape.pairs, start, &mut step);
        return Some(FormDefect { form: "canonical form of T*G, by differences", defect });
    }
    let carries = |block: &Block| matches!(block, Block::Dual { .. });
    let blocks = || shape.layout.blocks.iter().map(|placed| &placed.block);
    let poisson = blocks().all(|b| carries(b) || matches!(b, Block::Turn { .. }));
    if poisson && blocks().any(carries) && shape.size <= MOST {
        let defect = lie_poisson(&shape.layout, start, &mut step);
        return Some(FormDefect { form: "Lie–Poisson tensor, by differences", defect });
    }
    None
}

type StepMap<'a> = &'a mut dyn FnMut(Vec<f64>) -> Result<Vec<f64>, StepError>;

/// The derivative of where a step leads, in the coordinates of `apart`, when the start moves along
/// `start`.
fn derivative(
    start: &dyn Fn(f64) -> Vec<f64>,
    step: StepMap<'_>,
    apart: &dyn Fn(&[f64]) -> Vec<f64>,
) -> Result<Vec<f64>, StepError> {
    let mut sum: Vec<f64> = Vec::new();
    for (place, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
        let here = apart(&step(start(place * DELTA))?);
        sum.resize(here.len(), 0.0);
        for (sum, x) in sum.iter_mut().zip(here) {
            *sum += weight * x / (12.0 * DELTA);
        }
    }
    Ok(sum)
}

fn canonical(pairs: &[Pair], y: Vec<f64>, step: StepMap<'_>) -> Result<Measured, StepError> {
    let end = step(y.clone())?;
    let apart = |other: &[f64]| -> Vec<f64> {
        pairs.iter().flat_map(|pair| difference(pair, &end, other)).collect()
    };
    let mut columns = Vec::new();
    let mut units = Vec::new();
    let n: usize = pairs.iter().map(|pair| 2 * dim(pair)).sum();
    for pair in pairs {
        for k in 0..2 * dim(pair) {
            let start = |by: f64| moved(pair, &y, k, by);
            columns.push(derivative(&start, step, &apart)?);
            let mut unit = vec![0.0; n];
            unit[units.len()] = 1.0;
            units.push(unit);
        }
    }
    let (mut change, mut size) = (0.0, 0.0);
    for a in 0..n {
        for b in 0..a {
            let old = form(pairs, &y, &units[a], &units[b]);
            change += (form(pairs, &end, &columns[a], &columns[b]) - old).powi(2);
            size += old.powi(2);
        }
    }
    Ok(measured(change, size, &columns))
}

/// A defect with what differences leave of it.
fn measured(change: f64, size: f64, columns: &[Vec<f64>]) -> Measured {
    let stretch: f64 = columns.iter().flatten().map(|x| x * x).sum();
    let scale = if size > 0.0 { size.sqrt() } else { 1.0 };
    Measured { defect: change.sqrt() / scale, rounding: NOISE * stretch.max(1.0).sqrt() / scale }
}

/// How many numbers a velocity has.
fn dim(pair: &Pair) -> usize {
    match pair.space {
        Space::Rotations => 3,
        Space::Motions => 6,
        space => space.kind().size(),
    }
}

fn vector(x: &[f64], at: usize) -> Vec3<f64> {
    vec3(x[at], x[at + 1], x[at + 2])
}
fn motion(x: &[f64], at: usize) -> Se3<f64> {
    Se3 { rotation: matrix(x, at), position: vector(x, at + 9) }
}
fn matrix(x: &[f64], at: usize) -> Mat3<f64> {
    Mat3::from_rows(vector(x, at), vector(x, at + 3), vector(x, at + 6))
}
fn twist(x: &[f64]) -> Twist<f64> {
    Twist::new(vector(x, 0), vector(x, 3))
}

/// The state with direction number `k` of a pair moved: first the configuration, then the momentum.
fn moved(pair: &Pair, y: &[f64], k: usize, by: f64) -> Vec<f64> {
    let (mut out, d, at) = (y.to_vec(), dim(pair), pair.configuration);
    if k >= d {
        out[pair.momentum + k - d] += by;
        return out;
    }
    let mut small = [0.0; 6];
    let mut put = |r: &Mat3<f64>| {
        let rows = r.rows.iter().flat_map(|row| row.to_array());
        out[at..at + 9].iter_mut().zip(rows).for_each(|(to, x)| *to = x);
    };
    match pair.space {
        Space::Rotations => {
            small[k] = by;
            put(&matrix(y, at).matmul(&So3::exp(&vector(&small, 0)).matrix));
        }
        Space::Motions => {
            small[k] = by;
            let g = motion(y, at).compose(&Se3::exp(&twist(&small)));
            put(&g.rotation);
            out[at + 9..at + 12].copy_from_slice(&g.position.to_array());
        }
        _ => out[at + k] += by,
    }
    out
}

/// What leads from one state to another that is near: velocities, then momenta.
fn difference(pair: &Pair, from: &[f64], to: &[f64]) -> Vec<f64> {
    let (d, at) = (dim(pair), pair.configuration);
    let mut list: Vec<f64> = match pair.space {
        Space::Rotations => {
            let matrix = matrix(from, at).transpose().matmul(&matrix(to, at));
            So3 { matrix }.log().to_array().to_vec()
        }
        Space::Motions => {
            let u = motion(from, at).inverse().compose(&motion(to, at)).log();
            [u.angular.to_array(), u.linear.to_array()].concat()
        }
        _ => (at..at + d).map(|i| to[i] - from[i]).collect(),
    };
    list.extend((pair.momentum..pair.momentum + d).map(|i| to[i] - from[i]));
    list
}

/// `W` of two tangent vectors at a state.
fn form(pairs: &[Pair], y: &[f64], a: &[f64], b: &[f64]) -> f64 {
    let (mut sum, mut first) = (0.0, 0);
    for pair in pairs {
        let d = dim(pair);
        let (a, b) = (&a[first..first + 2 * d], &b[first..first + 2 * d]);
        sum += (0..d).map(|i| b[d + i] * a[i] - a[d + i] * b[i]).sum::<f64>();
        let p = &y[pair.momentum..pair.momentum + d];
        sum += match pair.space {
            Space::Rotations => vector(p, 0).dot(vector(a, 0).cross(vector(b, 0))),
            Space::Motions => LieAlgebra::dot(&twist(p), &twist(a).bracket(&twist(b))),
            _ => 0.0,
        };
        first += 2 * d;
    }
    sum
}

fn lie_poisson(layout: &Layout, y: Vec<f64>, step: StepMap<'_>) -> Result<Measured, StepError> {
    let n = y.len();
    let end = step(y.clone())?;
    let mut columns = Vec::new();
    for k in 0..n {
        let start = |by: f64| {
            let mut out = y.clone();
            out[k] += by;
            out
        };
        let apart = |other: &[f64]| other.iter().zip(&end).map(|(a, b)| a - b).collect();
        columns.push(derivative(&start, step, &apart)?);
    }
    let (old, new) = (tensor(layout, &y), tensor(layout, &end));
    let (mut change, mut size) = (0.0, 0.0);
    for i in 0..n {
        for j in 0..n {
            // D B Dᵀ, where column number k of D is the derivative in direction k.
            let mut sum = 0.0;
            for (k, a) in columns.iter().enumerate() {
                let row = &old[k * n..(k + 1) * n];
                sum += a[i] * row.iter().zip(&columns).map(|(x, b)| x * b[j]).sum::<f64>();
            }
            change += (sum - new[i * n + j]).powi(2);
            size += old[i * n + j].powi(2);
        }
    }
    Ok(measured(change, size, &columns))
}

/// The Poisson tensor, by rows.
fn tensor(layout: &Layout, y: &[f64]) -> Vec<f64> {
    let n = y.len();
    let mut b = vec![0.0; n * n];
    let mut put = |row: usize, column: usize, v: Vec3<f64>| {
        for (i, line) in Mat3::hat(v).rows.iter().enumerate() {
            for (j, x) in line.to_array().into_iter().enumerate() {
                b[(row + i) * n + column + j] = x;
            }
        }
    };
    for placed in &layout.blocks {
        match &placed.block {
            Block::Turn { at } => put(*at, *at, vector(y, *at)),
            Block::Dual { momentum, advected } => {
                put(*momentum, *momentum, vector(y, *momentum));
                for at in advected {
                    put(*momentum, *at, vector(y, *at));
                    put(*at, *momentum, vector(y, *at));
                }
            }
            _ => {}
        }
    }
    b
}
