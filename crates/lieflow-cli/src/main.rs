//! The command-line tool of lieflow.
//!
//! Arguments are read, a command is carried out, an exit status comes back: 0 done, 1 a
//! computation failed, 2 bad input. A reader of our output that goes away ends us quietly.
use clap::Parser;
use std::process::ExitCode;

mod command;
mod error;
mod options;
mod output;
mod report;
mod source;

use command::Command;
use error::Failure;

/// Structure-preserving integration of mechanical systems on Lie groups and homogeneous manifolds.
#[derive(Debug, Parser)]
#[command(name = "lieflow", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    match Arguments::parse().command.execute() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(failure) => {
            output::message(&format!("error: {failure}"));
            ExitCode::from(failure.status())
        }
    }
}
