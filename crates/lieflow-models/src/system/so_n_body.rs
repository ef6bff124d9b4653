//! The free rigid body in three to six dimensions, on the dual of so(n).
//!
//! ```text
//! M' = [M, Ω]      M_ij = (λ_i + λ_j) Ω_ij      λ_i = ∫ x_i² dm           (Arnold 1966, Manakov 1976)
//! ```
//!
//! In three dimensions the principal moments of inertia are the sums of two `λ`. The eigenvalues of `M`
//! are conserved, and so are the traces of powers of `M + μ diag(λ²)` for every `μ`, among them
//!
//! ```text
//! energy ½ Σ M_ij Ω_ij     Σ (λ_i² + λ_j²) M_ij²     Σ (λ_i⁴ + λ_i²λ_j² + λ_j⁴) M_ij²        (i < j)
//! ```
//!
//! With a `swing` the body changes its shape, `λ_i(t) = λ_i (1 + s_i cos(r t))`: then the eigenvalues stay, and
//! energy and Manakov's integrals change. States have the size of the largest body; what is not
//! needed stays zero.
use super::{Spec, SystemEntry};
use crate::problem_file::{Reader, SpecError};
use crate::run::{MeterOf, Model, ModelSystem, field_meter};
use lieflow::Real;
use lieflow::action::CoadjointAction;
use lieflow::group::{Skew, Son};
use lieflow::method::{Entry, generator, isospectral, on_field};
use lieflow::problem::{AnyFieldOf, Described, Generator, Lift, Problem, Quantity, Value, Watched};

/// The largest dimension: matrices have this size.
pub const MOST: usize = 6;

/// The body.
#[derive(Clone, Debug)]
pub struct SoNBody<S> {
    /// Its dimension.
    pub dimension: usize,
    /// `λ`, one beyond the dimension.
    pub moments: [S; MOST],
    /// `s`.
    pub swing: [S; MOST],
    /// `r`.
    pub rate: S,
    /// `M` at the start.
    pub start: Skew<S, MOST>,
}

impl<S: Real> SoNBody<S> {
    /// `Ω` at a time.
    pub fn velocity(&self, t: f64, m: &Skew<S, MOST>) -> Skew<S, MOST> {
        let (_, cosine) = (self.rate * t).sin_cos();
        let moment = |i: usize| self.moments[i] * (S::one() + self.swing[i] * cosine);
        let mut w = [[S::zero(); MOST]; MOST];
        for i in 0..MOST {
            for j in 0..i {
                w[i][j] = m.matrix()[i][j] / (moment(i) + moment(j));
                w[j][i] = -w[i][j];
            }
        }
        Skew::from_matrix(&w)
    }
}

impl<S: Real> Problem for SoNBody<S> {
    type Point = Skew<S, MOST>;
    fn start(&self) -> Skew<S, MOST> {
        self.start
    }
}

impl<S: Real> Generator for SoNBody<S> {
    type Space = CoadjointAction<Son<S, MOST>>;
    fn field(&self, t: f64, m: &Skew<S, MOST>) -> Skew<S, MOST> {
        self.velocity(t, m).times(-S::one())
    }
}

impl<S: Real> Lift for SoNBody<S> {
    type Scalar = S;
    type Over<T: Real> = SoNBody<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> SoNBody<T> {
        SoNBody {
            dimension: self.dimension,
            moments: self.moments.map(embed),
            swing: self.swing.map(embed),
            rate: embed(self.rate),
            start: self.lift_point(&self.start, embed),
        }
    }
    fn lift_point<T: Real>(&self, y: &Skew<S, MOST>, embed: fn(S) -> T) -> Skew<T, MOST> {
        Skew::from_matrix(&y.matrix().map(|row| row.map(embed)))
    }
}

impl SoNBody<f64> {
    /// `Σ f(λ_i, λ_j) M_ij²` over the planes.
    fn over_planes(&self, m: &Skew<f64, MOST>, f: fn(f64, f64) -> f64) -> f64 {
        let term =
            |(i, j): (usize, usize)| f(self.moments[i], self.moments[j]) * m.matrix()[i][j].powi(2);
        planes(self.dimension).map(term).sum()
    }
    /// Whether its shape changes.
    fn is_timed(&self) -> bool {
        self.rate != 0.0 && self.swing.iter().any(|s| *s != 0.0)
    }
    fn fourth_power(m: &Skew<f64, MOST>) -> f64 {
        let m = m.matrix();
        let mut sum = 0.0;
        for i in 0..MOST {
            for j in 0..MOST {
                sum += (0..MOST).map(|k| m[i][k] * m[k][j]).sum::<f64>().powi(2);
            }
        }
        sum
    }
    fn pfaffian(m: &Skew<f64, MOST>) -> f64 {
        let m = m.matrix();
        m[0][1] * m[2][3] - m[0][2] * m[1][3] + m[0][3] * m[1][2]
    }
}

/// The planes of two axes in the order of the output: (1,2), (1,3), …, (n-1,n).
fn planes(dimension: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..dimension).flat_map(move |i| (i + 1..dimension).map(move |j| (i, j)))
}

impl Watched for SoNBody<f64> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        let mut list =
            vec![Quantity { name: "square", eval: |p: &Self, m| p.over_planes(m, |_, _| 1.0) }];
        if self.dimension == 4 {
            list.push(Quantity { name: "pfaffian", eval: |_, m| Self::pfaffian(m) });
        }
        if self.dimension > 4 {
            list.push(Quantity { name: "fourth_power", eval: |_, m| Self::fourth_power(m) });
        }
        if self.is_timed() {
            return list;
        }
        list.push(Quantity { name: "energy", eval: |p, m| p.over_planes(m, |a, b| 0.5 / (a + b)) });
        if self.dimension > 3 {
            let eval = |p: &Self, m: &Skew<f64, MOST>| p.over_planes(m, |a, b| a * a + b * b);
            list.push(Quantity { name: "manakov", eval });
        }
        if self.dimension > 4 {
            list.push(Quantity {
                name: "manakov_2",
                eval: |p, m| p.over_planes(m, |a, b| a.powi(4) + (a * b).powi(2) + b.powi(4)),
            });
        }
        list
    }
    /// The dual of the algebra is a vector space, whose orbits are watched as invariants.
    fn manifold_error(&self, m: &Skew<f64, MOST>) -> f64 {
        super::zero_if_finite(self.over_planes(m, |_, _| 1.0))
    }
}

impl Described for SoNBody<f64> {
    fn describe(&self, t: f64, m: &Skew<f64, MOST>) -> Vec<(&'static str, Value)> {
        let numbers = |m: &Skew<f64, MOST>| {
            Value::Numbers(planes(self.dimension).map(|(i, j)| m.matrix()[i][j]).collect())
        };
        vec![("momentum", numbers(m)), ("omega", numbers(&self.velocity(t, m)))]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("momentum", &["momentum"])]
    }
}

impl ModelSystem for SoNBody<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        let mut entries = generator::table_entries::<AnyFieldOf<Self, 1>>();
        entries.extend(isospectral::entries::<f64, MOST, _>());
        on_field(entries)
    }
    fn set_part(&self, y: &mut Skew<f64, MOST>, part: &str, numbers: &[f64]) -> bool {
        match in_planes(self.dimension, numbers) {
            Some(m) if part == "momentum" => *y = m,
            _ => return false,
        }
        true
    }
    fn meter(&self) -> Option<MeterOf<Self>> {
        field_meter(self, self.is_timed())
    }
}

/// The matrix with these entries above its diagonal.
fn in_planes(dimension: usize, numbers: &[f64]) -> Option<Skew<f64, MOST>> {
    let sound = numbers.len() == planes(dimension).count() && numbers.iter().all(|x| x.is_finite());
    let mut m = [[0.0; MOST]; MOST];
    for ((i, j), x) in planes(dimension).zip(numbers) {
        m[i][j] = *x;
        m[j][i] = -x;
    }
    sound.then(|| Skew::from_matrix(&m))
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "so-n-body",
    title: "free rigid body in three to six dimensions, Lie-Poisson on so(n)*",
    parameters: "moments, swing, rate",
    initial: "omega or momentum (one number for each plane)",
    state: "momentum, omega",
    methods: super::cards::<SoNBody<f64>>,
    build,
};

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let parameters = &spec.parameters;
    let list = parameters.numbers("moments")?;
    let n = list.len();
    if !(3..=MOST).contains(&n) || list.iter().any(|x| *x <= 0.0) {
        return Err(parameters.refuse("moments", "three to six numbers above zero"));
    }
    let mut moments = [1.0; MOST];
    moments[..n].copy_from_slice(&list);
    let mut swing = [0.0; MOST];
    if parameters.has("swing") {
        let list = parameters.numbers_or_one("swing", n)?;
        if list.iter().any(|x| x.abs() >= 1.0) {
            return Err(parameters.refuse("swing", "numbers between -1 and 1"));
        }
        swing[..n].copy_from_slice(&list);
    }
    let rate = parameters.number_or("rate", 0.0)?;
    let mut body = SoNBody { dimension: n, moments, swing, rate, start: Skew::zero() };
    body.start = start(&body, &spec.initial)?;
    Ok(Box::new(body))
}

fn start(body: &SoNBody<f64>, initial: &Reader<'_>) -> Result<Skew<f64, MOST>, SpecError> {
    let key = initial.just_one_of(&["omega", "momentum"])?;
    let expected = format!("{} numbers, one for each plane", planes(body.dimension).count());
    let given = in_planes(body.dimension, &initial.numbers(key)?);
    let given = given.ok_or_else(|| initial.refuse(key, &expected))?;
    if key == "momentum" {
        return Ok(given);
    }
    let mut m = *given.matrix();
    for (i, row) in m.iter_mut().enumerate() {
        for (j, x) in row.iter_mut().enumerate() {
            *x *= body.moments[i] + body.moments[j];
        }
    }
    Ok(Skew::from_matrix(&m))
}
