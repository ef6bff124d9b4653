//! The page: one document with everything in it.
use lieflow_report::page::{DRAWING, STYLE, escape, fill};

const TEMPLATE: &str = include_str!("../assets/play.html");
const OWN_STYLE: &str = include_str!("../assets/play.css");
/// The scripts of the viewer, in the order in which they are read.
const SCRIPTS: [&str; 4] = [
    include_str!("../assets/curves.js"),
    include_str!("../assets/panel.js"),
    include_str!("../assets/lanes.js"),
    include_str!("../assets/play.js"),
];

/// The page for a problem of this name.
pub fn page(name: &str) -> String {
    let style = [STYLE, OWN_STYLE].concat();
    let scripts = [DRAWING.concat(), SCRIPTS.concat()].concat();
    fill(TEMPLATE, &[("title", &escape(name)), ("style", &style), ("scripts", &scripts)])
}

/// What the page may load: its own scripts and style, its own socket, nothing from elsewhere.
pub fn policy(host: &str) -> String {
    format!(
        "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
         img-src data: blob:; connect-src ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    )
}
