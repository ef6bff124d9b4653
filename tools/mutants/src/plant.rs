//! Mutants in a copy of the tree, each behind its number.
use crate::find::candidates;
use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A mutant.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Its number, from one.
    pub id: u32,
    /// Its file, from the root of the tree.
    pub file: String,
    /// The line where it begins.
    pub line: usize,
    /// What is right, and what is wrong; in one line each.
    pub right: String,
    pub wrong: String,
    range: Range<usize>,
    wrong_text: String,
    statement: bool,
    /// How many times the same stands before it in the file.
    again: usize,
    /// Whether only the compiler computes it.
    pub constant: bool,
}

impl Mutant {
    /// What it is called in lists: it stays the same when other lines change.
    pub fn name(&self) -> String {
        let number = if self.again > 0 { format!(" ({})", self.again + 1) } else { String::new() };
        format!("{}: `{}` as `{}`{number}", self.file, self.right, self.wrong)
    }

    /// The text with this mutant alone, always on.
    pub fn alone(&self, text: &str) -> String {
        [&text[..self.range.start], &self.wrong_text, &text[self.range.end..]].concat()
    }
}

/// In one line, and not too long.
fn shown(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// A number that the text alone decides.
pub fn hash(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    // Its last bits must depend on all of the text.
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
}

/// About one in `one_in` of all mutants of these files. The choice depends on a file's name and the
/// texts alone, so that it stays while other lines change. None lies inside another.
pub fn choose(root: &Path, files: &[String], one_in: u64) -> Result<Vec<Mutant>, String> {
    let mut chosen: Vec<Mutant> = Vec::new();
    for file in files {
        let text = read(&root.join(file))?;
        let found = candidates(&text).map_err(|e| format!("{file}: {e}"))?;
        let mut seen = BTreeSet::new();
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for candidate in found {
            let right = &text[candidate.range.clone()];
            // The same text once more is another mutant.
            let mut key = format!("{file} {right} {}", candidate.wrong);
            let mut again = 0;
            while !seen.insert(key.clone()) {
                key.push('+');
                again += 1;
            }
            let apart =
                |r: &Range<usize>| candidate.range.end <= r.start || r.end <= candidate.range.start;
            if !hash(&key).is_multiple_of(one_in) || !ranges.iter().all(apart) {
                continue;
            }
            ranges.push(candidate.range.clone());
            chosen.push(Mutant {
                id: chosen.len() as u32 + 1,
                file: file.clone(),
                line: text[..candidate.range.start].matches('\n').count() + 1,
                right: shown(right),
                wrong: if candidate.statement { "nothing".into() } else { shown(&candidate.wrong) },
                range: candidate.range,
                wrong_text: candidate.wrong,
                statement: candidate.statement,
                again,
                constant: candidate.constant,
            });
        }
    }
    Ok(chosen)
}

pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Writes a file if it is not so already: what did not change is not compiled again.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// A text with these mutants of it, which do not overlap, and where each came to stand.
fn planted(text: &str, mutants: &[&Mutant]) -> (String, Vec<Range<usize>>) {
    let (mut planted, mut at) = (String::new(), 0);
    let mut places = vec![0..0; mutants.len()];
    let mut order: Vec<usize> = (0..mutants.len()).collect();
    order.sort_by_key(|k| mutants[*k].range.start);
    for k in order {
        let m = mutants[k];
        planted.push_str(&text[at..m.range.start]);
        let (start, right) = (planted.len(), &text[m.range.clone()]);
        planted += &match m.statement {
            true => format!("if !::lieflow_mutant::on({}) {{ {right} }}", m.id),
            false => format!(
                "(if ::lieflow_mutant::on({}) {{ {} }} else {{ {right} }})",
                m.id, m.wrong_text
            ),
        };
        places[k] = start..planted.len();
        at = m.range.end;
    }
    planted.push_str(&text[at..]);
    (planted, places)
}

/// Where mutants that do not compile are noted, in the copy.
const REFUSED: &str = "refused.txt";

/// A copy of the tree in which mutants can be switched on.
pub struct Garden {
    pub root: PathBuf,
    pub copy: PathBuf,
    /// The crates whose tests judge.
    pub judges: Vec<&'static str>,
}

impl Garden {
    /// Copies what git knows or could know.
    pub fn new(root: &Path, copy: &Path, judges: Vec<&'static str>) -> Result<Self, String> {
        let list = Command::new("git")
            .args(["ls-files", "-z", "-c", "-o", "--exclude-standard"])
            .current_dir(root)
            .output()
            .map_err(|e| format!("git: {e}"))?;
        let list = String::from_utf8_lossy(&list.stdout);
        let mut known = BTreeSet::new();
        for name in list.split('\0').filter(|n| !n.is_empty()) {
            let Ok(bytes) = fs::read(root.join(name)) else { continue };
            known.insert(name);
            let to = copy.join(name);
            let there = fs::read_to_string(&to).unwrap_or_default();
            // Sources with mutants are written when these are planted.
            if there.as_bytes() == bytes || there.contains("::lieflow_mutant::on(") {
                continue;
            }
            fs::create_dir_all(to.parent().unwrap_or(copy)).map_err(|e| e.to_string())?;
            fs::write(&to, bytes).map_err(|e| format!("{}: {e}", to.display()))?;
        }
        // Sources that were moved or removed since the last call.
        for name in sources(copy, &["crates"])?.iter().filter(|name| !known.contains(&name[..])) {
            fs::remove_file(copy.join(name)).map_err(|e| format!("{name}: {e}"))?;
        }
        let garden = Self { root: root.into(), copy: copy.into(), judges };
        garden.runtime()?;
        Ok(garden)
    }

    /// The crate that knows which mutant is on, and a profile that builds fast.
    fn runtime(&self) -> Result<(), String> {
        let dir = self.copy.join("crates/lieflow-mutant");
        write(
            &dir.join("Cargo.toml"),
            "[package]\nname = \"lieflow-mutant\"\nversion = \"0.0.0\"\nedition = \"2024\"\n",
        )?;
        write(&dir.join("src/lib.rs"), include_str!("runtime.rs"))?;
        let workspace = read(&self.root.join("Cargo.toml"))?;
        let profiles = workspace.find("[profile.").unwrap_or(workspace.len());
        write(
            &self.copy.join("Cargo.toml"),
            &format!("{}{}", &workspace[..profiles], include_str!("profile.toml")),
        )
    }

    /// Writes all sources of these crates, with these mutants in them. Returns where each came to
    /// stand in its file.
    pub fn plant(&self, files: &[String], mutants: &[Mutant]) -> Result<Vec<Range<usize>>, String> {
        let mut places = vec![0..0; mutants.len()];
        for file in files {
            let here: Vec<usize> =
                (0..mutants.len()).filter(|k| mutants[*k].file == *file).collect();
            let chosen: Vec<&Mutant> = here.iter().map(|k| &mutants[*k]).collect();
            let (text, ranges) = planted(&read(&self.root.join(file))?, &chosen);
            for (k, range) in here.into_iter().zip(ranges) {
                places[k] = range;
            }
            write(&self.copy.join(file), &text)?;
        }
        Ok(places)
    }

    /// A number for the sources and the mutants in them: what is known of the tests holds for these.
    pub fn mark(&self, mutants: &[Mutant]) -> Result<u64, String> {
        let mut text = String::new();
        let mut last = "";
        for mutant in mutants {
            if mutant.file != last {
                text += &read(&self.copy.join(&mutant.file))?;
                last = &mutant.file;
            }
        }
        Ok(hash(&text))
    }

    /// What is noted of a mutant that does not compile: its name, and a number for the file that it was in.
    fn refusal(&self, mutant: &Mutant) -> Result<String, String> {
        let text = read(&self.root.join(&mutant.file))?;
        Ok(format!("{:011x} {}", hash(&text), mutant.name()))
    }

    /// All but those that did not compile in an earlier run, in files that are still the same.
    pub fn known_to_compile(&self, mut mutants: Vec<Mutant>) -> Vec<Mutant> {
        let text = read(&self.copy.join(REFUSED)).unwrap_or_default();
        let refused: BTreeSet<&str> = text.lines().collect();
        let is_refused = |m: &Mutant| self.refusal(m).is_ok_and(|line| refused.contains(&line[..]));
        mutants.retain(|mutant| refused.is_empty() || !is_refused(mutant));
        mutants
    }

    /// Takes note of a mutant that does not compile.
    pub fn refuse(&self, mutant: &Mutant) -> Result<(), String> {
        let place = self.copy.join(REFUSED);
        let text = read(&place).unwrap_or_default();
        write(&place, &format!("{text}{}\n", self.refusal(mutant)?))
    }

    /// Lets a crate use the switch, in what it or its tests are built with.
    pub fn wire(&self, name: &str) -> Result<(), String> {
        let place = Path::new("crates").join(name).join("Cargo.toml");
        let manifest = read(&self.root.join(&place))?;
        let up = "../".repeat(name.split('/').count());
        let switch = format!("lieflow-mutant = {{ path = \"{up}lieflow-mutant\" }}\n");
        let lists = ["[dependencies]\n", "[dev-dependencies]\n"];
        let list = lists.into_iter().find(|list| manifest.contains(list));
        let list = list.ok_or(format!("{}: no list of dependencies", place.display()))?;
        let wired = manifest.replacen(list, &format!("{list}{switch}"), 1);
        write(&self.copy.join(place), &wired)
    }
}

/// The sources of these folders, from the root of the tree.
pub fn sources(root: &Path, folders: &[&str]) -> Result<Vec<String>, String> {
    fn walk(root: &Path, at: &Path, found: &mut Vec<String>) -> std::io::Result<()> {
        if at.is_file() {
            found.push(at.strip_prefix(root).unwrap_or(at).to_string_lossy().into_owned());
            return Ok(());
        }
        for entry in fs::read_dir(at)? {
            let path = entry?.path();
            if path.is_dir() || path.extension().is_some_and(|e| e == "rs") {
                walk(root, &path, found)?;
            }
        }
        Ok(())
    }
    let mut found = Vec::new();
    for folder in folders {
        walk(root, &root.join(folder), &mut found).map_err(|e| format!("{folder}: {e}"))?;
    }
    found.sort();
    Ok(found)
}
