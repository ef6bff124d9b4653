//! Potentials and torques of the problem files that are formulas.
use super::{Field, Law, symmetry};
use crate::foreign::{BodyFunctions, Call, Function, TorqueFunction};
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
    /// The same as functions of another language; a torque may look at the motion.
    called_potential: Option<&'a Function>,
    called_torque: Option<(&'a Function, Frame, bool)>,
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
            && (table.has("formula") || table.has("function"))
        {
            table.one_of(&["kind", "formula", "function"])?;
            let text = table.optional("formula").map(|node| Text::of("formula", node));
            list.potential = text.transpose()?;
            list.called_potential = table.optional_function("function")?;
            list.in_potential.read_rest(table)?;
        }
        if let Some(table) = parameters.optional_sub("torque")? {
            table.one_of(&["formula", "function"])?;
            let frame = match table.choice_or("frame", &["body", "space"], "body")? {
                "space" => Frame::Space,
                _ => Frame::Body,
            };
            if let Some(function) = table.optional_function("function")? {
                let moving = table.boolean_or("moving", true)?;
                list.called_torque = Some((function, frame, moving));
            } else {
                let node = table.required("formula", "a formula, as a text")?;
                list.torque = Some((Text::of("formula", node)?, frame));
            }
            list.in_torque.read_rest(&table)?;
        }
        if others || list.any() {
            list.beside.read_rest(parameters)?;
        }
        Ok(list)
    }

    /// Refuses names of the tables that are taken, and those that mean different things in the two:
    /// definitions, observables and events see both.
    pub(super) fn check(&self, others: bool) -> Result<(), SpecError> {
        for list in [&self.in_potential, &self.in_torque, &self.beside] {
            for (name, _, place) in &list.names {
                let own = matches!(*name, "R" | "w" | "P" | "J" | "t") || name.ends_with('_');
                if let Some(place) = place.filter(|_| own) {
                    let message = format!(
                        "the name '{name}' is one of the body's own (R, w, P, J, t, and all that end in \
                         an underscore); choose another"
                    );
                    return Err(SpecError::Untrue { place: place.clone(), message });
                }
            }
        }
        for (name, _, place) in &self.in_torque.names {
            let (here, there) = (self.in_torque.get(name), self.in_potential.get(name));
            if let Some(place) = place.filter(|_| others && there.is_some() && here != there) {
                let message = format!(
                    "'{name}' has another value in the potential, and definitions, observables, \
                     invariants and events see both: give it another name, or stand it once in [parameters]"
                );
                return Err(SpecError::Untrue { place: place.clone(), message });
            }
        }
        Ok(())
    }

    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        self.potential.is_some() || self.torque.is_some() || self.calls()
    }

    /// Whether there is a function of another language.
    fn calls(&self) -> bool {
        self.called_potential.is_some() || self.called_torque.is_some()
    }

    /// The functions with their numbers: those of their own tables, in the order of the keys.
    fn functions(&self) -> BodyFunctions {
        let call =
            |function: &Function, values: &Values<'_>| Call::new(function.clone(), &values.numbers);
        BodyFunctions {
            potential: self.called_potential.map(|function| call(function, &self.in_potential)),
            torque: self.called_torque.map(|(function, frame, moving)| TorqueFunction {
                call: call(function, &self.in_torque),
                frame,
                moving,
            }),
        }
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
        let functions = self.functions();
        let mut law =
            Law { base, potential: None, torque: None, functions, symmetry: Default::default() };
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

    /// The body in formulas. Names that end in `_` are its own, so that no definition of the file can
    /// stand between it and its motion.
    pub(super) fn equations(&self, base: &Field<f64>, inertia: &'a Mat3<f64>) -> Equations {
        let mut values = self.values(inertia, false);
        let potential = match self.potential {
            Some(text) => text.text.to_string(),
            None => built_in(base, &mut values),
        };
        let slope = |k: usize| format!("cross(R[{k}], grad(potential_, R)[{k}])");
        let applied = match self.torque {
            None => "0*e1".into(),
            Some((text, Frame::Body)) => text.text.to_string(),
            Some((text, Frame::Space)) => format!("transpose(R)*({})", text.text),
        };
        let definitions: [(&str, String); 10] = [
            ("w_", "inv(J)*P".to_string()),
            ("potential_", potential),
            ("applied_", applied),
            ("torque_", format!("{} + {} + {} + applied_", slope(1), slope(2), slope(3))),
            ("w", "w_".into()),
            ("potential", "potential_".into()),
            ("kinetic", "0.5*dot(P, w_)".into()),
            ("energy", "0.5*dot(P, w_) + potential_".into()),
            ("applied", "applied_".into()),
            ("torque", "torque_".into()),
        ];
        // Formulas cannot look into functions: what would need them has no name.
        let mut hidden: Vec<&str> = Vec::new();
        if self.calls() {
            hidden.extend(["torque_", "torque"]);
        }
        if self.called_potential.is_some() {
            hidden.extend(["potential_", "potential", "energy"]);
        }
        if self.called_torque.is_some() {
            hidden.extend(["applied_", "applied"]);
        }
        let known = definitions.into_iter().filter(|(name, _)| !hidden.contains(name));
        let definitions = known.map(|(name, text)| (name.to_string(), text)).collect();
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
            motion: match self.calls() {
                true => Vec::new(),
                false => vec![
                    ("R".into(), Motion::Body("w_".into())),
                    ("P".into(), Motion::Shift("cross(P, w_) + torque_".into())),
                ],
            },
            derivation: None,
        }
    }
}

/// A built-in potential as a formula. Its numbers have names of their own, and those of the file where
/// nothing else has them.
fn built_in(field: &Field<f64>, values: &mut Values<'_>) -> String {
    let mut name = |own: &'static str, plain: &'static str, kind: Kind, numbers: &[f64]| {
        values.push(own, kind.clone(), None, numbers);
        if !values.has(plain) {
            values.push(plain, kind, None, numbers);
        }
    };
    let number = Kind::Number;
    match field {
        Field::Free | Field::Formula(_) => "0".into(),
        Field::LagrangeTop { strength } => {
            name("strength_", "strength", number, &[*strength]);
            "strength_*R33".into()
        }
        Field::SoftWall { attraction, repulsion, offset, power, printed } => {
            name("attraction_", "attraction", number.clone(), &[*attraction]);
            name("repulsion_", "repulsion", number.clone(), &[*repulsion]);
            name("offset_", "offset", number, &[*offset]);
            let sign = if *printed { "-" } else { "" };
            format!("{sign}(repulsion_/(offset_ + R33)^{power} - attraction_/(offset_ + R33))")
        }
        Field::Linear { strength, axis, direction } => {
            name("strength_", "strength", number, &[*strength]);
            name("axis_", "axis", Kind::Vector, &axis.to_array());
            name("direction_", "direction", Kind::Vector, &direction.to_array());
            "strength_*dot(axis_, transpose(R)*direction_)".into()
        }
        Field::Attractor { alpha, center } => {
            name("alpha_", "alpha", number, &[*alpha]);
            let rows = center.rows.map(lieflow::Vec3::to_array);
            name("center_", "center", Kind::Matrix, rows.as_flattened());
            "(sqrt(2*(3 - trace(R))) - 1)^2 - alpha_/sqrt(2*(3 - trace(transpose(center_)*R)))"
                .into()
        }
    }
}
