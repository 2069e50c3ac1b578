//! `pack-stream`

use std::io::{self, Read as _, Write as _};

use daisho::ErrorKind;
use daisho::codec::{BlockEncoder, Encoder, Profile};

use crate::cli::args::PackStreamArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind};

/// See [`PackStreamArgs`].
pub(crate) fn run(_args: &PackStreamArgs, global: &Global) -> Exit {
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
                    // Without its end marker the stream shows that it is cut.
                    let words = ErrorKind::Io(error);
                    global.messages.tell(Message::error(format!(
                        "cannot read standard input: {words}"
                    )));
                    return Ok(Exit::NotAllWell);
                }
            }
        }
        encoder.finish(&mut stream);
        out.write_all(&stream)?;
        Ok(Exit::Done)
    })
}

/// What is read at once.
const PIECE: usize = 64 * 1024;
