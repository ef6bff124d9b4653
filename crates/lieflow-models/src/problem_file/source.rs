//! The text of a file that somebody named. What has no end is refused before it is read: devices,
//! folders, pipes that nobody writes to, and more bytes than a stated bound.
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::time::Duration;

/// The most bytes of a problem file.
pub const MOST_BYTES: u64 = 64 << 20;
/// The most bytes of a table of numbers (`csv = "…"`).
pub const MOST_TABLE_BYTES: u64 = 1 << 30;

/// Reads a file, or standard input for `-`, of at most so many bytes.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    if path == Path::new("-") {
        return bounded(io::stdin().lock(), most);
    }
    let metadata = std::fs::metadata(path)?;
    if is_pipe(&metadata) {
        return bounded(Pipe::open(path)?, most);
    }
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "a folder" } else { "a device or a socket" };
        return Err(refused(format!("it is {what}, expected a plain file or a pipe")));
    }
    if metadata.len() > most {
        return Err(too_long(&format!("{} bytes", metadata.len()), most));
    }
    // Some files that look plain are not (`/proc/kmsg`): reading them would wait for somebody to write.
    bounded(open_without_waiting(path)?, most).map_err(|error| match error.kind() {
        ErrorKind::WouldBlock => refused("it is no plain file: reading it would wait".into()),
        _ => error,
    })
}

/// All that comes, but no more than the bound: a file may grow, and some have no length.
fn bounded(from: impl Read, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_long("more", most));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        refused(format!("it is no text: byte {} does not belong to any character", at + 1))
    })?;
    // The mark that some programs put before a text (`CSV UTF-8`) is no part of it.
    Ok(text.strip_prefix('\u{feff}').map(Into::into).unwrap_or(text))
}

fn refused(message: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, message)
}

fn too_long(found: &str, most: u64) -> io::Error {
    refused(format!("it has {found}, expected at most {} MiB", most >> 20))
}

#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_fifo()
}
#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

/// A pipe that somebody has opened for writing. It is opened without waiting for that, because
/// there may never be anybody.
struct Pipe {
    file: File,
    begun: bool,
}

/// The flag of `open` by which opening and reading do not wait.
#[cfg(any(target_os = "linux", target_os = "android"))]
const NO_WAIT: i32 =
    if cfg!(any(target_arch = "mips", target_arch = "mips64")) { 0x80 } else { 0o4000 };
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const NO_WAIT: i32 = 4;

#[cfg(unix)]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new().read(true).custom_flags(NO_WAIT).open(path)
}
#[cfg(not(unix))]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    let _ = (NO_WAIT, OpenOptions::new());
    File::open(path)
}

impl Pipe {
    fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { file: open_without_waiting(path)?, begun: !cfg!(unix) })
    }
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.file.read(buffer) {
                Ok(0) if !self.begun && !buffer.is_empty() => {
                    return Err(refused("it is a pipe to which nobody writes".into()));
                }
                Ok(n) => {
                    self.begun = true;
                    return Ok(n);
                }
                // Somebody has it open and has not written yet.
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Err(error) => return Err(error),
            }
        }
    }
}
