//! The potentials of the problem files.
//!
//! Each is defined by its energy; torque and derivative are the closed forms of
//!
//! ```text
//! axial      U = U(z), z = χ·G, G = Rᵀk       T = -U' χ×G
//!            DT = -U'' (χ×G)(χ×G)ᵀ - U' hat(χ) hat(G)
//! attractor  m_A = √(2 (3 - tr AᵀR)),  y(B) = (B23-B32, B31-B13, B12-B21)
//!            U = (m_I - 1)² - α/m_C           T = 2 (m_I-1)/m_I y(R) + α/m_C³ y(CᵀR)
//! ```
//!
//! which the tests compare with dual numbers. The first factor of the attractor's torque is the
//! corrected one: Ortolan 2011, equation (3.5), prints `m_I²` in its denominator.
use lieflow::problem::TorqueField;
use lieflow::{Mat3, Real, Vec3, vec3};

/// A potential of the problem files.
#[derive(Clone, Debug)]
pub enum Field<S> {
    /// No torque.
    Free,
    /// A top: `U = strength R33`.
    LagrangeTop {
        /// Weight times distance of the centre of mass.
        strength: S,
    },
    /// An attracting plane behind a soft wall:
    /// `U = -attraction/(offset+R33) + repulsion/(offset+R33)^power`.
    SoftWall {
        /// Of the attraction.
        attraction: S,
        /// Of the wall.
        repulsion: S,
        /// Distance at the upright position, minus one.
        offset: S,
        /// Exponent of the wall.
        power: i32,
        /// The sign as Krysl prints it, which turns the attraction into a repulsion.
        printed: bool,
    },
    /// `U = strength axis·Rᵀdirection`.
    Linear {
        /// Its size.
        strength: S,
        /// A vector of the body.
        axis: Vec3<S>,
        /// A vector of space.
        direction: Vec3<S>,
    },
    /// Ortolan's drift test: a valley at distance one from the identity, and an attracting centre.
    Attractor {
        /// Strength of the centre.
        alpha: S,
        /// The centre.
        center: Mat3<S>,
    },
}

/// Value and two derivatives of `U(z)`.
type Profile<S> = [S; 3];

fn e3<S: Real>() -> Vec3<S> {
    Vec3::unit(2)
}

impl<S: Real> Field<S> {
    /// `χ`, `k` and `U(z)` of an axial field at this attitude.
    #[inline(always)]
    fn axial(&self, r: &Mat3<S>) -> Option<(Vec3<S>, Vec3<S>, Profile<S>)> {
        match self {
            Self::Free | Self::Attractor { .. } => None,
            Self::LagrangeTop { strength } => {
                let g = r.rows[2];
                Some((e3(), g, [*strength * g.z, *strength, S::zero()]))
            }
            Self::SoftWall { attraction, repulsion, offset, power, printed } => {
                let g = r.rows[2];
                let inverse = S::one() / (*offset + g.z);
                let (n, sign) = (f64::from(*power), if *printed { -1.0 } else { 1.0 });
                let near = *attraction * inverse * sign;
                let wall = *repulsion * inverse.powi(*power) * sign;
                let slope = (near - wall * n) * inverse;
                let bend = (wall * (n * (n + 1.0)) - near * 2.0) * inverse * inverse;
                Some((e3(), g, [wall - near, slope, bend]))
            }
            Self::Linear { strength, axis, direction } => {
                let g = r.apply_transpose(*direction);
                Some((*axis, g, [*strength * axis.dot(g), *strength, S::zero()]))
            }
        }
    }
}

/// `y(B)`.
#[inline(always)]
fn y<S: Real>(b: &Mat3<S>) -> Vec3<S> {
    -b.axial()
}

/// `√(2 (3 - tr B))`.
#[inline(always)]
fn distance<S: Real>(b: &Mat3<S>) -> S {
    ((S::lift(3.0) - b.trace()) * 2.0).sqrt()
}

/// `Bᵀ - tr(B) I`, the derivative of `y`.
#[inline(always)]
fn slope_of_y<S: Real>(b: &Mat3<S>) -> Mat3<S> {
    let t = b.trace();
    b.transpose() - Mat3::diagonal(vec3(t, t, t))
}

impl<S: Real> TorqueField<S> for Field<S> {
    type Over<T: Real> = Field<T>;

    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Field<T> {
        match self {
            Self::Free => Field::Free,
            Self::LagrangeTop { strength } => Field::LagrangeTop { strength: embed(*strength) },
            Self::SoftWall { attraction, repulsion, offset, power, printed } => Field::SoftWall {
                attraction: embed(*attraction),
                repulsion: embed(*repulsion),
                offset: embed(*offset),
                power: *power,
                printed: *printed,
            },
            Self::Linear { strength, axis, direction } => Field::Linear {
                strength: embed(*strength),
                axis: axis.map(embed),
                direction: direction.map(embed),
            },
            Self::Attractor { alpha, center } => {
                Field::Attractor { alpha: embed(*alpha), center: center.map(embed) }
            }
        }
    }

    #[inline]
    fn energy(&self, r: &Mat3<S>) -> S {
        if let Self::Attractor { alpha, center } = self {
            let near = distance(r) - S::one();
            return near * near - *alpha / distance(&center.transpose().matmul(r));
        }
        self.axial(r).map_or(S::zero(), |(_, _, [value, ..])| value)
    }

    #[inline]
    fn torque(&self, r: &Mat3<S>) -> Vec3<S> {
        if let Self::Attractor { alpha, center } = self {
            let b = center.transpose().matmul(r);
            let (mi, mc) = (distance(r), distance(&b));
            let first = (mi - S::one()) * 2.0 / mi;
            return y(r).times(first) + y(&b).times(*alpha / (mc * mc * mc));
        }
        self.axial(r).map_or(Vec3::zero(), |(chi, g, [_, slope, _])| g.cross(chi).times(slope))
    }

    #[inline]
    fn torque_derivative(&self, r: &Mat3<S>) -> Mat3<S> {
        if let Self::Attractor { alpha, center } = self {
            let b = center.transpose().matmul(r);
            let (mi, mc) = (distance(r), distance(&b));
            let (yi, yc) = (y(r), y(&b));
            let pull = *alpha / (mc * mc * mc);
            return slope_of_y(r).times(S::lift(2.0) - S::lift(2.0) / mi)
                - Mat3::outer(yi, yi).times(S::lift(2.0) / (mi * mi * mi))
                + slope_of_y(&b).times(pull)
                + Mat3::outer(yc, yc).times(pull * 3.0 / (mc * mc));
        }
        let Some((chi, g, [_, slope, bend])) = self.axial(r) else { return Mat3::zero() };
        let across = chi.cross(g);
        -(Mat3::outer(across, across).times(bend)
            + Mat3::hat(chi).matmul(&Mat3::hat(g)).times(slope))
    }

    fn is_free(&self) -> bool {
        matches!(self, Self::Free)
    }

    fn axis(&self) -> Option<(Vec3<S>, Vec3<S>)> {
        match self {
            Self::Free | Self::Attractor { .. } => None,
            Self::LagrangeTop { .. } | Self::SoftWall { .. } => Some((e3(), e3())),
            Self::Linear { axis, direction, .. } => Some((*axis, *direction)),
        }
    }
}
