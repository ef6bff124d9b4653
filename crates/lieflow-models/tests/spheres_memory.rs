//! No step after the first allocates, whatever the number of links.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#[path = "spheres/random.rs"]
#[allow(dead_code)]
mod random;

use lieflow::chart::Chart;
use lieflow::method::Method;
use lieflow::method::rkmk::Rkmk;
use lieflow::method::spheres::{Eln, Llm, Rattle};
use lieflow::problem::Problem;
use lieflow::problem::spheres::{
    Coordinates, FlatCoordinates, LiftCoordinates, MomentumCoordinates, OnSpheres, Se3Coordinates,
    SphereSystem,
};
use lieflow::tableau;
use lieflow_models::system::dipoles::Dipoles;
use random::Random;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting the requests of each thread.
struct Counting;

// SAFETY: every call is passed on unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        // SAFETY: as required of the caller.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as required of the caller.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations<P: Problem>(p: &P, method: &mut dyn Method<P>, h: f64) -> usize {
    let mut y = p.start();
    let mut out = y.clone();
    let mut before = 0;
    for k in 0..4 {
        method.step(p, f64::from(k) * h, h, &y, &mut out).unwrap();
        method.accept();
        std::mem::swap(&mut y, &mut out);
        if k == 0 {
            before = COUNT.with(Cell::get);
        }
    }
    COUNT.with(Cell::get) - before
}

fn check<M: SphereSystem<Scalar = f64>, C: Coordinates>(m: &M, random: &mut Random, h: f64) {
    let p = OnSpheres::<M, C>::new(m.clone(), &random.links(m.count(), 1.0));
    let methods: [(&str, Box<dyn Method<OnSpheres<M, C>>>); 4] = [
        ("eln", Box::new(Eln::new())),
        ("rattle", Box::new(Rattle::new())),
        ("llm", Box::new(Llm::new())),
        ("rkmk4", Box::new(Rkmk::new(&tableau::RK4, Chart::Exp))),
    ];
    for (id, mut method) in methods {
        assert_eq!(allocations(&p, method.as_mut(), h), 0, "{id} on {}", C::NAME);
    }
}

#[test]
fn steps_after_the_first_do_not_allocate() {
    let mut random = Random::new(21);
    for n in [1, 2, 50] {
        let m = random.chain(n);
        check::<_, Se3Coordinates>(&m, &mut random, 1e-3);
        check::<_, LiftCoordinates>(&m, &mut random, 1e-3);
        check::<_, MomentumCoordinates>(&m, &mut random, 1e-3);
        check::<_, FlatCoordinates>(&m, &mut random, 1e-3);
    }
    // By pairs, and by convolution.
    for (rows, columns) in [(5, 4), (8, 9)] {
        let m = Dipoles::grid(rows, columns, 0.024, 0.05, 0.02, 0.1).unwrap();
        assert_eq!(m.is_convolved(), rows == 8);
        check::<_, Se3Coordinates>(&m, &mut random, 1e-3);
        check::<_, LiftCoordinates>(&m, &mut random, 1e-3);
        check::<_, MomentumCoordinates>(&m, &mut random, 1e-3);
        check::<_, FlatCoordinates>(&m, &mut random, 1e-3);
    }
}
