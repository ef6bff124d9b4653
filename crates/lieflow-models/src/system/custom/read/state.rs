//! `[state]`: the parts of the state and their spaces.
use super::super::factor::{Factor, Role, Space};
use super::{fields, need, text};
use crate::problem_file::{Kind, Node, SpecError, Table, wrong};

/// Most items of a list, and most dimensions of a vector space.
const MOST: usize = 10_000;

/// Words of `[motion]`, which no part may be called.
pub(super) const WORDS: [&str; 6] =
    ["field", "hamiltonian", "kinetic", "potential", "mass", "force"];

const SPACES: [&str; 7] = ["SO(3)", "SE(3)", "S2", "R1", "R3", "so(3)*", "se(3)*"];
const FORM: &str = "a space such as \"SO(3)\", or { space = \"S2\", count = 5 }, \
                    { momentum = \"R\" }, { velocity = \"x\" }, { advected = \"m\" }";

/// The parts of a state, in the order of the table.
pub fn factors(state: &Table) -> Result<Vec<Factor>, SpecError> {
    // First those that stand by themselves, because others may refer to what comes later.
    let mut list: Vec<Option<Factor>> = Vec::new();
    for (name, place, node) in &state.entries {
        if WORDS.contains(&name.as_str()) {
            return Err(SpecError::Wrong {
                place: place.clone(),
                found: format!("a part called '{name}', which is a word of [motion]"),
                expected: "another name".into(),
            });
        }
        list.push(free(name, node)?);
    }
    let known = list.clone();
    for (slot, (name, _, node)) in list.iter_mut().zip(&state.entries) {
        if slot.is_none() {
            *slot = Some(partner(name, node, state, &known)?);
        }
    }
    Ok(list.into_iter().flatten().collect())
}

/// A part with a space of its own; nothing if it belongs to another one.
fn free(name: &str, node: &Node) -> Result<Option<Factor>, SpecError> {
    let factor = |space, count| Factor { name: name.into(), space, role: Role::Free, count };
    match &node.kind {
        Kind::Text(_) => Ok(Some(factor(space(node, false)?, None))),
        Kind::Table(table) if table.get("space").is_some() => {
            let [place, count, unit] = fields(node, FORM, ["space", "count", "unit"])?;
            let unit_node = unit;
            let unit = match unit.map(|node| &node.kind) {
                None => false,
                Some(Kind::Boolean(unit)) => *unit,
                Some(_) => return Err(wrong(unit.unwrap_or(node), "true or false")),
            };
            let space = space(need(place, node, "space", FORM)?, unit)?;
            if let (Some(unit), false) =
                (unit_node, matches!(space, Space::Momenta { .. } | Space::Sphere))
            {
                return Err(SpecError::Idle {
                    place: unit.place.clone(),
                    because: "only momenta in so(3)* can have length one",
                });
            }
            let count = match count {
                None => None,
                Some(Node { kind: Kind::Integer(n), .. }) if (1..=MOST as i64).contains(n) => {
                    Some(*n as usize)
                }
                Some(node) => return Err(wrong(node, "a whole number from 1 to 10000")),
            };
            Ok(Some(factor(space, count)))
        }
        Kind::Table(_) => Ok(None),
        _ => Err(wrong(node, FORM)),
    }
}

fn space(node: &Node, unit: bool) -> Result<Space, SpecError> {
    let word = text(node)?;
    let plain: String = word.chars().filter(|c| !matches!(c, '^' | ' ')).collect();
    let dimension = |digits: &str| digits.parse().ok().filter(|n| (1..=MOST).contains(n));
    Ok(match plain.as_str() {
        "SO(3)" => Space::Rotations,
        "SE(3)" => Space::Motions,
        "S2" | "S²" => Space::Sphere,
        "R" => Space::Vectors(1),
        "so(3)*" => Space::Momenta { unit },
        "se(3)*" => Space::Wrenches,
        other => match other.strip_prefix('R').and_then(dimension) {
            Some(n) => Space::Vectors(n),
            None => {
                let place = node.place.clone();
                return Err(SpecError::unknown_name(place, "space", word, SPACES));
            }
        },
    })
}

/// A momentum, a velocity or an advected vector.
fn partner(
    name: &str,
    node: &Node,
    state: &Table,
    known: &[Option<Factor>],
) -> Result<Factor, SpecError> {
    let keys = ["momentum", "velocity", "advected"];
    let found = fields(node, FORM, keys)?;
    let mut given = keys.iter().zip(found).filter_map(|(key, node)| Some((*key, node?)));
    let (Some((key, of)), None) = (given.next(), given.next()) else {
        return Err(wrong(node, FORM));
    };
    let wanted = text(of)?;
    let of_place = of.place.clone();
    let Some(number) = state.entries.iter().position(|(name, ..)| name == wanted) else {
        let names = state.entries.iter().map(|(name, ..)| name.as_str()).filter(|n| *n != name);
        return Err(SpecError::unknown_name(of_place, "part of the state", wanted, names));
    };
    let refuse = |found: String, expected: &str| {
        Err(SpecError::Wrong { place: of_place.clone(), found, expected: expected.into() })
    };
    let Some(other) = &known[number] else {
        return refuse(
            format!("'{wanted}', which belongs to another part itself"),
            "a part with a space of its own",
        );
    };
    let (space, role) = match (key, other.space) {
        ("advected", Space::Momenta { .. } | Space::Wrenches) => {
            (Some(Space::Vectors(3)), Role::Advected(number))
        }
        ("momentum", space) if space != Space::Sphere => (space.tangent(), Role::Momentum(number)),
        ("velocity", space) => (space.tangent(), Role::Velocity(number)),
        _ => (None, Role::Free),
    };
    let Some(space) = space else {
        let expected = match key {
            "advected" => "a part in so(3)* or se(3)*",
            "momentum" => "a part in SO(3), SE(3) or R^n",
            _ => "a part in SO(3), SE(3), S2 or R^n",
        };
        return refuse(format!("'{wanted}' in {}", other.space.name()), expected);
    };
    Ok(Factor { name: name.into(), space, role, count: other.count })
}
