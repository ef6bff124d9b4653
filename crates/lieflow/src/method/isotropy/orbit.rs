//! The isotropy correction of any update on any space, from Taylor series.
//!
//! ```text
//! c(t)    the exact flow:        c_{k+1} = [gamma(f)(c(t))]_k/(k+1)
//! y(t)    the update:            phi(u(y, t))·y with the step size as the variable
//! tau(t)  the time of the orbit: tau_k += <[y - c(tau)]_k, X>/|X|²,  k = 2, 3, …
//! e_n     what is left:          [y - c(tau)]_n
//! z       in g_y with            (1/2) D gamma(z)[X] + e_n  along X
//! u  <-   u + h^(n-1) z
//! ```
//!
//! An element of order `h^(n-1)` in the isotropy algebra changes the step by
//! `(h^n/2) D gamma(z)[X]` in leading order, for the exponential and for Cayley's map. Where the
//! isotropy is full, the orbits are followed to order `n` afterwards, one more than by a method of
//! order `n - 1`; the order of the state stays. On S² this gives all closed forms of
//! [`body`](super::body) without using the energy.
//!
//! Lewis and Olver 2001, sections 3, 5 and 6; the power `n` is taken from theory (one more than the
//! order of the method, or more where the first errors lie along the orbit), never by comparing
//! small numbers with zero. For fields that do not depend on time.
use crate::action::{Action, Isotropy};
use crate::chart::Chart;
use crate::group::{LieAlgebra, LieGroup, ScalarOf};
use crate::problem::{FieldOf, Generator, GroupOf, Lift, Problem};
use crate::tableau::Tableau;
use lieflow_kernel::{Jet, Real};

/// An update `y -> phi(u(y, h))·y` that is written once for all numbers.
pub trait Coordinates {
    /// The chart `phi`: the exponential or Cayley's map.
    fn chart(&self) -> Chart;
    /// `u(y, h)`.
    fn coordinates<Q: Generator>(
        &self,
        q: &Q,
        t: f64,
        y: &Q::Point,
        h: ScalarOf<GroupOf<Q>>,
    ) -> FieldOf<Q>;
}

/// An explicit Runge–Kutta method in a chart.
#[derive(Clone, Copy, Debug)]
pub struct Explicit {
    /// Its table.
    pub tableau: &'static Tableau,
    /// The chart.
    pub chart: Chart,
    /// Whether stages are pulled back to the start (Munthe-Kaas); Heun's update of Lewis and Olver
    /// takes the fields as they are.
    pub pulled: bool,
}

impl Coordinates for Explicit {
    fn chart(&self) -> Chart {
        self.chart
    }
    fn coordinates<Q: Generator>(
        &self,
        q: &Q,
        t: f64,
        y: &Q::Point,
        h: ScalarOf<GroupOf<Q>>,
    ) -> FieldOf<Q> {
        let mut stages: Vec<FieldOf<Q>> = Vec::with_capacity(self.tableau.stages());
        let sum = |weights: &[f64], stages: &[FieldOf<Q>], like: &FieldOf<Q>| {
            let mut u = like.zero_like();
            for (w, k) in weights.iter().zip(stages) {
                u.axpy(*w, k);
            }
            for i in 0..u.dim() {
                u.set_coord(i, u.coord(i) * h);
            }
            u
        };
        let first = q.field(t, y);
        stages.push(first.clone());
        let mut point = y.clone();
        for row in self.tableau.a.iter().skip(1) {
            let u = sum(row, &stages, &first);
            Q::Space::advance(self.chart, &u, y, &mut point);
            let mut k = q.field(t, &point);
            if self.pulled {
                GroupOf::<Q>::pull(self.chart, &u, &mut k);
            }
            stages.push(k);
        }
        sum(self.tableau.b, &stages, &first)
    }
}

/// The correction of an update at a point.
#[derive(Clone, Debug)]
pub struct OrbitCorrection<A> {
    /// `z`, to be added as `h^(n-1) z`.
    pub element: A,
    /// The error across the orbit that remains at this order: zero where the isotropy suffices.
    pub residual: f64,
    /// Factors of the space that are at rest, where nothing can be done.
    pub skipped: usize,
}

/// Numbers that know their Taylor coefficients up to `N - 1`.
type Series<P, const N: usize> = <P as Lift>::Over<Jet<f64, N>>;

/// The correction at `y` that takes the error across the orbit off the coefficient of `h^power`,
/// with `power < N`.
pub fn orbit_correction<P, U, const N: usize>(
    p: &P,
    t: f64,
    y: &P::Point,
    update: &U,
    power: usize,
) -> OrbitCorrection<FieldOf<P>>
where
    P: Lift<Scalar = f64, Space: Isotropy>,
    <Series<P, N> as Generator>::Space: Isotropy,
    U: Coordinates,
{
    type Space<Q> = <Q as Generator>::Space;
    let n = P::Space::ambient(y);
    let mut element = p.field(t, y);
    let mut x = vec![0.0; n];
    P::Space::velocity(&element, y, &mut x);
    element = element.zero_like();
    let speed2: f64 = x.iter().map(|x| x * x).sum();
    if speed2 < f64::MIN_POSITIVE || power >= N {
        return OrbitCorrection { element, residual: 0.0, skipped: 1 };
    }

    let q: Series<P, N> = p.lift(Jet::constant);
    let start = p.lift_point(y, Jet::constant);
    let flow = flow_series::<Series<P, N>, N>(&q, t, &start, n);
    let u = update.coordinates(&q, t, &start, Jet::variable());
    let mut end = start.clone();
    Space::<Series<P, N>>::advance(update.chart(), &u, &start, &mut end);
    let mut reached = vec![Jet::zero(); n];
    Space::<Series<P, N>>::read(&end, &mut reached);

    let mut tau = Jet::<f64, N>::variable();
    let mut error = vec![0.0; n];
    for k in 2..=power {
        // The first pass gives the error along the orbit, the second what is left of it.
        for pass in 0..2 {
            for ((error, y), c) in error.iter_mut().zip(&reached).zip(&flow) {
                *error = y.c[k] - c.compose(tau).c[k];
            }
            if pass == 0 {
                let along: f64 = error.iter().zip(&x).map(|(e, x)| e * x).sum();
                tau.c[k] += along / speed2;
            }
        }
    }
    let side: Vec<f64> = error.iter().map(|e| -2.0 * e).collect();
    let skipped = P::Space::align(y, &x, &side, &mut element);
    let mut bent = vec![0.0; n];
    P::Space::linear(&element, y, &x, &mut bent);
    let mut left: Vec<f64> = bent.iter().zip(&error).map(|(b, e)| 0.5 * b + e).collect();
    let along = left.iter().zip(&x).map(|(l, x)| l * x).sum::<f64>() / speed2;
    for (left, x) in left.iter_mut().zip(&x) {
        *left -= along * x;
    }
    let residual = left.iter().map(|l| l * l).sum::<f64>().sqrt();
    OrbitCorrection { element, residual, skipped }
}

/// The exact flow from a point, as series of its coordinates.
fn flow_series<Q, const N: usize>(
    q: &Q,
    t: f64,
    start: &<Q as Problem>::Point,
    n: usize,
) -> Vec<Jet<f64, N>>
where
    Q: Generator<
        Space: Isotropy + Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = Jet<f64, N>>>>,
    >,
{
    let mut c = vec![Jet::zero(); n];
    Q::Space::read(start, &mut c);
    let mut point = start.clone();
    let mut velocity = c.clone();
    for k in 0..N - 1 {
        Q::Space::write(&c, &mut point);
        Q::Space::velocity(&q.field(t, &point), &point, &mut velocity);
        for (c, v) in c.iter_mut().zip(&velocity) {
            c.c[k + 1] = v.c[k] / (k + 1) as f64;
        }
    }
    c
}
