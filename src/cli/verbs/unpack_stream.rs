//! `unpack-stream`

use std::io::{self, BufRead as _, BufReader, Write as _};

use daisho::codec::{DecodeError, DecodeErrorKind, DecodeReader, Warning};

use crate::cli::args::UnpackStreamArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind};

/// See [`UnpackStreamArgs`].
pub(crate) fn run(args: &UnpackStreamArgs, global: &Global) -> Exit {
    let input = BufReader::with_capacity(BUFFER, io::stdin().lock());
    let reserved = global.open.reserved.unwrap_or_default();
    let mut reader = DecodeReader::new(input, args.size, reserved);
    let mut finished = false;
    let exit = output::write(global, Kind::Content, |out| {
        loop {
            match reader.fill_buf() {
                Ok([]) => break,
                Ok(piece) => {
                    out.write_all(piece)?;
                    let taken = piece.len();
                    reader.consume(taken);
                }
                Err(error) => {
                    // Everything before the damage is written before the error is reported.
                    out.flush()?;
                    global.messages.tell(failure(error));
                    return Ok(Exit::NotAllWell);
                }
            }
        }
        finished = true;
        Ok(Exit::Done)
    });
    if !finished {
        return exit;
    }
    for warning in reader
        .summary()
        .iter()
        .flat_map(|summary| summary.warnings())
    {
        global.messages.tell(Message::warning(warning.to_string()));
    }
    let read = reader.summary().map_or(0, |summary| summary.read);
    match tail(reader.into_inner()) {
        Ok(0) => exit,
        Ok(bytes) => {
            let warning = Warning::Tail { at: read, bytes };
            global.messages.tell(Message::warning(warning.to_string()));
            exit
        }
        Err(error) => {
            global.messages.tell(failure(error));
            exit.and(Exit::NotAllWell)
        }
    }
}

/// The size of the read buffer.
const BUFFER: usize = 64 * 1024;

/// How many bytes follow the end marker.
fn tail(mut input: impl io::Read) -> io::Result<u64> {
    io::copy(&mut input, &mut io::sink())
}

/// The error for damage, with its position in the stream and in the output, or for unreadable input.
fn failure(error: io::Error) -> Message {
    let damage = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<DecodeError>());
    match damage {
        Some(damage) => {
            let message = Message::error(damage.to_string()).place(format!(
                "standard input: stream byte {}, output byte {}",
                damage.input(),
                damage.output()
            ));
            match damage.kind() {
                DecodeErrorKind::Reserved => {
                    message.help("give --reserved skip or --reserved copy to read on")
                }
                _ => message,
            }
        }
        None => Message::unreadable_input(error),
    }
}
