//! Result folders, and what is left of them when they are cut short.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use lieflow_files::{
    DRAFT, Draft, FileError, FolderLock, Hash, Kind, ResultFolder, SUMS, Sums, UNFINISHED, check,
    is_plain, open_plain, read_plain, replace,
};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A fresh folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

/// The names in a folder, but for the lock.
fn names(dir: &Path) -> BTreeSet<String> {
    let names = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    names.filter(|name| !name.starts_with('.')).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| name.to_string()).collect()
}

fn write(dir: &Path, files: &[(&str, &str)]) -> Result<(), FileError> {
    let mut results = ResultFolder::open(dir, Kind::Run)?;
    for (name, text) in files {
        results.write(name, text.as_bytes())?;
    }
    results.commit()
}

#[test]
fn a_result_replaces_the_one_before() {
    let dir = folder("replaces");
    write(&dir, &[("a.csv", "1"), ("b.svg", "2"), ("c.svg", "3")]).unwrap();
    assert_eq!(names(&dir), set(&["a.csv", "b.svg", "c.svg", SUMS]));
    assert_eq!(check(&dir).unwrap(), 3);
    fs::write(dir.join("mine"), "mine").unwrap();
    write(&dir, &[("a.csv", "4"), ("b.svg", "2")]).unwrap();
    assert_eq!(names(&dir), set(&["a.csv", "b.svg", "mine", SUMS]));
    assert_eq!(fs::read_to_string(dir.join("a.csv")).unwrap(), "4");
}

/// What is not committed leaves nothing, and the result before is untouched.
#[test]
fn drafts_are_removed() {
    let dir = folder("drafts");
    write(&dir, &[("a.csv", "1")]).unwrap();
    let mut results = ResultFolder::open(&dir, Kind::Run).unwrap();
    results.write("a.csv", b"2").unwrap();
    let other = results.draft("b.csv").unwrap();
    assert!(names(&dir).contains(&format!("a.csv{DRAFT}")));
    drop((results, other));
    assert_eq!(names(&dir), set(&["a.csv", SUMS]));
    assert_eq!(fs::read_to_string(dir.join("a.csv")).unwrap(), "1");
    // Those of a killed process are removed by the next one.
    fs::write(dir.join(format!("x.csv{DRAFT}")), "half").unwrap();
    write(&dir, &[("a.csv", "1")]).unwrap();
    assert_eq!(names(&dir), set(&["a.csv", SUMS]));
}

/// A commit that was cut short names its files, and those that the next one does not have are removed.
#[test]
fn an_unfinished_commit_is_known() {
    let dir = folder("unfinished");
    write(&dir, &[("a.csv", "1"), ("old.svg", "2")]).unwrap();
    let cut = Sums(
        [("a.csv", "3"), ("cut.svg", "4")].map(|(n, t)| (n.into(), Hash::of(t.as_bytes()))).into(),
    );
    fs::write(dir.join(UNFINISHED), cut.to_text()).unwrap();
    fs::write(dir.join("cut.svg"), "4").unwrap();
    assert!(check(&dir).unwrap_err().to_string().contains("not complete"));
    write(&dir, &[("a.csv", "1")]).unwrap();
    assert_eq!(names(&dir), set(&["a.csv", SUMS]));
    check(&dir).unwrap();
}

#[test]
fn checksums_are_read_as_they_are_written() {
    let sums = Sums(
        [("a b.csv", "1"), ("x/y", "2")].map(|(n, t)| (n.into(), Hash::of(t.as_bytes()))).into(),
    );
    let text = sums.to_text();
    assert_eq!(Sums::parse(&text), Some(sums));
    for place in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[place] ^= 1;
        let changed = String::from_utf8(bytes).unwrap();
        assert_ne!(Sums::parse(&changed).map(|s| s.to_text()), Some(text.clone()));
    }
    assert_eq!(Sums::parse(&text[..text.len() - 1]), None);
    assert_eq!(Sums::parse(&text.replace("x/y", "../y")), None);
    assert_eq!(Sums::parse(&text.to_uppercase()), None);
}

#[test]
fn every_damage_is_found() {
    let dir = folder("damage");
    write(&dir, &[("a.csv", "12"), ("b.csv", "34")]).unwrap();
    fs::write(dir.join("a.csv"), "13").unwrap();
    assert!(check(&dir).unwrap_err().to_string().contains("a.csv: is not what was written"));
    fs::remove_file(dir.join("a.csv")).unwrap();
    assert!(check(&dir).unwrap_err().to_string().contains("a.csv: is missing"));
    fs::write(dir.join("a.csv"), "12").unwrap();
    check(&dir).unwrap();
    fs::write(dir.join(SUMS), "").unwrap();
    assert!(check(&dir).unwrap_err().to_string().contains("SHA256SUMS: is not what was written"));
    fs::remove_file(dir.join(SUMS)).unwrap();
    assert!(check(&dir).unwrap_err().to_string().contains("not complete"));
}

#[test]
fn one_lock_for_a_folder() {
    let dir = folder("lock");
    let lock = FolderLock::take(&dir).unwrap();
    let error = FolderLock::take(&dir).unwrap_err();
    assert!(error.is_input());
    assert!(error.to_string().contains(&format!("process {} is at work", std::process::id())));
    drop(lock);
    FolderLock::take(&dir).unwrap();
    // A file is no folder.
    fs::write(dir.join("file"), "").unwrap();
    let error = FolderLock::take(&dir.join("file")).unwrap_err();
    assert!(error.is_input() && error.to_string().contains("cannot be written"), "{error}");
}

#[test]
fn equal_files_are_left_alone() {
    let dir = folder("equal");
    fs::create_dir_all(&dir).unwrap();
    let path = dir.join("a");
    replace(&path, b"1").unwrap();
    let changed = || fs::metadata(&path).unwrap().modified().unwrap();
    let before = changed();
    std::thread::sleep(std::time::Duration::from_millis(20));
    replace(&path, b"1").unwrap();
    assert_eq!(changed(), before);
    replace(&path, b"2").unwrap();
    assert!(changed() > before);
}

#[test]
fn only_a_complete_and_undamaged_result_is_whole() {
    let dir = folder("whole");
    let is_whole = || ResultFolder::open(&dir, Kind::Run).unwrap().is_whole().unwrap();
    assert!(!is_whole(), "nothing is there");
    write(&dir, &[("a.csv", "1")]).unwrap();
    assert!(is_whole());
    fs::write(dir.join("a.csv"), "2").unwrap();
    assert!(!is_whole(), "damaged");
    fs::write(dir.join("a.csv"), "1").unwrap();
    fs::copy(dir.join(SUMS), dir.join(UNFINISHED)).unwrap();
    assert!(!is_whole(), "not finished");
}

/// A header that counts rows is written when they are counted; the checksum is that of the file.
#[test]
fn the_beginning_of_a_draft_can_be_replaced() {
    let dir = folder("patch");
    let mut results = ResultFolder::open(&dir, Kind::Run).unwrap();
    let mut draft = results.draft("a.csv").unwrap();
    draft.write_all(b"00 rows").unwrap();
    draft.patch(b"12").unwrap();
    assert_eq!(draft.length(), 7);
    draft.write_all(b", all").unwrap();
    results.take(draft).unwrap();
    results.commit().unwrap();
    assert_eq!(fs::read_to_string(dir.join("a.csv")).unwrap(), "12 rows, all");
    assert_eq!(check(&dir).unwrap(), 1);
}

/// A draft that another process left is gone on with if its first bytes are those that were written.
#[test]
fn a_draft_goes_on_from_what_is_there() {
    let dir = folder("again");
    fs::create_dir_all(&dir).unwrap();
    let place = dir.join("a.csv");
    let go_on = |length| Draft::go_on(&place, b"", length, Hash::of(b"123")).unwrap();
    assert!(go_on(3).is_none(), "there is no file");
    let mut draft = Draft::create(&place).unwrap();
    draft.write_all(b"12345").unwrap();
    draft.leave().unwrap();
    assert!(go_on(2).is_none() && go_on(9).is_none(), "other bytes");
    let mut draft = go_on(3).unwrap();
    draft.write_all(b"678").unwrap();
    draft.put().unwrap();
    assert_eq!(fs::read_to_string(&place).unwrap(), "123678");
}

/// Folders of a result are one deep; what lies below them belongs to somebody else.
#[test]
fn drafts_far_below_are_left_alone() {
    let dir = folder("deep");
    let draft = |folder: &str| dir.join(folder).join(format!("x{DRAFT}"));
    fs::create_dir_all(dir.join("a/b")).unwrap();
    ["", "a", "a/b"].iter().for_each(|folder| fs::write(draft(folder), "half").unwrap());
    drop(ResultFolder::open(&dir, Kind::Run).unwrap());
    assert_eq!(["", "a", "a/b"].map(|folder| draft(folder).exists()), [false, false, true]);
}

#[test]
fn no_more_is_read_than_a_file_may_have() {
    let dir = folder("bounds");
    write(&dir, &[("a.csv", "1234")]).unwrap();
    let path = dir.join("a.csv");
    assert_eq!(read_plain(&path, 4).unwrap(), b"1234");
    let error = read_plain(&path, 3).unwrap_err().to_string();
    assert!(error.contains("more than the 3 bytes"), "{error}");
    assert!(is_plain(&path, b"1234").unwrap());
    for other in [&b"123"[..], b"12345", b"1235", b""] {
        assert!(!is_plain(&path, other).unwrap(), "{other:?}");
    }
    // A list of checksums of a terabyte, of which the disk holds nothing.
    let sums = fs::File::options().write(true).open(dir.join(SUMS)).unwrap();
    sums.set_len(1 << 40).unwrap();
    let error = check(&dir).unwrap_err().to_string();
    assert!(error.contains("SHA256SUMS") && error.contains("more than"), "{error}");
    sums.set_len(0).unwrap();
}

/// A pipe that nobody writes to, a device without end, a folder: refused, and nothing waits for them.
#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_refused() {
    let dir = folder("plain");
    write(&dir, &[("a.csv", "1"), ("b.csv", "2")]).unwrap();
    let a = dir.join("a.csv");
    let pipe = |path: &Path| {
        let _ = fs::remove_file(path);
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    let link = |path: &Path| {
        fs::remove_file(path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", path).unwrap();
    };
    for place in [a.clone(), dir.join(SUMS)] {
        let text = fs::read(&place).unwrap();
        for put in [&pipe as &dyn Fn(&Path), &link] {
            put(&place);
            let error = open_plain(&place).unwrap_err().to_string();
            assert!(error.contains("expected a plain file"), "{error}");
            let error = check(&dir).unwrap_err().to_string();
            assert!(error.contains("expected a plain file"), "{error}");
            if place == a {
                // A result is put there all the same: nobody reads what it replaces.
                write(&dir, &[("a.csv", "1"), ("b.csv", "2")]).unwrap();
                assert_eq!(check(&dir).unwrap(), 2);
            } else {
                let error = write(&dir, &[("a.csv", "3")]).unwrap_err().to_string();
                assert!(error.contains("expected a plain file"), "{error}");
            }
        }
        fs::remove_file(&place).unwrap();
        fs::write(&place, text).unwrap();
    }
    assert_eq!(check(&dir).unwrap(), 2);
    assert!(open_plain(&dir).is_err());
    // Who is told that a folder is taken does not wait to hear by whom.
    let place = dir.join(".lieflow-lock");
    pipe(&place);
    let lock = FolderLock::take(&dir).unwrap();
    let error = FolderLock::take(&dir).unwrap_err().to_string();
    assert!(error.contains("another process is at work"), "{error}");
    drop(lock);
}
