//! A self-contained page: summary, plots to explore, a moving picture, the problem to copy.
//!
//! The page is the template in `assets/` with its scripts inlined and the data as one JSON
//! document; it opens from the file system with the network off.
use crate::figure::Figure;
use crate::table::Table;
use serde::Serialize;

mod scene;

pub use scene::{Object, Rounded, Scene};

const TEMPLATE: &str = include_str!("../../assets/page.html");
const STYLE: &str = include_str!("../../assets/page.css");
const SCRIPT: &str = include_str!("../../assets/page.js");
const SCENE_SCRIPT: &str = include_str!("../../assets/scene.js");
const UPLOT: &str = include_str!("../../assets/vendor/uplot/uPlot.iife.min.js");
const UPLOT_STYLE: &str = include_str!("../../assets/vendor/uplot/uPlot.min.css");

/// A fact of the summary.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// Its value, as text.
    pub value: String,
}

/// Everything that a page shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Page {
    /// Heading, such as the name of the problem.
    pub title: String,
    /// One line under it.
    pub subtitle: String,
    /// The summary.
    pub facts: Vec<Fact>,
    /// Tables: invariants with verdicts, orders, claims.
    pub tables: Vec<Table>,
    /// Interactive plots.
    pub plots: Vec<Figure>,
    /// The moving picture, if there is one.
    pub scene: Option<Scene>,
    /// The problem file, to copy.
    pub problem: String,
    /// The command that makes this page again.
    pub command: String,
}

/// The page as one HTML document.
pub fn render(page: &Page) -> String {
    // The data stand in a script element, which "</" ends and "<!--<script>" keeps open: no "<" is
    // left in them.
    let data = serde_json::to_string(page).unwrap_or_else(|_| "null".into());
    let data = data.replace('<', "\\u003c");
    let mut out = String::with_capacity(TEMPLATE.len() + UPLOT.len() + data.len() + 60_000);
    let mut rest = TEMPLATE;
    while let Some(start) = rest.find("{{") {
        let Some(end) = rest[start..].find("}}") else { break };
        out.push_str(&rest[..start]);
        match &rest[start + 2..start + end] {
            "title" => out.push_str(&escape(&page.title)),
            "style" => out.push_str(STYLE),
            "script" => out.push_str(SCRIPT),
            "scene-script" => out.push_str(SCENE_SCRIPT),
            "uplot" => out.push_str(UPLOT),
            "uplot-style" => out.push_str(UPLOT_STYLE),
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
        Page {
            title: "a < b".into(),
            subtitle: String::new(),
            facts: vec![],
            tables: vec![],
            plots: vec![],
            scene: None,
            problem: String::new(),
            command: String::new(),
        }
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
