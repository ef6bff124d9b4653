//! Whether the tables are what was written, block by block.
use super::mark::{BLOCKS, Mark};
use super::note::Note;
use super::tables::Tables;
use super::{Manifest, StoreError};
use lieflow_files::{Hash, Hasher, open_plain};
use std::io::{self, Read};
use std::path::Path;

/// What is right in a folder.
pub(super) struct Sound {
    /// Up to here all tables are what was written; nothing if not even their beginnings are.
    pub mark: Option<Mark>,
    /// Their checksums, ready to go on.
    pub hashers: [Hasher; 3],
    /// The marks up to there, as text.
    pub blocks: String,
    /// What is wrong behind that.
    pub damage: Option<StoreError>,
}

/// Finds how much of the tables is what the note says.
pub(super) fn sound(dir: &Path, manifest: &Manifest, note: &Note) -> Result<Sound, StoreError> {
    let nothing = |damage| {
        let (hashers, blocks) = Default::default();
        Sound { mark: None, hashers, blocks, damage: Some(damage) }
    };
    let (first, last) = manifest.range;
    if note.manifest != manifest.hash() {
        return Ok(nothing(StoreError::changed(&dir.join("ensemble.json"), "it is")));
    }
    if !(first..=last).contains(&note.mark.end) {
        return Ok(nothing(StoreError::Damaged {
            path: dir.join(super::note::PROGRESS),
            place: "line 1".into(),
            found: format!("done = {}", note.mark.end),
            expected: format!("a number from {first} to {last}"),
        }));
    }
    let path = dir.join(BLOCKS);
    let Some((text, mut marks)) = read_marks(&path, note)? else {
        return Ok(nothing(StoreError::changed(&path, "it is")));
    };
    marks.push(note.mark);
    let mut hashers: [Hasher; 3] = Default::default();
    let mut right = marks.len();
    let mut damage = None;
    let Tables { names, heads, .. } = Tables::of(manifest);
    for (k, name) in names.iter().enumerate() {
        let path = dir.join(name);
        let (good, hasher) = count_right(&path, k, &heads[k], &marks)?;
        hashers[k] = hasher;
        if good < right {
            right = good;
            let begin = if good == 0 { first } else { marks[good - 1].end };
            let what = format!("trajectories {begin} to {}: the rows are", marks[good].end);
            damage = Some(StoreError::changed(&path, what));
        }
    }
    let Some(damage) = damage else {
        return Ok(Sound { mark: Some(note.mark), hashers, blocks: text, damage: None });
    };
    let Some(mark) = right.checked_sub(1).map(|k| marks[k]) else { return Ok(nothing(damage)) };
    for (k, name) in names.iter().enumerate() {
        let (_, hasher) = count_right(&dir.join(name), k, &heads[k], &[mark])?;
        hashers[k] = hasher;
    }
    let blocks = text.split_inclusive('\n').take(1 + right).collect();
    Ok(Sound { mark: Some(mark), hashers, blocks, damage: Some(damage) })
}

/// The file of marks as far as the note says; `None` if it is not what was written.
fn read_marks(path: &Path, note: &Note) -> Result<Option<(String, Vec<Mark>)>, StoreError> {
    let (length, hash) = note.blocks;
    let mut bytes = Vec::new();
    match open_plain(path) {
        Ok(file) => file.take(length).read_to_end(&mut bytes).map_err(StoreError::at(path))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::at(path)(error)),
    };
    if bytes.len() as u64 != length || Hash::of(&bytes) != hash {
        return Ok(None);
    }
    let Ok(text) = String::from_utf8(bytes) else { return Ok(None) };
    let marks: Option<Vec<Mark>> = text.lines().skip(1).map(Mark::parse).collect();
    Ok(marks.map(|marks| (text, marks)))
}

/// How many of the marks in turn are those of a table, and its checksum up to the last of these. A
/// table without rows may be missing, and may have been cut short: it is made again.
fn count_right(
    path: &Path,
    k: usize,
    header: &[u8],
    marks: &[Mark],
) -> Result<(usize, Hasher), StoreError> {
    let mut hasher = Hasher::default();
    hasher.add(header);
    let mut at = header.len() as u64;
    let bare = |mark: &&Mark| mark.lengths[k] == at && mark.hashes[k] == hasher.hash();
    let mut right = marks.iter().take_while(bare).count();
    if right == marks.len() {
        return Ok((right, hasher));
    }
    let mut file = match open_plain(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((right, hasher)),
        Err(error) => return Err(StoreError::at(path)(error)),
    };
    let mut found = vec![0; header.len()];
    match file.read_exact(&mut found) {
        Ok(()) if found == header => {}
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
            return Err(StoreError::at(path)(error));
        }
        _ => return Ok((0, hasher)),
    }
    let mut buffer = vec![0; 1 << 16];
    for mark in &marks[right..] {
        if mark.lengths[k] < at {
            return Ok((right, hasher));
        }
        let mut next = hasher.clone();
        while at < mark.lengths[k] {
            let most = (mark.lengths[k] - at).min(buffer.len() as u64) as usize;
            match file.read(&mut buffer[..most]) {
                Ok(0) => return Ok((right, hasher)),
                Ok(n) => {
                    next.add(&buffer[..n]);
                    at += n as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(StoreError::at(path)(error)),
            }
        }
        if next.hash() != mark.hashes[k] {
            return Ok((right, hasher));
        }
        hasher = next;
        right += 1;
    }
    Ok((right, hasher))
}
