//! How much a disk still takes.
use std::path::Path;

/// The bytes that can still be written where a folder is, or will be; nothing where the system does not
/// say.
pub fn free_space(dir: &Path) -> Option<u64> {
    // The folder itself may not be there yet.
    let there = dir.ancestors().find(|path| path.exists()).filter(|path| **path != *"");
    ask(there.unwrap_or(Path::new(".")))
}

#[cfg(unix)]
fn ask(dir: &Path) -> Option<u64> {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::CString::new(dir.as_os_str().as_bytes()).ok()?;
    let mut found = std::mem::MaybeUninit::<libc::statvfs>::zeroed();
    // SAFETY: the name ends with a zero byte, and there is room for the answer.
    let status = unsafe { libc::statvfs(name.as_ptr(), found.as_mut_ptr()) };
    // SAFETY: zeros are a value of this struct, and the system has filled it in.
    let found = unsafe { found.assume_init() };
    #[allow(clippy::unnecessary_cast, reason = "other systems have narrower numbers")]
    let bytes = (found.f_bavail as u64).saturating_mul(found.f_frsize as u64);
    (status == 0).then_some(bytes)
}

#[cfg(not(unix))]
fn ask(_: &Path) -> Option<u64> {
    None
}
