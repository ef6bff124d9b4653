//! Potentials and torques of rigid bodies that are functions of another language.
use super::{Call, DIFFERENCE};
use lieflow::kernel::so3;
use lieflow::kernel::tape::{attitude, moving};
use lieflow::{Mat3, Real, Vec3};
use lieflow_formula::body::Frame;

/// The functions of a body.
#[derive(Clone, Debug, Default)]
pub struct BodyFunctions {
    /// From the nine numbers of the attitude, by rows, to the potential and its torque in the body.
    pub potential: Option<Call>,
    /// Another torque.
    pub torque: Option<TorqueFunction>,
}

/// A torque: from attitude, velocity and momentum (fifteen numbers) to three.
#[derive(Clone, Debug)]
pub struct TorqueFunction {
    /// The function.
    pub call: Call,
    /// In which frame its torque is seen.
    pub frame: Frame,
    /// Whether it looks at velocity or momentum. If not, it is given zeros for both.
    pub moving: bool,
}

impl BodyFunctions {
    /// Whether there is one.
    pub fn any(&self) -> bool {
        self.potential.is_some() || self.torque.is_some()
    }

    /// Why one of them could not be computed.
    pub fn fault(&self) -> Option<String> {
        let torque = self.torque.as_ref().map(|torque| &torque.call);
        let calls = [self.potential.as_ref(), torque].into_iter().flatten();
        calls.filter_map(|call| call.function().source().fault()).next()
    }

    /// The potential and its torque.
    #[inline(never)]
    pub fn potential<S: Real>(&self, t: f64, r: &Mat3<S>) -> Option<(S, Vec3<S>)> {
        let mut out = [S::zero(); 4];
        self.potential.as_ref()?.evaluate_first(t, (&attitude(t, r), 9), &mut out);
        let [energy, x, y, z] = out;
        Some((energy, Vec3 { x, y, z }))
    }
}

impl TorqueFunction {
    /// The torque in the body.
    #[inline(never)]
    pub fn torque<S: Real>(&self, t: f64, r: &Mat3<S>, w: Vec3<S>, p: Vec3<S>) -> Vec3<S> {
        let mut out = [S::zero(); 3];
        self.call.evaluate_first(t, (&moving(t, r, w, p), 15), &mut out);
        match self.frame {
            Frame::Body => out.into(),
            Frame::Space => r.apply_transpose(out.into()),
        }
    }
}

/// The matrix `D` with `T(R exp(ξ)) = T + D ξ + …`, by central differences.
pub fn torque_slope<S: Real>(r: &Mat3<S>, torque: impl Fn(&Mat3<S>) -> Vec3<S>) -> Mat3<S> {
    let column = |k: usize| {
        let turned = |h: f64| torque(&r.matmul(&so3::exp(Vec3::unit(k) * h)));
        (turned(DIFFERENCE) - turned(-DIFFERENCE)) * (0.5 / DIFFERENCE)
    };
    Mat3::from_rows(column(0), column(1), column(2)).transpose()
}
