//! Instructions of a tape as statements of PTX, one operation each.
//!
//! `.rn` also says that nothing may be fused: each operation is rounded by itself, as everywhere. Functions are those
//! of the kernel, which are in the text.
use lieflow::kernel::tape::{Code, Instruction};
use std::fmt::Write;

/// What `f64::NAN` is.
const NAN: f64 = f64::NAN;

/// A number as PTX writes it, to the last bit.
pub fn literal(x: f64) -> String {
    format!("0d{:016X}", x.to_bits())
}

/// Statements on registers that are written once.
#[derive(Debug, Default)]
pub struct Statements {
    text: String,
    /// Registers `%x` for numbers and `%q` for conditions.
    numbers: usize,
    conditions: usize,
}

impl Statements {
    /// A register for a number.
    pub fn number(&mut self) -> String {
        self.numbers += 1;
        format!("%x{}", self.numbers - 1)
    }

    /// Adds a statement.
    pub fn push(&mut self, statement: &str) {
        self.text += statement;
        self.text += ";\n";
    }

    /// All statements, with the registers that they need.
    pub fn with_registers(self) -> String {
        let Self { text, numbers, conditions } = self;
        format!(".reg .f64 %x<{}>;\n.reg .pred %q<{}>;\n{text}", numbers + 1, conditions + 1)
    }

    /// The result of an operation.
    fn result(&mut self, operation: &str, operands: &[&str]) -> String {
        let to = self.number();
        self.push(&format!("{operation} {to},{}", operands.join(",")));
        to
    }

    pub fn add(&mut self, a: &str, b: &str) -> String {
        self.result("add.rn.f64", &[a, b])
    }
    fn sub(&mut self, a: &str, b: &str) -> String {
        self.result("sub.rn.f64", &[a, b])
    }
    fn mul(&mut self, a: &str, b: &str) -> String {
        self.result("mul.rn.f64", &[a, b])
    }

    /// `c` where `a < b`, else `d`: also where one is not a number.
    fn select(&mut self, [a, b, c, d]: [&str; 4]) -> String {
        let condition = format!("%q{}", self.conditions);
        self.conditions += 1;
        self.push(&format!("setp.lt.f64 {condition},{a},{b}"));
        self.result("selp.f64", &[c, d, &condition])
    }

    /// The results of a function of the text.
    fn call<const N: usize>(&mut self, name: &str, operands: &[&str]) -> [String; N] {
        let to = [(); N].map(|()| self.number());
        let names: Vec<String> = (0..operands.len()).map(|k| format!("param{k}")).collect();
        self.text += "\t{\n";
        for name in &names {
            self.push(&format!(".param .b64 {name}"));
        }
        self.push(&match N {
            1 => ".param .b64 retval0".into(),
            n => format!(".param .align 8 .b8 retval0[{}]", 8 * n),
        });
        for (name, operand) in names.iter().zip(operands) {
            self.push(&format!("st.param.f64 [{name}],{operand}"));
        }
        self.push(&format!("call.uni (retval0),{name},({})", names.join(",")));
        for (k, to) in to.iter().enumerate() {
            let place = if k == 0 { String::new() } else { format!("+{}", 8 * k) };
            self.push(&format!("ld.param.f64 {to},[retval0{place}]"));
        }
        self.text += "\t}\n";
        to
    }

    fn function(&mut self, name: &str, operands: &[&str]) -> String {
        let [to] = self.call(name, operands);
        to
    }

    /// Carries out an instruction on a file of registers, each of which is the name of a register or a literal.
    /// Nothing if it has not the registers.
    pub fn carry_out(&mut self, instruction: &Instruction, file: &mut [String]) -> Option<()> {
        let Instruction { code, to, from } = *instruction;
        let [at_b, at_to] = [from[1], to].map(usize::from);
        // An instruction does not look at all operands, and those that it ignores may be any number.
        let operand = |k: u16| file.get(usize::from(k)).cloned().unwrap_or_default();
        let [a, b, c, d, e, f] = from.map(operand);
        let [a, b, c, d, e, f] = [&*a, &*b, &*c, &*d, &*e, &*f];
        let result = match code.single() {
            Code::Add => self.add(a, b),
            Code::Sub => self.sub(a, b),
            Code::Mul => self.mul(a, b),
            Code::Div => self.result("div.rn.f64", &[a, b]),
            Code::Neg => self.result("neg.f64", &[a]),
            Code::Sqrt => self.result("sqrt.rn.f64", &[a]),
            Code::Abs => self.result("abs.f64", &[a]),
            Code::Floor => self.result("cvt.rmi.f64.f64", &[a]),
            Code::SinCos => {
                let [sin, cos] = self.call("lieflow_sin_cos", &[a]);
                *file.get_mut(at_b)? = cos;
                sin
            }
            Code::Exp => self.function("lieflow_exp", &[a]),
            Code::Ln => self.function("lieflow_ln", &[a]),
            Code::Atan2 => self.function("lieflow_atan2", &[a, b]),
            Code::Sinh => self.function("lieflow_sinh", &[a]),
            Code::Cosh => self.function("lieflow_cosh", &[a]),
            Code::Tanh => self.function("lieflow_tanh", &[a]),
            Code::Select => self.select([a, b, c, d]),
            Code::Guard => self.select([&literal(0.0), a, b, &literal(NAN)]),
            Code::Sum3 => {
                let sum = self.add(a, b);
                self.add(&sum, c)
            }
            Code::Product3 => {
                let product = self.mul(a, b);
                self.mul(&product, c)
            }
            Code::MulAdd => {
                let product = self.mul(a, b);
                self.add(&product, c)
            }
            Code::MulSub => {
                let product = self.mul(a, b);
                self.sub(&product, c)
            }
            Code::SubMul => {
                let product = self.mul(a, b);
                self.sub(c, &product)
            }
            Code::Dot2 => self.dot(a, b, c, d),
            Code::Dot2Add => {
                let sum = self.dot(a, b, c, d);
                self.add(&sum, e)
            }
            Code::Dot3 => {
                let (sum, third) = (self.dot(a, b, c, d), self.mul(e, f));
                self.add(&sum, &third)
            }
            Code::Cross => self.cross(a, b, c, d),
            Code::CrossAdd => {
                let difference = self.cross(a, b, c, d);
                self.add(&difference, e)
            }
            // A row, whose single code is one of those above.
            _ => return None,
        };
        *file.get_mut(at_to)? = result;
        Some(())
    }

    /// `a b + c d`.
    fn dot(&mut self, a: &str, b: &str, c: &str, d: &str) -> String {
        let (first, second) = (self.mul(a, b), self.mul(c, d));
        self.add(&first, &second)
    }

    /// `a b - c d`.
    fn cross(&mut self, a: &str, b: &str, c: &str, d: &str) -> String {
        let (first, second) = (self.mul(a, b), self.mul(c, d));
        self.sub(&first, &second)
    }

    /// Reads the number behind an address, which nobody writes.
    pub fn load(&mut self, address: &str, bytes: usize) -> String {
        let to = self.number();
        let _ = writeln!(self.text, "ld.global.nc.f64 {to},[{address}+{bytes}];");
        to
    }
}
