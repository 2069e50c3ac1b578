//! Damage everywhere: what can be wrong with a token, for every token, near the ends and far
//! from them.
//!
//! `cargo test --release --test it -- --ignored damage` goes through all of it.

use daisho::codec::{Reserved, Walk, decode_into};

use super::fuzz_bodies::{READINGS, agrees_with_the_oracle};
use super::{oracle, tokens};

/// A copy of every length in `controls` from every distance, where `written` bytes come before
/// it: it is sound or reaches to before the start, with nothing behind it and with plenty.
fn reach_back(written: usize, controls: impl Iterator<Item = u8> + Clone) -> usize {
    let text = tokens::text(written);
    let before = oracle::decode_all(&text);
    let mut cases = 0;
    for control in controls {
        for operand in 0..=255 {
            for plenty in [0, 5] {
                let mut stream = text.clone();
                stream.extend([control, operand]);
                stream.extend(std::iter::repeat_n(0x7F, plenty));
                stream.extend(std::iter::repeat_n(0xFF, 20 * plenty + 1));
                let len = usize::from(control) - 190;
                let size = written + len + 65 * plenty;
                let mut output = vec![0xA5; size];
                let result = decode_into(&stream, &mut output, Reserved::Copy);
                let reported = oracle::verdict(&stream, Some(size as u64), Reserved::Copy);
                assert_eq!(result.map_err(oracle::damage), reported.result);
                assert_eq!(reported.result.is_ok(), usize::from(operand) + 2 <= written);
                assert!(output.starts_with(&reported.output) && output.starts_with(&before));
                let walked = Walk::of(&stream, Some(size as u64), Reserved::Copy);
                assert_eq!(walked.map(|walk| walk.summary), result);
                cases += 1;
            }
        }
    }
    cases
}

/// Two tokens behind `start`, cut at every byte, and declared to be of every size from before the
/// first of them to behind the second.
fn cuts_and_sizes(start: &[u8], first: &[u8], second: &[u8], reading: Reserved) -> usize {
    let stream = [start, first, second, &[0x7F, 0x7F, 0x7F, 0xFF]].concat();
    let before = oracle::verdict(start, None, reading).output.len();
    let written = oracle::verdict(&stream, None, reading).output.len();
    for cut in start.len()..stream.len() {
        agrees_with_the_oracle(&stream[..cut], None, reading);
        agrees_with_the_oracle(&stream[..cut], Some(written as u64), reading);
    }
    let sizes = before.saturating_sub(1)..written + 2;
    for size in sizes.clone() {
        agrees_with_the_oracle(&stream, Some(size as u64), reading);
    }
    2 * (stream.len() - start.len()) + sizes.len()
}

#[test]
fn copies_reach_back_to_the_start_and_not_beyond_it() {
    for written in [0, 1, 2, 3, 16, 63, 64, 65, 255, 256, 257, 258] {
        // Copies of 2, 32, 33, 63 bytes, and the reserved one of 64.
        reach_back(written, [0xC0, 0xDE, 0xDF, 0xFD, 0xFE].into_iter());
    }
}

#[test]
fn streams_cut_anywhere_and_wrong_sizes_are_damage() {
    let [start, _] = tokens::starts();
    for first in tokens::tiny() {
        cuts_and_sizes(&start, &first, &[0x00, b'x'], Reserved::Copy);
        cuts_and_sizes(&[], &first, &[0xFD, 0x3D], Reserved::Copy);
    }
}

#[test]
fn ends_after_any_token_agree_with_the_oracle() {
    let [start, _] = tokens::starts();
    for first in tokens::tiny() {
        for reading in READINGS {
            for second in [&[0xFF][..], &[0xFE], &[0xFE, 0x3F], &[0xFE, 0xFE, 0xFF]] {
                let stream = [&start, &first, second, &[0x40, 0xFF]].concat();
                let written = oracle::verdict(&stream, None, reading).output.len() as u64;
                for size in [None, Some(written), Some(written + 64), Some(written - 2)] {
                    agrees_with_the_oracle(&stream, size, reading);
                }
            }
        }
    }
}

#[test]
#[ignore = "eight million cases: seconds of a release build"]
fn damage_of_every_copy_is_found_at_every_distance() {
    let cases: usize = (0..=260).map(|written| reach_back(written, 0xC0..=0xFE)).sum();
    eprintln!("{cases} cases");
}

#[test]
#[ignore = "five million cases: seconds of a release build"]
fn damage_in_every_pair_of_tokens_is_found() {
    let mut cases = 0;
    for start in tokens::starts() {
        for first in tokens::few() {
            for second in tokens::few() {
                cases += cuts_and_sizes(&start, &first, &second, Reserved::Copy);
            }
        }
    }
    eprintln!("{cases} cases");
}
