//! PostgreSQL's protocol 3: greets every user, and answers each query with one row.

use std::io::{self, Read, Write};
use std::net::TcpStream;

use crate::server::{Answer, Mood, answer};

/// Serves one connection.
pub fn serve(stream: &mut TcpStream, mood: Mood) -> io::Result<()> {
    loop {
        let mut length = [0; 4];
        stream.read_exact(&mut length)?;
        let mut load = vec![0; (u32::from_be_bytes(length) as usize).saturating_sub(4)];
        stream.read_exact(&mut load)?;
        match load.get(..4) {
            Some([4, 210, 22, _]) => stream.write_all(b"N")?, // TLS or GSS: no
            _ => break,
        }
    }
    stream.write_all(&[message(b'R', &[0; 4]), message(b'Z', b"I")].concat())?;
    loop {
        let mut head = [0; 5];
        stream.read_exact(&mut head)?;
        let [kind, length @ ..] = head;
        let mut load = vec![0; (u32::from_be_bytes(length) as usize).saturating_sub(4)];
        stream.read_exact(&mut load)?;
        match kind {
            b'Q' => answer(stream, mood, &one_row())?,
            b'X' => return Ok(()),
            _ => {}
        }
    }
}

fn message(kind: u8, load: &[u8]) -> Vec<u8> {
    let mut out = vec![kind];
    out.extend((load.len() as u32 + 4).to_be_bytes());
    out.extend(load);
    out
}

/// One row with one text column, `{ok: "1"}`.
fn one_row() -> Answer {
    let mut column = vec![0, 1];
    column.extend(b"ok\0");
    column.extend([0, 0, 0, 0, 0, 0]); // no table
    column.extend([0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0]); // text
    let head = message(b'T', &column);
    let rest = [message(b'D', &[0, 1, 0, 0, 0, 1, b'1']), message(b'C', b"SELECT 1\0"), message(b'Z', b"I")].concat();
    Answer { head, rest }
}
