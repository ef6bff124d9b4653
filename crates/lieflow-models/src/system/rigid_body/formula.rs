//! Potentials and torques of the problem files that are formulas.
use super::{Field, Law, symmetry};
use crate::formulas::{Equations, FileFormulas, Motion, Part, Space, Text, Values};
use crate::problem_file::{Reader, SpecError};
use lieflow::Mat3;
use lieflow_formula::Kind;
use lieflow_formula::body::{BodyPotential, BodyTorque, Frame, potential_on, torque_on};

/// The formulas of a body, as they are written.
#[derive(Default)]
pub(super) struct Formulas<'a> {
    potential: Option<Text<'a>>,
    torque: Option<(Text<'a>, Frame)>,
    /// The names of the two tables, and of `[parameters]` itself.
    in_potential: Values<'a>,
    in_torque: Values<'a>,
    beside: Values<'a>,
}

impl<'a> Formulas<'a> {
    /// Reads the two tables as far as they are formulas; `potential` is the table of the potential.
    pub(super) fn read(
        parameters: &Reader<'a>,
        potential: Option<&Reader<'a>>,
        others: bool,
    ) -> Result<Self, SpecError> {
        let mut list = Self::default();
        if let Some(table) = potential
            && let Some(node) = table.optional("formula")
        {
            table.one_of(&["kind", "formula"])?;
            list.potential = Some(Text::of("formula", node)?);
            list.in_potential.read_rest(table)?;
        }
        if let Some(table) = parameters.optional_sub("torque")? {
            let text = Text::of("formula", table.required("formula", "a formula, as a text")?)?;
            let frame = match table.choice_or("frame", &["body", "space"], "body")? {
                "space" => Frame::Space,
                _ => Frame::Body,
            };
            list.torque = Some((text, frame));
            list.in_torque.read_rest(&table)?;
        }
        if others || list.any() {
            list.beside.read_rest(parameters)?;
        }
        Ok(list)
    }

    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        self.potential.is_some() || self.torque.is_some()
    }

    /// The names of one table first, then those of the other and of `[parameters]`.
    fn values(&self, inertia: &'a Mat3<f64>, torque: bool) -> Values<'a> {
        let mut values = Values::default();
        values.push_matrix("J", inertia);
        let (own, other) = match torque {
            true => (&self.in_torque, &self.in_potential),
            false => (&self.in_potential, &self.in_torque),
        };
        for list in [own, other, &self.beside] {
            values.add_others(list);
        }
        values
    }

    /// The field of the body; `base` is its potential, where that is no formula.
    pub(super) fn field(
        &self,
        base: Field<f64>,
        inertia: &'a Mat3<f64>,
        file: &FileFormulas<'a>,
    ) -> Result<Field<f64>, SpecError> {
        if !self.any() {
            return Ok(base);
        }
        let matrix = || ("R", Kind::Matrix);
        let mut law = Law { base, potential: None, torque: None, symmetry: Default::default() };
        if let Some(text) = self.potential {
            let scope = file.scope(vec![matrix()], self.values(inertia, false));
            let make = |sheet| potential_on(sheet, text.label(), text.text);
            let program = scope.program("potential", &[text], make)?;
            law.potential = BodyPotential::new(program, scope.values.numbers).ok();
        }
        if let Some((text, frame)) = self.torque {
            let state = vec![matrix(), ("w", Kind::Vector), ("P", Kind::Vector)];
            let scope = file.scope(state, self.values(inertia, true));
            let make = |sheet| torque_on(sheet, text.label(), text.text, frame);
            let purpose = if frame == Frame::Space { "torque in space" } else { "torque" };
            let program = scope.program(purpose, &[text], make)?;
            law.torque = BodyTorque::new(program, scope.values.numbers).ok();
        }
        law.symmetry = symmetry::of(&law);
        Ok(Field::Formula(Box::new(law)))
    }

    /// The body in formulas. Names that mean different things in the two tables are refused, since
    /// observables and definitions see both.
    pub(super) fn equations(&self, base: &Field<f64>, inertia: &'a Mat3<f64>) -> Equations {
        let mut values = self.values(inertia, false);
        let mut definitions = vec![("w".to_string(), "inv(J)*P".to_string())];
        let potential = match self.potential {
            Some(text) => text.text.to_string(),
            None => built_in(base, &mut values),
        };
        let of_potential = "cross(R[1], grad(potential, R)[1]) + cross(R[2], grad(potential, R)[2]) \
                            + cross(R[3], grad(potential, R)[3])";
        let applied = match self.torque {
            None => "0*e1".into(),
            Some((text, Frame::Body)) => text.text.to_string(),
            Some((text, Frame::Space)) => format!("transpose(R)*({})", text.text),
        };
        for (name, text) in [
            ("potential", potential),
            ("kinetic", "0.5*dot(P, w)".into()),
            ("energy", "kinetic + potential".into()),
            ("applied", applied),
            ("torque", format!("{of_potential} + applied")),
        ] {
            definitions.push((name.into(), text));
        }
        let part = |name: &str, shown, kind, space| {
            let shown = vec![shown];
            Part { name: name.into(), shown, kind, space }
        };
        Equations {
            state: vec![
                part("R", "rotation", Kind::Matrix, Space::Rotations),
                part("P", "momentum", Kind::Vector, Space::Vectors),
            ],
            whole: Vec::new(),
            parameters: values.parameters(),
            definitions,
            motion: vec![
                ("R".into(), Motion::Body("w".into())),
                ("P".into(), Motion::Shift("cross(P, w) + torque".into())),
            ],
            derivation: None,
        }
    }
}

/// A built-in potential as a formula, with its numbers.
fn built_in(field: &Field<f64>, values: &mut Values<'_>) -> String {
    let mut number = |name: &'static str, x: f64| {
        if !values.has(name) {
            values.push(name, Kind::Number, None, &[x]);
        }
    };
    match field {
        Field::Free | Field::Formula(_) => "0".into(),
        Field::LagrangeTop { strength } => {
            number("strength", *strength);
            "strength*R33".into()
        }
        Field::SoftWall { attraction, repulsion, offset, power, printed } => {
            number("attraction", *attraction);
            number("repulsion", *repulsion);
            number("offset", *offset);
            let sign = if *printed { "-" } else { "" };
            format!("{sign}(repulsion/(offset + R33)^{power} - attraction/(offset + R33))")
        }
        Field::Linear { strength, axis, direction } => {
            number("strength", *strength);
            values.push("axis", Kind::Vector, None, &axis.to_array());
            values.push("direction", Kind::Vector, None, &direction.to_array());
            "strength*dot(axis, transpose(R)*direction)".into()
        }
        Field::Attractor { alpha, center } => {
            number("alpha", *alpha);
            values.push_matrix("center", center);
            "(sqrt(2*(3 - trace(R))) - 1)^2 - alpha/sqrt(2*(3 - trace(transpose(center)*R)))".into()
        }
    }
}
