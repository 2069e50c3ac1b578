//! What each fuzz target asserts of its input, whatever that is.
//!
//! The targets in `tests/fuzz` call these functions with what the fuzzer makes up; the tests
//! beside this file call them on the stable toolchain with the corpus, with every input that was
//! ever found, and with random bytes.

use std::iter::repeat;

use daisho::codec::{
    self, BlockEncoder, DecodeError, Decoder, Encoder, End, Profile, Reserved, Status,
    StreamSummary, Walk, Walker, decode_into,
};

use super::dice::Dice;
use super::{greedy, oracle, reader};

pub(crate) const READINGS: [Reserved; 4] =
    [Reserved::Skip, Reserved::Copy, Reserved::Error, Reserved::Stop];

/// Every door says what the oracle says, for every reading, with right, wrong and absent sizes.
pub(crate) fn decode_oracle(data: &[u8]) {
    let mut dice = Dice::of(data);
    for reading in READINGS {
        let right = right_size(data, reading);
        assert!(Decoder::could_hold(data.len() as u64, right));
        for size in [None, Some(right), Some(wrong_size(right, &mut dice))] {
            agrees_with_the_oracle(data, size, reading);
        }
    }
}

/// Pieces do not matter on either side, of a decoder, a walker or a reader; nor does stopping
/// before the reserved byte to ask.
pub(crate) fn decode_chunks(data: &[u8]) {
    let mut dice = Dice::of(data);
    for reading in READINGS {
        let right = right_size(data, reading);
        let size = match dice.below(4) {
            0 => None,
            1 | 2 => Some(right),
            _ => Some(wrong_size(right, &mut dice)),
        };
        let whole = stream(data, size, reading, &mut all_at_once(right));
        let cuts = [(1, 1), (1, 4096), (4096, 1), (4096, 63), (64, 4096)];
        let cuts = cuts[dice.below(cuts.len())];
        let cut = stream(data, size, reading, &mut repeat(cuts));
        assert_eq!(cut, whole, "pieces of {cuts:?}, {reading:?}, {size:?}");
        let seed = dice.clone();
        let cut = stream(data, size, reading, &mut dice.clone().pieces());
        assert_eq!(cut, whole, "pieces by {seed:?}, {reading:?}, {size:?}");
        walk_in_pieces(data, size, reading, &mut dice);
        reader::agrees(data, size, reading, &whole, &mut dice);
        if reading == Reserved::Stop {
            stop_and_go_on(data, size, &mut dice);
        }
    }
}

/// What is encoded decodes to what it was, whole and in blocks, and keeps the encoder's promises.
pub(crate) fn roundtrip(data: &[u8]) {
    let mut dice = Dice::of(data);
    for profile in [Profile::Compatible, Profile::Overlapping] {
        let stream = codec::encode(data, profile);
        assert_eq!(oracle::decode(&stream, data.len()).as_deref(), Some(data));
        let walk = codec::Walk::of(&stream, Some(data.len() as u64), Reserved::Error).unwrap();
        assert!(walk.is_clean() || profile == Profile::Overlapping);
        let mut output = vec![0x5A; data.len()];
        decode_into(&stream, &mut output, Reserved::Error).unwrap();
        assert_eq!(output, data);

        let greedy = greedy::encode(data);
        assert_eq!(oracle::decode(&greedy, data.len()).as_deref(), Some(data));
        assert!(stream.len() <= greedy.len());
        assert!(greedy.len() <= codec::Encoder::bound(data.len()));

        // One cut anywhere costs at most three bytes, and gains none.
        let (block, rest) = data.split_at(dice.below(data.len() + 1));
        let mut cut = Vec::new();
        let mut encoder = Encoder::new(profile);
        encoder.encode_block(&[], block, &mut cut);
        encoder.encode_block(block, rest, &mut cut);
        cut.push(0xFF);
        assert_eq!(oracle::decode(&cut, data.len()).as_deref(), Some(data));
        assert!((stream.len()..=stream.len() + 3).contains(&cut.len()));

        let mut pieces = Vec::new();
        let mut encoder = BlockEncoder::new(encoder);
        let mut left = data;
        while !left.is_empty() {
            let (piece, more) = left.split_at(dice.piece().min(left.len()));
            encoder.push(piece, &mut pieces);
            left = more;
        }
        encoder.finish(&mut pieces);
        assert!(pieces == stream, "pieces that fill no block are one block");
    }
}

/// What the stream writes if no size is declared.
fn right_size(data: &[u8], reading: Reserved) -> u64 {
    oracle::verdict(data, None, reading).output.len() as u64
}

/// Close to `right`, or anywhere below it, or far beyond.
fn wrong_size(right: u64, dice: &mut Dice) -> u64 {
    match dice.below(5) {
        0 => right + 1,
        1 => right.saturating_sub(1),
        2 => right + dice.below(200) as u64,
        3 => dice.below(usize::try_from(right).unwrap() + 1) as u64,
        _ => u64::MAX,
    }
}

/// One piece on either side that is larger than all that can come, so that the fast loop goes on
/// to the end.
fn all_at_once(written: u64) -> impl Iterator<Item = (usize, usize)> {
    repeat((usize::MAX, usize::try_from(written).unwrap() + 300))
}

/// Asserts that block, stream and walk agree with the oracle.
pub(crate) fn agrees_with_the_oracle(data: &[u8], size: Option<u64>, reading: Reserved) {
    let reported = oracle::verdict(data, size, reading);
    let sound = &reported.output;

    let walked = codec::Walk::of(data, size, reading);
    let expected =
        reported.result.map(|summary| Walk { summary, overlapping: reported.overlapping });
    assert_eq!(walked.map_err(oracle::damage), expected, "walk, {reading:?}, {size:?}");
    let clean = reported.result.is_ok_and(|summary| {
        let marked = summary.end == End::Marker && summary.tail == 0;
        marked && summary.reserved == 0 && reported.overlapping == 0
    });
    assert_eq!(walked.is_ok_and(|walk| walk.is_clean()), clean);

    let (output, result) = stream(data, size, reading, &mut all_at_once(sound.len() as u64));
    let result = result.map_err(oracle::damage);
    assert_eq!(result, reported.result, "stream, {reading:?}, {size:?}");
    assert!(output.starts_with(sound), "stream, {reading:?}, {size:?}");

    // A block's size is that of its buffer, so only sizes that somebody could mean.
    let Some(size) = size.and_then(|size| usize::try_from(size).ok()) else {
        return;
    };
    if size > sound.len() + 1000 {
        return;
    }
    for fill in [0x00, 0xFF] {
        let mut output = vec![fill; size];
        let result = decode_into(data, &mut output, reading).map_err(oracle::damage);
        assert_eq!(result, reported.result, "block, {reading:?}, {size}");
        assert!(output.starts_with(sound), "block, {reading:?}, {size}");
    }
}

/// The bytes of a stream that were decoded, and the summary or the error.
pub(crate) type Outcome = (Vec<u8>, Result<StreamSummary, DecodeError>);

/// Decodes `data` with room and input in pieces of the lengths that `cuts` gives (input, output).
pub(crate) fn stream(
    data: &[u8],
    size: Option<u64>,
    reading: Reserved,
    cuts: &mut dyn Iterator<Item = (usize, usize)>,
) -> Outcome {
    let mut decoder = Decoder::new(size, reading);
    let mut output = Vec::new();
    let result = go_on(&mut decoder, data, &mut output, cuts);
    let result = result.and_then(|_| decoder.finish(data.len() as u64 - decoder.read()));
    (output, result)
}

/// Goes on with the rest of `data` until there is no more, or the decoder says why not.
fn go_on(
    decoder: &mut Decoder,
    data: &[u8],
    output: &mut Vec<u8>,
    cuts: &mut dyn Iterator<Item = (usize, usize)>,
) -> Result<Status, DecodeError> {
    let mut buffer = Vec::new();
    loop {
        let (give, room) = cuts.next().unwrap();
        let rest = &data[usize::try_from(decoder.read()).unwrap()..];
        let input = &rest[..give.min(rest.len())];
        buffer.resize(room.max(buffer.len()), 0xA5);
        let progress = decoder.decode(input, &mut buffer[..room]);
        output.extend_from_slice(&buffer[..progress.produced]);
        assert_eq!(decoder.written(), output.len() as u64);
        match progress.status {
            Ok(Status::NeedInput) => {
                assert_eq!(progress.consumed, input.len(), "asks for input before it took all");
                if input.len() == rest.len() {
                    return progress.status;
                }
            }
            Ok(Status::NeedOutput) => {
                assert_eq!(progress.produced, room, "asks for room before it used all");
            }
            // All three stay as they are, and take nothing.
            Ok(Status::Done | Status::Reserved) | Err(_) => {
                let again = decoder.decode(&rest[progress.consumed..], &mut [0; 99]);
                assert_eq!(again.status, progress.status);
                assert_eq!((again.consumed, again.produced), (0, 0));
                if let Err(error) = progress.status {
                    let nothing_more = decoder.decode(&[], &mut []);
                    assert_eq!(nothing_more.status, Err(error));
                    assert_eq!(decoder.finish(0), Err(error));
                }
                return progress.status;
            }
        }
    }
}

/// A walk in pieces says what it says of the whole.
fn walk_in_pieces(data: &[u8], size: Option<u64>, reading: Reserved, dice: &mut Dice) {
    let mut walker = Walker::new(size, reading);
    let walked = feed(&mut walker, data, dice);
    assert_eq!(walked, codec::Walk::of(data, size, reading), "{reading:?}, {size:?}");
}

fn feed(walker: &mut Walker, data: &[u8], dice: &mut Dice) -> Result<Walk, DecodeError> {
    let mut rest = data;
    loop {
        let (piece, _) = rest.split_at(dice.piece().min(rest.len()));
        let (taken, status) = walker.feed(piece);
        rest = &rest[taken..];
        if let Err(error) = status {
            assert_eq!(walker.feed(&[]), (0, Err(error)));
            assert_eq!(walker.finish(0), Err(error));
        }
        if status? != Status::NeedInput || rest.is_empty() {
            return walker.finish(rest.len() as u64);
        }
        assert_eq!(taken, piece.len(), "asks for input before it took all");
    }
}

/// The way of a caller who pins no reading: stop before the first reserved byte, walk the rest
/// under either reading from there, pin the sound one, go on. What was delivered before stays,
/// and all of it is what that reading gives from the start.
fn stop_and_go_on(data: &[u8], size: Option<u64>, dice: &mut Dice) {
    let mut decoder = Decoder::new(size, Reserved::Stop);
    let mut output = Vec::new();
    let status = go_on(&mut decoder, data, &mut output, &mut dice.clone().pieces());
    if status != Ok(Status::Reserved) {
        return;
    }
    let at = usize::try_from(decoder.read()).unwrap();
    assert_eq!(data[at], 0xFE);
    for reading in [Reserved::Skip, Reserved::Copy, Reserved::Error] {
        let rest = feed(&mut decoder.walker(reading), &data[at..], dice);
        let whole = codec::Walk::of(data, size, reading);
        assert_eq!(rest.map(|walk| walk.summary), whole.map(|walk| walk.summary));

        let (mut decoder, mut output) = (decoder.clone(), output.clone());
        decoder.pin(reading);
        let result = go_on(&mut decoder, data, &mut output, &mut dice.clone().pieces());
        let result = result.and_then(|_| decoder.finish(data.len() as u64 - decoder.read()));
        let all = stream(data, size, reading, &mut all_at_once(right_size(data, reading)));
        assert_eq!((output, result), all, "pinned to {reading:?}");
        assert_eq!(rest.is_ok(), result.is_ok());
    }
    if let Some(size) = size {
        let sound = |reading| codec::Walk::of(data, Some(size), reading).ok().map(|_| reading);
        let judged = sound(Reserved::Skip).or_else(|| sound(Reserved::Copy));
        assert_eq!(codec::Reserved::judge(data, size).ok(), judged);
    }
}
