//! The symplectic theta methods on products of T*SO(3), T*SE(3) and T*Rⁿ, by formulas.
//!
//! ```text
//! x = h ∂H/∂P(g_θ, μ)        g_θ = g_0 exp(θx)        f = force at (g_θ, μ), in the body
//! p_1 = Ad*_{exp(x)} (p_0 + h Ad*_{exp(-θx)} f)       μ = dexp*_{-x} p_1 - hθ dexp*_{-θx} f
//! g_1 = g_0 exp(x)
//! ```
//!
//! with the momenta in the body, and stars for transposes: the variational method of the discrete
//! Lagrangian `h L(g_0 exp(θx), x/h)`, in the form that goes from one momentum to the next (Celledoni
//! et al., equations 15 to 17). The velocities and forces are those of the field, one evaluation for
//! all pairs; the equations are solved by fixed-point iteration. It is written once for states of
//! any shape, where the engine of the other variational methods would be compiled once more for
//! each of its families.
use super::Custom;
use super::derive::Pair;
use super::factor::Space;
use super::group::{Element, matrix, put, put_matrix, vector};
use super::space::Numbers;
use crate::system::rigid_body::RigidBody;
use lieflow::group::{Coadjoint, LieGroup, Se3, Twist};
use lieflow::kernel::so3;
use lieflow::method::{
    Card, Cost, Entry, Method, Options, Step, StepError, StepResult, variational,
};
use lieflow::problem::{Generator, Problem};

/// The family on the cards of these methods.
pub(super) const FAMILY: &str = "theta";

/// Sweeps before giving up.
const MOST_SWEEPS: u32 = 300;
/// A relative change below this is the last one.
const DONE: f64 = 8.9e-16;
/// A relative change below this is the last one if the changes do not shrink any more.
const NEAR: f64 = 1e-12;

/// The listed methods, with the cards that they have for other bodies.
pub(super) fn entries() -> Vec<Entry<Custom<f64>>> {
    let all = variational::lagrangian_entries::<RigidBody<f64>>().into_iter();
    all.filter_map(|known| by_card(known.card)).collect()
}

/// The method of a name such as `slgi-theta0.3`.
pub(super) fn entry(id: &str) -> Option<Entry<Custom<f64>>> {
    by_card(variational::lagrangian_entry::<RigidBody<f64>>(id)?.card)
}

fn by_card(card: Card) -> Option<Entry<Custom<f64>>> {
    let theta: f64 = card.id.strip_prefix("slgi-theta")?.parse().ok()?;
    let own = card.clone();
    let make = move |_: &Custom<f64>, options: &Options| {
        options.check_fixed_point(&own)?;
        Ok(Box::new(Theta { theta, work: None, cost: Cost::default() }) as Box<dyn Method<_>>)
    };
    theta.is_finite().then(|| Entry { card, make: Box::new(make) })
}

/// A theta method.
struct Theta {
    theta: f64,
    work: Option<Work>,
    cost: Cost,
}

/// What is kept from one step to the next: memory only.
struct Work {
    /// The increments of the configurations, in the places of the velocities.
    x: Vec<f64>,
    /// Those of the last sweep, at which the forces are: with them momenta of symmetries are kept to
    /// rounding, however far the iteration has come.
    used: Vec<f64>,
    /// `(g_θ, μ)`.
    point: Numbers<f64>,
    field: Element<f64>,
}

impl Method<Custom<f64>> for Theta {
    fn step(&mut self, s: Step<'_, Custom<f64>>, out: &mut Numbers<f64>) -> StepResult {
        let Step { p, t, h, y } = s;
        let w = self.work.get_or_insert_with(|| {
            let field = p.field(t, &p.start());
            let x = vec![0.0; field.numbers.len()];
            Work { used: x.clone(), x, point: y.clone(), field }
        });
        let pairs = &p.shape().pairs;
        p.field_into(t, y, &mut w.field);
        self.cost.field_evaluations += 1;
        for pair in pairs {
            velocity(pair, h, &w.field.numbers, &mut w.x);
        }
        w.point.0.copy_from_slice(&y.0);
        let (mut previous, mut sweeps) = (f64::INFINITY, 0);
        loop {
            for pair in pairs {
                turned(pair, self.theta, &w.x, &y.0, &mut w.point.0);
            }
            p.field_into(t + self.theta * h, &w.point, &mut w.field);
            sweeps += 1;
            self.cost.field_evaluations += 1;
            self.cost.exponentials += 1;
            self.cost.newton_iterations += 1;
            let (mut change, mut size) = (0.0, 0.0);
            w.used.copy_from_slice(&w.x);
            for pair in pairs {
                let (c, n) = improve(pair, self.theta, h, w, &y.0, &mut out.0);
                change += c;
                size += n;
            }
            let relative = (change / (size + f64::MIN_POSITIVE)).sqrt();
            if !relative.is_finite() {
                return Err(StepError::NotFinite { what: "the new state" });
            }
            if relative <= DONE || (relative <= NEAR && relative >= previous) {
                break;
            }
            if sweeps == MOST_SWEEPS {
                return Err(StepError::NotConverged {
                    equation: "the equations of the theta method",
                    iterations: sweeps,
                    residual: change.sqrt(),
                    step: h,
                });
            }
            previous = relative;
        }
        for pair in pairs {
            turned(pair, 1.0, &w.used, &y.0, &mut out.0);
        }
        Ok(None)
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}

/// How many numbers a velocity has.
fn size(pair: &Pair) -> usize {
    match pair.space {
        Space::Rotations => 3,
        Space::Motions => 6,
        space => space.kind().size(),
    }
}

/// `x = h ∂H/∂P`. The algebra has velocities in the body with the other sign.
fn velocity(pair: &Pair, h: f64, field: &[f64], x: &mut [f64]) {
    let scale = if matches!(pair.space, Space::Vectors(_)) { h } else { -h };
    for i in pair.velocity..pair.velocity + size(pair) {
        x[i] = scale * field[i];
    }
}

/// The configuration `g_0 exp(θx)`.
fn turned(pair: &Pair, theta: f64, x: &[f64], y: &[f64], out: &mut [f64]) {
    let (at, from) = (pair.configuration, pair.velocity);
    match pair.space {
        Space::Rotations => {
            let r = matrix(y, at).matmul(&so3::exp(vector(x, from) * theta));
            put_matrix(out, at, &r);
        }
        Space::Motions => {
            let g = Se3 { rotation: matrix(y, at), position: vector(y, at + 9) };
            let moved = g.compose(&Se3::exp(&scaled(&twist(x, from), theta)));
            put_matrix(out, at, &moved.rotation);
            put(out, at + 9, moved.position);
        }
        _ => {
            for i in 0..size(pair) {
                out[at + i] = y[at + i] + theta * x[from + i];
            }
        }
    }
}

/// Improves `x` and `μ`, leaves the new momentum in `out`, and says how much has changed, and of how
/// much, both squared.
fn improve(
    pair: &Pair,
    theta: f64,
    h: f64,
    w: &mut Work,
    y: &[f64],
    out: &mut [f64],
) -> (f64, f64) {
    let (at, from, field) = (pair.momentum, pair.velocity, &w.field.numbers);
    let (mut change, mut total) = (0.0, 0.0);
    // Increments count as velocities, beside which momenta are of like size.
    let mut note = |old: &mut f64, new: f64, unit: f64| {
        change += ((new - *old) / unit).powi(2);
        total += (new / unit).powi(2);
        *old = new;
    };
    let n = size(pair);
    let mut mu = [0.0; 6];
    match pair.space {
        Space::Rotations => {
            let x = vector(&w.x, from);
            let force = vector(field, pair.force) * h;
            // On SO(3) the transposes are the maps of -x.
            let p1 = so3::rotate(-x, vector(y, at)) + so3::rotate(x * (theta - 1.0), force);
            put(out, at, p1);
            let m = so3::dexp(x, p1) - so3::dexp(x * theta, force) * theta;
            mu[..3].copy_from_slice(&m.to_array());
        }
        Space::Motions => {
            let x = twist(&w.x, from);
            let velocity = scaled(&twist(field, from), -1.0);
            let rate = twist(field, pair.force);
            // The rate of the momentum is the force and what the motion of the frame makes of it.
            let frame = Se3::ad_transpose(&velocity, &twist(&w.point.0, at));
            let force = scaled(&difference(&rate, &frame), h);
            let minus = |a: f64| scaled(&x, -a);
            let carried = Se3::exp(&minus(theta)).adjoint_transpose(&force);
            let p1 = Se3::exp(&x).adjoint_transpose(&sum(&twist(y, at), &carried));
            put(out, at, p1.angular);
            put(out, at + 3, p1.linear);
            let pushed = scaled(&Se3::dexp_transpose(&minus(theta), &force), theta);
            let m = difference(&Se3::dexp_transpose(&minus(1.0), &p1), &pushed);
            mu[..3].copy_from_slice(&m.angular.to_array());
            mu[3..].copy_from_slice(&m.linear.to_array());
        }
        _ => {
            for i in 0..n {
                let force = h * field[pair.force + i];
                out[at + i] = y[at + i] + force;
                note(&mut w.point.0[at + i], y[at + i] + (1.0 - theta) * force, 1.0);
                note(&mut w.x[from + i], h * field[from + i], h);
            }
            return (change, total);
        }
    }
    for i in 0..n {
        note(&mut w.point.0[at + i], mu[i], 1.0);
        note(&mut w.x[from + i], -h * field[from + i], h);
    }
    (change, total)
}

fn twist(x: &[f64], at: usize) -> Twist<f64> {
    Twist::new(vector(x, at), vector(x, at + 3))
}
fn scaled(u: &Twist<f64>, a: f64) -> Twist<f64> {
    Twist::new(u.angular * a, u.linear * a)
}
fn sum(u: &Twist<f64>, v: &Twist<f64>) -> Twist<f64> {
    Twist::new(u.angular + v.angular, u.linear + v.linear)
}
fn difference(u: &Twist<f64>, v: &Twist<f64>) -> Twist<f64> {
    sum(u, &scaled(v, -1.0))
}
