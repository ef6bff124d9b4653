//! The systems, their problem files, and the studies.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use lieflow_testing::counting::Counting;

#[allow(dead_code)]
#[path = "../../src/system/rigid_body/axial_body.rs"]
mod axial_body;
mod custom;
mod discrete_gradient;
#[allow(dead_code)]
#[path = "../../src/system/rigid_body/eight.rs"]
mod eight;
mod forced;
mod foreign;
mod formulas;
mod from_values;
mod fuzz;
mod golden;
mod isotropy;
mod laws;
mod liegroup_reference;
mod linear;
mod looking;
mod options;
mod order;
mod problem_file;
mod quadrotors;
mod rates;
mod resuming;
mod rigid;
#[allow(dead_code)]
#[path = "../../src/run/scale.rs"]
mod scale;
mod set_initial;
#[allow(dead_code)]
#[path = "../../src/problem_file/shown.rs"]
mod shown;
mod spheres;
mod step_many;
mod study;
#[allow(dead_code)]
#[path = "../../src/problem_file/suggestion.rs"]
mod suggestion;
mod taylor;
mod tolerances;
#[allow(dead_code)]
#[path = "../../src/system/rigid_body/turned.rs"]
mod turned;
mod turned_series;
#[allow(dead_code)]
#[path = "../../src/system/rigid_body/two_rows.rs"]
mod two_rows;
mod two_rows_series;
mod variational;
mod written;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
