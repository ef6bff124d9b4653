//! The reference of the manual is what the tool reads: options from its help, methods from their
//! cards, keys from the readers of problem files.
//!
//! `LIEFLOW_WRITE_DOCS=1 cargo test -p lieflow-cli --test tool reference` writes the pages. What
//! people have written behind a key is kept.
use crate::common::{file, json, lieflow};
use crate::manual::docs;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Compares a page with what it should be, or writes it.
fn check(page: &str, expected: &str) {
    let path = docs().join("reference").join(page);
    if std::env::var_os("LIEFLOW_WRITE_DOCS").is_some() {
        std::fs::write(path, expected).unwrap();
        return;
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = there.lines().zip(expected.lines()).find(|(a, b)| a != b);
    let told = "run with LIEFLOW_WRITE_DOCS=1 to write it again";
    assert!(
        there == expected,
        "docs/reference/{page} is not what the tool says; {told}: {differs:?}"
    );
}

#[test]
fn commands() {
    let mut page = String::from(
        "# Commands and options\n\
         What `lieflow help` says. This page is written by a test from the tool itself.\n",
    );
    let top = lieflow(&["--help"]).stdout;
    let _ = write!(page, "\n## lieflow\n```text\n{top}```\n");
    let listed = top.split("Commands:").nth(1).unwrap().split("\n\n").next().unwrap();
    for line in listed.lines() {
        let Some(name) = line.split_whitespace().next().filter(|name| *name != "help") else {
            continue;
        };
        if line.starts_with("   ") {
            continue;
        }
        let help = lieflow(&[name, "--help"]).stdout;
        let _ = write!(page, "\n## lieflow {name}\n```text\n{help}```\n");
    }
    check("commands.md", &page);
}

#[test]
fn methods() {
    let cards = json(&["list", "methods", "--json"]);
    let cards = cards.as_array().unwrap();
    let mut page = format!(
        "# Methods\n\
         All {} methods, by family; `lieflow list methods` with its options chooses among them. This page is written by a test\n\
         from the cards. *Pair* means that a method has an error estimate and keeps a tolerance by it; evaluations are those of the\n\
         field or torque in a step, and vary where a step solves equations; *forced* says what is kept where the field depends on\n\
         time. Sources are keys of `references.bib`.\n",
        cards.len()
    );
    let mut families: Vec<&str> = Vec::new();
    for card in cards {
        let family = card["family"].as_str().unwrap();
        if !families.contains(&family) {
            families.push(family);
        }
    }
    for family in families {
        let _ = write!(
            page,
            "\n## {family}\n\
             | id | order | symmetric | symplectic | kind | evaluations | pair | conserves | forced | source | what it is |\n\
             | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
        );
        for card in cards.iter().filter(|card| card["family"] == family) {
            let text = |key: &str| card[key].as_str().unwrap().replace('|', "\\|");
            let yes = |key: &str| if card[key] == true { "yes" } else { "" };
            let kind = if card["implicit"] == true { "implicit" } else { "explicit" };
            let evaluations =
                card["evaluations"].as_u64().map_or("varies".into(), |n| n.to_string());
            let (id, order) = (text("id"), &card["order"]);
            let (symmetric, symplectic, pair) = (yes("symmetric"), yes("symplectic"), yes("pair"));
            let _ = writeln!(
                page,
                "| `{id}` | {order} | {symmetric} | {symplectic} | {kind} | {evaluations} | {pair} | {} | {} | {} | {} |",
                text("conserves"),
                text("forced"),
                text("source"),
                text("title")
            );
        }
        let systems = cards.iter().filter(|card| card["family"] == family);
        let mut names: Vec<&str> = Vec::new();
        for name in systems.flat_map(|card| card["systems"].as_array().unwrap()) {
            let name = name.as_str().unwrap();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let _ = writeln!(page, "\nFor: {}.", names.join(", "));
    }
    check("methods.md", &page);
}

/// The keys that are known beside one that is not.
fn keys(arguments: &[&str]) -> Vec<String> {
    let refused = lieflow(arguments);
    assert_eq!(refused.status, 2, "{arguments:?}: {refused:?}");
    let Some(known) = refused.stderr.split("known keys here: ").nth(1) else {
        panic!("{arguments:?}: {}", refused.stderr)
    };
    let names = known.trim().split(", ").map(String::from);
    let mut keys: Vec<String> = Vec::new();
    for name in names.filter(|name| *name != "none") {
        if !keys.contains(&name) {
            keys.push(name);
        }
    }
    keys
}

/// The tables inside of others: the section, the problem, and a setting with a key too many.
const INNER: &[(&str, &str, &str)] = &[
    ("custom: state", "coupled-bodies", "state.zz={space=\"SO(3)\",zzz=0}"),
    ("custom: motion", "coupled-bodies", "motion.zzz=0"),
    ("observables", "free", "observables=[{name=\"a\",formula=\"R33\",zzz=0}]"),
    ("invariants", "free", "invariants=[{name=\"a\",formula=\"R33\",zzz=0}]"),
    ("events", "free", "events=[{name=\"a\",formula=\"R33\",zzz=0}]"),
    ("rotation", "free", "initial.rotation={vector=[0,0,0],zzz=0}"),
    ("output.times", "free", "output.times={points=3,zzz=0}"),
    ("potential, kind free", "free", "parameters.potential={kind=\"free\",zzz=0}"),
    (
        "potential, kind lagrange-top",
        "free",
        "parameters.potential={kind=\"lagrange-top\",strength=1,zzz=0}",
    ),
    ("potential, kind soft-wall", "free", "parameters.potential={kind=\"soft-wall\",zzz=0}"),
    (
        "potential, kind linear",
        "free",
        "parameters.potential={kind=\"linear\",strength=1,axis=[0,0,1],direction=[0,0,1],zzz=0}",
    ),
    (
        "potential, kind attractor",
        "free",
        "parameters.potential={kind=\"attractor\",alpha=1,center={vector=[1,0,0]},zzz=0}",
    ),
    ("quadrotors gains", "quad-full", "parameters.gains.zzz=0"),
];

#[test]
fn problem_files() {
    let path = docs().join("reference/problem-files.md");
    let there = std::fs::read_to_string(path).unwrap_or_default();
    // What is written behind each key of each section.
    let mut written: HashMap<(String, String), String> = HashMap::new();
    let mut section = String::new();
    for line in there.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading.into();
        } else if let Some((key, rest)) = line.strip_prefix("| `").and_then(|l| l.split_once("` |"))
        {
            written.insert((section.clone(), key.into()), rest.into());
        }
    }
    let head = there.split("\n## ").next().filter(|head| !head.is_empty());
    let mut page = head.unwrap_or("# Problem files").trim_end().to_string() + "\n";
    let mut add = |section: &str, keys: &[String]| {
        let _ = write!(page, "\n## {section}\n");
        if keys.is_empty() {
            page += "No keys.\n";
            return;
        }
        page += "| key | value | unless given | meaning |\n| --- | --- | --- | --- |\n";
        for key in keys {
            let rest = written.get(&(section.into(), key.clone()));
            let _ = writeln!(page, "| `{key}` |{}", rest.map_or(" | | |", String::as_str));
        }
    };
    add("The file", &keys(&["run", "free", "--set", "zzz=0"]));
    add("solve", &keys(&["run", "free", "--set", "solve.zzz=0"]));
    add("output", &keys(&["run", "free", "--set", "output.zzz=0"]));
    let problems = json(&["list", "problems", "--json"]);
    let systems = json(&["list", "systems", "--json"]);
    for system in systems.as_array().unwrap() {
        let id = system["id"].as_str().unwrap();
        let problem = problems.as_array().unwrap().iter().find(|p| p["system"] == id);
        // The keys of a system by formulas are names of its own.
        if id == "custom" {
            continue;
        }
        let Some(problem) = problem.map(|problem| problem["id"].as_str().unwrap()) else {
            continue;
        };
        for table in ["parameters", "initial"] {
            let setting = format!("{table}.zzz=0");
            add(&format!("{id}: {table}"), &keys(&["run", problem, "--set", &setting]));
        }
    }
    for (section, problem, setting) in INNER {
        let own = |key: &String| key != "zzz";
        let keys: Vec<String> =
            keys(&["run", problem, "--set", setting]).into_iter().filter(own).collect();
        add(section, &keys);
    }
    let heavy_top = |formulation: &str, initial: &[&str]| {
        let formulation = format!("parameters.formulation={formulation}");
        let settings = ["run", "mild-top", "--set", &formulation, "--set", "initial.zzz=0"];
        keys(&[&settings[..], initial].concat())
    };
    let dual = ["--set", "initial.momentum=[0,0,1]", "--set", "initial.gamma=[0,0,1]"];
    add("heavy-top: initial, formulation=se3-dual", &heavy_top("se3-dual", &dual));
    add("heavy-top: initial, formulation=quadratic", &heavy_top("quadratic", &[]));
    let links = "initial.overrides=[{index=1,zzz=0}]";
    add("overrides of chains and dipoles", &keys(&["run", "dipoles-4x4", "--set", links]));
    add("ensemble", &keys(&["ensemble", "top-ensemble", "--set", "ensemble.zzz=0"]));
    let text = lieflow(&["show", "free"]).stdout;
    let text = format!(
        "{text}\n[ensemble]\n[[ensemble.vary]]\nkey = \"initial.omega\"\nuniform = [[0,0,0],[1,1,1]]\nzzz = 0\n"
    );
    add("ensemble.vary", &keys(&["ensemble", &file("vary", &text)]));
    check("problem-files.md", &page);
    let empty = page.lines().find(|line| line.ends_with("| | | |"));
    assert!(empty.is_none(), "a key without a word about it: {empty:?}");
}
