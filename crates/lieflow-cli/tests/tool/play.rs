//! The live viewer, by plain sockets: who is let in, what a viewer hears, how it ends.
use crate::common::{command, file};
use lieflow_testing::problems::FALLING_TOP;
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(60);

/// A viewer that is served.
struct Served {
    child: Child,
    stdin: Option<ChildStdin>,
    port: u16,
    token: String,
}

impl Served {
    fn start(arguments: &[&str]) -> Self {
        let mut child = command()
            .arg("play")
            .args(arguments)
            .arg("--quiet")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim_end().strip_prefix("http://127.0.0.1:").unwrap().to_string();
        let (port, token) = rest.split_once('/').unwrap();
        let token = token.strip_suffix('/').unwrap().to_string();
        assert!(token.len() == 32 && token.bytes().all(|b| b.is_ascii_hexdigit()), "{token}");
        let (port, stdin) = (port.parse().unwrap(), child.stdin.take());
        Self { child, stdin, port, token }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream
    }

    /// The whole answer to a request; the headers are lines.
    fn ask(&self, request: &str, headers: &[&str]) -> String {
        let mut stream = self.connect();
        let text = format!("{request} HTTP/1.1\r\n{}\r\n\r\n", headers.join("\r\n"));
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.port)
    }

    fn status(&self, request: &str, headers: &[&str]) -> String {
        self.ask(request, headers).split(' ').nth(1).unwrap_or_default().to_string()
    }

    fn live(&self) -> String {
        format!("GET /{}/live", self.token)
    }

    /// A viewer, from our own page.
    fn view(&self) -> Viewer {
        let mut stream = self.connect();
        let head = format!(
            "{} HTTP/1.1\r\n{}\r\nOrigin: http://127.0.0.1:{}\r\nConnection: keep-alive, Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            self.live(),
            self.host(),
            self.port
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let mut byte = [0];
        while !answer.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            answer.push(byte[0]);
        }
        let answer = String::from_utf8(answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 101 "), "{answer}");
        // The example of RFC 6455, section 1.3.
        assert!(answer.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "{answer}");
        Viewer { stream }
    }

    /// Ends by a signal; how long that took.
    fn end(mut self, signal: &str) -> Duration {
        let begun = Instant::now();
        let sent = Command::new("kill").arg(signal).arg(self.child.id().to_string()).status();
        assert!(sent.unwrap().success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0), "{signal}");
        begun.elapsed()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a viewer hears.
#[derive(Debug)]
enum Heard {
    Words(Json),
    Numbers(Vec<f64>),
    Pong,
    Closed,
}

struct Viewer {
    stream: TcpStream,
}

impl Viewer {
    fn hear(&mut self) -> Heard {
        let mut head = [0; 2];
        if self.stream.read_exact(&mut head).is_err() {
            return Heard::Closed;
        }
        let mut length = u64::from(head[1] & 127);
        if length >= 126 {
            let mut more = [0; 8];
            let size = if length == 126 { 2 } else { 8 };
            self.stream.read_exact(&mut more[8 - size..]).unwrap();
            length = u64::from_be_bytes(more);
        }
        let mut body = vec![0; usize::try_from(length).unwrap()];
        self.stream.read_exact(&mut body).unwrap();
        match head[0] & 15 {
            1 => Heard::Words(serde_json::from_slice(&body).unwrap()),
            2 => Heard::Numbers(
                body.chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect(),
            ),
            8 => Heard::Closed,
            _ => Heard::Pong,
        }
    }

    /// A frame with a mask that changes nothing, which is a mask as good as any.
    fn frame(&mut self, kind: u8, body: &[u8]) {
        let mut frame = vec![0x80 | kind];
        match body.len() {
            n @ 0..126 => frame.push(0x80 | n as u8),
            n @ 126..65536 => {
                frame.push(0x80 | 126);
                frame.extend((n as u16).to_be_bytes());
            }
            n => {
                frame.push(0x80 | 127);
                frame.extend((n as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(body);
        let _ = self.stream.write_all(&frame);
    }

    fn ask(&mut self, message: Json) {
        self.frame(1, message.to_string().as_bytes());
    }

    /// The next words for which this is true, and all numbers before them.
    fn until(&mut self, wanted: impl Fn(&Json) -> bool) -> Json {
        let end = Instant::now() + LONG;
        while Instant::now() < end {
            match self.hear() {
                Heard::Words(words) if wanted(&words) => return words,
                Heard::Closed => panic!("closed"),
                _ => {}
            }
        }
        panic!("not heard")
    }

    fn words(&mut self, kind: &str) -> Json {
        self.until(|words| words["type"] == kind)
    }

    /// The next numbers of a kind: 0 frames, 1 the clock.
    fn numbers(&mut self, kind: f64, wanted: impl Fn(&[f64]) -> bool) -> Vec<f64> {
        let end = Instant::now() + LONG;
        while Instant::now() < end {
            match self.hear() {
                Heard::Numbers(n) if n[0] == kind && wanted(&n) => return n,
                Heard::Closed => panic!("closed"),
                _ => {}
            }
        }
        panic!("not heard")
    }

    /// The time of the clock, from now on.
    fn clock(&mut self) -> f64 {
        self.numbers(1.0, |_| true)[1]
    }
}

#[test]
fn the_page_is_given_to_whom_it_is_meant_for() {
    let served = Served::start(&["racket"]);
    let (host, page) = (served.host(), format!("GET /{}/", served.token));
    let answer = served.ask(&page, &[&host]);
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{}", &answer[..200]);
    for word in ["Content-Security-Policy: default-src 'none'", "no-store", "wing nut that flips"] {
        assert!(answer.contains(word), "{word}");
    }
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    for external in ["src=\"http", "href=\"http", "@import", "{{"] {
        assert!(!body.contains(external), "{external}");
    }
    let local = format!("Host: localhost:{}", served.port);
    let own = format!("Origin: http://127.0.0.1:{}", served.port);
    assert_eq!(served.status(&page, &[&local]), "200");
    assert_eq!(served.status(&page, &[&host, &own]), "200");

    let upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
    let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    let socket = |lines: &[&str]| {
        let lines: Vec<&str> = lines.iter().chain(&upgrade).copied().chain([key]).collect();
        served.status(&served.live(), &lines)
    };
    let foreign = "Origin: http://evil.example";
    assert_eq!(socket(&[&host, foreign]), "403");
    assert_eq!(socket(&[&host]), "403", "a socket says where it comes from");
    assert_eq!(socket(&["Host: evil.example", foreign]), "421");
    assert_eq!(socket(&[&host, &own, &own]), "403", "one origin");
    assert_eq!(served.status(&served.live(), &[&host, &own]), "426");
    assert_eq!(served.status(&page, &[&host, foreign]), "403");
    for wrong in ["Host: evil.example", "Host: 127.0.0.1", "Host: 127.0.0.1:1", "X: y"] {
        assert_eq!(served.status(&page, &[wrong]), "421", "{wrong}");
    }
    for path in
        ["/", "/0123456789abcdef0123456789abcdef/", &format!("/{}", served.token), "/x/live"]
    {
        let status = served.status(&format!("GET {path}"), &[&host, &own]);
        assert_eq!(status, "404", "{path}");
    }
    assert_eq!(served.status(&format!("POST /{}/", served.token), &[&host]), "405");
    served.end("-TERM");
}

/// Whatever comes in, the next one is served.
#[test]
fn nonsense_does_no_harm() {
    let served = Served::start(&["racket"]);
    let host = served.host();
    let long = format!("X: {}", "y".repeat(20_000));
    assert_eq!(served.status(&format!("GET /{}/", served.token), &[&host, &long]), "431");
    for nonsense in ["", "\r\n\r\n", "GET\r\n\r\n", "GET  /\r\n\r\n", "\u{0}\u{1}\r\n\r\n"] {
        let mut stream = served.connect();
        stream.write_all(nonsense.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{nonsense:?}: {answer}");
    }
    // Those that say nothing do not keep others out.
    let silent: Vec<TcpStream> = (0..10).map(|_| served.connect()).collect();
    let mut viewer = served.view();
    viewer.words("hello");
    drop(silent);
    // Words that are none.
    for nonsense in [
        "",
        "{",
        "[]",
        "null",
        "{\"do\":\"fly\"}",
        "{\"do\":\"speed\"}",
        "{\"do\":\"speed\",\"factor\":-1}",
        "{\"do\":\"speed\",\"factor\":1e300}",
        "{\"do\":\"pace\",\"step\":0}",
        "{\"do\":\"method\",\"lane\":7,\"id\":\"exs\"}",
        "{\"do\":\"set\",\"key\":\"no.such\",\"numbers\":[1]}",
        "{\"do\":\"set\",\"key\":\"initial.omega\",\"numbers\":[1]}",
    ] {
        viewer.frame(1, nonsense.as_bytes());
        assert!(viewer.words("error")["text"].as_str().unwrap().len() > 8, "{nonsense}");
    }
    // Bytes and pings are nothing to us; a text that is none, or far too long, ends this viewer only.
    viewer.frame(2, b"bytes");
    viewer.frame(9, b"ping");
    let before = viewer.clock();
    while viewer.clock() <= before {}
    viewer.frame(1, &[0xff, 0xfe]);
    while !matches!(viewer.hear(), Heard::Closed) {}
    let mut viewer = served.view();
    viewer.frame(1, &vec![b'x'; 200_000]);
    while !matches!(viewer.hear(), Heard::Closed) {}
    served.view().words("hello");
    served.end("-INT");
}

/// The hello world: two methods on the same start, and the errors of both.
#[test]
fn the_racket_is_shown_beside_rk4() {
    let served = Served::start(&["racket"]);
    let mut viewer = served.view();
    let hello = viewer.words("hello");
    assert_eq!(hello["title"], "wing nut that flips");
    let ids: Vec<&str> =
        hello["methods"].as_array().unwrap().iter().map(|m| m["id"].as_str().unwrap()).collect();
    for id in ["exs", "rkmk4", "rattle", "rk4"] {
        assert!(ids.contains(&id), "{id}");
    }
    let config = viewer.words("config");
    assert_eq!(config["methods"], json!(["exs", "rk4"]));
    assert_eq!(config["sliders"][0]["key"], "parameters.inertia");
    // Whichever is ready first.
    for _ in 0..2 {
        let words = viewer.words("lane");
        let lane = words["lane"].as_u64().unwrap() as usize;
        assert_eq!(words["method"]["id"], ["exs", "rk4"][lane]);
        assert_eq!(words["errors"][0]["name"], "energy");
        assert_eq!(words["errors"][1]["name"], "spatial momentum");
    }
    viewer.ask(json!({ "do": "speed", "factor": 50 }));
    // Errors of a frame begin behind its time, which follows the head.
    let error = |n: &[f64]| n[15].abs();
    let classical = viewer.numbers(0.0, |n| n[1] == 1.0 && n[14] > 20.0);
    assert!(error(&classical) > 1e-4, "{}", error(&classical));
    let ours = viewer.numbers(0.0, |n| n[1] == 0.0 && n[14] > 20.0);
    assert!(error(&ours) < 1e-12, "{}", error(&ours));
    served.end("-TERM");
}

#[test]
fn sliders_methods_and_steps_act_while_it_runs() {
    let served = Served::start(&["racket"]);
    let mut viewer = served.view();
    let first = viewer.until(|words| words["type"] == "lane" && words["lane"] == 0);
    while viewer.clock() < 0.3 {}
    // A slider begins anew.
    viewer.ask(json!({ "do": "set", "key": "initial.omega", "numbers": [0.0, 3.0, 0.5] }));
    let begun = Instant::now();
    let again = viewer.until(|words| words["type"] == "lane" && words["lane"] == 0);
    assert_eq!(again["run"].as_f64().unwrap(), first["run"].as_f64().unwrap() + 1.0);
    assert!(again["text"].as_str().unwrap().contains("omega = [0.0, 3.0, 0.5]"), "{again}");
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    // Or acts on what runs.
    while viewer.clock() < 0.3 {}
    viewer.ask(json!({ "do": "set", "key": "parameters.inertia", "numbers": [1.0, 2.2, 3.0], "go_on": true }));
    let on = viewer.until(|words| words["type"] == "lane" && words["lane"] == 0);
    assert_eq!(on["run"], again["run"]);
    assert_ne!(on["base"], again["base"], "errors are measured anew");
    assert!(viewer.clock() >= 0.3);
    // So do method and step; errors go on.
    viewer.ask(json!({ "do": "method", "lane": 0, "id": "rkmk4" }));
    let other = viewer.until(|words| words["type"] == "lane" && words["lane"] == 0);
    assert_eq!((&other["run"], &other["base"]), (&on["run"], &on["base"]));
    assert_eq!(other["method"]["id"], "rkmk4");
    viewer.ask(json!({ "do": "pace", "step": 0.025 }));
    viewer.until(|words| words["type"] == "config" && words["step"] == 0.025);
    viewer.numbers(1.0, |n| (n[7] - 0.025).abs() < 1e-9);
    viewer.ask(json!({ "do": "method", "lane": 0, "id": "rkmk-dp54" }));
    viewer.ask(json!({ "do": "pace", "tol": 1e-9 }));
    viewer.until(|words| words["type"] == "config" && words["tol"] == 1e-9);
    // What cannot be done says so in the words of the tool, and nothing stops.
    for (ask, word) in [
        (
            json!({ "do": "set", "key": "parameters.inertia", "numbers": [1.0, -2.0, 3.0] }),
            "parameters.inertia",
        ),
        (json!({ "do": "method", "lane": 0, "id": "rk45" }), "did you mean"),
        (json!({ "do": "method", "lane": 0, "id": "rkmk4" }), "error estimate"),
    ] {
        viewer.ask(ask);
        let text = viewer.words("error")["text"].as_str().unwrap().to_string();
        assert!(text.contains(word), "{text}");
        let config = viewer.words("config");
        assert_eq!(
            config["sliders"][0]["numbers"],
            json!([1.0, 2.2, 3.0]),
            "the page takes it back"
        );
    }
    let before = viewer.clock();
    while viewer.clock() <= before {}
    // One method only, and as it was in the file.
    viewer.ask(json!({ "do": "beside", "id": null }));
    assert_eq!(viewer.until(|words| words["type"] == "config")["methods"], json!(["rkmk-dp54"]));
    viewer.ask(json!({ "do": "reset" }));
    let config = viewer.until(|words| words["type"] == "config");
    assert_eq!(config["sliders"][2]["numbers"], json!([0.0, 4.0, 0.02]));
    served.end("-TERM");
}

#[test]
fn it_plays_pauses_and_steps_at_the_speed_that_is_said() {
    let served = Served::start(&["racket", "--step", "0.25"]);
    let mut viewer = served.view();
    viewer.words("lane");
    viewer.words("lane");
    viewer.ask(json!({ "do": "pause" }));
    viewer.ask(json!({ "do": "restart" }));
    viewer.until(|words| words["run"] == 2);
    viewer.until(|words| words["run"] == 2);
    for k in 1..=3 {
        viewer.ask(json!({ "do": "step" }));
        let n = viewer.numbers(1.0, |n| n[1] >= 0.25 * f64::from(k) - 1e-9);
        assert_eq!((n[1], n[3]), (0.25 * f64::from(k), 0.0), "{n:?}");
    }
    viewer.ask(json!({ "do": "speed", "factor": 4 }));
    viewer.ask(json!({ "do": "play" }));
    let (begun, from) = (Instant::now(), viewer.clock());
    while begun.elapsed() < Duration::from_millis(700) {
        viewer.clock();
    }
    let went = (viewer.clock() - from) / begun.elapsed().as_secs_f64();
    // A busy machine may be slower, and the first message may have waited.
    assert!(went > 0.0 && went < 6.0, "{went}");
    served.end("-TERM");
}

#[test]
fn every_viewer_has_a_motion_of_its_own() {
    let served = Served::start(&["racket"]);
    let (mut one, mut two) = (served.view(), served.view());
    one.words("lane");
    two.words("lane");
    one.ask(json!({ "do": "pause" }));
    one.ask(json!({ "do": "method", "lane": 0, "id": "rkmk4" }));
    one.until(|words| words["type"] == "lane" && words["method"]["id"] == "rkmk4");
    let before = two.clock();
    while two.clock() <= before + 0.1 {}
    two.ask(json!({ "do": "restart" }));
    assert_eq!(
        two.until(|words| words["type"] == "lane" && words["lane"] == 0)["method"]["id"],
        "exs"
    );
    // No more than a few at once.
    let mut others: Vec<Viewer> = (2..lieflow_play::MOST_VIEWERS).map(|_| served.view()).collect();
    others.iter_mut().for_each(|viewer| {
        viewer.words("hello");
    });
    let own = format!("Origin: http://127.0.0.1:{}", served.port);
    let mut lines = vec![served.host(), own];
    lines.extend(["Connection: Upgrade", "Upgrade: websocket"].map(String::from));
    lines.extend(
        ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
            .map(String::from),
    );
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(served.status(&served.live(), &lines), "503");
    // Who goes makes room.
    drop(others);
    let begun = Instant::now();
    while begun.elapsed() < LONG {
        std::thread::sleep(Duration::from_millis(50));
        let mut stream = served.connect();
        let text = format!("{} HTTP/1.1\r\n{}\r\n\r\n", served.live(), lines.join("\r\n"));
        stream.write_all(text.as_bytes()).unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        if &status == b"HTTP/1.1 101" {
            return;
        }
    }
    panic!("no room");
}

/// Systems by formula, events that stop, and systems without a picture.
#[test]
fn any_problem_can_be_watched() {
    let falls = file("play-falls.toml", FALLING_TOP);
    for problem in ["coupled-bodies", "kepler", "dipoles-4x4", "quad-full", "reduced-body", &falls]
    {
        let served = Served::start(&[problem]);
        let mut viewer = served.view();
        let scene = viewer.words("scene");
        assert!(!scene["scene"]["objects"].as_array().unwrap().is_empty(), "{problem}");
        let moving = scene["scene"]["moving"].as_array().unwrap();
        let width: f64 = moving.iter().map(|m| m[2].as_f64().unwrap()).sum();
        let frames = viewer.numbers(0.0, |n| n[4] > 0.0);
        assert_eq!(frames[5], width, "{problem}");
        let rows = frames[4] * (1.0 + frames[6] + frames[5]);
        assert_eq!(frames.len() as f64, 14.0 + rows, "{problem}");
        if problem == falls {
            viewer.ask(json!({ "do": "set", "key": "parameters.potential.k", "numbers": [30.0] }));
            viewer.ask(json!({ "do": "speed", "factor": 10 }));
            assert!(viewer.words("ended")["text"].as_str().unwrap().contains("falls over"));
        }
        served.end("-TERM");
    }
}

#[test]
fn it_closes_with_the_terminal() {
    for signal in ["-INT", "-TERM"] {
        let served = Served::start(&["racket"]);
        let mut viewer = served.view();
        viewer.words("lane");
        assert!(served.end(signal) < Duration::from_secs(5));
        while !matches!(viewer.hear(), Heard::Closed) {}
    }
    // Whoever has started it goes away.
    let mut served = Served::start(&["racket"]);
    let mut viewer = served.view();
    viewer.words("lane");
    drop(served.stdin.take());
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
    while !matches!(viewer.hear(), Heard::Closed) {}
    // By itself, if told so.
    let mut served = Served::start(&["racket", "--seconds", "0.2"]);
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_cannot_be_shown_is_said_before_anything_is_served() {
    let said = |arguments: &[&str], word: &str| {
        let tool = command().arg("play").args(arguments).output();
        let output = tool.unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(word) && output.stdout.is_empty(), "{error}");
    };
    said(&["rackett"], "racket");
    said(&["racket", "--beside", "nothing"], "nothing");
    said(&["racket", "--method", "rk45"], "rkmk-dp54");
    said(&["racket", "--seconds", "-1"], "--seconds");
    said(&["racket", "--set", "parameters.inertia=[1,2]"], "parameters.inertia");
    let first = Served::start(&["racket"]);
    said(&["racket", "--port", &first.port.to_string()], "cannot be listened on");
}
