//! The command-line tool of lieflow as a library.
//!
//! [`run`] carries out a command line and gives the exit status: 0 done, 1 a computation failed, 2
//! bad input. A crate with systems of its own has the whole tool for them:
//!
//! ```no_run
//! use lieflow_models::system::{Registry, SystemEntry, rigid_body};
//!
//! static MINE: &[SystemEntry] = &[SystemEntry { id: "my-body", ..rigid_body::ENTRY }];
//!
//! fn main() -> std::process::ExitCode {
//!     lieflow_cli::run_with(&Registry::default().with(MINE), std::env::args_os()).into()
//! }
//! ```
use clap::Parser;
use lieflow_models::system::Registry;
use std::ffi::OsString;
use std::io::ErrorKind;

mod command;
mod error;
mod options;
mod output;
mod signal;

use command::{Command, Context, Execute};
use error::Failure;

/// Structure-preserving integration of mechanical systems on Lie groups and homogeneous manifolds.
#[derive(Debug, Parser)]
#[command(name = "lieflow", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// Carries out a command line, the name of the program first, and gives the exit status.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString>>) -> u8 {
    run_with(&Registry::default(), arguments)
}

/// The same with these systems.
pub fn run_with(
    systems: &Registry,
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let context = Context::new(systems, &arguments);
    let parsed = match Arguments::try_parse_from(arguments) {
        Ok(parsed) => parsed,
        Err(error) => {
            return match error.print() {
                // Whoever reads help may go away; a disk that is full may not.
                Err(broken) if broken.kind() != ErrorKind::BrokenPipe => 1,
                _ => u8::try_from(error.exit_code()).unwrap_or(2),
            };
        }
    };
    match parsed.command.execute(&context) {
        // A reader of our output that goes away ends us quietly.
        Ok(()) | Err(Failure::Closed) => 0,
        Err(failure) => {
            output::message(&format!("error: {failure}"));
            failure.status()
        }
    }
}
