//! The energy of a system on (S²)ⁿ as a first integral with its gradient.
//!
//! ```text
//! E = ½ sum_ij M_ij q_i'·q_j' + V(q), q_i' = w_i × q_i, p_i = sum_j M_ij q_j'
//! dE/dq_i = p_i × w_i + dV/dq_i        dE/dw_i = q_i × p_i
//! H(q, pi):   dH/dq_i and dH/dpi_i = w_i are the field itself
//! ```
use super::space::{Coordinates, FieldIn, OnSpheres, SphereProblem};
use super::{Slot, SphereSystem};
use crate::action::Link;
use crate::problem::{FirstIntegrals, Integral};
use lieflow_kernel::Vec3;

impl<M: SphereSystem<Scalar = f64>, C: Coordinates> FirstIntegrals for OnSpheres<M, C> {
    /// Work space is allocated at each gradient.
    fn integrals(&self) -> Vec<Integral<Self>> {
        vec![Integral {
            name: "energy",
            eval: |p, y| p.system().energy(&p.links(y)),
            gradient: |p, y, out| {
                if C::MOMENTA {
                    momentum_gradient::<M, C>(p, y, out);
                } else {
                    velocity_gradient(p, y, out);
                }
            },
            change: None,
        }]
    }
}

fn put(out: &mut [f64], v: Vec3<f64>) {
    out.copy_from_slice(&v.to_array());
}

fn velocity_gradient<M: SphereSystem<Scalar = f64>, C: Coordinates>(
    p: &OnSpheres<M, C>,
    y: &[Link<f64>],
    out: &mut [f64],
) {
    let mut slots = y.to_vec();
    p.system().momentum(y, &mut slots);
    for ((out, link), slot) in out.chunks_mut(6).zip(y).zip(&mut slots) {
        let momentum = slot.second();
        put(&mut out[3..], link.q.cross(momentum));
        slot.set_second(momentum.cross(link.omega));
    }
    p.system().add_gradient(y, &mut slots);
    for (out, slot) in out.chunks_mut(6).zip(&slots) {
        put(&mut out[..3], slot.second());
    }
}

fn momentum_gradient<M: SphereSystem<Scalar = f64>, C: Coordinates>(
    p: &OnSpheres<M, C>,
    y: &[Link<f64>],
    out: &mut [f64],
) {
    let mut field = vec![FieldIn::<C, f64>::nothing(); y.len()];
    C::field(p.system(), y, &mut field);
    for (out, slot) in out.chunks_mut(6).zip(&field) {
        put(&mut out[..3], slot.second());
        put(&mut out[3..], slot.first());
    }
}
