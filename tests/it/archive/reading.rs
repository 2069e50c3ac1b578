//! Reading payloads: stored, compressed, under either reading of the reserved byte, and damaged.

use daisho::archive::{Note, ReadOptions, ReservedReading};
use daisho::codec::Reserved;
use daisho::{Archive, Error, ErrorKind, Format};

use super::build::Pak;
use super::naive::{self, Content};
use crate::codec::dice::Dice;
use crate::codec::tokens;

/// A stream that decodes to `size` bytes of a ramp, in literals, with this behind it.
fn stream(size: u32, end: &[u8]) -> Vec<u8> {
    [tokens::literal_tokens(&ramp(size)), end.to_vec()].concat()
}

fn ramp(size: u32) -> Vec<u8> {
    (0..size).map(|i| (i % 251) as u8).collect()
}

fn open(bytes: Vec<u8>) -> Archive {
    Archive::from_bytes(bytes).unwrap()
}

fn error_of(bytes: Vec<u8>, index: usize) -> Error {
    let archive = open(bytes);
    let entry = archive.entry(index).unwrap();
    let whole = entry.read().unwrap_err();
    let verified = entry.verify().unwrap_err();
    assert_eq!(whole.to_string(), verified.to_string());
    assert_eq!(whole.entry().unwrap().0, index);
    whole
}

/// Skipped and copied, both come out at 129 bytes: a literal of 64, or a copy of 64 and the end.
const EITHER: &[u8] = b"\xfe\x3f";

fn either() -> Vec<u8> {
    [&stream(65, EITHER)[..], &[0xff; 64], b"\xff"].concat()
}

/// A packer writes a whole pak. Its first stream was read as the game would, since it is sound so,
/// though all the others show that copies were meant: a wrong texture that was called sound.
#[test]
fn streams_sound_both_ways_follow_their_pak() {
    let copy = stream(64, b"\xfe\x3e\xff");
    let archive = open(
        Pak::new()
            .compressed("either.tga", 129, &either())
            .compressed("copy.tga", 128, &copy)
            .daikatana(),
    );
    let copied = [ramp(65), ramp(64)].concat();
    assert_eq!(archive.reserved_reading(), None, "no such byte was met");
    assert_eq!(archive.entry(0).unwrap().read().unwrap(), copied);
    let vote = archive.reserved_reading().unwrap();
    assert_eq!(vote.reading(), Reserved::Copy);
    let ReservedReading::Voted(vote) = vote else { panic!("{vote:?}") };
    assert_eq!((vote.copy_only, vote.either, vote.streams()), (1, 1, 2));
    // Alone it is read as the game reads it.
    let alone = open(Pak::new().compressed("a.tga", 129, &either()).daikatana());
    let skipped = [ramp(65), vec![0xff; 64]].concat();
    assert_eq!(alone.entry(0).unwrap().read().unwrap(), skipped);
}

#[test]
fn a_given_reading_holds_for_every_stream() {
    let pak = Pak::new().compressed("either.tga", 129, &either()).compressed(
        "copy.tga",
        128,
        &stream(64, b"\xfe\x3e\xff"),
    );
    let bytes = pak.daikatana();
    let given = |reserved| {
        let mut options = ReadOptions::default();
        options.reserved = Some(reserved);
        let archive = Archive::from_source_with(bytes.clone(), options).unwrap();
        let read = |n| archive.entry(n).unwrap().read().ok();
        let first = read(0);
        let reported = archive.reserved_reading();
        (first, read(1), reported)
    };
    let both = |end: Vec<u8>| Some([ramp(65), end].concat());
    let copied = Some([ramp(64), ramp(64)].concat());
    let (skip, copy) = (Reserved::Skip, Reserved::Copy);
    assert_eq!(given(skip), (both(vec![0xff; 64]), None, Some(ReservedReading::Chosen(skip))));
    assert_eq!(given(copy), (both(ramp(64)), copied, Some(ReservedReading::Chosen(copy))));
    assert_eq!(given(Reserved::Error), (None, None, None));
}

/// Against the naive reader, in paks of streams of each kind, in any number and order.
#[test]
fn any_mixture_of_streams_reads_like_the_naive_way() {
    let kinds = [
        (66, stream(65, b"\xfe\x00z\xff")),
        (128, stream(64, b"\xfe\x3e\xff")),
        (129, either()),
        (100, stream(64, b"\xfe\x00z\xff")),
        (64, stream(64, b"\xff")),
    ];
    let mut dice = Dice::new(7);
    for _ in 0..300 {
        let mut pak = Pak::new();
        for n in 0..1 + dice.below(9) {
            let (size, bytes) = &kinds[dice.below(kinds.len())];
            pak = pak.compressed(&format!("{n}.tga"), *size, bytes);
        }
        let bytes = pak.daikatana();
        let expected = naive::read(&bytes, Format::Daikatana).unwrap();
        let archive = Archive::from_source_with(bytes, Some(Format::Daikatana)).unwrap();
        for (entry, expected) in archive.entries().zip(expected) {
            let found = entry.read();
            match expected.content {
                Content::Sound(content) => assert_eq!(found.unwrap(), content),
                Content::Damaged(_) => assert!(found.is_err()),
            }
        }
    }
}

#[test]
fn a_reserved_byte_bad_both_ways_reports_both() {
    // Skipped, the stream writes 65 bytes; as a copy, 128.
    let bytes = stream(64, b"\xfe\x00z\xff");
    let error = error_of(Pak::new().compressed("a.tga", 100, &bytes).daikatana(), 0);
    let ErrorKind::Unreadable(both) = error.kind() else {
        panic!("{error}");
    };
    assert_ne!(both.skipped, both.copied);
    assert_eq!(error.offset(), Some(12 + 65));
    assert_eq!(
        daisho::codec::Reserved::judge(&bytes, 100).unwrap_err(),
        **both,
        "the bare codec says the same"
    );
    assert_eq!(daisho::codec::Reserved::judge(&bytes, 65), Ok(Reserved::Skip));
}

/// Files that the kernel makes up have a size of 0 and bytes all the same; others grow.
#[test]
fn a_longer_source_is_read_to_its_stated_length() {
    struct Understated(Vec<u8>, u64);
    impl daisho::archive::ReadAt for Understated {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<usize> {
            self.0.read_at(buffer, offset)
        }
        fn size(&self) -> std::io::Result<u64> {
            Ok(self.1)
        }
    }
    let bytes = Pak::new().stored("a.wav", b"abcd").quake();
    for size in 0..=bytes.len() as u64 {
        match Archive::from_source(Understated(bytes.clone(), size)) {
            Ok(archive) => assert_eq!(archive.account().unwrap().sum(), size),
            Err(error) if size < 12 => {
                assert!(
                    matches!(error.kind(), ErrorKind::TooShort { len } if *len == size),
                    "{error}"
                );
            }
            Err(error) => assert!(matches!(error.kind(), ErrorKind::NoDirectory { .. }), "{error}"),
        }
    }
    let empty = b"PACK\x0c\0\0\0\0\0\0\0".to_vec();
    assert!(Archive::from_source(Understated(empty, 0)).is_err());
}

#[test]
fn bytes_after_the_last_whole_record_are_noted() {
    for bytes in [1, 63] {
        let mut pak = Pak::new().stored("a.wav", b"a").stored("b.wav", b"b").quake();
        pak[8..12].copy_from_slice(&(128 + bytes as u32).to_le_bytes());
        pak.resize(pak.len() + bytes as usize, 0);
        let archive = Archive::from_source_with(pak, Format::Quake).unwrap();
        assert_eq!(archive.len(), 2);
        let noted = archive.notes().contains(&Note::PartialRecord { bytes });
        assert!(noted, "{:?}", archive.notes());
    }
}

#[test]
fn opening_a_directory_or_device_is_refused() {
    let error = Archive::open(std::env::temp_dir()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotAFile), "{error}");
    #[cfg(target_os = "linux")]
    assert!(matches!(Archive::open("/dev/null").unwrap_err().kind(), ErrorKind::NotAFile));
}
