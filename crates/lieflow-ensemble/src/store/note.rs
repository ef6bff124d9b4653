//! How far a run has come: `progress.json`.
use super::StoreError;
use super::mark::Mark;
use lieflow_files::{Hash, MOST_AT_ONCE, read_plain, replace};
use serde_json::{Value as Json, json};
use std::io;
use std::path::Path;

/// The file of the note.
pub(super) const PROGRESS: &str = "progress.json";

/// The note of what is complete. It is written after the rows that it counts are on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Note {
    /// The first index that is missing, with lengths and checksums of the tables.
    pub mark: Mark,
    /// Length and checksum of the file of marks.
    pub blocks: (u64, Hash),
    /// The checksum of the manifest.
    pub manifest: Hash,
}

impl Note {
    /// The text, which ends with its own checksum.
    pub fn to_text(self) -> String {
        let Self { mark, blocks, manifest } = self;
        let mut note = json!({
            "done": mark.end,
            "lengths": mark.lengths,
            "sha256": mark.hashes.map(|hash| hash.to_string()),
            "blocks": { "length": blocks.0, "sha256": blocks.1.to_string() },
            "ensemble": manifest.to_string(),
        });
        note["check"] = Hash::of(note.to_string().as_bytes()).to_string().into();
        format!("{note}\n")
    }

    /// From [`Note::to_text`], and from nothing else: whatever is not written so was changed.
    pub fn parse(text: &str) -> Option<Self> {
        let note: Json = serde_json::from_str(text).ok()?;
        let hash = |json: &Json| Hash::parse(json.as_str()?);
        let length = |k: usize| note["lengths"][k].as_u64();
        let checksum = |k: usize| hash(&note["sha256"][k]);
        let read = Self {
            mark: Mark {
                end: note["done"].as_u64()?,
                lengths: [length(0)?, length(1)?, length(2)?],
                hashes: [checksum(0)?, checksum(1)?, checksum(2)?],
            },
            blocks: (note["blocks"]["length"].as_u64()?, hash(&note["blocks"]["sha256"])?),
            manifest: hash(&note["ensemble"])?,
        };
        (read.to_text() == text).then_some(read)
    }

    /// The note of a folder, if there is one.
    pub fn load(dir: &Path) -> Result<Option<Self>, StoreError> {
        let path = dir.join(PROGRESS);
        match read_plain(&path, MOST_AT_ONCE) {
            Ok(bytes) => {
                let read = std::str::from_utf8(&bytes).ok().and_then(Self::parse);
                read.map(Some).ok_or_else(|| StoreError::changed(&path, "it is"))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::at(&path)(error)),
        }
    }

    /// Puts it into a folder.
    pub fn save(self, dir: &Path) -> Result<(), StoreError> {
        Ok(replace(&dir.join(PROGRESS), self.to_text().as_bytes())?)
    }
}
