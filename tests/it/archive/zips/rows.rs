//! The ZIPs of the corpus, each with one thing that readers trip over.

use super::Row;
use super::build::{Entry, Zip, deflate};

const TEXT: &[u8] = b"bind w +forward\nbind s +back\n";

/// A stored and a deflated file, sound.
fn good() -> Zip {
    Zip::new()
        .stored("sound/good.ogg", b"OggS")
        .deflated("maps/good.bsp", &[7; 1300])
}

/// A good archive, and one entry more that is to be made odd.
fn with_text() -> Zip {
    good().deflated("default.cfg", TEXT)
}

/// The good archive, and an entry with a payload of Deflate64.
fn deflate64(payload: &[u8], content: &[u8]) -> Zip {
    let zip = good().stored("maps/far.bsp", content).payload(payload);
    zip.both(|it| (it.method, it.packed) = (9, payload.len() as u64))
}

/// The bits of a deflated stream.
#[derive(Default)]
struct Bits(Vec<bool>);

impl Bits {
    /// A number, its lowest bit first.
    fn number(mut self, value: u32, len: u32) -> Self {
        self.0.extend((0..len).map(|bit| value >> bit & 1 == 1));
        self
    }

    /// A Huffman code, its highest bit first.
    fn code(mut self, value: u32, len: u32) -> Self {
        self.0
            .extend((0..len).rev().map(|bit| value >> bit & 1 == 1));
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let byte = |bits: &[bool]| (0..).zip(bits).map(|(at, &bit)| u8::from(bit) << at).sum();
        self.0.chunks(8).map(byte).collect()
    }
}

/// A stream of Deflate64 by its definition (PKWARE's appnote 5.5), and its content: a text, 40,000 copies of its last
/// byte, and the text again. Deflate has neither lengths above 258 nor distances above 32,768.
fn far_and_long() -> (Vec<u8>, Vec<u8>) {
    let (len, run) = (TEXT.len() as u32, 40_000);
    let mut bits = Bits::default().number(1, 1).number(1, 2); // the last block, with fixed codes
    for byte in TEXT {
        bits = bits.code(0x30 + u32::from(*byte), 8);
    }
    // Code 285 has a length of 3 and 16 more bits, and code 30 a distance of 32,769 and 14 more bits.
    bits = bits.code(0b1100_0101, 8).number(run - 3, 16).code(0, 5);
    bits = bits.code(0b1100_0101, 8).number(len - 3, 16);
    bits = bits.code(30, 5).number(len + run - 32_769, 14);
    let end = bits.code(0, 7);
    let run = vec![b'\n'; run as usize];
    (end.bytes(), [TEXT, &run, TEXT].concat())
}

#[rustfmt::skip]
pub(super) fn sound() -> Vec<Row> {
    let zip = |zip: Zip| zip.stored("last.cfg", b"end");
    let end_like = b"PK\x05\x06\0\0\0\0\x01\0\x01\0\x2e\0\0\0\0\0\0\0\0\0";
    vec![
        ("plain.pk3", "a stored and a deflated file", good()),
        ("empty.pk3", "an end record and nothing else", Zip::new()),
        ("descriptor.pk3", "sizes behind the payload, as what is written into a pipe has them", zip(with_text().descriptor(true))),
        ("descriptor-without-magic.pk3", "sizes behind the payload, and nothing before them", zip(with_text().descriptor(false))),
        ("descriptor-stored.zip", "sizes behind a stored payload", zip(good().stored("a.cfg", TEXT).descriptor(true))),
        ("large-end.pk3", "the larger end record of ZIP64", good().large()),
        ("large-sizes.pk3", "sizes in the extra fields of ZIP64", zip(with_text().both(|it| it.large = true))),
        ("extra-fields.pk3", "extra fields that mean nothing here", zip(with_text().both(|it| it.extra = b"UT\x05\0\x01abcd".to_vec()))),
        ("before.zip", "bytes before the ZIP that its offsets do not count", good().before(b"#!/bin/sh\nexit\n", false)),
        ("before-counted.zip", "bytes before the ZIP that its offsets count", good().before(b"#!/bin/sh\nexit\n", true)),
        ("behind.pk3", "bytes behind the ZIP", good().behind(&[0x2A; 100])),
        ("comment.pk3", "a comment", good().comment(b"made with care")),
        ("comment-like-an-end.pk3", "a comment that looks like an end record of another directory", good().comment(end_like)),
        ("behind-like-an-end.pk3", "the beginning of an end record behind the ZIP", good().behind(&end_like[..12])),
        ("folders.pk3", "folders, which are no entries", good().folder("maps/").folder("sound\\").stored("last.cfg", TEXT)),
        ("empty-files.pk3", "an empty file, stored, and one deflated", zip(good().stored("a.txt", b"").deflated("b.txt", b""))),
        ("duplicates.pk3", "three entries of one name, and one that differs in case", good().stored("a.cfg", b"1").deflated("a.cfg", b"22").stored("a.cfg", b"333").stored("A.CFG", b"4444")),
        ("backslashes.pk3", "a name with the other separator", good().stored("scripts\\a.cfg", TEXT)),
        ("names-in-utf8.pk3", "a name that is flagged as UTF-8", good().stored("größe.cfg", TEXT).both(|it| it.flags |= 1 << 11)),
        ("names-in-cp437.pk3", "a name in the letters of DOS", good().stored(b"gr\x94\xe1e.cfg", TEXT)),
        ("links.pk3", "symbolic links: beside, up, to a link, and to a name that differs in case", with_text()
            .link("autoexec.cfg", "default.cfg", Ok(TEXT)).link("maps/a.cfg", "../default.cfg", Ok(TEXT))
            .link("maps/b.cfg", "./a.cfg", Ok(TEXT)).link("c.cfg", "DEFAULT.cfg", Ok(TEXT))),
        ("comment-cut.pk3", "a comment of which bytes are missing", good().comment(b"made with care").cut(3)),
        ("folders-by-attribute.pk3", "folders that only their attributes tell", good().folder("maps").change(|it| it.central.attributes = 0x10).folder("sound").change(|it| it.central.mode = 0o040_755).stored("maps/a.cfg", TEXT)),
        ("local-flags.pk3", "a local header that says that its name is UTF-8", with_text().change(|it| it.local.flags = 1 << 11)),
        ("descriptor-with-lies.pk3", "sizes behind the payload, and wrong ones before it", zip(with_text().descriptor(true).change(|it| it.local.size = 7))),
        ("local-name.pk3", "another name in the local header, which nobody reads", with_text().change(|it| it.local.name = b"another.cfg".to_vec())),
        ("local-size.pk3", "a local header with another size", zip(with_text().change(|it| it.local.size -= 1))),
        ("local-packed-size.pk3", "a local header with another packed size", zip(with_text().change(|it| it.local.packed -= 1))),
        ("local-sum.pk3", "a local header with another CRC-32", zip(with_text().change(|it| it.local.crc32 ^= 1))),
        ("count-too-small.pk3", "an end record that counts fewer entries than there are", good().end(8, &[1, 0, 1, 0])),
        ("kind-app.obb", "an Android app with a game in it", Zip::new().stored("AndroidManifest.xml", b"manifest").stored("classes.dex", b"dex").deflated("assets/maps/a.bsp", &[7; 1300])),
        ("kind-jar.zip", "a Java archive", Zip::new().folder("META-INF/").stored("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\n").deflated("Main.class", &[7; 1300])),
        ("kind-jar-of-a-game.pk3", "a game's files packed by Java's program, which leaves its manifest", Zip::new().stored("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\n").deflated("maps/a.bsp", &[7; 1300])),
        ("kind-office.zip", "a text of an office program", Zip::new().stored("mimetype", b"application/vnd.oasis.opendocument.text").deflated("content.xml", TEXT).deflated("META-INF/manifest.xml", TEXT)),
        ("deflate64.zip", "an entry that is compressed by Deflate64, with a length and a distance that deflate does not have", zip(deflate64(&far_and_long().0, &far_and_long().1))),
        ("method-of-an-empty-stream.pk3", "bytes behind the end of a deflated stream", zip(with_text().payload(&[deflate(TEXT), vec![0; 3]].concat()).both(|it| it.packed += 3))),
    ]
}

#[rustfmt::skip]
pub(super) fn broken() -> Vec<Row> {
    let flawed = |zip: Zip| zip.fails("flawed").stored("last.cfg", b"end");
    let damaged = |payload: &[u8], size: u64| {
        let len = payload.len() as u64;
        let zip = with_text().payload(payload);
        zip.both(|it| (it.packed, it.size) = (len, size)).fails("damaged").stored("last.cfg", b"end")
    };
    let huge = |entry: &mut Entry| {
        (entry.central.size, entry.central.packed) = (u64::MAX, u64::MAX);
        entry.central.large = true;
    };
    let size = TEXT.len() as u64;
    let stream = deflate(TEXT);
    let (stream64, content64) = far_and_long();
    let name = |name: &[u8]| good().stored(name, TEXT);
    vec![
        ("encrypted.pk3", "an entry that needs a password", flawed(with_text().both(|it| it.flags |= 1))),
        ("method-bzip2.pk3", "an entry that is compressed by bzip2", flawed(with_text().both(|it| it.method = 12))),
        ("deflate64-cut.pk3", "a stream of Deflate64 that is cut", deflate64(&stream64[..stream64.len() - 2], &content64).fails("damaged").stored("last.cfg", b"end")),
        ("deflate64-codes.pk3", "a stream of Deflate64 whose codes make no sense", deflate64(&[7; 29], &content64).fails("damaged").stored("last.cfg", b"end")),
        ("deflate64-too-short.pk3", "a stream of Deflate64 that ends before the size is reached", deflate64(&stream64, &content64).both(|it| it.size += 1).fails("damaged").stored("last.cfg", b"end")),
        ("deflate64-too-long.pk3", "a stream of Deflate64 that goes on behind the size", deflate64(&stream64, &content64).both(|it| it.size -= 1).fails("damaged").stored("last.cfg", b"end")),
        ("deflate64-sum.pk3", "an entry of Deflate64 that does not sum up", deflate64(&stream64, &content64).both(|it| it.crc32 ^= 1).fails("wrong-sum").stored("last.cfg", b"end")),
        ("local-missing.pk3", "something else where a local header should be", flawed(with_text().spoil_local())),
        ("local-method.pk3", "a local header with another method", flawed(with_text().change(|it| it.local.method = 0))),
        ("stored-sizes.pk3", "a stored file whose two sizes differ", flawed(good().stored("a.cfg", TEXT).both(|it| it.size -= 1))),
        ("sum-stored.pk3", "a stored file that does not sum up", good().stored("a.cfg", TEXT).payload(&[b'x'; 29]).fails("wrong-sum")),
        ("sum-deflated.pk3", "a deflated file that does not sum up", with_text().both(|it| it.crc32 ^= 1).fails("wrong-sum")),
        ("stream-codes.pk3", "a stream whose codes make no sense", damaged(&[7; 29], size)),
        ("stream-cut.pk3", "a stream that is cut", damaged(&stream[..stream.len() - 2], size)),
        ("stream-too-short.pk3", "a stream that ends before the size is reached", damaged(&stream, size + 1)),
        ("stream-too-long.pk3", "a stream that goes on behind the size", damaged(&stream, size - 1)),
        ("size-impossible.pk3", "a size of more than 1,032 bytes for each byte of the stream", with_text().both(|it| it.size = 1032 * it.packed + 1).fails("impossible")),
        ("payload-outside.pk3", "a payload that ends outside the file", with_text().both(|it| it.packed = 9999).fails("outside")),
        ("link-to-nothing.pk3", "a symbolic link that leads nowhere", good().link("a.cfg", "b.cfg", Err("flawed"))),
        ("link-damaged.pk3", "a symbolic link that does not sum up", with_text().link("a.cfg", "default.cfg", Err("wrong-sum")).both(|it| it.crc32 = 9)),
        ("link-outside.pk3", "symbolic links that lead out of the archive", good().link("a.cfg", "../../etc/passwd", Err("flawed")).link("b.cfg", "/etc/passwd", Err("flawed"))),
        ("link-in-a-circle.pk3", "symbolic links that lead to each other", good().link("a.cfg", "b.cfg", Err("flawed")).link("b.cfg", "a.cfg", Err("flawed"))),
        ("end-missing.pk3", "a ZIP that is cut before its end record", good().cut(22).refused("no-end")),
        ("end-cut.pk3", "an end record of which a byte is missing", good().cut(1).refused("no-end")),
        ("end-elsewhere.pk3", "an end record that puts the directory where there is none", good().end(12, &[9, 0, 0, 0]).refused("no-directory")),
        ("split.pk3", "the last part of a ZIP that was split, with none of its files", good().end(4, &[2, 0, 2, 0]).fails_all("flawed")),
        ("split-elsewhere.pk3", "the last part of a ZIP that was split, with none of its directory", good().end(4, &[2, 0, 1, 0]).end(12, &[0, 0, 1, 0, 0, 0, 1, 0]).refused("split")),
        ("disk.pk3", "an entry that lies in another part of a split ZIP", flawed(with_text().change(|it| it.central.disk = 1))),
        ("offset-huge.pk3", "an entry that lies nowhere", flawed(with_text().change(|it| it.far = true))),
        ("size-of-all-bits.pk3", "two entries whose sizes have 64 bits, all set", good().deflated("a.cfg", TEXT).change(huge).fails("outside").deflated("b.cfg", TEXT).change(huge).fails("outside").stored("last.cfg", b"end")),
        ("local-encrypted.pk3", "a local header that says that the file is encrypted", flawed(with_text().change(|it| it.local.flags = 1))),
        ("sum-of-nothing.pk3", "empty files, stored and deflated, that do not sum up", good().stored("a.txt", b"").both(|it| it.crc32 = 9).fails("wrong-sum").deflated("b.txt", b"").both(|it| it.crc32 = 9).fails("wrong-sum")),
        ("hidden.pk3", "a content where the size says that there is none", with_text().both(|it| (it.size, it.crc32) = (0, 0)).fails("damaged")),
        ("name-parent.pk3", "a name that leads upwards", name(b"../../etc/passwd")),
        ("name-absolute.pk3", "a name from the root on", name(b"/etc/passwd")),
        ("name-drive.pk3", "a name with a drive", name(b"c:/autoexec.bat")),
        ("name-with-nul.pk3", "a name with a NUL in it", name(b"a\0b.cfg")),
        ("name-terminal.pk3", "a name that steers a terminal", name(b"\x1b[2J\x9b.cfg")),
        ("name-empty.pk3", "an entry without a name", name(b"")),
    ]
}
