//! The coefficients of a variational method: which curves it considers and how it integrates the
//! Lagrangian along them.
//!
//! A step from `g0` looks for a curve `g(t) = g0 phi(x(t))` in a chart `phi`, with `x` from a
//! linear family given by unknown velocities `X_1 … X_m`:
//!
//! ```text
//! node i:  x_i = h sum_j position_ij X_j      x'_i = sum_j velocity_ij X_j      weight_i, time t + c_i h
//! end:     g1 = g0 phi(x_end)                 x_end = h sum_j end_j X_j
//! ```
//!
//! | methods | unknowns | nodes |
//! |---|---|---|
//! | natural chart, theta family | `x = h X` | one or two points of the segment |
//! | Galerkin, Lie–Galerkin | polynomial of degree `s` through `h X_1 … h X_s` | a quadrature rule |
//! | variational Runge–Kutta–Munthe-Kaas | stage derivatives `X_i` | the stages, `x_i = h sum a_ij X_j` |
use crate::group::family::NaturalChart;
use crate::tableau::{Quadrature, Tableau};

/// Which velocity a node sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Velocity {
    /// The body velocity of the curve, `dphi_{-x} x'`.
    OfCurve,
    /// The chart velocity `x'` itself. For the exponential and a straight `x` it is the same.
    OfChart,
}

/// Where a node sits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At `phi(x_i)`.
    OnCurve,
    /// At the square root of `phi(x_i)`: the true midpoint of Cayley's chart.
    Halfway,
}

/// A quadrature node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Time within the step, from 0 to 1.
    pub c: f64,
    /// Quadrature weight.
    pub weight: f64,
    /// Coefficients of `x_i / h`.
    pub position: Vec<f64>,
    /// Coefficients of `x'_i`.
    pub velocity: Vec<f64>,
}

/// The coefficients of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Scheme {
    /// The chart.
    pub chart: NaturalChart,
    /// What velocity the nodes see.
    pub velocity: Velocity,
    /// Where the nodes sit.
    pub place: Place,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// Coefficients of `x_end / h`.
    pub end: Vec<f64>,
    /// First guess of the unknowns, as multiples of the velocity at the start.
    pub guess: Vec<f64>,
    /// Order of convergence, where it follows from the construction.
    pub order: Option<u8>,
    /// Whether `step(-h)` undoes `step(h)` on every group, for every Lagrangian whose kinetic energy
    /// is the same at all configurations, as that of a body. On Rⁿ all schemes with a symmetric rule
    /// do.
    pub symmetric: bool,
}

/// Why a method with these numbers does not exist.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemeError {
    /// Too few quadrature points.
    #[error(
        "a polynomial of degree {degree} needs at least {degree} quadrature points, not {points}: with fewer the order drops to 2"
    )]
    TooFewPoints {
        /// Degree of the curve.
        degree: usize,
        /// Points of the rule.
        points: usize,
    },
    /// The degree is outside the tables.
    #[error("the degree of the curve must be between 1 and {limit}, not {degree}")]
    Degree {
        /// Degree of the curve.
        degree: usize,
        /// Largest degree with tabulated control points.
        limit: usize,
    },
    /// A weight vanishes.
    #[error(
        "weight {index} of the table '{table}' is zero; a variational method needs all of them"
    )]
    ZeroWeight {
        /// Which weight, from 1.
        index: usize,
        /// Which table.
        table: &'static str,
    },
    /// The parameter of the theta family is not a number.
    #[error("theta must be a finite number, not {theta}")]
    Theta {
        /// What was given.
        theta: f64,
    },
}

impl Scheme {
    /// One straight piece `x = h X`, with the velocity `X` seen at the given points `(c, weight)`.
    pub fn natural(chart: NaturalChart, points: &[(f64, f64)]) -> Self {
        let nodes = points
            .iter()
            .map(|&(c, weight)| Node { c, weight, position: vec![c], velocity: vec![1.0] })
            .collect();
        let centre: f64 = points.iter().map(|(c, weight)| c * weight).sum();
        let mirrored = |&(c, w): &(f64, f64)| points.iter().any(|&(d, v)| d == 1.0 - c && v == w);
        // Seen from the other end, Cayley's curve runs through the same points but not at the same
        // times: only its ends mirror each other.
        let same_curve =
            chart == NaturalChart::Exp || points.iter().all(|(c, _)| *c == 0.0 || *c == 1.0);
        Self {
            chart,
            velocity: Velocity::OfChart,
            place: Place::OnCurve,
            nodes,
            end: vec![1.0],
            guess: vec![1.0],
            order: Some(if centre == 0.5 { 2 } else { 1 }),
            symmetric: same_curve && points.iter().all(mirrored),
        }
    }

    /// The theta family of Celledoni et al., equations 15 to 17: the exponential and one node.
    pub fn theta(theta: f64) -> Result<Self, SchemeError> {
        if !theta.is_finite() {
            return Err(SchemeError::Theta { theta });
        }
        Ok(Self::natural(NaturalChart::Exp, &[(theta, 1.0)]))
    }

    /// One straight piece, with the node at the true midpoint of `g0` and `g1`.
    pub fn true_midpoint(chart: NaturalChart) -> Self {
        match chart {
            NaturalChart::Exp => Self::natural(chart, &[(0.5, 1.0)]),
            NaturalChart::Cayley => {
                let mut scheme = Self::natural(chart, &[(0.5, 1.0)]);
                scheme.place = Place::Halfway;
                scheme.symmetric = true;
                for node in &mut scheme.nodes {
                    node.position = vec![1.0];
                }
                scheme
            }
        }
    }

    /// Polynomials of degree `s` and a quadrature rule with at least `s` points.
    ///
    /// The unknowns are the values at Lobatto points, divided by `h`; the method does not depend on
    /// that choice, only its conditioning does.
    pub fn galerkin(chart: NaturalChart, s: usize, rule: &Quadrature) -> Result<Self, SchemeError> {
        let Some(control) = Quadrature::lobatto(s + 1) else {
            return Err(SchemeError::Degree { degree: s, limit: 5 });
        };
        if rule.points() < s {
            return Err(SchemeError::TooFewPoints { degree: s, points: rule.points() });
        }
        let alpha = control.nodes;
        let nodes = rule
            .nodes
            .iter()
            .zip(rule.weights)
            .map(|(&c, &weight)| Node {
                c,
                weight,
                position: (1..=s).map(|nu| basis(alpha, nu, c)).collect(),
                velocity: (1..=s).map(|nu| basis_slope(alpha, nu, c)).collect(),
            })
            .collect();
        let mut end = vec![0.0; s];
        end[s - 1] = 1.0;
        // A straight piece of the exponential has one velocity: the cheaper formula is the same.
        let straight = s == 1 && chart == NaturalChart::Exp;
        // With both ends as its nodes a straight piece meets the same points back and forth, and there
        // the velocities differ by a factor that is the same both ways.
        let ends = s == 1 && rule.nodes == [0.0, 1.0];
        Ok(Self {
            chart,
            velocity: if straight { Velocity::OfChart } else { Velocity::OfCurve },
            place: Place::OnCurve,
            nodes,
            end,
            guess: alpha[1..].to_vec(),
            order: Some(rule.order.min(2 * s as u8)),
            symmetric: straight || ends,
        })
    }

    /// The stages of a Runge–Kutta table in the exponential chart (Bogfjellmo and Marthinsen). The
    /// order is that of the partitioned method `(a_ij, b_j - b_j a_ji / b_i)`, which may be less
    /// than that of the table.
    pub fn runge_kutta(table: &Tableau) -> Result<Self, SchemeError> {
        let s = table.stages();
        let mut nodes = Vec::with_capacity(s);
        for i in 0..s {
            if table.b[i] == 0.0 {
                return Err(SchemeError::ZeroWeight { index: i + 1, table: table.name });
            }
            let mut position = vec![0.0; s];
            position[..table.a[i].len()].copy_from_slice(table.a[i]);
            let mut velocity = vec![0.0; s];
            velocity[i] = 1.0;
            nodes.push(Node { c: table.c[i], weight: table.b[i], position, velocity });
        }
        Ok(Self {
            chart: NaturalChart::Exp,
            velocity: if s == 1 { Velocity::OfChart } else { Velocity::OfCurve },
            place: Place::OnCurve,
            nodes,
            end: table.b.to_vec(),
            guess: vec![1.0; s],
            order: None,
            symmetric: false,
        })
    }

    /// Whether the nodes mirror each other, which makes the method symmetric where the group is a
    /// vector space.
    pub fn mirrored(&self) -> bool {
        let n = self.nodes.len();
        (0..n).all(|i| {
            let (a, b) = (&self.nodes[i], &self.nodes[n - 1 - i]);
            (a.c + b.c - 1.0).abs() < 1e-15 && a.weight == b.weight
        })
    }

    /// Number of unknown velocities.
    pub fn unknowns(&self) -> usize {
        self.end.len()
    }
}

/// The Lagrange polynomial of node `nu`, at `t`.
fn basis(alpha: &[f64], nu: usize, t: f64) -> f64 {
    let mut product = 1.0;
    for (i, &a) in alpha.iter().enumerate() {
        if i != nu {
            product *= (t - a) / (alpha[nu] - a);
        }
    }
    product
}

/// Its derivative.
fn basis_slope(alpha: &[f64], nu: usize, t: f64) -> f64 {
    let mut sum = 0.0;
    for j in 0..alpha.len() {
        if j != nu {
            let mut product = 1.0 / (alpha[nu] - alpha[j]);
            for (i, &a) in alpha.iter().enumerate() {
                if i != nu && i != j {
                    product *= (t - a) / (alpha[nu] - a);
                }
            }
            sum += product;
        }
    }
    sum
}
