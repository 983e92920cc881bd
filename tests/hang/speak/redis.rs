//! Redis: makes every connection, and answers GET with two letters.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use crate::server::{Answer, Mood, answer};

/// Serves one connection.
pub fn serve(stream: &mut TcpStream, mood: Mood) -> io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    while let Some(command) = command(&mut reader)? {
        match command.first().map(|word| word.to_ascii_uppercase()).as_deref() {
            Some("GET") => {
                answer(stream, mood, &Answer { head: b"$20\r\nha".to_vec(), rest: b"lf of an answer...\r\n".to_vec() })?
            }
            Some("INFO") => stream.write_all(b"$9\r\nloading:0\r\n")?,
            Some("PING") => stream.write_all(b"+PONG\r\n")?,
            Some("HELLO") => stream.write_all(b"-ERR unknown command 'HELLO'\r\n")?,
            _ => stream.write_all(b"+OK\r\n")?,
        }
    }
    Ok(())
}

/// One command as an array of bulk strings; none at the end.
fn command(reader: &mut BufReader<TcpStream>) -> io::Result<Option<Vec<String>>> {
    let Some(count) = number(reader, '*')? else { return Ok(None) };
    let mut words = Vec::new();
    for _ in 0..count {
        let Some(length) = number(reader, '$')? else { return Ok(None) };
        let mut word = vec![0; length + 2];
        reader.read_exact(&mut word)?;
        word.truncate(length);
        words.push(String::from_utf8_lossy(&word).into_owned());
    }
    Ok(Some(words))
}

fn number(reader: &mut BufReader<TcpStream>, mark: char) -> io::Result<Option<usize>> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    Ok(line.trim_end().strip_prefix(mark).and_then(|digits| digits.parse().ok()))
}
