//! Systems whose state is one vector.
use super::Written;
use super::fields::{push_matrix, push_vector};
use super::formula;
use crate::kernel::vectors::{Reduced, Spin, SpinFormula};
use crate::system::{Macrospin, Material, ReducedBody};

impl Written for Reduced {
    type Source = ReducedBody<f64>;
    const NAME: &'static str = "a reduced-body";
    fn parameters(body: &ReducedBody<f64>, out: &mut Vec<f64>) -> bool {
        push_matrix(&body.inverse, out);
        true
    }
}

/// Adds the numbers of a material.
fn push_material(material: &Material<f64>, out: &mut Vec<f64>) {
    let Material { gamma, alpha, b, d } = *material;
    out.extend([gamma, alpha]);
    push_vector(b, out);
    push_vector(d, out);
}

impl Written for Spin {
    type Source = Macrospin<f64>;
    const NAME: &'static str = "a macrospin";
    fn parameters(spin: &Macrospin<f64>, out: &mut Vec<f64>) -> bool {
        push_material(&spin.material, out);
        spin.law.is_none()
    }
}

impl Written for SpinFormula {
    type Source = Macrospin<f64>;
    const NAME: &'static str = "a macrospin with a field by a formula of at most 256 registers";
    fn parameters(spin: &Macrospin<f64>, out: &mut Vec<f64>) -> bool {
        push_material(&spin.material, out);
        spin.law.as_ref().is_some_and(|law| formula::spin_constants(law, out))
    }
    fn program(spin: &Macrospin<f64>) -> Vec<u128> {
        spin.law.as_ref().map_or(Vec::new(), |law| formula::spin_program(law))
    }
    fn same_program(first: &Macrospin<f64>, second: &Macrospin<f64>) -> bool {
        match (&first.law, &second.law) {
            (Some(first), Some(second)) => formula::same_spin(first, second),
            _ => false,
        }
    }
}
