//! Methods on the cotangent bundle of a group, and the structure that they keep.

pub mod structure;
