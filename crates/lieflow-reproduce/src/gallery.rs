//! The page that shows all experiments with their claims.
use crate::claim::short;
use crate::finished::Finished;
use lieflow_report::page::escape;
use std::fmt::Write;

const TEMPLATE: &str = include_str!("../assets/gallery.html");

/// Papers in the order of the page: folder, heading.
const PAPERS: [(&str, &str); 5] = [
    ("krysl2004", "Krysl: the midpoint Lie algorithm with explicit torque"),
    ("ortolan2011", "Ortolan: energy drift of rigid-body integrators; Lie methods on two-spheres"),
    ("carre2017", "Carré and Bensoam: Runge–Kutta–Munthe-Kaas against variational methods"),
    ("lewisolver2001", "Lewis and Olver: isotropy corrections on homogeneous manifolds"),
    ("celledoni2021", "Celledoni et al.: Lie group integrators for mechanical systems"),
];

/// The gallery as one HTML document, figures included.
pub fn render(experiments: &[Finished], quick: bool) -> String {
    let claims = || experiments.iter().flat_map(|e| &e.claims);
    let holding = claims().filter(|c| c.holds).count();
    let failed = experiments.iter().filter(|e| !e.holds()).count();
    let mut summary = String::new();
    let _ = write!(
        summary,
        "{} experiments, {} claims, {holding} hold{}{}.",
        experiments.len(),
        claims().count(),
        if failed > 0 { format!("; {failed} experiments need a look") } else { String::new() },
        if quick { " (quick run: shorter horizons)" } else { "" }
    );
    let mut contents = String::new();
    let mut body = String::new();
    for (folder, heading) in PAPERS {
        let of_paper: Vec<&Finished> = experiments.iter().filter(|e| e.folder == folder).collect();
        if of_paper.is_empty() {
            continue;
        }
        let _ = write!(contents, "<h3>{}</h3><ul>", escape(heading));
        let _ = write!(body, "<h2 id=\"{folder}\">{}</h2>", escape(heading));
        for e in of_paper {
            let mark = if e.holds() { "✓" } else { "✗" };
            let class = if e.holds() { "good" } else { "bad" };
            let _ = write!(
                contents,
                "<li><a href=\"#{}\"><span class=\"{class}\">{mark}</span> {}</a></li>",
                e.id,
                escape(&e.number)
            );
            card(&mut body, e);
        }
        contents.push_str("</ul>");
    }
    TEMPLATE
        .replace("{{summary}}", &escape(&summary))
        .replace("{{contents}}", &contents)
        .replace("{{body}}", &body)
}

fn card(out: &mut String, e: &Finished) {
    let _ = write!(
        out,
        "<article id=\"{}\"><header><p class=\"number\">{}</p><h3>{}</h3></header>",
        e.id,
        escape(&e.number),
        escape(&e.title)
    );
    if !e.note.is_empty() {
        let _ = write!(out, "<p class=\"note\">{}</p>", escape(&e.note));
    }
    if let Some(failure) = &e.failure {
        let _ = write!(out, "<p class=\"bad\">✗ could not be run: {}</p>", escape(failure));
    }
    for (k, figure) in e.figures.iter().enumerate() {
        // Clip paths are numbered per figure; on one page their names must differ.
        let figure = figure.replace("panel", &format!("{}-{k}-p", e.id));
        let _ = write!(out, "<figure>{figure}</figure>");
    }
    if !e.claims.is_empty() {
        out.push_str("<table><tr><th></th><th>claim</th><th>measured</th><th>expected</th></tr>");
        for c in &e.claims {
            let mark = c.mark();
            let class = match (c.holds, c.timing) {
                (true, _) => "good",
                (false, true) => "note",
                (false, false) => "bad",
            };
            let says = c.paper_says.as_ref().map_or(String::new(), |s| {
                format!("<br><span class=\"note\">The paper says: {}</span>", escape(s))
            });
            let _ = write!(
                out,
                "<tr><td class=\"{class}\">{mark}</td><td class=\"text\">{}{says}</td><td>{}</td><td>{}</td></tr>",
                escape(&c.text),
                short(c.measured),
                escape(&c.expected)
            );
        }
        out.push_str("</table>");
    }
    let _ = write!(out, "<p class=\"again\"><code>lieflow reproduce {}</code>", e.id);
    for file in e.files.iter().filter(|f| !f.ends_with(".json")) {
        let name = file.rsplit('/').next().unwrap_or(file);
        let _ = write!(out, " · <a href=\"{}\">{}</a>", escape(file), escape(name));
    }
    let _ = write!(out, " · {:.1} s</p></article>", e.seconds);
}
