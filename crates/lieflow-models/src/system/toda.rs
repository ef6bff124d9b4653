//! Toda's lattice: particles on a line whose neighbours repel by `exp(-(q_{i+1} - q_i))`.
//!
//! ```text
//! L' = [B(L), L]     L_ii = -p_i/2,  L_{i,i+1} = a_i = ½ exp(-(q_{i+1} - q_i)/2)     (Flaschka 1974)
//!                    B = L above the diagonal, -L below it; in a ring the corners have the other sign
//! ```
//!
//! The eigenvalues of `L` are conserved, one for each particle; the energy is `2 tr L²`, the momentum
//! `-2 tr L`. States are symmetric matrices, which may leave the tridiagonal ones by the error of a
//! method. They have the size of the largest lattice; what is not needed stays zero. An open lattice
//! has a closed solution (Symes 1980): `L(t) = Qᵀ L Q` with `exp(t L) = Q R`.
use super::{Spec, SystemEntry};
use crate::problem_file::SpecError;
use crate::run::{MeterOf, Model, ModelSystem, field_meter};
use lieflow::Real;
use lieflow::action::{Conjugate, Symmetric};
use lieflow::group::Skew;
use lieflow::method::{Entry, generator, isospectral, on_field};
use lieflow::problem::{AnyFieldOf, Described, Generator, Lift, Problem, Quantity, Value, Watched};

/// The most particles: matrices have this size.
pub const MOST: usize = 6;

/// The lattice.
#[derive(Clone, Debug)]
pub struct Toda<S> {
    /// How many particles there are.
    pub count: usize,
    /// Whether the last one is a neighbour of the first.
    pub periodic: bool,
    /// `L` at the start.
    pub start: Symmetric<S, MOST>,
}

impl<S: Real> Toda<S> {
    /// `B(L)`.
    fn generator(&self, l: &Symmetric<S, MOST>) -> Skew<S, MOST> {
        let mut b = [[S::zero(); MOST]; MOST];
        for i in 0..self.count {
            for j in i + 1..self.count {
                let corner = self.periodic && i == 0 && j == self.count - 1;
                let entry = l.matrix()[i][j];
                b[i][j] = if corner { -entry } else { entry };
                b[j][i] = -b[i][j];
            }
        }
        Skew::from_matrix(&b)
    }
}

impl Toda<f64> {
    /// The lattice with these momenta and these distances of neighbours: one less than particles, or as
    /// many in a ring, where they may have any sum.
    pub fn new(momenta: &[f64], gaps: &[f64]) -> Self {
        let count = momenta.len().min(MOST);
        let periodic = gaps.len() == momenta.len();
        let mut m = [[0.0; MOST]; MOST];
        for (i, p) in momenta.iter().take(count).enumerate() {
            m[i][i] = -0.5 * p;
        }
        for (i, gap) in gaps.iter().take(count).enumerate() {
            let (j, a) = ((i + 1) % count, 0.5 * (-0.5 * gap).exp());
            m[i][j] = a;
            m[j][i] = a;
        }
        Self { count, periodic, start: Symmetric::from_matrix(&m) }
    }

    /// The eigenvalues, ascending.
    pub fn eigenvalues(&self, l: &Symmetric<f64, MOST>) -> Vec<f64> {
        let mut values = l.eigen().0[..self.count].to_vec();
        values.sort_by(f64::total_cmp);
        values
    }

    /// The state of an open lattice after the time `t`. Times so long that the parts of the
    /// exponential differ by more than rounding spoil it.
    pub fn exact(&self, t: f64) -> Option<Symmetric<f64, MOST>> {
        if self.periodic {
            return None;
        }
        let (values, vectors) = self.start.eigen();
        let n = self.count;
        let largest = values[..n].iter().fold(f64::NEG_INFINITY, |a, x| a.max(x * t));
        // Columns of exp(t L), which Gram and Schmidt make orthonormal.
        let mut q = [[0.0; MOST]; MOST];
        for j in 0..n {
            for i in 0..n {
                for k in 0..n {
                    q[j][i] += vectors[i][k] * (values[k] * t - largest).exp() * vectors[j][k];
                }
            }
            let (done, rest) = q.split_at_mut(j);
            let column = &mut rest[0];
            // Twice is enough.
            for other in done.iter().chain(done.iter()) {
                let along: f64 = column.iter().zip(other).map(|(a, b)| a * b).sum();
                column.iter_mut().zip(other).for_each(|(a, b)| *a -= along * b);
            }
            let length = column.iter().map(|x| x * x).sum::<f64>().sqrt();
            column.iter_mut().for_each(|x| *x /= length);
        }
        let mut l = [[0.0; MOST]; MOST];
        for i in 0..n {
            for j in 0..n {
                for a in 0..n {
                    for b in 0..n {
                        l[i][j] += q[i][a] * self.start.matrix()[a][b] * q[j][b];
                    }
                }
            }
        }
        Some(Symmetric::from_matrix(&l))
    }
}

impl<S: Real> Problem for Toda<S> {
    type Point = Symmetric<S, MOST>;
    fn start(&self) -> Symmetric<S, MOST> {
        self.start
    }
}

impl<S: Real> Generator for Toda<S> {
    type Space = Conjugate<S, MOST>;
    fn field(&self, _t: f64, l: &Symmetric<S, MOST>) -> Skew<S, MOST> {
        self.generator(l)
    }
}

impl<S: Real> Lift for Toda<S> {
    type Scalar = S;
    type Over<T: Real> = Toda<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Toda<T> {
        let start = self.lift_point(&self.start, embed);
        Toda { count: self.count, periodic: self.periodic, start }
    }
    fn lift_point<T: Real>(&self, y: &Symmetric<S, MOST>, embed: fn(S) -> T) -> Symmetric<T, MOST> {
        Symmetric::from_matrix(&y.matrix().map(|row| row.map(embed)))
    }
}

/// A quantity that is an eigenvalue, by its number.
macro_rules! eigenvalues {
    ($($name:literal: $k:literal),*) => {
        [$(Quantity { name: $name, eval: |p: &Toda<f64>, y| p.eigenvalues(y)[$k] }),*]
    };
}

impl Watched for Toda<f64> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        let mut list = vec![
            Quantity { name: "energy", eval: |p: &Self, y| 2.0 * p.trace_of_square(y) },
            Quantity { name: "momentum", eval: |p, y| p.momenta(y).iter().sum() },
        ];
        let all = eigenvalues!(
            "eigenvalue_1": 0, "eigenvalue_2": 1, "eigenvalue_3": 2,
            "eigenvalue_4": 3, "eigenvalue_5": 4, "eigenvalue_6": 5
        );
        list.extend(all.into_iter().take(self.count));
        list
    }
    /// Symmetric matrices are a vector space, whose orbits are watched as invariants.
    fn manifold_error(&self, y: &Symmetric<f64, MOST>) -> f64 {
        super::zero_if_finite(self.trace_of_square(y))
    }
}

impl Toda<f64> {
    fn trace_of_square(&self, y: &Symmetric<f64, MOST>) -> f64 {
        y.matrix().as_flattened().iter().map(|x| x * x).sum()
    }
    fn momenta(&self, y: &Symmetric<f64, MOST>) -> Vec<f64> {
        (0..self.count).map(|i| -2.0 * y.matrix()[i][i]).collect()
    }
    /// `4a²`, with which neighbours repel each other.
    fn forces(&self, y: &Symmetric<f64, MOST>) -> Vec<f64> {
        let last = if self.periodic { self.count } else { self.count - 1 };
        let force = |i: usize| 4.0 * y.matrix()[i][(i + 1) % self.count].powi(2);
        (0..last).map(force).collect()
    }
}

impl Described for Toda<f64> {
    fn describe(&self, _t: f64, y: &Symmetric<f64, MOST>) -> Vec<(&'static str, Value)> {
        vec![
            ("momenta", Value::Numbers(self.momenta(y))),
            ("forces", Value::Numbers(self.forces(y))),
        ]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("momenta", &["momenta"]), ("forces", &["forces"])]
    }
}

impl ModelSystem for Toda<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        let mut entries = generator::table_entries::<AnyFieldOf<Self, 1>>();
        entries.extend(isospectral::entries::<f64, MOST, _>());
        on_field(entries)
    }
    fn meter(&self) -> Option<MeterOf<Self>> {
        field_meter(self, false)
    }
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "toda",
    title: "Toda's lattice of two to six particles, open or a ring, in Lax form",
    parameters: "none",
    initial: "momenta, gaps (as many in a ring, one less in an open lattice)",
    state: "momenta, forces",
    methods: super::cards::<Toda<f64>>,
    build,
};

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let momenta = spec.initial.numbers("momenta")?;
    let n = momenta.len();
    if !(2..=MOST).contains(&n) {
        return Err(spec.initial.refuse("momenta", "two to six numbers, one for each particle"));
    }
    let gaps = spec.initial.numbers("gaps")?;
    if gaps.len() != n - 1 && (gaps.len() != n || n < 3) {
        let ring = if n < 3 { String::new() } else { format!(", or {n} for a ring") };
        let expected = format!("{} distances of neighbours{ring}", n - 1);
        return Err(spec.initial.refuse("gaps", &expected));
    }
    Ok(Box::new(Toda::new(&momenta, &gaps)))
}
