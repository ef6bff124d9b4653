//! The command-line tool of lieflow; everything is in the library beside it.

fn main() -> std::process::ExitCode {
    lieflow_cli::run(std::env::args_os()).into()
}
