//! Listens on the loopback address, and lets in who may come in.
use crate::http::{self, Head, NoHead};
use crate::page::{page, policy};
use crate::session::Session;
use crate::socket::{self, Socket};
use crate::task::{Show, Task, TaskError};
use serde_json::json;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Viewers at the same time, each with a motion of its own.
pub const MOST_VIEWERS: usize = 8;
/// Connections at the same time, with those that are only asking.
const MOST_CONNECTIONS: usize = 32;
/// Between two looks whether somebody is there.
const NAP: Duration = Duration::from_millis(5);
/// So long viewers have to say goodbye.
const FAREWELL: Duration = Duration::from_millis(500);
/// As large as that of the main thread: formulas are read by recursion.
const STACK: usize = 8 << 20;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The problem cannot be shown.
    #[error("{0}")]
    Task(#[from] TaskError),
    /// The port cannot be had.
    #[error("127.0.0.1:{port}: cannot be listened on: {source}")]
    Port {
        /// The port that was asked for.
        port: u16,
        /// Why.
        source: io::Error,
    },
    /// The machine gave no random numbers.
    #[error("no random token could be made: {0}")]
    Token(getrandom::Error),
}

/// A page and its sockets, on the loopback address.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    door: Arc<Door>,
}

/// What every connection must know.
#[derive(Debug)]
struct Door {
    show: Arc<Show>,
    port: u16,
    token: String,
    page: String,
    closing: AtomicBool,
    connections: AtomicUsize,
    viewers: AtomicUsize,
}

impl Server {
    /// Listens for viewers of a problem; on any free port if it is zero.
    pub fn open(show: Show, port: u16) -> Result<Self, ServerError> {
        let prepared = Task::plain().prepare(&show)?;
        if let Some(method) = &show.beside {
            Task { method: Some(method.clone()), ..Task::plain() }.prepare(&show)?;
        }
        let title = prepared.document.title().unwrap_or(&show.name).to_string();
        let failed = |source| ServerError::Port { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(ServerError::Token)?;
        let token = bytes.iter().map(|b| format!("{b:02x}")).collect();
        let door = Door {
            show: Arc::new(show),
            port,
            token,
            page: page(&title),
            closing: AtomicBool::new(false),
            connections: AtomicUsize::new(0),
            viewers: AtomicUsize::new(0),
        };
        Ok(Self { listener, door: Arc::new(door) })
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.door.port, self.door.token)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.door.port
    }

    /// Serves until it is told to stop.
    pub fn serve(self, stop: impl Fn() -> bool) {
        while !stop() {
            match self.listener.accept() {
                Ok((stream, _)) => let_in(&self.door, stream),
                Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(NAP),
                // One that was gone before it came in; or too many files are open for the moment.
                Err(_) => std::thread::sleep(NAP),
            }
        }
        self.door.closing.store(true, Ordering::Relaxed);
        let end = Instant::now() + FAREWELL;
        while self.door.viewers.load(Ordering::Relaxed) > 0 && Instant::now() < end {
            std::thread::sleep(NAP);
        }
    }
}

/// Takes one place of a bounded number; it is free again when this is dropped.
struct Ticket<'a>(&'a AtomicUsize);

impl<'a> Ticket<'a> {
    fn take(counter: &'a AtomicUsize, most: usize) -> Option<Self> {
        let taken = counter
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| (n < most).then_some(n + 1));
        taken.ok().map(|_| Self(counter))
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn let_in(door: &Arc<Door>, stream: TcpStream) {
    let door = door.clone();
    let talk = move || {
        let Some(_ticket) = Ticket::take(&door.connections, MOST_CONNECTIONS) else { return };
        door.talk(stream);
    };
    // Without a thread the connection is closed, and may be tried again.
    let _ = std::thread::Builder::new().name("viewer".into()).stack_size(STACK).spawn(talk);
}

impl Door {
    fn talk(&self, mut stream: TcpStream) {
        // Accepted sockets may have the mode of the listener.
        if stream.set_nonblocking(false).is_err() {
            return;
        }
        let head = match http::read_head(&mut stream) {
            Ok(head) => head,
            Err(NoHead::Gone) => return,
            Err(NoHead::Malformed) => {
                return http::refuse(&mut stream, "400 Bad Request", "this is no request");
            }
            Err(NoHead::TooLong) => {
                let status = "431 Request Header Fields Too Large";
                return http::refuse(&mut stream, status, "the head of the request is too long");
            }
        };
        if let Err((status, why)) = self.check(&head) {
            return http::refuse(&mut stream, status, why);
        }
        let host = head.header("host").unwrap_or_default().to_string();
        if !head.path.ends_with("/live") {
            return http::answer(&mut stream, "200 OK", "text/html", &policy(&host), &self.page);
        }
        if !socket::wanted(&head) {
            let why = "here is a WebSocket; open the page instead";
            return http::refuse(&mut stream, "426 Upgrade Required", why);
        }
        let Some(_ticket) = Ticket::take(&self.viewers, MOST_VIEWERS) else {
            let why = "there are too many viewers; close one";
            return http::refuse(&mut stream, "503 Service Unavailable", why);
        };
        let Ok(socket) = Socket::open(stream, &head) else { return };
        match Session::new(self.show.clone(), socket) {
            Ok(session) => session.run(&self.closing),
            Err((mut socket, error)) => {
                let _ = socket.text(json!({ "type": "error", "text": error }).to_string());
                socket.close();
            }
        }
    }

    /// Who may come in: by our own name, from our own page, with the token.
    fn check(&self, head: &Head) -> Result<(), (&'static str, &'static str)> {
        let names = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        // Another name that leads here is somebody's trick.
        let host = head.header("host").filter(|host| names.iter().any(|name| name == host));
        let Some(host) = host else {
            return Err(("421 Misdirected Request", "this is not the host that you asked for"));
        };
        let socket = head.path.ends_with("/live");
        let own = head.header("origin") == Some(&format!("http://{host}"));
        if (head.has("origin") || socket) && !own {
            return Err(("403 Forbidden", "pages of other sites may not look at this one"));
        }
        if head.method != "GET" {
            return Err(("405 Method Not Allowed", "there is only a page to get"));
        }
        let known = [format!("/{}/", self.token), format!("/{}/live", self.token)];
        // As long whatever is wrong.
        let same = |a: &str, b: &str| {
            a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |d, (x, y)| d | (x ^ y)) == 0
        };
        if !known.iter().any(|path| same(path, &head.path)) {
            return Err((
                "404 Not Found",
                "there is nothing here; the address is printed by lieflow play",
            ));
        }
        Ok(())
    }
}
