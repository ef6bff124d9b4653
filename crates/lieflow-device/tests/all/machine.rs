//! A machine for texts of PTX, as far as formulas and the functions that they call need it. It knows nothing of what
//! has written them.
use super::operands::{compare, converted, one, two};
use std::collections::HashMap;

/// A function: its parameters and its statements.
struct Function {
    parameters: Vec<String>,
    lines: Vec<String>,
    labels: HashMap<String, usize>,
    targets: HashMap<String, Vec<String>>,
}

/// The machine with a text.
pub struct Machine {
    functions: HashMap<String, Function>,
    /// Where the numbers of the text begin in memory.
    symbols: HashMap<String, u64>,
    memory: Vec<u8>,
}

/// What a function has while it runs.
#[derive(Default)]
struct Frame {
    registers: HashMap<String, u64>,
    /// Arguments and results of calls, by name and place.
    slots: HashMap<(String, u64), u64>,
}

/// Nothing begins here, so that an address that was forgotten is noticed.
const NOTHING: usize = 64;

impl Machine {
    /// Reads a text.
    pub fn new(text: &str) -> Self {
        let mut machine =
            Self { functions: HashMap::new(), symbols: HashMap::new(), memory: vec![0; NOTHING] };
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line.starts_with(".global ") {
                machine.number(line);
            } else if line.starts_with(".func ") {
                machine.function(line, &mut lines);
            }
        }
        machine
    }

    /// `.global .align 8 .b8 NAME[16] = {0,1,…};`
    fn number(&mut self, line: &str) {
        let (head, list) = line.split_once(" = {").unwrap_or((line, ""));
        let name = head.split('[').next().unwrap().rsplit(' ').next().unwrap();
        self.symbols.insert(name.into(), self.memory.len() as u64);
        let bytes = list.trim_end_matches("};").split(',').filter(|b| !b.is_empty());
        // What is no number is the address of something that only a panic looks at.
        self.memory.extend(bytes.map(|byte| byte.trim().parse::<u8>().unwrap_or(0)));
        self.memory.resize(self.memory.len().next_multiple_of(16), 0);
    }

    fn function<'t>(&mut self, head: &str, lines: &mut impl Iterator<Item = &'t str>) {
        let name = head.trim_end_matches(['(', ')']).trim_end().rsplit([' ', ')']).next().unwrap();
        let mut function = Function {
            parameters: Vec::new(),
            lines: Vec::new(),
            labels: HashMap::new(),
            targets: HashMap::new(),
        };
        for line in lines.by_ref().take_while(|line| *line != "{") {
            if line.ends_with(';') && !line.starts_with(".param") {
                // Only declared.
                return;
            }
            if let Some(name) = line.strip_prefix(".param .b64 ") {
                function.parameters.push(name.trim_end_matches(',').into());
            }
        }
        while let Some(line) = lines.next().filter(|line| *line != "}") {
            if let Some(label) = line.strip_suffix(": .branchtargets") {
                let mut list = Vec::new();
                for line in lines.by_ref() {
                    list.push(line.trim_end_matches([',', ';']).into());
                    if line.ends_with(';') {
                        break;
                    }
                }
                function.targets.insert(label.into(), list);
            } else if let Some(label) = line.strip_suffix(':') {
                function.labels.insert(label.into(), function.lines.len());
            } else if let Some(depot) = line.strip_prefix(".local ") {
                let (name, size) = depot.rsplit(' ').next().unwrap().split_once('[').unwrap();
                self.memory.resize(self.memory.len().next_multiple_of(16), 0);
                self.symbols.insert(name.into(), self.memory.len() as u64);
                let size: usize = size.trim_end_matches("];").parse().unwrap();
                self.memory.resize(self.memory.len() + size, 0);
            } else {
                function.lines.push(line.into());
            }
        }
        self.functions.insert(name.into(), function);
    }

    /// Memory with these numbers; its address.
    pub fn put(&mut self, numbers: &[f64]) -> u64 {
        let at = self.memory.len().next_multiple_of(16);
        self.memory.resize(at, 0);
        self.memory.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
        at as u64
    }

    /// The results of a function, by their place.
    pub fn call(&mut self, name: &str, arguments: &[u64]) -> HashMap<u64, u64> {
        let function = self.functions.remove(name).unwrap_or_else(|| panic!("no function {name}"));
        let mut frame = Frame::default();
        assert_eq!(function.parameters.len(), arguments.len(), "{name}");
        for (parameter, x) in function.parameters.iter().zip(arguments) {
            frame.slots.insert((parameter.clone(), 0), *x);
        }
        let mut at = 0;
        for _ in 0..1_000_000 {
            let Some(line) = function.lines.get(at) else { break };
            at += 1;
            match self.line(line, &mut frame) {
                Next::On => {}
                Next::To(label) => at = function.labels[&label],
                Next::Among(label, k) => at = function.labels[&function.targets[&label][k]],
                Next::Back => break,
            }
        }
        self.functions.insert(name.into(), function);
        let results = frame.slots.into_iter().filter(|((name, _), _)| name == "func_retval0");
        results.map(|((_, place), x)| (place, x)).collect()
    }

    fn line(&mut self, line: &str, frame: &mut Frame) -> Next {
        let line = line.trim().trim_end_matches(';').trim();
        if ["", "{", "}"].contains(&line)
            || [".reg", ".param", ".pragma"].iter().any(|word| line.starts_with(word))
        {
            return Next::On;
        }
        // Statements in braces on one line, with a register of their own.
        if let Some(inner) = line.strip_prefix('{') {
            for statement in inner.trim_end_matches('}').split(';') {
                self.line(statement, frame);
            }
            return Next::On;
        }
        let statement = match line.strip_prefix('@') {
            None => line,
            Some(guarded) => {
                let (guard, statement) = guarded.split_once(' ').unwrap();
                let (name, wanted) = guard.strip_prefix('!').map_or((guard, 1), |name| (name, 0));
                if self.value(name, frame) & 1 != wanted {
                    return Next::On;
                }
                statement
            }
        };
        let (operation, rest) = statement.split_once(' ').unwrap_or((statement, ""));
        match operation.split('.').next().unwrap() {
            "ret" => return Next::Back,
            "bra" => return Next::To(rest.into()),
            "brx" => {
                let (index, label) = rest.split_once(',').unwrap();
                return Next::Among(label.trim().into(), self.value(index, frame) as usize);
            }
            "call" => self.nested(rest, frame),
            _ => self.plain(operation, rest, frame),
        }
        Next::On
    }

    /// `(retval0),NAME,(param0,param1)`, where the first part may be missing.
    fn nested(&mut self, rest: &str, frame: &mut Frame) {
        let rest = rest.strip_prefix("(retval0),").unwrap_or(rest);
        let (name, list) = rest.split_once(",(").unwrap_or((rest, ""));
        let list = list.trim_end_matches(')').split(',').filter(|name| !name.is_empty());
        let arguments: Vec<u64> =
            list.map(|name| frame.slots[&(name.trim().to_string(), 0)]).collect();
        for (place, x) in self.call(name.trim(), &arguments) {
            frame.slots.insert(("retval0".into(), place), x);
        }
    }

    /// A statement that writes a register or memory.
    fn plain(&mut self, operation: &str, rest: &str, frame: &mut Frame) {
        let operands = split(rest);
        let (root, kind) = operation.rsplit_once('.').unwrap();
        let source = |k: usize| self.value(&operands[k], frame);
        let result = match root {
            "st.param" | "st.param.v2" => {
                let (name, place) = slot(&operands[0]);
                for (k, from) in parts(&operands[1]).enumerate() {
                    let x = self.value(from, frame);
                    frame.slots.insert((name.clone(), place + 8 * k as u64), x);
                }
                return;
            }
            "ld.param" | "ld.param.v2" => {
                let (name, place) = slot(&operands[1]);
                for (k, to) in parts(&operands[0]).enumerate() {
                    let x = frame.slots[&(name.clone(), place + 8 * k as u64)];
                    frame.registers.insert(to.into(), x);
                }
                return;
            }
            "mov" if operands[0].starts_with('{') || operands[1].starts_with('{') => {
                return self.halves(&operands, frame);
            }
            "mov" => source(1),
            _ if root.starts_with("cvta.") => source(1),
            "mad.lo" => two("add", kind, two("mul.lo", kind, source(1), source(2)), source(3)),
            "selp" => {
                if source(3) & 1 != 0 {
                    source(1)
                } else {
                    source(2)
                }
            }
            _ if root.starts_with("cvt") => converted(&operation[4..], source(1)),
            _ if root.starts_with("setp.") => {
                u64::from(compare(&root[5..], kind, source(1), source(2)))
            }
            _ if root == "ld" || root.starts_with("ld.") => {
                let (at, bytes) = (self.address(&operands[1], frame), bytes(kind));
                for (k, to) in parts(&operands[0]).enumerate() {
                    frame.registers.insert(to.into(), self.read(at + k * bytes, bytes));
                }
                return;
            }
            _ if root == "st" || root.starts_with("st.") => {
                let (at, bytes) = (self.address(&operands[0], frame), bytes(kind));
                for (k, from) in parts(&operands[1]).enumerate() {
                    let x = self.value(from, frame).to_le_bytes();
                    let at = at + k * bytes;
                    self.memory[at..at + bytes].copy_from_slice(&x[..bytes]);
                }
                return;
            }
            _ if operands.len() == 2 => one(root, kind, source(1)),
            _ => two(root, kind, source(1), source(2)),
        };
        frame.registers.insert(operands[0].clone(), result);
    }

    /// A number of 64 bits into two of 32, or the other way round.
    fn halves(&self, operands: &[String], frame: &mut Frame) {
        if operands[0].starts_with('{') {
            let x = self.value(&operands[1], frame);
            for (to, half) in parts(&operands[0]).zip([x & 0xFFFF_FFFF, x >> 32]) {
                frame.registers.insert(to.into(), half);
            }
        } else {
            let halves: Vec<u64> = parts(&operands[1]).map(|x| self.value(x, frame)).collect();
            frame.registers.insert(operands[0].clone(), halves[0] & 0xFFFF_FFFF | halves[1] << 32);
        }
    }

    fn read(&self, at: usize, bytes: usize) -> u64 {
        assert!(at >= NOTHING, "nothing is at {at}");
        let mut x = [0; 8];
        x[..bytes].copy_from_slice(&self.memory[at..at + bytes]);
        u64::from_le_bytes(x)
    }

    fn address(&self, operand: &str, frame: &Frame) -> usize {
        let inner = operand.trim_start_matches('[').trim_end_matches(']');
        let (base, offset) = inner.split_once('+').unwrap_or((inner, "0"));
        (self.value(base, frame) as i64 + offset.parse::<i64>().unwrap()) as usize
    }

    /// A register, a number or the address of a symbol.
    fn value(&self, operand: &str, frame: &Frame) -> u64 {
        let operand = operand.trim();
        if let Some(x) = frame.registers.get(operand).or_else(|| self.symbols.get(operand)) {
            return *x;
        }
        let hexadecimal = operand.strip_prefix("0d").or_else(|| operand.strip_prefix("0f"));
        if let Some(digits) = hexadecimal {
            return u64::from_str_radix(digits, 16).unwrap();
        }
        let number = operand.parse::<i64>().map(|x| x as u64).or_else(|_| operand.parse::<u64>());
        number.unwrap_or_else(|_| panic!("'{operand}' was never written"))
    }
}

/// Where it goes on.
enum Next {
    On,
    To(String),
    Among(String, usize),
    Back,
}

/// Operands, those in braces together.
fn split(rest: &str) -> Vec<String> {
    let (mut list, mut depth) = (vec![String::new()], 0);
    for c in rest.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ',' && depth == 0 {
            list.push(String::new());
        } else {
            list.last_mut().unwrap().push(c);
        }
    }
    list.iter().map(|operand| operand.trim().into()).collect()
}

/// The operands in braces, or the one that stands alone.
fn parts(operand: &str) -> impl Iterator<Item = &str> {
    operand.trim_start_matches('{').trim_end_matches('}').split(',').map(str::trim)
}

/// The name and the place of `[retval0+8]`.
fn slot(operand: &str) -> (String, u64) {
    let inner = operand.trim_start_matches('[').trim_end_matches(']');
    let (name, place) = inner.split_once('+').unwrap_or((inner, "0"));
    (name.into(), place.parse().unwrap())
}

/// The bytes of a type.
fn bytes(kind: &str) -> usize {
    kind[1..].parse::<usize>().unwrap() / 8
}
