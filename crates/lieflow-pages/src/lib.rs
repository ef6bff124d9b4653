//! Pages from what was computed: a record goes in, a page as plain data comes out.
//!
//! | page of | function |
//! | --- | --- |
//! | one run | [`RunReport::page`], from the states that [`Samples`] kept |
//! | an ensemble | [`ensemble::page`] |
//! | several runs | [`overlay::page`] |
//! | a study | [`order::page`], [`drift::page`], [`compare::page`], [`certify::page`] |
//!
//! Nothing here reads a file or the command line, and a clock only to give up on a film that takes
//! too long, so that the tool, a notebook and a viewer show the same page. `lieflow_report::page::render` turns it into one HTML document.
pub mod certify;
pub mod compare;
pub mod drift;
pub mod ensemble;
mod film;
mod lattice;
mod levels;
mod live;
mod motion;
pub mod order;
pub mod overlay;
mod parts;
mod run;
mod samples;
mod scene;
mod thinning;

pub use film::Film;
pub use live::{LiveFrames, LivePicture};
pub use run::RunReport;
pub use samples::Samples;

use lieflow_report::page::Page;

/// What a study was made of.
#[derive(Clone, Debug, Default)]
pub struct Subject<'a> {
    /// The problem, by name or file.
    pub name: &'a str,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// The problem file with all settings.
    pub problem: String,
    /// The command that makes the page again.
    pub command: String,
}

impl Subject<'_> {
    /// What the page calls the problem.
    fn called(&self) -> &str {
        self.title.as_deref().unwrap_or(self.name)
    }

    /// A page with this heading, which says of what problem it is.
    fn page(&self, title: String) -> Page {
        let subtitle = match &self.title {
            Some(_) => self.name.to_string(),
            None => String::new(),
        };
        Page {
            title,
            subtitle,
            problem: self.problem.clone(),
            command: self.command.clone(),
            ..Page::default()
        }
    }
}

/// A number for a reader: eight digits, and an exponent where it helps.
fn number(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    let text = format!("{x:.7e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = exponent.parse().unwrap_or(0);
    if (-4..7).contains(&power) {
        let fixed = format!("{x:.*}", (7 - power).max(0) as usize);
        let short = if fixed.contains('.') {
            fixed.trim_end_matches('0').trim_end_matches('.')
        } else {
            &fixed
        };
        return short.to_string();
    }
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    format!("{digits}e{power}")
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_short_and_right() {
        let cases = [
            (0.1, "0.1"),
            (-1269.10672, "-1269.1067"),
            (3e-17, "3e-17"),
            (1e7, "1e7"),
            (12.0, "12"),
        ];
        for (x, text) in cases {
            assert_eq!(number(x), text);
        }
    }
}
