//! Heavy tops in formulas.
use super::TopData;
use crate::formulas::{Equations, Motion, Part, Space, Values};
use crate::system::law_table::{LawTable, definitions, part};
use lieflow_formula::Kind;

/// The top in one of its formulations. `R` maps the body to space, `P` and `w` are momentum and
/// velocity in the body, `Gamma` the direction of the field there.
pub(super) fn equations(formulation: &str, data: &TopData<f64>, names: &LawTable<'_>) -> Equations {
    let mut values = Values::default();
    values.push_matrix("J", &data.inertia);
    values.push("axis", Kind::Vector, None, &data.axis.to_array());
    values.push("direction", Kind::Vector, None, &data.direction.to_array());
    values.push("strength", Kind::Number, None, &[data.strength]);
    let vector = |name: &str, shown| part(name, shown, Kind::Vector, Space::Vectors);
    let rotation = || part("R", "rotation", Kind::Matrix, Space::Rotations);
    let turned = "(transpose(R)*direction)";
    let (state, gamma): (Vec<Part>, &str) = match formulation {
        "se3-dual" => (vec![vector("Gamma", "gamma"), vector("P", "momentum")], "Gamma"),
        "quadratic" => {
            let all = [rotation(), vector("P", "momentum"), vector("q", "q"), vector("p", "p")];
            (all.into(), turned)
        }
        _ => (vec![rotation(), vector("P", "momentum")], turned),
    };
    let (potential, torque) = match formulation {
        "quadratic" => (format!("0.5*dot(p, p) - dot(p, {gamma})"), format!("-cross({gamma}, p)")),
        _ => (format!("strength*dot({gamma}, axis)"), format!("strength*cross({gamma}, axis)")),
    };
    let mut list = definitions([
        ("w", "inv(J)*P"),
        ("kinetic", "0.5*dot(P, inv(J)*P)"),
        ("potential", &potential),
        ("energy", &format!("0.5*dot(P, inv(J)*P) + {potential}")),
        ("torque", &torque),
    ]);
    let spin = || "inv(J)*P".to_string();
    let mut motion =
        vec![("P".to_string(), Motion::Shift(format!("cross(P, {}) + {torque}", spin())))];
    if formulation == "se3-dual" {
        motion.push(("Gamma".into(), Motion::Shift(format!("cross(Gamma, {})", spin()))));
    } else {
        list.push(("Gamma".into(), gamma.into()));
        motion.push(("R".into(), Motion::Body(spin())));
    }
    if formulation == "quadratic" {
        motion.push(("q".into(), Motion::Shift(format!("p - {gamma}"))));
        motion.push(("p".into(), Motion::Shift("0*p".into())));
    }
    let parameters = names.values(&values).parameters();
    Equations { state, parameters, definitions: list, motion, ..Equations::default() }
}
