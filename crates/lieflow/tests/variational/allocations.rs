//! No step allocates once the work space is made.
use crate::mechanics::*;
use lieflow::method::Method;
use lieflow::method::variational::{ByHamiltonian, ByLagrangian, Variational, names};
use lieflow::problem::Problem;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the allocations of each thread.
struct Counting;
thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}
// SAFETY: every call goes straight to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}
#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations<P: Problem>(p: &P, m: &mut dyn Method<P>, h: f64) -> u64 {
    let (mut y, mut out) = (p.start(), p.start());
    m.step(p, 0.0, h, &y, &mut out).unwrap();
    let before = COUNT.with(Cell::get);
    for n in 1..20 {
        m.accept();
        std::mem::swap(&mut y, &mut out);
        m.step(p, n as f64 * h, h, &y, &mut out).unwrap();
    }
    COUNT.with(Cell::get) - before
}

#[test]
fn no_step_allocates() {
    let top = Top::named("mild-top");
    let planet = Newtonian::named(Kepler, "kepler");
    for id in ROTATION_IDS {
        let scheme = names::scheme(id).unwrap().unwrap();
        let mut method = Variational::<_, ByLagrangian>::new(scheme.clone());
        assert_eq!(allocations(&top, &mut method, 0.1), 0, "{id}");
        // Momenta and velocities by dual numbers, with a Legendre transform at every node.
        let mut method = Variational::<_, ByHamiltonian>::new(scheme.clone());
        assert_eq!(allocations(&top, &mut method, 0.1), 0, "{id} by the Hamiltonian");
        let mut method = Variational::<_, ByLagrangian>::new(scheme);
        assert_eq!(allocations(&planet, &mut method, 0.01), 0, "{id} in the plane");
    }
}
