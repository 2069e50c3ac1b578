//! A table of directories and what each must be taken for. The large figures are those of the
//! integration tests, which generate paks by the thousand.

use super::*;
use crate::pak::layout::{Packed, Record};
use crate::pak::name::RawName;

/// A directory of `count` records of 100 bytes each, which lies behind its payloads.
fn directory(layout: Layout, count: u32, name: &str) -> (Vec<u8>, Header, u64) {
    let mut bytes = Vec::new();
    for i in 0..count {
        let name = format!("{name}{i}.tga");
        let record = Record {
            name: RawName::from(name.as_str()),
            offset: 12 + 100 * i,
            size: 300,
            packed: layout
                .can_compress()
                .then_some(Packed { size: 100, flag: 1 }),
        };
        let stored = Record {
            size: 100,
            packed: None,
            ..record
        };
        if layout.can_compress() {
            record
        } else {
            stored
        }
        .write(layout, &mut bytes);
    }
    let header = Header {
        directory_offset: 12 + 100 * count,
        directory_len: u32::try_from(bytes.len()).unwrap(),
    };
    let file_len = u64::from(header.directory_offset) + bytes.len() as u64;
    (bytes, header, file_len)
}

#[test]
fn counts_that_divide_both_ways_are_told_by_their_records() {
    for (layout, count) in [
        (Layout::Daikatana, 8),
        (Layout::Quake, 9),
        (Layout::Daikatana, 800),
        (Layout::Quake, 900),
    ] {
        let (bytes, header, file_len) = directory(layout, count, "skins/");
        let found = detect(&bytes, header, file_len, None);
        assert_eq!(
            (found.layout(), found.basis()),
            (Some(layout), Basis::Records),
            "{found}"
        );
        assert!(found.margin().unwrap() > 2 * CLEAR, "{found}");
    }
}

#[test]
fn a_single_record_is_told_by_its_length() {
    for layout in Layout::ALL {
        let (bytes, header, file_len) = directory(layout, 1, "x");
        let found = detect(&bytes, header, file_len, None);
        assert_eq!(
            (found.layout(), found.basis()),
            (Some(layout), Basis::Length),
            "{found}"
        );
    }
}

#[test]
fn a_length_that_is_wrong_gives_way_to_records_that_are_clear() {
    // Nine Daikatana records, and a header that claims the 640 bytes of ten Quake ones.
    let (bytes, mut header, file_len) = directory(Layout::Daikatana, 9, "skins/");
    header.directory_len = 640;
    let found = detect(&bytes[..640], header, file_len, None);
    assert_eq!(found.layout(), Some(Layout::Daikatana), "{found}");
    assert_eq!(found.basis(), Basis::RecordsAgainstLength);
}

#[test]
fn a_length_that_divides_by_neither_leaves_it_to_the_records() {
    for layout in Layout::ALL {
        let (mut bytes, mut header, file_len) = directory(layout, 5, "skins/");
        bytes.extend([0; 3]);
        header.directory_len += 3;
        let found = detect(&bytes, header, file_len + 3, None);
        assert_eq!(
            (found.layout(), found.basis()),
            (Some(layout), Basis::Records),
            "{found}"
        );
    }
}

#[test]
fn noise_is_nothing() {
    let noise: Vec<u8> = (0..5760_u32)
        .map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()[2])
        .collect();
    let header = Header {
        directory_offset: 12,
        directory_len: 5760,
    };
    let found = detect(&noise, header, 6000, None);
    assert_eq!(found.layout(), None, "{found}");
    assert_eq!(found.force(Layout::Quake).layout(), Some(Layout::Quake));
}

#[test]
fn where_nothing_else_decides_the_ends_of_the_streams_do() {
    // One record that was cut from a longer directory: as good in either reading, until the end
    // of its stream is looked at.
    let mut bytes = b"a.tga".to_vec();
    bytes.resize(56, 0);
    for number in [100_u32, 200, 100, 1] {
        bytes.extend(number.to_le_bytes());
    }
    let header = Header {
        directory_offset: 1000,
        directory_len: 576,
    };
    let judge = |last: u8| {
        let mut asked = Vec::new();
        let mut peek = |at| {
            asked.push(at);
            Some(last)
        };
        let found = detect(&bytes, header, 1072, Some(&mut peek));
        assert_eq!(asked, [199]);
        found.layout()
    };
    assert_eq!(detect(&bytes, header, 1072, None).layout(), None);
    assert_eq!(judge(0xFF), Some(Layout::Daikatana));
    assert_eq!(judge(0x00), Some(Layout::Quake));
}

#[test]
fn an_empty_directory_is_taken_for_the_plainest_layout() {
    let header = Header {
        directory_offset: 12,
        directory_len: 0,
    };
    let found = detect(&[], header, 12, None);
    assert_eq!(
        (found.layout(), found.basis()),
        (Some(Layout::Quake), Basis::Nothing)
    );
}

#[test]
fn the_reasons_say_what_speaks_against_a_reading() {
    let (bytes, header, file_len) = directory(Layout::Daikatana, 8, "skins/");
    let reasons = detect(&bytes, header, file_len, None).reasons();
    assert_eq!(
        reasons[0],
        "the directory's 576 bytes divide by 64 and by 72"
    );
    assert!(
        reasons[1].starts_with(
            "as 64-byte records, 5 of 9 names are not names: record 3 starts with \\x00\\x00\\x00\\x00, "
        ),
        "{}",
        reasons[1]
    );
    assert!(reasons[2].starts_with(
        "as 72-byte records, all 8 names are names, 8 of 8 payloads follow each other"
    ));
    assert_eq!(reasons[3], "so its records say daikatana");
}
