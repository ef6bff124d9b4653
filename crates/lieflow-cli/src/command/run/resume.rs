//! What is in a folder to go on from.
use super::checkpoint::{Checkpoint, Moment, NAME, RUNNING};
use crate::error::Failure;
use lieflow_files::{FileError, MOST_AT_ONCE, ResultFolder, read_plain};
use std::io::ErrorKind;
use std::path::Path;

/// What to do about a run that may have begun before.
pub enum Resume {
    /// It has come to its end; there is nothing to do.
    Done,
    /// It goes on from here; it had taken so many seconds, and this was kept for another end.
    From { moment: Moment, seconds: f64, before_end: Option<Moment> },
    /// It starts at its beginning, for this reason.
    Start(String),
}

impl Resume {
    /// Looks into a folder for a run like this one, whose checkpoint is that of its beginning.
    pub fn find(results: &ResultFolder, wanted: &Checkpoint) -> Result<Self, Failure> {
        let dir = results.dir();
        let (running, last) = (read(&dir.join(RUNNING))?, read(&dir.join(NAME))?);
        let whole = results.is_whole()?;
        let mut because = "no checkpoint is there".to_string();
        let mut differs = None;
        for found in [&last, &running] {
            if let Stored::Whole(found) = found
                && found.complete
                && found.until == wanted.until
                && found.problem == wanted.problem
                && found.build == wanted.build
                && whole
            {
                return Ok(Self::Done);
            }
        }
        for found in [running, last] {
            let found = match found {
                Stored::Nothing => continue,
                Stored::Damaged => {
                    because = "the checkpoint is not what was written".into();
                    continue;
                }
                Stored::Whole(found) => found,
            };
            if let Some(key) = found.difference(wanted) {
                differs.get_or_insert(key);
                continue;
            }
            differs = None;
            if found.build != wanted.build {
                because = format!(
                    "the checkpoint is of the build {}, and this is {}",
                    found.build, wanted.build
                );
                continue;
            }
            if let Some(moment) = found.moment_for(wanted.until) {
                let same = found.until == wanted.until;
                let before_end = found.before_end.clone().filter(|_| same);
                let seconds = found.seconds;
                return Ok(Self::From { moment: moment.clone(), seconds, before_end });
            }
            because = "the run before has kept no state to go on from".into();
        }
        match differs {
            Some(key) => Err(Failure::OtherRun { path: dir.into(), key }),
            None => Ok(Self::Start(because)),
        }
    }
}

/// What a file holds.
enum Stored {
    Nothing,
    Damaged,
    Whole(Checkpoint),
}

fn read(path: &Path) -> Result<Stored, FileError> {
    match read_plain(path, MOST_AT_ONCE) {
        Ok(bytes) => Ok(Checkpoint::from_bytes(&bytes).map_or(Stored::Damaged, Stored::Whole)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Stored::Nothing),
        Err(error) => Err(FileError::read(path)(error)),
    }
}
