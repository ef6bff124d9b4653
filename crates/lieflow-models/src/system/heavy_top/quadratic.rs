//! The heavy top with a quadratic Hamiltonian (Celledoni et al., section 3.4.3): the constant
//! `p = -kχ` is the momentum of a position `q` in the body.
//!
//! ```text
//! H = Π·J⁻¹Π/2 + p·p/2 - p·Γ        (the energy of the top and k²/2)
//! Q' = ŵ Q    π' = -Γ₀ × Qp    q' = p - QᵀΓ₀    p' = 0
//! ```
//!
//! The field of the general methods is `(w, -Γ₀ × Qp - w × π)` beside `(p - QᵀΓ₀, 0)`.
use super::{ENTRY, TopData, set_attitude};
use crate::run::{MeterOf, ModelSystem, field_meter};
use crate::system::{cast_matrix, cast_vector, finite_vector, rotation_value, vector_value};
use lieflow::action::Multiply;
use lieflow::group::family::{Rotations, Translations};
use lieflow::group::{CotangentAlgebra, Rn, So3};
use lieflow::method::{Entry, generator, variational};
use lieflow::problem::{
    Cotangent, Described, Generator, Lagrangian, LegendreError, Lift, Problem, Quantity, Value,
    Watched,
};
use lieflow::stepping::Rotations as _;
use lieflow::{Mat3, Real, Vec3};

/// The heavy top on T*(SO(3) × R³).
#[derive(Clone, Debug)]
pub struct QuadraticHeavyTop<S> {
    /// The body and the field.
    pub data: TopData<S>,
    /// Initial attitude.
    pub rotation: Mat3<S>,
    /// Initial spatial momentum.
    pub momentum: Vec3<S>,
    /// Initial `q`.
    pub position: Vec3<S>,
}

/// A state: `((Q, q), (π, p))`.
type State<S> = Cotangent<(So3<S>, Rn<S, 3>)>;

impl<S: Real> QuadraticHeavyTop<S> {
    /// The top at this attitude with this spatial momentum and `q`.
    pub fn new(data: TopData<S>, rotation: Mat3<S>, momentum: Vec3<S>, position: Vec3<S>) -> Self {
        Self { data, rotation, momentum, position }
    }
    fn cast<T: Real>(&self, embed: fn(S) -> T) -> QuadraticHeavyTop<T> {
        QuadraticHeavyTop {
            data: self.data.cast(embed),
            rotation: cast_matrix(&self.rotation, embed),
            momentum: cast_vector(self.momentum, embed),
            position: cast_vector(self.position, embed),
        }
    }
    fn energy(&self, y: &State<S>) -> S {
        let (q, p) = (&y.g.0.matrix, vector(&y.mu.1));
        let momentum = q.apply_transpose(y.mu.0);
        let gamma = q.apply_transpose(self.data.direction);
        momentum.dot(self.data.omega(momentum)) * 0.5 + p.dot(p) * 0.5 - p.dot(gamma)
    }
}

#[inline(always)]
fn vector<S: Real>(x: &Rn<S, 3>) -> Vec3<S> {
    x.0.into()
}

impl<S: Real> Problem for QuadraticHeavyTop<S> {
    type Point = State<S>;
    fn start(&self) -> State<S> {
        let p = -self.data.axis.times(self.data.strength);
        Cotangent {
            g: (So3 { matrix: self.rotation }, Rn(self.position.to_array())),
            mu: (self.momentum, Rn(p.to_array())),
        }
    }
    fn restore(&self, y: &mut State<S>) {
        y.restore();
    }
}

impl<S: Real> Generator for QuadraticHeavyTop<S> {
    type Space = Multiply<State<S>>;
    #[inline(always)]
    fn field(&self, _t: f64, y: &State<S>) -> CotangentAlgebra<(So3<S>, Rn<S, 3>)> {
        let (q, mu, p) = (&y.g.0.matrix, y.mu.0, vector(&y.mu.1));
        let w = q.apply(self.data.omega(q.apply_transpose(mu)));
        let torque = -self.data.direction.cross(q.apply(p));
        let drift = p - q.apply_transpose(self.data.direction);
        CotangentAlgebra::new((w, Rn(drift.to_array())), (torque - w.cross(mu), Rn::zero()))
    }
}

impl<S: Real> Lift for QuadraticHeavyTop<S> {
    type Scalar = S;
    type Over<T: Real> = QuadraticHeavyTop<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> QuadraticHeavyTop<T> {
        self.cast(embed)
    }
    fn lift_point<T: Real>(&self, y: &State<S>, embed: fn(S) -> T) -> State<T> {
        let ((g, q), (mu, p)) = (&y.g, &y.mu);
        Cotangent {
            g: (So3 { matrix: cast_matrix(&g.matrix, embed) }, Rn(q.0.map(embed))),
            mu: (cast_vector(*mu, embed), Rn(p.0.map(embed))),
        }
    }
}

/// A velocity or a momentum: that of the body, and that of `q`.
type Pair<S> = (Vec3<S>, Rn<S, 3>);

/// `L = ω·Jω/2 + |q' + QᵀΓ₀|²/2`, so that `p = q' + QᵀΓ₀`. Moving `Q` at a fixed `q'` turns `Γ`, with
/// the torque `-Γ₀ × Qp`.
impl<S: Real> Lagrangian for QuadraticHeavyTop<S> {
    type Scalar = S;
    type Family = (Rotations, Translations<3>);
    type Over<T: Real> = QuadraticHeavyTop<T>;
    fn over<T: Real>(&self, embed: fn(S) -> T) -> QuadraticHeavyTop<T> {
        self.cast(embed)
    }
    fn lagrangian(&self, t: f64, g: &(So3<S>, Rn<S, 3>), w: &Pair<S>) -> S {
        let (_, p) = Lagrangian::momentum(self, t, g, w);
        let p = vector(&p);
        (w.0.dot(self.data.inertia.apply(w.0)) + p.dot(p)) * 0.5
    }
    fn momentum(&self, _t: f64, (g, _): &(So3<S>, Rn<S, 3>), (w, v): &Pair<S>) -> Pair<S> {
        let p = vector(v) + g.matrix.apply_transpose(self.data.direction);
        (self.data.inertia.apply(*w), Rn(p.to_array()))
    }
    fn force(&self, t: f64, g: &(So3<S>, Rn<S, 3>), w: &Pair<S>) -> Pair<S> {
        let (_, p) = Lagrangian::momentum(self, t, g, w);
        (-self.data.direction.cross(g.0.matrix.apply(vector(&p))), Rn::zero())
    }
    fn velocity(
        &self,
        _t: f64,
        (g, _): &(So3<S>, Rn<S, 3>),
        (m, p): &Pair<S>,
    ) -> Result<Pair<S>, LegendreError> {
        let v = vector(p) - g.matrix.apply_transpose(self.data.direction);
        Ok((self.data.omega(*m), Rn(v.to_array())))
    }
}

impl Watched for QuadraticHeavyTop<f64> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        let mut list = vec![
            Quantity { name: "energy", eval: |p: &Self, y: &State<f64>| p.energy(y) },
            Quantity { name: "momentum_dot_direction", eval: |p, y| y.mu.0.dot(p.data.direction) },
            Quantity { name: "p_norm", eval: |_, y| vector(&y.mu.1).norm() },
        ];
        if self.data.symmetric() {
            list.push(Quantity {
                name: "axial_momentum",
                eval: |p, y| y.mu.0.dot(y.g.0.matrix.apply(p.data.axis)),
            });
        }
        list
    }
    fn manifold_error(&self, y: &State<f64>) -> f64 {
        y.g.0.matrix.orthogonality_error()
    }
}

impl Described for QuadraticHeavyTop<f64> {
    fn describe(&self, _t: f64, y: &State<f64>) -> Vec<(&'static str, Value)> {
        let momentum = y.g.0.matrix.apply_transpose(y.mu.0);
        vec![
            ("rotation", rotation_value(&y.g.0.matrix)),
            ("omega", vector_value(self.data.omega(momentum))),
            ("momentum", vector_value(momentum)),
            ("spatial_momentum", vector_value(y.mu.0)),
            ("q", Value::Vector(y.g.1.0)),
            ("p", Value::Vector(y.mu.1.0)),
        ]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("attitude", &["rotation"]), ("momentum", &["spatial_momentum"]), ("position", &["q"])]
    }
}

impl ModelSystem for QuadraticHeavyTop<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        let mut entries = generator::entries_on_space();
        entries.extend(variational::lagrangian_entries());
        entries
    }
    fn method_by_name(id: &str) -> Option<Entry<Self>> {
        variational::lagrangian_entry(id)
    }
    fn set_part(&self, y: &mut State<f64>, part: &str, numbers: &[f64]) -> bool {
        let place = match part {
            "q" => &mut y.g.1.0,
            "p" => &mut y.mu.1.0,
            _ => {
                return set_attitude(&self.data, &mut y.g.0.matrix, &mut y.mu.0, part, numbers);
            }
        };
        let Some(vector) = finite_vector(numbers) else { return false };
        *place = vector.to_array();
        true
    }
    fn meter(&self) -> Option<MeterOf<Self>> {
        field_meter(self, false)
    }
}
