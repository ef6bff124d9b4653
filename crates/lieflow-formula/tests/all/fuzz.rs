//! No text makes the reader panic, exhaust the stack, or take longer than its length allows.
use crate::chance::{Draw, count, formula};
use lieflow_formula::{Kind, Names, Sheet};
use std::time::{Duration, Instant};

fn names() -> Names {
    let names = Names::new().state("R", Kind::Matrix).unwrap().state("v", Kind::Vector).unwrap();
    let names = names.state("x", Kind::Number).unwrap().time().unwrap();
    let names = names.state("s", Kind::Vector.list(5)).unwrap();
    let names = names.define("d[i]", "definitions.d", "s[i]*x").unwrap();
    names.parameter("k", Kind::Number).unwrap()
}

/// Reads a text, differentiates and compiles it, and shows what is wrong with it.
fn read(sheet: &Sheet, text: &str) -> bool {
    let mut sheet = sheet.clone();
    match sheet.formula("fuzz", text) {
        Ok(value) => {
            let by = sheet.get("v").unwrap();
            if let Some(slopes) = sheet.gradient(&value, &by) {
                let _ = sheet.program(&[("f", &value), ("g", &slopes)]).map(|p| p.explain(1));
            }
            true
        }
        Err(error) => {
            let shown = error.render();
            assert!(shown.contains('^') && !error.message.is_empty(), "{text:?}: {shown}");
            assert!(error.place.span.start <= error.place.source.text().len());
            false
        }
    }
}

const WORDS: &[&str] = &[
    "R",
    "v",
    "x",
    "t",
    "s",
    "k",
    "d",
    "i",
    "j",
    "R33",
    "v2",
    "e1",
    "pi",
    "sin",
    "dot",
    "cross",
    "norm",
    "sum",
    "prod",
    "grad",
    "ddt",
    "if",
    "cyc",
    "min",
    "inv",
    "angle",
    "1",
    "2",
    "3",
    "0.5",
    "1e9",
    "1e308",
    "+",
    "-",
    "*",
    "/",
    "^",
    "**",
    "(",
    ")",
    "[",
    "]",
    ",",
    "'",
    ".",
    "<",
    ">",
    "=",
    "·",
    "×",
    "−",
    " ",
    "é",
    "ω",
    "²",
    "\n",
    "\t",
    "\u{0}",
    "🦀",
    "\"",
    "%",
    "1.2.3",
    "sum(i,1,3,",
    "if(x<1,",
    "[1,2,3]",
];

fn soup(draw: &mut Draw) -> String {
    (0..draw.below(24)).map(|_| draw.pick(WORDS)).collect()
}

/// A good formula with some characters changed.
fn mutated(draw: &mut Draw) -> String {
    let depth = draw.below(3);
    let mut text: Vec<char> = formula(draw, depth).chars().collect();
    for _ in 0..draw.below(4) {
        let at = draw.below(text.len().max(1)).min(text.len());
        match draw.below(4) {
            0 if at < text.len() => drop(text.remove(at)),
            1 => draw.pick(WORDS).chars().for_each(|c| text.insert(at, c)),
            2 if at < text.len() => {
                let other = draw.below(text.len());
                text.swap(at, other);
            }
            _ => text.insert(at, char::from(32 + draw.below(95) as u8)),
        }
    }
    text.into_iter().collect()
}

fn fuzz(texts: usize) {
    let mut draw = Draw::new(11);
    let sheet = Sheet::new(names()).unwrap();
    let mut good = 0;
    let mut slowest = (Duration::ZERO, String::new());
    for k in 0..texts {
        let text = if k % 2 == 0 { soup(&mut draw) } else { mutated(&mut draw) };
        let clock = Instant::now();
        good += usize::from(read(&sheet, &text));
        if clock.elapsed() > slowest.0 {
            slowest = (clock.elapsed(), text);
        }
    }
    println!("{good} of {texts} are formulas; the slowest took {:?}: {:?}", slowest.0, slowest.1);
    assert!(good > texts / 10);
}

#[test]
fn random_texts_are_read_or_refused() {
    fuzz(count("LIEFLOW_TEXTS", 100_000));
}

/// About ten minutes.
#[test]
#[ignore = "ten million texts"]
fn ten_million_random_texts_are_read_or_refused() {
    fuzz(count("LIEFLOW_TEXTS", 10_000_000));
}

#[test]
fn long_and_deep_texts_take_their_time_and_no_more() {
    let many = |part: &str, n: usize| part.repeat(n);
    let n = 50_000;
    let texts = [
        many("(", n),
        many("[", n),
        many("-", n) + "x",
        many("x^", n) + "x",
        many("sin(", n),
        "R".to_string() + &many("'", n),
        "s".to_string() + &many("[1]", n),
        many("x + ", n) + "x",
        many("x*", n) + "x",
        many("x/", n) + "x",
        many("x - v + ", n),
        many("x ", n),
        many("1", n),
        many("y", n),
        many("(x + (y", n),
        many("R*", 5000) + "v",
        format!("min({} x)", many("x,", n)),
        format!("[{} x]", many("x,", n)),
        "sum(i, 1, 1000, sum(j, 1, 1000, sum(l, 1, 1000, 0)))".into(),
        "sum(i, 1, 1000, sum(j, 1, 1000, sin(i*x + j)))".into(),
        "sum(i, 1, 1000000, x^i)".into(),
        "sum(i, 1, 1000000000000, 1)".into(),
        "prod(i, 1, 300, sum(j, 1, 300, x + i*j))".into(),
        format!("{}x*x*x*x{}", many("grad(", 150), many(", x)", 150)),
        format!("{}sin(x)*exp(x)*norm(v){}", many("grad(", 60), many(", x)", 60)),
        format!("sum(i, 1, 5, {})", many("d[i] + ", 5000) + "d[i]"),
        many("é", n),
        many("\n", n) + "q",
        many("sqrt(x) + if(x < t, sqrt(x), 0) + ", 500) + "0",
    ];
    let sheet = Sheet::new(names()).unwrap();
    for text in texts {
        let clock = Instant::now();
        read(&sheet, &text);
        let took = clock.elapsed();
        // A second is the bound for a hundred thousand nodes; the size limit allows a few.
        assert!(
            took < Duration::from_secs(8),
            "{took:?}: {}…",
            text.chars().take(40).collect::<String>()
        );
    }
}

#[test]
fn definitions_may_be_long_chains_but_not_circles() {
    let chain = |n: usize, last: &str| {
        let mut names = names();
        for k in 0..n {
            let text = if k + 1 == n { last.to_string() } else { format!("2*(q_{}_ + 1)", k + 1) };
            names = names.define(&format!("q_{k}_"), "definitions", &text).unwrap();
        }
        Sheet::new(names).unwrap().formula("f", "q_0_").map_err(|error| error.to_string())
    };
    assert!(chain(100, "x").is_ok());
    assert_eq!(
        chain(3, "q_1_").unwrap_err(),
        "the definition of 'q_1_' needs itself (q_1_ → q_2_ → q_1_)"
    );
    assert!(chain(2000, "x").unwrap_err().contains("stand in each other"));
}
