//! The exact motion of a free rigid body, at any time by one evaluation: no steps at all.
//!
//! Run it with `cargo run -p lieflow --example exact_motion`.
use lieflow::kernel::rigid::{Exact, FreeMap, Inertia};
use lieflow::{Mat3, vec3};

/// A racket that turns about its middle axis, seen every five time units and after a long time.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let inertia = Inertia::principal(vec3(1.0, 2.0, 3.0));
    let start = inertia.momentum(vec3(0.0, 5.0, 0.01));
    // `R(t) = R(0) F`, and the body momentum with it.
    let at = |t: f64| Exact.turn(&inertia, t, start);
    for i in 0..=4 {
        let t = 5.0 * f64::from(i);
        let turn = at(t);
        println!("t = {t:4}: omega = {:9.5?}", inertia.velocity(turn.momentum).to_array());
    }
    let late = at(1e4);
    let attitude = Mat3::identity().matmul(&late.rotation);
    let momentum = attitude.apply(late.momentum) - start;
    println!("at t = 10000 the momentum in space is kept to {:.1e}", momentum.norm());
    println!("energy {:.12}", inertia.kinetic_energy(late.momentum));
    assert!(momentum.norm() < 1e-9);
    Ok(())
}
