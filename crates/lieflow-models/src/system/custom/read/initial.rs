//! `[initial]`: the first state, by the names of its parts.
use super::super::factor::{Factor, Role, Space};
use super::super::group::{put, put_matrix, vector};
use super::{fields, formula, need};
use crate::problem_file::{
    Kind, Node, Reader, SpecError, TOLERANCE, Warnings, as_list, as_number, as_unit, as_vector,
    wrong,
};
use lieflow::Vec3;
use lieflow_formula::Source;

/// The first value of a part, as it is written.
#[derive(Clone, Debug)]
pub enum Given {
    /// Its numbers.
    Numbers(Vec<f64>),
    /// A formula for each item, with the index `i` if it is a list.
    Formula {
        /// The formula.
        formula: Source,
        /// Whether its values are to be moved to the space.
        project: bool,
    },
}

/// What a part should hold.
pub fn expected(factor: &Factor) -> String {
    let one = item_form(factor.space);
    match factor.count {
        None => one.into(),
        Some(n) => format!("a list of {n}, each {one}; or {{ formula = \"…\" }} with the index i"),
    }
}

fn item_form(space: Space) -> &'static str {
    match space {
        Space::Rotations => "a rotation { vector }, { matrix } or { quaternion }",
        Space::Motions => "{ rotation = { vector = […] }, position = […] }",
        Space::Sphere | Space::Momenta { unit: true } => "a vector of length one",
        Space::Vectors(1) => "a number",
        Space::Vectors(3) | Space::Momenta { unit: false } => "a vector of three numbers",
        Space::Vectors(_) => "a list of numbers",
        Space::Wrenches | Space::Twists => "{ w = […], v = […] }",
    }
}

/// Reads the first value of a part.
pub fn given(factor: &Factor, node: &Node) -> Result<Given, SpecError> {
    if let Kind::Table(table) = &node.kind
        && table.get("formula").is_some()
    {
        let [text, project] = fields(node, "{ formula = \"…\" }", ["formula", "project"])?;
        if matches!(factor.space, Space::Motions | Space::Wrenches | Space::Twists) {
            return Err(wrong(node, &expected(factor)));
        }
        let formula = formula(need(text, node, "formula", "a formula")?)?;
        return Ok(Given::Formula { formula, project: flag(project)? });
    }
    let mut numbers = Vec::with_capacity(factor.kind().size());
    match factor.count {
        None => item(factor, node, &mut numbers)?,
        Some(n) => {
            let items = as_list(node, &expected(factor))?;
            if items.len() != n {
                return Err(wrong(node, &expected(factor)));
            }
            for node in items {
                item(factor, node, &mut numbers)?;
            }
        }
    }
    Ok(Given::Numbers(numbers))
}

fn flag(node: Option<&Node>) -> Result<bool, SpecError> {
    match node {
        None => Ok(false),
        Some(Node { kind: Kind::Boolean(flag), .. }) => Ok(*flag),
        Some(node) => Err(wrong(node, "true or false")),
    }
}

/// The numbers of one item.
fn item(factor: &Factor, node: &Node, out: &mut Vec<f64>) -> Result<(), SpecError> {
    let form = item_form(factor.space);
    let mut push = |v: Vec3<f64>| out.extend(v.to_array());
    match factor.space {
        Space::Rotations => rotation(node)?.rows.into_iter().for_each(push),
        Space::Motions => {
            let [turned, position] = fields(node, form, ["rotation", "position"])?;
            let turned = rotation(need(turned, node, "rotation", "a rotation")?)?;
            turned.rows.into_iter().for_each(&mut push);
            push(as_vector(need(position, node, "position", "a vector of three numbers")?)?);
        }
        Space::Sphere | Space::Momenta { unit: true } => push(as_unit(node)?),
        Space::Vectors(3) if matches!(factor.role, Role::Velocity(_)) => match &node.kind {
            Kind::Table(_) => {
                // Made tangent later, where the point is known.
                let [vector, project] = fields(node, form, ["vector", "project"])?;
                flag(project)?;
                push(as_vector(need(vector, node, "vector", form)?)?);
            }
            _ => push(as_vector(node)?),
        },
        Space::Vectors(3) | Space::Momenta { unit: false } => push(as_vector(node)?),
        Space::Vectors(1) => out.push(as_number(node)?),
        Space::Vectors(n) => {
            let expected = format!("a list of {n} numbers");
            let list = as_list(node, &expected)?;
            if list.len() != n {
                return Err(wrong(node, &expected));
            }
            for node in list {
                out.push(as_number(node)?);
            }
        }
        Space::Wrenches | Space::Twists => {
            let [w, v] = fields(node, form, ["w", "v"])?;
            push(as_vector(need(w, node, "w", "a vector of three numbers")?)?);
            push(as_vector(need(v, node, "v", "a vector of three numbers")?)?);
        }
    }
    Ok(())
}

fn rotation(node: &Node) -> Result<lieflow::Mat3<f64>, SpecError> {
    let warnings = Warnings::default();
    Reader::new(node, &warnings)?.as_rotation()
}

/// Whether a node, or the item number `k` of its list, asks to be moved to the space.
fn projected(node: &Node, k: usize) -> bool {
    match &node.kind {
        Kind::List(items) => items.get(k).is_some_and(|node| projected(node, 0)),
        Kind::Table(table) => {
            matches!(table.get("project"), Some(Node { kind: Kind::Boolean(true), .. }))
        }
        _ => false,
    }
}

/// Checks values that formulas gave, and moves them to the space where that is wanted.
pub fn settle(
    factor: &Factor,
    node: &Node,
    project: bool,
    numbers: &mut [f64],
) -> Result<(), SpecError> {
    if let Some(x) = numbers.iter().find(|x| !x.is_finite()) {
        return Err(SpecError::Wrong {
            place: node.place.clone(),
            found: format!("the value {x}"),
            expected: "finite numbers".into(),
        });
    }
    for item in numbers.chunks_mut(factor.size()) {
        match factor.space {
            Space::Rotations => {
                let r = super::super::group::matrix(item, 0);
                put_matrix(item, 0, &crate::problem_file::orthogonal(&node.place, &r, project)?);
            }
            Space::Sphere | Space::Momenta { unit: true } => {
                let v = vector(item, 0);
                let length = v.norm();
                if project && length > 0.0 {
                    put(item, 0, v.times(1.0 / length));
                } else if (length - 1.0).abs() > TOLERANCE {
                    return Err(SpecError::NotUnit {
                        place: node.place.clone(),
                        length,
                        tolerance: TOLERANCE,
                        remedy: "use normalise(…), or add `project = true` to have it scaled to length one",
                    });
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Velocities on spheres must be tangent, or are made so on request.
pub fn tangent(
    node: &Node,
    project: bool,
    points: &[f64],
    velocities: &mut [f64],
) -> Result<(), SpecError> {
    for (k, item) in velocities.chunks_mut(3).enumerate() {
        let (q, v) = (vector(points, 3 * k), vector(item, 0));
        let along = q.dot(v);
        if project || projected(node, k) {
            put(item, 0, v - q * along);
        } else if along.abs() > TOLERANCE * v.norm().max(1.0) {
            return Err(SpecError::Wrong {
                place: node.place.clone(),
                found: format!("a velocity with q·v = {along:.3e} (item {})", k + 1),
                expected: "one tangent to the sphere, q·v = 0; \
                           or { vector = […], project = true } to have it made so"
                    .into(),
            });
        }
    }
    Ok(())
}
