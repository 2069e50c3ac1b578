//! Headers and directories that lie: numbers at every edge, alone and together.
//!
//! What should come of a record is judged here by two lines of arithmetic in 64 bits, and compared
//! with what the command says and does.

use super::*;

/// The edges of 32 bits: negative ones, too, where somebody reads a number as signed.
const EDGES: [u32; 8] =
    [0, 1, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fff4, 0xffff_fffe, u32::MAX];

/// Offset, size, and for a stream its packed size and flag.
type Numbers = (u32, u32, Option<(u32, u32)>);

/// Entries with these numbers beside a sound one at each end. `extents` gets the length of the pak,
/// because numbers around its end are edges, too.
fn lying(extents: impl Fn(u32) -> Vec<Numbers>, daikatana: bool) -> Pak {
    let record = if daikatana { 72 } else { 64 };
    let count = extents(0).len() as u32 + 2;
    let len = 12 + 8 + count * record;
    let mut pak = Pak::new().stored("first", b"good");
    for (n, (offset, size, packed)) in extents(len).into_iter().enumerate() {
        pak = pak.entry(Entry { name: format!("e{n}").into_bytes(), offset, size, packed });
    }
    pak.stored("last", b"fine")
}

/// Whether the payload of a record can be in the file.
fn possible(entry: &Entry, len: u64) -> bool {
    let stored = match entry.packed {
        Some((packed, flag)) if flag != 0 => packed,
        _ => entry.size,
    };
    entry.size == 0 || u64::from(entry.offset) + u64::from(stored) <= len
}

/// Runs the verbs over a pak of stored entries and compares with what should come of each.
#[track_caller]
fn judged(pak: Pak, daikatana: bool) {
    let entries = pak.entries.clone();
    let bytes = if daikatana { pak.daikatana() } else { pak.quake() };
    let len = bytes.len() as u64;
    let good = |entry: &Entry| possible(entry, len);
    let content = |entry: &Entry| match entry.size {
        0 => &[][..],
        size => &bytes[entry.offset as usize..][..size as usize],
    };
    let bad = entries.iter().filter(|entry| !good(entry)).count();
    assert!(bad > 0);
    let mut arena = Arena::with(&bytes);
    for line in ["list p.pak", "list --json p.pak", "info p.pak", "verify p.pak"] {
        arena.run(line).code(1);
    }
    let rows = arena.run("verify --json p.pak").code(1).json();
    for (entry, row) in entries.iter().zip(&rows) {
        assert_eq!(row["status"] != "damaged", good(entry), "{entry:?}");
    }
    let ran = arena.run("extract -v p.pak -C out --max-expansion 1000000").code(1);
    assert_eq!(ran.stderr().matches("error: ").count(), bad, "{ran}");
    let reported = ran.stderr().matches("  --> p.pak: entry ").count();
    assert_eq!(reported, bad, "{ran}");
    arena.assert_only_within(&["work/out"]);
    let files = arena.files("work/out");
    assert_eq!(files.len(), entries.len() - bad);
    for entry in entries.iter().filter(|entry| good(entry)) {
        let name = core::str::from_utf8(&entry.name).unwrap();
        assert!(files[Path::new(name)] == content(entry), "{entry:?}");
    }
    arena.look();
    arena.run("convert p.pak -o q.pak").code(1).err_has("p.pak: entry");
    arena.assert_untouched();
    // What is left of it is what could be read, and is sound.
    let kept = arena.run("convert p.pak -o q.pak --keep-going");
    if kept.is(1) && arena.path("work/q.pak").exists() {
        arena.run("verify q.pak").code(0);
        let rows = arena.run("list --json q.pak").json();
        assert_eq!(rows.len(), entries.len() - bad);
    }
    for (n, entry) in entries.iter().enumerate().step_by(7) {
        let ran = arena.run(&format!("cat p.pak --index {n}"));
        if good(entry) {
            ran.code(0).out(content(entry));
        } else {
            ran.code(1).out("").err_has("p.pak: entry");
        }
    }
}

/// Every offset with every size: among them all whose sum is more than 32 bits hold.
fn pairs(len: u32) -> Vec<Numbers> {
    let edges = || EDGES.into_iter().chain([len - len.min(4), len, len + 1]);
    edges().flat_map(|offset| edges().map(move |size| (offset, size, None))).collect()
}

/// Sums of an offset and a size that overflow 32 bits.
fn overflowing(_len: u32) -> Vec<Numbers> {
    let sums = (1..32_u32).map(|n| (u32::MAX - n + 1, n + 11, None));
    let halves = (0..8).map(|n| (0x8000_0000 + n, 0x8000_0000 + 12 - n, None));
    sums.chain(halves).collect()
}

/// Numbers that are negative if somebody reads them as signed.
fn negative(_len: u32) -> Vec<Numbers> {
    let negative = (1..40_i32).map(|n| (-n).cast_unsigned());
    let numbers = negative.flat_map(|n| [(12, n, None), (n, 4, None), (n, n, None)]);
    numbers.collect()
}

#[test]
fn entries_outside_the_file_are_named_and_left_out() {
    judged(lying(pairs, false), false);
    judged(lying(pairs, true), true);
    judged(lying(overflowing, false), false);
    judged(lying(negative, false), false);
}

/// All four numbers of a Daikatana record.
#[test]
fn streams_with_false_numbers_are_damaged() {
    let extents = |len: u32| {
        let mut extents = Vec::new();
        for offset in [12, len, 0x8000_0000, u32::MAX] {
            for size in [1, 4, 0x7fff_ffff, u32::MAX] {
                for packed in [1, 4, 0x8000_0000, u32::MAX - 11, u32::MAX] {
                    for flag in [1, 2, 0x8000_0000, u32::MAX] {
                        extents.push((offset, size, Some((packed, flag))));
                    }
                }
            }
        }
        extents
    };
    let pak = lying(extents, true);
    let count = pak.entries.len();
    let arena = Arena::with(pak.daikatana());
    arena.run("list p.pak").code(1);
    arena.run("info --json p.pak").code(1);
    let mut rows = arena.run("verify --json p.pak").code(1).json();
    rows.pop_if(|whole| whole.get("index").is_none());
    let sound = rows.iter().filter(|row| row["status"] != "damaged").count();
    // "good" begins with a literal of more bytes than there are: no stream in it is sound.
    assert_eq!((rows.len(), sound), (count, 2));
    arena.run("extract p.pak -C out").code(1).err_has("failed");
    assert_eq!(arena.files("work/out").len(), 2);
    arena.assert_only_within(&["work/out"]);
    arena.run("convert p.pak -o q.pak").code(1);
    arena.assert_only_within(&["work/out"]);
}

/// A pak of three files with a false header.
fn headed(offset: u32, len: u32) -> Vec<u8> {
    let pak = Pak::new().stored("a", b"one").stored("b", b"two");
    let mut bytes = pak.stored("maps/c.bsp", [7; 200]).quake();
    bytes[4..8].copy_from_slice(&offset.to_le_bytes());
    bytes[8..12].copy_from_slice(&len.to_le_bytes());
    bytes
}

/// Where the directory of [`headed`] really is.
const TRUTH: (u32, u32) = (12 + 206, 3 * 64);

/// Looks at paks in one run of each verb. None is worth more than an error, and none gets a byte to
/// anywhere but where it should.
#[track_caller]
fn looked_at(paks: &[(u32, u32)]) {
    let mut arena = Arena::new();
    for (n, (offset, len)) in paks.iter().enumerate() {
        arena.file(format!("work/in/{n}.pak"), headed(*offset, *len));
    }
    for line in [
        "list -r in",
        "list -r --json in",
        "list -r --tree in",
        "info -r in",
        "verify -r in",
        "verify -r --json in",
        "convert -r in -n -C out",
    ] {
        let ran = arena.run(line);
        assert!(ran.is(0) || ran.is(1) || ran.is(2), "{ran}");
        arena.assert_untouched();
    }
    let ran = arena.run("extract -r in -C out");
    assert!(ran.is(0) || ran.is(1) || ran.is(2), "{ran}");
    arena.assert_only_within(&["work/out"]);
    for found in arena.files("work/out").values() {
        assert!(found.len() <= 2 * headed(0, 0).len());
    }
    let ran = arena.run("convert -r in -C new --keep-going");
    assert!(ran.is(0) || ran.is(1) || ran.is(2), "{ran}");
    arena.assert_only_within(&["work/out", "work/new"]);
    if arena.path("work/new").exists() && !arena.files("work/new").is_empty() {
        arena.run("verify -r new").code(0);
    }
}

/// Nothing but the directory of this pak is believed, and each is reported by name.
#[track_caller]
fn without_a_directory(paks: &[(u32, u32)]) {
    looked_at(paks);
    for (offset, len) in paks {
        let arena = Arena::with(headed(*offset, *len));
        let ran = arena.run("extract p.pak -C out").code(1);
        ran.err_has("the pak's directory is missing").err_has("  --> p.pak");
        arena.assert_untouched();
    }
}

#[test]
fn a_directory_past_the_end_is_missing() {
    let (offset, len) = TRUTH;
    without_a_directory(&[
        (offset + len, 64),
        (offset + len + 1, 64),
        (0x7fff_ffff, 64),
        (0x8000_0000, 64),
        (u32::MAX, 64),
        (u32::MAX, u32::MAX),
        (0xffff_ffc0, 0x80),
    ]);
}

#[test]
fn a_directory_that_is_too_long_is_read_in_part() {
    let (offset, len) = TRUTH;
    let paks = [
        (offset, len + 64),
        (offset, 0x7fff_ffc0),
        (offset, 0x8000_0000),
        (offset, u32::MAX),
        (offset, 0xffff_ffc0),
        (12, 0xffff_ffc0),
    ];
    looked_at(&paks);
    // The part of the directory that exists is read, and the rest is reported.
    let arena = Arena::with(headed(offset, 0xffff_ffc0));
    let rows = arena.run("list --json p.pak").code(1).err_has("p.pak").json();
    assert_eq!(rows.len(), 4);
    assert!(rows[..3].iter().all(|row| row["name"].is_string()));
    assert_eq!((&rows[3]["archive"], &rows[3]["status"]), (&"p.pak".into(), &"cut".into()));
}

/// Over the header, over the payloads, of an odd length, and at every pair of edges.
#[test]
fn directories_anywhere_do_no_harm() {
    let (offset, len) = TRUTH;
    looked_at(&[(0, 64), (0, 72), (0, 192), (4, 64), (11, 64), (0, u32::MAX)]);
    looked_at(&[(12, 64), (12, 192), (13, 128), (100, 64), (offset - 64, 192)]);
    let odd = [1, 63, 65, 71, 73, 127, 129, 191, 193, 3 * 64 + 7];
    looked_at(&odd.map(|len| (offset, len)));
    let around = |n: u32| [n - 1, n, n + 1];
    let edges = || EDGES.into_iter().chain(around(offset)).chain(around(offset + len));
    let lengths = || EDGES.into_iter().chain(around(len)).chain([64, 72, 576]);
    let pairs: Vec<(u32, u32)> =
        edges().flat_map(|offset| lengths().map(move |len| (offset, len))).collect();
    looked_at(&pairs);
    println!("{} headers", pairs.len());
}

/// What other tests of this suite run all verbs over.
pub(super) fn paks() -> Vec<Attack> {
    let mut paks = vec![
        ("headers: pairs".to_owned(), lying(pairs, false).quake()),
        ("headers: pairs, 72".to_owned(), lying(pairs, true).daikatana()),
    ];
    let (offset, len) = TRUTH;
    for (offset, len) in [
        (offset, len + 64),
        (offset, u32::MAX),
        (0, 192),
        (12, 192),
        (13, 0x7fff_ffff),
        (12, u32::MAX),
        (offset, 1),
        (offset, 127),
        (u32::MAX, u32::MAX),
        (offset, 0),
    ] {
        paks.push((format!("headers: {offset}, {len}"), headed(offset, len)));
    }
    paks
}
