//! The socket of a viewer. Nothing here waits: what cannot be sent now is sent later, or the viewer
//! is given up.
use crate::http::Head;
use lieflow_report::base64;
use sha1::{Digest, Sha1};
use std::io::{ErrorKind, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

/// RFC 6455, section 1.3.
const MAGIC: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// Nobody types longer messages.
const MOST_BYTES: usize = 64 << 10;
/// What may wait to be sent, beyond a layout or two of a large picture.
const MOST_WAITING: usize = 32 << 20;
/// A viewer that takes nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// A viewer that is gone.
#[derive(Clone, Copy, Debug)]
pub struct Gone;

/// An open socket.
pub struct Socket {
    inner: WebSocket<TcpStream>,
    /// Since when something waits to be sent.
    stuck: Option<Instant>,
}

/// Whether a request wants a socket, in the version that there is.
pub fn wanted(head: &Head) -> bool {
    head.says("connection", "upgrade")
        && head.says("upgrade", "websocket")
        && head.header("sec-websocket-version") == Some("13")
        && head.header("sec-websocket-key").is_some_and(|key| key.len() == 24)
}

impl Socket {
    /// Answers a request that wants one.
    pub fn open(mut stream: TcpStream, head: &Head) -> Result<Self, Gone> {
        let key = head.header("sec-websocket-key").unwrap_or_default();
        let accept = base64(&Sha1::digest(format!("{key}{MAGIC}")));
        let answer = format!(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Accept: {accept}\r\n\r\n"
        );
        stream.set_write_timeout(Some(PATIENCE)).map_err(|_| Gone)?;
        stream.write_all(answer.as_bytes()).map_err(|_| Gone)?;
        // A frame of the picture is not worth waiting for the next one.
        stream.set_nodelay(true).map_err(|_| Gone)?;
        stream.set_nonblocking(true).map_err(|_| Gone)?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(MOST_BYTES))
            .max_frame_size(Some(MOST_BYTES))
            .max_write_buffer_size(MOST_WAITING);
        let inner = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
        Ok(Self { inner, stuck: None })
    }

    /// The next text, if one is there.
    pub fn receive(&mut self) -> Result<Option<String>, Gone> {
        match self.inner.read() {
            Ok(Message::Text(text)) => Ok(Some(text.as_str().to_string())),
            Ok(Message::Close(_)) => Err(Gone),
            // Nobody sends us bytes; pings are answered.
            Ok(_) => Ok(None),
            Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => Ok(None),
            Err(_) => Err(Gone),
        }
    }

    /// Whether all that was sent is on its way. Frames of a picture are left out while it is not.
    pub fn is_free(&self) -> bool {
        self.stuck.is_none()
    }

    /// Sends a text.
    pub fn text(&mut self, text: String) -> Result<(), Gone> {
        self.send(Message::text(text))
    }

    /// Sends numbers.
    pub fn numbers(&mut self, numbers: &[f64]) -> Result<(), Gone> {
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.send(Message::binary(bytes))
    }

    fn send(&mut self, message: Message) -> Result<(), Gone> {
        let outcome = self.inner.write(message);
        self.waits(outcome)?;
        self.flush()
    }

    /// Sends what waits.
    pub fn flush(&mut self) -> Result<(), Gone> {
        let outcome = self.inner.flush();
        self.waits(outcome)
    }

    fn waits(&mut self, outcome: Result<(), Error>) -> Result<(), Gone> {
        match outcome {
            Ok(()) => {
                self.stuck = None;
                Ok(())
            }
            Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                let since = self.stuck.get_or_insert_with(Instant::now);
                if since.elapsed() > PATIENCE { Err(Gone) } else { Ok(()) }
            }
            Err(_) => Err(Gone),
        }
    }

    /// Says goodbye.
    pub fn close(mut self) {
        let _ = self.inner.close(None);
        let _ = self.inner.flush();
    }
}
