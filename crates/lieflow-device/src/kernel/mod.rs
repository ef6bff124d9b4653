//! What one thread of a GPU does: one trajectory, from its numbers to its states.
//!
//! These files are compiled twice: for GPUs by the crate in `ptx/`, whose entries call
//! [`trajectory`], and for this machine, where `Emulated` does. Both have the methods
//! and systems that every other run has; nothing of them is written again. No function allocates or
//! panics, and all is inlined into the entry, so that numbers stay in registers.
//!
//! Numbers lie in tiles of [`TILE`] trajectories, each a table of columns: number `k` of trajectory `i` of a tile at
//! `k · TILE + i`, so that neighbouring threads read neighbouring numbers and a tile is one piece of memory.
pub mod bodies;
pub mod called;
pub mod fields;
pub mod formula;
pub mod pairs;
pub mod vectors;

use lieflow::method::InlineMethod;
use lieflow::problem::Problem;
use lieflow::stepping::{EvenSteps, RESTORED_EVERY};

/// A stretch of steps of one size, at whose end the state may be wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Leg {
    /// The beginning of the grid.
    pub from: f64,
    /// The step.
    pub h: f64,
    /// The grid points passed.
    pub first: u64,
    /// How many steps.
    pub count: u64,
    /// The row that the state after them goes to; none if it is [`NO_ROW`].
    pub row: u64,
    /// Whether this is only a look inside a step: afterwards all is as it was before.
    pub aside: u64,
}

/// The trajectories of a tile.
pub const TILE: usize = 256;

/// No row.
pub const NO_ROW: u64 = u64::MAX;

/// What a launch is given, in the memory of the device.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Arguments {
    /// How many trajectories.
    pub count: u64,
    /// Whether all have the same parameters, which then are there once.
    pub shared: u64,
    /// The parameters, in tiles.
    pub parameters: *const f64,
    /// How many.
    pub parameter_count: u64,
    /// The formulas, if there are any.
    pub program: *const u128,
    /// The initial states, in tiles.
    pub starts: *const f64,
    /// The stretches.
    pub legs: *const Leg,
    /// How many.
    pub leg_count: u64,
    /// The states that are wanted, in tiles: one row after the other in each.
    pub states: *mut f64,
    /// How many rows; the last one is for states to come back to, if there are looks aside.
    pub rows: u64,
    /// What became of each trajectory: [`DONE`] or [`LEFT`].
    pub ends: *mut u32,
}

/// All steps were made.
pub const DONE: u32 = 1;
/// A step was not made: the trajectory is left to a patient thread, or to the CPU, which says why.
pub const LEFT: u32 = 2;

/// The numbers of one trajectory in a table of columns.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    first: *mut f64,
    stride: usize,
}

impl Column {
    /// The column of a lane in the table that begins after so many columns.
    ///
    /// # Safety
    /// The memory has it.
    #[inline(always)]
    pub unsafe fn of(numbers: *mut f64, columns: usize, lane: usize) -> Self {
        // SAFETY: as the caller says.
        Self { first: unsafe { numbers.add(columns * TILE + lane) }, stride: TILE }
    }
    /// The column from number `k` on.
    ///
    /// # Safety
    /// The table has it.
    #[inline(always)]
    pub unsafe fn from(self, k: usize) -> Self {
        // SAFETY: as the caller says.
        Self { first: unsafe { self.first.add(k * self.stride) }, ..self }
    }
    /// Number `k`.
    ///
    /// # Safety
    /// The table has it.
    #[inline(always)]
    pub unsafe fn get(self, k: usize) -> f64 {
        // SAFETY: as the caller says.
        unsafe { *self.first.add(k * self.stride) }
    }
    /// Writes number `k`.
    ///
    /// # Safety
    /// The table has it, and no other thread has this trajectory.
    #[inline(always)]
    pub unsafe fn set(self, k: usize, x: f64) {
        // SAFETY: as the caller says.
        unsafe { *self.first.add(k * self.stride) = x }
    }
}

/// A system whose states are a fixed number of numbers.
pub trait AsNumbers: Problem {
    /// How many.
    const STATE: usize;
    /// Writes a state.
    ///
    /// # Safety
    /// The column has so many numbers, and no other thread writes there.
    unsafe fn write_state(state: &Self::Point, out: Column);
    /// The state of the numbers in a column.
    ///
    /// # Safety
    /// The column has so many numbers.
    unsafe fn read_state(column: Column) -> Self::Point;
}

/// Writes the numbers of a state.
///
/// # Safety
/// The column has so many numbers, and no other thread writes there.
#[inline(always)]
unsafe fn write_numbers<const N: usize>(numbers: &[f64; N], out: Column) {
    let mut k = 0;
    while k < N {
        // SAFETY: as the caller says.
        unsafe { out.set(k, numbers[k]) };
        k += 1;
    }
}

/// How the systems of one kind are read from numbers.
pub trait Kind {
    /// The systems.
    type System: AsNumbers;
    /// The system with these parameters and this initial state, and perhaps with the program of its formulas.
    ///
    /// # Safety
    /// The column has as many numbers as this kind has parameters, and the program is one of this kind.
    unsafe fn read(
        parameters: Column,
        start: <Self::System as Problem>::Point,
        program: *const u128,
    ) -> Self::System;
}

/// Integrates trajectory `i`. A `PATIENT` thread takes up one that was left: it also makes the steps that are not
/// made in the usual way. Apart from each other, because the usual way has the fewest registers.
///
/// # Safety
/// The arguments point to as many numbers as they and the kind of the system say, and no other thread has
/// this trajectory.
#[inline(always)]
pub unsafe fn trajectory<K: Kind, M: InlineMethod<K::System>, const PATIENT: bool>(
    arguments: *const Arguments,
    i: u64,
    mut method: M,
) {
    // SAFETY: as the caller says; `i` is below the count.
    unsafe {
        let a = &*arguments;
        if i >= a.count {
            return;
        }
        let i = i as usize;
        if PATIENT && (!M::LEAVES_STEPS || *a.ends.add(i) != LEFT) {
            return;
        }
        let (tile, lane) = (i / TILE, i % TILE);
        let parameters = match a.shared {
            0 => Column::of(a.parameters.cast_mut(), tile * a.parameter_count as usize, lane),
            _ => Column { first: a.parameters.cast_mut(), stride: 1 },
        };
        let numbers = <K::System as AsNumbers>::STATE;
        let start = Column::of(a.starts.cast_mut(), tile * numbers, lane);
        let system = K::read(parameters, K::System::read_state(start), a.program);
        let mut state = system.start();
        let (mut k, mut steps) = (0, 0);
        while k < a.leg_count {
            let leg = &*a.legs.add(k as usize);
            let place = |row: u64| {
                let row = tile * a.rows as usize + row as usize;
                Column::of(a.states, row * numbers, lane)
            };
            let aside = !M::INTERPOLATES && leg.aside != 0;
            let mut passed = steps;
            // In memory, because the usual way would miss the registers.
            if aside {
                method.set_aside();
                K::System::write_state(&state, place(a.rows - 1));
                passed = 0;
            }
            if !advance::<_, _, PATIENT>(&mut method, &system, leg, &mut state, &mut passed) {
                *a.ends.add(i) = LEFT;
                return;
            }
            if leg.row != NO_ROW {
                K::System::write_state(&state, place(leg.row));
            }
            if aside {
                state = K::System::read_state(place(a.rows - 1));
                method.take_back();
            } else {
                steps = passed;
            }
            k += 1;
        }
        *a.ends.add(i) = DONE;
    }
}

/// Makes the steps of a stretch, after so many of others; `false` if one was not made.
#[inline(always)]
fn advance<P: Problem, M: InlineMethod<P>, const PATIENT: bool>(
    method: &mut M,
    system: &P,
    leg: &Leg,
    state: &mut P::Point,
    passed: &mut u64,
) -> bool {
    let Leg { from, h, mut first, mut count, .. } = *leg;
    while count > 0 {
        // Roundings are taken out as the driver does it.
        let room = RESTORED_EVERY - *passed % RESTORED_EVERY;
        let steps = EvenSteps { from, h, first, count: if count < room { count } else { room } };
        let made = if PATIENT {
            method.step_singly_inline(system, &steps, state)
        } else {
            method.step_many_inline(system, &steps, state)
        };
        if made == 0 || (!PATIENT && made < steps.count) {
            return false;
        }
        first += made;
        count -= made;
        *passed += made;
        if passed.is_multiple_of(RESTORED_EVERY) {
            system.restore(state);
        }
    }
    true
}
