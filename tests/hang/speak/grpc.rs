//! HTTP/2 frames, just enough for one unary gRPC call without TLS. The answer is an empty message.

use std::io::{self, Read, Write};
use std::net::TcpStream;

use crate::server::{Answer, Mood, answer};

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const ACK: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// Serves one connection. A mute server is mute from the first byte on: it does not even greet.
pub fn serve(stream: &mut TcpStream, mood: Mood) -> io::Result<()> {
    if mood == Mood::Mute {
        return crate::server::listen_on(stream);
    }
    stream.read_exact(&mut [0; 24])?;
    stream.write_all(&frame(SETTINGS, 0, 0, &[]))?;
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head)?;
        let [a, b, c, kind, flags, s @ ..] = head;
        let mut load = vec![0; u32::from_be_bytes([0, a, b, c]) as usize];
        stream.read_exact(&mut load)?;
        match kind {
            SETTINGS if flags & ACK == 0 => stream.write_all(&frame(SETTINGS, ACK, 0, &[]))?,
            PING if flags & ACK == 0 => stream.write_all(&frame(PING, ACK, 0, &load))?,
            HEADERS => answer(stream, mood, &empty_message(u32::from_be_bytes(s)))?,
            _ => {}
        }
    }
}

fn frame(kind: u8, flags: u8, stream: u32, load: &[u8]) -> Vec<u8> {
    let mut out = (load.len() as u32).to_be_bytes()[1..].to_vec();
    out.extend([kind, flags]);
    out.extend(stream.to_be_bytes());
    out.extend(load);
    out
}

/// A header that no table knows: never indexed, no Huffman coding.
fn literal(name: &str, value: &str) -> Vec<u8> {
    let mut out = vec![0, name.len() as u8];
    out.extend(name.bytes());
    out.push(value.len() as u8);
    out.extend(value.bytes());
    out
}

fn empty_message(stream: u32) -> Answer {
    let mut headers = vec![0x88]; // :status 200
    headers.extend(literal("content-type", "application/grpc"));
    let mut head = frame(HEADERS, END_HEADERS, stream, &headers);
    head.extend(frame(DATA, 0, stream, &[0])); // the first of the five bytes that begin a message
    let mut rest = frame(DATA, 0, stream, &[0; 4]);
    rest.extend(frame(HEADERS, END_HEADERS | END_STREAM, stream, &literal("grpc-status", "0")));
    Answer { head, rest }
}
