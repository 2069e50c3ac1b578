//! `corpus/paks/sound`: paks that every reader must read, each with one thing that some do not.

use daisho::Format;
use daisho::codec::Reserved;

use super::Row;
use super::build::Build;
use crate::codec::build::Build as Tokens;

pub(super) fn rows() -> Vec<Row> {
    [layouts(), places(), names(), records(), streams()].concat()
}

/// Which layout it is.
fn layouts() -> Vec<Row> {
    let quake = |count| files(Build::quake(), count);
    let daikatana = |count| files(Build::daikatana(), count);
    #[rustfmt::skip]
    let rows = vec![
        ("plain-quake", "three files, as Quake's packer writes them", quake(3)),
        ("plain-daikatana", "three files, as Daikatana's packer writes them", daikatana(3)),
        ("single-quake", "one file", quake(1)),
        ("single-daikatana", "one file", daikatana(1)),
        ("both-divide-quake-9", "9 records of 64 bytes, which are as long as 8 of 72", quake(9)),
        ("both-divide-daikatana-8", "8 records of 72 bytes, which are as long as 9 of 64", daikatana(8)),
        ("both-divide-quake-72", "72 records of 64 bytes, which are as long as 64 of 72", quake(72)),
        ("both-divide-daikatana-72", "72 records of 72 bytes, which are as long as 81 of 64", daikatana(72)),
        ("both-divide-all-stored", "8 records of 72 bytes, none of them compressed", all_stored(8)),
        ("both-divide-short-names", "9 records of 64 bytes with names of two letters", short_names(9)),
        ("both-divide-garbage", "8 records of 72 bytes with text behind every name's nul", garbage(8)),
        ("both-divide-empty-files", "8 records of 72 bytes, every file empty", empty_files(8)),
        ("plain-sin", "three files in SiN's archive, and one with the longest name", files(Build::new(Format::Sin), 3).stored("long/".repeat(23) + "name", b"SiN")),
        ("plain-hrot", "three files in HROT's archive, and one with the longest name", files(Build::new(Format::Hrot), 3).stored("long/".repeat(23) + "name", b"HROT")),
        ("plain-anachronox", "a stored file in Anachronox's archive, two that are compressed, and an empty one", anachronox().stored("empty.txt", b"")),
        ("mixed", "compressed and stored files side by side", mixed()),
    ];
    rows
}

/// An archive of Anachronox's.
fn anachronox() -> Build {
    let build = Build::new(Format::Anachronox).stored("sound/a.wav", b"RIFF");
    build
        .zlib("maps/a.bsp", &[7; 900])
        .zlib("gameflow/a.apd", b"console.echo")
}

/// Where things are.
fn places() -> Vec<Row> {
    let two = |build: Build| files(build, 2);
    #[rustfmt::skip]
    let rows = vec![
        ("directory-first-quake", "the directory lies before the payloads", two(Build::quake().directory_here())),
        ("directory-first-daikatana", "the directory lies before the payloads", two(Build::daikatana().directory_here())),
        ("directory-in-the-middle", "the directory lies between payloads", two(Build::quake()).directory_here().stored("a.cfg", b"bind\n")),
        ("bytes-behind", "bytes behind the directory", two(Build::quake()).behind(b"made by hand")),
        ("gap-of-alignment", "one to three bytes between payloads, which begin at multiples of four", aligned()),
        ("gap-of-dead-data", "a thousand bytes that nobody names, between payloads", two(Build::daikatana()).dead(&ramp(1000)).stored("a.cfg", b"bind\n")),
        ("gap-before-all", "bytes between header and first payload", two(Build::quake().dead(&[0; 4]))),
        ("order-of-offsets", "entries in another order than their payloads", files(Build::daikatana(), 4).reversed()),
        ("shared-extent", "two names for one payload", two(Build::quake()).shares("sound/again.wav", 0)),
        ("shared-stream", "three names for one compressed payload", two(Build::daikatana()).shares("skins/b.tga", 1).shares("skins/c.tga", 1)),
        ("overlapping-extents", "one payload is the end of another", two(Build::quake()).stored("whole.dat", b"01234567").stored("part.dat", b"").offset(12 + 93 + 4).size(4).comes(b"4567")),
        ("empty-file", "a file of no bytes, with an offset as any other", two(Build::quake()).stored("empty.cfg", b"").stored("last.cfg", b"end\n")),
        ("empty-file-anywhere", "a file of no bytes whose offset points behind the end", two(Build::quake()).stored("empty.cfg", b"").offset(u32::MAX)),
        ("empty-file-compressed", "a file of no bytes that is said to be compressed", two(Build::daikatana()).stream("empty.tga", Tokens::new().end())),
        ("empty-file-of-claims", "a file of no bytes whose other numbers are all as large as can be", two(Build::daikatana()).stored("empty.tga", b"").offset(u32::MAX).packed_size(u32::MAX).flag(u32::MAX)),
        ("no-entries", "no entry at all", Build::quake()),
        ("no-entries-directory-nowhere", "no entry at all, and a directory far behind the end", Build::quake().claim_directory_offset(u32::MAX)),
    ];
    rows
}

/// Names.
fn names() -> Vec<Row> {
    let stored = |name: &str| files(Build::quake(), 2).stored(name, b"content\n");
    let long = "textures/".to_owned() + &"long".repeat(11) + "er";
    #[rustfmt::skip]
    let rows = vec![
        ("name-garbage", "leaked memory behind a name's nul, with more names in it", stored("gfx.wad").garbage(b"\xCC\xCC\x12maps/e1m1.bsp\0\x40\x07").stored("a.cfg", b"bind\n")),
        ("name-of-55", "the longest name with a nul behind it", stored(&long)),
        ("name-of-56", "a name that fills its field, without a nul", stored(&(long.clone() + "r"))),
        ("name-backslashes", "backslashes between the parts of a name", stored(r"maps\e1\secret.ent")),
        ("name-upper-case", "a name in capitals", stored("MAPS/E1M1.ENT")),
        ("name-not-utf8", "names in Latin-1 and in Shift-JIS", Build::quake().stored(b"m\xFCnze.wav", b"RIFF").stored(b"\x93\x81.ent", b"{}")),
        ("name-utf8", "names in UTF-8", Build::quake().stored("münze.wav", b"RIFF").stored("刀.ent", b"{}")),
        ("name-spaces", "spaces within a name", stored("my maps/my map.ent")),
        ("name-without-extension", "names without an extension, and one of one letter", stored("readme").stored("x", b"x")),
        ("name-begins-with-a-dot", "a file that Unix hides", stored("maps/.hidden")),
        ("duplicates", "one name thrice, each with its own content", Build::quake().stored("a.cfg", b"first").stored("b.cfg", b"other").stored("a.cfg", b"second").stored("a.cfg", b"third")),
        ("duplicates-alike", "one name twice, with one content in two places", Build::quake().stored("a.cfg", b"same").stored("a.cfg", b"same")),
        ("duplicates-by-case", "names that differ in case only", Build::quake().stored("maps/a.ent", b"lower").stored("MAPS/A.ENT", b"upper").stored("Maps/A.ent", b"both")),
        ("duplicates-by-separator", "names that differ in their separators only", Build::quake().stored("maps/a.ent", b"slash").stored(r"maps\a.ent", b"backslash")),
    ];
    rows
}

/// Numbers of a record.
fn records() -> Vec<Row> {
    let wav = || Build::daikatana().stored("sound/hit.wav", b"RIFF....WAVE");
    let tga = || files(Build::daikatana(), 1).packed("skins/a.tga", &[7; 300]);
    #[rustfmt::skip]
    let rows = vec![
        ("stored-packed-size-0", "a stored file whose packed size is 0, as third-party packers write it", wav().packed_size(0).stored("a.cfg", b"bind").packed_size(0)),
        ("stored-packed-size-repeated", "a stored file whose packed size is its size, as the original packer writes it", wav()),
        ("stored-packed-size-wrong", "a stored file whose packed size is anything", wav().packed_size(0xCCCC_CCCC)),
        ("flag-2", "a compressed file with 2 for its flag", tga().flag(2)),
        ("flag-all-ones", "a compressed file with all bits of its flag set", tga().flag(u32::MAX)),
        ("compressed-sound", "a compressed sound, which the game refuses", files(Build::daikatana(), 1).packed("sound/hum.wav", &[0; 200])),
        ("compressed-larger", "a compressed file that is larger than what it holds", files(Build::daikatana(), 1).stream("skins/a.tga", Tokens::new().letters(5).end())),
        ("compressed-most", "a compressed file of 65 bytes for each byte of its stream, but for the end", files(Build::daikatana(), 1).stream("skins/black.tga", (0..50).fold(Tokens::new(), |tokens, _| tokens.zeros(65)).end())),
    ];
    rows
}

/// What is in a stream.
fn streams() -> Vec<Row> {
    let one = || files(Build::daikatana(), 1);
    let tokens = Tokens::new;
    let skipped = || tokens().letters(4).reserved().letters(4).end();
    let copied = || tokens().letters(64).reserved_copy(64).end();
    let copied_late = || {
        (0..800)
            .fold(tokens(), |t, _| t.letters(64))
            .reserved_copy(64)
            .end()
    };
    let either = || tokens().text(65).reserved().literal(&[0xFF; 64]).end();
    #[rustfmt::skip]
    let rows = vec![
        ("reserved-skipped", "0xfe in a stream that is sound if it is skipped, as the game does", one().stream("skins/a.tga", skipped())),
        ("reserved-copied", "0xfe in a stream that is sound if it copies 64 bytes, as one packer means it", one().stream_read_as(Reserved::Copy, "skins/a.tga", copied())),
        ("reserved-copied-late", "the same behind more bytes than are read at once", one().stream_read_as(Reserved::Copy, "skins/a.tga", copied_late())),
        ("reserved-either", "0xfe in a stream that is sound either way, and no other: skipped", one().stream("skins/a.tga", either())),
        ("reserved-copies-all", "0xfe in two streams that are sound only as copies, and in one that is sound either way: a copy, too", [copied(), copied_late(), either()].into_iter().zip(["a", "b", "c"]).fold(one(), |build, (tokens, name)| build.stream_read_as(Reserved::Copy, format!("skins/{name}.tga"), tokens))),
        ("reserved-disagree", "0xfe in a stream that is sound only if it is skipped, in two that are sound only as copies, and in one that is sound either way: as most", one().stream("skins/a.tga", skipped()).stream_read_as(Reserved::Copy, "skins/b.tga", copied()).stream_read_as(Reserved::Copy, "skins/c.tga", copied_late()).stream_read_as(Reserved::Copy, "skins/d.tga", either())),
        ("reserved-tie", "0xfe in a stream that is sound only if it is skipped, in one that is sound only as a copy, and in one that is sound either way: skipped", one().stream("skins/a.tga", skipped()).stream_read_as(Reserved::Copy, "skins/b.tga", copied()).stream("skins/c.tga", either())),
        ("end-missing", "a stream that is complete but for its end marker", one().stream("skins/a.tga", tokens().letters(4).copy(4, 4))),
        ("bytes-after-the-end", "bytes behind a stream's end marker", one().stream("skins/a.tga", tokens().letters(4).copy(4, 4).end().raw(b"tail"))),
        ("copies-overlap", "copies longer than their distance, which some readers decode wrongly", one().stream("skins/a.tga", tokens().letters(3).copy(63, 3).copy(40, 2).end())),
    ];
    rows
}

/// This many files of the kinds that the layout has, each with a content of its own.
fn files(build: Build, count: usize) -> Build {
    let daikatana = build.layout == Format::Daikatana;
    (0..count).fold(build, |build, i| {
        let content = ramp(40 + 13 * i);
        match i % 3 {
            1 if daikatana => build.packed(format!("skins/s{i}.tga"), &vec![b'0'; 100 + i]),
            1 => build.stored(format!("skins/s{i}.tga"), &content),
            2 => build.stored(
                format!("maps/m{i}.ent"),
                format!("{{ map {i} }}\n").as_bytes(),
            ),
            _ => build.stored(format!("sound/w{i}.wav"), &content),
        }
    })
}

/// The five types that may be compressed and some that may not.
fn mixed() -> Build {
    let content = ramp(200).repeat(2);
    let types = ["tga", "wav", "bmp", "cfg", "wal", "pcx", "dkm", "bsp"];
    types
        .into_iter()
        .fold(Build::daikatana(), |build, kind| match kind {
            "wav" | "cfg" | "dkm" => build.stored(format!("x/y.{kind}"), &content),
            _ => build.packed(format!("x/y.{kind}"), &content),
        })
}

fn all_stored(count: usize) -> Build {
    (0..count).fold(Build::daikatana(), |build, i| {
        build.stored(format!("sound/w{i}.wav"), &ramp(30 + i))
    })
}

fn short_names(count: usize) -> Build {
    (0..count).fold(Build::quake(), |build, i| {
        build.stored(format!("m{i}"), &ramp(10 + i))
    })
}

fn garbage(count: usize) -> Build {
    (0..count).fold(all_stored(0), |build, i| {
        let build = build.stored(format!("s/{i}.wav"), &ramp(20 + i));
        build.garbage(b"leaked/memory/with/names/in/it/maps.bsp")
    })
}

fn empty_files(count: usize) -> Build {
    (0..count).fold(Build::daikatana(), |build, i| {
        build.stored(format!("cfg/{i}.cfg"), b"").offset(0)
    })
}

fn aligned() -> Build {
    (1..=4).fold(Build::quake(), |build, i| {
        let build = build.stored(format!("gfx/{i}.lmp"), &ramp(16 + i));
        build.dead(&vec![0; (4 - i) % 4])
    })
}

fn ramp(len: usize) -> Vec<u8> {
    (1..=251).cycle().take(len).collect()
}
