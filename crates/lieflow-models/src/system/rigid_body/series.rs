//! The motion of a rigid body as a power series in time.
//!
//! ```text
//! u = -J⁻¹P      r_a' = u × r_a  for the rows of R      P' = u × P + T
//! ```
//!
//! Four vectors are turned by the same `u`: they stand side by side, one in each lane, so that an
//! order costs six products of vectors for each order before it. Built-in torques that are linear in
//! `R` need no more than their own function, all others are tapes over series.
use super::{Field, RigidBody};
use lieflow::action::BodyState;
use lieflow::kernel::wide::{VectorWork, Vectors, run_vectorised};
use lieflow::method::taylor::Expansion;
use lieflow::problem::TorqueField;
use lieflow::{Mat3, Vec3};
use lieflow_formula::body::{self, BodyPotential};
use lieflow_formula::{Formula, SeriesTape};

type Body = RigidBody<f64, Field<f64>>;
/// A component of four vectors: the rows of `R`, then `P`.
type Lanes = [f64; 4];

/// The terms of a motion.
pub struct BodySeries {
    terms: Vec<[Lanes; 3]>,
    /// Minus the angular velocity.
    turn: Vec<[f64; 3]>,
    torque: TorqueSeries,
    /// The largest numbers of each order, relative to the state.
    sizes: Vec<f64>,
    /// The order of the last expansion.
    order: usize,
}

/// How the terms of the torque are found.
struct TorqueSeries {
    /// The built-in torque is linear in `R`, and not zero.
    linear: bool,
    /// What is not: torques by formula, and which of them read the motion.
    tapes: Vec<(SeriesTape, bool)>,
}

impl TorqueSeries {
    fn new(field: &Field<f64>, order: usize) -> Option<Self> {
        let none = |linear| Self { linear, tapes: Vec::new() };
        Some(match field {
            Field::Free => none(false),
            Field::LagrangeTop { .. } | Field::Linear { .. } => none(true),
            Field::SoftWall { .. } | Field::Attractor { .. } => {
                let tape = SeriesTape::new(&potential(field)?, 1, order)?;
                Self { linear: false, tapes: vec![(tape, false)] }
            }
            Field::Formula(law) => {
                let mut all = match &law.potential {
                    Some(potential) => {
                        let tape = SeriesTape::new(potential.formula(), 1, order)?;
                        Self { linear: false, tapes: vec![(tape, false)] }
                    }
                    None => Self::new(&law.base, order)?,
                };
                if let Some(torque) = &law.torque {
                    all.tapes.push((SeriesTape::new(torque.formula(), 0, order)?, true));
                }
                all
            }
        })
    }
}

/// A built-in potential as a formula.
fn potential(field: &Field<f64>) -> Option<Formula<f64>> {
    let text = match field {
        Field::SoftWall { attraction, repulsion, offset, power, printed } => {
            let sign = if *printed { "-" } else { "" };
            format!(
                "{sign}(({repulsion:?})/(({offset:?}) + R33)^{power} - ({attraction:?})/(({offset:?}) + R33))"
            )
        }
        Field::Attractor { alpha, center } => {
            let [a, b, c] = center.rows.map(|row| row.to_array().map(|x| format!("({x:?})")));
            let row =
                |k: usize, [x, y, z]: [String; 3]| format!("{x}*R{k}1 + {y}*R{k}2 + {z}*R{k}3");
            let trace = [row(1, a), row(2, b), row(3, c)].join(" + ");
            format!("(sqrt(2*(3 - trace(R))) - 1)^2 - ({alpha:?})/sqrt(2*(3 - ({trace})))")
        }
        _ => return None,
    };
    let program = body::potential(body::names().ok()?, "potential", &text).ok()?;
    // The inertia stands first among the parameters, and is not used.
    Some(BodyPotential::new(program, vec![0.0; 9]).ok()?.formula().clone())
}

impl BodySeries {
    /// For this body, up to an order.
    pub fn new(body: &Body, order: usize) -> Option<Self> {
        Some(Self {
            terms: vec![[[0.0; 4]; 3]; order + 1],
            turn: vec![[0.0; 3]; order + 1],
            torque: TorqueSeries::new(&body.potential, order)?,
            sizes: vec![0.0; order + 1],
            order,
        })
    }

    /// The vector in a lane of a term.
    #[inline(always)]
    fn vector(&self, k: usize, lane: usize) -> Vec3<f64> {
        let [x, y, z] = &self.terms[k];
        Vec3 { x: x[lane], y: y[lane], z: z[lane] }
    }
    #[inline(always)]
    fn rotation(&self, k: usize) -> Mat3<f64> {
        Mat3::from_rows(self.vector(k, 0), self.vector(k, 1), self.vector(k, 2))
    }

    /// The torque of order `k`.
    #[inline(always)]
    fn torque(&mut self, body: &Body, t: f64, k: usize, omega: Vec3<f64>) -> Vec3<f64> {
        let mut torque = Vec3::zero();
        if self.torque.linear {
            torque = match &body.potential {
                Field::Formula(law) => law.base.torque(0.0, &self.rotation(k)),
                field => field.torque(0.0, &self.rotation(k)),
            };
        }
        if !self.torque.tapes.is_empty() {
            torque += self.torque_of_tapes(t, k, omega);
        }
        torque
    }

    #[inline(never)]
    fn torque_of_tapes(&mut self, t: f64, k: usize, omega: Vec3<f64>) -> Vec3<f64> {
        let time = [t, 1.0].get(k).copied().unwrap_or(0.0);
        let term = self.terms[k];
        let mut sum = Vec3::zero();
        for (tape, moving) in &mut self.torque.tapes {
            let input = |i: usize| match (i, *moving) {
                (0..9, _) => term[i % 3][i / 3],
                (9..12, true) => omega.to_array()[i - 9],
                (12..15, true) => term[i - 12][3],
                _ => time,
            };
            let mut out = [0.0; 3];
            tape.order(k, input, &mut out);
            sum += Vec3::from(out);
        }
        sum
    }

    #[inline(always)]
    fn expand_inline(&mut self, body: &Body, t: f64, y: &BodyState<f64>, order: usize) {
        let [a, b, c] = y.rotation.rows;
        let p = y.momentum;
        self.terms[0] = [[a.x, b.x, c.x, p.x], [a.y, b.y, c.y, p.y], [a.z, b.z, c.z, p.z]];
        for k in 0..order {
            let omega = body.inertia.velocity(self.vector(k, 3));
            let torque = self.torque(body, t, k, omega);
            self.turn[k] = [-omega.x, -omega.y, -omega.z];
            let [mut x, mut y, mut z] = [[0.0; 4]; 3];
            for (u, v) in self.turn[..=k].iter().zip(self.terms[..=k].iter().rev()) {
                for i in 0..4 {
                    x[i] += u[1] * v[2][i] - u[2] * v[1][i];
                    y[i] += u[2] * v[0][i] - u[0] * v[2][i];
                    z[i] += u[0] * v[1][i] - u[1] * v[0][i];
                }
            }
            (x[3], y[3], z[3]) = (x[3] + torque.x, y[3] + torque.y, z[3] + torque.z);
            let over = 1.0 / (k + 1) as f64;
            self.terms[k + 1] = [x, y, z].map(|v| v.map(|v| v * over));
        }
    }

    fn measure(&mut self) {
        let largest = |term: &[Lanes; 3], lanes: std::ops::Range<usize>| {
            let numbers = term.iter().flat_map(|v| &v[lanes.clone()]);
            // What is not a number must not be lost.
            numbers.fold(0.0, |m: f64, x| if x.abs() <= m { m } else { x.abs() })
        };
        let momentum = largest(&self.terms[0], 3..4).max(largest(&self.terms[1], 3..4));
        let scale = if momentum > 0.0 { momentum } else { 1.0 };
        for (size, term) in self.sizes.iter_mut().zip(&self.terms).take(self.order + 1) {
            let (turn, push) = (largest(term, 0..3), largest(term, 3..4) / scale);
            *size = if push <= turn { turn } else { push };
        }
    }
}

struct Expand<'a> {
    series: &'a mut BodySeries,
    body: &'a Body,
    t: f64,
    y: &'a BodyState<f64>,
    order: usize,
}

impl VectorWork for Expand<'_> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(self) {
        self.series.expand_inline(self.body, self.t, self.y, self.order);
    }
}

impl Expansion<Body> for BodySeries {
    fn expand(&mut self, body: &Body, t: f64, y: &BodyState<f64>, order: usize) {
        self.order = order;
        run_vectorised::<f64, _>(Expand { series: self, body, t, y, order });
        self.measure();
    }

    fn size(&self, k: usize) -> f64 {
        self.sizes[k]
    }

    fn after(&self, _: &Body, _: &BodyState<f64>, h: f64, out: &mut BodyState<f64>) {
        let mut sum = [[0.0; 4]; 3];
        for term in self.terms[..=self.order].iter().rev() {
            for c in 0..3 {
                for i in 0..4 {
                    sum[c][i] = sum[c][i] * h + term[c][i];
                }
            }
        }
        let vector = |i: usize| Vec3 { x: sum[0][i], y: sum[1][i], z: sum[2][i] };
        let rotation = Mat3::from_rows(vector(0), vector(1), vector(2));
        *out = BodyState::new(nearest_rotation(rotation), vector(3));
    }
}

/// The rotation next to a matrix that nearly is one: `R (3 - RᵀR) / 2`, as often as it takes.
pub fn nearest_rotation(mut r: Mat3<f64>) -> Mat3<f64> {
    for _ in 0..6 {
        let excess = r.transpose().matmul(&r) - Mat3::identity();
        r = r - r.matmul(&excess) * 0.5;
        let far = excess.rows.iter().flat_map(|row| row.to_array()).any(|x| x.abs() > 1e-8);
        if !far {
            break;
        }
    }
    r
}
