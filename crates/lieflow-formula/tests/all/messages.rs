//! Bad formulas and everything that is said about them, from the table beside this file.
use lieflow_formula::{Kind, Names, Sheet};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/messages.txt");

fn names() -> Names {
    let pose = Kind::Record(vec![("R".into(), Kind::Matrix), ("x".into(), Kind::Vector)]);
    let names = Names::new().state("R", Kind::Matrix).unwrap().state("w", Kind::Vector).unwrap();
    let names = names.state("s", Kind::Vector.list(32)).unwrap().state("y", Kind::Number.list(5));
    let names = names.unwrap().state("X", pose).unwrap().time().unwrap();
    let names = names.parameter("k", Kind::Number).unwrap().parameter("stiffness", Kind::Number);
    let names = names.unwrap().parameter("a", Kind::Vector).unwrap();
    let mut names = names.parameter("J", Kind::Matrix).unwrap();
    for (name, text) in [
        ("loop", "2*chain"),
        ("chain", "link + 1"),
        ("link", "loop/2"),
        ("self", "self + 1"),
        ("bad", "k + a"),
        ("r", "norm(w)"),
        ("pair[i, j]", "dot(s[i], s[j])"),
    ] {
        names = names.define(name, &format!("definitions.{name}"), text).unwrap();
    }
    names
}

/// The message, with its kind in front. Line breaks of the formula are written out.
fn message(text: &str) -> String {
    match Sheet::new(names()).unwrap().formula("formula", text) {
        Ok(_) => "no error".into(),
        Err(error) => format!("{:?}: {}", error.fault, error.render()),
    }
}

/// Blocks with empty lines between them: the formula, then its message.
fn blocks() -> Vec<(String, String)> {
    let table = std::fs::read_to_string(TABLE).unwrap();
    let blocks = table.split("\n\n").map(str::trim_end).filter(|block| !block.is_empty());
    let block = |block: &str| {
        let (formula, message) = block.split_once('\n').unwrap_or((block, ""));
        (formula.trim_start_matches("» ").replace("\\n", "\n"), message.to_string())
    };
    blocks.map(block).collect()
}

#[test]
fn bad_formulas_are_told_what_is_wrong_with_them() {
    let blocks = blocks();
    assert!(blocks.len() >= 120, "only {} formulas", blocks.len());
    // To write the table again after a change, and then to read it.
    if let Ok(path) = std::env::var("LIEFLOW_WRITE_MESSAGES") {
        let block = |(formula, _): &(String, String)| {
            format!("» {}\n{}\n", formula.replace('\n', "\\n"), message(formula))
        };
        std::fs::write(path, blocks.iter().map(block).collect::<Vec<_>>().join("\n")).unwrap();
        return;
    }
    for (formula, want) in blocks {
        let got = message(&formula);
        assert_eq!(got.trim_end(), want, "{formula}");
    }
}

#[test]
fn every_mistake_names_what_was_found_or_expected() {
    for (formula, _) in blocks() {
        let error = Sheet::new(names()).unwrap().formula("formula", &formula).unwrap_err();
        let told = !error.found.is_empty() || !error.expected.is_empty();
        let alone = matches!(error.fault, lieflow_formula::Fault::Depth);
        assert!(told || alone, "{formula}: {error:?}");
    }
}
