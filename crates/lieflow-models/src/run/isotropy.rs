//! The two options about isotropy, from words to what methods understand.
use super::{Pace, Plan, RunError};
use crate::problem_file::{Place, suggestion};
use lieflow::action::isotropy::MOST_ROWS;
use lieflow::method::isotropy::{Conserve, Part};
use lieflow::method::{OptionError, Options};

/// The words for the isotropy part of a generator.
pub(super) const PARTS: [&str; 3] = ["given", "orthogonal", "curvature"];

/// The options of a plan, with those about isotropy filled in; `method` is for messages.
pub(super) fn options(
    has_isotropy: bool,
    invariants: &dyn Fn() -> Vec<&'static str>,
    plan: &Plan,
    method: &'static str,
) -> Result<Options, RunError> {
    let mut options = plan.options;
    if let Pace::Adaptive { tol, .. } = plan.pace {
        options.tolerance = Some(tol);
    }
    for (option, value) in plan.extras.given() {
        if !has_isotropy {
            return Err(RunError::NoSuchOption { place: plan.place_of(option), method, option });
        }
        match option {
            "isotropy" => options.isotropy = part(value),
            _ => options.conserve = Some(conserve(invariants(), plan, value)?),
        }
    }
    Ok(options)
}

/// Where the option was given that a method refuses.
pub(super) fn place(plan: &Plan, error: &OptionError) -> Place {
    let keys: &[&str] = match error {
        OptionError::NoIsotropy { .. } => &["isotropy"],
        OptionError::NotConservable { .. } | OptionError::NoConservation { .. } => &["conserve"],
        OptionError::NoCayley
        | OptionError::NoStereographic
        | OptionError::ExpOrCayley { .. }
        | OptionError::NoChart { .. } => &["chart", "exponential", "dexpinv"],
        OptionError::IsotropyOfChart { option } => std::slice::from_ref(option),
        OptionError::NoSolver { .. }
        | OptionError::NewtonOnly { .. }
        | OptionError::FixedPointOnly { .. } => &["solver"],
        OptionError::NoEstimate { .. } | OptionError::NoGroupDistance => &["estimate"],
        OptionError::NotCompensated { .. } => &["compensated"],
        _ => &[],
    };
    plan.place_of_first(keys)
}

/// The word was checked when the plan was read.
fn part(word: &str) -> Part {
    match word {
        "orthogonal" => Part::Orthogonal,
        "curvature" => Part::Curvature,
        _ => Part::Given,
    }
}

/// Names of invariants with commas between them. A name stands for all that begin with it and an
/// underscore too, such as `moment` for the three components; the word `linear` asks for the
/// linearised form.
fn conserve(known: Vec<&'static str>, plan: &Plan, text: &str) -> Result<Conserve, RunError> {
    let mut names: Vec<&'static str> = Vec::new();
    let mut linear = false;
    let words = text.split([',', ' ']).map(str::trim).filter(|word| !word.is_empty());
    for word in words {
        if word == "linear" {
            linear = true;
            continue;
        }
        let meant = |name: &&&'static str| {
            **name == word || name.strip_prefix(word).is_some_and(|rest| rest.starts_with('_'))
        };
        let before = names.len();
        names.extend(known.iter().filter(meant).copied());
        if names.len() == before {
            return Err(RunError::UnknownInvariant {
                place: plan.place_of("conserve"),
                found: word.into(),
                suggestion: suggestion(word, known.iter().copied()),
                known,
            });
        }
    }
    names.sort_by_key(|name| known.iter().position(|k| k == name));
    names.dedup();
    if names.is_empty() || names.len() > MOST_ROWS {
        return Err(RunError::UnknownInvariant {
            place: plan.place_of("conserve"),
            found: text.into(),
            suggestion: None,
            known,
        });
    }
    Ok(Conserve { linear, ..Conserve::exactly(&names) })
}
