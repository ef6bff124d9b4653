//! Runs: a plan that is carried out on a model yields a record.
//!
//! ```text
//! Model + Plan ──drive──▶ Record ──▶ JSON, CSV, report
//! ```
//!
//! A [`Model`] is a system with its types forgotten; every [`ModelSystem`] is one. Running it yields
//! a [`Record`], also when the run fails half way.

mod any_point;
mod arrays;
mod columns;
mod drive;
mod error;
mod isotropy;
mod live;
mod model;
mod output;
mod plan;
mod record;
mod scale;
mod shaken;
mod stop;
mod view;
mod watched_model;

pub use any_point::AnyPoint;
pub use arrays::{Array, Arrays};
pub use columns::append_columns;
pub use error::{RunError, RunFailure};
pub use live::Held;
pub use model::{MeterOf, Model, ModelSystem, NullSink, Sink, field_meter};
pub use output::{Format, Written, read_times};
pub use plan::{Controller, Extras, LEAST_TOLERANCE, Pace, Plan};
pub use record::{Ended, EventRecord, Record, State};
pub use scale::{ROUNDING, Scale};
pub use stop::{Attention, Stop};
pub use watched_model::WatchedModel;
