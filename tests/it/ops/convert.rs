//! What is converted is the same in another layout: checked with our own reader and with a naive
//! one.

use crate::ops::report::convert;
use daisho::codec::{Profile, encode};
use daisho::ops::Cancel;
use daisho::ops::finding::{Finding, Help};
use daisho::ops::row::OutputStatus;
use daisho::{Archive, Format};

use super::naive::{self, Entry, assert_tight, contents};
use super::{Watcher, converted, into_file, names_in, tried, watched};
use crate::archive::build::{self, PACKS, Pak};
use crate::codec::dice::Dice;
use crate::long;

/// The length of a content of two blocks, or of three where sweeps go all the way.
fn large() -> usize {
    if long::whole() { 2_500_000 } else { (1 << 20) + 50_000 }
}

/// A pak with everything in it that a conversion must keep, and some that it must not.
fn sample(seed: u64, large: usize) -> Vec<u8> {
    let mut dice = Dice::new(seed);
    let mut pak = Pak::new();
    for n in 0..60 {
        let len = [0, 1, 100, 3000, 70_000][dice.below(5)];
        let content = dice.mixture(len);
        let extension = ["wav", "cfg", "tga", "BSP", "wal", "pcx", "bmp", "dat"][dice.below(8)];
        let name = format!("dir{}/File {n}.{extension}", n % 3);
        if len > 0 && matches!(extension, "tga" | "wal" | "pcx" | "bmp") && dice.below(4) > 0 {
            let stream = encode(&content, Profile::Compatible);
            pak = pak.compressed(&name, len as u32, &stream);
        } else {
            pak = pak.stored(&name, &content);
        }
        if n % 7 == 0 {
            pak.payload(b"dead data");
        }
    }
    for (n, extension) in ["bsp", "tga", "wav"].iter().enumerate() {
        let mut content = dice.mixture(large);
        content.extend(dice.noise(large / 3));
        let name = format!("large{n}.{extension}");
        pak = match *extension {
            "tga" => {
                let stream = encode(&content, Profile::Compatible);
                pak.compressed(&name, content.len() as u32, &stream)
            }
            _ => pak.stored(&name, &content),
        };
    }
    pak = pak.stored("noise.tga", dice.noise(large));
    // Duplicates, a name that is no UTF-8, and shared extents of either coding.
    pak = pak.stored("dir0/File 0.cfg", b"second").stored("back\\slash.cfg", b"\\");
    let (first, second) = (pak.entries[5].clone(), pak.entries[61].clone());
    for (name, of) in [
        (&b"shared \xff.wav"[..], &first),
        (b"shared.tga", &second),
        (b"again.tga", &second),
        (b"shared.dat", &second),
    ] {
        let name = name.to_vec();
        pak = pak.entry(build::Entry { name, ..of.clone() });
    }
    pak.daikatana()
}

fn source_contents(bytes: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let archive = Archive::from_bytes(bytes).unwrap();
    archive
        .entries()
        .map(|entry| (entry.name().as_bytes().to_vec(), entry.read().unwrap()))
        .collect()
}

fn owned(entries: &[Entry]) -> Vec<(Vec<u8>, Vec<u8>)> {
    contents(entries).into_iter().map(|(name, content)| (name.to_vec(), content.to_vec())).collect()
}

#[test]
fn convert_there_and_back_keeps_everything() {
    let source = sample(11, 2_500_000);
    let quake = converted(&source, Format::Quake, 3);
    let entries = naive::quake(&quake);
    assert!(owned(&entries) == source_contents(&source));
    assert!(source_contents(&quake) == source_contents(&source));
    assert_tight(&quake, &entries);
    let place = |entries: &[Entry], name: &[u8]| {
        let found = entries.iter().find(|entry| entry.name == name).unwrap();
        (found.offset, found.len)
    };
    let [shared, again, other] =
        [&b"shared.tga"[..], b"again.tga", b"shared.dat"].map(|name| place(&entries, name));
    assert!(shared == again && again == other && shared == place(&entries, b"large1.tga"));

    let daikatana = converted(&quake, Format::Daikatana, 3);
    let packed = naive::daikatana(&daikatana);
    assert!(owned(&packed) == source_contents(&source));
    assert_tight(&daikatana, &packed);
    // Another coding, another extent: the game would not open this type compressed.
    let [shared, again, other] =
        [&b"shared.tga"[..], b"again.tga", b"shared.dat"].map(|name| place(&packed, name));
    assert!(shared == again && other != again);

    let back = naive::quake(&converted(&daikatana, Format::Quake, 2));
    assert!(owned(&back) == source_contents(&source));
    assert!(converted(&quake, Format::Quake, 2) == quake);
    assert!(converted(&daikatana, Format::Daikatana, 2) == daikatana);
}

#[test]
fn only_clean_streams_are_passed_on_as_they_are() {
    // A literal for each byte: clean, and far from the smallest.
    let clumsy: Vec<u8> = b"aaaaaaaaaaaaaaaa".iter().flat_map(|byte| [0, *byte]).collect();
    let zeros = [b"\x41\x41\x41\x41".as_slice(), b"\xff"].concat();
    let overlapping = b"\x00a\x00b\xfd\x00\xff";
    let tail = b"\x7f\xffbehind";
    let reserved = b"\x7f\xfe\x3f\x7f\xff";
    let clumsy = [clumsy.as_slice(), b"\xff"].concat();
    let source = Pak::new()
        .compressed("zeros.tga", 12, &zeros)
        .compressed("clumsy.tga", 16, &clumsy)
        .compressed("overlapping.tga", 65, overlapping)
        .compressed("tail.tga", 65, tail)
        .compressed("reserved.tga", 65 + 64 + 65, reserved)
        .compressed("wrong.wav", 65, b"\x7f\xff")
        .daikatana();
    let (report, written) = tried(&source, Format::Daikatana, |_| {});
    let packed = naive::daikatana(&written.unwrap());
    let lens: Vec<(usize, bool)> =
        packed.iter().map(|entry| (entry.len, entry.compressed)).collect();
    let best = |content: &[u8]| encode(content, Profile::Compatible).len();
    assert_eq!(lens[0], (5, true));
    assert_eq!(lens[1], (best(b"aaaaaaaaaaaaaaaa"), true));
    assert_eq!(lens[2], (best(&packed[2].content), true));
    assert_eq!(packed[2].content, b"ab".repeat(33)[..65]);
    assert_eq!(lens[3], (2, true));
    assert_eq!(packed[4].content, [0; 194]);
    assert_eq!((lens[5], packed[5].content.len()), ((65, false), 65));
    assert_eq!(report.paks[0].mended, 2);
    let reported: Vec<&[u8]> = report.paks[0]
        .findings
        .iter()
        .filter_map(|finding| Some(finding.place.entry()?.1.as_bytes()))
        .collect();
    assert_eq!(reported, [&b"tail.tga"[..], b"reserved.tga"]);
    let of_pak = |it: &&Finding| it.help == Some(Help::ReadReserved);
    let findings = report.paks[0].findings.iter();
    assert_eq!(findings.filter(of_pak).count(), 1);
    assert!(report.paks[0].findings.iter().all(|it| !it.is_error()));
}

/// It has several blocks, and they are encoded when it is the large stream's turn.
#[test]
fn a_large_unclean_stream_is_encoded_again() {
    let content = Dice::new(11).mixture(large());
    let stream = [encode(&content, Profile::Compatible), b"behind".to_vec()].concat();
    let source = Pak::new()
        .compressed("first.tga", 65, b"\x7f\xff")
        .compressed("large.tga", content.len() as u32, &stream)
        .compressed("last.tga", 65, b"\x7f\xff")
        .daikatana();
    let (report, written) = tried(&source, Format::Daikatana, |_| {});
    assert_eq!(report.paks[0].mended, 1);
    let written = written.unwrap();
    let packed = naive::daikatana(&written);
    assert!(packed[1].compressed && packed[1].content == content);
    for jobs in [1, 2, 16] {
        assert!(converted(&source, Format::Daikatana, jobs) == written);
    }
    // Now it is clean, and passed on.
    let (report, again) = tried(&written, Format::Daikatana, |_| {});
    assert_eq!(report.paks[0].mended, 0);
    assert!(again.unwrap() == written);
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let source = sample(3, large());
    for layout in PACKS {
        let one = converted(&source, layout, 1);
        for jobs in [2, 3, 16] {
            assert!(converted(&source, layout, jobs) == one, "{layout} {jobs}");
        }
    }
}

#[test]
fn bytes_and_entries_done_add_up_to_those_found() {
    for layout in PACKS {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("in.pak");
        std::fs::write(&source, sample(8, large())).unwrap();
        let watcher = Watcher::default();
        let cancel = Cancel::new();
        let context = watched(2, &watcher, &cancel);
        let options = into_file(dir.path().join("out.pak"), layout);
        convert(&context, &[source], options).unwrap();
        let [found, done] = watcher.work();
        assert_eq!(found.entries, 70, "{layout}");
        assert_eq!(done, found, "{layout}");
    }
}

#[test]
fn a_stop_leaves_nothing_behind() {
    for layout in PACKS {
        for bytes in [0, 100_000, 2_000_000] {
            let dir = tempfile::tempdir().unwrap();
            let source = dir.path().join("in.pak");
            std::fs::write(&source, sample(8, large())).unwrap();
            let cancel = Cancel::new();
            let watcher = Watcher::stops_after(bytes, &cancel);
            let context = watched(2, &watcher, &cancel);
            let options = into_file(dir.path().join("out.pak"), layout);
            let report = convert(&context, &[source], options).unwrap();
            assert_eq!(report.paks[0].status, OutputStatus::Stopped, "{layout} {bytes}");
            assert_eq!(names_in(dir.path()), ["in.pak"]);
        }
    }
}

/// A pak of nameless entries became one whose layout could not be recognised.
#[test]
fn an_output_that_cannot_be_opened_is_refused() {
    let (mut written, mut refused) = (0, 0);
    let names: [&[u8]; 4] = [b"", b"\x01\x02", b"a", b"\xcf\xf0"];
    for count in [1, 2, 7, 8, 9, 16, 18, 64, 72] {
        for name in names {
            for content in [&b""[..], b"x", b"content of a file"] {
                let pak = (0..count).fold(Pak::new(), |mut pak, _| {
                    let entry = build::Entry {
                        name: name.to_vec(),
                        offset: pak.payload(content),
                        size: content.len() as u32,
                        packed: None,
                    };
                    pak.entry(entry)
                });
                // Where the source cannot be opened itself, there is nothing to convert.
                let source = pak.quake();
                if Archive::from_bytes(&source[..]).is_err() {
                    continue;
                }
                for layout in PACKS {
                    let (report, output) = tried(&source, layout, |_| {});
                    let Some(output) = output else {
                        let mut findings = report.paks[0].findings.iter();
                        let would_not =
                            findings.any(|it| it.detail.contains("could not be opened again"));
                        assert!(would_not, "{report:?}");
                        refused += 1;
                        continue;
                    };
                    let again = Archive::from_bytes(&output[..]).unwrap();
                    assert_eq!((again.format(), again.len()), (Some(layout), count));
                    for entry in again.entries() {
                        assert_eq!(entry.name().as_bytes(), name);
                        assert_eq!(entry.read().unwrap(), content);
                    }
                    written += 1;
                }
            }
        }
    }
    assert!(written > 50 && refused > 5, "{written} {refused}");
}
