//! Two quadrotors that carry a point mass on rigid links.
//!
//! ```text
//! M_q (v' - g e3) = sum_i ( u_i∥ - m_i L_i |w_i|² q_i )          M_q = m_y + sum_i m_i q_i q_iᵀ
//! w_i' = (1/L_i) q_i × (v' - g e3) - (1/(m_i L_i)) q_i × u_i⊥    q_i' = w_i × q_i
//! J_i O_i' = M_i - O_i × J_i O_i                                 R_i' = R_i hat(O_i)
//! ```
//!
//! `y` is the payload, `v = y'`, `q_i` the unit vector from quadrotor `i` to it, `w_i` the angular
//! velocity of link `i` in space, `R_i` the attitude, `O_i` the angular velocity in the body; the
//! third axis points along gravity. The group is R⁶ × (SO(3) × R³)² × SE(3)², direct products, and
//!
//! ```text
//! f = ( v, v' | R_1 O_1, O_1', R_2 O_2, O_2' | w_1, q_1 × w_1', w_2, q_2 × w_2' )
//! ```
//!
//! Celledoni et al., section 6, (37); the text there lets the third axis point the other way, which
//! contradicts its own potential and (37). The thrust `u_i` comes from [`controller`]; it acts as
//! asked ([`Control::Published`], as in the paper, where moments are given) or along the body's own
//! axis, with the attitude in the loop ([`Control::Full`]):
//!
//! ```text
//! b3 = -u/|u|,  b2 = unit(b3 × e1),  R_c = [b2 × b3, b2, b3]       f = -u·R e3,  applied -f R e3
//! e_R = ½ (R_cᵀ R - Rᵀ R_c)^∨       M = -k_R e_R - k_O O + O × J O
//! ```
use super::error::{SystemError, positive, within};
use super::links::{TOLERANCE, links};
use super::{cast_matrix, cast_vector};
use lieflow::action::Link;
use lieflow::group::{Rn, So3};
use lieflow::{Mat3, Real, Vec3};

mod build;
pub mod controller;
mod problem;

pub use build::ENTRY;
pub use controller::Command;
pub use problem::QuadrotorPoint;

/// How the thrust acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// As the controller wants it, whatever the attitude; the moments are given.
    Published,
    /// Along the third axis of the body, which an attitude controller turns.
    Full,
}

/// The gains of the controllers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains<S> {
    /// `k_y`: error of the payload's position.
    pub position: S,
    /// `k_v`: error of its velocity.
    pub velocity: S,
    /// `k_q`: error of a link's direction.
    pub direction: S,
    /// `k_w`: error of its angular velocity.
    pub spin: S,
    /// `k_R`: error of the attitude.
    pub attitude: S,
    /// `k_O`: angular velocity of the body.
    pub body_spin: S,
}

/// A state, by its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carried<S> {
    /// The payload.
    pub position: Vec3<S>,
    /// Its velocity.
    pub velocity: Vec3<S>,
    /// Attitudes.
    pub rotations: [Mat3<S>; 2],
    /// Angular velocities in the bodies.
    pub spins: [Vec3<S>; 2],
    /// Links.
    pub links: [Link<S>; 2],
}

/// The data of the system.
#[derive(Clone, Debug)]
pub struct Quadrotors<S> {
    /// `m_y`.
    pub payload: S,
    /// `m_i`.
    pub masses: [S; 2],
    /// `L_i`.
    pub lengths: [S; 2],
    /// `g`, along the third axis.
    pub gravity: S,
    /// `J_i`.
    pub inertias: [Mat3<S>; 2],
    /// The gains.
    pub gains: Gains<S>,
    /// `r_i`: directions of the links in the frame of the formation.
    pub formation: [Vec3<S>; 2],
    /// `s`.
    pub heading: Vec3<S>,
    /// `M_i`, where they are given.
    pub moments: [Vec3<S>; 2],
    /// How the thrust acts.
    pub control: Control,
    /// `y_d` as a polynomial in time: coefficients of 1, t, t², …
    path: Vec<Vec3<S>>,
    /// `c_i`.
    shares: [S; 2],
    start: Carried<S>,
}

/// What a constructor needs besides the plain data.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// `m_y`.
    pub payload: f64,
    /// `m_i`.
    pub masses: [f64; 2],
    /// `L_i`.
    pub lengths: [f64; 2],
    /// `g`.
    pub gravity: f64,
    /// `J_i`, symmetric positive definite.
    pub inertias: [Mat3<f64>; 2],
    /// The gains.
    pub gains: Gains<f64>,
    /// `r_i`, unit vectors.
    pub formation: [Vec3<f64>; 2],
    /// `s`.
    pub heading: Vec3<f64>,
    /// `M_i`.
    pub moments: [Vec3<f64>; 2],
    /// How the thrust acts.
    pub control: Control,
    /// Coefficients of `y_d`.
    pub path: Vec<Vec3<f64>>,
}

impl Quadrotors<f64> {
    /// The system with its initial state.
    pub fn new(p: Parameters, start: Carried<f64>) -> Result<Self, SystemError> {
        positive("payload", &[p.payload])?;
        positive("mass", &p.masses)?;
        positive("length", &p.lengths)?;
        positive("gravity", &[p.gravity])?;
        for (i, r) in p.formation.iter().enumerate() {
            let length = r.norm();
            if !within((length - 1.0).abs(), TOLERANCE) {
                let (what, index) = ("formation vector", i + 1);
                return Err(SystemError::NotUnit { what, index, length, tolerance: TOLERANCE });
            }
            if r.z <= 0.0 {
                let expected = "a positive third component, along gravity";
                return Err(refuse("formation vector", *r, expected));
            }
        }
        let sum = p.formation[0] + p.formation[1];
        if sum.x.hypot(sum.y) > TOLERANCE * sum.norm() {
            let expected = "the sum of both along the third axis";
            return Err(refuse("sum of the formation vectors", sum, expected));
        }
        if !(p.heading.norm() > 0.0 && p.heading.finite()) {
            return Err(refuse("heading", p.heading, "a finite vector that is not zero"));
        }
        if p.path.is_empty() {
            return Err(SystemError::Empty { what: "coefficient of the trajectory" });
        }
        let [a, b] = start.links;
        links(&[a.q, b.q], &[a.omega, b.omega])?;
        let model = Self {
            payload: p.payload,
            masses: p.masses,
            lengths: p.lengths,
            gravity: p.gravity,
            inertias: p.inertias,
            gains: p.gains,
            formation: p.formation,
            heading: p.heading,
            moments: p.moments,
            control: p.control,
            path: p.path,
            shares: shares(&p.formation),
            start,
        };
        Ok(model)
    }

    /// An error if the controller has no thrust for this state.
    pub fn check_thrust(&self, t: f64, c: &Carried<f64>) -> Result<(), SystemError> {
        if self.command(t, c).defined { Ok(()) } else { Err(SystemError::NoThrust { t }) }
    }
}

fn refuse(what: &'static str, v: Vec3<f64>, expected: &'static str) -> SystemError {
    SystemError::Vector { what, x: v.x, y: v.y, z: v.z, expected }
}

fn shares<S: Real>(formation: &[Vec3<S>; 2]) -> [S; 2] {
    let size = (formation[0] + formation[1]).norm();
    formation.map(|r| S::one() / (r.z * size))
}

impl<S: Real> Quadrotors<S> {
    /// `y_d` and its first four derivatives.
    pub fn trajectory(&self, t: f64) -> [Vec3<S>; 5] {
        // Horner's scheme, differentiated: row d holds the derivative over d!.
        let mut rows = [Vec3::zero(); 5];
        for coefficient in self.path.iter().rev() {
            for d in (1..5).rev() {
                rows[d] = rows[d] * t + rows[d - 1];
            }
            rows[0] = rows[0] * t + *coefficient;
        }
        [rows[0], rows[1], rows[2] * 2.0, rows[3] * 6.0, rows[4] * 24.0]
    }

    /// What the controller wants.
    pub fn command(&self, t: f64, c: &Carried<S>) -> Command<S> {
        controller::command(self, t, c)
    }

    /// The accelerations of the payload, the links and the bodies. Not finite where the controller
    /// is singular.
    pub fn accelerations(&self, t: f64, c: &Carried<S>) -> (Vec3<S>, [Vec3<S>; 2], [Vec3<S>; 2]) {
        let command = self.command(t, c);
        let mut thrust = [0, 1].map(|i| command.along[i] + command.across[i]);
        let mut moments = self.moments;
        if self.control == Control::Full {
            for i in 0..2 {
                let axis = c.rotations[i].column(2);
                moments[i] = self.attitude_moment(i, thrust[i], c);
                thrust[i] = axis.times(axis.dot(thrust[i]));
            }
        }
        let mut mass = Mat3::identity().times(self.payload);
        let mut force = Vec3::zero();
        for i in 0..2 {
            let Link { q, omega } = c.links[i];
            mass = mass + Mat3::outer(q, q).times(self.masses[i]);
            let swing = self.masses[i] * self.lengths[i] * omega.norm_squared();
            force += q.times(q.dot(thrust[i]) - swing);
        }
        let apparent = mass.solve(force);
        let links = [0, 1].map(|i| {
            let q = c.links[i].q;
            let across = thrust[i].times(S::one() / self.masses[i]);
            q.cross(apparent - across).times(S::one() / self.lengths[i])
        });
        let bodies = [0, 1].map(|i| {
            let spin = c.spins[i];
            self.inertias[i].solve(moments[i] - spin.cross(self.inertias[i].apply(spin)))
        });
        let lost = S::one() / S::select(command.defined, S::one(), S::zero());
        let weight = Vec3::unit(2).times(self.gravity);
        ((apparent + weight).times(lost), links, bodies)
    }

    /// The moment that turns body `i` so that its axis meets the thrust.
    fn attitude_moment(&self, i: usize, thrust: Vec3<S>, c: &Carried<S>) -> Vec3<S> {
        let unit = |v: Vec3<S>| v.times(S::one() / v.norm());
        let b3 = -unit(thrust);
        let b2 = unit(b3.cross(Vec3::unit(0)));
        let wanted = Mat3::from_columns(b2.cross(b3), b2, b3);
        let (r, spin) = (c.rotations[i], c.spins[i]);
        let product = wanted.transpose().matmul(&r);
        // Twice the axial vector of the skew part of RcᵀR is that of ½(RcᵀR - RᵀRc), doubled.
        let error = product.axial() * 0.5;
        spin.cross(self.inertias[i].apply(spin))
            - error.times(self.gains.attitude)
            - spin.times(self.gains.body_spin)
    }

    /// The same system over other numbers.
    pub fn cast<T: Real>(&self, embed: fn(S) -> T) -> Quadrotors<T> {
        let vectors = |v: [Vec3<S>; 2]| v.map(|v| cast_vector(v, embed));
        let k = self.gains;
        Quadrotors {
            payload: embed(self.payload),
            masses: self.masses.map(embed),
            lengths: self.lengths.map(embed),
            gravity: embed(self.gravity),
            inertias: self.inertias.map(|j| cast_matrix(&j, embed)),
            gains: Gains {
                position: embed(k.position),
                velocity: embed(k.velocity),
                direction: embed(k.direction),
                spin: embed(k.spin),
                attitude: embed(k.attitude),
                body_spin: embed(k.body_spin),
            },
            formation: vectors(self.formation),
            heading: cast_vector(self.heading, embed),
            moments: vectors(self.moments),
            control: self.control,
            path: self.path.iter().map(|v| cast_vector(*v, embed)).collect(),
            shares: self.shares.map(embed),
            start: self.start.cast(embed),
        }
    }
}

impl<S: Real> Carried<S> {
    /// The same state over other numbers.
    pub fn cast<T: Real>(&self, embed: fn(S) -> T) -> Carried<T> {
        Carried {
            position: cast_vector(self.position, embed),
            velocity: cast_vector(self.velocity, embed),
            rotations: self.rotations.map(|r| cast_matrix(&r, embed)),
            spins: self.spins.map(|v| cast_vector(v, embed)),
            links: self
                .links
                .map(|l| Link::new(cast_vector(l.q, embed), cast_vector(l.omega, embed))),
        }
    }
    /// The point of the product manifold.
    pub fn to_point(&self) -> QuadrotorPoint<S> {
        let ([a, b, c], [d, e, f]) = (self.position.to_array(), self.velocity.to_array());
        let body =
            |i: usize| (So3 { matrix: self.rotations[i] }, Rn::<S, 3>(self.spins[i].to_array()));
        (Rn([a, b, c, d, e, f]), ([body(0), body(1)], self.links))
    }
    /// The parts of a point.
    pub fn of(y: &QuadrotorPoint<S>) -> Self {
        let (Rn([a, b, c, d, e, f]), (bodies, links)) = *y;
        Self {
            position: Vec3::from([a, b, c]),
            velocity: Vec3::from([d, e, f]),
            rotations: bodies.map(|b| b.0.matrix),
            spins: bodies.map(|b| Vec3::from(b.1.0)),
            links,
        }
    }
}
