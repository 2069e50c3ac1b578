//! The reader: it gives what the decoder gives, whatever the reader below it does, and however
//! it is read.

use std::io::{self, BufRead, ErrorKind, Read};

use daisho::codec::{DecodeError, DecodeReader, End, Reserved, StreamSummary};

use super::dice::Dice;
use super::fuzz_bodies::Outcome;

/// A reader that gives little at a time, is interrupted, and has errors that pass.
#[derive(Debug)]
struct Jerky<'a> {
    rest: &'a [u8],
    /// How much of `rest` is in its buffer.
    ready: usize,
    dice: Dice,
}

impl Read for Jerky<'_> {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(ErrorKind::Unsupported.into())
    }
}

impl BufRead for Jerky<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.ready == 0 {
            match self.dice.below(8) {
                0 => return Err(ErrorKind::Interrupted.into()),
                1 => return Err(ErrorKind::TimedOut.into()),
                _ => self.ready = (1 + self.dice.piece()).min(self.rest.len()),
            }
        }
        Ok(&self.rest[..self.ready])
    }

    fn consume(&mut self, n: usize) {
        assert!(n <= self.ready, "consumes what is not there");
        self.rest = &self.rest[n..];
        self.ready -= n;
    }
}

/// Asserts that a reader over `data` gives what `whole` has, read by `Read` and `BufRead` in
/// turn, and stops behind the end marker.
pub(crate) fn agrees(
    data: &[u8],
    size: Option<u64>,
    reading: Reserved,
    whole: &Outcome,
    dice: &mut Dice,
) {
    // A reader cannot ask back, so it takes `Stop` for `Error`; that one has a turn of its own.
    if reading == Reserved::Stop {
        return;
    }
    let below = Jerky { rest: data, ready: 0, dice: Dice::new(dice.below(1 << 30) as u64) };
    let mut reader = DecodeReader::new(below, size, reading);
    let mut output = Vec::new();
    let reported = loop {
        match some(&mut reader, &mut output, dice) {
            Ok(true) => {}
            Ok(false) => break Ok(*reader.summary().unwrap()),
            Err(error) if error.kind() == ErrorKind::TimedOut => {}
            Err(error) => break Err(damage(&error)),
        }
    };
    assert_eq!(output, whole.0, "{reading:?}, {size:?}");
    // A reader does not know what follows the end marker: that is still to be read.
    let expected = whole.1.map(|summary| StreamSummary { tail: 0, ..summary });
    assert_eq!(reported, expected, "{reading:?}, {size:?}");
    let again = loop {
        match some(&mut reader, &mut output, dice) {
            Err(error) if error.kind() == ErrorKind::TimedOut => {}
            again => break again,
        }
    };
    match reported {
        Ok(summary) => {
            assert!(!again.unwrap(), "goes on behind the end");
            let rest = reader.into_inner().rest;
            assert_eq!(rest, &data[usize::try_from(summary.read).unwrap()..]);
            assert!(summary.end == End::Marker || rest.is_empty());
        }
        Err(error) => assert_eq!(damage(&again.unwrap_err()), error),
    }
}

/// Reads some, in one way or the other; `false` at the end.
fn some(
    reader: &mut DecodeReader<Jerky<'_>>,
    output: &mut Vec<u8>,
    dice: &mut Dice,
) -> io::Result<bool> {
    if dice.below(2) == 0 {
        let mut buffer = vec![0x5A; 1 + dice.piece()];
        let n = reader.read(&mut buffer)?;
        output.extend_from_slice(&buffer[..n]);
        Ok(n > 0)
    } else {
        let ready = reader.fill_buf()?;
        let n = dice.piece().min(ready.len());
        output.extend_from_slice(&ready[..n]);
        let over = ready.is_empty();
        reader.consume(n);
        Ok(!over)
    }
}

fn damage(error: &io::Error) -> DecodeError {
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    *error.get_ref().unwrap().downcast_ref().unwrap()
}

#[test]
fn stop_is_an_error_for_a_reader() {
    let mut reader = DecodeReader::new(&b"\x40\xFE\xFF"[..], None, Reserved::Stop);
    let mut output = Vec::new();
    let error = reader.read_to_end(&mut output).unwrap_err();
    assert_eq!(output, [0, 0]);
    assert_eq!(damage(&error).to_string(), "control byte 0xFE at stream byte 1, output byte 2");
}

#[test]
fn two_streams_in_a_row_are_read_by_two_readers() {
    let mut below = &b"\x01ab\xFF\x01cd\xFFrest"[..];
    for expected in ["ab", "cd"] {
        let mut text = String::new();
        let mut reader = DecodeReader::new(&mut below, Some(2), Reserved::Skip);
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, expected);
    }
    assert_eq!(below, b"rest");
}

#[test]
fn reading_into_no_room_reads_nothing() {
    let mut reader = DecodeReader::new(&b"\x01ab\xFF"[..], None, Reserved::Skip);
    assert_eq!(reader.read(&mut []).unwrap(), 0);
    assert!(reader.summary().is_none());
    assert_eq!(reader.into_inner().len(), 4);
}
