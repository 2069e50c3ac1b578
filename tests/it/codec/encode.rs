//! The encoder: what it writes decodes to what it was given, and is as small as can be.
//!
//! Its exact bytes are nobody's business and are nowhere here.

use daisho::codec::{BlockEncoder, Encoder, Profile, Token, encode};
use proptest::prelude::*;

use super::{greedy, oracle};
use crate::long;

const PROFILES: [Profile; 2] = [Profile::Compatible, Profile::Overlapping];

/// How many bytes at `at` equal those `distance` before, as far as a copy in `profile` goes.
fn copyable(data: &[u8], at: usize, distance: usize, profile: Profile) -> usize {
    let most = match profile {
        Profile::Compatible => distance.min(63),
        Profile::Overlapping => 63,
    };
    (at..data.len().min(at + most)).take_while(|k| data[*k] == data[k - distance]).count()
}

/// The size of the smallest stream there is: every token of every class, length and distance, at
/// every position, and the shortest way through.
fn smallest(data: &[u8], profile: Profile) -> usize {
    let mut sizes = vec![usize::MAX; data.len() + 1];
    sizes[0] = 0;
    for at in 0..data.len() {
        let so_far = sizes[at];
        let mut reach = |len: usize, bytes: usize| {
            sizes[at + len] = sizes[at + len].min(so_far + bytes);
        };
        let left = data.len() - at;
        for len in 1..=left.min(64) {
            reach(len, 1 + len);
        }
        for len in 2..=left.min(65) {
            if data[at..at + len].iter().all(|byte| *byte == 0) {
                reach(len, 1);
            }
            if data[at..at + len].iter().all(|byte| *byte == data[at]) {
                reach(len, 2);
            }
        }
        for distance in 2..=at.min(257) {
            for len in 2..=copyable(data, at, distance, profile) {
                reach(len, 2);
            }
        }
    }
    sizes[data.len()] + 1
}

/// Encodes as we do and greedily, checks all that holds for any input, and returns our stream's size.
fn check(data: &[u8], profile: Profile) -> usize {
    let optimal = Encoder::new(profile).encode(data);
    let greedy = greedy::encode(data);
    for stream in [&optimal, &greedy] {
        assert_eq!(
            oracle::decode(stream, data.len()).as_deref(),
            Some(data),
            "{profile:?}: {stream:02x?}"
        );
        assert!(is_clean(stream, profile), "{profile:?}: {stream:02x?}");
    }
    assert!(optimal.len() <= greedy.len(), "{profile:?}: {data:?}");
    assert!(greedy.len() <= Encoder::bound(data.len()), "{profile:?}: {data:?}");
    optimal.len()
}

/// No reserved byte, nothing behind the end marker, and no copy that the profile does not have.
fn is_clean(stream: &[u8], profile: Profile) -> bool {
    let mut at = 0;
    loop {
        let token = Token::from_control(stream[at]);
        let operand = at + 1;
        at = operand + token.operand_len();
        match token {
            Token::Copy { len }
                if profile == Profile::Compatible
                    && usize::from(len) > Token::distance(stream[operand]) =>
            {
                return false;
            }
            Token::Reserved => return false,
            Token::End => return at == stream.len(),
            _ => {}
        }
    }
}

/// Every input of up to `most` bytes over the first `letters` bytes from 0 on.
fn each_input(letters: u8, most: u32, mut see: impl FnMut(&[u8])) {
    for len in 0..=most {
        for number in 0..u32::from(letters).pow(len) {
            let mut rest = number;
            let data: Vec<u8> = (0..len)
                .map(|_| {
                    let letter = rest % u32::from(letters);
                    rest /= u32::from(letters);
                    u8::try_from(letter).unwrap()
                })
                .collect();
            see(&data);
        }
    }
}

#[test]
fn every_short_input_becomes_the_smallest_stream() {
    let mosts = if long::whole() { [14, 10, 8] } else { [10, 6, 5] };
    for (letters, most) in (2..).zip(mosts) {
        each_input(letters, most, |data| {
            for profile in PROFILES {
                let size = check(data, profile);
                assert_eq!(size, smallest(data, profile), "{profile:?}: {data:?}");
            }
        });
    }
}

#[test]
fn every_length_near_a_limit_has_the_smallest_stream() {
    // Runs, zeros, noise and copies that are just as long as a token can be, and a little more
    // and less; with the copy's source just inside and just outside of the window.
    let noise = |n: usize| (0..n).map(|k| u8::try_from(k * 89 % 251 + 3).unwrap());
    let lens = [1, 2, 3, 61, 62, 63, 64, 65, 66, 67, 126, 128, 129, 130, 131];
    for (number, len) in lens.into_iter().enumerate() {
        let gaps = [0, 1, 2, 61, 62, 63, 64, 254, 255, 256, 257, 258];
        // By default another third of the gaps for each length.
        for gap in gaps.into_iter().skip(number % long::step(3)).step_by(long::step(3)) {
            let phrase: Vec<u8> = noise(len).collect();
            let apart: Vec<u8> = noise(gap).map(|byte| !byte).collect();
            let mut copied = phrase.clone();
            copied.extend(&apart);
            copied.extend(&phrase);
            let mut runs = vec![7; len];
            runs.extend(&apart);
            runs.resize(runs.len() + len, 0);
            runs.extend(&apart);
            runs.resize(runs.len() + len, 7);
            for data in [copied, runs] {
                for profile in PROFILES {
                    let size = check(&data, profile);
                    assert_eq!(size, smallest(&data, profile), "{profile:?} {len} {gap}");
                }
            }
        }
    }
}

#[test]
fn empty_and_random_bytes_stay_within_the_bound() {
    assert_eq!(encode(&[], Profile::Compatible), [0xFF]);
    assert_eq!(Encoder::bound(0), 1);
    assert_eq!(Encoder::bound(64), 66);
    assert_eq!(Encoder::bound(65), 68);
    assert_eq!(Encoder::bound(usize::MAX), usize::MAX);
    // All bytes differ, so one literal after the other is all there is: the bound is reached.
    let data: Vec<u8> = (0..=255).collect();
    for len in [1, 63, 64, 65, 127, 128, 129, 256] {
        assert_eq!(encode(&data[..len], Profile::Overlapping).len(), Encoder::bound(len));
    }
}

#[test]
fn only_the_overlapping_profile_has_long_copies() {
    let data = b"abcabcabcabcabcabcabcabcabc";
    assert_eq!(check(data, Profile::Overlapping), 1 + 3 + 2 + 1);
    assert!(check(data, Profile::Compatible) > 1 + 3 + 2 + 1);
}

#[test]
fn an_encoder_used_before_gives_the_same_bytes() {
    let mut used = Encoder::new(Profile::Compatible);
    for data in [&b"some text, some more text"[..], &[9; 3000], b"", b"some text, some text"] {
        let mut out = b"before".to_vec();
        used.encode_into(data, &mut out);
        let fresh = encode(data, Profile::Compatible);
        assert_eq!(out.strip_prefix(b"before"), Some(fresh.as_slice()));
    }
}

#[test]
fn only_257_bytes_of_the_history_count() {
    // The block repeats what is at the far end of the history's last 257 bytes.
    let history: Vec<u8> = (0..400_u32).map(|k| u8::try_from(k * k % 251).unwrap()).collect();
    let block = &history[143..163];
    let coded = |history: &[u8]| {
        let mut out = Vec::new();
        Encoder::new(Profile::Compatible).encode_block(history, block, &mut out);
        out
    };
    assert_eq!(coded(&history).len(), 2, "one copy from 257 bytes back");
    assert_eq!(coded(&history), coded(&history[143..]));
    assert!(coded(&history[144..]).len() > 2);
}

#[test]
fn a_block_copies_from_257_bytes_before_it() {
    let noise: Vec<u8> = (0..257_u32).map(|k| u8::try_from(k * k % 251).unwrap()).collect();
    let mut data = vec![0; BlockEncoder::BLOCK - noise.len()];
    data.extend(&noise);
    data.extend(&noise[..20]);
    let mut blocks = BlockEncoder::new(Encoder::new(Profile::Compatible));
    let mut stream = Vec::new();
    blocks.push(&data, &mut stream);
    blocks.finish(&mut stream);
    assert_eq!(oracle::decode(&stream, data.len()), Some(data));
    // One copy, and the end.
    assert_eq!(stream[stream.len() - 3..], [190 + 20, 255, 0xFF]);
}

/// Inputs as they occur: phrases, runs and zeros, repeated from near and far, now and then with
/// one byte changed.
fn structured(most: usize) -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        2 => prop::collection::vec(any::<u8>(), 1..20).prop_map(Piece::Phrase),
        1 => prop::collection::vec(0..3_u8, 1..40).prop_map(Piece::Phrase),
        1 => (1..200_usize, any::<u8>()).prop_map(|(len, byte)| Piece::Run(len, byte)),
        1 => (1..200_usize).prop_map(|len| Piece::Run(len, 0)),
        4 => (1..300_usize, 1..130_usize, any::<bool>())
            .prop_map(|(back, len, noisy)| Piece::Again(back, len, noisy)),
    ];
    prop::collection::vec(piece, 0..30).prop_map(move |pieces| {
        let mut data: Vec<u8> = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Phrase(bytes) => data.extend(bytes),
                Piece::Run(len, byte) => data.resize(data.len() + len, byte),
                Piece::Again(back, len, noisy) => {
                    for _ in 0..len {
                        let from = data.len().saturating_sub(back);
                        data.push(data.get(from).copied().unwrap_or(1));
                    }
                    if let (true, Some(last)) = (noisy, data.last_mut()) {
                        *last ^= 1;
                    }
                }
            }
        }
        data.truncate(most);
        data
    })
}

#[derive(Debug, Clone)]
enum Piece {
    Phrase(Vec<u8>),
    Run(usize, u8),
    Again(usize, usize, bool),
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long::cases(16, 256)))]

    #[test]
    fn structured_inputs_become_the_smallest_stream(data in structured(700)) {
        for profile in PROFILES {
            prop_assert_eq!(check(&data, profile), smallest(&data, profile));
        }
    }
}
