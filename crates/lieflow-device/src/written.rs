//! Systems of problem files written as the numbers that threads read.
use crate::kernel::formula::{HEAD, REGISTERS};
use crate::kernel::pairs::{Body, Formula, Free, Lifted, Linear, Symmetric, Top};
use crate::system::{Field, LiftedBody, RigidBody};
use lieflow::Vec3;
use lieflow::kernel::rigid::Round;
use lieflow::kernel::tape::Instruction;
use lieflow::problem::TorqueField;
use lieflow_formula::Formula as Numbers;

/// A kind of systems, as this machine has them.
pub trait Written {
    /// The type of those systems, and of others that look like them.
    type Source: 'static;
    /// The kind in words.
    const NAME: &'static str;
    /// Adds the parameters; `false` if the system is not of this kind.
    fn parameters(source: &Self::Source, out: &mut Vec<f64>) -> bool;
    /// The program of its formulas.
    fn program(source: &Self::Source) -> Vec<u128> {
        let _ = source;
        Vec::new()
    }
}

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
        let Field::Linear { strength, axis: a, direction: d } = field else { return false };
        out.extend([*strength, a.x, a.y, a.z, d.x, d.y, d.z]);
        true
    }
}

/// The moments of a body in its principal frame.
fn moments<U>(body: &RigidBody<f64, U>, out: &mut Vec<f64>) -> bool {
    let Vec3 { x, y, z } = body.inertia.moments();
    out.extend([x, y, z]);
    body.inertia.is_diagonal()
}

impl<F: WrittenField> Written for Body<F> {
    type Source = RigidBody<f64>;
    const NAME: &'static str = F::NAMES[0];
    fn parameters(body: &RigidBody<f64>, out: &mut Vec<f64>) -> bool {
        moments(body, out) && F::numbers(&body.potential, out)
    }
}

impl<F: WrittenField> Written for Symmetric<F> {
    type Source = RigidBody<f64>;
    const NAME: &'static str = F::NAMES[1];
    fn parameters(body: &RigidBody<f64>, out: &mut Vec<f64>) -> bool {
        let Round::About(axis) = body.inertia.round() else { return false };
        let along = match body.potential.axis() {
            None => true,
            Some((chi, _)) => chi.cross(Vec3::unit(axis)) == Vec3::zero(),
        };
        along && Body::<F>::parameters(body, out)
    }
}

impl<F: WrittenField> Written for Lifted<F> {
    type Source = LiftedBody<f64>;
    const NAME: &'static str = F::NAMES[2];
    fn parameters(body: &LiftedBody<f64>, out: &mut Vec<f64>) -> bool {
        Body::<F>::parameters(&body.0, out)
    }
}

impl Written for Formula {
    type Source = RigidBody<f64>;
    const NAME: &'static str =
        "a body whose potential or torque is a formula of at most 64 registers";

    fn parameters(body: &RigidBody<f64>, out: &mut Vec<f64>) -> bool {
        let Some(tapes) = tapes(body) else { return false };
        let known = moments(body, out);
        for (formula, entry) in tapes.into_iter().flatten() {
            let Some((tape, constants)) = formula.tape(entry) else { return false };
            let first = tape.read.len();
            let Some(constants) = tape.file.get(first..first + constants) else { return false };
            out.extend(constants);
        }
        known
    }

    fn program(body: &RigidBody<f64>) -> Vec<u128> {
        let mut program = vec![0; 3];
        let Some(tapes) = tapes(body) else { return program };
        let mut first = 0;
        for (k, tape) in tapes.into_iter().enumerate() {
            let Some((tape, constants)) = tape.and_then(|(formula, entry)| formula.tape(entry))
            else {
                continue;
            };
            program[k] = program.len() as u128;
            let results = tape.outputs.iter().rev().fold(0, |all, k| all << 16 | u128::from(*k));
            let head: [u128; HEAD] = [
                tape.file.len() as u128,
                tape.read.len() as u128,
                constants as u128,
                tape.code.len() as u128,
                results,
                first,
            ];
            program.extend(head);
            program.extend(tape.read.iter().map(|k| u128::from(*k)));
            program.extend(tape.code.iter().map(word));
            first += constants as u128;
        }
        if let (Field::Formula(law), [_, None]) = (&body.potential, tapes) {
            let row = law.potential.as_ref().and_then(|potential| potential.row());
            program[2] = row.map_or(0, |row| row as u128 + 1);
        }
        program
    }
}

/// A formula and which of its entries is wanted.
type Entry<'a> = Option<(&'a Numbers<f64>, usize)>;

/// The torque of the potential and the one beside it, if the device can have both.
fn tapes(body: &RigidBody<f64>) -> Option<[Entry<'_>; 2]> {
    let Field::Formula(law) = &body.potential else { return None };
    if law.functions.any() || law.potential.is_none() && !matches!(law.base, Field::Free) {
        return None;
    }
    let potential = law.potential.as_ref().map(|potential| (potential.formula(), 1));
    let torque = law.torque.as_ref().map(|torque| (torque.formula(), 0));
    let tapes = [potential, torque];
    let fits = |(formula, entry): (&Numbers<f64>, usize)| {
        formula.tape(entry).is_some_and(|(tape, _)| tape.file.len() <= REGISTERS)
    };
    tapes.into_iter().flatten().all(fits).then_some(tapes)
}

/// An instruction as it lies in memory, the lowest byte first.
fn word(Instruction { code, to, from }: &Instruction) -> u128 {
    let operands = from.iter().rev().fold(0, |all, k| all << 16 | u128::from(*k));
    operands << 32 | u128::from(*to) << 16 | u128::from(*code as u8)
}
