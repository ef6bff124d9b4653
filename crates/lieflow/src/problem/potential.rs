//! Potentials on the rotation group, written as one function of the attitude.
//!
//! The body torque of `U` is `T_i(R) = -d/de U(R exp(e e_i))`, and its derivative `DT` is defined
//! by `T(R exp(ξ)) = T + DT ξ + …`. Both come from dual numbers, so that a potential is complete
//! once its energy is written; closed forms are an optimisation.
use core::fmt::Debug;
use lieflow_kernel::{Dual, Mat3, Real, Vec3, vec3};

/// A potential with fixed parameters: one generic function of the attitude.
///
/// ```
/// use lieflow::problem::{Potential, TorqueField};
/// use lieflow::{Mat3, Real, vec3};
///
/// #[derive(Clone, Debug)]
/// struct Spring { stiffness: f64 }
/// impl Potential for Spring {
///     // Stretched by the distance of the tip of the third body axis from the spatial e1.
///     fn energy<S: Real>(&self, r: &Mat3<S>) -> S {
///         let tip = r.column(2) - vec3(S::one(), S::zero(), S::zero());
///         tip.norm_squared() * (0.5 * self.stiffness)
///     }
/// }
///
/// let torque = TorqueField::<f64>::torque(&Spring { stiffness: 2.0 }, 0.0, &Mat3::identity());
/// assert_eq!(torque, vec3(0.0, 2.0, 0.0));
/// ```
pub trait Potential: Clone + Debug {
    /// `U(R)`.
    fn energy<S: Real>(&self, r: &Mat3<S>) -> S;
    /// The body torque. Override it only with a closed form.
    #[inline]
    fn torque<S: Real>(&self, r: &Mat3<S>) -> Vec3<S> {
        gradient(self.energy(&varied(r)))
    }
    /// The derivative of the body torque. Override it only with a closed form.
    #[inline]
    fn torque_derivative<S: Real>(&self, r: &Mat3<S>) -> Mat3<S> {
        jacobian(self.torque(&varied(r)))
    }
}

/// A potential whose parameters are numbers of the scalar `S`, so that lanes can carry different
/// ones and derivatives with respect to them can be taken. Every [`Potential`] is one.
pub trait TorqueField<S: Real>: Clone + Debug {
    /// The same potential over other numbers.
    type Over<T: Real>: TorqueField<T>;
    /// This potential with every parameter replaced by `embed` of it.
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Self::Over<T>;
    /// `U(t, R)`.
    fn energy(&self, t: f64, r: &Mat3<S>) -> S;
    /// The body torque of `U`, by default from dual numbers.
    #[inline]
    fn torque(&self, t: f64, r: &Mat3<S>) -> Vec3<S> {
        torque_by_duals(self, t, r)
    }
    /// The derivative of the body torque, by default from dual numbers.
    #[inline]
    fn torque_derivative(&self, t: f64, r: &Mat3<S>) -> Mat3<S> {
        torque_derivative_by_duals(self, t, r)
    }
    /// A body torque that has no potential, such as friction or control, at the body velocity `w`
    /// and momentum `p`.
    #[inline(always)]
    fn applied(&self, t: f64, r: &Mat3<S>, w: Vec3<S>, p: Vec3<S>) -> Option<Vec3<S>> {
        let _ = (t, r, w, p);
        None
    }
    /// The whole torque of a body at rest: all of it, unless it depends on the motion.
    #[inline(always)]
    fn torque_at_rest(&self, t: f64, r: &Mat3<S>) -> Vec3<S> {
        self.torque(t, r)
    }
    /// The derivative of [`TorqueField::torque_at_rest`].
    #[inline(always)]
    fn derivative_at_rest(&self, t: f64, r: &Mat3<S>) -> Mat3<S> {
        self.torque_derivative(t, r)
    }
    /// The whole torque at the body velocity `w` and momentum `p`.
    #[inline(always)]
    fn torque_in_motion(&self, t: f64, r: &Mat3<S>, w: Vec3<S>, p: Vec3<S>) -> Vec3<S> {
        let _ = (w, p);
        self.torque(t, r)
    }
    /// The times of all lanes, as in [`Generator::set_times`](super::Generator::set_times).
    #[inline(always)]
    fn set_times(&mut self, t: S) {
        let _ = t;
    }
    /// Whether there is no torque at all.
    #[inline]
    fn is_free(&self) -> bool {
        false
    }
    /// For an axial field, in which `U` depends on `χ·Rᵀk` alone: the body axis `χ` and the
    /// spatial direction `k`. The momentum about `k` is then conserved.
    #[inline]
    fn axis(&self) -> Option<(Vec3<S>, Vec3<S>)> {
        None
    }
    /// Whether the energy is conserved: the potential does not depend on time, and there is no other
    /// torque.
    fn conserves_energy(&self) -> bool {
        true
    }
    /// The direction of space, and the axis of the body, about which turns leave the potential as it
    /// is: the momentum about the one is conserved, and about the other if the body is round there.
    fn symmetry(&self) -> (Option<Vec3<S>>, Option<Vec3<S>>) {
        let axes = self.axis();
        (axes.map(|(_, k)| k), axes.map(|(chi, _)| chi))
    }
    /// `G = Rᵀk` for the direction `k` of an axial field; else nothing of use.
    #[inline(always)]
    fn direction(&self, r: &Mat3<S>) -> Vec3<S> {
        seen_from_body(self.axis(), r)
    }
    /// Whether [`TorqueField::axial_torque`] has an answer, if that is known at once.
    #[inline(always)]
    fn has_axial_torque(&self) -> bool {
        true
    }
    /// The body torque of an axial field from `G = Rᵀk` alone, where there is a closed form for it;
    /// then methods need not move the whole attitude at each stage. It is `-U' χ × G`, which has no
    /// component along the body axis.
    #[inline(always)]
    fn axial_torque(&self, t: f64, g: Vec3<S>) -> Option<Vec3<S>> {
        let _ = (t, g);
        None
    }
    /// `G`, where [`TorqueField::simple_axial_torque`] has an answer.
    #[inline(always)]
    fn simple_direction(&self, r: &Mat3<S>) -> Option<Vec3<S>> {
        let _ = r;
        None
    }
    /// The same, where it takes a few operations, no call and no time: a loop with it keeps its numbers in registers.
    #[inline(always)]
    fn simple_axial_torque(&self, g: Vec3<S>) -> Option<Vec3<S>> {
        let _ = g;
        None
    }
}

/// `Rᵀk` for the second of two axes; else nothing of use.
#[inline(always)]
pub(super) fn seen_from_body<S: Real>(axes: Option<(Vec3<S>, Vec3<S>)>, r: &Mat3<S>) -> Vec3<S> {
    match axes {
        Some((_, k)) => r.apply_transpose(k),
        None => r.rows[2],
    }
}

impl<S: Real, U: Potential> TorqueField<S> for U {
    type Over<T: Real> = U;
    fn lift<T: Real>(&self, _: fn(S) -> T) -> U {
        self.clone()
    }
    #[inline]
    fn energy(&self, _: f64, r: &Mat3<S>) -> S {
        Potential::energy(self, r)
    }
    #[inline]
    fn torque(&self, _: f64, r: &Mat3<S>) -> Vec3<S> {
        Potential::torque(self, r)
    }
    #[inline]
    fn torque_derivative(&self, _: f64, r: &Mat3<S>) -> Mat3<S> {
        Potential::torque_derivative(self, r)
    }
}

/// The torque of a field from its energy over dual numbers.
#[inline]
pub fn torque_by_duals<S: Real, U: TorqueField<S>>(field: &U, t: f64, r: &Mat3<S>) -> Vec3<S> {
    gradient(field.lift(Dual::<S, 3>::constant).energy(t, &varied(r)))
}

/// The derivative of the torque of a field from its torque over dual numbers.
#[inline]
pub fn torque_derivative_by_duals<S: Real, U: TorqueField<S>>(
    field: &U,
    t: f64,
    r: &Mat3<S>,
) -> Mat3<S> {
    jacobian(field.lift(Dual::<S, 3>::constant).torque(t, &varied(r)))
}

/// `R exp(ξ)` to first order in the three components of `ξ`: a row `ρ` varies by `ρ × ξ`.
#[inline]
pub fn varied<S: Real>(r: &Mat3<S>) -> Mat3<Dual<S, 3>> {
    let [a, b, c] = r.rows;
    Mat3::from_rows(varied_row(a), varied_row(b), varied_row(c))
}

#[inline]
fn varied_row<S: Real>(row: Vec3<S>) -> Vec3<Dual<S, 3>> {
    let o = S::zero();
    vec3(
        Dual { re: row.x, eps: [o, -row.z, row.y] },
        Dual { re: row.y, eps: [row.z, o, -row.x] },
        Dual { re: row.z, eps: [-row.y, row.x, o] },
    )
}

#[inline]
fn gradient<S: Real>(energy: Dual<S, 3>) -> Vec3<S> {
    -Vec3::from(energy.eps)
}

#[inline]
fn jacobian<S: Real>(torque: Vec3<Dual<S, 3>>) -> Mat3<S> {
    Mat3::from_rows(torque.x.eps.into(), torque.y.eps.into(), torque.z.eps.into())
}
