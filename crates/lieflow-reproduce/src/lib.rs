//! Published figures and tables, run again.
//!
//! An experiment is data: a file under `experiments/`, one folder per paper, one file per figure
//! or table. It says what runs (studies of built-in problems), what is drawn, and what is claimed:
//! a sentence, a measured quantity, and what it should be. Running it yields data, figures, and
//! for every claim whether it holds.
//!
//! - [`experiment`]: the format of the files;
//! - [`measure`]: named measurements and the small formulas that claims are written in;
//! - [`study`]: the kinds of runs: convergence, series, paths, adaptive steps, ensembles, timing;
//! - [`claim`]: whether a claim holds; [`finished`]: the results of an experiment;
//! - [`run`]: carrying experiments out, in parallel, resuming where one stopped;
//! - [`stored`]: their files, which are believed only if they are what was written;
//! - [`gallery`]: the page that shows everything.
pub mod claim;
pub mod experiment;
pub mod finished;
pub mod gallery;
pub mod measure;
pub mod run;
pub mod stored;
pub mod study;

pub use experiment::{Experiment, Source, chosen, sources};
