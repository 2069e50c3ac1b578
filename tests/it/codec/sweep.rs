//! Every token, in every pair of classes, at every distance from either end of the buffers.
//!
//! The window is 257 bytes and tokens are short, so what a decoder can meet between two tokens
//! can be gone through. The fast loop works where 67 bytes of input and 144 of output are left,
//! and leaves the rest to the careful one: behind each pair there are 0, 1, 2 ... bytes of either,
//! so that the pair falls on each side of each margin. What the output held before is what it
//! must not hold afterwards, bit by bit, so a byte that is not written is seen.
//!
//! `cargo test --release --test it -- --ignored sweep` goes through all of it.

use daisho::codec::{Decoder, End, Reserved, Status, StreamSummary, decode_into};

use super::{oracle, tokens};

/// More than the fast loop's margins, so that all distances below are met.
const INPUT_REACH: usize = 72;
const OUTPUT_REACH: usize = 150;
/// Far from either end.
const PLENTY: usize = 300;

/// Puts `first` and `second` behind `start` and decodes them with every rest of input and of
/// output behind them in turn. Returns how many cases that were.
fn pair(start: &[u8], first: &[u8], second: &[u8], reading: Reserved) -> usize {
    let tokens = [start, first, second].concat();
    let mut content = oracle::verdict(&tokens, None, reading).output;
    let written = content.len();
    content.resize(written + PLENTY, 0);
    let junk: Vec<u8> = content.iter().map(|byte| !byte).collect();
    let mut output = junk.clone();
    let mut cases = 0;

    // The block decoder: zeros fill what is left of the output, a tail what is left of the input.
    let ends = (0..=OUTPUT_REACH).map(|room| (room, INPUT_REACH));
    let tails = (0..=INPUT_REACH).map(|tail| (PLENTY, tail));
    for (room, tail) in ends.chain(tails) {
        let mut stream = tokens.clone();
        fill(&mut stream, room);
        stream.push(0xFF);
        let read = stream.len();
        stream.resize(read + tail, 0x55);
        let output = &mut output[..written + room];
        output.copy_from_slice(&junk[..written + room]);
        let summary = decode_into(&stream, output, reading).unwrap();
        let case = || format!("{first:02x?} {second:02x?}, {room} bytes of room, {tail} of tail");
        assert!(*output == content[..written + room], "{}", case());
        let reported = (summary.read, summary.written, summary.end, summary.tail);
        let expected = (read as u64, (written + room) as u64, End::Marker, tail as u64);
        assert_eq!(reported, expected, "{}", case());
        cases += 1;
    }

    // The streaming decoder: it gets room without bytes to fill it, so no input need be left.
    let mut stream = tokens.clone();
    stream.push(0xFF);
    stream.resize(tokens.len() + INPUT_REACH, 0x55);
    for rest in 0..=INPUT_REACH {
        let stream = &stream[..tokens.len() + rest];
        output.copy_from_slice(&junk);
        let mut decoder = Decoder::new(None, reading);
        let progress = decoder.decode(stream, &mut output);
        let case = || format!("{first:02x?} {second:02x?}, {rest} bytes of input left");
        assert_eq!(progress.produced, written, "{}", case());
        assert!(output[..written] == content[..written], "{}", case());
        let (status, end) = match rest {
            0 => (Status::NeedInput, End::Missing),
            _ => (Status::Done, End::Marker),
        };
        assert_eq!(progress.status, Ok(status), "{}", case());
        let tail = (stream.len() - progress.consumed) as u64;
        let StreamSummary { read, end: reported, .. } = decoder.finish(tail).unwrap();
        assert_eq!((read + tail, reported), (stream.len() as u64, end), "{}", case());
        cases += 1;
    }
    cases
}

/// Adds tokens that write `room` zeros.
fn fill(stream: &mut Vec<u8>, room: usize) {
    // No run is of one byte.
    if room == 1 {
        stream.extend([0, 0]);
        return;
    }
    let short = if room % 65 == 1 { 2 } else { 0 };
    for _ in 0..room / 65 - short / 2 {
        stream.push(0x7F);
    }
    match (room % 65, short) {
        (_, 2) => stream.extend([0x7E, 0x40]),
        (0, _) => {}
        (left, _) => stream.push(u8::try_from(left).unwrap() + 62),
    }
}

fn pairs(firsts: &[Vec<u8>], seconds: &[Vec<u8>], reading: Reserved) -> usize {
    let mut cases = 0;
    for start in tokens::starts() {
        for first in firsts {
            for second in seconds {
                cases += pair(&start, first, second, reading);
            }
        }
    }
    cases
}

#[test]
fn extreme_token_pairs_decode_near_the_ends() {
    let tiny = tokens::tiny();
    pairs(&tiny, &tiny, Reserved::Copy);
}

#[test]
fn a_reserved_byte_is_skipped_next_to_every_token() {
    let skipped = [vec![0xFE], vec![0xFE, 0xFE]];
    let tiny = tokens::tiny();
    pairs(&skipped, &tiny, Reserved::Skip);
    pairs(&tiny, &skipped, Reserved::Skip);
}

/// The whole stream again, but with every token and in the places alone where the loops change.
#[test]
fn every_token_decodes_far_from_the_ends_and_at_them() {
    let [start, _] = tokens::starts();
    for token in tokens::all() {
        let mut stream = [start.as_slice(), &token].concat();
        let content = oracle::verdict(&stream, None, Reserved::Copy).output;
        for room in [0, 65 * 4] {
            fill(&mut stream, room);
            let mut output = vec![0x5A; content.len() + room];
            decode_into(&stream, &mut output, Reserved::Copy).unwrap();
            assert!(output.starts_with(&content), "{token:02x?}, {room} bytes of room");
            stream.extend([0xFF; INPUT_REACH]);
            decode_into(&stream, &mut output, Reserved::Copy).unwrap();
            assert!(output.starts_with(&content), "{token:02x?}, {room} bytes of room");
            stream.truncate(stream.len() - INPUT_REACH);
        }
    }
}

#[test]
#[ignore = "238 million cases: a minute of a release build"]
fn every_pair_of_tokens_decodes_near_the_ends() {
    let (all, tiny, few) = (tokens::all(), tokens::tiny(), tokens::few());
    let cases = pairs(&all, &tiny, Reserved::Copy)
        + pairs(&tiny, &all, Reserved::Copy)
        + pairs(&few, &few, Reserved::Copy);
    eprintln!("{cases} cases");
}
