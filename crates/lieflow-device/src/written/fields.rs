//! The fields of bodies.
use crate::kernel::fields::{AnyField, Attractor, Free, Linear, SoftWall, Top};
use crate::system::Field;
use lieflow::{Mat3, Vec3};

/// A kind of fields.
pub trait WrittenField {
    /// The body in words, and that with two equal moments, and that in the space SO(3) × R³.
    const NAMES: [&'static str; 3];
    /// Adds the numbers of a field; `false` if it is another one.
    fn numbers(field: &Field<f64>, out: &mut Vec<f64>) -> bool;
}

impl WrittenField for Free {
    const NAMES: [&'static str; 3] =
        ["a free body", "a free body with two equal moments", "a free body in the space lift"];
    fn numbers(field: &Field<f64>, _: &mut Vec<f64>) -> bool {
        matches!(field, Field::Free)
    }
}

impl WrittenField for Top {
    const NAMES: [&'static str; 3] = [
        "a lagrange-top",
        "a lagrange-top with two equal moments",
        "a lagrange-top in the space lift",
    ];
    fn numbers(field: &Field<f64>, out: &mut Vec<f64>) -> bool {
        let Field::LagrangeTop { strength } = field else { return false };
        out.push(*strength);
        true
    }
}

impl WrittenField for Linear {
    const NAMES: [&'static str; 3] = [
        "a body in a linear field",
        "a body with two equal moments in a linear field along its axis",
        "a body in a linear field in the space lift",
    ];
    fn numbers(field: &Field<f64>, out: &mut Vec<f64>) -> bool {
        let Field::Linear { strength, axis, direction } = field else { return false };
        out.push(*strength);
        push_vector(*axis, out);
        push_vector(*direction, out);
        true
    }
}

impl WrittenField for SoftWall {
    const NAMES: [&'static str; 3] = [
        "a body behind a soft-wall",
        "a body with two equal moments behind a soft-wall",
        "a body behind a soft-wall in the space lift",
    ];
    fn numbers(field: &Field<f64>, out: &mut Vec<f64>) -> bool {
        let Field::SoftWall { attraction, repulsion, offset, power, printed } = field else {
            return false;
        };
        let (power, printed) = (f64::from(*power), f64::from(u8::from(*printed)));
        out.extend([*attraction, *repulsion, *offset, power, printed]);
        true
    }
}

impl WrittenField for Attractor {
    // Its torque has no axis, so that there is no body about it.
    const NAMES: [&'static str; 3] = [
        "a body with an attractor",
        "a body with an attractor",
        "a body with an attractor in the space lift",
    ];
    fn numbers(field: &Field<f64>, out: &mut Vec<f64>) -> bool {
        let Field::Attractor { alpha, center } = field else { return false };
        out.push(*alpha);
        push_matrix(center, out);
        true
    }
}

/// Adds which kind of field it is, then its numbers; `false` if it is none of them.
pub fn any_field(field: &Field<f64>, out: &mut Vec<f64>) -> bool {
    let (kind, numbers): (f64, fn(&Field<f64>, &mut Vec<f64>) -> bool) = match field {
        Field::Free => (AnyField::FREE, Free::numbers),
        Field::LagrangeTop { .. } => (AnyField::TOP, Top::numbers),
        Field::Linear { .. } => (AnyField::LINEAR, Linear::numbers),
        Field::SoftWall { .. } => (AnyField::SOFT_WALL, SoftWall::numbers),
        Field::Attractor { .. } => (AnyField::ATTRACTOR, Attractor::numbers),
        Field::Formula(_) => return false,
    };
    out.push(kind);
    numbers(field, out)
}

/// Adds the numbers of a vector.
pub fn push_vector(v: Vec3<f64>, out: &mut Vec<f64>) {
    out.extend(v.to_array());
}

/// Adds the numbers of a matrix, row by row.
pub fn push_matrix(m: &Mat3<f64>, out: &mut Vec<f64>) {
    m.rows.iter().for_each(|row| push_vector(*row, out));
}
