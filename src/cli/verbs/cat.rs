//! `cat`, `unpack-stream` and `pack-stream`: decoded or encoded bytes on standard output.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};

use clap::Args;
use daisho::codec::{
    BlockEncoder, DecodeError, DecodeErrorKind, DecodeReader, Encoder, Profile, Warning,
};
use daisho::ops::read::cat::cat;

use crate::cli::args::number;
use crate::cli::global::Global;
use crate::cli::inputs::EntryArgs;
use crate::cli::messages::{Message, Refused};
use crate::cli::output::{self, DataKind};

/// Write entries to standard output
///
/// Entries are written one after another, decoded, in the order given. Binary data is not written to
/// a terminal.
#[derive(Debug, Args)]
#[command(after_long_help = CAT, override_usage = CAT_USAGE)]
pub(crate) struct CatArgs {
    #[command(flatten)]
    pub(crate) entries: EntryArgs,
}

const CAT_USAGE: &str = "\
daisho cat [OPTIONS] ARCHIVE NAME...
       daisho cat [OPTIONS] ARCHIVE --index N...";

const CAT: &str = "\
Rules:
  If several entries have the name, the first is written; --index reaches
  others.
  If no entry has exactly this name, case and the kind of slash are ignored. A
  damaged entry is written up to the damage, and the exit status is 1.

Examples:
  daisho cat pak0.pak maps/e1m1.bsp > e1m1.bsp
  daisho cat pak0.pak --index 0 7 | sha256sum";

pub(super) fn cat_entries(args: &CatArgs, global: &Global) -> Result<(), Refused> {
    let mut refused = Ok(());
    let (archive, wanted) = (&args.entries.archive, args.entries.wanted());
    output::write(global, DataKind::Content, |out| {
        match cat(&global.context(), archive, &wanted, out) {
            Ok(printed) => {
                // Everything that can be decoded is written before findings are reported.
                let flushed = out.flush();
                global.messages.findings(&printed.findings);
                printed.output.map_or(flushed, Err)
            }
            Err(refusal) => {
                refused = Err(refusal.into());
                Ok(())
            }
        }
    });
    refused
}

/// Decompress a bare stream from standard input
///
/// The stream is the content of a compressed entry of a Daikatana pak. Everything before damage is
/// written, then the error names the byte, and the exit status is 1.
#[derive(Debug, Args)]
#[command(after_long_help = UNPACK)]
pub(crate) struct UnpackStreamArgs {
    /// The exact number of bytes that must come out
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    pub(crate) size: Option<u64>,
}

const UNPACK: &str = "\
Rules:
  A missing end marker, bytes after it, and the reserved byte 0xFE are
  warnings.

Examples:
  daisho unpack-stream < packed > plain
  daisho unpack-stream --size 196608 < packed > plain";

pub(super) fn unpack(args: &UnpackStreamArgs, global: &Global) -> Result<(), Refused> {
    let input = BufReader::with_capacity(BUFFER, io::stdin().lock());
    let reserved = global.open.reserved.unwrap_or_default();
    let mut reader = DecodeReader::new(input, args.size, reserved);
    let mut finished = false;
    output::write(global, DataKind::Content, |out| {
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
                    return Ok(());
                }
            }
        }
        finished = true;
        Ok(())
    });
    if !finished {
        return Ok(());
    }
    for warning in reader
        .summary()
        .iter()
        .flat_map(|summary| summary.warnings())
    {
        global.messages.tell(Message::warning(warning.to_string()));
    }
    let read = reader.summary().map_or(0, |summary| summary.read);
    // What follows the end marker.
    match io::copy(&mut reader.into_inner(), &mut io::sink()) {
        Ok(0) => {}
        Ok(bytes) => {
            let warning = Warning::Tail { at: read, bytes };
            global.messages.tell(Message::warning(warning.to_string()));
        }
        Err(error) => global.messages.tell(failure(error)),
    }
    Ok(())
}

/// The size of the read buffer.
const BUFFER: usize = 64 * 1024;

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

/// Compress standard input into a bare stream
///
/// The stream is the smallest that every known decoder reads. Memory does not grow with the input.
#[derive(Debug, Args)]
#[command(after_long_help = PACK)]
pub(crate) struct PackStreamArgs {}

const PACK: &str = "\
Examples:
  daisho pack-stream < plain > packed
  daisho pack-stream < plain | daisho unpack-stream | cmp - plain";

pub(super) fn pack(global: &Global) -> Result<(), Refused> {
    output::refuse_terminal()?;
    output::write(global, DataKind::Content, |out| {
        let mut input = io::stdin().lock();
        let mut encoder = BlockEncoder::new(Encoder::new(Profile::Compatible));
        let mut piece = vec![0; BUFFER];
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
                    return Ok(());
                }
            }
        }
        encoder.finish(&mut stream);
        out.write_all(&stream)
    });
    Ok(())
}
