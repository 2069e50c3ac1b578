//! Short streams and their results, through every interface: at once, byte by byte, and as a walk.
//!
//! They are too short for the fast loop, so this table specifies the careful one. The integration tests
//! compare both with a naive decoder, over millions of streams.

use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::codec::grammar::Token;
use DecodeErrorKind as Kind;
use Reserved::{Copy, Skip, Stop};

/// A stream, its declared size and reading; then the decoded bytes, and its summary or error.
type Row<'a> = (&'a [u8], Option<u64>, Reserved, &'a [u8], Result<StreamSummary, DecodeError>);

/// Thousands of tokens of every class, and how many bytes they write. Copies are shorter than, as long as,
/// and longer than their distance.
pub(super) fn stream(seed: u32) -> (Vec<u8>, u64) {
    let (mut stream, mut written, mut state) = (Vec::new(), 0, seed);
    for _ in 0..3000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [_, operand, control, ..] = state.to_be_bytes();
        let token = Token::from_control(control);
        let near = u64::from(operand % 70);
        match token {
            Token::Reserved | Token::End => continue,
            Token::Copy { .. } if near + 2 > written => continue,
            Token::Copy { .. } => stream.extend([control, operand % 70]),
            _ => {
                stream.push(control);
                stream.resize(stream.len() + token.operand_len(), operand);
            }
        }
        written += token.output_len() as u64;
    }
    stream.push(0xFF);
    (stream, written)
}

/// A sound stream that ends at its marker, with nothing unusual.
fn plain(read: u64, written: u64) -> StreamSummary {
    StreamSummary { read, written, end: End::Marker, tail: 0, reserved: 0, first_reserved: None }
}

fn damage(kind: Kind, input: u64, output: u64) -> DecodeError {
    DecodeError { kind, input, output }
}

/// Decodes the whole stream at once, with room to spare.
fn at_once(stream: &[u8], size: Option<u64>, reserved: Reserved) -> (Vec<u8>, Outcome) {
    let mut decoder = Decoder::new(size, reserved);
    let mut output = vec![0xA5; 4096];
    let progress = decoder.decode(stream, &mut output);
    output.truncate(progress.produced);
    assert_eq!(decoder.read(), progress.consumed as u64);
    assert_eq!(decoder.written(), progress.produced as u64);
    let rest = (stream.len() - progress.consumed) as u64;
    let end = progress.status.and_then(|_| decoder.finish(rest));
    (output, end)
}

type Outcome = Result<StreamSummary, DecodeError>;

/// Decodes with one byte of input and one byte of output space per call.
fn in_crumbs(stream: &[u8], size: Option<u64>, reserved: Reserved) -> (Vec<u8>, Outcome) {
    let mut decoder = Decoder::new(size, reserved);
    let (mut output, mut taken) = (Vec::new(), 0);
    loop {
        let mut byte = [0xA5];
        let next = stream.get(taken..=taken).unwrap_or_default();
        let progress = decoder.decode(next, &mut byte);
        taken += progress.consumed;
        output.extend_from_slice(&byte[..progress.produced]);
        let over = match progress.status {
            Err(error) => {
                // The error is returned again.
                assert_eq!(decoder.decode(next, &mut byte).status, Err(error));
                assert_eq!(decoder.finish(0), Err(error));
                true
            }
            Ok(Status::Done | Status::Reserved) => true,
            Ok(Status::NeedInput) => taken == stream.len(),
            Ok(Status::NeedOutput) => false,
        };
        if over {
            let rest = (stream.len() - taken) as u64;
            return (output, progress.status.and_then(|_| decoder.finish(rest)));
        }
    }
}

fn walk_in_crumbs(stream: &[u8], size: Option<u64>, reserved: Reserved) -> Outcome {
    let mut walker = Walker::new(size, reserved);
    let mut taken = 0;
    while let Some(next) = stream.get(taken..=taken) {
        let (n, status) = walker.feed(next);
        taken += n;
        match status {
            Ok(Status::Done | Status::Reserved) => break,
            Ok(_) => assert_eq!(n, 1),
            Err(error) => {
                assert_eq!(walker.feed(next), (0, Err(error)));
                return Err(error);
            }
        }
    }
    let rest = (stream.len() - taken) as u64;
    walker.finish(rest).map(|walk| walk.summary)
}

fn check(rows: &[Row<'_>]) {
    for &(stream, size, reserved, output, end) in rows {
        let what = (stream, size, reserved);
        for (found, found_end) in
            [at_once(stream, size, reserved), in_crumbs(stream, size, reserved)]
        {
            assert_eq!(found_end, end, "{what:?}");
            assert_eq!(found, output, "{what:?}");
        }
        let walked = Walk::of(stream, size, reserved).map(|walk| walk.summary);
        assert_eq!(walked, end, "{what:?}");
        assert_eq!(walk_in_crumbs(stream, size, reserved), end, "{what:?}");
        if let Some(size) = size {
            let mut block = vec![0xA5; usize::try_from(size).unwrap()];
            assert_eq!(decode_into(stream, &mut block, reserved), end, "{what:?}");
            assert!(block.starts_with(output), "{what:?}");
        }
    }
}

#[test]
fn every_class_writes_what_the_table_says() {
    // As many bytes as a copy can reach back over, each different from its neighbours, and five bytes
    // copied from the far end.
    let text: Vec<u8> = (0..=255).chain([7]).collect();
    let mut far = Vec::new();
    for piece in text.chunks(64) {
        far.push(u8::try_from(piece.len() - 1).unwrap());
        far.extend_from_slice(piece);
    }
    far.extend([0xC3, 0xFF, 0xFF]);
    let far_text = [&text[..], &[0, 1, 2, 3, 4]].concat();
    let repeated = b"ab".repeat(33);
    check(&[
        (b"\xFF", None, Skip, b"", Ok(plain(1, 0))),
        (b"\xFF", Some(0), Skip, b"", Ok(plain(1, 0))),
        (b"\x03abcd\xFF", Some(4), Skip, b"abcd", Ok(plain(6, 4))),
        (b"\x40\xFF", Some(2), Skip, b"\0\0", Ok(plain(2, 2))),
        (b"\x82x\xFF", Some(4), Skip, b"xxxx", Ok(plain(3, 4))),
        (b"\x03abcd\xC1\x02\xFF", Some(7), Skip, b"abcdabc", Ok(plain(8, 7))),
        // A copy at the very start, as long as its distance, and one that is longer.
        (b"\x01ab\xC0\x00\xFF", Some(4), Skip, b"abab", Ok(plain(6, 4))),
        (b"\x01ab\xC3\x00\xFF", None, Skip, b"abababa", Ok(plain(6, 7))),
        (&far, Some(262), Skip, &far_text, Ok(plain(far.len() as u64, 262))),
        (
            b"\x01ab\xFE\x00\xFF",
            Some(66),
            Copy,
            &repeated,
            Ok(StreamSummary { reserved: 1, first_reserved: Some(3), ..plain(6, 66) }),
        ),
    ]);
}

#[test]
fn decoder_and_walk_follow_the_reserved_policy() {
    // Skipped, it leaves a literal of the byte 0xFF; as a copy, "ab" 32 times more and the end.
    let stream = b"\x01ab\xFE\x00\xFF";
    for (reading, written, end) in [(Skip, 3, End::Missing), (Copy, 66, End::Marker)] {
        let mut decoder = Decoder::new(None, Stop);
        let mut walker = Walker::new(None, Stop);
        let mut output = [0xA5; 100];
        let progress = decoder.decode(stream, &mut output);
        assert_eq!(
            (progress.consumed, progress.produced, progress.status),
            (3, 2, Ok(Status::Reserved))
        );
        assert_eq!(walker.feed(stream), (3, Ok(Status::Reserved)));
        decoder.pin(reading);
        walker.pin(reading);
        // The byte has not been consumed yet.
        assert_eq!(decoder.finish(3).unwrap().end, End::Reserved);
        let progress = decoder.decode(&stream[3..], &mut output[2..]);
        let (taken, _) = walker.feed(&stream[3..]);
        assert_eq!((progress.consumed, taken), (3, 3));
        assert_eq!(progress.produced + 2, written);
        let summary = decoder.finish(0).unwrap();
        assert_eq!(walker.finish(0).unwrap().summary, summary);
        assert_eq!((summary.end, summary.reserved, summary.first_reserved), (end, 1, Some(3)));
    }
}

#[test]
fn a_walk_is_clean_where_all_readers_agree() {
    for (stream, clean, overlapping) in [
        (&b"\x01ab\xC0\x00\xFF"[..], true, 0),
        (b"\x01ab\xC1\x00\xC1\x00\xFF", false, 2),
        (b"\x01ab\xFE\xFF", false, 0),
        (b"\x01ab", false, 0),
        (b"\x01ab\xFF\x00", false, 0),
    ] {
        let found = Walk::of(stream, None, Skip).unwrap();
        assert_eq!(found.is_clean(), clean, "{stream:?}");
        assert_eq!(found.overlapping, overlapping, "{stream:?}");
    }
    // A stop at a reserved byte is not the end of the stream.
    assert!(!Walk::of(b"\x01ab\xFE\xFF", None, Stop).unwrap().is_clean());
}

#[test]
fn a_whole_stream_cannot_stop_at_a_reserved_byte() {
    let stream = b"\x01ab\xFE\x7F\xFF";
    let error = decode(stream, 200, Stop).unwrap_err();
    assert_eq!(error, decode(stream, 200, Reserved::Error).unwrap_err());
}

#[test]
fn oddities_come_in_the_order_of_the_game() {
    let said = |stream: &[u8]| {
        let warnings = Walk::of(stream, None, Skip).unwrap().summary.warnings();
        warnings.map(|warning| (warning.at(), alloc::format!("{warning}"))).collect::<Vec<_>>()
    };
    assert_eq!(said(b"\x00a\xFF"), []);
    assert_eq!(
        said(b"\x00a\xFE\xFFz"),
        [
            (2, "control byte 0xFE at stream byte 2".into()),
            (4, "1 byte after the end marker is ignored, from stream byte 4 on".into()),
        ]
    );
    assert_eq!(
        said(b"\xFE\x00a\xFE"),
        [
            (0, "control byte 0xFE 2 times, first at stream byte 0".into()),
            (4, "no end marker: the stream ends at stream byte 4".into()),
        ]
    );
}

#[test]
fn errors_name_the_token_and_the_numbers() {
    for (kind, words) in [
        (
            Kind::TooLong { token: 65, room: 1, size: 9 },
            "token at stream byte 7 writes 65 bytes, but only 1 of 9 is left to write",
        ),
        (
            Kind::TooShort { size: 9 },
            "end marker at stream byte 7 after 8 bytes of output, expected 9",
        ),
        (Kind::CutOff { size: 9 }, "stream ends at byte 7 after 8 bytes of output, expected 9"),
        (
            Kind::CutToken { needed: 1, found: 0 },
            "stream ends within the token at stream byte 7: expected 1 byte after its first byte, \
             found 0",
        ),
        (
            Kind::BeforeStart { distance: 9 },
            "copy at stream byte 7 reaches 9 bytes back, but only 8 have been written",
        ),
        (Kind::Reserved, "control byte 0xFE at stream byte 7, output byte 8"),
        (
            Kind::Undrained { left: 2 },
            "token at stream byte 7 has 2 bytes still to write, give room for them before the \
             end is judged",
        ),
    ] {
        let error = damage(kind, 7, 8);
        assert_eq!(alloc::format!("{error}"), words);
        assert_eq!((error.kind(), error.input(), error.output()), (kind, 7, 8));
    }
}

#[test]
fn a_stream_that_is_sound_under_no_reading_tells_both() {
    // Skipped, the stream is too short; as a copy, there is no room for it.
    let found = Reserved::judge(b"\x00a\xFE\x00b\xFF", 9).unwrap_err();
    assert_eq!(
        alloc::format!("{found}"),
        "with the control byte 0xFE skipped as the game does: end marker at stream byte 5 after 2 \
         bytes of output, expected 9; with it as a 64-byte copy: token at stream byte 2 writes 64 \
         bytes, but only 8 of 9 are left to write"
    );
    // Without that byte there is only one error to report.
    let found = Reserved::judge(b"\x00a\xFF", 9).unwrap_err();
    assert_eq!(
        alloc::format!("{found}"),
        "end marker at stream byte 2 after 1 byte of output, expected 9"
    );
    assert_eq!(Reserved::judge(b"\x00a\xFE\x00b\xFF", 2), Ok(Skip));
}
