//! The quadrotors as a problem on a product manifold.
use super::{Carried, Control, Quadrotors};
use crate::system::{rotation_value, vector_value};
use lieflow::action::{Link, Multiply, TangentSphere};
use lieflow::group::{Rn, So3, Twist};
use lieflow::problem::spheres::{length_error, tangency_error};
use lieflow::problem::{Described, FieldOf, Generator, Lift, Problem, Quantity, Value, Watched};
use lieflow::stepping::Rotations;
use lieflow::{Real, Vec3};

/// Payload (position, velocity); bodies (attitude, angular velocity); links.
pub type QuadrotorPoint<S> = (Rn<S, 6>, ([(So3<S>, Rn<S, 3>); 2], [Link<S>; 2]));

impl<S: Real> Problem for Quadrotors<S> {
    type Point = QuadrotorPoint<S>;
    fn start(&self) -> QuadrotorPoint<S> {
        self.start.to_point()
    }
    fn restore(&self, y: &mut QuadrotorPoint<S>) {
        Rotations::restore(y);
    }
}

impl<S: Real> Generator for Quadrotors<S> {
    type Space = (Multiply<Rn<S, 6>>, ([Multiply<(So3<S>, Rn<S, 3>)>; 2], [TangentSphere<S>; 2]));
    const HOT: bool = false;
    fn field(&self, t: f64, y: &QuadrotorPoint<S>) -> FieldOf<Self> {
        let c = Carried::of(y);
        let (payload, links, bodies) = self.accelerations(t, &c);
        let ([a, b, d], [e, f, g]) = (c.velocity.to_array(), payload.to_array());
        let body = |i: usize| (c.rotations[i].apply(c.spins[i]), Rn::<S, 3>(bodies[i].to_array()));
        let link = |i: usize| {
            let Link { q, omega } = c.links[i];
            Twist::new(omega, q.cross(links[i]))
        };
        (Rn([a, b, d, e, f, g]), ([body(0), body(1)], [link(0), link(1)]))
    }
}

impl<S: Real> Lift for Quadrotors<S> {
    type Scalar = S;
    type Over<T: Real> = Quadrotors<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Quadrotors<T> {
        self.cast(embed)
    }
    fn lift_point<T: Real>(&self, y: &QuadrotorPoint<S>, embed: fn(S) -> T) -> QuadrotorPoint<T> {
        Carried::of(y).cast(embed).to_point()
    }
}

impl Quadrotors<f64> {
    /// `½ O·J O` of a body.
    fn body_energy(&self, y: &QuadrotorPoint<f64>, i: usize) -> f64 {
        let spin = Vec3::from(y.1.0[i].1.0);
        0.5 * spin.dot(self.inertias[i].apply(spin))
    }
}

impl Watched for Quadrotors<f64> {
    /// The motion is driven; only bodies without moments turn freely.
    fn invariants(&self) -> Vec<Quantity<Self>> {
        let mut list: Vec<Quantity<Self>> = Vec::new();
        let free =
            |i: usize| self.control == Control::Published && self.moments[i].norm_squared() == 0.0;
        if free(0) {
            list.push(Quantity { name: "body_energy_1", eval: |p, y| p.body_energy(y, 0) });
        }
        if free(1) {
            list.push(Quantity { name: "body_energy_2", eval: |p, y| p.body_energy(y, 1) });
        }
        list
    }
    fn manifold_error(&self, y: &QuadrotorPoint<f64>) -> f64 {
        let (_, (bodies, links)) = y;
        let errors = [
            bodies[0].0.matrix.orthogonality_error(),
            bodies[1].0.matrix.orthogonality_error(),
            length_error(links),
            tangency_error(links),
        ];
        // NaN must not hide behind a comparison.
        errors.into_iter().fold(0.0, |m, e| if e > m || e.is_nan() { e } else { m })
    }
}

impl Described for Quadrotors<f64> {
    fn describe(&self, t: f64, y: &QuadrotorPoint<f64>) -> Vec<(&'static str, Value)> {
        let c = Carried::of(y);
        let both = |part: fn(&Link<f64>) -> Vec3<f64>| {
            Value::Vectors(c.links.iter().map(|link| part(link).to_array()).collect())
        };
        let wanted = self.command(t, &c).q;
        vec![
            ("position", vector_value(c.position)),
            ("velocity", vector_value(c.velocity)),
            ("rotation_1", rotation_value(&c.rotations[0])),
            ("body_omega_1", vector_value(c.spins[0])),
            ("rotation_2", rotation_value(&c.rotations[1])),
            ("body_omega_2", vector_value(c.spins[1])),
            ("q", both(|link| link.q)),
            ("omega", both(|link| link.omega)),
            // Where the load and the links should be.
            ("target", vector_value(self.trajectory(t)[0])),
            ("target_q", Value::Vectors(wanted.map(Vec3::to_array).to_vec())),
        ]
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[
            ("payload", &["position", "velocity"]),
            ("attitude", &["rotation_1", "rotation_2"]),
            ("body_omega", &["body_omega_1", "body_omega_2"]),
            ("position", &["q"]),
            ("velocity", &["omega"]),
        ]
    }
}
