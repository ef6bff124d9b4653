//! Tapes read back from the words of a program ([`kernel::formula`](crate::kernel::formula)).
use crate::kernel::formula::HEAD;
use lieflow::kernel::tape::{Code, Instruction};

/// A tape.
#[derive(Clone, Debug, PartialEq)]
pub struct Tape {
    /// How many registers it has.
    pub registers: usize,
    /// The inputs that it reads, into the first registers.
    pub reads: Vec<usize>,
    /// How many constants follow them.
    pub constants: usize,
    /// Which of all constants is its first.
    pub first: usize,
    /// What is done.
    pub code: Vec<Instruction>,
    /// The registers of the three results.
    pub results: [usize; 3],
}

/// The tape whose place a word of the program's head says: `Some(None)` if it says that there is none, and nothing
/// if the words are not those of a tape.
pub fn tape(program: &[u128], which: usize) -> Option<Option<Tape>> {
    let number = |k: usize| program.get(k).and_then(|word| usize::try_from(*word).ok());
    let at = match number(which)? {
        0 => return Some(None),
        at => at,
    };
    let head = |k: usize| number(at + k);
    let reads: Vec<usize> = (0..head(1)?).map(|k| head(HEAD + k)).collect::<Option<_>>()?;
    let begin = at + HEAD + reads.len();
    let code = program.get(begin..begin.checked_add(head(3)?)?)?;
    let results = head(4)?;
    Some(Some(Tape {
        registers: head(0)?,
        constants: head(2)?,
        first: head(5)?,
        code: code.iter().map(|word| instruction(*word)).collect::<Option<_>>()?,
        results: [0, 1, 2].map(|k| results >> (16 * k) & 0xFFFF),
        reads,
    }))
}

/// All constants of a program.
pub fn constants(program: &[u128]) -> usize {
    [0, 1].iter().filter_map(|k| tape(program, *k)?).map(|tape| tape.constants).sum()
}

/// The instruction that a word is, the lowest byte first.
fn instruction(word: u128) -> Option<Instruction> {
    let part = |k: u32| (word >> (16 * k)) as u16;
    let code = *Code::ALL.get(usize::from(part(0)))?;
    Some(Instruction { code, to: part(1), from: [2, 3, 4, 5, 6, 7].map(part) })
}
