//! The tapes of bodies and spins by formula, in the layout of [`kernel::formula`](crate::kernel::formula).
use crate::kernel::formula::{HEAD, PROGRAM_HEAD, REGISTERS};
use crate::system::{Field, RigidBody, SpinField};
use lieflow::kernel::tape::Instruction;
use lieflow_formula::Formula;

/// Adds the constants of a body's formulas; `false` if the device cannot have them.
pub fn constants(body: &RigidBody<f64>, out: &mut Vec<f64>) -> bool {
    tapes(body).is_some_and(|tapes| push_constants(tapes, out))
}

/// Adds the constants of a field on a spin; `false` if the device cannot have it.
pub fn spin_constants(field: &SpinField<f64>, out: &mut Vec<f64>) -> bool {
    let tapes = [Some((field.formula(), 0)), None];
    fit(&tapes) && push_constants(tapes, out)
}

fn push_constants(tapes: [Entry<'_>; 2], out: &mut Vec<f64>) -> bool {
    for (formula, entry) in tapes.into_iter().flatten() {
        let Some((tape, constants)) = formula.tape(entry) else { return false };
        let first = tape.read.len();
        let Some(constants) = tape.file.get(first..first + constants) else { return false };
        out.extend(constants);
    }
    true
}

/// The program of a body's formulas.
pub fn program(body: &RigidBody<f64>) -> Vec<u128> {
    let Some(tapes) = tapes(body) else { return vec![0; PROGRAM_HEAD] };
    let mut program = words(tapes);
    if let (Field::Formula(law), [_, None]) = (&body.potential, tapes) {
        let row = law.potential.as_ref().and_then(|potential| potential.row());
        program[2] = row.map_or(0, |row| row as u128 + 1);
    }
    program
}

/// The program of a field on a spin.
pub fn spin_program(field: &SpinField<f64>) -> Vec<u128> {
    words([Some((field.formula(), 0)), None])
}

/// Whether the formulas of two bodies are of the same programs.
pub fn same(first: &RigidBody<f64>, second: &RigidBody<f64>) -> bool {
    match (tapes(first), tapes(second)) {
        (Some([a, b]), Some([c, d])) => same_entry(a, c) && same_entry(b, d),
        _ => false,
    }
}

/// Whether two fields on a spin are of the same program.
pub fn same_spin(first: &SpinField<f64>, second: &SpinField<f64>) -> bool {
    same_entry(Some((first.formula(), 0)), Some((second.formula(), 0)))
}

fn same_entry(first: Entry<'_>, second: Entry<'_>) -> bool {
    match (first, second) {
        (None, None) => true,
        (Some((a, _)), Some((b, _))) => a.program().same(b.program()),
        _ => false,
    }
}

/// The head of a program and its tapes.
fn words(tapes: [Entry<'_>; 2]) -> Vec<u128> {
    let mut program = vec![0; PROGRAM_HEAD];
    let mut first = 0;
    for (k, tape) in tapes.into_iter().enumerate() {
        let Some((tape, constants)) = tape.and_then(|(formula, entry)| formula.tape(entry)) else {
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
    program
}

/// A formula and which of its entries is wanted.
type Entry<'a> = Option<(&'a Formula<f64>, usize)>;

/// The torque of the potential and the one beside it, if the device can have both.
fn tapes(body: &RigidBody<f64>) -> Option<[Entry<'_>; 2]> {
    let Field::Formula(law) = &body.potential else { return None };
    if law.functions.any() || law.potential.is_none() && !matches!(law.base, Field::Free) {
        return None;
    }
    let potential = law.potential.as_ref().map(|potential| (potential.formula(), 1));
    let torque = law.torque.as_ref().map(|torque| (torque.formula(), 0));
    let tapes = [potential, torque];
    fit(&tapes).then_some(tapes)
}

/// Whether they have no more registers than the device.
fn fit(tapes: &[Entry<'_>; 2]) -> bool {
    tapes.iter().flatten().all(|(formula, entry)| {
        formula.tape(*entry).is_some_and(|(tape, _)| tape.file.len() <= REGISTERS)
    })
}

/// An instruction as it lies in memory, the lowest byte first.
fn word(Instruction { code, to, from }: &Instruction) -> u128 {
    let operands = from.iter().rev().fold(0, |all, k| all << 16 | u128::from(*k));
    operands << 32 | u128::from(*to) << 16 | u128::from(*code as u8)
}
