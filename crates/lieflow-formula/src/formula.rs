//! A program with numbers for its parameters.
use crate::program::Program;
use lieflow_kernel::Real;
use std::fmt;

/// A [`Program`] whose parameters are numbers of the scalar `S`: one trajectory, or one for each
/// lane.
#[derive(Clone)]
pub struct Formula<S> {
    program: Program,
    numbers: Vec<S>,
    /// What the registers of each entry hold at the start, one entry after the other.
    files: Vec<S>,
    /// The times of lanes, where they differ.
    times: Option<S>,
}

/// That a program has another number of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongCount {
    /// How many numbers were given.
    pub found: usize,
    /// How many there are.
    pub expected: usize,
}

impl fmt::Display for WrongCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the program has {} numbers as parameters, and {} were given",
            self.expected, self.found
        )
    }
}
impl std::error::Error for WrongCount {}

impl<S: fmt::Debug> fmt::Debug for Formula<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Formula").field("numbers", &self.numbers).finish_non_exhaustive()
    }
}

impl<S: Real> Formula<S> {
    /// The program with these parameters, in the order of their names.
    pub fn new(program: Program, numbers: Vec<S>) -> Result<Self, WrongCount> {
        let (found, expected) = (numbers.len(), program.parameters());
        if found != expected {
            return Err(WrongCount { found, expected });
        }
        let mut formula = Self { files: Vec::new(), program, numbers, times: None };
        formula.prepare();
        Ok(formula)
    }
    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }
    /// The parameters.
    pub fn numbers(&self) -> &[S] {
        &self.numbers
    }
    /// The same program over other numbers.
    pub fn lift<T: Real>(&self, embed: fn(S) -> T) -> Formula<T> {
        let numbers = self.numbers.iter().map(|x| embed(*x)).collect();
        let mut formula =
            Formula { files: Vec::new(), program: self.program.clone(), numbers, times: None };
        formula.prepare();
        formula
    }
    /// Several formulas of one program side by side, one for each lane; if there are fewer, the last
    /// fills the others. Nothing if there is none, or if their programs differ.
    pub fn gather(list: &[&Formula<S::Lane>]) -> Option<Self> {
        let (first, last) = (list.first()?, list.last()?);
        if !list.iter().all(|formula| formula.program.same(&first.program)) {
            return None;
        }
        let number = |k: usize| {
            let mut x = S::zero();
            for lane in 0..S::LANES {
                x.set_lane(lane, list.get(lane).unwrap_or(last).numbers[k]);
            }
            x
        };
        let numbers = (0..first.numbers.len()).map(number).collect();
        let mut formula =
            Self { files: Vec::new(), program: first.program.clone(), numbers, times: None };
        formula.prepare();
        Some(formula)
    }
    /// The formula of one lane.
    pub fn lane(&self, i: usize) -> Formula<S::Lane> {
        let numbers = self.numbers.iter().map(|x| x.lane(i)).collect();
        let mut formula =
            Formula { files: Vec::new(), program: self.program.clone(), numbers, times: None };
        formula.prepare();
        formula
    }
    /// Replaces parameters, from number `first` on; what is beyond the last is ignored.
    pub fn set(&mut self, first: usize, values: &[S]) {
        for (slot, value) in self.numbers.iter_mut().skip(first).zip(values) {
            *slot = *value;
        }
        self.prepare();
    }

    /// The times of all lanes, where these differ; [`Formula::at_times`] puts them into inputs.
    #[inline(always)]
    pub fn set_times(&mut self, t: S) {
        self.times = Some(t);
    }
    /// The time, or the times of all lanes if [they were set](Formula::set_times).
    #[inline(always)]
    pub fn time(&self, t: f64) -> S {
        // Known while compiling: single numbers pay nothing.
        match self.times {
            Some(times) if const { S::LANES > 1 } => times,
            _ => S::lift(t),
        }
    }
    /// Inputs whose last is the time, with the times of all lanes if [they were set](Formula::set_times).
    #[inline(always)]
    pub fn at_times<const N: usize>(&self, mut inputs: [S; N]) -> [S; N] {
        // Known while compiling: single numbers pay nothing.
        if const { S::LANES > 1 }
            && let (Some(t), Some(last)) = (self.times, inputs.last_mut())
        {
            *last = t;
        }
        inputs
    }

    /// Computes everything that depends on parameters only.
    fn prepare(&mut self) {
        let parts = &*self.program.0;
        let tape = &parts.prologue;
        let mut file: Vec<S> = Vec::with_capacity(tape.size);
        file.extend(tape.read.iter().map(|k| self.numbers[*k as usize]));
        file.extend(parts.constants.iter().map(|x| S::lift(*x)));
        file.resize(tape.size, S::zero());
        S::interpret(&tape.code, &mut file);
        self.files.clear();
        self.files.reserve_exact(parts.files);
        for entry in &parts.entries {
            self.files.resize(entry.file + entry.tape.read.len(), S::zero());
            let fixed = entry.fixed.iter().map(|k| file[usize::from(tape.outputs[*k as usize])]);
            self.files.extend(fixed);
            self.files.resize(entry.file + entry.tape.size, S::zero());
        }
    }

    /// The tape of an entry with its numbers, and how many of these depend on parameters only: they follow the
    /// inputs that are read, and what comes behind them is written before it is read.
    #[inline(always)]
    pub fn tape(&self, entry: usize) -> Option<(lieflow_kernel::tape::Tape<'_, S>, usize)> {
        let entry = self.program.0.entries.get(entry)?;
        let file = self.files.get(entry.file..entry.file + entry.tape.size)?;
        Some((entry.tape.with(file), entry.fixed.len()))
    }

    /// Evaluates an entry: `inputs` are the state and the time in the order of their names, `out`
    /// receives as many numbers as the entry has, or as there is room for. Nothing is allocated, but
    /// in `scratch` by the first evaluation of an entry with more than 256 registers.
    ///
    /// An entry that does not exist leaves `out` as it is, and inputs that are missing count as zero.
    #[inline(always)]
    pub fn eval(&self, entry: usize, inputs: &[S], out: &mut [S], scratch: &mut Vec<S>) {
        let Some((tape, _)) = self.tape(entry) else { return };
        if tape.file.len() > 256 {
            scratch.resize(tape.file.len(), S::zero());
        }
        S::evaluate(tape, inputs, out, scratch);
    }

    /// [`Formula::eval`] for entries of at most 256 registers, or where an allocation does no harm.
    #[inline(always)]
    pub fn call<const N: usize>(&self, entry: usize, inputs: &[S]) -> [S; N] {
        let mut out = [S::zero(); N];
        self.eval(entry, inputs, &mut out, &mut Vec::new());
        out
    }
}
