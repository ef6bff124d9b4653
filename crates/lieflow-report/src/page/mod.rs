//! A self-contained page: summary, a moving picture, plots to explore, tables, the problem to copy.
//!
//! The page is the template in `assets/` with its scripts inlined and the data as one JSON
//! document; it opens from the file system with the network off.
use crate::figure::Figure;
use crate::packed;
use crate::table::{Table, Verdict};
use serde::Serialize;

mod scene;

pub use scene::{Object, Scene, Shape};

const TEMPLATE: &str = include_str!("../../assets/page.html");
const STYLE: &str = include_str!("../../assets/page.css");
/// The scripts, in the order in which they are read.
const SCRIPTS: [&str; 6] = [
    include_str!("../../assets/data.js"),
    include_str!("../../assets/chart.js"),
    include_str!("../../assets/film.js"),
    include_str!("../../assets/motion.js"),
    include_str!("../../assets/table.js"),
    include_str!("../../assets/page.js"),
];

/// A fact of the summary.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// Its value, as text.
    pub value: String,
}

/// A verdict at the head of the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chip {
    /// A few words.
    pub text: String,
    /// How it is meant.
    pub verdict: Verdict,
}

/// A list of numbers over the rows of [`Columns`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its numbers.
    #[serde(serialize_with = "packed::single")]
    pub values: Vec<f64>,
}

/// Columns that can be drawn over time or against each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Columns {
    /// What the rows are.
    pub title: String,
    /// The time of each row.
    #[serde(serialize_with = "packed::double")]
    pub times: Vec<f64>,
    /// The columns.
    pub columns: Vec<Column>,
}

/// An attitude over time, for angles in the convention that the reader chooses.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attitude {
    /// Whose.
    pub name: String,
    /// The convention that is shown first, such as `zxz`.
    pub convention: &'static str,
    /// The times.
    #[serde(serialize_with = "packed::double")]
    pub times: Vec<f64>,
    /// Quaternions (w, x, y, z), one after the other, without jumps of the sign.
    #[serde(serialize_with = "packed::single")]
    pub quaternions: Vec<f64>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// When.
    pub t: f64,
}

/// A part of the page that is folded until it is asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// Plots.
    pub plots: Vec<Figure>,
    /// Tables.
    pub tables: Vec<Table>,
}

/// Everything that a page shows. Parts that are empty do not appear.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Page {
    /// Heading, such as the name of the problem.
    pub title: String,
    /// One line under it.
    pub subtitle: String,
    /// Verdicts under that.
    pub chips: Vec<Chip>,
    /// The summary.
    pub facts: Vec<Fact>,
    /// The moving picture, if there is one.
    pub scene: Option<Scene>,
    /// Tables: invariants with verdicts, orders, claims.
    pub tables: Vec<Table>,
    /// Interactive plots.
    pub plots: Vec<Figure>,
    /// Attitudes, for a plot of angles.
    pub attitudes: Vec<Attitude>,
    /// What can be drawn against what.
    pub columns: Vec<Columns>,
    /// What happened when.
    pub events: Vec<Event>,
    /// What is folded.
    pub sections: Vec<Section>,
    /// The problem file, to copy.
    pub problem: String,
    /// The command that makes this page again.
    pub command: String,
}

/// The page as one HTML document.
pub fn render(page: &Page) -> String {
    // The data stand in a script element, which "</" ends and "<!--<script>" keeps open: no "<" is
    // left in them.
    let data = serde_json::to_value(page).map_or(serde_json::Value::Null, packed::pooled);
    let data = data.to_string().replace('<', "\\u003c");
    let mut out = String::with_capacity(TEMPLATE.len() + data.len() + 90_000);
    let mut rest = TEMPLATE;
    while let Some(start) = rest.find("{{") {
        let Some(end) = rest[start..].find("}}") else { break };
        out.push_str(&rest[..start]);
        match &rest[start + 2..start + end] {
            "title" => out.push_str(&escape(&page.title)),
            "style" => out.push_str(STYLE),
            "scripts" => SCRIPTS.iter().for_each(|script| out.push_str(script)),
            "data" => out.push_str(&data),
            _ => {}
        }
        rest = &rest[start + end + 2..];
    }
    out.push_str(rest);
    out
}

/// A text as it stands in HTML, also within quotes.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        let problem = "x = \"</script>\"".into();
        Page { title: "a < b".into(), problem, ..Page::default() }
    }

    #[test]
    fn nothing_is_left_to_fill_and_nothing_is_fetched() {
        let html = render(&page());
        assert!(!html.contains("{{") && html.contains("a &lt; b"));
        for external in ["src=\"http", "href=\"http", "@import", "fetch("] {
            assert!(!html.contains(external), "{external}");
        }
    }

    #[test]
    fn data_can_neither_end_the_script_nor_keep_it_open() {
        let hostile = ["</script>", "<!--<script>", "<!--", "<SCRIPT", "]]>"];
        for text in hostile {
            let html = render(&Page { problem: text.into(), ..page() });
            let safe = text.replace('<', "\\u003c");
            let elsewhere = render(&page()).matches(text).count();
            assert_eq!(html.matches(text).count(), elsewhere + usize::from(safe == text), "{text}");
            assert!(html.contains(&safe), "{text}");
        }
    }

    #[test]
    fn the_empty_page_is_small() {
        assert!(render(&page()).len() < 120_000);
    }
}
