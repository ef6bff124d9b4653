//! Crouch–Grossman methods: every exponential holds one field, and the first field acts first.
//!
//! ```text
//! Y_i = exp(h a_{i,i-1} K_{i-1}) … exp(h a_i1 K_1)·y       K_i = f(t + c_i h, Y_i)
//! y'  = exp(h b_s K_s) … exp(h b_1 K_1)·y
//! ```
//!
//! They keep the manifold and coadjoint orbits and are neither symmetric nor symplectic. They are
//! commutator-free methods with particular tables, and run on [that
//! engine](super::commutator_free). Crouch and Grossman, 1993; the method of order four is that of
//! Jackiewicz, Marthinsen and Owren, 2000.
use super::Card;
use super::commutator_free::member;
use crate::tableau::{self, CommutatorFree};

/// The methods of this family, by table.
pub static MEMBERS: [(Card, &CommutatorFree); 2] = [
    member("cg3", "Crouch–Grossman, 3 stages", "crouch-grossman", &tableau::CG3),
    member("cg4", "Crouch–Grossman, 5 stages", "crouch-grossman", &tableau::CG4),
];
