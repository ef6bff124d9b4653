//! A counter of allocations, per thread: tests run side by side, and each sees its own.
//!
//! A program of tests has it as `#[global_allocator] static ALLOCATOR: Counting = Counting;`.
use lieflow::method::{Method, Step};
use lieflow::problem::Problem;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting.
pub struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // While a thread ends there is nothing left to count for.
    let _ = COUNT.try_with(|c| c.set(c.get() + 1));
}

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(block, layout, size) }
    }
}

/// What this thread has allocated so far.
pub fn allocations() -> u64 {
    COUNT.with(Cell::get)
}

/// What the steps after the first allocate.
pub fn after_the_first<P: Problem>(p: &P, m: &mut dyn Method<P>, h: f64, steps: usize) -> u64 {
    let (mut y, mut out) = (p.start(), p.start());
    m.step(Step::new(p, 0.0, h, &y), &mut out).unwrap();
    let before = allocations();
    for n in 1..steps {
        m.accept();
        std::mem::swap(&mut y, &mut out);
        m.step(Step::new(p, n as f64 * h, h, &y), &mut out).unwrap();
    }
    allocations() - before
}
