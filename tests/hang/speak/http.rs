//! HTTP/1.1, one answer per request whatever was asked.

use std::io::{self, Read};
use std::net::TcpStream;

use crate::server::{Answer, Mood, answer};

/// Valid for every JSON client here, and ignored by the S3 client's listing.
const JSON: &str =
    r#"{"id":"1","object":"chat.completion","type":"message","role":"assistant","choices":[],"content":[],"model":"m"}"#;
const XML: &str = "<?xml version=\"1.0\"?><ListAllMyBucketsResult><Buckets></Buckets></ListAllMyBucketsResult>";

/// Serves one connection.
pub fn serve(stream: &mut TcpStream, mood: Mood) -> io::Result<()> {
    while let Some(head) = request(stream)? {
        let (kind, body) = match head.contains("amz-sdk") {
            true => ("application/xml", XML),
            false => ("application/json", JSON),
        };
        let body = if head.starts_with("head ") { "" } else { body };
        let (begun, rest) = body.as_bytes().split_at(body.len().min(4));
        let length = body.len();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n");
        answer(stream, mood, &Answer { head: [head.as_bytes(), begun].concat(), rest: rest.to_vec() })?;
    }
    Ok(())
}

/// Reads one request with its body; gives its head.
fn request(stream: &mut TcpStream) -> io::Result<Option<String>> {
    let mut seen = Vec::new();
    let mut byte = [0];
    while !seen.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte)? == 0 {
            return Ok(None);
        }
        seen.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&seen).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    io::copy(&mut stream.by_ref().take(length.unwrap_or(0)), &mut io::sink())?;
    Ok(Some(head))
}
