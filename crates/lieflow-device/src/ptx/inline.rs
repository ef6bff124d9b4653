//! Functions of PTX put in the places where they are called.
//!
//! The compiler of the driver inlines nothing. A call is a block of statements in braces that stores arguments, calls
//! and loads results; it becomes a block with the statements of the function, whose registers, labels and
//! memory get names of their own:
//!
//! ```text
//! {                                        {
//! .param .b64 param0;                      .reg .b64 %i7_in<2>;
//! .param .b64 retval0;                     .reg .b64 %i7_out<2>;
//! st.param.b64 [param0],%rd5;              mov.b64 %i7_in0,%rd5;
//! call.uni (retval0),f,(param0);           statements of f
//! ld.param.b64 %rd6,[retval0];             mov.b64 %rd6,%i7_out0;
//! }                                        }
//! ```
//!
//! A function or a call of another form is left as it is, which is as right.
use super::parts::Part;
use std::fmt::Write;

/// A text grows to so many lines at most: the time of the compiler grows with it.
const LONGEST: usize = 20_000;

/// How the block of a call begins and ends in the text.
const OPEN: &str = "\t{";
const CLOSE: &str = "\t}";

/// A function that can be put in the place of a call.
#[derive(Clone, Debug)]
pub struct Function {
    name: String,
    /// Its statements, line by line, without the last `ret`.
    lines: Vec<String>,
}

impl Function {
    /// The function that a part of the text is, if it can be moved: it does not ask which thread calls it.
    pub fn read(part: &Part<'_>) -> Option<Self> {
        let name = part.name?.to_string();
        let text = part.text.strip_prefix(".func ")?;
        let (_, body) = text.split_once("\n{\n")?;
        // A `ret` elsewhere goes to the end.
        let body = body.strip_suffix("}\n")?;
        let body = body.strip_suffix("ret;\n").unwrap_or(body);
        let moves = ["%tid", "%ntid", "%ctaid"].iter().all(|word| !body.contains(word));
        moves.then(|| Self { name, lines: body.lines().map(String::from).collect() })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The statements in the place of call number `k`; nothing if one of them has another form.
    fn place(&self, k: usize) -> Option<String> {
        let (end, mut ends) = (format!("$i{k}_end"), false);
        let mut text = String::new();
        for line in &self.lines {
            let line = line
                .replace('%', &format!("%i{k}_"))
                .replace("$L", &format!("$i{k}_L"))
                .replace("__local_", &format!("__local_{k}_"));
            if line == "ret;" {
                let _ = writeln!(text, "bra.uni {end};");
                ends = true;
            } else if line.contains("func_retval0") {
                let (place, value) = line.strip_prefix("st.param.")?.split_once(',')?;
                let number = slot(place.split_once(' ')?.1, "func_retval0")?;
                let _ = writeln!(text, "mov.b64 %i{k}_out{number},{value}");
            } else if line.contains("_param_") {
                let (to, place) = line.strip_prefix("ld.param.")?.split_once(',')?;
                let number = place.strip_prefix(&format!("[{}_param_", self.name))?;
                let number = number.strip_suffix("];")?.parse::<usize>().ok()?;
                let _ = writeln!(text, "mov.b64 {},%i{k}_in{number};", to.split_once(' ')?.1);
            } else {
                let _ = writeln!(text, "{line}");
            }
        }
        if ends {
            let _ = writeln!(text, "{end}:");
        }
        Some(text)
    }
}

/// The number of the word in a place such as `[retval0+8]`.
fn slot(place: &str, name: &str) -> Option<usize> {
    let rest =
        place.strip_prefix('[')?.strip_prefix(name)?.trim_end_matches(';').strip_suffix(']')?;
    match rest.strip_prefix('+') {
        Some(bytes) => bytes.parse::<usize>().ok().filter(|b| b % 8 == 0).map(|b| b / 8),
        None => rest.is_empty().then_some(0),
    }
}

/// The text with functions in the place of their calls.
pub fn inline(text: &str, functions: &[Function]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut length = text.lines().count();
    let mut number = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line != OPEN {
            out += line;
            out += "\n";
            continue;
        }
        let rest = lines.clone();
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != CLOSE).collect();
        let called = functions.iter().find(|function| calls(&block, function.name()));
        let fits = called.filter(|function| length + function.lines.len() <= LONGEST);
        match fits.and_then(|function| placed(&block, function, number)) {
            Some(text) => {
                length += text.lines().count();
                number += 1;
                out += &text;
            }
            None => {
                // A block within it may be the call.
                lines = rest;
                out += "\t{\n";
            }
        }
    }
    out
}

/// Whether a block calls this function.
fn calls(block: &[&str], name: &str) -> bool {
    let call = format!("call.uni (retval0),{name},(");
    block.iter().any(|line| line.starts_with(&call))
}

/// The block of a call with the function in its place.
fn placed(block: &[&str], function: &Function, k: usize) -> Option<String> {
    let (mut before, mut after, mut inputs, mut outputs) = (String::new(), String::new(), 0, 0);
    for line in block {
        if line.starts_with(".param ") || line.starts_with("call.uni ") {
            continue;
        }
        if let Some(store) = line.strip_prefix("st.param.") {
            let (place, value) = store.split_once(',')?;
            let (kind, place) = place.split_once(' ')?;
            let number = place.strip_prefix("[param")?.strip_suffix(']')?.parse::<usize>().ok()?;
            inputs = inputs.max(number + 1);
            let _ = writeln!(before, "mov.{kind} %i{k}_in{number},{value}");
        } else {
            let (to, place) = line.strip_prefix("ld.param.")?.split_once(',')?;
            let number = slot(place, "retval0")?;
            outputs = outputs.max(number + 1);
            let _ = writeln!(after, "mov.b64 {},%i{k}_out{number};", to.split_once(' ')?.1);
        }
    }
    let registers = |name: &str, count: usize| format!(".reg .b64 %i{k}_{name}<{}>;\n", count + 1);
    // A function may have results that nobody asks for.
    let room = registers("in", inputs) + &registers("out", outputs.max(3));
    Some(format!("{OPEN}\n{room}{before}{}{after}{CLOSE}\n", function.place(k)?))
}
