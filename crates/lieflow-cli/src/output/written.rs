//! What was written, for people: figures in one line, and the page to look at last.

/// A line for each file; `figure-1.svg` and so on are one.
pub fn written<'a>(files: impl IntoIterator<Item = &'a str>) -> String {
    let name = |file: &str| file.rsplit(std::path::is_separator).next().unwrap_or(file).to_string();
    let is_figure = |file: &&str| name(file).starts_with("figure-") && file.ends_with(".svg");
    let (figures, others): (Vec<&str>, Vec<&str>) = files.into_iter().partition(is_figure);
    let mut text = String::new();
    for file in others.iter().filter(|file| name(file) != "report.html") {
        text += &format!("wrote {file}\n");
    }
    match figures.as_slice() {
        [] => {}
        [one] => text += &format!("wrote {one}\n"),
        [first, .., last] => text += &format!("wrote {first} to {}\n", name(last)),
    }
    if let Some(page) = others.iter().find(|file| name(file) == "report.html") {
        text += &format!("wrote {page}: open it in a browser\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn figures_are_one_line_and_the_page_is_the_last() {
        let files =
            ["o/report.html", "o/figure-1.svg", "o/figure-2.svg", "o/figure-3.svg", "o/a.csv"];
        let lines = "wrote o/a.csv\nwrote o/figure-1.svg to figure-3.svg\n\
                     wrote o/report.html: open it in a browser\n";
        assert_eq!(written(files), lines);
        assert_eq!(written([]), "");
    }
}
