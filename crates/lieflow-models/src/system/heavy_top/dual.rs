//! The heavy top reduced to body momentum and field direction (Celledoni et al., section 3.4.2).
//!
//! ```text
//! Π' = Π × J⁻¹Π + k Γ × χ        Γ' = Γ × J⁻¹Π
//! ```
//!
//! This is Lie–Poisson on se(3)*; as a generator of the coadjoint action of SE(3),
//! `f = -(J⁻¹Π, kχ)`.
use super::super::finite_vector;
use super::{ENTRY, TopData};
use crate::run::{MeterOf, ModelSystem, field_meter};
use crate::system::{cast_vector, vector_value, zero_if_finite};
use lieflow::action::CoadjointAction;
use lieflow::group::{Se3, Twist};
use lieflow::method::isotropy::with_conservation;
use lieflow::method::{Entry, generator};
use lieflow::problem::{
    Described, FirstIntegrals, Generator, Integral, Lift, Problem, Quantity, Value, Watched,
};
use lieflow::{Real, Vec3};

/// The heavy top on se(3)*.
#[derive(Clone, Debug)]
pub struct DualHeavyTop<S> {
    /// The body and the field.
    pub data: TopData<S>,
    /// Initial body momentum and `Γ`.
    pub start: Twist<S>,
}

impl<S: Real> DualHeavyTop<S> {
    /// The top with this body momentum and field direction.
    pub fn new(data: TopData<S>, momentum: Vec3<S>, gamma: Vec3<S>) -> Self {
        Self { data, start: Twist::new(momentum, gamma) }
    }
}

impl<S: Real> Problem for DualHeavyTop<S> {
    type Point = Twist<S>;
    fn start(&self) -> Twist<S> {
        self.start
    }
}

impl<S: Real> Generator for DualHeavyTop<S> {
    type Space = CoadjointAction<Se3<S>>;
    #[inline(always)]
    fn field(&self, _t: f64, y: &Twist<S>) -> Twist<S> {
        Twist::new(-self.data.omega(y.angular), -self.data.axis.times(self.data.strength))
    }
}

impl<S: Real> Lift for DualHeavyTop<S> {
    type Scalar = S;
    type Over<T: Real> = DualHeavyTop<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> DualHeavyTop<T> {
        DualHeavyTop { data: self.data.cast(embed), start: self.lift_point(&self.start, embed) }
    }
    fn lift_point<T: Real>(&self, y: &Twist<S>, embed: fn(S) -> T) -> Twist<T> {
        Twist::new(cast_vector(y.angular, embed), cast_vector(y.linear, embed))
    }
}

impl FirstIntegrals for DualHeavyTop<f64> {
    /// Energy, whose gradient is the field with the other sign; for a symmetric top also the
    /// momentum along its axis.
    fn integrals(&self) -> Vec<Integral<Self>> {
        let mut list = vec![Integral {
            name: "energy",
            eval: |p: &Self, y: &Twist<f64>| p.data.energy(y.angular, y.linear),
            gradient: |p, y, out| {
                let f = p.field(0.0, y);
                out[..3].copy_from_slice(&(-f.angular).to_array());
                out[3..].copy_from_slice(&(-f.linear).to_array());
            },
            change: None,
        }];
        if self.data.symmetric() {
            list.push(Integral {
                name: "axial_momentum",
                eval: |p, y| y.angular.dot(p.data.axis),
                gradient: |p, _, out| {
                    out[..3].copy_from_slice(&p.data.axis.to_array());
                    out[3..].fill(0.0);
                },
                change: None,
            });
        }
        list
    }
}

impl Watched for DualHeavyTop<f64> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        let mut list = vec![
            Quantity {
                name: "energy",
                eval: |p: &Self, y: &Twist<f64>| p.data.energy(y.angular, y.linear),
            },
            Quantity { name: "gamma_norm", eval: |_, y| y.linear.norm() },
            Quantity { name: "momentum_dot_gamma", eval: |_, y| y.angular.dot(y.linear) },
        ];
        if self.data.symmetric() {
            list.push(Quantity { name: "axial_momentum", eval: |p, y| y.angular.dot(p.data.axis) });
        }
        list
    }
    /// The dual of the algebra is a vector space, whose orbits are watched as invariants: zero for
    /// every finite state.
    fn manifold_error(&self, y: &Twist<f64>) -> f64 {
        zero_if_finite(y.angular.dot(y.linear))
    }
}

impl Described for DualHeavyTop<f64> {
    fn describe(&self, _t: f64, y: &Twist<f64>) -> Vec<(&'static str, Value)> {
        vec![("gamma", vector_value(y.linear)), ("momentum", vector_value(y.angular))]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[("direction", &["gamma"]), ("momentum", &["momentum"])]
    }
}

impl ModelSystem for DualHeavyTop<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    const ISOTROPY: bool = true;
    fn entries() -> Vec<Entry<Self>> {
        with_conservation(generator::entries_on_homogeneous_space())
    }
    fn set_initial(&mut self, key: &str, numbers: &[f64]) -> bool {
        let key = key.strip_prefix("initial.").unwrap_or_default();
        let mut start = self.start;
        // The direction is that of the field, unless the file says it.
        let set = key != "gamma" && self.set_part(&mut start, key, numbers);
        self.start = start;
        set
    }
    fn set_part(&self, y: &mut Twist<f64>, part: &str, numbers: &[f64]) -> bool {
        let Some(vector) = finite_vector(numbers) else { return false };
        match part {
            "omega" => y.angular = self.data.inertia.apply(vector),
            "momentum" => y.angular = vector,
            "gamma" => y.linear = vector,
            _ => return false,
        }
        true
    }
    fn meter(&self) -> Option<MeterOf<Self>> {
        field_meter(self, false)
    }
}
