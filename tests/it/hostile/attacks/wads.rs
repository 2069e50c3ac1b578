//! WADs, and archives within archives: what lumps can be called and claim, and how deep a path can lead.

use super::*;
use crate::archive::wads::Wad;
use crate::archive::zips::build::Zip;

/// Lumps whose names would lead out as files, each with any type.
fn leading_out() -> Vec<u8> {
    let names: [&[u8]; 8] =
        [b"../up", b"/root", b"c:/x", b"..\\up", b"a\x1b[2J", b"*", b"con", b""];
    let wad = names.into_iter().fold(Wad::new(b"WAD2"), |wad, name| wad.lump(name, b'D', b"bad"));
    wad.lump(b"good", b'B', b"good").bytes()
}

/// A header that counts as many lumps as it can, over four gigabytes of nothing.
fn counting(path: &Path) {
    let mut file = fs::File::create(path).unwrap();
    let header = [*b"WAD2", u32::MAX.to_le_bytes(), 12_u32.to_le_bytes()].concat();
    std::io::Write::write_all(&mut file, &header).unwrap();
    file.set_len(4 << 30).unwrap();
}

/// Every lump is all of the file.
fn overlapping() -> Vec<u8> {
    let wad =
        (0..2000).fold(Wad::new(b"WAD3"), |wad, n| wad.lump(format!("n{n}").as_bytes(), b'C', b""));
    let mut bytes = wad.bytes();
    let len = u32::try_from(bytes.len()).unwrap().to_le_bytes();
    for record in bytes[12..].chunks_exact_mut(32) {
        record[..4].fill(0);
        record[4..8].copy_from_slice(&len);
    }
    bytes
}

/// A ZIP in a ZIP, so many times over.
fn within(times: usize) -> Vec<u8> {
    let innermost = Zip::new().stored("a.cfg", b"a").bytes();
    (0..times).fold(innermost, |inner, _| Zip::new().deflated("a.zip", &inner).bytes())
}

#[test]
fn lumps_with_names_that_lead_out_are_skipped() {
    let arena = Arena::with(leading_out());
    arena.run("extract p.pak -C out").code(1);
    arena.assert_only_within(&["work/out"]);
    let files = arena.files("work/out").into_keys();
    let files: Vec<_> = files.map(|it| it.to_string_lossy().into_owned()).collect();
    assert_eq!(files, ["#.mip", ".mip", "good.lmp"]);
    arena.run("list p.pak").code(0);
}

#[test]
fn a_false_number_of_lumps_is_refused() {
    let arena = Arena::new();
    counting(&arena.path("work/p.wad"));
    arena.run("verify p.wad").code(1).err_has("almost no names");
    fs::remove_file(arena.path("work/p.wad")).unwrap();
}

#[test]
fn lumps_at_one_place_are_not_extracted() {
    let arena = Arena::with(overlapping());
    // One and the same payload is decoded, and written into a pak, once.
    arena.run("verify p.pak").code(0);
    for line in ["extract p.pak -C out", "convert p.pak -o q.pk3"] {
        arena.run(line).code(1).err_has("payloads must overlap");
    }
    arena.assert_untouched();
}

#[test]
fn archives_are_opened_eight_deep_and_no_deeper() {
    let arena = Arena::with(within(12));
    let rows = arena.run("list . --json").code(0).json();
    let left_out = rows.iter().filter(|row| row["status"] == "left_out").count();
    assert_eq!((rows.len(), left_out), (3, 1));
    arena.run("extract . -C out").code(0);
    arena.assert_only_within(&["work/out"]);
    let line = format!("list p.pak{}", "//a.zip".repeat(9));
    arena.run(&line).code(1).err_has("lies deeper");
}

#[test]
fn nested_archives_that_lead_out_are_passed_over() {
    let pak = Pak::new().stored("a.cfg", "a").quake();
    let zip = Zip::new()
        .stored("../../outside/victim.pak", &pak)
        .stored("/victim.pak", &pak)
        .deflated("good.pak", &pak);
    let arena = Arena::with(zip.bytes());
    for verb in ["convert . -C out -f --to quake", "extract . -C out -f"] {
        arena.run(verb);
        arena.assert_only_within(&["work/out"]);
    }
    assert!(arena.path("work/out/p/good.pak").exists());
}

pub(super) fn paks() -> Vec<Attack> {
    [
        ("wad: leading out", leading_out()),
        ("wad: overlapping", overlapping()),
        ("zip: within each other", within(12)),
    ]
    .map(|(name, archive)| (name.to_owned(), archive))
    .to_vec()
}
