//! `pack-stream`

use std::io::{self, Read as _, Write as _};

use daisho::codec::{BlockEncoder, Encoder, Profile};

use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind};

/// See [`PackStreamArgs`](crate::cli::args::PackStreamArgs).
pub(crate) fn run(global: &Global) -> Exit {
    output::write(global, Kind::Binary, |out| {
        let mut input = io::stdin().lock();
        let mut encoder = BlockEncoder::new(Encoder::new(Profile::Compatible));
        let mut piece = vec![0; PIECE];
        let mut stream = Vec::new();
        loop {
            match input.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => {
                    encoder.push(piece.get(..read).unwrap_or_default(), &mut stream);
                    out.write_all(&stream)?;
                    stream.clear();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    // The stream gets no end marker, so a reader sees that it was cut short.
                    global.messages.tell(Message::unreadable_input(error));
                    return Ok(Exit::NotAllWell);
                }
            }
        }
        encoder.finish(&mut stream);
        out.write_all(&stream)?;
        Ok(Exit::Done)
    })
}

/// The size of the read buffer.
const PIECE: usize = 64 * 1024;
