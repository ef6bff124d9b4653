//! The options that several commands share.
use clap::Args;
use lieflow_models::door::{Setting, SpecError};

/// What a problem file says can be said here too, and has the last word.
#[derive(Args, Debug, Default)]
pub struct Changes {
    /// Method, by its id (see `lieflow list methods`)
    #[arg(long, value_name = "ID")]
    pub method: Option<String>,
    /// Fixed step size
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// Tolerance of adaptive steps
    #[arg(long, value_name = "TOL", allow_hyphen_values = true)]
    pub tol: Option<String>,
    /// Final time
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// Keep each K-th step
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    pub every: Option<String>,
    // Not a doc comment: rustdoc would take the brackets for a link.
    #[arg(
        long,
        value_name = "KEY=VALUE",
        allow_hyphen_values = true,
        help = "Any key of the problem file, such as initial.omega=[0,0,40]; may be repeated"
    )]
    pub set: Vec<String>,
    /// Isotropy choice, for methods that have one
    #[arg(long, value_name = "CHOICE")]
    pub isotropy: Option<String>,
    /// Quantity that the isotropy choice conserves
    #[arg(long, value_name = "QUANTITY")]
    pub conserve: Option<String>,
    /// Map from the algebra to the group, exp or cayley, for methods that have the choice
    #[arg(long, value_name = "MAP")]
    pub exponential: Option<String>,
}

impl Changes {
    /// The settings to lay over a problem; those of `--set` first.
    pub fn settings(&self) -> Result<Vec<Setting>, SpecError> {
        let mut settings = Vec::new();
        for set in &self.set {
            settings.push(Setting::parse("--set", set)?);
        }
        for (option, key, value) in [
            ("--step", "solve.step", &self.step),
            ("--tol", "solve.tol", &self.tol),
            ("--until", "solve.until", &self.until),
            ("--every", "output.every", &self.every),
        ] {
            if let Some(value) = value {
                settings.push(Setting::value(option, key, value)?);
            }
        }
        for (option, key, value) in [
            ("--method", "solve.method", &self.method),
            ("--isotropy", "solve.isotropy", &self.isotropy),
            ("--conserve", "solve.conserve", &self.conserve),
            ("--exponential", "solve.exponential", &self.exponential),
        ] {
            if let Some(value) = value {
                settings.push(Setting::text(option, key, value)?);
            }
        }
        Ok(settings)
    }
}

/// How a command shows what it found.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Show {
    /// One JSON document on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
    /// No report, progress or warnings; errors only
    #[arg(long)]
    pub quiet: bool,
}
