//! Commutator-free methods of Williamson's form, and nearly symmetric ones among them.
//!
//! ```text
//! D_i = A_i D_{i-1} + F_i     F_i = f(t + c_i h, Y_{i-1})     Y_i = exp(h B_i D_i)·Y_{i-1}
//! ```
//!
//! On paper a sum of fields and a point are all that is stored (2N numbers), with one exponential a
//! stage. They are commutator-free methods with particular tables and run on [that
//! engine](super::commutator_free), which keeps all fields for its interpolant. Williamson, 1980;
//! Bazavov, 2022.
//!
//! `ees25` and `ees27` are of order two, and a step back undoes a step forth up to `h⁶` and `h⁸`, where
//! other explicit methods of their order miss by `h⁴`: explicit and effectively symmetric. Shmelev,
//! Ebrahimi-Fard, Tapia and Salvi, 2025. What is listed was derived here, from the conditions on words
//! of ordered trees; see [the tables](crate::tableau::EES25).
use super::Card;
use super::commutator_free::member;
use crate::tableau::{self, CommutatorFree};

/// The methods of this family, by table.
pub static MEMBERS: [(Card, &CommutatorFree); 5] = [
    member("cf2n3", "Williamson's method of order 3, 2N storage", FAMILY, &tableau::CF2N3),
    member("cf2n4", "Carpenter and Kennedy, order 4, 2N storage", FAMILY, &tableau::CF2N4),
    member("cf2n4-6", "Berland, Bogey and Bailly, 6 stages, 2N storage", FAMILY, &tableau::CF2N4_6),
    member("ees25", "Explicit, symmetric up to order 5, 2N storage", FAMILY, &tableau::EES25),
    member("ees27", "Explicit, symmetric up to order 7, 2N storage", FAMILY, &tableau::EES27),
];
const FAMILY: &str = "commutator-free";
