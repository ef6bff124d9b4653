//! The motion of a rigid body as a power series, by all rows of its attitude and its momentum, under any torque.
//!
//! ```text
//! ω = J⁻¹P      r_a' = r_a × ω  for the rows of R      P' = P × ω + T
//! ```
//!
//! Four vectors are turned by the same `ω`: [`turned`](super::turned) has their series. Built-in torques that are
//! linear in `R` need no more than their own function, all others are tapes over series.
use super::series::nearest;
use super::turned::{
    Lanes, Spread, Strip, Term, gathered, in_last_lane, largest, next, spread, spread_lane, sum,
};
use super::{Field, RigidBody};
use lieflow::action::BodyState;
use lieflow::kernel::rigid::Inertia;
use lieflow::kernel::wide::{VectorWork, Vectors, run_vectorised, run_with_more_registers};
use lieflow::stepping::EvenSteps;
use lieflow::{Mat3, Vec3};
use lieflow_formula::body::{self, BodyPotential};
use lieflow_formula::{Formula, SeriesTape};

type Body = RigidBody<f64, Field<f64>>;

/// The terms of a motion.
pub struct FourVectors {
    /// Of the rows of `R`, then `P`.
    terms: Vec<Term>,
    /// The angular velocity.
    turn: Vec<[f64; 3]>,
    torque: TorqueSeries,
    /// The largest number of each vector and order, relative to the state.
    sizes: Vec<Lanes>,
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

/// A built-in torque that is linear in `R`, taken out of the body: the terms ask for it again and again.
enum Pull {
    None,
    /// Of a top, whose axes are both the third ones.
    Top(f64),
    /// `Rᵀ direction × axis`, with the strength in the axis.
    Axial {
        axis: Vec3<f64>,
        direction: Vec3<f64>,
    },
}

impl Pull {
    #[inline(always)]
    fn of(body: &Body, linear: bool) -> Self {
        let field = match &body.potential {
            Field::Formula(law) => &law.base,
            field => field,
        };
        match field {
            Field::LagrangeTop { strength } if linear => Self::Top(*strength),
            Field::Linear { strength, axis, direction } if linear => {
                Self::Axial { axis: axis.times(*strength), direction: *direction }
            }
            _ => Self::None,
        }
    }

    /// The term of the torque that goes with one of the motion, in the lane of the momentum.
    #[inline(always)]
    fn torque<V: Vectors>(&self, term: &Term) -> Strip<V> {
        match self {
            Self::None => spread::<V>([0.0; 3]),
            Self::Top(strength) => {
                let [gx, gy, _] = spread_lane::<V>(term, 2);
                let [zero, _, strength] = in_last_lane::<V>([0.0, 0.0, *strength]);
                [gy * strength, -(gx * strength), zero]
            }
            Self::Axial { axis, direction } => {
                let [a, b, c] = [
                    spread_lane::<V>(term, 0),
                    spread_lane::<V>(term, 1),
                    spread_lane::<V>(term, 2),
                ];
                let r = Mat3::from_rows(a.into(), b.into(), c.into());
                let direction = spread::<V>(direction.to_array());
                let axis = in_last_lane::<V>(axis.to_array());
                r.apply_transpose(direction.into()).cross(axis.into()).to_array()
            }
        }
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

impl FourVectors {
    /// For this body, up to an order.
    pub fn new(body: &Body, order: usize) -> Option<Self> {
        Some(Self {
            terms: vec![[[0.0; 4]; 3]; order + 1],
            turn: vec![[0.0; 3]; order + 1],
            torque: TorqueSeries::new(&body.potential, order)?,
            sizes: vec![[0.0; 4]; order + 1],
            order,
        })
    }

    /// Finds the terms of a motion, and how large they are.
    pub fn expand(&mut self, body: &Body, t: f64, y: &BodyState<f64>, order: usize) {
        let (y, many) = (*y, None);
        run_with_more_registers::<f64, _>(Expand { series: self, body, t, y, order, many });
    }

    /// Makes equal steps as far as terms are finite, and says how many.
    pub fn step_many(
        &mut self,
        body: &Body,
        steps: &EvenSteps,
        order: usize,
        y: &mut BodyState<f64>,
    ) -> u64 {
        let (start, t, many) = (*y, steps.time(0), Some(steps));
        let work = Expand { series: self, body, t, y: start, order, many };
        let made;
        (*y, made) = run_with_more_registers::<f64, _>(work);
        made
    }

    /// The largest number of an order: in a row, or in the momentum relative to what it becomes.
    pub fn size(&self, k: usize) -> f64 {
        let [a, b, c, d] = self.sizes[k];
        let larger = |a: f64, b: f64| if b > a { b } else { a };
        larger(larger(a, b), larger(c, d))
    }

    /// Whether the terms up to an order are finite: what is not makes all later terms so, since each of its products
    /// is one of theirs.
    pub fn is_finite(&self, order: usize) -> bool {
        self.terms[order].iter().flatten().all(|x| x.is_finite())
    }

    /// The state so long after the start.
    pub fn after(&self, h: f64) -> BodyState<f64> {
        run_vectorised::<f64, _>(Add { terms: &self.terms[..=self.order], h })
    }

    #[inline(never)]
    fn torque_of_tapes(&mut self, t: f64, k: usize) -> [f64; 3] {
        let time = [t, 1.0].get(k).copied().unwrap_or(0.0);
        let (term, omega) = (self.terms[k], self.turn[k]);
        let mut sum = Vec3::zero();
        for (tape, moving) in &mut self.torque.tapes {
            let input = |i: usize| match (i, *moving) {
                (0..9, _) => term[i % 3][i / 3],
                (9..12, true) => omega[i - 9],
                (12..15, true) => term[i - 12][3],
                _ => time,
            };
            let mut out = [0.0; 3];
            tape.order(k, input, &mut out);
            sum += Vec3::from(out);
        }
        sum.to_array()
    }

    #[inline(always)]
    fn find_terms<V: Vectors>(&mut self, body: &Body, t: f64, y: &BodyState<f64>, order: usize) {
        // A call in the loop would send all registers through memory.
        if self.torque.tapes.is_empty() {
            self.find_terms_with::<V, false>(body, t, y, order);
        } else {
            self.find_terms_with::<V, true>(body, t, y, order);
        }
    }

    #[inline(always)]
    fn find_terms_with<V: Vectors, const TAPES: bool>(
        &mut self,
        body: &Body,
        t: f64,
        y: &BodyState<f64>,
        order: usize,
    ) {
        let [a, b, c] = y.rotation.rows;
        let p = y.momentum;
        let mut newest = [[a.x, b.x, c.x, p.x], [a.y, b.y, c.y, p.y], [a.z, b.z, c.z, p.z]];
        self.terms[0] = newest;
        let pull = Pull::of(body, self.torque.linear);
        let inverse = spread::<V>(body.inertia.inverse_moments().to_array());
        let mut omega = turn::<V>(&body.inertia, inverse, &newest);
        let slow = omega;
        for k in 0..order {
            self.turn[k] = gathered::<V>(omega);
            let mut torque = pull.torque::<V>(&newest);
            if TAPES {
                let more = in_last_lane::<V>(self.torque_of_tapes(t, k));
                torque = (Vec3::from(torque) + Vec3::from(more)).to_array();
            }
            let known = (&self.terms[..=k], &self.turn[..=k]);
            newest = next::<V>(known, &newest, [slow, omega], torque);
            self.terms[k + 1] = newest;
            omega = turn::<V>(&body.inertia, inverse, &newest);
        }
    }

    /// How large the terms are.
    #[inline(always)]
    fn measure<V: Vectors>(&mut self, order: usize) {
        let push = largest::<V>(&self.terms[0], 1.0)[3].max(largest::<V>(&self.terms[1], 1.0)[3]);
        let over = if push > 0.0 { 1.0 / push } else { 1.0 };
        for (size, term) in self.sizes.iter_mut().zip(&self.terms).take(order + 1) {
            *size = largest::<V>(term, over);
        }
    }
}

/// The angular velocity that goes with a term, in all lanes; products with the inverse moments where they do.
#[inline(always)]
fn turn<V: Vectors>(inertia: &Inertia<f64>, inverse: Spread<V>, term: &Term) -> Spread<V> {
    let p = Vec3::from(spread_lane::<V>(term, 3));
    if inertia.is_diagonal() {
        return Vec3::from(inverse).scaled_by(p).to_array();
    }
    let p = gathered::<V>(p.to_array());
    spread::<V>(inertia.velocity(Vec3::from(p)).to_array())
}

/// Finds the terms of a step and measures them, or makes many steps, whose terms nobody measures.
struct Expand<'a> {
    series: &'a mut FourVectors,
    body: &'a Body,
    t: f64,
    y: BodyState<f64>,
    order: usize,
    many: Option<&'a EvenSteps>,
}

impl VectorWork for Expand<'_> {
    /// The state after the steps, and how many were made.
    type Output = (BodyState<f64>, u64);
    #[inline(always)]
    fn run<V: Vectors>(self) -> Self::Output {
        let Self { series, body, mut t, mut y, order, many } = self;
        series.order = order;
        let mut made = 0;
        loop {
            series.find_terms::<V>(body, t, &y, order);
            let Some(steps) = many else {
                series.measure::<V>(order);
                return (y, 0);
            };
            if !series.is_finite(order) {
                return (y, made);
            }
            y = after::<V>(&series.terms[..=order], steps.h);
            made += 1;
            if made == steps.count {
                return (y, made);
            }
            t = steps.time(made);
        }
    }
}

struct Add<'a> {
    terms: &'a [Term],
    h: f64,
}

impl VectorWork for Add<'_> {
    type Output = BodyState<f64>;
    #[inline(always)]
    fn run<V: Vectors>(self) -> BodyState<f64> {
        after::<V>(self.terms, self.h)
    }
}

#[inline(always)]
fn after<V: Vectors>(terms: &[Term], h: f64) -> BodyState<f64> {
    let [x, y, z] = sum::<V>(terms, h);
    let rotation = Mat3 {
        rows: [
            Vec3 { x: x[0], y: y[0], z: z[0] },
            Vec3 { x: x[1], y: y[1], z: z[1] },
            Vec3 { x: x[2], y: y[2], z: z[2] },
        ],
    };
    BodyState::new(nearest(rotation), Vec3 { x: x[3], y: y[3], z: z[3] })
}
