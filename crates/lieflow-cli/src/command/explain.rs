//! `lieflow explain`: a problem in words and symbols.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{ProblemOptions, Show};
use clap::Args;
use lieflow_models::formulas::Explanation;
use lieflow_models::method_names::worth_trying;
use lieflow_report::table::Table;

/// Tell what a problem is: names, derived equations, invariants, methods that fit
#[derive(Args, Debug)]
pub struct Explain {
    #[command(flatten)]
    problem: ProblemOptions,
    #[command(flatten)]
    show: Show,
}

impl Execute for Explain {
    fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
        let document = self.problem.open(context)?;
        let explanation = document.explain()?;
        self.show.warn(&document);
        self.show.print(&explanation.to_json(), || text(&explanation, document.title()))
    }
}

/// Equations longer than this are for `--json`.
const LINES: usize = 40;
/// And so are longer lists of methods.
const METHODS: usize = 12;

fn text(e: &Explanation, title: Option<&str>) -> String {
    let mut text = match title {
        Some(title) => format!("{title} ({})\n", e.system),
        None => format!("{}\n", e.system),
    };
    let mut names = Table::new(["name", "what it is", "value"]);
    for (name, kind, value) in &e.names {
        names.row([name.clone(), kind.clone(), value.clone()]);
    }
    text += &format!("\n{}", names.to_text(2));
    let mut block = |head: String, lines: &[String]| {
        if lines.is_empty() {
            return;
        }
        text += &format!("\n{head}\n");
        for line in lines.iter().take(LINES) {
            text += &format!("  {line}\n");
        }
        if lines.len() > LINES {
            text += &format!("  … and {} more lines (--json has them all)\n", lines.len() - LINES);
        }
    };
    let definitions = e.definitions.iter().map(|(name, text)| format!("{name} = {text}"));
    block("definitions".into(), &definitions.collect::<Vec<_>>());
    block("motion".into(), &e.motion);
    if let Some((each, once)) = e.operations {
        let head = format!("as it is computed: {each} operations each time, {once} once");
        block(head, &e.derived);
    }
    block("not smooth: methods of high order lose it where the motion crosses".into(), &e.kinks);
    let list = |names: &[&str]| if names.is_empty() { "none".into() } else { names.join(", ") };
    text += &format!("\ninvariants that are watched: {}\n", list(&e.invariants));
    let few = worth_trying(&e.methods);
    text += &match e.methods.len() {
        n if n <= METHODS => format!("methods that fit: {}\n", list(&e.methods)),
        n => format!("methods that fit: {n} (--json has them all); to try first: {}\n", list(&few)),
    };
    let mut reasons: Vec<&str> = e.refused.iter().map(|(_, reason)| reason.as_str()).collect();
    reasons.dedup();
    for reason in reasons {
        let these = e.refused.iter().filter(|(_, r)| r == reason).map(|(id, _)| *id);
        text += &format!("not: {}: {reason}\n", these.collect::<Vec<_>>().join(", "));
    }
    text
}
