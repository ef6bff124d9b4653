//! The manual is true: its commands run, its links lead somewhere, every page is in the summary.
use crate::common::folder;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the manual.
pub fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// All pages, as paths relative to the folder.
fn pages() -> Vec<String> {
    fn walk(dir: &Path, prefix: &str, pages: &mut Vec<String>) {
        let mut entries: Vec<_> = std::fs::read_dir(dir).unwrap().map(Result::unwrap).collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let name = format!("{prefix}{}", entry.file_name().into_string().unwrap());
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{name}/"), pages);
            } else if name.ends_with(".md") {
                pages.push(name);
            }
        }
    }
    let mut found = Vec::new();
    walk(&docs(), "", &mut found);
    found
}

fn read(page: &str) -> String {
    std::fs::read_to_string(docs().join(page)).unwrap()
}

/// A fenced block: what stands behind the fence, and its lines.
struct Block {
    kind: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(kind) if !open => {
                open = true;
                blocks.push(Block { kind: kind.trim().into(), text: String::new() });
            }
            Some(_) => open = false,
            None if open => {
                let block = blocks.last_mut().unwrap();
                block.text += line;
                block.text.push('\n');
            }
            None => {}
        }
    }
    assert!(!open, "a block is not closed");
    blocks
}

/// Runs the commands of a page one after the other in a folder of its own. A block of TOML whose
/// first line is `# NAME.toml` is a file there; `# exit 1` behind a command says that it fails.
fn run(page: &str) -> usize {
    run_those(page, &|_| true)
}

/// The same with those commands only that are chosen.
fn run_those(page: &str, chosen: &dyn Fn(&str) -> bool) -> usize {
    let dir = folder(&format!("manual-{}", page.replace(['/', '.'], "-")));
    let tool = Path::new(env!("CARGO_BIN_EXE_lieflow")).parent().unwrap();
    let path = format!("{}:{}", tool.display(), std::env::var("PATH").unwrap_or_default());
    let mut commands = 0;
    for block in blocks(&read(page)) {
        if block.kind == "toml" {
            let first = block.text.lines().next().unwrap_or_default();
            let name = first.strip_prefix("# ").and_then(|rest| rest.split_whitespace().next());
            if let Some(name) = name.filter(|name| name.ends_with(".toml")) {
                std::fs::write(dir.join(name), &block.text).unwrap();
            }
        }
        if block.kind != "sh" {
            continue;
        }
        for line in block.text.lines().filter(|line| line.starts_with("lieflow ")) {
            // Nobody sits before a browser here, and a map of 4096 pulses takes ten seconds: short ones show as well
            // that the command runs.
            let line = &line.replace(" --open", "");
            let line = &line.replace("ensemble chirped-pulse", "ensemble chirped-pulse --until=-7");
            if !chosen(line) {
                continue;
            }
            let expected =
                line.rsplit_once("# exit ").and_then(|(_, code)| code.trim().parse().ok());
            let mut shell = Command::new("sh");
            shell.args(["-c", line]).current_dir(&dir).env("PATH", &path);
            let done = shell.output().unwrap();
            let stderr = String::from_utf8_lossy(&done.stderr);
            let status = done.status.code().unwrap_or(-1);
            assert_eq!(status, expected.unwrap_or(0), "{page}: {line}\n{stderr}");
            commands += 1;
        }
    }
    commands
}

/// Runs the pages whose names begin like this.
fn run_all(prefixes: &[&str]) -> usize {
    let chosen = |page: &&String| prefixes.iter().any(|prefix| page.starts_with(prefix));
    pages().iter().filter(chosen).map(|page| run(page)).sum()
}

#[test]
fn a_newcomer_gets_from_the_readme_to_a_page() {
    let quick = ["run top.toml", "overlay", "order", "list", "explain"];
    let chosen = |line: &str| quick.iter().any(|name| line.starts_with(&format!("lieflow {name}")));
    let page = "../README.md";
    assert!(run_those(page, &|line| chosen(line) && !line.contains("--until 1000")) >= 7);
}

#[test]
fn commands_of_the_tutorials_run() {
    assert!(run_all(&["tutorial", "five-minutes"]) > 10);
}

#[test]
fn commands_of_the_systems_run() {
    assert!(run_all(&["systems"]) >= 12);
}

#[test]
fn commands_of_the_other_pages_run() {
    assert!(run_all(&["methods", "how-to", "coming-from", "reference", "rust"]) > 10);
}

#[test]
fn every_page_is_in_the_summary_and_every_link_leads_somewhere() {
    let summary = read("SUMMARY.md");
    for page in pages().iter().filter(|page| *page != "SUMMARY.md") {
        assert!(summary.contains(&format!("({page})")), "{page} is not in SUMMARY.md");
    }
    for page in pages() {
        for target in links(&read(&page)) {
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let folder = Path::new(&page).parent().unwrap();
            let path = match file {
                "" => docs().join(&page),
                file => docs().join(folder).join(file),
            };
            assert!(path.exists(), "{page}: {target} leads nowhere");
            let inside = path.canonicalize().unwrap().starts_with(docs().canonicalize().unwrap());
            assert!(inside, "{page}: {target} leads out of the book");
            if !anchor.is_empty() {
                let there = std::fs::read_to_string(&path).unwrap();
                assert!(anchors(&there).any(|a| a == anchor), "{page}: no heading {target}");
            }
        }
    }
}

/// Nothing sets TeX in the book, so formulas are plain text.
#[test]
fn no_page_has_raw_tex() {
    for page in pages() {
        let text = read(&page);
        let parts = text.split('`').step_by(2);
        let tex = |part: &str| ["$$", "\\(", "\\frac", "\\left"].iter().any(|s| part.contains(s));
        assert!(!parts.into_iter().any(tex), "{page} has raw TeX");
    }
}

/// The targets of links outside of code.
fn links(page: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut code = false;
    for line in page.lines() {
        code ^= line.starts_with("```");
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("](").filter(|_| !code) {
            let quoted = before.matches('`').count() % 2 == 1;
            let (target, after) = after.split_once(')').unwrap_or((after, ""));
            if !quoted {
                targets.push(target.to_string());
            }
            rest = after;
        }
    }
    targets
}

/// The headings as browsers know them.
fn anchors(page: &str) -> impl Iterator<Item = String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| {
        let text = line.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}
