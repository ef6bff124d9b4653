//! SHA-256.
use crate::open_plain;
use sha2::{Digest, Sha256};
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// A checksum, printed as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The checksum of a text.
    pub fn of(bytes: &[u8]) -> Self {
        let mut hasher = Hasher::default();
        hasher.add(bytes);
        hasher.hash()
    }

    /// The checksum of a file.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        Ok(Hasher::of_file(path)?.hash())
    }

    /// As four words.
    pub fn words(&self) -> [u64; 4] {
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().zip(self.0.chunks_exact(8)) {
            *word = bytes.iter().fold(0, |word, byte| (word << 8) | u64::from(*byte));
        }
        words
    }

    /// From its four words.
    pub fn from_words(words: [u64; 4]) -> Self {
        let mut bytes = [0; 32];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        Self(bytes)
    }

    /// From its digits, as they are printed: small letters only.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let digit = |c: u8| match c {
            b'0'..=b'9' => Some(c - b'0'),
            b'a'..=b'f' => Some(c - b'a' + 10),
            _ => None,
        };
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Self(bytes))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The checksum of what comes piece by piece.
#[derive(Clone, Debug, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Adds the next piece.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// After all of a file.
    pub(crate) fn of_file(path: &Path) -> io::Result<Self> {
        Self::default().and(open_plain(path)?)
    }

    /// After the first bytes of a file, of which those in `head` take the place of as many; nothing if
    /// there is no such file, or it is shorter.
    pub(crate) fn of_part(path: &Path, head: &[u8], length: u64) -> io::Result<Option<Self>> {
        let mut file = match open_plain(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other?,
        };
        let skipped = head.len() as u64;
        if length < skipped || file.metadata()?.len() < length {
            return Ok(None);
        }
        file.seek(SeekFrom::Start(skipped))?;
        let mut hasher = Self::default();
        hasher.add(head);
        Ok(Some(hasher.and(file.take(length - skipped))?))
    }

    /// After all that can be read.
    fn and(self, mut file: impl Read) -> io::Result<Self> {
        let mut hasher = self;
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer) {
                Ok(0) => return Ok(hasher),
                Ok(n) => hasher.add(&buffer[..n]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The checksum of all pieces so far.
    pub fn hash(&self) -> Hash {
        Hash(self.0.clone().finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::{Hash, Hasher};

    /// The answers that the standard gives (FIPS 180-2, appendix B).
    #[test]
    fn known_answers() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Hash::of(b"abc").to_string(), abc);
        let mut hasher = Hasher::default();
        (0..10_000).for_each(|_| hasher.add(&[b'a'; 100]));
        let million = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        assert_eq!(hasher.hash().to_string(), million);
        assert_eq!(Hash::parse(abc), Some(Hash::of(b"abc")));
        assert_eq!(Hash::parse(&abc.to_uppercase()), None);
        assert_eq!(Hash::parse(&abc[1..]), None);
        assert_eq!(Hash::from_words(Hash::of(b"abc").words()), Hash::of(b"abc"));
    }
}
