//! What the page asks for.
use serde::Deserialize;

/// A message of the page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ask {
    /// Go on.
    Play,
    /// Stand still.
    Pause,
    /// Make one step and stand still.
    Step,
    /// Begin anew with the numbers as they are.
    Restart,
    /// All numbers as in the file, and begin anew.
    Reset,
    /// So many units of time a second.
    Speed {
        /// The factor.
        factor: f64,
    },
    /// Give a key other numbers.
    Set {
        /// The dotted key.
        key: String,
        /// The numbers.
        numbers: Vec<f64>,
        /// Whether the motion goes on where it is; else it begins anew.
        #[serde(default)]
        go_on: bool,
    },
    /// Take another method in a lane; the state stays.
    Method {
        /// The lane.
        lane: usize,
        /// The method.
        id: String,
    },
    /// Take steps of another length, or another tolerance; the state stays.
    Pace {
        /// The step.
        step: Option<f64>,
        /// The tolerance.
        tol: Option<f64>,
    },
    /// Show another method beside the first, from the same state; or none.
    Beside {
        /// The method.
        id: Option<String>,
    },
}

/// Reads a message. The text of the error is for the page.
pub fn read(text: &str) -> Result<Ask, String> {
    serde_json::from_str(text)
        .map_err(|error| format!("the page asked for something unknown: {error}"))
}
