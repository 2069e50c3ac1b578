//! Streams, decoded by two decoders that know nothing of each other.

use flate2::{Decompress, FlushDecompress, Status};
use proptest::prelude::*;

use super::{Care, Deflater, LEVEL_MIN};

/// What a stream holds that begins behind `history`: both decoders have to say the same.
fn decode(history: &[u8], stream: &[u8], len: usize) -> Vec<u8> {
    let mut library = Decompress::new(false);
    if !history.is_empty() {
        library.set_dictionary(history).unwrap();
    }
    // One byte more than there should be.
    let mut decoded = vec![0; len + 1];
    let status = library.decompress(stream, &mut decoded, FlushDecompress::Finish);
    assert_eq!(status.unwrap(), Status::StreamEnd);
    assert_eq!(library.total_in(), stream.len() as u64);
    decoded.truncate(usize::try_from(library.total_out()).unwrap());

    // The other one has no dictionaries: history comes as stored blocks.
    let mut whole = Vec::new();
    for piece in history.chunks(0xFFFF) {
        let len = u16::try_from(piece.len()).unwrap();
        whole.push(0);
        whole.extend(len.to_le_bytes());
        whole.extend((!len).to_le_bytes());
        whole.extend(piece);
    }
    whole.extend(stream);
    let other = miniz_oxide::inflate::decompress_to_vec(&whole).unwrap();
    assert_eq!(other[history.len()..], decoded);
    decoded
}

/// Encodes `content` behind `history` at every level, in one piece and cut at `cut`, and decodes it.
fn check(history: &[u8], content: &[u8], cut: usize) -> Vec<usize> {
    let levels = LEVEL_MIN..=9;
    let size = |level| {
        let mut deflater = Deflater::new(level);
        let stream = deflater.encode(history, content, true);
        assert!(
            decode(history, &stream, content.len()) == content,
            "level {level}"
        );

        let (first, second) = content.split_at(cut.min(content.len()));
        let before = [history, first].concat();
        let before = &before[before.len().saturating_sub(32 << 10)..];
        let mut pieces = deflater.encode(history, first, false);
        pieces.extend(deflater.encode(before, second, true));
        assert!(
            decode(history, &pieces, content.len()) == content,
            "level {level}"
        );
        // What was encoded before makes no difference, nor does who encodes it.
        assert!(deflater.encode(history, content, true) == stream);
        assert!(Deflater::new(level).encode(history, content, true) == stream);
        stream.len()
    };
    levels.map(size).collect()
}

/// Numbers that look like chance, the same every time.
fn noise(len: usize, mut state: u32) -> Vec<u8> {
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    (0..len).map(|_| next()).collect()
}

/// Words out of a few, with noise between them.
fn prose(len: usize) -> Vec<u8> {
    let words = noise(4 * 256, 5);
    let mut text = Vec::new();
    for (n, choice) in (0_usize..).zip(noise(len, 6)) {
        let from = usize::from(choice / 2) * 4;
        text.extend(&words[from..from + 2 + n % 9]);
        text.extend(noise(usize::from(choice % 3 == 0) * n % 5, 7));
    }
    text.truncate(len);
    text
}

#[test]
fn contents_of_every_kind_come_back() {
    let all: Vec<u8> = (0..=255).collect();
    let contents: [Vec<u8>; 16] = [
        vec![],
        vec![7],
        vec![7, 7],
        vec![7, 8, 9],
        vec![0; 4],
        b"abcabcabc".to_vec(),
        all.clone(),
        all.repeat(40),
        vec![0; 100_000],
        noise(100_000, 1),
        noise(70_000, 1).repeat(2),
        noise(32 << 10, 1).repeat(3),
        noise((32 << 10) - 1, 1).repeat(3),
        noise((32 << 10) + 1, 1).repeat(3),
        prose(200_000),
        [prose(90_000), noise(90_000, 3), vec![1; 90_000]].concat(),
    ];
    let long = [prose(20_000), noise(12_768, 1)].concat();
    for history in [&[][..], b"a", b"abcabc", &all, &noise(32 << 10, 1), &long] {
        for content in &contents {
            check(history, content, content.len() / 2);
        }
    }
}

#[test]
fn around_the_ends_of_pieces_stretches_and_blocks() {
    let text = prose((1 << 20) + 2);
    for len in [
        0xFFFE,
        0xFFFF,
        0x10000,
        0x10001,
        0x10004,
        (1 << 20) - 1,
        1 << 20,
        text.len(),
    ] {
        let sizes = check(&[], &text[..len], len - 1);
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{len}: {sizes:?}");
        check(&text[..5], &text[5..len], 3);
    }
    for len in 0..40 {
        check(&text[..len], &text[len..50], 5);
        check(&[], &vec![b'x'; 257 + len], len);
    }
    // Stored, of every length around that of the longest stored block.
    for len in [0xFFFE, 0xFFFF, 0x10000, 2 * 0xFFFF, 2 * 0xFFFF + 1] {
        let noise = noise(len, 9);
        let sizes = check(&[], &noise, len / 2);
        assert!(
            sizes
                .iter()
                .all(|size| *size <= len + 5 * len.div_ceil(0xFFFF) + 5),
            "{sizes:?}"
        );
    }
}

#[test]
fn short_matches_are_not_taken_where_literals_are_cheap() {
    // Four letters, two bits each: three of them take less than any distance.
    let letters: Vec<u8> = noise(200_000, 2)
        .iter()
        .map(|byte| b"acgt"[usize::from(byte / 64)])
        .collect();
    for size in check(&[], &letters, 1) {
        assert!(size < letters.len() * 32 / 100, "{size}");
    }
}

#[test]
fn what_the_history_holds_is_not_written_again() {
    let text = noise(32 << 10, 4);
    // The very end of the window is out of the tree's reach.
    for size in check(&text, &text[1..], 32 << 10) {
        assert!(size < 1000, "{size}");
    }
    // Of a longer one the last 32 KiB count.
    let longer = [&noise(1000, 8)[..], &text].concat();
    let stream = Deflater::new(9).encode(&longer, &text, true);
    assert_eq!(stream, Deflater::new(9).encode(&text, &text, true));
}

#[test]
fn whoever_looks_at_next_to_nothing_is_right_nevertheless() {
    let text = prose(100_000);
    let cares = [
        Care::lazy(0, 3),
        Care::lazy(1, 3),
        Care::lazy(1, 258),
        Care::lazy(5000, 258),
        Care::optimal(0, 5, 1),
        Care::optimal(1, 258, 2),
        Care::optimal(5000, 258, 2),
    ];
    for care in cares {
        let stream = Deflater::with(care).encode(b"before", &text, true);
        assert!(decode(b"before", &stream, text.len()) == text, "{care:?}");
    }
}

proptest! {
    #[test]
    fn any_content_comes_back(
        kinds in 1_u8..=255,
        pieces in prop::collection::vec((any::<u8>(), 1_usize..300, 1_usize..2000), 0..60),
        history in 0_usize..3000,
        cut in 0_usize..3000,
    ) {
        // Runs, literals, and copies from before, of few kinds of bytes or of many.
        let mut text = vec![1, 2, 3];
        for (byte, len, distance) in pieces {
            match byte % 3 {
                0 => text.resize(text.len() + len, byte % kinds),
                1 => text.extend(noise(len / 8, u32::from(byte)).iter().map(|it| it % kinds)),
                _ => for _ in 0..len {
                    text.push(text[text.len() - distance.min(text.len())]);
                }
            }
        }
        let (history, content) = text.split_at(history.min(text.len()));
        check(history, content, cut);
    }
}
