//! Opening what is meant for a browser.
use std::process::{Command, Stdio};

/// Opens an address or a file with what the system has for it; says whether there is something.
pub fn open(what: impl AsRef<std::ffi::OsStr>) -> bool {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(first).arg(what);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(mut child) => {
            // It is waited for, so that nothing is left of it.
            std::thread::spawn(move || child.wait());
            true
        }
        Err(_) => false,
    }
}

/// What is said where there is nothing.
pub const NOTHING: &str = "warning: --open: no program was found that opens a browser";
