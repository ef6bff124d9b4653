//! Formulas as functions of PTX.
//!
//! The entries declare some functions (`kernel::called`); here they are written for the formulas of a run. Constants
//! that all trajectories share are literals, others are read where they lie. Statements are those of the tape in its
//! order, so that bits are those of the interpreter.
use super::operations::{Statements, literal};
use super::tapes::{Tape, constants, tape};
use crate::kernel::TILE;
use std::sync::Arc;

/// How a declaration of the text begins that is to be replaced.
pub const DECLARED: &str = ".extern ";

/// The inputs of the functions by their names, without the address of the constants.
const POTENTIAL: (&str, usize) = ("lieflow_formula_potential", 10);
const WHOLE: (&str, usize) = ("lieflow_formula_whole", 16);
const FIELD: (&str, usize) = ("lieflow_formula_field", 4);
const ROW: &str = "lieflow_formula_row";

/// The formulas of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Formulas {
    program: Arc<[u128]>,
    /// The bits of each constant, where all trajectories have the same.
    constants: Vec<Option<u64>>,
}

impl Formulas {
    /// Those of a program; `same` has each parameter of the system, where all trajectories have the same number there:
    /// the constants are the last ones.
    pub fn new(program: Arc<[u128]>, same: &[Option<f64>]) -> Self {
        let first = same.len().saturating_sub(constants(&program));
        let constants = same[first..].iter().map(|x| x.map(f64::to_bits)).collect();
        Self { program, constants }
    }

    /// The function of this name with the declaration that the text has, which ends with a semicolon. Nothing if there
    /// is no such function, or the program is not one for it.
    pub fn define(&self, name: &str, declared: &str) -> Option<String> {
        let head = declared.trim_end().trim_end_matches(';').trim_end();
        let statements = match name {
            ROW => {
                let row = self.program.get(2)?;
                format!("st.param.b64 [func_retval0],{row};\n")
            }
            name if name == POTENTIAL.0 => self.body(POTENTIAL, false)?,
            name if name == WHOLE.0 => self.body(WHOLE, true)?,
            name if name == FIELD.0 => self.body(FIELD, false)?,
            _ => return None,
        };
        Some(format!("{head}\n{{\n{statements}ret;\n}}\n"))
    }

    /// The statements of the first tape, and of the second beside it if it is asked for.
    fn body(&self, (name, inputs): (&str, usize), beside: bool) -> Option<String> {
        let mut statements = Statements::default();
        let read = |k: usize| {
            let to = statements.number();
            statements.push(&format!("ld.param.b64 {to},[{name}_param_{k}]"));
            to
        };
        let inputs: Vec<String> = (0..inputs).map(read).collect();
        statements.push(".reg .b64 %constants");
        statements.push(&format!("ld.param.b64 %constants,[{name}_param_{}]", inputs.len()));
        statements.push("cvta.to.global.u64 %constants,%constants");
        // The first tape has no inputs of motion: attitude, then the time.
        let at_rest: Vec<String> = match beside {
            true => inputs[..9].iter().chain(inputs.last()).cloned().collect(),
            false => inputs.clone(),
        };
        let zero = [(); 3].map(|()| literal(0.0));
        let mut results = match tape(&self.program, 0)? {
            None => zero,
            Some(tape) => self.carry_out(&tape, &at_rest, &mut statements)?,
        };
        if beside && let Some(tape) = tape(&self.program, 1)? {
            let others = self.carry_out(&tape, &inputs, &mut statements)?;
            for (result, other) in results.iter_mut().zip(&others) {
                *result = statements.add(result, other);
            }
        }
        for (k, result) in results.iter().enumerate() {
            let place = if k == 0 { String::new() } else { format!("+{}", 8 * k) };
            statements.push(&format!("st.param.f64 [func_retval0{place}],{result}"));
        }
        Some(statements.with_registers())
    }

    /// The three results of a tape.
    fn carry_out(
        &self,
        tape: &Tape,
        inputs: &[String],
        statements: &mut Statements,
    ) -> Option<[String; 3]> {
        let mut file = vec![literal(0.0); tape.registers];
        let (read, rest) = file.split_at_mut_checked(tape.reads.len())?;
        for (register, from) in read.iter_mut().zip(&tape.reads) {
            register.clone_from(inputs.get(*from)?);
        }
        for (k, register) in rest.get_mut(..tape.constants)?.iter_mut().enumerate() {
            let which = tape.first + k;
            *register = match self.constants.get(which)? {
                Some(bits) => literal(f64::from_bits(*bits)),
                None => statements.load("%constants", 8 * TILE * which),
            };
        }
        for instruction in &tape.code {
            statements.carry_out(instruction, &mut file)?;
        }
        let [x, y, z] = tape.results.map(|k| file.get(k).cloned());
        Some([x?, y?, z?])
    }
}
