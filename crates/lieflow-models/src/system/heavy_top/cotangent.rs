//! The heavy top on T*SO(3): attitude and spatial momentum (Celledoni et al., section 3.4.1).
//!
//! ```text
//! Q' = ŵ Q        π' = k Γ₀ × Qχ        w = Q J⁻¹ Qᵀ π
//! ```
//!
//! The field of the general methods is `(w, k Γ₀ × Qχ - w × π)`.
use super::{ENTRY, TopData, set_attitude};
use crate::run::{MeterOf, ModelSystem, field_meter};
use crate::system::{cast_matrix, cast_vector, rotation_value, vector_value};
use lieflow::action::CotangentRotations;
use lieflow::group::family::Rotations;
use lieflow::group::{So3, Twist};
use lieflow::method::{Entry, generator, variational};
use lieflow::problem::{
    Cotangent, Described, Generator, Hamiltonian, Lagrangian, LegendreError, Lift, Problem,
    Quantity, Value, Watched,
};
use lieflow::stepping::Rotations as _;
use lieflow::{Mat3, Real, Vec3};

/// The heavy top with attitude and spatial momentum.
#[derive(Clone, Debug)]
pub struct HeavyTop<S> {
    /// The body and the field.
    pub data: TopData<S>,
    /// Initial attitude.
    pub rotation: Mat3<S>,
    /// Initial spatial momentum.
    pub momentum: Vec3<S>,
}

impl<S: Real> HeavyTop<S> {
    /// The top at this attitude with this spatial momentum.
    pub fn new(data: TopData<S>, rotation: Mat3<S>, momentum: Vec3<S>) -> Self {
        Self { data, rotation, momentum }
    }
    /// The torque in space, `k Γ₀ × Qχ`.
    #[inline(always)]
    fn torque(&self, g: &So3<S>) -> Vec3<S> {
        self.data.direction.cross(g.matrix.apply(self.data.axis)).times(self.data.strength)
    }
    /// `H`.
    fn energy(&self, g: &So3<S>, mu: &Vec3<S>) -> S {
        let momentum = g.matrix.apply_transpose(*mu);
        self.data.energy(momentum, g.matrix.apply_transpose(self.data.direction))
    }
    fn cast<T: Real>(&self, embed: fn(S) -> T) -> HeavyTop<T> {
        HeavyTop {
            data: self.data.cast(embed),
            rotation: cast_matrix(&self.rotation, embed),
            momentum: cast_vector(self.momentum, embed),
        }
    }
}

impl<S: Real> Problem for HeavyTop<S> {
    type Point = Cotangent<So3<S>>;
    fn start(&self) -> Cotangent<So3<S>> {
        Cotangent { g: So3 { matrix: self.rotation }, mu: self.momentum }
    }
    fn restore(&self, y: &mut Cotangent<So3<S>>) {
        y.restore();
    }
}

impl<S: Real> Generator for HeavyTop<S> {
    type Space = CotangentRotations<S>;
    #[inline(always)]
    fn field(&self, _t: f64, y: &Cotangent<So3<S>>) -> Twist<S> {
        let q = &y.g.matrix;
        let w = q.apply(self.data.omega(q.apply_transpose(y.mu)));
        Twist::new(w, self.torque(&y.g) - w.cross(y.mu))
    }
}

impl<S: Real> Lift for HeavyTop<S> {
    type Scalar = S;
    type Over<T: Real> = HeavyTop<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> HeavyTop<T> {
        self.cast(embed)
    }
    fn lift_point<T: Real>(&self, y: &Cotangent<So3<S>>, embed: fn(S) -> T) -> Cotangent<So3<T>> {
        let g = So3 { matrix: cast_matrix(&y.g.matrix, embed) };
        Cotangent { g, mu: cast_vector(y.mu, embed) }
    }
}

impl<S: Real> Lagrangian for HeavyTop<S> {
    type Scalar = S;
    type Family = Rotations;
    type Over<T: Real> = HeavyTop<T>;
    fn over<T: Real>(&self, embed: fn(S) -> T) -> HeavyTop<T> {
        self.cast(embed)
    }
    fn lagrangian(&self, _t: f64, g: &So3<S>, w: &Vec3<S>) -> S {
        let gamma = g.matrix.apply_transpose(self.data.direction);
        w.dot(self.data.inertia.apply(*w)) * 0.5 - self.data.strength * gamma.dot(self.data.axis)
    }
    fn momentum(&self, _t: f64, _g: &So3<S>, w: &Vec3<S>) -> Vec3<S> {
        self.data.inertia.apply(*w)
    }
    fn force(&self, _t: f64, g: &So3<S>, _w: &Vec3<S>) -> Vec3<S> {
        self.torque(g)
    }
    fn velocity(&self, _t: f64, _g: &So3<S>, p: &Vec3<S>) -> Result<Vec3<S>, LegendreError> {
        Ok(self.data.omega(*p))
    }
}

impl<S: Real> Hamiltonian for HeavyTop<S> {
    type Scalar = S;
    type Family = Rotations;
    type Over<T: Real> = HeavyTop<T>;
    fn over<T: Real>(&self, embed: fn(S) -> T) -> HeavyTop<T> {
        self.cast(embed)
    }
    fn hamiltonian(&self, _t: f64, g: &So3<S>, mu: &Vec3<S>) -> S {
        self.energy(g, mu)
    }
    fn velocity(&self, _t: f64, g: &So3<S>, mu: &Vec3<S>) -> Vec3<S> {
        g.matrix.apply(self.data.omega(g.matrix.apply_transpose(*mu)))
    }
    fn force(&self, t: f64, g: &So3<S>, mu: &Vec3<S>) -> Vec3<S> {
        // The kinetic energy depends on Q through QᵀΠ: -dH/dQ = torque - w × π.
        self.torque(g) - Hamiltonian::velocity(self, t, g, mu).cross(*mu)
    }
    fn momentum(&self, _t: f64, g: &So3<S>, v: &Vec3<S>) -> Result<Vec3<S>, LegendreError> {
        Ok(g.matrix.apply(self.data.inertia.apply(g.matrix.apply_transpose(*v))))
    }
}

impl Watched for HeavyTop<f64> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        let mut list = vec![
            Quantity { name: "energy", eval: |p: &Self, y| p.energy(&y.g, &y.mu) },
            Quantity { name: "momentum_dot_direction", eval: |p, y| y.mu.dot(p.data.direction) },
        ];
        if self.data.symmetric() {
            list.push(Quantity {
                name: "axial_momentum",
                eval: |p, y| y.mu.dot(y.g.matrix.apply(p.data.axis)),
            });
        }
        list
    }
    fn manifold_error(&self, y: &Cotangent<So3<f64>>) -> f64 {
        y.g.matrix.orthogonality_error()
    }
}

impl Described for HeavyTop<f64> {
    fn describe(&self, _t: f64, y: &Cotangent<So3<f64>>) -> Vec<(&'static str, Value)> {
        let momentum = y.g.matrix.apply_transpose(y.mu);
        vec![
            ("rotation", rotation_value(&y.g.matrix)),
            ("omega", vector_value(self.data.omega(momentum))),
            ("momentum", vector_value(momentum)),
            ("spatial_momentum", vector_value(y.mu)),
        ]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("attitude", &["rotation"]), ("momentum", &["spatial_momentum"])]
    }
}

impl ModelSystem for HeavyTop<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        let mut entries = generator::entries_on_space();
        entries.extend(variational::lagrangian_entries());
        entries
    }
    fn set_initial(&mut self, key: &str, numbers: &[f64]) -> bool {
        let key = key.strip_prefix("initial.").unwrap_or_default();
        // The rotation takes more than this.
        key != "rotation"
            && set_attitude(&self.data, &mut self.rotation, &mut self.momentum, key, numbers)
    }
    fn set_part(&self, y: &mut Cotangent<So3<f64>>, part: &str, numbers: &[f64]) -> bool {
        set_attitude(&self.data, &mut y.g.matrix, &mut y.mu, part, numbers)
    }
    fn method_by_name(id: &str) -> Option<Entry<Self>> {
        variational::lagrangian_entry(id)
    }
    fn meter(&self) -> Option<MeterOf<Self>> {
        field_meter(self, false)
    }
}
