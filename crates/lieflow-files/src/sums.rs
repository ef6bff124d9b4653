//! The checksums of a folder.
use crate::{FileError, Hash, MOST_AT_ONCE, read_plain};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

/// The file that has them, written last: a folder that has it is complete.
pub const SUMS: &str = "SHA256SUMS";

/// The names of the files that are about to be put into the folder; it is there only while they are.
pub const UNFINISHED: &str = "SHA256SUMS.unfinished";

/// Files, by their names below a folder, and their checksums.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums(pub BTreeMap<String, Hash>);

impl Sums {
    /// As `sha256sum` prints them.
    pub fn to_text(&self) -> String {
        self.0.iter().map(|(name, hash)| format!("{hash}  {name}\n")).collect()
    }

    /// From [`Sums::to_text`], and from nothing else: whatever is not written so was changed.
    pub fn parse(text: &str) -> Option<Self> {
        let line = |line: &str| {
            let (hash, name) = line.split_once("  ")?;
            let inside =
                !name.is_empty() && name.split('/').all(|part| !matches!(part, "" | "." | ".."));
            inside.then_some((name.to_string(), Hash::parse(hash)?))
        };
        let sums = Self(text.lines().map(line).collect::<Option<_>>()?);
        (sums.to_text() == text).then_some(sums)
    }

    /// The list of this name in a folder, if it is there; nothing in it if it cannot be read.
    pub fn load(dir: &Path, name: &str) -> Result<Option<Self>, FileError> {
        let path = dir.join(name);
        match read_plain(&path, MOST_AT_ONCE) {
            Ok(bytes) => {
                let text = String::from_utf8(bytes).unwrap_or_default();
                Ok(Some(Self::parse(&text).unwrap_or_default()))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FileError::read(&path)(error)),
        }
    }

    /// The first of these files that is not as it was written, and what is wrong with it.
    pub fn damage(&self, dir: &Path) -> Result<Option<(String, &'static str)>, FileError> {
        for (name, hash) in &self.0 {
            let path = dir.join(name);
            match Hash::of_file(&path) {
                Ok(found) if found == *hash => {}
                Ok(_) => return Ok(Some((name.clone(), "is not what was written"))),
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Ok(Some((name.clone(), "is missing")));
                }
                Err(error) => return Err(FileError::read(&path)(error)),
            }
        }
        Ok(None)
    }
}
