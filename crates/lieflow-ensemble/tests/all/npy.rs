//! Tables as arrays of NumPy: the numbers of the text, bit for bit, whatever happens to the run.
use crate::open;
use crate::same_bits::{Folder, TOP, bytes, go, rigid, same};
use lieflow_ensemble::run::{Job, Settings, run};
use lieflow_ensemble::store::{Folder as Files, StoreError, check, compute_again, merge};
use lieflow_models::system::Registry;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Methods by their names, steps that some trajectories have too few of, and bodies that cannot be built.
const MIXED: &str = r#"
system = "reduced-body"
parameters.inertia = [1.0, 2.0, 3.0]
initial.momentum = [1.0, 0.5, 2.0]
solve = { method = "rkmk-dp54", tol = 1e-9, until = 1.0, max_steps = 20 }
[ensemble]
count = 75
seed = 7
times = [0.1, 0.2, 0.7]
[[ensemble.vary]]
key = "initial.momentum[3]"
uniform = [0.5, 9.0]
[[ensemble.vary]]
key = "solve.method"
list = ["rkmk-dp54", "rkmk-bs32", "rkmk-dop853"]
[[ensemble.vary]]
key = "parameters.inertia[1]"
list = [1.0, 1.1, 1.2, 1.3, -1.0]
"#;

pub fn npy(text: &str) -> String {
    format!("{text}\n[output]\nformat = \"npy\"\n")
}

/// The shape of an array and its rows as text, with those that were not reached.
fn text_of(path: &Path) -> (String, String, Vec<String>) {
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\0");
    let size = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((size % 64, bytes[size - 1]), (0, b'\n'));
    let head = std::str::from_utf8(&bytes[10..size]).unwrap();
    let shape = head.split("'shape': ").nth(1).unwrap().trim_end().trim_end_matches(", }");
    let fields = head.split("[(").nth(1).unwrap().split("), ]").next().unwrap();
    let fields: Vec<(&str, &str)> = fields
        .split("), (")
        .map(|field| field.split_once(", ").unwrap())
        .map(|(name, kind)| (name.trim_matches('\''), kind.trim_matches('\'')))
        .collect();
    let width = |kind: &str| kind.strip_prefix("<U").map_or(8, |n| 4 * n.parse::<usize>().unwrap());
    let row_size: usize = fields.iter().map(|(_, kind)| width(kind)).sum();
    assert_eq!((bytes.len() - size) % row_size, 0);
    let mut rows = Vec::new();
    for row in bytes[size..].chunks_exact(row_size) {
        let (mut at, mut cells) = (0, Vec::new());
        for (_, kind) in &fields {
            let cell = &row[at..at + width(kind)];
            at += cell.len();
            let eight = || cell.try_into().unwrap();
            cells.push(match *kind {
                "<i8" => i64::from_le_bytes(eight()).to_string(),
                "<f8" => format!("{:?}", f64::from_le_bytes(eight())),
                _ => {
                    let letters = cell.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap()));
                    letters.take_while(|c| *c > 0).map(|c| char::from_u32(c).unwrap()).collect()
                }
            });
        }
        rows.push(cells.join(","));
    }
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    (shape.into(), names.join(","), rows)
}

/// The arrays of one folder are the tables of another: the same rows, and those that were not reached.
fn compare(arrays: &Path, tables: &Path, what: &str) {
    let (count, times) = {
        let json = std::fs::read_to_string(arrays.join("ensemble.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let range = [0, 1].map(|k| json["range"][k].as_u64().unwrap());
        (range[1] - range[0], json["times"].as_array().unwrap().len() as u64)
    };
    for (name, shape, rows) in [
        ("final", format!("({count}, )"), count),
        ("observed", format!("({count}, {}, )", times - 1), count * (times - 1)),
    ] {
        let csv = tables.join(format!("{name}.csv"));
        let npy = arrays.join(format!("{name}.npy"));
        if rows == 0 {
            assert!(!csv.exists() && !npy.exists(), "{what}");
            continue;
        }
        let (found_shape, names, found) = text_of(&npy);
        assert_eq!(found_shape, shape, "{what}: {name}");
        assert_eq!(found.len() as u64, rows, "{what}: {name}");
        let t = names.split(',').position(|name| name == "t").unwrap();
        let (mut reached, mut missing) = (Vec::new(), 0);
        for row in found {
            let cells: Vec<&str> = row.split(',').collect();
            if cells[t] == "NaN" {
                assert!(cells[t..].iter().all(|x| *x == "NaN") && !cells[..t].contains(&"NaN"));
                missing += 1;
            } else {
                reached.push(row);
            }
        }
        let expected = std::fs::read_to_string(&csv).unwrap_or_default();
        let mut lines = expected.lines();
        if let Some(header) = lines.next() {
            assert_eq!(names.replace("invariant.", ""), header, "{what}: {name}");
        }
        let lines: Vec<&str> = lines.collect();
        assert!(reached == lines, "{what}: {name} differs");
        assert_eq!(lines.len() as u64 + missing, rows);
    }
    for name in ["failures.csv", "statistics.csv"] {
        let read = |dir: &Path| std::fs::read(dir.join(name)).unwrap();
        assert!(read(arrays) == read(tables), "{what}: {name} differs");
    }
}

#[test]
fn arrays_have_the_numbers_of_the_tables() {
    let folder = Folder::new("npy");
    // Names that would occur twice: the spatial momentum of a free body is a part of the state and an invariant.
    let free = rigid("[5.0, 5.5, 1.0]", r#"{ kind = "free" }"#, "liemid-ea");
    let one = MIXED.replace("count = 75", "count = 1");
    let failed = one.replace("uniform = [0.5, 9.0]", "list = [1e308]");
    let at_end = rigid("[5.0, 5.5, 1.0]", TOP, "exs").replace("times = [0.33, 0.5]", "");
    // More than a block of checksums; and where only motions vary, blocks of more trajectories than are written at a time.
    let many = rigid("[5.0, 5.5, 1.0]", TOP, "exs").replace("count = 21", "count = 1300");
    let many = many.rsplit_once("[[ensemble.vary]]").unwrap().0;
    let texts = [MIXED, &free, &one, &failed, &at_end, many];
    for (k, text) in texts.into_iter().enumerate() {
        let what = format!("problem {k}");
        let (csv, whole) = (folder.sub(&format!("{k}-csv")), folder.sub(&format!("{k}-npy")));
        go(text, Settings::default(), Some(&csv));
        let outcome = go(&npy(text), Settings::default(), Some(&whole));
        compare(&whole, &csv, &what);
        assert!(!whole.join("final.csv").exists() && outcome.files.iter().all(|f| f.exists()));
        for (threads, lanes) in [(1, None), (3, Some(1))] {
            let dir = folder.sub(&format!("{k}-{threads}"));
            go(&npy(text), Settings { threads, lanes, shard: None }, Some(&dir));
            same(&whole, &dir, &what);
        }
        let checked = check(&whole).unwrap_or_else(|e| panic!("{what}: {e}"));
        let some: Vec<u64> = (0..outcome.done.min(75)).collect();
        compute_again(&whole, &checked, &Registry::default(), &some).unwrap();
        // Nothing is left to do: statistics come from the rows, and are written again.
        assert_eq!(go(&npy(text), Settings::default(), Some(&whole)).resumed, outcome.done);
        compare(&whole, &csv, &what);
    }
    let (shape, names, rows) = text_of(&folder.sub("0-npy").join("final.npy"));
    assert_eq!(shape, "(75, )");
    assert!(names.starts_with("index,initial.momentum[3],solve.method,parameters.inertia[1],t,"));
    assert!(rows[5].contains(",rkmk-dop853,1.0,") && rows[4].ends_with("NaN"), "{rows:?}");
    let (_, names, _) = text_of(&folder.sub("1-npy").join("final.npy"));
    assert!(names.contains(",spatial_momentum_x,") && names.contains(",invariant.spatial_mom"));
    // Some of the mixed ones came to a part of the times, some to none.
    let (_, _, observed) = text_of(&folder.sub("0-npy").join("observed.npy"));
    let reached = |rows: &[String]| rows.iter().filter(|row| !row.contains("NaN")).count();
    let each: Vec<usize> = observed.chunks(3).map(reached).collect();
    assert!([0, 1, 2, 3].iter().filter(|n| each.contains(n)).count() > 2, "{each:?}");
}

#[test]
fn shards_of_arrays_merge_to_the_same_bytes() {
    let folder = Folder::new("npy-shards");
    for (k, text) in [MIXED, &MIXED.replace("count = 75", "count = 2500")].into_iter().enumerate() {
        let whole = folder.sub(&format!("whole-{k}"));
        go(&npy(text), Settings::default(), Some(&whole));
        let part = |name: &str, text: &str, shard| -> PathBuf {
            let dir = folder.sub(&format!("{name}-{k}"));
            go(text, Settings { shard: Some(shard), ..Settings::default() }, Some(&dir));
            dir
        };
        let [a, b, c] = [1, 2, 3].map(|n| part(&format!("part-{n}"), &npy(text), (n, 3)));
        let merged = folder.sub(&format!("merged-{k}"));
        merge(&[c.clone(), a.clone(), b.clone()], &merged).unwrap_or_else(|e| panic!("{e}"));
        same(&whole, &merged, "merged");
        check(&merged).unwrap();
        // Of both formats, in both orders.
        let csv = part("csv", text, (2, 3));
        for shards in [[a.clone(), csv.clone(), c.clone()], [csv, a, c]] {
            let error = merge(&shards, &folder.sub("bad")).unwrap_err();
            assert!(matches!(error, StoreError::Format { .. }) && error.is_input(), "{error}");
            assert!(error.to_string().contains("tables in csv, expected npy"), "{error}");
        }
    }
}

#[test]
fn the_other_format_is_another_ensemble() {
    let folder = Folder::new("npy-other");
    for (first, second, said) in [
        (MIXED.to_string(), npy(MIXED), "found tables in csv, expected npy"),
        (npy(MIXED), MIXED.to_string(), "found tables in npy, expected csv"),
    ] {
        let dir = folder.sub(said);
        go(&first, Settings::default(), Some(&dir));
        let before = bytes(&dir);
        let (document, design) = open(&second, &[]);
        let (problem, settings) = (document.to_json(), Settings::default());
        let error = run(&design, problem, settings, Some(&dir), &|_| {}).unwrap_err().to_string();
        assert!(error.contains("another ensemble") && error.contains(said), "{error}");
        assert!(bytes(&dir) == before);
    }
}

/// A run that was cut short goes on where it stopped, even in the middle of a row.
#[test]
fn arrays_are_gone_on_with() {
    let folder = Folder::new("npy-resume");
    let text = npy(&MIXED.replace("count = 75", "count = 1500"));
    let whole = folder.sub("whole");
    go(&text, Settings::default(), Some(&whole));
    let (document, design) = open(&text, &[]);
    for more in [0, 1, 8, 1000] {
        let cut = folder.sub(&format!("cut-{more}"));
        let flag = AtomicBool::new(false);
        let stop = |_: u64| flag.store(true, Ordering::Relaxed);
        let job = Job::new(&design, document.to_json(), Settings::default());
        let first = job.stop(&flag).progress(&stop).run(&mut Files::new(&cut)).unwrap();
        assert!(first.interrupted && first.done > 0);
        // Bytes that no note counts.
        for name in ["final.npy", "observed.npy"] {
            let mut bytes = std::fs::read(cut.join(name)).unwrap();
            bytes.extend_from_within(2000..2000 + more);
            std::fs::write(cut.join(name), bytes).unwrap();
        }
        let outcome = go(&text, Settings::default(), Some(&cut));
        assert_eq!(outcome.resumed, first.done);
        same(&whole, &cut, "resumed");
    }
}

/// A problem of many observables has a long head, of another version.
#[test]
fn long_heads() {
    let folder = Folder::new("npy-long");
    let text = format!(
        "system = \"spin-ring\"\n[parameters]\nJ = 0.8\n[initial]\nm = [{}]\n\
         [solve]\nmethod = \"lie-euler\"\nstep = 0.1\nuntil = 0.2\n\
         [ensemble]\n[[ensemble.vary]]\nkey = \"parameters.J\"\nlist = [0.7, 0.8, 0.9]\n",
        vec!["[0.6, 0.0, 0.8]"; 1100].join(", ")
    );
    let dir = folder.sub("long");
    go(&npy(&text), Settings::default(), Some(&dir));
    let bytes = std::fs::read(dir.join("final.npy")).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x02\0");
    let size = 12 + u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    assert!(size > 65535 && size.is_multiple_of(64) && bytes[size - 1] == b'\n');
    check(&dir).unwrap();
}
