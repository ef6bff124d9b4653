//! As much of HTTP as one page and one socket need: a head that is read, and short answers.
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The most bytes of a head.
const MOST_BYTES: usize = 16 << 10;
/// A head must be there by then.
const PATIENCE: Duration = Duration::from_secs(5);

/// The head of a request.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// `GET`, and others that we do not have.
    pub method: String,
    /// The path, without what follows a question mark.
    pub path: String,
    headers: Vec<(String, String)>,
}

impl Head {
    /// A header by its name in lower case; `None` also if it is there twice, which no browser does.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let (_, value) = found.next()?;
        found.next().is_none().then_some(value.as_str())
    }

    /// Whether a header is there.
    pub fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(known, _)| known == name)
    }

    /// Whether a header that is a list has this word.
    pub fn says(&self, name: &str, word: &str) -> bool {
        self.header(name).is_some_and(|v| v.split(',').any(|w| w.trim().eq_ignore_ascii_case(word)))
    }

    /// Reads the lines of a head.
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if words.next().is_some() || !version.starts_with("HTTP/1.") || !target.starts_with('/') {
            return None;
        }
        let path = target.split('?').next().unwrap_or(target);
        let header = |line: &str| {
            let (name, value) = line.split_once(':')?;
            let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_graphic());
            plain.then(|| (name.to_ascii_lowercase(), value.trim().to_string()))
        };
        let headers = lines.filter(|line| !line.is_empty()).map(header).collect::<Option<_>>()?;
        Some(Self { method: method.into(), path: path.into(), headers })
    }
}

/// Why there is no head.
#[derive(Debug)]
pub enum NoHead {
    /// It was not one.
    Malformed,
    /// It had no end.
    TooLong,
    /// It did not come, or its sender is gone.
    Gone,
}

/// Reads a head from a stream, and nothing behind it.
pub fn read_head(stream: &mut TcpStream) -> Result<Head, NoHead> {
    let end = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let mut byte = [0; 1];
    // One by one: what follows the head belongs to somebody else. It is a few hundred bytes.
    while !bytes.ends_with(b"\r\n\r\n") {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(NoHead::Gone);
        }
        if bytes.len() >= MOST_BYTES {
            return Err(NoHead::TooLong);
        }
        let _ = stream.set_read_timeout(Some(left.max(Duration::from_millis(1))));
        match stream.read(&mut byte) {
            Ok(0) => return Err(NoHead::Gone),
            Ok(_) => bytes.push(byte[0]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Err(NoHead::Gone),
        }
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| NoHead::Malformed)?;
    Head::parse(text).ok_or(NoHead::Malformed)
}

/// What every answer says: nobody keeps it, frames it or guesses what it is.
const ALWAYS: &str = "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
                      Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n";

/// Answers and closes.
pub fn answer(stream: &mut TcpStream, status: &str, kind: &str, more: &str, body: &str) {
    let head = format!(
        "HTTP/1.1 {status}\r\n{ALWAYS}Content-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n{more}\r\n",
        body.len()
    );
    let _ = stream.set_write_timeout(Some(PATIENCE));
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
    let _ = stream.shutdown(std::net::Shutdown::Write);
    // What still comes is read away, so that the answer is not lost.
    let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
    let mut rest = [0; 1024];
    for _ in 0..16 {
        if !matches!(stream.read(&mut rest), Ok(n) if n > 0) {
            break;
        }
    }
}

/// A refusal in words.
pub fn refuse(stream: &mut TcpStream, status: &str, why: &str) {
    answer(stream, status, "text/plain", "", &format!("{why}\n"));
}
