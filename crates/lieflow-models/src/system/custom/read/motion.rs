//! `[motion]`: the law, and forces beside it.
use super::super::factor::{Factor, Role, Space};
use super::super::law::{Force, Law, Mass, Push, Rule};
use super::super::layout::Frame;
use super::state::WORDS;
use super::{fields, formula, need, text};
use crate::problem_file::{Kind, Node, Place, SpecError, Table, as_function, suggestion, wrong};

/// The law of motion with its forces. Spheres with masses get velocities called `d` and their name,
/// unless the state has others.
pub fn law(
    motion: &Table,
    place: &Place,
    factors: &mut Vec<Factor>,
) -> Result<(Law, Vec<Force>), SpecError> {
    if let Some(node) = function(motion, factors) {
        as_function(node)?;
        let node = Node { place: place.clone(), kind: Kind::Table(motion.clone()) };
        let [_, frame] = fields(&node, "a function", ["function", "frame"])?;
        return Ok((Law::Function(frame.map_or(Ok(Frame::Body), as_frame)?), Vec::new()));
    }
    check_keys(motion, factors)?;
    let get = |key: &str| motion.get(key);
    let given: Vec<&str> = ["hamiltonian", "kinetic", "mass", "field"]
        .into_iter()
        .filter(|k| get(k).is_some())
        .collect();
    let rates: Vec<&str> = motion.entries.iter().map(|(key, ..)| key.as_str()).collect();
    let rate = rates.iter().copied().find(|key| !WORDS.contains(key));
    if let (Some(first), Some(second)) = (given.first(), given.get(1).copied().or(rate)) {
        return Err(SpecError::Contradiction {
            place: place.clone(),
            first: (*first).into(),
            second: second.into(),
            choices: ["hamiltonian", "kinetic", "mass"]
                .into_iter()
                .map(String::from)
                .chain(["a rate for each part of the state".into()])
                .collect(),
        });
    }
    if let (Some(node), None) = (get("potential"), get("kinetic").or(get("mass"))) {
        return Err(SpecError::Missing {
            place: node.place.clone(),
            key: "kinetic".into(),
            expected: "the kinetic energy, or `mass` on spheres, beside a potential".into(),
            suggestion: None,
        });
    }
    let potential = get("potential").map(formula).transpose()?;
    let law = if let Some(node) = get("hamiltonian") {
        Law::Hamiltonian(formula(node)?)
    } else if let Some(node) = get("kinetic") {
        Law::Lagrangian { kinetic: formula(node)?, potential }
    } else if let Some(node) = get("mass") {
        add_velocities(factors);
        Law::Spheres { mass: mass(node)?, potential }
    } else {
        let table = match get("field") {
            None => motion,
            Some(Node { kind: Kind::Table(table), .. }) => table,
            Some(node) => return Err(wrong(node, "a table with a rate for each part")),
        };
        Law::Field(rules(table, place, factors)?)
    };
    let forces = match get("force") {
        None => Vec::new(),
        Some(node) => forces(node, factors)?,
    };
    Ok((law, forces))
}

/// The function that gives the rates of all parts, if there is one.
pub fn function<'n>(motion: &'n Table, factors: &[Factor]) -> Option<&'n Node> {
    motion.get("function").filter(|_| factors.iter().all(|factor| factor.name != "function"))
}

/// Every key is a word of the law or a part of the state.
fn check_keys(motion: &Table, factors: &[Factor]) -> Result<(), SpecError> {
    let names = || factors.iter().map(|f| f.name.as_str()).chain(WORDS);
    for (key, place, _) in &motion.entries {
        if !names().any(|name| name == key) {
            return Err(SpecError::UnknownKey {
                place: place.clone(),
                suggestion: suggestion(key, names()).map(Box::from),
                known: names().map(String::from).collect(),
            });
        }
    }
    Ok(())
}

fn add_velocities(factors: &mut Vec<Factor>) {
    let has = |of: usize| factors.iter().any(|f| f.role == Role::Velocity(of));
    let wanted = |(of, factor): (usize, &Factor)| {
        (factor.space == Space::Sphere && !has(of)).then(|| Factor {
            name: format!("d{}", factor.name),
            space: Space::Vectors(3),
            role: Role::Velocity(of),
            count: factor.count,
        })
    };
    let list: Vec<Factor> = factors.iter().enumerate().filter_map(wanted).collect();
    factors.extend(list);
}

/// A rate for each part of the state.
fn rules(
    table: &Table,
    place: &Place,
    factors: &[Factor],
) -> Result<Vec<(usize, Rule)>, SpecError> {
    let mut list = Vec::new();
    for (of, factor) in factors.iter().enumerate() {
        let Some(node) = table.get(&factor.name) else {
            let unread = table.entries.iter().map(|(key, ..)| key.as_str());
            let unread = unread.filter(|key| !factors.iter().any(|f| f.name == *key));
            return Err(SpecError::Missing {
                place: place.clone(),
                key: factor.name.clone(),
                expected: super::super::derive::how(factor.space).into(),
                suggestion: suggestion(&factor.name, unread).map(Box::from),
            });
        };
        list.push((of, rule(node, factor)?));
    }
    Ok(list)
}

fn rule(node: &Node, factor: &Factor) -> Result<Rule, SpecError> {
    let Kind::Table(table) = &node.kind else { return Ok(Rule::Rate(formula(node)?)) };
    let how = super::super::derive::how(factor.space);
    let pair = |node: &Node| {
        let [w, v] = fields(node, how, ["w", "v"])?;
        let (w, v) = (need(w, node, "w", "a vector")?, need(v, node, "v", "a vector")?);
        Ok((formula(w)?, formula(v)?))
    };
    if table.get("turn").is_some() {
        let [turn, sign] = fields(node, how, ["turn", "sign"])?;
        let reversed = match sign {
            None => false,
            Some(Node { kind: Kind::Integer(1), .. }) => false,
            Some(Node { kind: Kind::Integer(-1), .. }) => true,
            Some(node) => return Err(wrong(node, "1 or -1")),
        };
        return Ok(Rule::Turn { formula: formula(need(turn, node, "turn", how)?)?, reversed });
    }
    if table.get("w").is_some() || table.get("v").is_some() {
        let (w, v) = pair(node)?;
        return Ok(Rule::Pair(w, v));
    }
    let (inner, frame) = match fields(node, how, ["body", "space"])? {
        [Some(inner), None] => (inner, Frame::Body),
        [None, Some(inner)] => (inner, Frame::Space),
        _ => return Err(wrong(node, how)),
    };
    if let Kind::Table(_) = inner.kind {
        let (w, v) = pair(inner)?;
        return Ok(Rule::Twist(w, v, frame));
    }
    Ok(Rule::Spin(formula(inner)?, frame))
}

fn mass(node: &Node) -> Result<Mass, SpecError> {
    let Kind::List(items) = &node.kind else { return Ok(Mass::Each(formula(node)?)) };
    if !items.iter().any(|item| matches!(item.kind, Kind::List(_))) {
        return Ok(Mass::List(items.iter().map(formula).collect::<Result<_, _>>()?));
    }
    let row = |item: &Node| match &item.kind {
        Kind::List(row) => row.iter().map(formula).collect::<Result<Vec<_>, _>>(),
        _ => Err(wrong(item, "a row of the mass matrix")),
    };
    Ok(Mass::Matrix(items.iter().map(row).collect::<Result<_, _>>()?))
}

fn forces(node: &Node, factors: &[Factor]) -> Result<Vec<Force>, SpecError> {
    let expected = "a table with a force for some parts of the state";
    let Kind::Table(table) = &node.kind else { return Err(wrong(node, expected)) };
    let frame = match table.get("frame").filter(|_| factors.iter().all(|f| f.name != "frame")) {
        None => Frame::Body,
        Some(node) => as_frame(node)?,
    };
    let mut list = Vec::new();
    for (key, place, value) in &table.entries {
        if key == "frame" {
            continue;
        }
        let Some(on) = factors.iter().position(|factor| factor.name == *key) else {
            let names = factors.iter().map(|f| f.name.as_str());
            return Err(SpecError::unknown_name(place.clone(), "part of the state", key, names));
        };
        let push = match &value.kind {
            Kind::Table(_) => {
                let expected = "{ torque = \"…\", force = \"…\" }";
                let [torque, force] = fields(value, expected, ["torque", "force"])?;
                Push::Both(torque.map(formula).transpose()?, force.map(formula).transpose()?)
            }
            _ => Push::One(formula(value)?),
        };
        list.push(Force { on, push, frame });
    }
    Ok(list)
}

fn as_frame(node: &Node) -> Result<Frame, SpecError> {
    match text(node)? {
        "body" => Ok(Frame::Body),
        "space" => Ok(Frame::Space),
        other => {
            let place = node.place.clone();
            Err(SpecError::unknown_name(place, "frame", other, ["body", "space"]))
        }
    }
}
