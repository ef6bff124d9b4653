//! Systems whose state is one vector.
use super::Written;
use super::fields::{push_matrix, push_vector};
use crate::kernel::vectors::{Reduced, Spin};
use crate::system::{Macrospin, Material, ReducedBody};

impl Written for Reduced {
    type Source = ReducedBody<f64>;
    const NAME: &'static str = "a reduced-body";
    fn parameters(body: &ReducedBody<f64>, out: &mut Vec<f64>) -> bool {
        push_matrix(&body.inverse, out);
        true
    }
}

impl Written for Spin {
    type Source = Macrospin<f64>;
    const NAME: &'static str = "a macrospin without a field by formula";
    fn parameters(spin: &Macrospin<f64>, out: &mut Vec<f64>) -> bool {
        let Material { gamma, alpha, b, d } = spin.material;
        out.extend([gamma, alpha]);
        push_vector(b, out);
        push_vector(d, out);
        spin.law.is_none()
    }
}
