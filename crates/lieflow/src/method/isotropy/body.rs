//! The free rigid body on the sphere of its momentum, and the few numbers at a point from which
//! every closed form of this family is built.
use super::exponential::Exponential;
use crate::problem::Problem;
use lieflow_kernel::{Mat3, Real, Vec3, vec3};

/// A free rigid body reduced to its momentum in the body frame: `m' = m × A m` with `A` the inverse
/// inertia. What the updates of Lewis and Olver ask for.
pub trait FreeMomentum: Problem<Point = Vec3<<Self as FreeMomentum>::Scalar>> {
    /// The numbers of the state.
    type Scalar: Real;
    /// `A`, symmetric.
    fn inverse_inertia(&self) -> Mat3<Self::Scalar>;
}

/// Which generator `w`, `m' = w × m`, stands for the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// `w_b = -A m`.
    Basic,
    /// `w_o = -A m + <m, A m> m`, the one with no component along `m`.
    Orthogonal,
}

impl Choice {
    /// The generator at `m`, of norm one.
    #[inline(always)]
    pub fn generator<S: Real>(self, a: Vec3<S>, m: Vec3<S>) -> Vec3<S> {
        let basic = -m.scaled_by(a);
        match self {
            Self::Basic => basic,
            Self::Orthogonal => basic + m.times(m.scaled_by(a).dot(m)),
        }
    }
}

/// The field `m × A m`, from the differences of `A`: it keeps its relative accuracy near
/// equilibria, where a vector product would cancel.
#[inline(always)]
pub fn field<S: Real>(a: Vec3<S>, m: Vec3<S>) -> Vec3<S> {
    vec3(m.y * m.z * (a.z - a.y), m.z * m.x * (a.x - a.z), m.x * m.y * (a.y - a.x))
}

/// What the closed forms need at a point of norm one.
#[derive(Clone, Copy, Debug)]
pub struct Local<S: Real> {
    /// `|X|^2`, with `X` the field.
    pub v2: S,
    /// True where `X = 0` (to the smallest number whose square is normal): there every coefficient
    /// is zero over zero, and taken as zero.
    pub rest: S::Mask,
    /// `<m, A m>`, twice the energy.
    pub a: S,
    /// `<X, A X>/|X|^2`, between the extreme entries of `A`.
    pub s: S,
    /// `det(m, A m, A^2 m)/|X|^2`.
    pub r: S,
    /// `det(m, A m, A^2 m)`, half the time derivative of `|X|^2`.
    pub d: S,
    /// The elementary symmetric functions of `A`.
    pub e: [S; 3],
}

impl<S: Real> Local<S> {
    /// The numbers at `m`, of norm one.
    #[inline(always)]
    pub fn at(a: Vec3<S>, m: Vec3<S>) -> Self {
        let x = field(a, m);
        let v2 = x.norm_squared();
        let moving = S::lift(f64::MIN_POSITIVE).lt(v2);
        let divisor = S::select(moving, v2, S::one());
        let d = m.x * m.y * m.z * ((a.y - a.x) * (a.z - a.x) * (a.z - a.y));
        Self {
            v2,
            rest: lieflow_kernel::Mask::not(moving),
            a: m.scaled_by(a).dot(m),
            s: x.scaled_by(a).dot(x) / divisor,
            r: d / divisor,
            d,
            e: [a.x + a.y + a.z, a.x * a.y + a.y * a.z + a.z * a.x, a.x * a.y * a.z],
        }
    }

    /// `value`, or zero where the point is at rest.
    #[inline(always)]
    fn guarded(&self, value: S) -> S {
        S::select(self.rest, S::zero(), value)
    }

    /// `sigma_i`: geodesic curvature of the orbit times its speed.
    #[inline(always)]
    pub fn curvature(&self) -> S {
        self.guarded(self.s - self.a)
    }

    /// The coefficient of `h^3 m` for Heun's update.
    #[inline(always)]
    pub fn heun(&self, choice: Choice) -> S {
        let [e1, e2, e3] = self.e;
        let a = self.a;
        self.guarded(match choice {
            Choice::Basic => (e2 * self.s - e3) * 0.25,
            Choice::Orthogonal => {
                (self.s - a) * (self.v2 * 3.0 + e2 - a * e1 * 2.0 + a * a * 3.0) * 0.25
            }
        })
    }

    /// The coefficient of `h^4 m` for the Taylor update of order four.
    #[inline(always)]
    pub fn taylor4(&self, choice: Choice, exponential: Exponential) -> S {
        let [_, e2, e3] = self.e;
        let (a, s, v2) = (self.a, self.s, self.v2);
        self.guarded(match (choice, exponential) {
            (Choice::Basic, Exponential::Cayley) => {
                -(self.r * (e3 * 2.0 - a * e2 + s * v2 * 3.0)) * (1.0 / 24.0)
            }
            (Choice::Basic, Exponential::Exp) => {
                -(self.r * (a * a * a - a * e2 + e3 * 2.0 + (a + s * 5.0) * v2)) * (1.0 / 24.0)
            }
            (Choice::Orthogonal, Exponential::Cayley) => -(self.d * (s - a)) * (1.0 / 8.0),
            (Choice::Orthogonal, Exponential::Exp) => -(self.d * (s - a)) * (1.0 / 6.0),
        })
    }

    /// The coefficient of `h^4 m` for the Runge–Kutta–Munthe-Kaas update of order four.
    #[inline(always)]
    pub fn rkmk4(&self, choice: Choice, exponential: Exponential) -> S {
        let [_, e2, e3] = self.e;
        let (a, s, v2) = (self.a, self.s, self.v2);
        let a3 = a * a * a;
        self.guarded(match (choice, exponential) {
            (Choice::Basic, Exponential::Cayley) => {
                self.r * (a3 - a * e2 + e3 * 3.0 + (a + s * 4.0) * v2) * (1.0 / 48.0)
            }
            (Choice::Basic, Exponential::Exp) => {
                let sum = a3 * 7.0 - a * e2 * 12.0 + e3 * 36.0 + (a * 7.0 + s * 48.0) * v2;
                self.r * sum * (1.0 / 576.0)
            }
            (Choice::Orthogonal, _) => -(self.d * (s - a)) * (1.0 / 16.0),
        })
    }
}
