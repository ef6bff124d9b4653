//! The updates of [`update`](super::update) as methods for a free body of any momentum.
//!
//! A momentum of norm `mu` moves like one of norm one in the time `mu h`; the state itself is
//! turned, never rescaled, so its norm is kept to rounding. At an equilibrium the step is the
//! identity, bit for bit.
use super::body::{Choice, FreeMomentum, field};
use super::exponential::Exponential;
use super::principal::principal;
use super::update::{Correction, Scheme, Update};
use crate::method::{
    Card, Choices, Corrections, Cost, Entry, InChart, Method, Options, Step, StepError, StepResult,
};
use lieflow_kernel::{Mask, Mat3, Real, Vec3};

/// One of the updates, as a method.
#[derive(Clone, Debug)]
pub struct OnSphere<S: Real> {
    update: Update,
    exponential: Exponential,
    evaluations: u32,
    /// The inverse inertia, with its principal values and axes.
    frame: Option<(Mat3<S>, Vec3<S>, Mat3<S>)>,
    /// The coordinates of the last step.
    last: Vec3<S>,
    tally: Corrections,
    cost: Cost,
}

impl<S: Real> OnSphere<S> {
    /// The update with this map.
    pub fn new(update: Update, exponential: Exponential) -> Self {
        Self {
            update,
            exponential,
            evaluations: evaluations(update),
            frame: None,
            last: Vec3::zero(),
            tally: Corrections::default(),
            cost: Cost::default(),
        }
    }

    /// The principal values and axes of a matrix, found once.
    fn principal(&mut self, a: Mat3<S>) -> (Vec3<S>, Mat3<S>) {
        match self.frame {
            Some((known, values, axes)) if known == a => (values, axes),
            _ => {
                let (values, axes) = principal(&a);
                self.frame = Some((a, values, axes));
                (values, axes)
            }
        }
    }
}

/// Evaluations of the field in a step (for backward Euler, in an iteration).
const fn evaluations(update: Update) -> u32 {
    let correction = if let Correction::None = update.correction { 0 } else { 1 };
    match update.scheme {
        Scheme::Euler | Scheme::BackwardEuler => 1 + correction,
        Scheme::Heun => 2 + correction,
        Scheme::Taylor4 | Scheme::Rkmk4 => 4 + correction,
    }
}

/// Maps in a step besides the last.
const fn inner_maps(scheme: Scheme) -> u32 {
    match scheme {
        Scheme::Euler | Scheme::Taylor4 | Scheme::BackwardEuler => 0,
        Scheme::Heun => 1,
        Scheme::Rkmk4 => 3,
    }
}

impl<P: FreeMomentum> Method<P> for OnSphere<P::Scalar> {
    #[inline]
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, h, y, .. } = s;
        let (a, axes) = self.principal(p.inverse_inertia());
        let inside = axes.apply_transpose(*y);
        let length = y.norm();
        let positive = P::Scalar::zero().lt(length);
        let over = P::Scalar::one() / P::Scalar::select(positive, length, P::Scalar::one());
        let m = inside.times(over);
        let found = self.update.coordinates(self.exponential, a, m, length * h);
        let rounds = found.iterations.max(1);
        self.cost.field_evaluations += u64::from(self.evaluations * rounds);
        self.cost.newton_iterations += u64::from(found.iterations);
        self.cost.exponentials += u64::from(inner_maps(self.update.scheme) + found.iterations + 1);
        if !found.converged() {
            return Err(StepError::NotConverged {
                equation: "backward Euler's equation",
                iterations: found.iterations,
                residual: found.residual,
                step: h,
            });
        }
        let moves = P::Scalar::zero().lt(field(a, inside).norm_squared());
        if self.update.correction != Correction::None {
            let all = moves.all();
            self.tally.made += u64::from(all);
            self.tally.skipped += u64::from(!all);
        }
        let xi = axes.apply(found.xi);
        self.last = Vec3::select(moves, xi, Vec3::zero());
        let turned = self.exponential.turn(xi, *y);
        *out = Vec3::select(moves, turned, *y);
        if !out.finite().all() {
            return Err(StepError::NotFinite { what: "the update on the sphere" });
        }
        Ok(None)
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    fn coordinates(&self) -> Option<InChart<'_>> {
        Some(InChart { chart: self.exponential.chart(), u: &self.last })
    }

    fn corrections(&self) -> Option<Corrections> {
        (self.update.correction != Correction::None).then_some(self.tally)
    }
}

/// The list: id, title, update, order, and what is conserved.
static LIST: [(&str, &str, Update, u8, &str); 19] = {
    use Choice::{Basic as B, Orthogonal as O};
    use Correction::{End, None, Start};
    use Scheme::{BackwardEuler as Beu, Euler as Eul, Heun as Rk2, Rkmk4 as Rk4, Taylor4 as Sy4};
    const fn u(scheme: Scheme, choice: Choice, correction: Correction) -> Update {
        Update { scheme, choice, correction }
    }
    const E1: &str = "momentum norm; energy to local order 1";
    const E2: &str = "momentum norm; energy to local order 2, exactly for symmetric bodies";
    const E3: &str = "momentum norm; energy to local order 3";
    const E4: &str = "momentum norm; energy to local order 4";
    const E5: &str = "momentum norm; energy to local order 5";
    [
        ("eul-b", "Lie–Euler, basic generator", u(Eul, B, None), 1, E1),
        ("eul-o", "Lie–Euler, orthogonal generator", u(Eul, O, None), 1, E1),
        ("eul-i", "Lie–Euler along the osculating circle", u(Eul, O, Start), 1, E2),
        ("beu-b", "backward Lie–Euler, basic generator", u(Beu, B, None), 1, E1),
        ("beu-o", "backward Lie–Euler, orthogonal generator", u(Beu, O, None), 1, E1),
        ("beu-i", "backward Lie–Euler, corrected at the start", u(Beu, O, Start), 1, E2),
        ("beu-adj", "adjoint of eul-i", u(Beu, O, End), 1, E2),
        ("rk2-b", "Heun on the sphere, basic generator", u(Rk2, B, None), 2, E3),
        ("rk2-o", "Heun on the sphere, orthogonal generator", u(Rk2, O, None), 2, E3),
        ("rk2-ib", "rk2-b with isotropy correction", u(Rk2, B, Start), 2, E4),
        ("rk2-io", "rk2-o with isotropy correction", u(Rk2, O, Start), 2, E4),
        ("sy4-b", "Taylor series to order four, basic generator", u(Sy4, B, None), 4, E4),
        ("sy4-o", "Taylor series to order four, orthogonal generator", u(Sy4, O, None), 4, E4),
        ("sy4-ib", "sy4-b with isotropy correction", u(Sy4, B, Start), 4, E5),
        ("sy4-io", "sy4-o with isotropy correction", u(Sy4, O, Start), 4, E5),
        ("rk4-b", "Munthe-Kaas with Kutta's table, basic generator", u(Rk4, B, None), 4, E4),
        ("rk4-o", "Munthe-Kaas with Kutta's table, orthogonal generator", u(Rk4, O, None), 4, E4),
        ("rk4-ib", "rk4-b with isotropy correction", u(Rk4, B, Start), 4, E5),
        ("rk4-io", "rk4-o with isotropy correction", u(Rk4, O, Start), 4, E5),
    ]
};

/// The update with this id.
pub fn update(id: &str) -> Option<Update> {
    LIST.iter().find(|row| row.0 == id).map(|row| row.2)
}

/// All of them, as entries for a free body.
pub fn entries<P: FreeMomentum>() -> Vec<Entry<P>> {
    LIST.iter()
        .map(|&(id, title, update, order, conserves)| {
            let implicit = update.scheme == Scheme::BackwardEuler;
            let card = Card {
                conserves,
                implicit,
                evaluations: if implicit { None } else { Some(evaluations(update)) },
                cite: "lewisolver2001",
                ..Card::new(id, title, "isotropy", order)
            };
            let has = Choices { chart: true, ..Choices::none(&card) };
            let own = card.clone();
            Entry {
                card,
                make: Box::new(move |_: &P, options: &Options| {
                    options.check(&own, has)?;
                    let exponential = Exponential::of(options.chart, id)?;
                    Ok(Box::new(OnSphere::new(update, exponential)))
                }),
            }
        })
        .collect()
}
