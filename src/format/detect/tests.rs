//! A table of directories with their layouts. The integration tests generate paks by the thousand.

use super::*;

/// The layouts that share a magic, so only evidence can tell them apart.
const PACKS: [Format; 2] = [Format::Quake, Format::Daikatana];
use super::super::records::Record;
use crate::archive::RawName;

/// A directory of `count` records of 100 bytes each, after its payloads.
fn directory(format: Format, count: u32, name: &str) -> (Vec<u8>, Header, u64) {
    let mut bytes = Vec::new();
    for i in 0..count {
        let name = format!("{name}{i}.tga");
        let compressed = format.spec().coding.is_some();
        let record = Record {
            name: RawName::from(name.as_str()),
            offset: 12 + 100 * i,
            size: if compressed { 300 } else { 100 },
            packed_size: 100,
            flag: u32::from(compressed),
            kind: 0,
        };
        record.write(format, &mut bytes);
    }
    let header = Header {
        magic: *b"PACK",
        directory_offset: 12 + 100 * count,
        directory_len: bytes.len() as u64,
    };
    let file_len = u64::from(header.directory_offset) + bytes.len() as u64;
    (bytes, header, file_len)
}

#[test]
fn counts_that_divide_both_ways_need_records() {
    for (format, count) in
        [(Format::Daikatana, 8), (Format::Quake, 9), (Format::Daikatana, 800), (Format::Quake, 900)]
    {
        let (bytes, header, file_len) = directory(format, count, "skins/");
        let found = Detection::of(&bytes, header, file_len, None);
        assert_eq!((found.format(), found.basis), (Some(format), Basis::Records), "{found}");
        let [one, other] = [0, 1].map(|at| found.readings()[at].score.unwrap());
        assert!((one - other).abs() > 2 * CLEAR, "{found}");
    }
}

#[test]
fn a_single_record_is_told_by_its_length() {
    for format in PACKS {
        let (bytes, header, file_len) = directory(format, 1, "x");
        let found = Detection::of(&bytes, header, file_len, None);
        assert_eq!((found.format(), found.basis), (Some(format), Basis::Length), "{found}");
    }
}

#[test]
fn clear_records_beat_a_wrong_length() {
    // Nine Daikatana records, and a header that claims the 640 bytes of ten Quake ones.
    let (bytes, mut header, file_len) = directory(Format::Daikatana, 9, "skins/");
    header.directory_len = 640;
    let found = Detection::of(&bytes[..640], header, file_len, None);
    assert_eq!(found.format(), Some(Format::Daikatana), "{found}");
    assert_eq!(found.basis, Basis::RecordsAgainstLength);
}

#[test]
fn ambiguous_lengths_are_decided_by_records() {
    for format in PACKS {
        let (mut bytes, mut header, file_len) = directory(format, 5, "skins/");
        bytes.extend([0; 3]);
        header.directory_len += 3;
        let found = Detection::of(&bytes, header, file_len + 3, None);
        assert_eq!((found.format(), found.basis), (Some(format), Basis::Records), "{found}");
    }
}

#[test]
fn noise_is_nothing() {
    let noise: Vec<u8> =
        (0..5760_u32).map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
    let header = Header { magic: *b"PACK", directory_offset: 12, directory_len: 5760 };
    let found = Detection::of(&noise, header, 6000, None);
    assert_eq!(found.format(), None, "{found}");
    assert_eq!(found.force(Format::Quake).format(), Some(Format::Quake));
}

#[test]
fn stream_ends_decide_if_nothing_else_does() {
    // One record of a longer directory that was cut: equally good in both readings, until the end of its
    // stream is read.
    let mut bytes = b"a.tga".to_vec();
    bytes.resize(56, 0);
    for number in [100_u32, 200, 100, 1] {
        bytes.extend(number.to_le_bytes());
    }
    let header = Header { magic: *b"PACK", directory_offset: 1000, directory_len: 576 };
    let undecided = Detection::of(&bytes, header, 1072, None);
    assert_eq!(undecided.format(), None);
    let judge = |last: u8| {
        let mut asked = Vec::new();
        let mut peek = |at| {
            asked.push(at);
            Some(last)
        };
        let found = Detection::of(&bytes, header, 1072, Some(&mut peek));
        assert_eq!(asked, [199]);
        // Only the reading with a compressed payload gains or loses by it.
        let change = if last == 0xFF { 300 } else { -300 };
        for (before, after) in undecided.readings().iter().zip(found.readings()) {
            let change = if after.format.spec().coding.is_some() { change } else { 0 };
            assert_eq!(after.score, before.score.map(|score| score + change));
        }
        found.format()
    };
    assert_eq!(judge(0xFF), Some(Format::Daikatana));
    assert_eq!(judge(0x00), Some(Format::Quake));
}

/// A detection whose readings divide, score and count as given, in the order of [`PACKS`].
fn of_scores(readings: [(bool, Option<i32>, usize); 2]) -> Detection {
    let mut readings = readings.into_iter();
    let readings = PACKS.map(|format| {
        let (divides, score, records) = readings.next().unwrap();
        let mut tally = Tally::default();
        tally.records = records;
        Reading { format, divides, score, tally }
    });
    let mut detection = Detection {
        format: None,
        basis: Basis::Nothing,
        readings: readings.into(),
        claimed: 576,
        held: 576,
    };
    (detection.format, detection.basis) = detection.judge();
    detection
}

/// The limits of each rule, with the plain layout first, and the other way round.
#[test]
fn a_verdict_needs_what_the_margins_say() {
    const OPEN: bool = true;
    let records = OVERWHELMING_RECORDS;
    // Two scores, with a length that fits both layouts or neither; whether the first wins.
    for (first, second, wins) in [
        (Some(500), Some(500 - CLEAR), true),
        (Some(500), Some(501 - CLEAR), false),
        (Some(100), Some(100 - CLEAR), true),
        (Some(500), Some(500), false),
        (Some(NOT_NOISE), Some(NOT_NOISE - CLEAR), true),
        (Some(NOT_NOISE), Some(NOT_NOISE - CLEAR + 1), false),
        (Some(NOT_NOISE - 1), Some(NOT_NOISE - CLEAR - 1), false),
        // Without another reading, a score must be good by itself.
        (Some(CLEAR), None, true),
        (Some(CLEAR - 1), None, false),
        (None, None, false),
    ] {
        for divides in [OPEN, !OPEN] {
            let one = (divides, first, records);
            let other = (divides, second, records);
            for (readings, format) in [([one, other], PACKS[0]), ([other, one], PACKS[1])] {
                let found = of_scores(readings);
                let verdict = (wins.then_some(format), Basis::Records);
                assert_eq!((found.format(), found.basis), verdict, "{found}");
            }
        }
    }
    // If the length fits only the first, the second must be overwhelming.
    for (own, better, records, wins) in [
        (Some(100), Some(100 + OVERWHELMING), records, true),
        (Some(-100), Some(OVERWHELMING - 100), records, true),
        (Some(100), Some(99 + OVERWHELMING), records, false),
        (Some(100), Some(100 + OVERWHELMING), records - 1, false),
        (None, Some(1000), records, false),
        (Some(100), None, records, false),
        (Some(500), Some(-500), records, false),
        (None, None, 0, false),
    ] {
        let one = (true, own, records);
        let other = (false, better, records);
        for (readings, [own, better]) in
            [([one, other], PACKS), ([other, one], [PACKS[1], PACKS[0]])]
        {
            let found = of_scores(readings);
            let verdict = if wins {
                (Some(better), Basis::RecordsAgainstLength)
            } else {
                (Some(own), Basis::Length)
            };
            assert_eq!((found.format(), found.basis), verdict, "{found}");
        }
    }
}

#[test]
fn a_directory_no_reading_fits_is_noise() {
    let noise = |first, second| of_scores([(true, first, 4), (true, second, 4)]).looks_like_noise();
    assert!(noise(Some(-701), Some(-701)));
    assert!(noise(Some(-701), None));
    assert!(noise(None, Some(-701)));
    assert!(!noise(Some(-701), Some(-700)));
    assert!(!noise(Some(-700), Some(-701)));
    assert!(!noise(None, None));
}

#[test]
fn a_reading_is_told_in_words_that_fit_the_numbers() {
    let tell = |score, tally: Tally| {
        let reading = Reading { format: Format::Quake, divides: true, score, tally };
        reading.to_string()
    };
    assert_eq!(tell(None, Tally::default()), "as 64-byte records, there is no whole one");
    let mut tally = Tally::default();
    tally.records = 1;
    assert_eq!(
        tell(Some(500), tally),
        "as 64-byte records, the one name is a valid name (score 500)"
    );
    tally.records = 2;
    assert_eq!(
        tell(Some(500), tally),
        "as 64-byte records, all 2 names are valid names (score 500)"
    );
    tally.records = 1;
    tally.no_names = 1;
    tally.first_no_name = Some((0, *b"a\x01bc"));
    tally.outside = 1;
    assert_eq!(
        tell(Some(-700), tally),
        "as 64-byte records, the one name is not a valid name: record 0 starts with a\\x01bc, \
         the one payload lies outside the file (score -700)"
    );
    tally.records = 9;
    tally.no_names = 2;
    tally.outside = 2;
    assert_eq!(
        tell(Some(-7), tally),
        "as 64-byte records, 2 of 9 names are not valid names: record 0 starts with a\\x01bc, \
         2 of 9 payloads lie outside the file (score -7)"
    );
}

/// Checks the stated basis of each verdict, and the sentence about the length.
#[test]
fn reasons_go_from_the_length_to_the_verdict() {
    let said = |claimed, held, divides: [bool; 2], basis, format| {
        let mut found = of_scores(divides.map(|divides| (divides, Some(500), 8)));
        (found.claimed, found.held) = (claimed, held);
        (found.basis, found.format) = (basis, format);
        let reasons = found.reasons();
        assert_eq!(found.to_string(), reasons.join("; "));
        (reasons.len(), reasons[0].clone(), reasons[1].clone(), reasons[reasons.len() - 1].clone())
    };
    let quake = Some(Format::Quake);
    let (count, length, _, verdict) = said(0, 0, [true, true], Basis::Nothing, quake);
    assert_eq!(count, 2);
    assert_eq!(length, "the directory is empty");
    assert_eq!(verdict, "so nothing tells the layout, and it is taken for quake");
    let (count, length, second, verdict) = said(640, 640, [true, false], Basis::Length, quake);
    assert_eq!(count, 4);
    assert_eq!(length, "the directory's 640 bytes divide by 64 and not by 72");
    assert!(second.starts_with("as 64-byte records"), "{second}");
    assert_eq!(verdict, "so its length says quake");
    let (count, length, second, verdict) = said(100, 72, [false, false], Basis::Records, None);
    assert_eq!(count, 5);
    assert_eq!(length, "the directory's 100 bytes divide by none of 64 and 72");
    assert_eq!(second, "the file holds 72 of the directory's 100 bytes");
    assert_eq!(verdict, "so neither layout is clearly more likely");
    let (_, _, _, verdict) = said(640, 640, [true, false], Basis::RecordsAgainstLength, quake);
    assert_eq!(verdict, "so its records say quake, against its length");
    let (_, _, _, verdict) = said(640, 640, [true, false], Basis::Forced, quake);
    assert_eq!(verdict, "so it would say nothing: the layout was set to quake");
}

#[test]
fn an_empty_directory_means_the_plainest_layout() {
    let header = Header { magic: *b"PACK", directory_offset: 12, directory_len: 0 };
    let found = Detection::of(&[], header, 12, None);
    assert_eq!((found.format(), found.basis), (Some(Format::Quake), Basis::Nothing));
}

#[test]
fn the_reasons_say_what_speaks_against_a_reading() {
    let (bytes, header, file_len) = directory(Format::Daikatana, 8, "skins/");
    let reasons = Detection::of(&bytes, header, file_len, None).reasons();
    assert_eq!(reasons[0], "the directory's 576 bytes divide by 64 and by 72");
    assert!(
        reasons[1].starts_with(
            "as 64-byte records, 5 of 9 names are not valid names: record 3 starts with \\x00\\x00\\x00\\x00, "
        ),
        "{}",
        reasons[1]
    );
    assert_eq!(reasons[2], "as 72-byte records, all 8 names are valid names (score 1100)");
    assert_eq!(reasons[3], "so its records say daikatana");
}
