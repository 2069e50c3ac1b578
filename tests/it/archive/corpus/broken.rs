//! `corpus/paks/broken`: what must be reported and must harm nothing else. Where single entries are
//! damaged, or have names that no file may have, the others come out.

use super::Row;
use super::build::Build;
use crate::codec::build::Build as Tokens;

pub(super) fn rows() -> Vec<Row> {
    [files(), directories(), extents(), streams(), names()].concat()
}

/// Files that are no paks.
fn files() -> Vec<Row> {
    let short = |len| good(Build::quake()).cut(len).refused("too-short");
    let magic = |magic| good(Build::quake()).magic(magic);
    let relative = |name| magic(name).refused("relative");
    #[rustfmt::skip]
    let rows = vec![
        ("file-empty", "no byte at all", short(0)),
        ("file-too-short", "a header of which four bytes are missing", short(8)),
        ("file-of-another-magic", "another magic, with bytes in it that steer a terminal", magic(*b"\x1b[2J").refused("no-pak")),
        ("file-doom", "the magic of Doom's archives", relative(*b"IWAD")),
        ("file-zip", "the magic of a ZIP archive, as PK3 files are, and no end record", magic(*b"PK\x03\x04").refused("no-end")),
        ("file-blood", "the magic of Blood's archives", relative(*b"RFF\x1A")),
        ("file-gzip", "the magic of a gzip file", relative(*b"\x1F\x8B\x08\x00")),
    ];
    rows
}

/// The file is cut, or the directory damaged.
fn directories() -> Vec<Row> {
    let quake = || good(Build::quake());
    let daikatana = || good(Build::daikatana());
    let missing = "no-directory";
    #[rustfmt::skip]
    let rows = vec![
        ("cut-in-a-payload", "the directory first, and the file cut in the last payload", good(Build::daikatana().directory_here()).fails("outside").cut_end(10)),
        ("cut-in-all-payloads", "the directory first, and the file cut right behind it", many(Build::quake().directory_here(), 5).all_fail("outside").cut(12 + 5 * 64)),
        ("cut-in-the-directory-quake", "the file cut in the third of three records", quake().cut_end(60).loses(1)),
        ("cut-in-the-directory-daikatana", "the file cut in the third of three records", daikatana().cut_end(60).loses(1)),
        ("cut-in-the-directory-both-divide", "the file cut in the third of eight records, whose length divides both ways", many(Build::daikatana(), 8).cut_end(5 * 72 + 10).loses(6)),
        ("cut-before-the-directory", "the file cut before the directory", quake().cut_end(3 * 64).refused(missing)),
        ("cut-behind-the-header", "a header and nothing else", quake().cut(12).refused(missing)),
        ("directory-over-the-header", "the directory is the first 64 bytes, so that the magic is a name", over_the_header()),
        ("directory-far-away", "the directory lies behind the end", quake().claim_directory_offset(u32::MAX).refused(missing)),
        ("directory-too-long", "the directory's length is as large as can be", quake().claim_directory_len(u32::MAX)),
        ("directory-of-a-part", "three bytes more than whole records: the length divides by neither", quake().directory_tail(b"\0\0\0")),
        ("directory-of-less-than-one", "a directory of ten bytes", quake().claim_directory_len(10).refused(missing)),
        ("directory-of-noise", "a directory that is no directory in either layout", noise()),
        ("directory-length-of-the-other", "a length that says Quake, over records that say Daikatana", many(Build::daikatana(), 9).claim_directory_len(640).loses(1)),
        ("records-overwritten", "two records of 24 overwritten with noise", overwritten()),
    ];
    rows
}

/// A record's numbers cannot be.
fn extents() -> Vec<Row> {
    let quake = || good(Build::quake()).stored("last.wav", b"RIFF");
    let daikatana = || good(Build::daikatana()).packed("skins/b.tga", &[9; 500]);
    #[rustfmt::skip]
    let rows = vec![
        ("extent-past-the-end", "a payload that begins in the file and ends outside", quake().size(4000).fails("outside")),
        ("extent-behind-the-end", "a payload that begins outside the file", quake().offset(100_000).fails("outside")),
        ("extent-of-overflow", "offset and size that are more than 32 bits together", quake().offset(u32::MAX).size(u32::MAX).fails("outside")),
        ("extent-of-a-stream-past-the-end", "a stream that is said to be longer than the file", daikatana().packed_size(90_000).fails("outside")),
        ("extent-over-the-header", "a payload that begins with the header, and can be read", quake().offset(0).comes(b"PACK")),
        ("extent-over-the-directory", "a payload that reaches into the directory, and can be read", over_directory()),
        ("size-impossible", "a size of more than 65 bytes for each byte of the stream", good(Build::daikatana()).stream("skins/b.tga", Tokens::new().zeros(65).zeros(65).end()).size(3 * 65 + 1).fails("impossible")),
        ("size-huge", "a size of four gigabytes from a stream of a few bytes", daikatana().size(u32::MAX).fails("impossible")),
        ("size-without-a-stream", "a compressed file with a size and no stream", daikatana().packed_size(0).fails("impossible")),
        ("size-one-too-large", "a size one byte larger than what the stream holds", daikatana().size(501).fails("damaged")),
        ("size-one-too-small", "a size one byte smaller than what the stream holds", daikatana().size(499).fails("damaged")),
        ("packed-size-one-too-small", "a stream whose end is not counted, which is sound, and its last byte read by nobody", daikatana().packed_size(number_of_packed() - 1)),
        ("packed-size-two-too-small", "a stream whose last token is cut", daikatana().packed_size(number_of_packed() - 2).fails("damaged")),
        ("flag-lies", "a stored file that is said to be compressed", daikatana().stored("last.wav", &[0x3F; 40]).flag(1).fails("damaged")),
    ];
    rows
}

/// A stream is damaged.
fn streams() -> Vec<Row> {
    let stream = |tokens: Tokens, size| {
        let build = good(Build::daikatana()).stream("skins/b.tga", tokens);
        build.size(size).fails("damaged").stored("last.cfg", b"end")
    };
    let new = Tokens::new;
    #[rustfmt::skip]
    let rows = vec![
        ("stream-copy-before-the-start", "a copy from before the start", stream(new().letters(4).copy(10, 5).end(), 14)),
        ("stream-cut", "a stream that ends within a token", stream(new().letters(30).cut(10), 30)),
        ("stream-ends-too-soon", "an end marker before the size is reached", stream(new().letters(30).end(), 40)),
        ("stream-goes-on", "a token more than the size has room for", stream(new().letters(30).zeros(10).end(), 30)),
        ("stream-is-empty", "an end marker and nothing else, for a file of ten bytes", stream(new().end(), 10)),
        ("stream-reserved-in-neither", "0xfe in a stream that is damaged in either reading", neither()),
    ];
    rows
}

/// Names that no file may have. The container reads them all; extracting is what they are for.
fn names() -> Vec<Row> {
    let name = |name: &str| good(Build::quake()).stored(name, b"hostile");
    #[rustfmt::skip]
    let rows = vec![
        ("name-parent", "a name that leads upwards", name("../../etc/passwd")),
        ("name-parent-by-backslashes", "a name that leads upwards on Windows", name(r"maps\..\..\..\autoexec.bat")),
        ("name-absolute", "a name from the root on", name("/etc/passwd")),
        ("name-drive", "a name with a drive", name("c:/autoexec.bat")),
        ("name-drive-relative", "a name with a drive, relative to where that is", name("c:autoexec.bat")),
        ("name-unc", "a name on another machine", name(r"\\server\share\a.cfg")),
        ("name-device", "devices of Windows, with and without extensions", name("con").stored("maps/NUL.txt", b"hostile").stored("lpt1.tar.gz", b"hostile")),
        ("name-control", "control bytes in a name", name("maps/\x07bell\n.ent")),
        ("name-terminal", "a name that clears the screen", name("\x1b[2J\x1b[1;1Hdone")),
        ("name-bidi", "a name that turns the reading direction round", name("maps/\u{202e}tne.exe")),
        ("name-empty", "no name", name("")),
        ("name-empty-all", "eight empty files without a name, which as Daikatana's would be as long as nine of Quake's", (0..8).fold(Build::quake(), |build, _| build.stored("", b""))),
        ("name-dot", "a name that is the folder itself", name("./.")),
        ("name-empty-part", "two separators in a row, and one at the end", name("maps//a.ent").stored("maps/", b"hostile")),
        ("name-trailing", "dots and spaces at the end, which Windows drops", name("maps/a.ent. ").stored("maps /b.ent", b"hostile")),
        ("name-stream", "a hidden stream of a file on NTFS", name("maps/a.ent:hidden")),
        ("name-wildcards", "characters that Windows takes in no name", name("maps/*.ent").stored("what?", b"hostile")),
        ("name-file-and-folder", "a file that is also the folder of another", Build::quake().stored("maps", b"a file").stored("maps/e1m1.ent", b"{}")),
        ("name-file-and-folder-by-case", "the same where case does not count", Build::quake().stored("maps/e1m1.ent", b"{}").stored("MAPS", b"a file")),
    ];
    rows
}

/// Two stored files and one that is compressed where it can be: what must come out beside damage.
fn good(build: Build) -> Build {
    build
        .stored("sound/good.wav", b"RIFF good")
        .stored("maps/good.ent", b"{ good }\n")
        .stored("skins/good.tga", b"a picture, which stands last")
}

fn many(build: Build, count: usize) -> Build {
    (0..count).fold(build, |build, i| {
        build.stored(format!("sound/w{i}.wav"), &vec![b'0'; 50 + i])
    })
}

/// Two records lost under noise that makes sense in neither layout.
fn overwritten() -> Build {
    let noise: Vec<u8> = (0..72_u8).map(|i| 0x80 | i.wrapping_mul(37)).collect();
    many(Build::daikatana().directory_here(), 24)
        .overwrite_record(4, &noise)
        .overwrite_record(12, &noise)
}

fn noise() -> Build {
    let build = many(Build::quake().directory_here(), 9);
    build.overwrite(12, &[3; 9 * 64]).refused("undecided")
}

/// The record's numbers are those of the payload's last eight bytes.
fn over_the_header() -> Build {
    let mut payload = b"the name's field ends with this, and then:  ".to_vec();
    payload.extend(12_u32.to_le_bytes());
    payload.extend(8_u32.to_le_bytes());
    Build::quake()
        .stored("PACK", &payload)
        .offset(12)
        .size(8)
        .comes(b"the name")
        .claim_directory_offset(0)
}

fn over_directory() -> Build {
    let build = Build::daikatana()
        .stored("sound/good.wav", b"RIFF")
        .stored("maps/good.ent", b"{}");
    build
        .stored("over.dat", b"abcd")
        .size(9)
        .comes(b"abcdsound")
}

/// Skipped, the stream writes 65 bytes; as a copy it reaches before the start.
fn neither() -> Build {
    let tokens = Tokens::new().letters(64).reserved().letters(1).end();
    let build = good(Build::daikatana()).stream("skins/b.tga", tokens);
    let build = build.size(100).fails("unreadable");
    build.stored("last.cfg", b"end")
}

/// How long the stream of 500 equal bytes is.
fn number_of_packed() -> u32 {
    u32::try_from(super::packer::pack(&[9; 500]).len()).unwrap()
}
