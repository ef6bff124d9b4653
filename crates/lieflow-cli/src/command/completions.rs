//! `lieflow completions`: lets a shell complete commands and options.
use crate::Arguments;
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::output::print;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

/// Print a script that lets a shell complete commands and options
#[derive(Args, Debug)]
#[command(after_help = "bash:  eval \"$(lieflow completions bash)\"\n\
    zsh:   lieflow completions zsh > ~/.zfunc/_lieflow\n\
    fish:  lieflow completions fish > ~/.config/fish/completions/lieflow.fish")]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Execute for Completions {
    fn execute(self, _: &Context<'_>) -> Result<(), Failure> {
        let mut script = Vec::new();
        generate(self.shell, &mut Arguments::command(), "lieflow", &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
