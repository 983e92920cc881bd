//! A server that answers, or hangs in one of three ways.
//!
//! In: the protocol to speak and the mood. Out: a port on loopback, and the moment at which the first client reached it. Every
//! server stands alone for one run of one program and ends when it is dropped. It speaks just enough of each protocol to get a
//! client as far as its call.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use crate::speak;

/// How the server treats a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// It answers: proof that the program works.
    Answers,
    /// It accepts and never answers.
    Mute,
    /// It begins its answer, then nothing comes any more.
    Stalled,
    /// It begins its answer, then one byte comes each 100 ms for some seconds.
    Drip,
}

impl Mood {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Answers, Self::Mute, Self::Stalled, Self::Drip];
}

/// What the server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1.1.
    Http,
    /// gRPC over plain HTTP/2.
    Grpc,
    /// PostgreSQL's protocol 3: the connection is made, then the mood applies to queries.
    Postgres,
    /// Redis: the connection is made, then the mood applies to GET.
    Redis,
    /// Bare TCP.
    Tcp,
    /// TLS, of which it never answers the first word.
    Tls,
}

impl Protocol {
    /// The moods it knows.
    pub const fn moods(self) -> &'static [Mood] {
        match self {
            Self::Tls => &[Mood::Mute],
            _ => &Mood::ALL,
        }
    }
}

/// An answer in two parts: a stalled server sends the first alone, and one that drips sends the second byte by byte.
pub struct Answer {
    /// What a stalled server still sends.
    pub head: Vec<u8>,
    /// The rest.
    pub rest: Vec<u8>,
}

/// A running server.
pub struct Server {
    port: u16,
    reached: Arc<OnceLock<Instant>>,
    stop: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Server {
    /// Starts one on a free port of the loopback address.
    pub fn start(protocol: Protocol, mood: Mood) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let server =
            Self { port: listener.local_addr()?.port(), reached: Arc::default(), stop: Arc::default(), open: Arc::default() };
        let (reached, stop, open) = (server.reached.clone(), server.stop.clone(), server.open.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { break };
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let Ok(kept) = stream.try_clone() else { break };
                open.lock().unwrap().push(kept);
                let reached = reached.clone();
                thread::spawn(move || serve(stream, protocol, mood, &reached));
            }
        });
        Ok(server)
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// When the first client reached it.
    pub fn reached(&self) -> Option<Instant> {
        self.reached.get().copied()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        for stream in self.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Serves one connection until the client or the server goes.
fn serve(mut stream: TcpStream, protocol: Protocol, mood: Mood, reached: &OnceLock<Instant>) {
    let _ = stream.set_nodelay(true);
    let _ = reached.set(Instant::now());
    let _ = match protocol {
        Protocol::Http => speak::http::serve(&mut stream, mood),
        Protocol::Grpc => speak::grpc::serve(&mut stream, mood),
        Protocol::Postgres => speak::postgres::serve(&mut stream, mood),
        Protocol::Redis => speak::redis::serve(&mut stream, mood),
        Protocol::Tcp => speak::tcp(&mut stream, mood),
        Protocol::Tls => listen_on(&mut stream),
    };
}

/// Sends an answer in the mood, and says whether the connection goes on.
pub fn answer(stream: &mut TcpStream, mood: Mood, answer: &Answer) -> io::Result<()> {
    match mood {
        Mood::Mute => Ok(()),
        Mood::Answers => {
            stream.write_all(&answer.head)?;
            stream.write_all(&answer.rest)
        }
        Mood::Stalled => stream.write_all(&answer.head),
        Mood::Drip => {
            stream.write_all(&answer.head)?;
            for byte in &answer.rest {
                sleep(Duration::from_millis(100));
                stream.write_all(&[*byte])?;
            }
            Ok(())
        }
    }
}

/// Reads whatever comes until the other side goes.
pub fn listen_on(stream: &mut TcpStream) -> io::Result<()> {
    let mut buffer = [0; 4096];
    while stream.read(&mut buffer)? > 0 {}
    Ok(())
}
