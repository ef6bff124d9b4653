//! Files of results, opened for reading. In the place of one anything may stand: a pipe that nobody
//! writes to, a device without end, a file that is longer than any that was written.
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The most bytes of a file that is read at once: lists of checksums, manifests, summaries. Tables are
/// read piece by piece and may be longer.
pub const MOST_AT_ONCE: u64 = 256 << 20;

/// Opens a plain file. Nothing is waited for: what is not a plain file is refused.
pub fn open_plain(path: &Path) -> io::Result<File> {
    // It is asked before, because opening a device can do something, and afterwards, because it may be
    // another file by then.
    plain(&std::fs::metadata(path)?)?;
    let file = without_waiting(OpenOptions::new().read(true)).open(path)?;
    plain(&file.metadata()?)?;
    Ok(file)
}

/// All of a plain file that has no more than so many bytes.
pub fn read_plain(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open_plain(path)?;
    let too_long = || refused(format!("it has more than the {most} bytes that it may have"));
    if file.metadata()?.len() > most {
        return Err(too_long());
    }
    // A file may grow, and some have no length.
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_long()) } else { Ok(bytes) }
}

/// Whether a plain file has just these bytes; no more of it is read than that takes.
pub fn is_plain(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let file = open_plain(path)?;
    let mut there = Vec::new();
    file.take(bytes.len() as u64 + 1).read_to_end(&mut there)?;
    Ok(there == bytes)
}

fn plain(metadata: &Metadata) -> io::Result<()> {
    match () {
        () if metadata.is_file() => Ok(()),
        () if metadata.is_dir() => Err(ErrorKind::IsADirectory.into()),
        () => Err(refused("it is a device, a pipe or a socket, expected a plain file".into())),
    }
}

fn refused(message: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, message)
}

/// Some files that look plain are not (`/proc/kmsg`): reading them fails where it would wait.
#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(libc::O_NONBLOCK)
}
#[cfg(not(unix))]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}
