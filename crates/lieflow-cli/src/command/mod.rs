//! The commands, one file each: its arguments, with the line that the help shows, and what it does.
use crate::error::Failure;
use clap::Subcommand;
use lieflow_models::system::Registry;
use std::ffi::OsString;

mod bench;
mod certify;
mod compare;
mod completions;
mod drift;
mod ensemble;
mod explain;
mod list;
mod merge;
mod order;
mod overlay;
mod play;
mod reproduce;
mod run;
mod show;
mod verify;

/// What a command works with besides its own arguments.
#[derive(Debug)]
pub struct Context<'a> {
    /// The systems that problems may name.
    pub systems: &'a Registry,
    /// The command line as it was typed, for pages.
    pub line: String,
}

impl<'a> Context<'a> {
    /// With these systems, for a command line that begins with the name of the program.
    pub fn new(systems: &'a Registry, arguments: &[OsString]) -> Self {
        let words: Vec<_> = arguments.iter().skip(1).map(|word| word.to_string_lossy()).collect();
        Self { systems, line: format!("lieflow {}", words.join(" ")) }
    }
}

/// Arguments that can be carried out.
pub trait Execute {
    /// Carries them out.
    fn execute(self, context: &Context<'_>) -> Result<(), Failure>;
}

/// The list of commands, in the order of the help.
macro_rules! commands {
    ($($module:ident::$name:ident,)*) => {
        /// What to do.
        #[derive(Debug, Subcommand)]
        pub enum Command {
            $($name($module::$name),)*
        }

        impl Execute for Command {
            fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
                match self {
                    $(Self::$name(command) => command.execute(context),)*
                }
            }
        }
    };
}

commands! {
    run::Run,
    play::Play,
    list::List,
    show::Show,
    explain::Explain,
    order::Order,
    drift::Drift,
    certify::Certify,
    compare::Compare,
    reproduce::Reproduce,
    ensemble::Ensemble,
    merge::Merge,
    verify::Verify,
    overlay::Overlay,
    bench::Bench,
    completions::Completions,
}
