//! Whatever is typed, reading it gives a value or an error, never a panic.
use lieflow_models::problem_file::{
    Document, Kind, Node, Place, Reader, Setting, SpecError, Table, Warnings, parse, parse_toml,
};
use lieflow_models::problems::PROBLEMS;
use proptest::prelude::*;

/// Texts that look like problem files: known words, numbers and punctuation in any order.
fn soup() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "system",
        "parameters",
        "initial",
        "solve",
        "output",
        "inertia",
        "axis",
        "direction",
        "strength",
        "rotation",
        "vector",
        "matrix",
        "quaternion",
        "project",
        "momentum",
        "omega",
        "method",
        "step",
        "tol",
        "until",
        "from",
        "every",
        "chart",
        "dexpinv",
        "\"heavy-top\"",
        "\"kirchhoff\"",
        "\"rkmk4\"",
        "true",
        "false",
        "nan",
        "inf",
        "-inf",
        "1e308",
        "1e-308",
        "0",
        "-1",
        "3.5",
        "0x7f",
        "1979-05-27",
        "=",
        ".",
        ",",
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        "\n",
        "\n",
        "\n",
        "\"",
        "'",
        "#",
        " ",
        "\\",
        "é",
        "\u{0}",
    ]);
    prop::collection::vec(token, 0..60).prop_map(|tokens| tokens.concat())
}

/// A built-in problem with one stretch of text replaced.
fn broken_problem() -> impl Strategy<Value = String> {
    let problem = prop::sample::select(PROBLEMS.iter().map(|p| p.text).collect::<Vec<_>>());
    (problem, any::<prop::sample::Index>(), 0usize..12, soup()).prop_map(|(text, at, cut, new)| {
        let chars: Vec<char> = text.chars().collect();
        let at = at.index(chars.len());
        let end = (at + cut).min(chars.len());
        let head: String = chars[..at].iter().collect();
        let tail: String = chars[end..].iter().collect();
        format!("{head}{new}{tail}")
    })
}

/// Any tree of values.
fn tree() -> impl Strategy<Value = Node> {
    let node = |kind| Node { place: Place::whole("fuzz"), kind };
    let leaf = prop_oneof![
        any::<f64>().prop_map(Kind::Number),
        any::<i64>().prop_map(Kind::Integer),
        any::<bool>().prop_map(Kind::Boolean),
        ".{0,6}".prop_map(Kind::Text),
    ]
    .prop_map(node);
    leaf.prop_recursive(3, 24, 5, move |inner| {
        let key = prop::sample::select(vec!["a", "vector", "matrix", "quaternion", "project"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Kind::List),
            prop::collection::vec((key, inner), 0..4).prop_map(|entries| {
                let place = Place::whole("fuzz");
                let entries =
                    entries.into_iter().map(|(k, v)| (k.to_string(), place.clone(), v)).collect();
                Kind::Table(Table { entries })
            }),
        ]
        .prop_map(node)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = parse(&text);
    }

    #[test]
    fn any_soup_is_read_or_refused(text in soup()) {
        let _ = parse(&text);
    }

    #[test]
    fn a_broken_problem_is_read_or_refused_with_a_place(text in broken_problem()) {
        if let Err(error) = parse(&text) {
            let message = error.to_string();
            prop_assert!(message.starts_with("fuzz"), "{}", message);
        }
    }

    #[test]
    fn places_lie_inside_the_text(text in soup()) {
        if let Err(SpecError::Syntax { place, .. }) = parse_toml(&text, "f") {
            let lines = text.split('\n').count();
            prop_assert!(place.line >= 1 && place.line as usize <= lines, "{} of {}", place, lines);
        }
    }

    #[test]
    fn any_setting_is_laid_over_or_refused(setting in any::<String>(), soup in soup()) {
        for text in [setting, soup] {
            if let Ok(setting) = Setting::parse("--set", &text) {
                let document = Document::parse(PROBLEMS[0].text, "p", &[setting]);
                if let Ok(document) = document {
                    let _ = (document.build().is_ok(), document.plan().is_ok());
                }
            }
        }
    }

    #[test]
    fn any_value_is_taken_or_refused(value in tree()) {
        let place = Place::whole("fuzz");
        let table = Table { entries: vec![("x".into(), place.clone(), value)] };
        let root = Node { place, kind: Kind::Table(table) };
        let warnings = Warnings::default();
        let reader = Reader::new(&root, &warnings).unwrap();
        if let Ok(r) = reader.rotation("x") {
            prop_assert!(r.orthogonality_error() < 1e-10);
        }
        if let Ok(v) = reader.unit_vector("x") {
            prop_assert!((v.norm() - 1.0).abs() < 1e-11);
        }
        if let Ok(j) = reader.inertia("x") {
            prop_assert!(j.determinant() > 0.0 || j.norm_squared() < 1e-200 || j.norm_squared() > 1e200);
        }
        if let Ok(numbers) = reader.numbers("x") {
            prop_assert!(numbers.iter().all(|x| x.is_finite()));
        }
        if let Ok(numbers) = reader.numbers_or_one("x", 3) {
            prop_assert!(numbers.len() == 3);
        }
        if let Ok(list) = reader.unit_vectors("x", 2) {
            prop_assert!(list.len() == 2);
        }
        let _ = (reader.vector("x"), reader.vectors("x", 2), reader.any_vectors("x"));
        let _ = (reader.matrix3("x"), reader.integer("x"), reader.text("x"), reader.sub("x"));
        let _ = (reader.number("x"), reader.positive("x"), reader.boolean_or("x", true));
        let _ = (reader.subs("x"), reader.choice("x", &["a", "b"]), reader.finish());
    }

    #[test]
    fn numbers_come_back_as_they_were_written(x in any::<f64>()) {
        prop_assume!(x.is_finite());
        let text = format!("x = [{x:?}, {x:e}]");
        // TOML wants a digit on both sides of the point, which both forms have or need not.
        let root = parse_toml(&text, "f").unwrap();
        let warnings = Warnings::default();
        let numbers = Reader::new(&root, &warnings).unwrap().numbers("x").unwrap();
        for y in numbers {
            prop_assert_eq!(y, x);
        }
    }
}
