//! Properties of decoding, of streams that proptest makes up: sound ones, and sound ones that
//! were damaged. What is asserted is what the fuzz targets assert.

use daisho::codec::{self, Decoder, Reserved, Status, decode_into};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::{fuzz_bodies, oracle};
use crate::long;

/// Nothing is kept of a failure: to search on is the fuzzer's job.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_time: 5000,
        ..ProptestConfig::default()
    }
}

/// The bytes of one token, of lengths and distances as they come in practice: mostly small.
fn token() -> impl Strategy<Value = Vec<u8>> {
    let operand = prop_oneof![2 => 0..16_u8, 1 => any::<u8>()];
    let literal = prop_oneof![4 => 1..8_usize, 1 => 1..=64_usize];
    let small = |base: u8, most: u8| prop_oneof![3 => base..base + 12, 1 => base..=most];
    prop_oneof![
        6 => literal.prop_flat_map(|len| vec(any::<u8>(), len)).prop_map(|bytes| {
            [vec![u8::try_from(bytes.len() - 1).unwrap()], bytes].concat()
        }),
        1 => small(0x40, 0x7F).prop_map(|control| vec![control]),
        1 => (small(0x80, 0xBF), any::<u8>()).prop_map(|(control, byte)| vec![control, byte]),
        6 => (small(0xC0, 0xFD), operand.clone()).prop_map(|(control, d)| vec![control, d]),
        1 => operand.prop_map(|d| vec![0xFE, d]),
    ]
}

/// Streams that are sound with `0xFE` as a copy, most of them with an end, some with a tail.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let end = prop_oneof![
        4 => Just(vec![0xFF]),
        1 => Just(Vec::new()),
        1 => vec(any::<u8>(), 1..4).prop_map(|tail| [vec![0xFF], tail].concat()),
    ];
    (vec(token(), 0..60), end).prop_map(|(tokens, end)| {
        let (mut stream, mut written) = (Vec::new(), 0);
        for mut token in tokens {
            if let [0xC0..=0xFE, operand] = token.as_mut_slice() {
                // No copy where nothing is to be copied from, and none from before the start.
                let Some(distances) = usize::checked_sub(written, 1).filter(|n| *n > 0) else {
                    continue;
                };
                *operand = u8::try_from(usize::from(*operand) % distances).unwrap();
            }
            written += match token[0] {
                control @ 0xC0.. => usize::from(control) - 190,
                _ => oracle::decode_all(&token).len(),
            };
            stream.extend(token);
        }
        [stream, end].concat()
    })
}

#[derive(Debug, Clone)]
enum Mutation {
    Flip(Index, u8),
    Delete(Index, usize),
    Insert(Index, Vec<u8>),
    Truncate(Index),
    /// What is at one place goes to another, too.
    Splice(Index, Index, usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    use Mutation::{Delete, Flip, Insert, Splice, Truncate};
    prop_oneof![
        4 => (any::<Index>(), 0..8_u8).prop_map(|(at, bit)| Flip(at, 1 << bit)),
        2 => (any::<Index>(), 1..5_usize).prop_map(|(at, n)| Delete(at, n)),
        2 => (any::<Index>(), vec(any::<u8>(), 1..5)).prop_map(|(at, bytes)| Insert(at, bytes)),
        1 => any::<Index>().prop_map(Truncate),
        1 => (any::<Index>(), any::<Index>(), 1..80_usize)
            .prop_map(|(from, to, n)| Splice(from, to, n)),
    ]
}

fn mutated() -> impl Strategy<Value = Vec<u8>> {
    (stream(), vec(mutation(), 1..5)).prop_map(|(mut bytes, mutations)| {
        for mutation in mutations {
            mutate(&mut bytes, mutation);
        }
        bytes
    })
}

fn mutate(bytes: &mut Vec<u8>, mutation: Mutation) {
    let len = bytes.len();
    let place = |at: Index| at.index(len + 1);
    match mutation {
        Mutation::Flip(at, bits) => {
            if let Some(byte) = bytes.get_mut(place(at)) {
                *byte ^= bits;
            }
        }
        Mutation::Delete(at, n) => {
            bytes.drain(place(at)..len.min(place(at) + n));
        }
        Mutation::Insert(at, more) => {
            bytes.splice(place(at)..place(at), more);
        }
        Mutation::Truncate(at) => bytes.truncate(place(at)),
        Mutation::Splice(from, to, n) => {
            let piece = bytes[place(from)..len.min(place(from) + n)].to_vec();
            bytes.splice(place(to)..place(to), piece);
        }
    }
}

proptest! {
    #![proptest_config(config(long::cases(500, 4000)))]

    #[test]
    fn every_door_agrees_with_the_oracle_on_streams(data in stream()) {
        prop_assert!(oracle::verdict(&data, None, Reserved::Copy).result.is_ok());
        fuzz_bodies::decode_oracle(&data);
    }

    #[test]
    fn every_decoder_agrees_with_the_oracle(data in mutated()) {
        fuzz_bodies::decode_oracle(&data);
    }

    #[test]
    fn every_door_agrees_with_the_oracle_on_noise(data in vec(any::<u8>(), 0..300)) {
        fuzz_bodies::decode_oracle(&data);
    }

    #[test]
    fn no_stream_writes_more_than_it_could_hold(data in mutated()) {
        for reading in [Reserved::Skip, Reserved::Copy] {
            let written = oracle::verdict(&data, None, reading).output.len();
            prop_assert!(Decoder::could_hold(data.len() as u64, written as u64));
        }
    }
}

proptest! {
    #![proptest_config(config(long::cases(60, 1000)))]

    #[test]
    fn what_streams_decode_to_is_encoded_and_decoded(data in stream()) {
        fuzz_bodies::roundtrip(&oracle::verdict(&data, None, Reserved::Copy).output);
    }

    #[test]
    fn pieces_do_not_matter_for_streams(data in stream()) {
        fuzz_bodies::decode_chunks(&data);
    }

    #[test]
    fn pieces_do_not_matter_for_mutated_streams(data in mutated()) {
        fuzz_bodies::decode_chunks(&data);
    }
}

/// The messages of both readings are there where neither is sound.
#[test]
fn a_stream_damaged_either_way_is_told_of_both_ways() {
    let error = Reserved::judge(b"\x40\xFE\x70\xFF", 99).unwrap_err();
    assert_eq!(
        error.to_string(),
        "with 0xfe skipped as the game does: end marker at stream byte 3 after 52 bytes of output, \
         expected 99; with 0xfe as a 64-byte copy: copy at stream byte 1 reaches 114 bytes back, \
         but only 2 have been written"
    );
    let error = Reserved::judge(b"\x40\xFF", 99).unwrap_err();
    assert_eq!(error.to_string(), error.skipped.to_string());
}

/// Nothing is set aside for what a size merely claims.
#[test]
fn the_largest_size_costs_nothing() {
    let mut decoder = Decoder::new(Some(u64::MAX), Reserved::Skip);
    let mut output = [0; 100];
    let progress = decoder.decode(b"\x7F", &mut output);
    assert_eq!(
        (progress.produced, progress.status),
        (65, Ok(Status::NeedInput))
    );
    assert!(decoder.finish(0).is_err());
    assert!(codec::Walk::of(b"\x7F\xFF", Some(u64::MAX), Reserved::Skip).is_err());
    assert!(Reserved::judge(b"\xFE\xFE\xFF", u64::MAX).is_err());
}

#[test]
fn the_end_is_unknown_while_a_token_waits_for_room() {
    let mut decoder = Decoder::new(None, Reserved::Skip);
    let progress = decoder.decode(b"\x00a\x7F\xFF", &mut [0; 5]);
    assert_eq!(
        (progress.produced, progress.status),
        (5, Ok(Status::NeedOutput))
    );
    let error = decoder.finish(0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "token at stream byte 2 has 61 bytes still to write, \
         give room for them before the end is judged"
    );
}

/// After an error, what was decoded before the token at fault is there; the rest of the buffer
/// may hold anything.
#[test]
fn what_stands_before_the_damage_is_delivered() {
    let mut output = [0xEE; 20];
    let error = decode_into(b"\x03abcd\xC0\x40\xFF", &mut output, Reserved::Skip).unwrap_err();
    assert_eq!((error.input(), error.output()), (5, 4));
    assert_eq!(&output[..4], b"abcd");
}
