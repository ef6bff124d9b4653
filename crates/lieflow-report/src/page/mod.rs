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
/// How all pages look.
pub const STYLE: &str = include_str!("../../assets/page.css");
/// What all pages draw with: data and colours, charts, the stage of what moves. In this order.
pub const DRAWING: [&str; 3] = [
    include_str!("../../assets/data.js"),
    include_str!("../../assets/chart.js"),
    include_str!("../../assets/stage.js"),
];
/// What reports have beside, in the order in which it is read.
const SCRIPTS: [&str; 4] = [
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
    let scripts = [DRAWING.concat(), SCRIPTS.concat()].concat();
    let title = escape(&page.title);
    fill(TEMPLATE, &[("title", &title), ("style", STYLE), ("scripts", &scripts), ("data", &data)])
}

/// A template in which each `{{name}}` is replaced by the text of that name. What is put in is not
/// looked at again.
pub fn fill(template: &str, texts: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(texts.iter().map(|(_, text)| text.len()).sum());
    let mut rest = template;
    while let Some(start) = rest.find("{{") {
        let Some(end) = rest[start..].find("}}") else { break };
        out.push_str(&rest[..start]);
        let name = &rest[start + 2..start + end];
        if let Some((_, text)) = texts.iter().find(|(known, _)| *known == name) {
            out.push_str(text);
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
