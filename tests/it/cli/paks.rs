//! The paks that the verbs are run on, put together byte by byte.

use super::Dir;
use crate::archive::build::{Entry, Pak};
use crate::codec::tokens::literals;

/// A name that would clear a screen, forge a line, and turn the reading direction round.
pub(crate) const EVIL: &[u8] = b"e\x1b[2J\n\xe2\x80\xae.cfg";

/// What is in [`daikatana`] and [`quake`], in order.
pub(crate) fn contents() -> Vec<(&'static [u8], Vec<u8>)> {
    vec![
        (b"skins/black.tga", vec![0; 195]),
        (b"maps/e1m1.bsp", b"level".repeat(300)),
        (b"default.cfg", b"bind w +forward\n".to_vec()),
        (EVIL, b"x".to_vec()),
        (b"b\xe4r.wav", Vec::new()),
        (b"default.cfg", b"second\n".to_vec()),
        (b"maps\\old.bsp", b"old".to_vec()),
    ]
}

/// As streams: zero runs, literals, and one without its end marker.
pub(crate) fn daikatana() -> Vec<u8> {
    let mut pak = Pak::new();
    for (name, content) in contents() {
        pak = match name {
            b"skins/black.tga" => packed(pak, name, &content, b"\x7f\x7f\x7f\xff"),
            b"maps/e1m1.bsp" => packed(pak, name, &content, &literals(&content)),
            b"maps\\old.bsp" => packed(pak, name, &content, b"\x02old"),
            _ => pak.stored(name, &content),
        };
    }
    pak.daikatana()
}

pub(crate) fn quake() -> Vec<u8> {
    let all = contents().into_iter();
    all.fold(Pak::new(), |pak, (name, content)| pak.stored(name, &content)).quake()
}

/// Sound entries around what is damaged in each way; the two of the name `shared.tga` have one
/// payload.
pub(crate) fn damaged() -> Vec<u8> {
    let mut pak = packed(Pak::new(), b"first.tga", &[0; 195], b"\x7f\x7f\x7f\xff");
    pak = packed(pak, b"short.tga", b"abcd", b"\x02abc\xff");
    let offset = pak.payload(b"\xc0\x00\xff");
    for name in ["shared.tga", "shared.tga"] {
        pak = pak.entry(entry(name.as_bytes(), offset, 2, Some((3, 1))));
    }
    pak = pak.entry(entry(b"outside.wav", 60_000, 1000, None));
    pak = pak.entry(entry(b"bomb.tga", 12, 4_000_000_000, Some((4, 1))));
    // Damaged whether 0xFE is skipped or a copy of 64 bytes.
    pak = packed(pak, b"reserved.tga", &[b'a'; 9], b"\x00a\xfe\x00\x7f\xff");
    pak.stored("last.cfg", "fine\n").daikatana()
}

pub(crate) fn entry(name: &[u8], offset: u32, size: u32, packed: Option<(u32, u32)>) -> Entry {
    let name = name.to_vec();
    Entry { name, offset, size, packed }
}

pub(crate) fn packed(mut pak: Pak, name: &[u8], content: &[u8], stream: &[u8]) -> Pak {
    let offset = pak.payload(stream);
    let size = u32::try_from(content.len()).unwrap();
    let packed = u32::try_from(stream.len()).unwrap();
    pak.entry(entry(name, offset, size, Some((packed, 1))))
}

/// A pak of these files, as Quake has it.
pub(crate) fn pak<N: AsRef<[u8]>, C: AsRef<[u8]>>(files: &[(N, C)]) -> Vec<u8> {
    Pak::of(files).quake()
}

/// A pak of so many entries, `f0` and on.
pub(crate) fn many(count: usize, content: &str) -> Pak {
    (0..count).fold(Pak::new(), |pak, n| pak.stored(format!("f{n}"), content))
}

/// CRC-32 bit by bit, as its definition has it.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = !0_u32;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 * (crc & 1));
        }
    }
    !crc
}

/// An archive of each format that is written, of the same two files.
pub(super) fn of_each_format(dir: &Dir) -> [&'static str; 7] {
    dir.file("files/a.lmp", b"first");
    dir.file("files/b.lmp", b"second".repeat(9));
    let all = [
        ("q.pak", "quake"),
        ("d.pak", "daikatana"),
        ("s.sin", "sin"),
        ("h.pak", "hrot"),
        ("two.wad", "wad2"),
        ("three.wad", "wad3"),
        ("z.pk3", "pk3"),
    ];
    for (archive, format) in all {
        dir.ok(format!("create files -o {archive} --to {format}"));
    }
    all.map(|(archive, _)| archive)
}
