//! The decoder as a `std::io::Read`; the only file of the codec that names `std`.

use std::io::{self, BufRead, Read};

use super::error::DecodeError;
use super::outcome::{Reserved, Status, StreamSummary};
use super::stream::Decoder;

/// A reader of decoded bytes, on top of a buffered reader of a stream.
///
/// It reads `inner` up to the end marker and not a byte further, so other data can follow the stream. If a
/// size is declared, a stream that decodes to more or less is damaged. Damage is an [`io::Error`] of kind
/// `InvalidData` that wraps the [`DecodeError`]; all bytes before it are delivered first. An error of
/// `inner` is passed on, and reading can be tried again.
///
/// ```
/// use daisho::codec::{DecodeReader, Reserved};
/// use std::io::Read;
///
/// let mut reader = DecodeReader::new(&b"\x03abcd\xC1\x02\xFFnext"[..], None, Reserved::Skip);
/// let mut text = String::new();
/// reader.read_to_string(&mut text)?;
/// assert_eq!(text, "abcdabc");
/// assert_eq!(reader.into_inner(), b"next");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct DecodeReader<R> {
    inner: R,
    decoder: Decoder,
    /// Decoded bytes for [`BufRead`], allocated on first use.
    buffer: Vec<u8>,
    /// The part of the buffer that has not been consumed.
    ready: std::ops::Range<usize>,
    summary: Option<StreamSummary>,
}

/// How much [`BufRead::fill_buf`] decodes at once: enough to make the cost of a call negligible.
const BUFFER: usize = 32 * 1024;

impl<R: BufRead> DecodeReader<R> {
    /// Creates a reader of the stream that begins at the position of `inner`. `size` is the declared size,
    /// if known.
    ///
    /// Under [`Reserved::Stop`] a reserved byte is an error, as under [`Reserved::Error`]: a reader cannot
    /// ask its caller.
    pub fn new(inner: R, size: Option<u64>, reserved: Reserved) -> Self {
        Self {
            inner,
            decoder: Decoder::new(size, reserved.or_error()),
            buffer: Vec::new(),
            ready: 0..0,
            summary: None,
        }
    }

    /// The summary of the stream, once it has been read to its end.
    pub fn summary(&self) -> Option<&StreamSummary> {
        self.summary.as_ref()
    }

    /// Returns the inner reader. It is positioned after the end marker if the stream was read to its end.
    pub fn into_inner(self) -> R {
        self.inner
    }

    fn decode(&mut self, output: &mut [u8]) -> io::Result<usize> {
        // Output that is already decided is delivered before the reader waits for more input.
        let known = self.decoder.decode(&[], output);
        if known.produced > 0 {
            return Ok(known.produced);
        }
        loop {
            if self.summary.is_some() {
                return Ok(0);
            }
            let input = match self.inner.fill_buf() {
                Ok(input) => input,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let over = input.is_empty();
            let progress = self.decoder.decode(input, output);
            self.inner.consume(progress.consumed);
            let ended = match progress.status {
                // Bytes before the damage are delivered first. The next call returns the error again.
                Err(_) if progress.produced > 0 => return Ok(progress.produced),
                Err(error) => return Err(damage(error)),
                Ok(Status::Done) => true,
                Ok(Status::NeedInput) => over && progress.produced == 0,
                Ok(Status::NeedOutput | Status::Reserved) => false,
            };
            if ended {
                self.summary = Some(self.decoder.finish(0).map_err(damage)?);
            }
            if progress.produced > 0 || progress.status == Ok(Status::NeedOutput) {
                return Ok(progress.produced);
            }
        }
    }
}

impl<R: BufRead> Read for DecodeReader<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        if output.is_empty() {
            return Ok(0);
        }
        if self.ready.is_empty() {
            return self.decode(output);
        }
        let ready = self.fill_buf()?;
        let n = ready.len().min(output.len());
        for (to, from) in output.iter_mut().zip(ready) {
            *to = *from;
        }
        self.consume(n);
        Ok(n)
    }
}

impl<R: BufRead> BufRead for DecodeReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.ready.is_empty() {
            let mut buffer = std::mem::take(&mut self.buffer);
            buffer.resize(BUFFER, 0);
            let produced = self.decode(&mut buffer);
            self.buffer = buffer;
            self.ready = 0..produced?;
        }
        Ok(self.buffer.get(self.ready.clone()).unwrap_or_default())
    }

    fn consume(&mut self, n: usize) {
        self.ready.start = (self.ready.start + n).min(self.ready.end);
    }
}

fn damage(error: DecodeError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns its bytes once, then fails like a broken connection.
    struct Dies<'a>(&'a [u8]);

    impl Read for Dies<'_> {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }

    impl BufRead for Dies<'_> {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            if self.0.is_empty() {
                return Err(io::ErrorKind::ConnectionReset.into());
            }
            Ok(self.0)
        }

        fn consume(&mut self, n: usize) {
            self.0 = self.0.get(n..).unwrap_or_default();
        }
    }

    #[test]
    fn known_bytes_are_delivered_before_more_is_read() {
        let mut reader = DecodeReader::new(Dies(b"\x42"), None, Reserved::Skip);
        for _ in 0..4 {
            assert_eq!(reader.read(&mut [0; 1]).unwrap(), 1);
        }
        assert!(reader.read(&mut [0; 1]).is_err());
    }

    /// Returns one byte at a time, and before each of them fails twice: interrupted, then reset.
    struct Stutters<'a>(&'a [u8], usize);

    impl Read for Stutters<'_> {
        fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
            self.0.read(output)
        }
    }

    impl BufRead for Stutters<'_> {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            self.1 += 1;
            match self.1 % 3 {
                1 => Err(io::ErrorKind::Interrupted.into()),
                2 => Err(io::ErrorKind::ConnectionReset.into()),
                _ => Ok(self.0.get(..1).unwrap_or_default()),
            }
        }

        fn consume(&mut self, n: usize) {
            self.0 = self.0.get(n..).unwrap_or_default();
        }
    }

    #[test]
    fn interrupts_are_retried_and_errors_can_be() {
        let stream = Stutters(b"\x03abcd\xC1\x02\xFF", 0);
        let mut reader = DecodeReader::new(stream, Some(7), Reserved::Skip);
        let (mut text, mut resets) = (Vec::new(), 0);
        for _ in 0..30 {
            let mut piece = [0xA5; 4];
            match reader.read(&mut piece) {
                Ok(read) => {
                    // A read of zero bytes means the end, and comes only there.
                    assert!(read > 0 || reader.summary().is_some());
                    text.extend_from_slice(&piece[..read]);
                }
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => resets += 1,
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(text, b"abcdabc");
        assert_eq!(resets, 8, "one for each byte of the stream");
        assert_eq!(reader.summary().unwrap().read, 8);
        assert_eq!(reader.into_inner().0, b"");
    }

    #[test]
    fn damage_repeats_after_the_bytes_before_it() {
        let damaged = |stream: &'static [u8], size, reserved| {
            let mut reader = DecodeReader::new(stream, size, reserved);
            let mut text = [0xA5; 9];
            let read = reader.read(&mut text).unwrap();
            let told = [(); 2].map(|()| {
                let error = reader.read(&mut text).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::InvalidData);
                *error.get_ref().unwrap().downcast_ref().unwrap()
            });
            assert_eq!(told[0], told[1]);
            assert_eq!(reader.summary(), None);
            let error: DecodeError = told[0];
            (text[..read].to_vec(), error.input(), error.output())
        };
        let abcd = b"abcd".to_vec();
        let skip = Reserved::Skip;
        assert_eq!(damaged(b"\x03abcd\xFF", Some(5), skip), (abcd.clone(), 5, 4));
        assert_eq!(damaged(b"\x03abcd", Some(5), skip), (abcd.clone(), 5, 4));
        assert_eq!(damaged(b"\x03abcd\x00", None, skip), (abcd.clone(), 5, 4));
        // A reader cannot ask its caller how to read a reserved byte.
        assert_eq!(damaged(b"\x03abcd\xFE\xFF", None, Reserved::Stop), (abcd, 5, 4));
    }

    #[test]
    fn a_stream_without_marker_ends_with_its_reader() {
        let mut reader = DecodeReader::new(&b"\x03abcd"[..], None, Reserved::Skip);
        let mut text = Vec::new();
        assert_eq!(reader.summary(), None);
        reader.read_to_end(&mut text).unwrap();
        assert_eq!(text, b"abcd");
        assert_eq!(reader.summary().unwrap().end, super::super::End::Missing);
    }

    #[test]
    fn reads_take_what_was_buffered_first() {
        let mut reader = DecodeReader::new(&b"\x03abcd\x40\xFFnext"[..], None, Reserved::Skip);
        assert_eq!(reader.fill_buf().unwrap(), b"abcd\0\0");
        reader.consume(1);
        let mut text = [0xA5; 2];
        assert_eq!(reader.read(&mut []).unwrap(), 0);
        assert_eq!(reader.read(&mut text).unwrap(), 2);
        assert_eq!(&text, b"bc");
        assert_eq!(reader.fill_buf().unwrap(), b"d\0\0");
        // Consuming more than is buffered consumes the buffer.
        reader.consume(9);
        assert_eq!(reader.fill_buf().unwrap(), b"");
        assert_eq!(reader.read(&mut text).unwrap(), 0);
        assert_eq!(reader.into_inner(), b"next");
    }
}
