//! Whether what is declared an invariant is one.
//!
//! Each number is differentiated along the motion, as formulas, and the rate is evaluated at random
//! states: near the start, and far from it. It vanishes for an invariant, up to the rounding of the
//! terms that it is the sum of.
use super::declared::Declared;
use super::{Equations, Motion, Scope, Space};
use crate::problem_file::{Reader, SpecError};
use crate::run::State;
use lieflow::kernel::so3;
use lieflow::{Mat3, Vec3};
use lieflow_formula::{Error, Formula, Kind, Program, Rate, Sheet, Value};

/// At so many states.
const STATES: usize = 32;
/// A rate below this part of its largest term is rounding.
const ROUNDING: f64 = 1e-11;

/// Refuses the first declared invariant that changes. Where the motion has kinks, one that is kept on
/// the side of the start and not on another is accepted with a warning.
pub(super) fn invariants(
    root: &Reader<'_>,
    declared: &Declared<'_>,
    equations: &Equations,
    scope: &Scope<'_>,
    start: &State,
) -> Result<(), SpecError> {
    let tested: Vec<_> = declared.invariants.iter().filter(|i| !i.believe).collect();
    for invariant in tested {
        let text = invariant.text;
        let untrue =
            |message: String| Err(SpecError::Untrue { place: text.place.clone(), message });
        let sheet = scope.sheet(&[text])?;
        let made = rates(sheet, equations, text.label(), text.text);
        let rates = made.map_err(|error| scope.error(error, &[text]))?;
        if rates.timed {
            return untrue(format!(
                "'{}' depends on the time itself, so it is watched as an observable, not as an invariant",
                invariant.name
            ));
        }
        if !equations.moves() {
            continue;
        }
        if rates.unknown {
            return untrue(format!(
                "the rate of '{}' cannot be worked out for this motion (add `believe = true` to watch \
                 it all the same)",
                invariant.name
            ));
        }
        let parts = rates.parts;
        let Ok(formula) = Formula::new(rates.program, scope.values.numbers.clone()) else {
            continue;
        };
        let Findings { worst, changed, kept } = findings(&formula, parts, equations, start);
        let Some((rate, terms)) = worst.filter(|_| changed > 0) else { continue };
        let name = invariant.name;
        if rates.kinked && kept > STATES / 4 {
            root.warn(
                "invariants",
                format!(
                    "'{name}' is kept at {kept} of {STATES} random states and changes at {changed}, \
                     since this motion has a kink: it is an invariant on one side only"
                ),
            );
            continue;
        }
        return untrue(format!(
            "'{name}' changes at {changed} of {STATES} random states, at the rate {rate:.3e} where the \
             terms of that rate are up to {terms:.1e}; it is no invariant of this motion (add \
             `believe = true` to watch it all the same)"
        ));
    }
    Ok(())
}

struct Rates {
    program: Program,
    /// Whether the number itself depends on the time.
    timed: bool,
    /// Whether the motion has kinks.
    kinked: bool,
    /// How many parts of the state move.
    parts: usize,
    /// Whether a rate cannot be worked out: the motion is not of the kind of the state.
    unknown: bool,
}

/// Entries: the speeds of each part of the state that moves; then for each number of a formula its
/// rate, the terms of that, and the slopes of the number by each part.
fn rates(mut sheet: Sheet, equations: &Equations, label: &str, text: &str) -> Result<Rates, Error> {
    if equations.derivation.is_none() {
        // One after the other, so that long rows of definitions that use each other are not deep.
        sheet.check_definitions()?;
    }
    let value = sheet.formula(label, text)?;
    let timed = sheet.program(&[("value", &value)])?.reads(0, "t");
    let motion = motion(&mut sheet, equations)?;
    let flat = |value: &Value| Value::List(value.ids().into_iter().map(Value::Number).collect());
    let mut entries = Vec::new();
    for (_, rate) in &motion {
        let (Rate::Shift(speed) | Rate::Turn(speed) | Rate::Body(speed) | Rate::Space(speed)) =
            rate;
        entries.push(flat(speed));
    }
    let mut unknown = false;
    for number in value.ids() {
        let number = Value::Number(number);
        let Some(change) = sheet.rate(&number, &motion) else {
            unknown = true;
            break;
        };
        entries.extend([change.rate, change.terms]);
        for (part, _) in &motion {
            let slopes = sheet.gradient(&number, part).unwrap_or(Value::Zero);
            entries.push(flat(&slopes));
        }
    }
    let entries: Vec<(&str, &Value)> = entries.iter().map(|value| ("rate", value)).collect();
    let program = sheet.program(&entries)?;
    let kinked = (0..program.len()).any(|entry| !program.kinks(entry).is_empty());
    Ok(Rates { program, timed, kinked, parts: motion.len(), unknown })
}

/// How the parts of a state move, as values.
pub(super) fn motion(
    sheet: &mut Sheet,
    equations: &Equations,
) -> Result<Vec<(Value, Rate)>, Error> {
    let mut list = match &equations.derivation {
        Some(derivation) => derivation.derive(sheet)?,
        None => Vec::new(),
    };
    for (name, motion) in &equations.motion {
        let Some(part) = sheet.get(name) else { continue };
        let (Motion::Shift(text) | Motion::Turn(text) | Motion::Body(text) | Motion::Space(text)) =
            motion;
        let label = format!("the motion of {name}");
        let value = match &part {
            Value::List(items) => {
                let mut values = Vec::new();
                for i in 1..=items.len() {
                    values.push(sheet.formula_at(&label, text, &[("i", i as i64)])?);
                }
                Value::List(values.into())
            }
            _ => sheet.formula(&label, text)?,
        };
        let rate = match motion {
            Motion::Shift(_) => Rate::Shift(value),
            Motion::Turn(_) => Rate::Turn(value),
            Motion::Body(_) => Rate::Body(value),
            Motion::Space(_) => Rate::Space(value),
        };
        list.push((part, rate));
    }
    Ok(list)
}

/// What the rates are at random states.
struct Findings {
    /// The largest rate beside its terms, and the largest of these.
    worst: Option<(f64, f64)>,
    /// At how many states it is more than rounding, and at how many not.
    changed: usize,
    kept: usize,
}

/// Evaluates rates at random states; those at which something is not finite do not count.
///
/// A rate may cancel within one number of the state, too: that of `m3` in a field along it. So the
/// terms are at least what the largest slope by a part of the state gives with its largest speed.
fn findings(
    formula: &Formula<f64>,
    parts: usize,
    equations: &Equations,
    start: &State,
) -> Findings {
    let program = formula.program();
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    let mut found = Findings { worst: None, changed: 0, kept: 0 };
    let (mut given, mut scratch) = (Vec::new(), Vec::new());
    equations.inputs(start, &mut given);
    for k in 0..STATES {
        let distance = if k % 2 == 0 { 0.1 } else { 1.0 };
        let inputs = random_state(equations, &given, distance, &mut chance);
        // The largest number of an entry.
        let mut largest = |entry: usize| {
            let mut numbers = vec![0.0; program.kind(entry).map_or(0, Kind::size)];
            formula.eval(entry, &inputs, &mut numbers, &mut scratch);
            numbers.iter().fold(0.0, |a: f64, x| if x.is_nan() { *x } else { a.max(x.abs()) })
        };
        let speeds: Vec<f64> = (0..parts).map(&mut largest).collect();
        let (mut finite, mut changed) = (true, false);
        for entry in (parts..program.len()).step_by(2 + parts) {
            let (rate, mut terms) = (largest(entry), largest(entry + 1));
            if rate > 0.0 {
                let slopes = speeds.iter().enumerate().map(|(i, v)| v * largest(entry + 2 + i));
                terms = slopes.fold(terms, f64::max);
            }
            if !(rate.is_finite() && terms.is_finite()) {
                finite = false;
                continue;
            }
            changed |= rate > ROUNDING * terms;
            if terms > 0.0 && found.worst.is_none_or(|(r, l)| rate * l > r * terms) {
                found.worst = Some((rate, terms));
            }
        }
        found.changed += usize::from(changed);
        found.kept += usize::from(finite && !changed);
    }
    found
}

/// A state at about this distance from another, on the same manifold.
pub(super) fn random_state(
    equations: &Equations,
    given: &[f64],
    distance: f64,
    chance: &mut Chance,
) -> Vec<f64> {
    if let Some(derivation) = &equations.derivation {
        let (numbers, t) = given.split_at(given.len().saturating_sub(1));
        let mut state = derivation.random_state(numbers, distance, chance);
        state.extend(t.iter().map(|t| t + 10.0 * distance * chance.normal()));
        return state;
    }
    let mut state = given.to_vec();
    let mut next = 0;
    for part in &equations.state {
        let range = next..next + part.kind.size();
        let before = next.saturating_sub(part.kind.size());
        next = range.end;
        let (earlier, rest) = state.split_at_mut(range.start);
        let numbers = &mut rest[..part.kind.size()];
        match part.space {
            Space::Rotations => {
                for entries in numbers.chunks_exact_mut(9) {
                    let mut rows = [[0.0; 3]; 3];
                    rows.as_flattened_mut().copy_from_slice(entries);
                    let r = Mat3::<f64>::lift(rows).matmul(&so3::exp(chance.vector() * distance));
                    entries.copy_from_slice(r.rows.map(Vec3::to_array).as_flattened());
                }
            }
            space => {
                let size = numbers.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
                let scale = distance * if size > 0.0 { size } else { 1.0 };
                numbers.iter_mut().for_each(|x| *x += scale * chance.normal());
                for (i, v) in numbers.chunks_exact_mut(3).enumerate() {
                    let vector = Vec3::from([v[0], v[1], v[2]]);
                    let moved = match space {
                        Space::Spheres => vector.times(1.0 / vector.norm()),
                        Space::Tangent => {
                            let at = before + 3 * i;
                            let q = earlier
                                .get(at..at + 3)
                                .map_or(Vec3::zero(), |q| Vec3::from([q[0], q[1], q[2]]));
                            vector - q.times(q.dot(vector))
                        }
                        _ => continue,
                    };
                    v.copy_from_slice(&moved.to_array());
                }
            }
        }
    }
    if let Some(t) = state.last_mut() {
        *t += 10.0 * distance * chance.normal();
    }
    state
}

/// Random numbers, the same each time.
#[derive(Clone, Debug)]
pub struct Chance(pub u64);

impl Chance {
    /// Between zero and one (SplitMix64).
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 * (0.5f64).powi(53)
    }
    /// Nearly normal: the sum of twelve.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
    /// Three of these.
    pub fn vector(&mut self) -> Vec3<f64> {
        Vec3::from([self.normal(), self.normal(), self.normal()])
    }
}
