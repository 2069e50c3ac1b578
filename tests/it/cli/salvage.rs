//! `--keep-going` on archives that were cut: what is left of them.

use super::Dir;
use crate::archive::zips::build::Zip;

const DAMAGED: &str = "the ZIP's directory is missing or cut";

/// A ZIP of two files, without its last bytes.
fn cut(bytes: usize) -> Vec<u8> {
    Zip::new()
        .stored("a.cfg", b"bind w +forward")
        .deflated("maps/b.bsp", &[7; 300])
        .cut(bytes)
        .bytes()
}

#[test]
fn a_zip_without_directory_needs_keep_going() {
    let dir = Dir::new();
    dir.file("cut.pk3", cut(30));
    let advice = "'daisho extract --keep-going'";
    dir.fails("extract cut.pk3").err_has(advice);
    dir.fails("list cut.pk3").err_has(advice);
    dir.fails("extract cut.pk3 --keep-going").err_has(DAMAGED).err_has("2 files were found");
    assert_eq!(dir.read("cut/a.cfg"), b"bind w +forward");
    assert_eq!(dir.read("cut/maps/b.bsp"), [7; 300]);
}

#[test]
fn a_cut_entry_costs_itself_and_names_select() {
    let dir = Dir::new();
    let whole = cut(0);
    let second = whole.windows(4).rposition(|it| it == b"PK\x03\x04");
    dir.file("cut.pk3", &whole[..second.unwrap() + 45]);
    let cut = dir.run("extract cut.pk3 --keep-going -C out");
    cut.code(1).err_has("entry 1 \"maps/b.bsp\"").err_has("the file ends at byte");
    dir.holds("cut.pk3 out/ out/a.cfg");
    dir.fails("extract cut.pk3 a.cfg --keep-going -C one");
    assert_eq!(dir.read("one/a.cfg"), b"bind w +forward");
}

#[test]
fn convert_saves_what_is_left() {
    let dir = Dir::new();
    dir.file("games/cut.pk3", cut(30));
    dir.fails("convert games/cut.pk3 -o a.pk3");
    dir.fails("convert games/cut.pk3 -o a.pk3 --keep-going").err_has(DAMAGED);
    dir.ok("verify a.pk3");
    dir.fails("convert games -C quake --keep-going");
    dir.ok("diff a.pk3 quake/cut.pak");
    dir.fails("info games/cut.pk3").err_has("'daisho extract --keep-going'");
    dir.fails("info -q a.pk3 games/cut.pk3");
}

#[test]
fn keep_going_changes_nothing_for_whole_zips() {
    let dir = Dir::new();
    dir.file("whole.pk3", cut(0));
    dir.file("none.pk3", b"PK\x03\x04 and nothing else that is of a ZIP");
    dir.ok("extract whole.pk3 --keep-going");
    dir.fails("extract none.pk3 --keep-going");
    dir.fails("info none.pk3").err_has("the end of this ZIP is missing");
}

/// What an engine serves is never in an archive that it refuses.
#[test]
fn a_merge_reads_no_zip_without_its_directory() {
    let dir = Dir::new();
    dir.file("baseq3/pak0.pk3", cut(0));
    dir.file("baseq3/pak1.pk3", cut(30));
    let run = dir.run("convert --merge baseq3 --engine ioquake3 -o a.pk3 --keep-going");
    assert!(!run.stderr.contains(DAMAGED), "{run}");
}
