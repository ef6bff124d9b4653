//! A part of the graph as instructions over registers.
//!
//! Registers begin with what is given: the inputs that are read at all, one after the other, then
//! everything that depends on no input, which a prologue has computed once. All are given to others
//! after their last use.
use crate::graph::{Graph, Id, Op, Table};
use lieflow_kernel::tape::{Code, Instruction, LONGEST_ROW};

mod fuse;
mod order;

use fuse::{Step, fuse};

/// So many registers are copied in no time.
const SMALL: usize = 64;

/// What changes from one evaluation to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Varying {
    /// State and time; parameters are fixed.
    Inputs,
    /// Parameters: of the prologue, where only constants are fixed.
    Parameters,
}

/// Instructions, and where things lie before and after.
#[derive(Clone, Debug)]
pub struct Tape {
    /// Which inputs are read, into the first registers.
    pub read: Vec<u32>,
    /// The nodes that follow, fixed beforehand.
    pub fixed: Vec<Id>,
    /// What is done.
    pub code: Vec<Instruction>,
    /// Where the results are.
    pub outputs: Vec<u16>,
    /// The length of the file: a power of two, above all registers.
    pub size: usize,
    /// How many operations of the graph there are.
    pub operations: usize,
}

impl Tape {
    /// The tape that computes these nodes, if there are registers enough.
    pub fn new(graph: &Graph, varying: Varying, outputs: &[Id]) -> Option<Self> {
        let cone = graph.cone(outputs);
        let mut varies: Table<()> = Table::default();
        let mut uses: Table<u32> = Table::default();
        let (mut read, mut fixed) = (Vec::new(), Vec::new());
        let mut operations = 0;
        for id in &cone {
            let op = graph.op(*id);
            let (operands, n) = op.operands();
            let moves = match op {
                Op::Input(_) => varying == Varying::Inputs,
                Op::Param(_) => varying == Varying::Parameters,
                Op::Const(_) => false,
                // The prologue computes also what depends on constants only.
                _ => varying == Varying::Parameters || operands[..n].iter().any(|x| varies.has(*x)),
            };
            if moves {
                varies.put(*id, ());
            }
            if moves && op.computes() {
                operations += 1;
                operands[..n].iter().for_each(|x| *uses.slot(*x).get_or_insert(0) += 1);
            }
        }
        // What is asked for is never swallowed by a fused form.
        outputs.iter().for_each(|x| *uses.slot(*x).get_or_insert(0) += 2);
        for id in &cone {
            match graph.op(*id) {
                Op::Input(k) | Op::Param(k) if varies.has(*id) => read.push((k, *id)),
                _ if !varies.has(*id) && uses.has(*id) => fixed.push(*id),
                _ => {}
            }
        }
        let steps = fuse(graph, &cone, &varies, &uses);
        let given: Vec<Id> = read.iter().map(|(_, id)| *id).chain(fixed.iter().copied()).collect();
        let fast = fewest([order::rows(&steps), order::early(&steps)], &given, outputs);
        let (code, registers) = match fast {
            Some(fast) if fast.1.size() <= SMALL => fast,
            // Copying many registers costs more than waiting for some.
            fast => {
                let dense = Registers::allocate(&given, &order::dense(&steps, outputs), outputs);
                let fast = fast.filter(|f| dense.as_ref().is_none_or(|d| f.1.size() <= d.1.size()));
                fast.or(dense)?
            }
        };
        let code = in_rows(code);
        let size = registers.size();
        let outputs = outputs.iter().map(|x| registers.place.get(*x));
        let outputs = outputs.collect::<Option<Vec<u16>>>()?;
        let read = read.into_iter().map(|(k, _)| k).collect();
        Some(Self { read, fixed, code, outputs, size, operations })
    }

    /// The tape with the numbers that its registers hold at the start.
    #[inline]
    pub fn with<'a, S>(&'a self, file: &'a [S]) -> lieflow_kernel::tape::Tape<'a, S> {
        lieflow_kernel::tape::Tape {
            code: &self.code,
            file,
            read: &self.read,
            outputs: &self.outputs,
        }
    }
}

/// Instructions with registers.
type Allocated = (Vec<Instruction>, Registers);

/// Of two orders the one with the smaller file, else the first.
fn fewest(orders: [Vec<Step>; 2], given: &[Id], outputs: &[Id]) -> Option<Allocated> {
    let [first, second] = orders.map(|steps| Registers::allocate(given, &steps, outputs));
    let size = |list: &Allocated| list.1.size();
    match &second {
        Some(other) if first.as_ref().is_none_or(|list| size(list) > size(other)) => second,
        _ => first,
    }
}

/// Marks the rows of equal codes.
fn in_rows(mut code: Vec<Instruction>) -> Vec<Instruction> {
    let mut rest = &mut code[..];
    while let Some(first) = rest.first() {
        let equal = rest.iter().take_while(|other| other.code == first.code).count();
        let row = (1..=equal.min(LONGEST_ROW)).rev().find_map(|n| Some((n, first.code.row(n)?)));
        let (count, marked) = row.unwrap_or((1, first.code));
        rest[0].code = marked;
        rest = &mut rest[count..];
    }
    code
}

/// Which node is in which register.
#[derive(Debug, Default)]
struct Registers {
    place: Table<u16>,
    free: Vec<u16>,
    /// The first that was never used.
    next: u16,
}

impl Registers {
    fn fresh(&mut self) -> Option<u16> {
        if let Some(register) = self.free.pop() {
            return Some(register);
        }
        self.next = self.next.checked_add(1)?;
        Some(self.next - 1)
    }
    fn take(&mut self, id: Id) -> Option<u16> {
        let register = self.fresh()?;
        self.place.put(id, register);
        Some(register)
    }

    /// Gives a register to every result, and takes back those that nobody reads any more.
    fn allocate(given: &[Id], steps: &[Step], outputs: &[Id]) -> Option<Allocated> {
        let mut registers = Self::default();
        for id in given {
            registers.take(*id)?;
        }
        let code = registers.code(steps, outputs)?;
        Some((code, registers))
    }
    /// The length of a file that holds them all.
    fn size(&self) -> usize {
        usize::from(self.next).max(8).next_power_of_two()
    }
    fn code(&mut self, steps: &[Step], outputs: &[Id]) -> Option<Vec<Instruction>> {
        let mut last: Table<usize> = Table::default();
        for (k, step) in steps.iter().enumerate() {
            step.from().iter().for_each(|x| last.put(*x, k));
        }
        for x in outputs {
            last.put(*x, usize::MAX);
        }
        let mut code = Vec::with_capacity(steps.len());
        for (k, step) in steps.iter().enumerate() {
            let mut from = [0u16; 6];
            for (slot, x) in from.iter_mut().zip(step.from()) {
                *slot = self.place.get(*x)?;
            }
            for (i, x) in step.from().iter().enumerate() {
                if last.get(*x) == Some(k) && !step.from()[..i].contains(x) {
                    self.free.push(from[i]);
                }
            }
            let to = match step.to {
                Some(id) => self.take(id)?,
                None => self.fresh()?,
            };
            if step.code == Code::SinCos {
                // The sine is written last: over the cosine, where nobody wants that.
                from[1] = match step.second {
                    Some(id) => self.take(id)?,
                    None => to,
                };
            }
            if step.to.is_none() {
                self.free.push(to);
            }
            code.push(Instruction { code: step.code, to, from });
        }
        Some(code)
    }
}
