//! A way to a server on which questions and answers get lost.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The server gets it; its answer does not come back.
    AnswerLost,
    /// The server never gets it.
    QuestionLost,
    /// It is turned away.
    Throttled,
}

/// A proxy on a port of its own, for as long as the process lives.
pub(crate) struct Proxy {
    pub(crate) endpoint: String,
    faults: Arc<Mutex<VecDeque<Fault>>>,
}

impl Proxy {
    /// Leads to `server`. Calls of `operation` meet the faults that are added.
    pub(crate) fn to(server: &str, operation: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let server = server.trim_start_matches("http://").to_owned();
        let faults = Arc::new(Mutex::new(VecDeque::new()));
        let shared = faults.clone();
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (server, faults) = (server.clone(), shared.clone());
                std::thread::spawn(move || pass(client.unwrap(), &server, operation, &faults));
            }
        });
        Proxy { endpoint, faults }
    }

    pub(crate) fn add(&self, faults: impl IntoIterator<Item = Fault>) {
        self.faults.lock().unwrap().extend(faults);
    }

    pub(crate) fn all_met(&self) -> bool {
        self.faults.lock().unwrap().is_empty()
    }
}

/// Passes one request and its answer. Every connection is for one request.
fn pass(mut client: TcpStream, server: &str, operation: &str, faults: &Mutex<VecDeque<Fault>>) {
    let Some(request) = read_request(&mut client) else { return };
    let head = String::from_utf8_lossy(&request[..request.len().min(4096)]).into_owned();
    let named = head.contains(&format!(".{operation}")) || head.contains(&format!("/{operation}"));
    let fault = if named { faults.lock().unwrap().pop_front() } else { None };
    match fault {
        Some(Fault::QuestionLost) => return,
        Some(Fault::Throttled) => {
            let body = r#"{"__type": "ThrottlingException", "message": "Rate exceeded"}"#;
            let answer = format!(
                "HTTP/1.1 400 Bad Request\r\nContent-Type: application/x-amz-json-1.1\r\n\
                 Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
            client.write_all(answer.as_bytes()).unwrap();
            return;
        }
        _ => {}
    }
    let mut upstream = TcpStream::connect(server).unwrap();
    upstream.write_all(&request).unwrap();
    let mut answer = Vec::new();
    let _ = upstream.read_to_end(&mut answer);
    if fault != Some(Fault::AnswerLost) {
        let _ = client.write_all(&answer);
    }
}

/// The bytes of a request, asking the server to close the connection behind its answer.
fn read_request(client: &mut TcpStream) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 * 1024];
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        match client.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend_from_slice(&buffer[..read]),
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:"));
    let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
    while bytes.len() < head + length {
        match client.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend_from_slice(&buffer[..read]),
        }
    }
    let line = bytes.windows(2).position(|window| window == b"\r\n")? + 2;
    bytes.splice(line..line, *b"Connection: close\r\n");
    Some(bytes)
}
