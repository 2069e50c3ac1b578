//! The obvious decoder: byte by byte, written from the table of the format, for any reading.
//!
//! It shares nothing with the decoder it judges but the types of a verdict. What it
//! says of damage is the meaning of the errors: a token that the declared size has no room for
//! is [`TooLong`] whatever follows it; a token whose operands are not all there is [`CutToken`];
//! only a copy that is all there can reach to before the start.
//!
//! [`TooLong`]: DecodeErrorKind::TooLong
//! [`CutToken`]: DecodeErrorKind::CutToken

use daisho::codec::{DecodeError, DecodeErrorKind, End, Reserved, StreamSummary};

/// What is wrong, and the offsets in the stream and in the output of the token at fault.
pub(crate) type Damage = (DecodeErrorKind, u64, u64);

/// What is to be said of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// What it decodes to, up to the token at fault where one is.
    pub(crate) output: Vec<u8>,
    pub(crate) result: Result<StreamSummary, Damage>,
    /// Copies longer than their distance.
    pub(crate) overlapping: u64,
}

/// The verdict on `stream`, declared to decode to `size` bytes where that is known.
pub(crate) fn verdict(stream: &[u8], size: Option<u64>, reading: Reserved) -> Verdict {
    use DecodeErrorKind as Kind;
    let (mut at, mut out) = (0, Vec::new());
    let (mut overlapping, mut reserved, mut first_reserved) = (0, 0, None);
    let end = loop {
        let written = out.len() as u64;
        let short = size.filter(|size| written < *size);
        let Some(&c) = stream.get(at) else {
            break short.map_or(Ok(End::Missing), |size| Err(Kind::CutOff { size }));
        };
        let copy64 = c == 0xFE && reading == Reserved::Copy;
        let (len, needed) = match c {
            0x00..=0x3F => (usize::from(c) + 1, usize::from(c) + 1),
            0x40..=0x7F => (usize::from(c) - 62, 0),
            0x80..=0xBF => (usize::from(c) - 126, 1),
            0xC0..=0xFD => (usize::from(c) - 190, 1),
            0xFE if copy64 => (64, 1),
            0xFE | 0xFF => (0, 0),
        };
        if let Some(size) = size.filter(|size| len as u64 > size - written) {
            let (token, room) = (len as u64, size - written);
            break Err(Kind::TooLong { token, room, size });
        }
        let operands = &stream[at + 1..];
        if operands.len() < needed {
            let (needed, found) = (needed as u64, operands.len() as u64);
            break Err(Kind::CutToken { needed, found });
        }
        match c {
            0x00..=0x3F => out.extend_from_slice(&operands[..len]),
            0x40..=0x7F => out.extend(std::iter::repeat_n(0, len)),
            0x80..=0xBF => out.extend(std::iter::repeat_n(operands[0], len)),
            0xFE if reading == Reserved::Error => break Err(Kind::Reserved),
            0xFE if reading == Reserved::Stop => break Ok(End::Reserved),
            0xFE if !copy64 => {}
            0xC0..=0xFE => {
                let distance = usize::from(operands[0]) + 2;
                if distance > out.len() {
                    let distance = distance as u64;
                    break Err(Kind::BeforeStart { distance });
                }
                overlapping += u64::from(len > distance);
                for _ in 0..len {
                    out.push(out[out.len() - distance]);
                }
            }
            0xFF => break short.map_or(Ok(End::Marker), |size| Err(Kind::TooShort { size })),
        }
        if c == 0xFE {
            reserved += 1;
            first_reserved = first_reserved.or(Some(at as u64));
        }
        at += 1 + needed;
    };
    let (read, written) = (at as u64, out.len() as u64);
    let marker = u64::from(end == Ok(End::Marker));
    let summary = |end| StreamSummary {
        read: read + marker,
        written,
        end,
        tail: marker * (stream.len() as u64).saturating_sub(read + 1),
        reserved,
        first_reserved,
    };
    Verdict {
        output: out,
        result: end.map(summary).map_err(|kind| (kind, read, written)),
        overlapping,
    }
}

/// What a sound stream decodes to, as the game reads it.
///
/// # Panics
///
/// Where it is not sound.
pub(crate) fn decode_all(stream: &[u8]) -> Vec<u8> {
    let verdict = verdict(stream, None, Reserved::Skip);
    assert!(verdict.result.is_ok(), "{:?}", verdict.result);
    verdict.output
}

/// What a stream decodes to that an encoder may have made of `size` bytes; `None` where it is
/// damaged, writes another number of bytes, or has any of [`StreamSummary::warnings`].
pub(crate) fn decode(stream: &[u8], size: usize) -> Option<Vec<u8>> {
    let verdict = verdict(stream, Some(size as u64), Reserved::Error);
    let summary = verdict.result.ok()?;
    (summary.end == End::Marker && summary.tail == 0).then_some(verdict.output)
}

/// An error of the decoder in the oracle's terms.
pub(crate) fn damage(error: DecodeError) -> Damage {
    (error.kind(), error.input(), error.output())
}

/// The table once more, token by token, by hand: the oracle itself has no other check.
#[test]
fn the_oracle_says_what_was_worked_out_by_hand() {
    let stream = b"\x03abcd\xC3\x00\x40\x81z\xFF!";
    let verdict = verdict(stream, Some(14), Reserved::Skip);
    assert_eq!(verdict.output, b"abcdcdcdc\0\0zzz");
    let summary = verdict.result.unwrap();
    assert_eq!((summary.read, summary.tail), (11, 1));
    assert_eq!(verdict.overlapping, 1);
}
