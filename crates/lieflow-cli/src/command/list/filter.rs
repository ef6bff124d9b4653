//! Which of the items are listed.
use super::What;
use crate::command::Context;
use crate::error::Failure;
use clap::Args;
use lieflow_models::catalogue::{self, CataloguedMethod};
use lieflow_models::problem_file::{Place, SpecError};

/// Options that choose among systems, methods and problems.
#[derive(Args, Debug)]
#[command(next_help_heading = "Choosing")]
pub struct Filter {
    /// Methods and problems for this system only
    #[arg(long, value_name = "SYSTEM")]
    system: Option<String>,
    /// Methods of this family only
    #[arg(long, value_name = "FAMILY")]
    family: Option<String>,
    /// Methods that can keep a tolerance only
    #[arg(long)]
    adaptive: bool,
    /// Symplectic methods only
    #[arg(long)]
    symplectic: bool,
}

impl Filter {
    /// Refuses names that are not there, and options that would choose nothing.
    pub fn check(&self, what: What, context: &Context<'_>) -> Result<(), Failure> {
        let given = [
            ("--system", self.system.is_some(), what != What::Experiments),
            ("--family", self.family.is_some(), what == What::Methods),
            ("--adaptive", self.adaptive, what == What::Methods),
            ("--symplectic", self.symplectic, what == What::Methods),
        ];
        if let Some((option, ..)) = given.iter().find(|(_, given, fits)| *given && !fits) {
            return Err(Failure::Option {
                option,
                found: format!("a list of {what:?}").to_lowercase(),
                expected: "a list of methods, which it chooses among".into(),
            });
        }
        if let Some(system) = &self.system
            && context.systems.find(system).is_none()
        {
            let known = context.systems.iter().map(|entry| entry.id);
            return Err(unknown("--system", "system", system, known));
        }
        Ok(())
    }

    /// Whether items for this system are listed.
    pub fn takes_system(&self, id: &str) -> bool {
        self.system.as_deref().is_none_or(|system| system == id)
    }

    /// The methods to list.
    pub fn methods(&self, context: &Context<'_>) -> Result<Vec<CataloguedMethod>, Failure> {
        let mut methods = catalogue::methods_of(context.systems);
        if let Some(family) = &self.family {
            let mut known: Vec<&str> = methods.iter().map(|m| m.card.family).collect();
            known.dedup();
            // Two words are typed with a hyphen as well.
            let plain = |name: &str| name.to_lowercase().replace(' ', "-");
            if !known.iter().any(|name| plain(name) == plain(family)) {
                return Err(unknown("--family", "family", family, known));
            }
            methods.retain(|m| plain(m.card.family) == plain(family));
        }
        methods.retain(|m| {
            m.systems.iter().any(|system| self.takes_system(system))
                && (!self.adaptive || m.card.keeps_tolerance())
                && (!self.symplectic || m.card.symplectic)
        });
        Ok(methods)
    }
}

fn unknown<'a>(
    option: &str,
    kind: &'static str,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Failure {
    SpecError::unknown_name(Place::whole(option), kind, name, known).into()
}
