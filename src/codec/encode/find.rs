//! Find: computes the length of the longest possible copy at each position.
//!
//! The window is 256 distances wide, which is small enough to track all of them. A lane of one byte for
//! each distance counts how many bytes from here on equal the bytes that far back. Going backward, a lane
//! grows by one if this byte matches at its distance, and falls to 0 if not; the longest copy is the
//! highest lane. Lanes are in the order of the bytes they look at (lane 0 is distance 257), so one position
//! is three plain loops over arrays of 256. Compilers turn them into vector code, 16 lanes per instruction
//! on the oldest x86-64. There is no hash, no chain, no branch that depends on the data, and every
//! content takes equally long.
//!
//! A second copy of the same loops is for processors with registers of 32 bytes; the program detects them
//! at run time. With it, encoding needs 0.62 of the instructions.
//!
//! Measured on 4 MB of maps, baseline x86-64, 2.6 GHz: 150 MB/s, 17 cycles per byte. Tried and dropped:
//! keeping 16 to 64 lanes in registers over 256 positions (53 to 7 MB/s, the compiler does not keep them
//! there), and 2, 4, 8 or 16 positions at once (90, 89, 147, 13 MB/s: no faster at best, and dependent on
//! the unroller). Capping all lanes instead of the near ones costs a quarter (113 MB/s).
//!
//! The highest lane is found over 64 lanes side by side, and only then over 16 or 32. Over 16 from the start, the
//! compiler gathers single bytes for WebAssembly, and the web page needs four times as long. On x86-64 it
//! makes no difference in time, and 1.3 % in instructions.

#[cfg(target_arch = "x86_64")]
use fearless_simd::Simd as _;

use crate::codec::grammar::{COPY_MAX, DISTANCE_MAX, DISTANCE_MIN, Profile};

/// One lane for each distance.
const LANES: usize = DISTANCE_MAX - DISTANCE_MIN + 1;
/// The last lanes, which have the smallest distances. Only they may need a lower cap.
const NEAR: usize = 64;
/// The lanes before them. Their distances are at least as large as the longest copy.
const FAR: usize = LANES - NEAR;
/// How many lanes every processor handles at once.
const NARROW: usize = 16;
/// How many lanes a processor with AVX2 handles at once.
#[cfg(target_arch = "x86_64")]
const WIDE: usize = 32;
/// The longest copy, as a lane's type.
#[expect(clippy::cast_possible_truncation, reason = "asserted right below")]
const CAP: u8 = COPY_MAX as u8;

const _: () = {
    assert!(LANES == 256 && FAR.is_multiple_of(32) && NEAR.is_multiple_of(32));
    // The last of the far lanes is at distance NEAR + 2.
    assert!(NEAR + DISTANCE_MIN >= COPY_MAX);
    assert!(COPY_MAX < u8::MAX as usize);
};

/// Writes into `longest[k]` the length of the longest copy that `profile` allows at `text[start + k]`. The
/// length is 0 if no copy is possible, and 1 if only one byte matches (no copy can encode that).
///
/// `longest` covers `text` from `start` to its end; copies reach back before `start`, but never
/// beyond the end of `text`.
pub(super) fn find(text: &[u8], start: usize, profile: Profile, longest: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = fearless_simd::Level::new().as_avx2() {
        return avx2.vectorize(|| find_by::<WIDE>(text, start, profile, longest));
    }
    find_by::<NARROW>(text, start, profile, longest);
}

/// [`find`] with `STEP` lanes at once. It is compiled once for each kind of register, so all of it must be
/// inlined into its callers.
#[inline(always)]
fn find_by<const STEP: usize>(text: &[u8], start: usize, profile: Profile, longest: &mut [u8]) {
    let caps = near_caps(profile);
    let mut lanes = [0; LANES];

    // The fast loop handles the positions that have 257 bytes before them, so that every lane has its byte.
    // The careful loop handles the rest.
    let careful = DISTANCE_MAX.saturating_sub(start).min(longest.len());
    let (head, tail) = longest.split_at_mut(careful);
    let from = start + careful;
    if let (Some(back), Some(bytes)) = (from.checked_sub(DISTANCE_MAX), text.get(from..)) {
        let windows = text.get(back..).unwrap_or_default().windows(LANES);
        for ((window, byte), top) in windows.zip(bytes).zip(tail).rev() {
            if let Some(window) = window.first_chunk() {
                *top = fast::<STEP>(&mut lanes, window, *byte, &caps);
            }
        }
    }
    for (position, top) in (start..from).zip(head).rev() {
        *top = careful_at(&mut lanes, text, position, &caps);
    }
}

/// Updates all lanes for one position. `window` is the 256 bytes that the lanes look at.
#[inline(always)]
fn fast<const STEP: usize>(
    lanes: &mut [u8; LANES],
    window: &[u8; LANES],
    byte: u8,
    caps: &[u8; NEAR],
) -> u8 {
    for (lane, there) in lanes.iter_mut().zip(window) {
        // The addition is outside of the condition: a mask is faster than a branch, and saturation is free
        // with it.
        let longer = lane.saturating_add(1);
        *lane = if *there == byte { longer } else { 0 };
    }
    let (far, near) = lanes.split_at(FAR);
    let mut tops = [0; NEAR];
    for lanes in far.as_chunks::<NEAR>().0 {
        for (top, lane) in tops.iter_mut().zip(lanes) {
            *top = (*top).max(*lane);
        }
    }
    for ((top, lane), cap) in tops.iter_mut().zip(near).zip(caps) {
        *top = (*top).max((*lane).min(*cap));
    }
    let mut highest = [0; STEP];
    for tops in tops.as_chunks::<STEP>().0 {
        for (highest, top) in highest.iter_mut().zip(tops) {
            *highest = (*highest).max(*top);
        }
    }
    highest.into_iter().fold(0, u8::max).min(CAP)
}

/// Updates the lanes at a `position` with fewer than 257 bytes before it. Lanes that look before the start
/// of `text` stay as they are: no earlier position looks at them again.
fn careful_at(lanes: &mut [u8; LANES], text: &[u8], position: usize, caps: &[u8; NEAR]) -> u8 {
    let (Some(byte), Some(end)) = (text.get(position), position.checked_sub(1)) else {
        return 0;
    };
    let (Some(window), Some(lanes)) =
        (text.get(..end), lanes.get_mut(DISTANCE_MAX.saturating_sub(position)..))
    else {
        return 0;
    };
    let mut top = 0;
    // From the nearest lane on, which is the last.
    let caps = caps.iter().rev().chain(core::iter::repeat(&CAP));
    for ((lane, there), cap) in lanes.iter_mut().rev().zip(window.iter().rev()).zip(caps) {
        let longer = lane.saturating_add(1);
        *lane = if there == byte { longer } else { 0 };
        top = top.max((*lane).min(*cap));
    }
    top
}

/// The caps of the near lanes, the largest distance first.
fn near_caps(profile: Profile) -> [u8; NEAR] {
    let mut caps = [CAP; NEAR];
    if profile == Profile::Compatible {
        for (cap, distance) in caps.iter_mut().rev().zip(DISTANCE_MIN..) {
            *cap = u8::try_from(distance).unwrap_or(CAP).min(CAP);
        }
    }
    caps
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    fn naive(text: &[u8], at: usize, profile: Profile) -> u8 {
        let len = |distance: usize| {
            let most = match profile {
                Profile::Compatible => COPY_MAX.min(distance),
                Profile::Overlapping => COPY_MAX,
            };
            (at..text.len().min(at + most)).take_while(|k| text[*k] == text[*k - distance]).count()
        };
        let longest = (DISTANCE_MIN..=DISTANCE_MAX.min(at)).map(len).max();
        u8::try_from(longest.unwrap_or(0)).unwrap()
    }

    #[test]
    fn every_match_agrees_with_a_search_of_all_distances() {
        // Periods on both sides of every limit, each with some noise, and every start up to beyond the
        // position where the fast loop begins.
        for period in [1, 2, 3, 7, 62, 63, 64, 65, 66, 67, 255, 256, 257, 258, 300] {
            let text: Vec<u8> = (0..800_usize)
                .map(|k| {
                    let noise = usize::from(k % 97 == 0) * (k / 97);
                    u8::try_from((k % period * 7 + noise) % 256).unwrap()
                })
                .collect();
            for profile in [Profile::Compatible, Profile::Overlapping] {
                for start in [0, 1, 2, 3, 100, 256, 257, 258, 259, 700, 799, 800] {
                    let mut longest = vec![0xAA; text.len() - start];
                    let mut narrow = longest.clone();
                    find(&text, start, profile, &mut longest);
                    find_by::<NARROW>(&text, start, profile, &mut narrow);
                    assert_eq!(longest, narrow, "{profile:?}, period {period}, start {start}");
                    for (at, found) in (start..).zip(longest) {
                        assert_eq!(
                            found,
                            naive(&text, at, profile),
                            "{profile:?}, period {period}, start {start}, at {at}"
                        );
                    }
                }
            }
        }
    }
}
