//! Paks that are small and claim much: what can be known to be impossible is refused before a byte
//! is written, and what is possible takes no more than it must.

use daisho::media::{Data, Palette, Pixels, png};

use super::*;

/// Entries over a payload, as offset and size within it.
fn over(payload: &[u8], extents: impl Iterator<Item = (u32, u32)>) -> Vec<u8> {
    let mut pak = Pak::new();
    let start = pak.payload(payload);
    for (n, (at, size)) in extents.enumerate() {
        pak = pak.entry(Entry {
            name: format!("{n}").into_bytes(),
            offset: start + at,
            size,
            packed: None,
        });
    }
    pak.quake()
}

/// Entries that share one payload.
pub(super) fn shared(entries: u32, size: u32) -> Vec<u8> {
    over(&vec![b'x'; size as usize], (0..entries).map(|_| (0, size)))
}

/// Entries that each begin a byte after the one before, and end with the payload.
pub(super) fn staircase(entries: u32, size: u32) -> Vec<u8> {
    let payload: Vec<u8> = (0..size).map(|n| n as u8).collect();
    over(&payload, (0..entries).map(|n| (n, size - n)))
}

/// The same with streams: a run of zeros can be entered at any byte.
pub(super) fn staircase_of_streams(entries: u32, tokens: u32) -> Vec<u8> {
    let mut stream = vec![0x7f; tokens as usize];
    stream.push(0xff);
    let mut pak = Pak::new();
    let start = pak.payload(&stream);
    for n in 0..entries {
        pak = pak.entry(Entry {
            name: format!("{n}.tga").into_bytes(),
            offset: start + n,
            size: 65 * (tokens - n),
            packed: Some((tokens - n + 1, 1)),
        });
    }
    pak.daikatana()
}

/// One stream of zero runs, which is as much as a stream can be without a trick.
fn zeros(tokens: u32) -> Vec<u8> {
    let mut stream = vec![0x7f; tokens as usize];
    stream.push(0xff);
    Pak::new().compressed("zeros.tga", 65 * tokens, &stream).daikatana()
}

/// A pak of exactly 100 bytes whose only entry claims `size`.
fn claiming(size: u32) -> Vec<u8> {
    let stream = [&[0x7f; 15][..], &[0xff]].concat();
    let pak = Pak::new().compressed("claim.tga", size, &stream).daikatana();
    assert_eq!(pak.len(), 100);
    pak
}

/// Extraction refuses a pak whose payloads overlap, and makes nothing.
#[track_caller]
fn refused(pak: &[u8]) {
    let arena = Arena::with(pak);
    let ran = arena.run("extract p.pak -C out").code(1);
    ran.err_has("this archive would unpack to ")
        .err_has("payloads must overlap\n  --> p.pak\n")
        .err_has("--max-expansion");
    arena.run("extract p.pak").code(1);
    arena.run("extract -f -r . -C out").code(1);
    arena.assert_untouched();
    // In a batch it costs that pak alone.
    let mut arena = Arena::with(pak);
    arena.file("work/fine.pak", Pak::new().stored("good", b"good").quake());
    let ran = arena.run("extract p.pak fine.pak -C out").code(1);
    ran.err_has("--max-expansion");
    let files: Vec<PathBuf> = arena.files("work/out").into_keys().collect();
    assert_eq!(files, [Path::new("fine/good")]);
}

#[test]
fn streams_that_grow_65_fold_are_extracted() {
    // Possible, so it is done: the limit is where tricks begin.
    let arena = Arena::with(zeros(100_000));
    arena.run("verify p.pak").code(0);
    arena.run("extract p.pak -C out").code(0);
    let file = arena.path("work/out/zeros.tga");
    assert_eq!(fs::metadata(file).unwrap().len(), 6_500_000);
    arena.run("convert p.pak -o q.pak").code(0);
    arena.assert_only_within(&["work/out", "work/q.pak"]);
}

#[test]
fn streams_that_claim_more_than_65_fold_are_skipped() {
    for size in [15 * 65 + 66, 16 * 65 + 1, 0x7fff_ffff, u32::MAX] {
        let arena = Arena::with(claiming(size));
        for line in ["list p.pak", "verify p.pak", "cat p.pak claim.tga"] {
            arena.run(line).code(1).err_has(&format!("claims {size} bytes"));
        }
        arena.run("info p.pak").code(1);
        let ran = arena.run("extract p.pak -C out").code(1);
        let reported = "no stream of that length holds more than 1040\n";
        ran.err_has(reported).err_has("  --> p.pak: entry 0 \"claim.tga\", byte 12\n");
        arena.run("convert p.pak -o q.pak").code(1).err_has(reported);
        arena.run("convert --keep-going p.pak -o q.pak").code(1);
        assert!(arena.files("work").len() == 1 && arena.files("work/out").is_empty());
    }
}

/// What a stream could hold and this one does not: it is found out while decoding, and what was
/// written until then is gone.
#[test]
fn a_false_size_leaves_no_part_of_a_file() {
    for (line, tokens) in [
        ("verify p.pak", 20_000),
        ("extract p.pak -C out", 20_000),
        ("convert p.pak -o q.pak", 20_000),
        // Encoding takes a minute for as many without optimisation.
        ("convert p.pak -o q.pak --to daikatana", 2000),
    ] {
        let mut pak = zeros(tokens);
        let at = pak.len() - 12;
        pak[at..at + 4].copy_from_slice(&(65 * tokens + 1_u32).to_le_bytes());
        let arena = Arena::with(pak);
        let ran = arena.run(line).code(1).err_has("the stream is damaged");
        ran.err_has("p.pak: entry 0 \"zeros.tga\"");
        arena.assert_only_within(&["work/out"]);
        assert!(arena.files("work/out").is_empty());
    }
}

#[test]
fn a_claim_of_4_gigabytes_in_100_bytes_is_skipped() {
    // Stored: the file ends before. Compressed: see above.
    let mut pak = Pak::new();
    let offset = pak.payload(&[0; 16]);
    let entry = |packed| Entry { name: b"claim".to_vec(), offset, size: u32::MAX, packed };
    for pak in [
        pak.clone().entry(entry(Some((16, 1)))).daikatana(),
        pak.clone().entry(entry(Some((u32::MAX, 1)))).daikatana(),
        pak.clone().entry(entry(Some((16, 0)))).daikatana(),
        pak.clone().entry(entry(None)).quake(),
    ] {
        let arena = Arena::with(&pak);
        for line in [
            "list --json p.pak",
            "info --json p.pak",
            "verify --json p.pak",
            "cat p.pak claim",
            "extract p.pak -C out",
            "convert p.pak -o q.pak",
        ] {
            arena.run(line).code(1);
        }
        assert!(arena.files("work").len() == 1 && arena.files("work/out").is_empty());
    }
}

#[test]
fn a_payload_of_60000_entries_is_not_extracted() {
    let pak = shared(60_000, 1_000_000);
    refused(&pak);
    // Each payload is decoded once, however many entries name it: 60 GB would take minutes.
    let arena = Arena::with(pak);
    let ran = arena.run("verify p.pak").code(0);
    ran.out_has("60000 entries, 60.0 GB, all OK");
    arena.run("info p.pak").code(0);
    arena.run("diff p.pak p.pak").code(0);
    // Shared they stay: a conversion writes the payload once.
    for to in ["quake", "daikatana"] {
        let line = format!("convert p.pak -f -o q.pak --to {to}");
        arena.run(&line).code(0);
        assert!(fs::metadata(arena.path("work/q.pak")).unwrap().len() < 6_000_000);
    }
}

/// What honest packers write is no bomb, although extents are shared.
#[test]
fn honest_sharing_is_no_bomb() {
    let arena = Arena::with(shared(60, 1_000));
    arena.run("extract p.pak -C out").code(0);
    assert_eq!(arena.files("work/out").len(), 60);
    let arena = Arena::with(staircase(10, 200));
    arena.run("extract p.pak -C out").code(0);
    arena.run("convert p.pak -o q.pak").code(0);
}

#[test]
fn the_expansion_limit_counts_what_is_written() {
    let arena = Arena::with(shared(300, 50_000));
    arena.run("extract p.pak -C out").code(1);
    arena.run("extract p.pak -C out -i 29?").code(0);
    arena.run("extract p.pak -C out -k --max-expansion 300").code(0);
    assert_eq!(arena.files("work/out").len(), 300);
    // Entries that are not selected do not count, and a listing decodes nothing.
    let arena = Arena::with(staircase(500, 40_000));
    for line in [
        "verify p.pak -i 1",
        "list -q p.pak",
        "info p.pak",
        "verify p.pak --max-expansion 500",
        "convert p.pak -o q.pak --to daikatana --max-expansion 500",
        "diff p.pak q.pak --max-expansion 500",
    ] {
        arena.run(line).code(0);
    }
}

/// A page has a copy of each entry, as extraction has.
#[test]
fn gallery_refuses_what_extract_refuses() {
    let mut arena = Arena::with(shared(300, 50_000));
    let ran = arena.run("gallery p.pak -o out").code(2);
    ran.err_has("payloads must overlap\n  --> p.pak\n").err_has("--max-expansion");
    arena.assert_untouched();
    arena.run("gallery p.pak -o few -i 29?").code(0);
    arena.run("gallery p.pak -o all --max-expansion 300").code(0);
    // In a batch it costs that pak alone.
    arena.file("work/fine.pak", Pak::new().stored("good", b"good").quake());
    let ran = arena.run("gallery p.pak fine.pak -o both").code(1);
    ran.err_has("--max-expansion").err_has("open both/index.html in a browser: 1 entry, ");
}

/// What other tests of this suite run all verbs over.
pub(super) fn paks() -> Vec<Attack> {
    let paks = [
        ("65-fold", zeros(300_000)),
        ("claims 4 GiB", claiming(u32::MAX)),
        ("claims a byte too much", claiming(16 * 65 + 1)),
        ("60,000 share 1 MB", shared(60_000, 1_000_000)),
        ("a staircase", staircase(500, 40_000)),
        ("a staircase of streams", staircase_of_streams(300, 1_000)),
        ("100,000 empty entries", over(b"", (0..100_000).map(|_| (0, 0)))),
    ];
    let all = paks.into_iter();
    all.map(|(name, pak)| (format!("bombs: {name}"), pak)).collect()
}

/// A pak that no verb which reads it whole may touch, and of which nothing may be written.
#[track_caller]
fn refused_by_all(pak: &[u8]) {
    let arena = Arena::with(pak);
    for line in [
        "convert p.pak -o q.pak",
        "convert p.pak -o q.pak --keep-going",
        "convert p.pak -o q.pak --to daikatana",
        "convert -r . -C out",
        "verify p.pak",
        "diff p.pak p.pak",
    ] {
        let ran = arena.run(line);
        assert!(ran.is(1) || ran.is(2), "{ran}");
        ran.err_has("--max-expansion");
        assert_eq!(arena.files("work").len(), 1, "{line}");
    }
    // In a batch it costs that pak alone.
    let mut arena = Arena::with(pak);
    arena.file("work/fine.pak", Pak::new().stored("good", b"good").quake());
    for line in ["convert p.pak fine.pak -C packed", "verify p.pak fine.pak"] {
        arena.run(line).code(1).err_has("--max-expansion");
    }
    let files: Vec<PathBuf> = arena.files("work/packed").into_keys().collect();
    assert_eq!(files, [Path::new("fine.pak")]);
}

#[test]
fn overlapping_payloads_are_refused_by_every_verb() {
    for pak in [staircase(500, 40_000), staircase_of_streams(300, 1_000)] {
        refused(&pak);
        refused_by_all(&pak);
    }
    for pak in [shared(20_000, 1_000_000), staircase(500, 40_000), staircase_of_streams(300, 1_000)]
    {
        let ran = Arena::with(&pak).run("cat p.pak *").code(2).out("");
        ran.err_has("--max-expansion");
    }
}

#[test]
fn a_picture_of_16_million_colours_becomes_a_texture() {
    let rgb: Vec<u8> = (0..1_u32 << 24).flat_map(|it| it.to_le_bytes()[..3].to_vec()).collect();
    let pixels = Pixels { width: 4096, height: 4096, data: Data::Rgb(rgb) };
    let mut arena = Arena::new();
    arena.file("work/many.png", png(&pixels, &Palette::grey(), None).unwrap());
    for line in ["create many.png -o m.wad --to wad3", "convert many.png -o many.wal --to wal3"] {
        let (ran, taken) = arena.measure(&format!("-j4 {line}"));
        ran.code(0);
        // Beside what every run may take, 256 MiB are for pictures.
        let memory = MEMORY + 4 * MEMORY_A_THREAD + (256 << 20);
        assert!(taken.memory <= memory, "{line}: {taken:?}");
        assert!(taken.seconds <= 3.0 * SECONDS, "{line}: {taken:?}");
    }
}
